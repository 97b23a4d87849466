/* SPDX-License-Identifier: MIT */
#include "space/text/formats.h"

#include "base/status_word.h"
#include "space/text/psvn/psvn.h"
#include "space/text/tws/tws.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Takes format and name from a path. Sets *piped for standard input. */
static enum pz_status read_name(const char *path, struct definition_file *out, bool *piped,
                                struct pz_error *error)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    const bool ksolve = dot != NULL && strcmp(dot, ".def") == 0;
    if (dot == NULL || !definition_format_find(ksolve ? "tws" : dot + 1, &out->format))
        return pz_fail(error, PZ_UNSUPPORTED, "its format is not known");
    *piped = slash == NULL && strncmp(file, "-.", 2) == 0;
    const int length = *piped ? snprintf(out->name, sizeof out->name, "input")
                              : snprintf(out->name, sizeof out->name, "%.*s", (int)(dot - file), file);
    return length < (int)sizeof out->name ? PZ_OK : pz_fail(error, PZ_BAD_REQUEST, "its name is too long");
}

static enum pz_status file_failed(int descriptor, const char *path, struct pz_error *error)
{
    const enum pz_status status = status_from_errno(error, errno, path);
    if (descriptor >= 0)
        (void)close(descriptor);
    return status;
}

/* Opens a regular file without following a link or waiting for a writer, as a pipe or a device would. */
static enum pz_status open_text(const char *path, FILE **out, struct pz_error *error)
{
    struct stat about;
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0 && errno == ELOOP)
        return pz_fail(error, PZ_UNSUPPORTED, "%.300s is a symbolic link; it must be a regular file", path);
    if (descriptor < 0 || fstat(descriptor, &about) != 0)
        return file_failed(descriptor, path, error);
    if (!S_ISREG(about.st_mode)) {
        (void)close(descriptor);
        return pz_fail(error, PZ_UNSUPPORTED, "%.300s is no regular file", path);
    }
    *out = fdopen(descriptor, "r");
    return *out != NULL ? PZ_OK : file_failed(descriptor, path, error);
}

enum pz_status definition_file_read(const char *path, struct definition_file *out, struct pz_error *error)
{
    bool piped = false;
    *out = (struct definition_file){.text = NULL};
    enum pz_status status = read_name(path, out, &piped, error);
    FILE *stream = stdin;
    if (status == PZ_OK && !piped)
        status = open_text(path, &stream, error);
    if (status != PZ_OK)
        return status;
    out->text = malloc(DEFINITION_TEXT_MAX + 1);
    if (out->text == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for a definition");
    else {
        out->length = fread(out->text, 1, DEFINITION_TEXT_MAX + 1, stream);
        if (ferror(stream) != 0)
            status = status_from_errno(error, errno, path);
    }
    if (!piped)
        (void)fclose(stream);
    return status;
}

enum pz_status definition_file_compile(const char *path, struct definition **out, struct pz_error *error)
{
    struct definition_file file;
    enum pz_status status = definition_file_read(path, &file, error);
    if (status == PZ_OK)
        status = definition_compile(file.format, file.name, file.text, file.length, out, error);
    free(file.text);
    return status;
}
