/* SPDX-License-Identifier: MIT */
#include "web/api/web_question.h"

#include "protocol/json.h"
#include "protocol/limits.h"
#include "protocol/request.h"
#include "web/api/board_value.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { ID_DIGITS = 16 /* at least, of a definition's id */ };

/* The parts of one line. */
struct source {
    const json_t *arguments;
    const json_t *start; /* of "starts", NULL for none */
    const char *job;
    const char *puzzle; /* NULL for none */
    struct refusal *refusal;
};

json_t *question_body(const char *text, size_t length, struct refusal *refusal)
{
    json_error_t error;
    json_t *body = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (body == NULL) {
        (void)refuse(refusal, "bad-request", "the body is no JSON: %s (line %d, column %d)", error.text,
                     error.line, error.column);
        return NULL;
    }
    if (json_is_object(body))
        return body;
    json_decref(body);
    (void)refuse(refusal, "bad-request", "the body is no JSON object: {\"puzzle\": \"3x3\", …} is one");
    return NULL;
}

/* Returns true for what may be a board in several lines. */
static bool is_board(const char *name)
{
    const struct key_row *key = key_find(name);
    return key != NULL && key->type == VALUE_BOARD;
}

/* Writes a value as the protocol does. A board of the puzzle (NULL for none) may be a list of rows. */
static bool write_value(struct text *out, const char *name, const json_t *value, const char *puzzle,
                        struct refusal *refusal)
{
    text_clear(out);
    switch (value == NULL ? JSON_NULL : json_typeof(value)) {
    case JSON_STRING:
    case JSON_ARRAY:
        return board_value_write(out, name, value, is_board(name) ? puzzle : NULL, refusal);
    case JSON_INTEGER:
        text_format(out, "%lld", (long long)json_integer_value(value));
        return true;
    case JSON_REAL:
        text_format(out, "%.12g", json_real_value(value));
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        text_add(out, json_is_true(value) ? "yes" : "no");
        return true;
    case JSON_OBJECT:
    case JSON_NULL:
        break;
    }
    return refuse(refusal, "bad-request", "%s is an object or null; a text, a number or a board is wanted",
                  name);
}

static bool is_key_name(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length <= 32 && islower((unsigned char)name[0]) != 0 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

/* Returns true if the name is one of the verb's arguments ("puzzle start"). */
static bool is_argument(const struct verb_row *row, const char *name)
{
    struct route_argument argument;
    for (const char *at = row->arguments; route_argument_next(&at, &argument);)
        if (strcmp(argument.name, name) == 0)
            return true;
    return false;
}

/* Returns the value of a verb's argument or NULL. "id" is in the path and is not asked for here. */
static const json_t *argument_value(const struct source *source, const char *name)
{
    if (source->start != NULL && strcmp(name, "start") == 0)
        return source->start;
    return json_object_get(source->arguments, name);
}

static bool question_add_argument(struct text *line, const struct route_argument *argument,
                                  const struct source *source)
{
    if (strcmp(argument->name, "id") == 0) {
        compose_word(line, source->job);
        return true;
    }
    const json_t *given = argument_value(source, argument->name);
    if (given == NULL)
        return argument->optional || refuse(source->refusal, "bad-request", "%s is missing", argument->name);
    struct text value = {0};
    bool good = write_value(&value, argument->name, given, source->puzzle, source->refusal);
    if (good)
        compose_word(line, text_string(&value));
    line->failed = line->failed || value.failed;
    text_free(&value);
    return good;
}

static bool add_arguments(struct text *line, const struct verb_row *row, const struct source *source)
{
    struct route_argument argument;
    for (const char *at = row->arguments; route_argument_next(&at, &argument);)
        if (!question_add_argument(line, &argument, source))
            return false;
    return true;
}

/* "tag" would come back in the reply; "kind" and "starts" are words of this API. */
static bool is_ours(const struct route *route, const char *name)
{
    return (route->verb == VERB_COUNT && strcmp(name, "kind") == 0) ||
           (route->many && strcmp(name, "starts") == 0);
}

static bool question_add_key(struct text *line, const char *name, const json_t *given,
                             const struct source *source)
{
    struct text value = {0};
    bool good =
        (is_key_name(name) && strcmp(name, "tag") != 0) ||
        refuse(source->refusal, "bad-request", "\"%.40s\" is no key: docs/protocol.md lists them", name);
    good = good && write_value(&value, name, given, source->puzzle, source->refusal);
    if (good)
        text_key(line, name, text_string(&value));
    line->failed = line->failed || value.failed;
    text_free(&value);
    return good;
}

static bool add_keys(struct text *line, const struct route *route, const struct verb_row *row,
                     const struct source *source)
{
    const char *name = NULL;
    json_t *value = NULL;
    bool start_is_key = source->start != NULL && !is_argument(row, "start");
    json_object_foreach((json_t *)source->arguments, name, value)
    {
        if (!is_ours(route, name) && !is_argument(row, name) && !question_add_key(line, name, value, source))
            return false;
    }
    return !start_is_key || question_add_key(line, "start", source->start, source);
}

static bool question_add_line(struct web_question *question, const struct route *route,
                              const struct source *source)
{
    const struct verb_row *row = verb_row(question->verb);
    struct text line = {0};
    struct pz_error error = {.text = ""};
    compose_begin(&line, row->word);
    bool good = add_arguments(&line, row, source) && add_keys(&line, route, row, source);
    if (good && !compose_end(&line, &error))
        good = refuse(source->refusal, error.code == PZ_MEMORY ? "memory" : "bad-request", "%s", error.text);
    if (good && question->lines.length + line.length > QUESTION_LINES_MAX)
        good = refuse(source->refusal, "too-large", "the requests for all boards are longer than %d bytes",
                      QUESTION_LINES_MAX);
    if (good) {
        text_join(&question->lines, &line);
        question->count++;
        good = !question->lines.failed || refuse(source->refusal, "memory", "no memory for the request");
    }
    text_free(&line);
    return good;
}

static bool find_verb(struct web_question *question, const struct route *route, const struct source *source)
{
    question->verb = route->verb;
    if (route->verb != VERB_COUNT)
        return true;
    const char *kind = json_string_value(json_object_get(source->arguments, "kind"));
    if (kind == NULL)
        return refuse(source->refusal, "bad-request", "kind is missing: explore, solve, grade or pdb");
    question->verb = verb_find(kind, strlen(kind));
    return (ROUTE_SUBMITTED & VERB_BIT(question->verb)) != 0 ||
           refuse(source->refusal, "bad-request", "kind \"%.40s\" is not one of explore, solve, grade or pdb",
                  kind);
}

/* Returns true if a request can carry the text of a board. */
static bool can_send(const struct text *board, struct refusal *refusal)
{
    if (board->length > PROTOCOL_LINE_MAX / 2)
        return refuse(refusal, "too-large", "a board of %zu bytes", board->length);
    for (size_t i = 0; i < board->length; i++) {
        const unsigned char c = (unsigned char)board->data[i];
        if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7F)
            return refuse(refusal, "bad-board", "the board has a control character (byte %u) in it", c);
    }
    return true;
}

