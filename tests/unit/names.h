/* SPDX-License-Identifier: MIT */
/* Checks that everything printed of a space reads back as what it was. */
#ifndef NAMES_H
#define NAMES_H

#include "plain_search.h"

#include "answer/answer.h"
#include "base/random.h"

enum { NAMES_WALK = 24 };

/* The text of a state reads back as the state. */
static inline void names_check_state(const struct pz_space *space, const void *state)
{
    char text[PZ_TEXT_MAX];
    struct pz_error error = {0};
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    size_t length = space->puzzle->print(space, state, text);
    assert_int_equal(length, strlen(text));
    if (space->puzzle->parse(space, text, again, &error) != PZ_OK)
        fail_msg("%s:%s: '%s': %s", space->puzzle->name, space->size, text, error.text);
    if (memcmp(again, state, space->state_bytes) != 0)
        fail_msg("%s:%s: '%s' is another position when it is read", space->puzzle->name, space->size, text);
}

/* The goal that a reply prints can be given as goal=. */
static inline void names_check_goal(const struct pz_space *space, const char *name)
{
    char text[PZ_TEXT_MAX];
    uint64_t goal[PZ_STATE_MAX / 8];
    uint64_t again[PZ_STATE_MAX / 8];
    if ((space->flags & PZ_UNIQUE_GOAL) == 0)
        return;
    space->puzzle->goal(space, goal);
    assert_true(space->puzzle->is_goal(space, goal));
    names_check_state(space, goal);
    (void)space->puzzle->print(space, goal, text);
    struct pz_space *other = plain_open(name, NULL, text, NULL, NULL);
    other->puzzle->goal(other, again);
    assert_memory_equal(again, goal, space->state_bytes);
    assert_string_equal(other->size, space->size);
    space_close(other);
}

/* The name of the table of what is explored from a state leads to the same table. */
static inline void names_check_table(const struct pz_space *space, const void *root)
{
    char table[STORE_NAME_MAX];
    char again[STORE_NAME_MAX];
    char words[STORE_NAME_MAX];
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    enum pz_status status = answer_table_name(space, root, 1, FROM_ROOT, table, &error);
    if (status == PZ_UNSUPPORTED) /* longer than a name may be */
        return;
    assert_ok(status, error);
    memcpy(words, table, sizeof words);
    char *text = strstr(words, " root=");
    assert_non_null(text);
    *text = '\0';
    text += strlen(" root=");
    struct pz_space *other = plain_open(words, NULL, NULL, NULL, NULL);
    parse_state(other, text, state);
    assert_ok(answer_table_name(other, state, 1, FROM_ROOT, again, &error), error);
    assert_string_equal(again, table);
    space_close(other);
}

/* Each word of a move stands for one successor. */
static inline void names_check_words(const struct pz_space *space, const void *from,
                                     const uint8_t *successors, unsigned count)
{
    unsigned size = space->state_bytes;
    char(*words)[64] = malloc(count * sizeof *words);
    assert_non_null(words);
    for (unsigned i = 0; i < count; i++) {
        char text[PZ_TEXT_MAX];
        size_t length = space->puzzle->describe(space, from, successors + (size_t)i * size, text);
        assert_in_range(length, 1, sizeof *words - 1);
        assert_null(strpbrk(text, " ,"));
        memcpy(words[i], text, length + 1);
        for (unsigned j = 0; j < i; j++)
            if (strcmp(words[i], words[j]) == 0 &&
                memcmp(successors + (size_t)i * size, successors + (size_t)j * size, size) != 0)
                fail_msg("%s:%s: two moves are '%s'", space->puzzle->name, space->size, text);
    }
    free(words);
}

/* Walks at random from the root, and checks each position and its moves. */
static inline void names_check_walk(const struct pz_space *space, const struct pz_space *again,
                                    const void *root, struct random *random)
{
    uint64_t at[PZ_STATE_MAX / 8];
    uint8_t *successors = malloc((size_t)space->max_successors * space->state_bytes);
    uint8_t *tokens = malloc(space->max_successors);
    assert_true(successors != NULL && tokens != NULL);
    memcpy(at, root, space->state_bytes);
    for (unsigned step = 0; step < NAMES_WALK; step++) {
        names_check_state(space, at);
        names_check_state(again, at);
        unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
        if (count == 0)
            break;
        names_check_words(space, at, successors, count);
        memcpy(at, successors + (size_t)(random_below(random, count)) * space->state_bytes,
               space->state_bytes);
    }
    free(successors);
    free(tokens);
}

/* Everything that is printed of a space. It was opened from a puzzle text, a start and so on, or a name. */
static inline void names_check(const struct pz_space *space, struct random *random)
{
    char name[PZ_SIZE_MAX + 64];
    struct pz_error error = {0};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    uint64_t root_again[PZ_STATE_MAX / 8] = {0};
    (void)space_name(space, name);
    struct pz_space *again = NULL;
    if (plain_try_open(&again, name, NULL, NULL, NULL, NULL, &error) != PZ_OK)
        fail_msg("%s: %s", name, error.text);
    assert_string_equal(again->size, space->size);
    assert_int_equal(again->flags, space->flags);
    assert_int_equal(again->state_bytes, space->state_bytes);
    assert_ok(space->puzzle->root(space, root, &error), error);
    assert_ok(again->puzzle->root(again, root_again, &error), error);
    if ((space->flags & PZ_OWN_START) != 0)
        assert_memory_equal(root_again, root, space->state_bytes);
    names_check_state(space, root);
    names_check_goal(space, name);
    if (space->puzzle->expand != NULL) {
        names_check_table(space, root);
        names_check_walk(space, again, root, random);
    }
    space_close(again);
}

#endif
