/* SPDX-License-Identifier: MIT */
#include "space/text/formats.h"

#include "space/text/psvn/psvn.h"
#include "space/text/tws/tws.h"

#include <sha2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const struct pz_puzzle *puzzle;
    definition_compiler *compile;
} formats[DEFINITION_FORMATS] = {
    [DEFINITION_PSVN] = {&psvn_puzzle, psvn_compile},
    [DEFINITION_TWS] = {&tws_puzzle, tws_compile},
};

const struct pz_puzzle *definition_puzzle(enum definition_format format)
{
    return formats[format].puzzle;
}

/* The first half of the SHA-256 of the format's word with its NUL and the canonical text. */
static void find_id(struct definition *definition)
{
    const char *word = definition_format_word(definition->format);
    const struct definition_meaning *meaning = definition->meaning;
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)word, strlen(word) + 1);
    SHA256Update(&context, (const uint8_t *)meaning->canonical, meaning->canonical_length);
    SHA256Final(hash, &context);
    for (size_t i = 0; i < DEFINITION_ID_DIGITS / 2; i++)
        (void)snprintf(definition->id + 2 * i, 3, "%02x", hash[i]);
}

static enum pz_status check_definition_text(const char *text, size_t length, struct pz_error *error)
{
    if (length > DEFINITION_TEXT_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "a definition of %zu bytes; %d at most", length,
                       DEFINITION_TEXT_MAX);
    const char *nul = memchr(text, '\0', length);
    if (nul != NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "byte %zu of the definition is zero; it must be text, in UTF-8",
                       (size_t)(nul - text) + 1);
    return PZ_OK;
}

enum pz_status definition_compile(enum definition_format format, const char *name, const char *text,
                                  size_t length, struct definition **out, struct pz_error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* U+FEFF: no part of the text */
    struct definition_meaning *meaning = NULL;
    if (length >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0) {
        text += strlen(mark);
        length -= strlen(mark);
    }
    enum pz_status status = definition_check_name(name, error);
    if (status == PZ_OK)
        status = check_definition_text(text, length, error);
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
