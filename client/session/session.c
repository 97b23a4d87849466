/* SPDX-License-Identifier: MIT */
#include "client/session/session.h"

#include "protocol/text/option_table.h"
#include "protocol/text/utf8.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A list that is longer comes from no daemon. The longest that one sends is that of a small space's graph. */
enum { RECORDS_MAX = 1 << 20, LIST_BYTES_MAX = 64 << 20 };

void session_close(struct session *session)
{
    connection_close(session->connection);
    session->connection = NULL;
    text_free(&session->request);
}

static enum exit_code session_report(struct session *session, enum exit_code code, const char *word,
                                     bool retry, const char *text)
{
    (void)fflush(session->terminal->out);
    if (session->json) {
        json_t *object = json_of_error(word, retry, text);
        if (session->board != NULL)
            (void)json_object_set_new(object, "board", json_string(session->board));
        (void)json_write(object, session->terminal->out);
    } else
        (void)fprintf(session->terminal->err, "puzzlectl: %s: %s%s\n", word, text,
                      retry ? " (may succeed later)" : "");
    return code;
}

enum exit_code session_fail(struct session *session, enum exit_code code, const char *word, const char *text)
{
    return session_report(session, code, word, false, text);
}

enum exit_code session_unwritten(struct session *session, const char *path)
{
    struct pz_error error;
    (void)pz_fail(&error, PZ_STORAGE, "%s cannot be written: %s", path, strerrordesc_np(errno));
    return session_fail(session, EXIT_TROUBLE, "output", error.text);
}

const char *user_name(const char *submitter)
{
    const struct passwd *user = strncmp(submitter, "uid:", 4) == 0
                                    ? getpwuid((uid_t)strtoul(submitter + 4, NULL, 10))
                                    : NULL; /* NOLINT(concurrency-mt-unsafe): one thread */
    return user != NULL ? user->pw_name : submitter;
}

/* Adds a user's name if the text begins with "uid:1000", and returns how much of it that was, or 0. */
static size_t add_user(const char *text, struct text *out)
{
    char submitter[16] = "";
    const size_t digits = strncmp(text, "uid:", 4) == 0 ? strspn(text + 4, "0123456789") : 0;
    if (digits == 0 || digits > 10)
        return 0;
    memcpy(submitter, text, 4 + digits);
    text_add(out, user_name(submitter));
    return 4 + digits;
}

/* Writes the keys of a verb as the options that people type: depth=N becomes --depth N, all=yes --all. Other
 * keys stay, as those of a puzzle, or of EXPLORE where a table is missing. Users have their names. */
static void add_as_typed(const struct session *session, const char *text, struct text *out)
{
    while (*text != '\0') {
        size_t length = add_user(text, out);
        if (length > 0) {
            text += length;
            continue;
        }
        length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
        char word[32] = "";
        if (length > 0 && length < sizeof word && text[length] == '=')
            memcpy(word, text, length);
        const enum key number = *word != '\0' ? key_taken(session->verb, word) : KEYS_TAKEN;
        if (number < KEYS_TAKEN && (session->without >> number & 1) == 0) {
            bool flag = key_is_flag(key_row(number)) && strncmp(text + length, "=yes", 4) == 0;
            bool value = !flag && text[length + 1] != '\0' && strchr(" :;,.)", text[length + 1]) == NULL;
            text_format(out, "--%s%s", word, value ? " " : "");
            text += length + (flag ? 4 : 1);
            continue;
        }
        length += length == 0;
        text_append(out, text, length);
        text += length;
    }
}

enum exit_code session_refused(struct session *session, const struct reply *reply)
{
    struct text typed = {0};
    if (session->trying) {
        (void)snprintf(session->refusal, sizeof session->refusal, "%s", reply->text);
        return EXIT_REFUSED;
    }
    if (session->json)
        return session_report(session, EXIT_REFUSED, reply->code, reply->retry, reply->text);
    add_as_typed(session, reply->text, &typed);
    enum exit_code code =
        session_report(session, EXIT_REFUSED, reply->code, reply->retry, text_string(&typed));
    if (strcmp(reply->code, "no-table") == 0 && reply_get(reply, "table_from") != NULL)
        (void)fprintf(
            session->terminal->err, "  an exploration makes the table: puzzlectl explore %s%s%s%s%s\n",
            session->puzzle != NULL ? session->puzzle : "PUZZLE", session->keys != NULL ? session->keys : "",
            reply_is(reply, "table_root", "start") ? " --root BOARD" : "",
            reply_is(reply, "table_from", "goals") ? " --from goals" : "",
            session->verb == VERB_PARTS ? " --parts" : "");
    if (strcmp(reply->code, "no-table") == 0 && !session->by_table &&
        (session->verb == VERB_DISTANCE || session->verb == VERB_PATH))
        (void)fprintf(
            session->terminal->err, "  one board is solved without it: puzzlectl solve %s BOARD%s\n",
            session->puzzle != NULL ? session->puzzle : "PUZZLE", session->keys != NULL ? session->keys : "");
    text_free(&typed);
    return code;
}

