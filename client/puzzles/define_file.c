/* SPDX-License-Identifier: MIT */
#include "client/puzzles/define_file.h"

#include "client/session/shipped.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* TEXT_MAX: bytes of a definition; the daemon says the same. PART_MAX: of a part as it is sent. */
enum { TEXT_MAX = 1 << 20, PART_MAX = 3600, HASH_LENGTH = 9 /* "-89abcdef" */ };

const char *define_file_format(const char *word)
{
    const char *dot = strrchr(word, '.');
    if (dot == NULL || dot == word || strchr(dot, '/') != NULL)
        return NULL;
    return strcasecmp(dot, ".psvn") == 0                                  ? "psvn"
           : strcasecmp(dot, ".tws") == 0 || strcasecmp(dot, ".def") == 0 ? "tws"
                                                                          : NULL;
}

void define_file_name(const char *path, char name[DEFINE_NAME_MAX])
{
    const char *slash = strrchr(path, '/');
    const char *stem = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(stem, '.');
    const size_t stem_length = dot != NULL ? (size_t)(dot - stem) : strlen(stem);
    size_t length = 0;
    uint32_t hash = 2166136261U; /* FNV-1a */
    bool told_apart = stem_length + 1 < DEFINE_NAME_MAX;
    if (!isalpha((unsigned char)*stem))
        name[length++] = 'p';
    for (size_t i = 0; i < stem_length; i++) {
        const unsigned char c = (unsigned char)stem[i];
        const bool stays = c < 128 && isalnum(c);
        told_apart &= stays || strchr("_- ", c) != NULL;
        hash = (hash ^ c) * 16777619U;
        if (length + 1 < DEFINE_NAME_MAX)
            name[length++] = (char)(stays ? tolower(c) : c == '_' ? '_' : '-');
    }
    if (!told_apart && length > DEFINE_NAME_MAX - 1 - HASH_LENGTH)
        length = DEFINE_NAME_MAX - 1 - HASH_LENGTH;
    name[length] = '\0';
    if (!told_apart)
        (void)snprintf(name + length, HASH_LENGTH + 1, "-%08" PRIx32, hash);
}

static enum exit_code define_file_read(struct session *session, const char *path, char **out, size_t *length)
{
    struct pz_error error;
    FILE *file = fopen(path, "re");
    const char *wrong = file == NULL ? strerrordesc_np(errno) : NULL;
    char *text = malloc(TEXT_MAX + 1);
    if (wrong == NULL && text == NULL)
        wrong = "no memory for it";
    if (wrong == NULL) {
        *length = fread(text, 1, TEXT_MAX + 1, file);
        wrong = *length > TEXT_MAX  ? "a definition has 1 MiB at most"
                : ferror(file) != 0 ? strerrordesc_np(errno)
                                    : NULL;
    }
    if (file != NULL)
        (void)fclose(file);
    if (wrong == NULL) {
        *out = text;
        return EXIT_FOUND;
    }
    free(text);
    (void)pz_fail(&error, PZ_BAD_REQUEST, "%s: %s", path, wrong);
    return session_fail(session, EXIT_TROUBLE, "input", error.text);
}

/* Appends bytes of the text as a request carries them, until the part is full; returns how many. */
static size_t encode_part(const char *bytes, size_t length, struct text *part)
{
    size_t taken = 0;
    for (; taken < length && part->length + 3 <= PART_MAX; taken++) {
        const unsigned char c = (unsigned char)bytes[taken];
        if (c < 0x20 || c >= 0x7F || c == '%' || c == '"' || c == '\\')
            text_format(part, "%%%02X", c);
        else
            text_char(part, (char)c);
    }
    return taken;
}

/* Sends one part, and reports no ERR. Returns what session_ask does. */
static enum exit_code send_part(struct session *session, const char *name, const char *format, size_t at,
                                const struct text *part, bool more, bool strict, struct reply *reply)
{
    struct text *request = session_request(session, "DEFINE", NULL);
    text_key(request, "name", name);
    text_key(request, "format", format);
    text_format(request, " at=%zu", at);
    if (more)
        text_add(request, " more=yes");
    if (strict)
        text_add(request, " strict=yes");
    text_key(request, "text", text_string(part));
    const enum exit_code code = session_send(session, request);
    return code == EXIT_FOUND ? session_read(session, reply) : code;
}

