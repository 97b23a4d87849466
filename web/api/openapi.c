/* SPDX-License-Identifier: MIT */
#include "web/api/openapi.h"

#include "version.h"
#include "web/api/route.h"
#include "web/api/web_question.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static uint64_t verbs_of(const struct route *route)
{
    return route->verb == VERB_COUNT ? ROUTE_SUBMITTED : VERB_BIT(route->verb);
}

static bool answers_itself(const struct route *route)
{
    return route->verb == VERB_COUNT && !route_submits(route);
}

static json_t *list_of_words(const struct key_row *key)
{
    json_t *words = json_array();
    for (unsigned i = 0; i < key->word_count; i++)
        (void)json_array_append_new(words, json_string(key->words[i]));
    return words;
}

/* ---- answers ---- */

static json_t *value_in_answer(const struct key_row *key)
{
    switch (key->type) {
    case VALUE_NUMBER:
    case VALUE_COUNT:
    case VALUE_COUNTED:
        /* These are "unknown" if nobody knows them. */
        if (strcmp(key->word, "states") == 0 || strcmp(key->word, "at_least") == 0)
            return json_pack("{s:[s,s]}", "type", "integer", "string");
        return json_pack("{s:s}", "type", "integer");
    case VALUE_BYTES:
        return json_pack("{s:s,s:s}", "type", "integer", "description", "bytes");
    case VALUE_TIME:
        return json_pack("{s:s,s:s}", "type", "integer", "description", "milliseconds since 1970");
    case VALUE_DURATION:
        return json_pack("{s:s,s:s}", "type", "number", "description", "seconds");
    case VALUE_RATE:
        return json_pack("{s:s,s:s}", "type", "number", "description", "a second");
    case VALUE_SHARE:
        return json_pack("{s:s,s:i,s:i}", "type", "number", "minimum", 0, "maximum", 1);
    case VALUE_REAL:
        return json_pack("{s:s}", "type", "number");
    case VALUE_FLAG:
        return json_pack("{s:s}", "type", "boolean");
    case VALUE_WANTED:
    case VALUE_TEXT:
    case VALUE_BOARD:
    case VALUE_WORD:
        break;
    }
    return json_pack("{s:s}", "type", "string");
}

/* Returns an object with the keys that replies to these verbs (or these lines) carry. */
static json_t *object_carried(uint64_t verbs)
{
    json_t *properties = json_object();
    const struct key_row *key = NULL;
    for (unsigned i = 0; (key = key_row(i)) != NULL; i++)
        if ((key->carried & verbs) != 0)
            (void)json_object_set_new(properties, key->word, value_in_answer(key));
    return json_pack("{s:s,s:o}", "type", "object", "properties", properties);
}

/* Keeps a schema under a name, which two routes may share, and returns a reference to it. */
static json_t *name_schema(json_t *schemas, const char *name, const char *suffix, json_t *schema)
{
    char full[64];
    char reference[96];
    (void)snprintf(full, sizeof full, "%c%s%s", toupper((unsigned char)*name), name + 1, suffix);
    (void)snprintf(reference, sizeof reference, "#/components/schemas/%s", full);
    (void)json_object_set_new(schemas, full, schema);
    return json_pack("{s:s}", "$ref", reference);
}

static json_t *answer_of_ours(const struct route *route)
{
    if (route->reads)
        return json_pack("{s:s,s:{s:{s:s,s:{s:s,s:{s:{s:s},s:{s:s},s:{s:s},s:{s:s},s:{s:s}}}}}}", "type",
                         "object", "properties", "boards", "type", "array", "items", "type", "object",
                         "properties", "line", "type", "integer", "board", "type", "string", "title", "type",
                         "string", "goal", "type", "string", "error", "$ref",
                         "#/components/schemas/Error/properties/error");
    return json_pack("{s:s,s:{s:{s:s},s:{s:s},s:{s:s},s:{s:s},s:{s:s}}}", "type", "object", "properties",
                     "version", "type", "string", "read_only", "type", "boolean", "defines", "type",
                     "boolean", "starts_max", "type", "integer", "visitor", "type", "string");
}

/* Returns the schema of one answer; that of a list's records has a name of its own. */
static json_t *answer_to_one(json_t *schemas, const struct route *route)
{
    json_t *answer = object_carried(verbs_of(route));
    const struct verb_row *row = verb_row(route->verb);
    if (row == NULL || row->records == NULL)
        return answer;
    json_t *record = name_schema(schemas, route->name, "Record", object_carried(verbs_of(route)));
    (void)json_object_set_new(json_object_get(answer, "properties"), row->records,
                              json_pack("{s:s,s:o}", "type", "array", "items", record));
    return answer;
}

