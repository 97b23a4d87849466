/* SPDX-License-Identifier: MIT */
#include "space/text/definition.h"

#include "space/text/library.h"
#include "space/text/psvn/psvn.h"
#include "space/text/tws/tws.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const struct {
    const char *word;
    const struct pz_puzzle *puzzle;
    definition_compiler *compile;
} formats[DEFINITION_FORMATS] = {
    [DEFINITION_PSVN] = {"psvn", &psvn_puzzle, psvn_compile},
    [DEFINITION_TWS] = {"tws", &tws_puzzle, tws_compile},
};

const char *definition_format_word(enum definition_format format)
{
    return formats[format].word;
}

bool definition_format_find(const char *word, enum definition_format *out)
{
    for (enum definition_format i = 0; i < DEFINITION_FORMATS; i++) {
        if (strcmp(formats[i].word, word) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

const struct pz_puzzle *definition_puzzle(enum definition_format format)
{
    return formats[format].puzzle;
}

enum pz_status definition_check_name(const char *name, struct pz_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    const size_t length = strlen(name);
    if (*name >= 'a' && *name <= 'z' && length < DEFINITION_NAME_MAX && strspn(name, letters) == length &&
        (length != DEFINITION_ID_BYTES - 1 || strspn(name, "0123456789abcdef") != length))
        return PZ_OK;
    return pz_fail(
        error, PZ_BAD_REQUEST,
        "'%.40s' is no name of a definition: a lower-case letter, then letters, digits, '-' or '_', "
        "%d bytes at most, and not 16 hexadecimal digits",
        name, DEFINITION_NAME_MAX - 1);
}

/* Format and canonical text, by one hash. */
static void find_id(struct definition *definition)
{
    const uint64_t seed =
        XXH3_64bits(formats[definition->format].word, strlen(formats[definition->format].word));
    const uint64_t hash =
        XXH3_64bits_withSeed(definition->meaning->canonical, definition->meaning->canonical_length, seed);
    (void)snprintf(definition->id, sizeof definition->id, "%016" PRIx64, hash);
}

static enum pz_status check_text(const char *text, size_t length, struct pz_error *error)
{
    if (length > DEFINITION_TEXT_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "a definition of %zu bytes; %d at most", length,
                       DEFINITION_TEXT_MAX);
    const char *nul = memchr(text, '\0', length);
    if (nul != NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "byte %zu of the definition is zero; it must be text",
                       (size_t)(nul - text) + 1);
    return PZ_OK;
}

enum pz_status definition_compile(enum definition_format format, const char *name, const char *text,
                                  size_t length, struct definition **out, struct pz_error *error)
{
    struct definition_meaning *meaning = NULL;
    enum pz_status status = definition_check_name(name, error);
    if (status == PZ_OK)
        status = check_text(text, length, error);
    if (status == PZ_OK)
        status = formats[format].compile(text, length, &meaning, error);
    if (status != PZ_OK)
        return status;
    struct definition *made = calloc(1, sizeof *made);
    char *copy = malloc(length + 1);
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        meaning->free(meaning);
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    *made = (struct definition){.format = format, .text = copy, .length = length, .meaning = meaning};
    atomic_init(&made->holders, 1);
    (void)snprintf(made->name, sizeof made->name, "%s", name);
    find_id(made);
    *out = made;
    return PZ_OK;
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

enum pz_status definition_open_as(enum definition_format format, const struct pz_setup *setup,
                                  struct pz_space **out, struct pz_error *error)
{
    const size_t length = strcspn(setup->size, ",");
    const struct definition *definition = library_find(format, setup->size, length);
    if (definition == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "no %s definition '%.*s'; DEFINITIONS lists them",
                       formats[format].word, (int)(length < 60 ? length : 60), setup->size);
    enum pz_status status = definition_open(definition, setup, out, error);
    definition_release(definition);
    return status;
}
