/* SPDX-License-Identifier: MIT */
#include "rank_definition.h"

#include "explore/exchange/frame.h"
#include "space/text/definition_file.h"
#include "space/text/formats.h"
#include "space/text/library.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 16 << 10 }; /* bytes at a time, as a gathering has as many of every rank */

/* Precedes the text. Rank 0's counts; those of the others are zeros. */
struct heading {
    uint64_t format;
    uint64_t length;
    char name[DEFINITION_NAME_MAX]; /* empty if there is no definition */
};

/* Fills *file as rank 0 has it, but for the text. */
static void share_heading(const struct exchange *exchange, struct definition_file *file)
{
    assert(file->length <= DEFINITION_TEXT_MAX + 1);
    struct heading own = {.format = file->format, .length = file->length};
    memcpy(own.name, file->name, sizeof own.name);
    const struct heading *first = frame_gather(exchange, FRAME_DEFINITION, &own, sizeof own);
    if (first->format >= DEFINITION_FORMATS || first->length > DEFINITION_TEXT_MAX + 1 ||
        memchr(first->name, '\0', sizeof first->name) == NULL)
        frame_fail(exchange, 0, "no heading of a definition");
    file->format = (enum definition_format)first->format;
    file->length = first->length;
    memcpy(file->name, first->name, sizeof file->name);
}

static void share_text(const struct exchange *exchange, struct definition_file *file)
{
    for (size_t at = 0; at < file->length; at += PIECE) {
        assert(file->text != NULL && file->name[0] != '\0'); /* only a definition has a text */
        char own[PIECE] = {0};
        const size_t bytes = file->length - at < PIECE ? file->length - at : PIECE;
        if (exchange->rank == 0)
            memcpy(own, file->text + at, bytes);
        memcpy(file->text + at, frame_gather(exchange, FRAME_DEFINITION, own, bytes), bytes);
    }
}

static enum pz_status learn(const struct definition_file *file, struct pz_error *error)
{
    struct definition *definition = NULL;
    struct pz_error own;
    enum pz_status status =
        definition_compile(file->format, file->name, file->text, file->length, &definition, &own);
    if (status == PZ_OK)
        status = library_add(definition, NULL, &own);
    definition_release(definition);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "--define: %s", own.text);
}

enum pz_status definition_share(const struct exchange *exchange, const char *path, struct pz_error *error)
{
    struct definition_file file = {.text = NULL};
    struct pz_error own;
    enum pz_status status = PZ_OK;
    if (exchange->rank == 0 && path != NULL && (status = definition_file_read(path, &file, &own)) != PZ_OK)
        (void)pz_fail(error, status, "--define: %s", own.text);
    if (status == PZ_OK && file.text == NULL && (file.text = malloc(DEFINITION_TEXT_MAX + 1)) == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for a definition");
    status = agree_status(exchange, status, NULL, error);
    if (status == PZ_OK && file.text != NULL) {
        share_heading(exchange, &file);
        share_text(exchange, &file);
        if (file.name[0] != '\0')
            status = learn(&file, error);
        status = agree_status(exchange, status, NULL, error);
    }
    free(file.text);
    return status;
}