/* Returns true if a board of "starts" can be asked; else its error takes its place in question->wrong. */
static bool check_start(struct web_question *question, const struct source *source)
{
    struct refusal refusal;
    struct text value = {0};
    const bool good =
        write_value(&value, "start", source->start, source->puzzle, &refusal) && can_send(&value, &refusal);
    text_free(&value);
    if (good)
        return true;
    if (question->wrong == NULL)
        question->wrong = json_array();
    while (json_array_size(question->wrong) < question->count)
        if (json_array_append_new(question->wrong, json_null()) != 0)
            return true; /* without memory add_line reports it */
    (void)json_array_append_new(question->wrong, json_of_error(refusal.code, false, refusal.text));
    question->count++;
    return false;
}

static bool add_starts(struct web_question *question, const struct route *route, struct source *source,
                       const json_t *starts, size_t most)
{
    size_t count = json_array_size(starts);
    if (!json_is_array(starts) || count == 0)
        return refuse(source->refusal, "bad-request", "starts is no list of boards");
    if (count > most)
        return refuse(source->refusal, "too-large", "%zu boards, at most %zu are allowed in one request",
                      count, most);
    if (json_object_get(source->arguments, "start") != NULL)
        return refuse(source->refusal, "bad-request", "start and starts: one of them is too many");
    question->many = true;
    for (size_t i = 0; i < count; i++) {
        source->start = json_array_get(starts, i);
        if (check_start(question, source) && !question_add_line(question, route, source))
            return false;
    }
    return true;
}

/* Returns true for the text of a puzzle that means the same for ever: a size as "3x3", a puzzle with its
 * layout as "hanoi:3,4", a definition by its id. Any other word may be the name of a definition. */
static bool puzzle_lasts(const char *puzzle)
{
    const struct key_row *formats = key_row(KEY_FORMAT);
    const size_t name = strcspn(puzzle, ":,");
    if (puzzle[name] != ':')
        return name > 0 && strspn(puzzle, "0123456789x") == name;
    for (unsigned i = 0; i < formats->word_count; i++)
        if (strlen(formats->words[i]) == name && strncasecmp(puzzle, formats->words[i], name) == 0)
            return strspn(puzzle + name + 1, "0123456789abcdef") >= ID_DIGITS;
    return true;
}

bool question_read(struct web_question *question, const struct route *route, const char *job,
                   const json_t *arguments, size_t most, struct refusal *refusal)
{
    const char *puzzle = json_string_value(json_object_get(arguments, "puzzle"));
    struct source source = {.arguments = arguments, .job = job, .puzzle = puzzle, .refusal = refusal};
    const json_t *starts = route->many ? json_object_get(arguments, "starts") : NULL;
    *question = (struct web_question){.submits = route_submits(route),
                                      .lasts = route->lasts && puzzle != NULL && puzzle_lasts(puzzle)};
    bool good = find_verb(question, route, &source) &&
                (starts != NULL ? add_starts(question, route, &source, starts, most)
                                : question_add_line(question, route, &source));
    if (!good)
        web_question_clear(question);
    return good;
}

void web_question_clear(struct web_question *question)
{
    text_free(&question->lines);
    json_decref(question->wrong);
    *question = (struct web_question){0};
}
