/* SPDX-License-Identifier: MIT */
/* Shared by the tests of .tws texts: a space of a text, and its states as texts. */
#ifndef TWS_TEXT_H
#define TWS_TEXT_H

#include "plain_search.h"

#define HEAD "Set A 3 2\nSet B 2 1\n"
#define TURN "Move T\nA\n2 3 1\n1 0 0\nEnd\n"

static inline struct pz_space *open_text(const char *text, const char *metric)
{
    const struct pz_key key = {.key = "metric", .value = metric};
    const struct pz_setup setup = {.size = "text", .keys = &key, .key_count = 1};
    return open_definition(DEFINITION_TWS, text, &setup);
}

static inline void check_print(const struct pz_space *space, const char *given, const char *printed)
{
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    char text[PZ_TEXT_MAX];
    parse_state(space, given, state);
    assert_true(space->puzzle->valid(space, state));
    assert_int_equal(space->puzzle->print(space, state, text), strlen(printed));
    assert_string_equal(text, printed);
}

/* Reads a definition that comes with the program. */
static inline const char *read_text(const char *name)
{
    return definition_text(text_of("%s.tws", name));
}

static inline struct pz_space *open_twisty(const char *name)
{
    return open_text(read_text(name), "turn");
}

#endif