static json_t *answer_to(json_t *schemas, const struct route *route)
{
    if (route->describes)
        return json_pack("{s:s}", "type", "object");
    if (answers_itself(route))
        return name_schema(schemas, route->name, "", answer_of_ours(route));
    json_t *answer = name_schema(schemas, route->name, "", answer_to_one(schemas, route));
    if (!route->many)
        return answer;
    json_t *one = json_pack("{s:[O,{s:s}]}", "anyOf", answer, "$ref", "#/components/schemas/Error");
    json_t *many = json_pack("{s:s,s:[s],s:{s:{s:s,s:o}}}", "type", "object", "required", "answers",
                             "properties", "answers", "type", "array", "items", one);
    return json_pack("{s:[o,o]}", "anyOf", answer, name_schema(schemas, route->name, "List", many));
}

static json_t *response(const char *description, const char *type, json_t *schema)
{
    return json_pack("{s:s,s:{s:{s:o}}}", "description", description, "content", type, "schema", schema);
}

static json_t *responses(json_t *schemas, const struct route *route)
{
    static const char refused[] = "#/components/responses/refused";
    const char *type = route->streams ? "text/event-stream" : "application/json";
    json_t *schema = route->streams
                         ? name_schema(schemas, route->name, "", object_carried(LINE_EVENT | LINE_LOST))
                         : answer_to(schemas, route);
    json_t *all = json_pack("{s:o,s:{s:s},s:{s:s}}", "200", response("the answer", type, json_incref(schema)),
                            "4XX", "$ref", refused, "5XX", "$ref", refused);
    if (route_submits(route)) {
        json_t *made = response("a job was made", type, json_incref(schema));
        (void)json_object_set_new(made, "headers",
                                  json_pack("{s:{s:s,s:{s:s}}}", "Location", "description",
                                            "the job, relative to this path", "schema", "type", "string"));
        (void)json_object_set_new(all, "201", made);
    }
    json_decref(schema);
    return all;
}

/* ---- requests ---- */

static json_t *value_in_request(const struct key_row *key, enum verb verb)
{
    json_t *value = NULL;
    switch (key->type) {
    case VALUE_NUMBER:
    case VALUE_COUNT:
        value = json_pack("{s:s,s:I}", "type", "integer", "minimum", (json_int_t)key->least);
        if (key->most > 0)
            (void)json_object_set_new(value, "maximum", json_integer((json_int_t)key->most));
        break;
    case VALUE_WORD:
        value = json_pack("{s:s,s:o}", "type", "string", "enum", list_of_words(key));
        break;
    case VALUE_FLAG:
    case VALUE_COUNTED:
    case VALUE_WANTED:
        value = json_pack("{s:[b,s,s]}", "enum", 1, "yes", "no");
        break;
    default:
        value = json_pack("{s:s}", "type", "string");
        break;
    }
    (void)json_object_set_new(value, "description", json_string(key_help(key, verb)));
    return value;
}

/* add_each calls this for each argument and key of a request. */
typedef void add_one(json_t *to, const char *name, json_t *schema, bool needed);

static void describe_arguments(json_t *to, const struct verb_row *row, add_one *add)
{
    struct route_argument argument;
    for (const char *at = row->arguments; route_argument_next(&at, &argument);)
        if (strcmp(argument.name, "id") != 0)
            add(to, argument.name, json_pack("{s:s}", "type", "string"),
                !argument.optional && strcmp(argument.name, "start") != 0);
}

/* Passes on every argument and key that requests to this route take. */
static void add_each(json_t *to, const struct route *route, add_one *add)
{
    const struct key_row *key = NULL;
    if (answers_itself(route))
        return;
    describe_arguments(to, verb_row(route->verb == VERB_COUNT ? VERB_EXPLORE : route->verb), add);
    for (unsigned i = 0; i < KEYS_TAKEN && (key = key_row(i)) != NULL; i++)
        if ((key->taken & verbs_of(route)) != 0)
            add(to, key->word, value_in_request(key, route->verb == VERB_COUNT ? VERB_EXPLORE : route->verb),
                (key->needed & verbs_of(route)) != 0);
}

static void add_parameter(json_t *to, const char *name, json_t *schema, bool needed)
{
    (void)json_array_append_new(to, json_pack("{s:s,s:s,s:b,s:o}", "name", name, "in", "query", "required",
                                              (int)needed, "schema", schema));
}

static void add_property(json_t *to, const char *name, json_t *schema, bool needed)
{
    (void)json_object_set_new(json_object_get(to, "properties"), name, schema);
    if (needed)
        (void)json_array_append_new(json_object_get(to, "required"), json_string(name));
}

