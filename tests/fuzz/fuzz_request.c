/* SPDX-License-Identifier: MIT */
/* One request line. What was understood, written as a line again, is understood as the same. */
#include "fuzz.h"

#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "protocol/request.h"
#include "protocol/text/text.h"
#include "protocol/text/utf8.h"

static void write_again(const struct request *request, struct text *line)
{
    text_add(line, request->word);
    for (unsigned i = 0; i < request->argument_count; i++) {
        text_add(line, " ");
        text_quoted(line, request->argument[i]);
    }
    for (unsigned i = 0; i < request->key_count; i++)
        text_key(line, request->key[i].key, request->key[i].value);
    text_key(line, "tag", request->tag);
}

static void check_same(const struct request *request, const struct request *again)
{
    FUZZ_REQUIRE(strcmp(request->word, again->word) == 0);
    FUZZ_REQUIRE(request->argument_count == again->argument_count);
    for (unsigned i = 0; i < request->argument_count; i++)
        FUZZ_REQUIRE(strcmp(request->argument[i], again->argument[i]) == 0);
    FUZZ_REQUIRE(request->key_count == again->key_count);
    for (unsigned i = 0; i < request->key_count; i++) {
        FUZZ_REQUIRE(strcmp(again->key[i].key, request->key[i].key) == 0);
        FUZZ_REQUIRE(strcmp(again->key[i].value, request->key[i].value) == 0);
    }
    FUZZ_REQUIRE((request->tag == NULL) == (again->tag == NULL));
    FUZZ_REQUIRE(request->tag == NULL || strcmp(request->tag, again->tag) == 0);
}

/* An error about any line is one clean line. */
static void check_error(const struct request *request, const struct pz_error *error)
{
    struct text line = {0};
    size_t at = 0;
    reply_error(&line, request->tag, error);
    FUZZ_REQUIRE(strncmp(line.data, "ERR ", 4) == 0);
    FUZZ_REQUIRE(line.data[line.length - 1] == '\n');
    FUZZ_REQUIRE(utf8_is_clean(line.data, line.length - 1, &at));
    text_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct request request;
    static struct request again;
    struct pz_error error = {.text = ""};
    struct text line = {0};
    (void)command_is_lookup((const char *)data, size);
    enum pz_status status = request_parse(&request, (const char *)data, size, &error);
    if (status == PZ_OK)
        status = request_understand(&request, &error);
    if (status != PZ_OK) {
        error.code = status;
        check_error(&request, &error);
    } else {
        write_again(&request, &line);
        if (line.length <= PROTOCOL_LINE_MAX) {
            FUZZ_REQUIRE(request_parse(&again, line.data, line.length, &error) == PZ_OK);
            check_same(&request, &again);
        }
    }
    text_free(&line);
    return 0;
}