static enum exit_code send_text(struct session *session, const char *name, const char *format,
                                const char *text, size_t length, bool strict, struct reply *reply)
{
    enum exit_code code = EXIT_FOUND;
    size_t at = 0;
    bool more = true;
    while (code == EXIT_FOUND && more) {
        struct text part = {0};
        const size_t taken = encode_part(text + at, length - at, &part);
        more = at + taken < length;
        code = send_part(session, name, format, at, &part, more, strict, reply);
        text_free(&part);
        at += taken;
        if (code == EXIT_FOUND && reply->kind == REPLY_ERR)
            return EXIT_FOUND; /* the caller looks at it */
        if (code == EXIT_FOUND && more)
            reply_clear(reply);
    }
    return code;
}

/* Removes the definition of a name. *reply becomes the refusal, unless there is no such definition; *done
 * says if it is gone. Returns what session_read does. */
static enum exit_code undefine(struct session *session, const char *name, struct reply *reply, bool *done)
{
    struct reply own = {0};
    enum exit_code code = session_send(session, session_request(session, "UNDEFINE", name));
    if (code == EXIT_FOUND)
        code = session_read(session, &own);
    *done = code == EXIT_FOUND && own.kind == REPLY_OK;
    if (code == EXIT_FOUND && (*done || strcmp(own.code, "bad-puzzle") == 0)) {
        reply_clear(&own);
    } else {
        reply_clear(reply);
        *reply = own;
    }
    return code;
}

/* Prints each remark of a reply in a line. */
static void print_remarks(const struct session *session, const struct reply *reply)
{
    const char *remark = session->quiet ? NULL : reply_get(reply, "remarks");
    while (remark != NULL && *remark != '\0') {
        const size_t length = strcspn(remark, ";");
        (void)fprintf(session->terminal->err, "remark: %.*s\n", (int)length, remark);
        remark += length;
        remark += strspn(remark, "; ");
    }
}

enum exit_code define_file_send(struct session *session, const char *path, const char *name,
                                enum define_way way, struct reply *reply)
{
    const bool strict = way == DEFINE_STRICT;
    char *text = NULL;
    size_t length = 0;
    const char *format = define_file_format(path);
    enum exit_code code = session_connect(session);
    if (code == EXIT_FOUND)
        code = define_file_read(session, path, &text, &length);
    if (code != EXIT_FOUND)
        return code;
    code = send_text(session, name, format, text, length, strict, reply);
    if (code == EXIT_FOUND && reply->kind == REPLY_ERR && way == DEFINE_AGAIN &&
        strcmp(reply->code, "bad-request") == 0) { /* the text is sound, but the name is another's */
        bool done = false;
        code = undefine(session, name, reply, &done);
        if (done) {
            reply_clear(reply);
            code = send_text(session, name, format, text, length, strict, reply);
        }
    }
    free(text);
    if (code == EXIT_FOUND && reply->kind == REPLY_ERR) {
        code = session_refused(session, reply);
        reply_clear(reply);
    } else if (code == EXIT_FOUND) {
        print_remarks(session, reply);
    }
    return code;
}

/* Asks whether the daemon has a puzzle of a name, a plugin's too. */
static enum exit_code ask_known_puzzle(struct session *session, const char *name, bool *known)
{
    struct records records;
    const enum exit_code code = session_list(session, session_request(session, "PUZZLES", NULL), &records);
    for (size_t i = 0; code == EXIT_FOUND && i < records.count; i++)
        *known |= reply_is(&records.records[i], "puzzle", name);
    if (code == EXIT_FOUND)
        records_clear(&records);
    return code;
}

enum exit_code define_file_shipped(struct session *session, const char *puzzle)
{
    char path[PATH_MAX], name[DEFINE_NAME_MAX];
    struct reply reply;
    bool known = false;
    if (!shipped_definition(puzzle, path))
        return EXIT_FOUND;
    define_file_name(path, name);
    enum exit_code code = ask_known_puzzle(session, name, &known);
    if (code != EXIT_FOUND || known)
        return code;
    code = define_file_send(session, path, name, DEFINE_NEW, &reply);
    if (code != EXIT_FOUND)
        return code;
    reply_clear(&reply);
    if (!session->json && !session->quiet)
        (void)fprintf(session->terminal->err, "%s is defined from now on, by %s\n", name, path);
    return EXIT_FOUND;
}