static json_t *body_of(const struct route *route)
{
    json_t *schema = json_pack("{s:s,s:{},s:[]}", "type", "object", "properties", "required");
    if (route->reads) {
        add_property(schema, "puzzle", json_pack("{s:s}", "type", "string"), true);
        add_property(schema, "text", json_pack("{s:s}", "type", "string"), true);
    }
    add_each(schema, route, add_property);
    if (route_submits(route))
        add_property(schema, "kind", json_pack("{s:[s,s,s,s]}", "enum", "explore", "solve", "grade", "pdb"),
                     true);
    if (route->many)
        add_property(schema, "starts",
                     json_pack("{s:s,s:i,s:s}", "type", "array", "maxItems", QUESTION_STARTS_MAX,
                               "description", "boards, in the place of start: one answer each"),
                     false);
    return json_pack("{s:b,s:{s:{s:o}}}", "required", 1, "content", "application/json", "schema", schema);
}

static json_t *parameters_of(const struct route *route)
{
    json_t *parameters = json_array();
    if (strstr(route->path, "{job}") != NULL)
        (void)json_array_append_new(parameters,
                                    json_pack("{s:s,s:s,s:b,s:{s:s}}", "name", "job", "in", "path",
                                              "required", 1, "schema", "type", "integer"));
    if (strcmp(route->method, "GET") == 0)
        add_each(parameters, route, add_parameter);
    else
        (void)json_array_append_new(parameters,
                                    json_pack("{s:s,s:s,s:b,s:{s:[s]}}", "name", "X-Puzzled", "in", "header",
                                              "required", 1, "schema", "enum", "1"));
    return parameters;
}

static const char *summary_of(const struct route *route)
{
    if (route->describes)
        return "describes the API: this document";
    if (route->reads)
        return "reads the boards of a text";
    if (answers_itself(route))
        return "reports how puzzled-web was started";
    return route_submits(route) ? "starts a job" : verb_row(route->verb)->summary;
}

static json_t *operation(json_t *schemas, const struct route *route)
{
    const bool posts = strcmp(route->method, "POST") == 0;
    json_t *operation =
        json_pack("{s:s,s:s,s:o,s:o}", "operationId", route->name, "summary", summary_of(route), "parameters",
                  parameters_of(route), "responses", responses(schemas, route));
    if (posts)
        (void)json_object_set_new(operation, "requestBody", body_of(route));
    return operation;
}

static json_t *paths(json_t *schemas)
{
    json_t *paths = json_object();
    const struct route *route = NULL;
    for (size_t i = 0; (route = route_row(i)) != NULL; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, ROUTE_PREFIX "%s", route->path);
        json_t *item = json_object_get(paths, path);
        if (item == NULL && json_object_set_new(paths, path, json_object()) == 0)
            item = json_object_get(paths, path);
        (void)json_object_set_new(item, strcmp(route->method, "GET") == 0 ? "get" : "post",
                                  operation(schemas, route));
    }
    return paths;
}

static json_t *error_schema(void)
{
    json_t *error = object_carried(LINE_ERR);
    (void)json_object_update_new(json_object_get(error, "properties"),
                                 json_pack("{s:{s:s},s:{s:s},s:{s:s}}", "code", "type", "string", "retry",
                                           "type", "boolean", "text", "type", "string"));
    (void)json_object_set_new(error, "required", json_pack("[s,s,s]", "code", "retry", "text"));
    return json_pack("{s:s,s:[s],s:{s:o}}", "type", "object", "required", "error", "properties", "error",
                     error);
}

/* The document names no authentication: that is left to a proxy. The server is two levels above this
 * document. */
char *openapi_text(void)
{
    json_t *schemas = json_pack("{s:o}", "Error", error_schema());
    json_t *refused = response("refused, or not possible now", "application/json",
                               json_pack("{s:s}", "$ref", "#/components/schemas/Error"));
    json_t *described = paths(schemas);
    json_t *document =
        json_pack("{s:s,s:{s:s,s:s,s:s,s:{s:s,s:s}},s:[{s:s}],s:[],s:o,s:{s:o,s:{s:o}}}", "openapi", "3.1.0",
                  "info", "title", "puzzled-web", "version", PUZZLED_VERSION, "description",
                  "What a daemon knows of puzzles: distances, solutions, levels, jobs.", "license", "name",
                  "MIT", "identifier", "MIT", "servers", "url", "../..", "security", "paths", described,
                  "components", "schemas", schemas, "responses", "refused", refused);
    char *text = document == NULL ? NULL : json_dumps(document, JSON_INDENT(1));
    json_decref(document);
    return text;
}