enum exit_code session_lost(struct session *session, const char *why)
{
    struct pz_error error;
    (void)pz_fail(&error, PZ_INTERNAL, "%s: %s", session->address.name, why);
    session_close(session);
    return session_report(session, EXIT_UNREACHABLE, "connection-lost", true, error.text);
}

/* Returns true if the daemon's socket exists but this user may not connect to it. */
static bool is_forbidden(const struct address *address)
{
    return address->path[0] != '\0' && access(address->path, R_OK | W_OK) != 0 && errno == EACCES;
}

static void say_who_may_connect(const struct session *session)
{
    struct stat about;
    const struct group *group = NULL;
    if (stat(session->address.path, &about) == 0 && (about.st_mode & S_IWGRP) != 0)
        group = getgrgid(about.st_gid);
    if (group != NULL && about.st_gid == 0)
        (void)fputs(
            "  it is root's own daemon; root may share it with a group: socket-group in puzzled.conf(5)\n",
            session->terminal->err);
    else if (group != NULL)
        (void)fprintf(session->terminal->err,
                      "  members of the group %s may connect; root adds one with: usermod -aG %s NAME\n"
                      "  who was added logs in again, or starts a shell with: newgrp %s\n",
                      group->gr_name, group->gr_name, group->gr_name);
    else
        (void)fputs("  it is another user's daemon\n", session->terminal->err);
}

static bool is_no_socket(const struct address *address)
{
    struct stat about;
    return address->path[0] != '\0' && stat(address->path, &about) == 0 && !S_ISSOCK(about.st_mode);
}

static void say_how_to_start(const struct session *session)
{
    FILE *err = session->terminal->err;
    char program[PATH_MAX];
    program_beside("puzzled", program);
    const char *name = session->address.name;
    const bool local = strncmp(name, "localhost:", strlen("localhost:")) == 0; /* a daemon takes numbers */
    if (session->address.path[0] != '\0' && !is_no_socket(&session->address))
        (void)fprintf(err, "  start one there:  %s --socket %s\n", program, name);
    else if (local || *name == '[' || strspn(name, "0123456789.") == strcspn(name, ":"))
        (void)fprintf(err, "  start one there:  %s --listen %s%s\n", program, local ? "127.0.0.1" : "",
                      local ? strchr(name, ':') : name);
    if (geteuid() == 0 && access("/run/systemd/system", F_OK) == 0)
        (void)fputs("  or as a service:  systemctl start puzzled\n", err);
    (void)fputs("  or name another:  --socket PATH, --host HOST:PORT, or $PUZZLED_SOCKET\n", err);
}

enum exit_code session_connect(struct session *session)
{
    struct pz_error error;
    struct pz_error why;
    if (session->connection != NULL)
        return EXIT_FOUND;
    session->connection = connection_open(&session->address, &why);
    if (session->connection != NULL)
        return EXIT_FOUND;
    const bool forbidden = is_forbidden(&session->address);
    const bool other = is_no_socket(&session->address);
    (void)pz_fail(&error, PZ_INTERNAL,
                  forbidden ? "%s is not for this user: %s" : "no puzzled answers at %s: %s",
                  session->address.name, other ? "it is no socket" : why.text);
    enum exit_code code =
        session_report(session, EXIT_UNREACHABLE, "unreachable", !forbidden && !other, error.text);
    if (session->json)
        return code;
    if (forbidden)
        say_who_may_connect(session);
    else
        say_how_to_start(session);
    return code;
}

struct text *session_request(struct session *session, const char *verb, const char *word)
{
    compose_begin(&session->request, verb);
    if (word != NULL)
        compose_word(&session->request, word);
    return &session->request;
}

struct text *session_request_job(struct session *session, const char *verb, long long job)
{
    compose_number(session_request(session, verb, NULL), job);
    return &session->request;
}

enum exit_code session_send(struct session *session, struct text *request)
{
    struct pz_error error;
    if (!compose_end(request, &error))
        return session_fail(session, error.code == PZ_MEMORY ? EXIT_TROUBLE : EXIT_USAGE,
                            error.code == PZ_MEMORY ? "memory" : "usage", error.text);
    enum exit_code code = session_connect(session);
    if (code == EXIT_FOUND && !connection_send(session->connection, request->data, request->length))
        code = session_fail(session, EXIT_TROUBLE, "memory", "no memory for the request");
    return code;
}

enum exit_code session_parse(struct session *session, const char *line, size_t length, struct reply *reply)
{
    struct pz_error error;
    struct pz_error why = {.code = PZ_MEMORY, .text = "no memory for a reply"};
    /* Lines of the protocol have no control characters: keep those of a hostile server from the terminal. */
    char *clean = malloc(length + 1);
    if (clean != NULL) {
        memcpy(clean, line, length);
        utf8_scrub(clean, length);
    }
    bool parsed = clean != NULL && reply_parse(reply, clean, length, &why);
    free(clean);
    if (parsed)
        return EXIT_FOUND;
    if (why.code == PZ_MEMORY)
        return session_fail(session, EXIT_TROUBLE, "memory", why.text);
    (void)pz_fail(&error, PZ_INTERNAL, "what answers there does not speak the protocol: %s", why.text);
    return session_lost(session, error.text);
}

