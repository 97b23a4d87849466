/* SPDX-License-Identifier: MIT */
/* Shared by the tests of .tws texts: a space of a text, and its states as texts. */
#ifndef TWS_TEXT_H
#define TWS_TEXT_H

#include "plain_search.h"

#include "space/text/formats.h"

#define HEAD "Set A 3 2\nSet B 2 1\n"
#define TURN "Move T\nA\n2 3 1\n1 0 0\nEnd\n"

static inline struct pz_space *open_text(const char *text, const char *metric)
{
    struct definition *definition = NULL;
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    const struct pz_key key = {.key = "metric", .value = metric};
    const struct pz_setup setup = {.size = "text", .keys = &key, .key_count = 1};
    if (definition_compile(DEFINITION_TWS, "text", text, strlen(text), &definition, &error) != PZ_OK)
        fail_msg("%s", error.text);
    assert_int_equal(definition_open(definition, &setup, &space, &error), PZ_OK);
    definition_release(definition);
    return space;
}

static inline void check_print(const struct pz_space *space, const char *given, const char *printed)
{
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    char text[PZ_TEXT_MAX];
    struct pz_error error = {0};
    if (space->puzzle->parse(space, given, state, &error) != PZ_OK)
        fail_msg("%s", error.text);
    assert_true(space->puzzle->valid(space, state));
    assert_int_equal(space->puzzle->print(space, state, text), strlen(printed));
    assert_string_equal(text, printed);
}

/* Reads a definition that comes with the program. */
static inline const char *read_text(const char *name)
{
    static char text[1 << 14];
    FILE *in = fopen(text_of("%s/../../definitions/%s.tws", TEST_DATA, name), "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    (void)fclose(in);
    return text;
}

static inline struct pz_space *open_definition(const char *name)
{
    return open_text(read_text(name), "turn");
}

#endif
