/* SPDX-License-Identifier: MIT */
#include "space/text/definition.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[DEFINITION_FORMATS] = {[DEFINITION_PSVN] = "psvn", [DEFINITION_TWS] = "tws"};

const char *definition_format_word(enum definition_format format)
{
    return words[format];
}

bool definition_format_find(const char *word, enum definition_format *out)
{
    for (enum definition_format i = 0; i < DEFINITION_FORMATS; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

enum pz_status definition_check_name(const char *name, struct pz_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    const size_t length = strlen(name);
    _Static_assert((int)DEFINITION_NAME_MAX <= (int)DEFINITION_ID_DIGITS, "no name is an id");
    if (*name >= 'a' && *name <= 'z' && length < DEFINITION_NAME_MAX && strspn(name, letters) == length)
        return PZ_OK;
    return pz_fail(
        error, PZ_BAD_REQUEST,
        "'%.40s' is no name of a definition: a lower-case letter, then letters, digits, '-' or '_', "
        "%d bytes at most",
        name, DEFINITION_NAME_MAX - 1);
}

const struct definition *definition_retain(const struct definition *definition)
{
    atomic_fetch_add_explicit(&((struct definition *)definition)->holders, 1, memory_order_relaxed);
    return definition;
}

void definition_release(const struct definition *definition)
{
    struct definition *own = (struct definition *)definition;
    if (own == NULL || atomic_fetch_sub_explicit(&own->holders, 1, memory_order_acq_rel) > 1)
        return;
    struct definition_meaning *meaning = (struct definition_meaning *)own->meaning;
    meaning->free(meaning);
    free(own->text);
    free(own);
}

enum pz_status definition_open(const struct definition *definition, const struct pz_setup *setup,
                               struct pz_space **out, struct pz_error *error)
{
    return definition->meaning->open(definition, setup, out, error);
}