/* Puts the place of a board before why it was refused. */
static void place_refusal(const struct session *session, struct reply *reply)
{
    struct text line = {0};
    struct reply placed = {0};
    if (session->place == NULL || reply->kind != REPLY_ERR || strcmp(reply->code, "bad-board") != 0)
        return;
    text_format(&line, "ERR bad-board fatal %s: %s", session->place, reply->text);
    if (!line.failed && reply_parse(&placed, line.data, line.length, NULL)) {
        reply_clear(reply);
        *reply = placed;
    }
    text_free(&line);
}

enum exit_code session_read(struct session *session, struct reply *reply)
{
    struct pz_error error;
    const char *line = NULL;
    size_t length = 0;
    *reply = (struct reply){0};
    enum received received = RECEIVED_INTERRUPT;
    while (received == RECEIVED_INTERRUPT) {
        received = connection_receive(session->connection, &line, &length, &error);
        session->interrupted = session->interrupted || received == RECEIVED_INTERRUPT;
    }
    if (received != RECEIVED_LINE)
        return session_lost(session, error.text);
    const enum exit_code code = session_parse(session, line, length, reply);
    if (code == EXIT_FOUND)
        place_refusal(session, reply);
    return code;
}

enum exit_code session_ask(struct session *session, struct text *request, struct reply *reply)
{
    *reply = (struct reply){0};
    enum exit_code code = session_send(session, request);
    if (code == EXIT_FOUND)
        code = session_read(session, reply);
    if (code != EXIT_FOUND || reply->kind == REPLY_OK)
        return code;
    if (reply->kind != REPLY_ERR) {
        reply_clear(reply);
        return session_lost(session, "a line that is neither OK nor ERR where a reply begins");
    }
    code = session_refused(session, reply);
    if (!session->json && !session->trying && session->suggest != NULL)
        session->suggest(session, text_string(request), reply);
    reply_clear(reply);
    return code;
}

enum exit_code session_try_ask(struct session *session, struct text *request, struct reply *reply)
{
    session->trying = true;
    const enum exit_code code = session_ask(session, request, reply);
    session->trying = false;
    return code;
}

static enum exit_code add_record(struct session *session, struct records *records, size_t *room)
{
    if (records->count == *room) {
        size_t more = *room == 0 ? 64 : *room * 2;
        struct reply *grown = realloc(records->records, more * sizeof *grown);
        if (grown == NULL)
            return session_fail(session, EXIT_TROUBLE, "memory", "no memory for so long a list");
        records->records = grown;
        *room = more;
    }
    return session_read(session, &records->records[records->count]);
}

enum exit_code session_list(struct session *session, struct text *request, struct records *records)
{
    size_t room = 0;
    *records = (struct records){0};
    enum exit_code code = session_ask(session, request, &records->head);
    const uint64_t before = code == EXIT_FOUND ? connection_bytes(session->connection) : 0;
    while (code == EXIT_FOUND) {
        if (records->count == RECORDS_MAX ||
            connection_bytes(session->connection) - before > LIST_BYTES_MAX) {
            code =
                session_lost(session, "a list without an end: more than a million records, or than 64 MiB");
            break;
        }
        code = add_record(session, records, &room);
        if (code != EXIT_FOUND)
            break;
        struct reply *last = &records->records[records->count];
        if (last->kind == REPLY_END) {
            reply_clear(last);
            return EXIT_FOUND;
        }
        records->count++;
        if (last->kind != REPLY_RECORD)
            code = session_lost(session, "a line that is no record inside a list");
    }
    records_clear(records);
    return code;
}

enum exit_code session_try_list(struct session *session, struct text *request, struct records *records)
{
    session->trying = true;
    enum exit_code code = session_list(session, request, records);
    session->trying = false;
    return code;
}

void records_clear(struct records *records)
{
    for (size_t i = 0; i < records->count; i++)
        reply_clear(&records->records[i]);
    free(records->records);
    reply_clear(&records->head);
    *records = (struct records){0};
}

void records_recount(struct records *records, size_t count)
{
    struct text line = {0};
    struct reply head = {0};
    records->count = count;
    text_format(&line, "OK count=%zu", count);
    for (size_t i = 0; i < records->head.count; i++)
        if (strcmp(records->head.fields[i].key, "count") != 0)
            text_key(&line, records->head.fields[i].key, records->head.fields[i].value);
    if (reply_parse(&head, text_string(&line), line.length, NULL)) {
        reply_clear(&records->head);
        records->head = head;
    }
    text_free(&line);
}

enum exit_code session_json(struct session *session, json_t *value)
{
    return json_write(value, session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
}

enum exit_code session_json_list(struct session *session, const struct records *records, const char *name)
{
    return session_json(session, json_of_list(&records->head, name, records->records, records->count));
}
