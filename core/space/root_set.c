/* SPDX-License-Identifier: MIT */
#include "space/root_set.h"

#include "space/registry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Some boards have a + of their own (Sokoban's man on a goal), so a piece of the text ends at the first + up
 * to which it is a board. Calls read for growing pieces until one is; *end is then the + behind it, NULL at
 * the end of the text.
 */
typedef enum pz_status read_piece(void *context, const char *piece, struct pz_error *error);

static enum pz_status root_set_cut(char *text, read_piece *read, void *context, char **end,
                                   struct pz_error *error)
{
    struct pz_error first = {0}, whole = {0};
    enum pz_status status;
    *end = text;
    do {
        *end = strchr(*end, '+');
        if (*end != NULL)
            **end = '\0';
        status = read(context, text, &whole);
        if (status == PZ_OK || *end == NULL || *end - text > PZ_TEXT_MAX) /* no board is longer */
            break;
        if (first.text[0] == '\0')
            first = whole;
        *(*end)++ = '+';
    } while (true);
    if (status == PZ_OK)
        return PZ_OK;
    if (first.text[0] == '\0')
        return pz_fail(error, status, "%s", whole.text);
    return pz_fail(error, status, "%.200s; cut at +: %.200s", whole.text, first.text);
}

/* ---- the space ---- */

struct opening {
    const char *puzzle;
    struct pz_setup setup;
    struct pz_space **out;
};

static enum pz_status open_with(void *context, const char *piece, struct pz_error *error)
{
    struct opening *opening = context;
    opening->setup.start = piece;
    return space_open(opening->puzzle, &opening->setup, opening->out, error);
}

/* Opens the space without a board of its own, so that their order makes no other name, if all can be read. */
static bool open_without(const struct opening *asked)
{
    struct opening opening = *asked;
    struct root_set roots;
    struct pz_error error;
    if (open_with(&opening, NULL, &error) != PZ_OK)
        return false;
    if (root_set_read(*opening.out, asked->setup.start, &roots, &error) == PZ_OK)
        return true;
    space_close(*opening.out);
    *opening.out = NULL;
    return false;
}

enum pz_status root_set_open(const char *puzzle, const struct pz_setup *setup, struct pz_space **out,
                             struct pz_error *error)
{
    struct opening opening = {puzzle, *setup, out};
    if (setup->start == NULL || strchr(setup->start, '+') == NULL)
        return space_open(puzzle, setup, out, error);
    if (open_without(&opening))
        return PZ_OK;
    char *text = strdup(setup->start), *end;
    const enum pz_status status = text != NULL ? root_set_cut(text, open_with, &opening, &end, error)
                                               : pz_fail(error, PZ_MEMORY, "no memory for the boards");
    free(text);
    return status;
}

/* ---- the states ---- */

struct reading {
    const struct pz_space *space;
    uint64_t state[PZ_STATE_MAX / 8];
};

static enum pz_status root_set_read_state(void *context, const char *piece, struct pz_error *error)
{
    struct reading *reading = context;
    return reading->space->puzzle->parse(reading->space, piece, reading->state, error);
}

/* Puts a state at its place, unless it is there. Returns false if there is no room for it. */
static bool root_set_put(struct root_set *set, const uint64_t *state, size_t bytes)
{
    uint8_t *states = (uint8_t *)set->states;
    unsigned at = 0;
    while (at < set->count && memcmp(states + at * bytes, state, bytes) < 0)
        at++;
    if (at < set->count && memcmp(states + at * bytes, state, bytes) == 0)
        return true;
    if (set->count == ROOTS_MAX)
        return false;
    memmove(states + (at + 1) * bytes, states + at * bytes, (set->count - at) * bytes);
    memcpy(states + at * bytes, state, bytes);
    set->count++;
    return true;
}

enum pz_status root_set_read(const struct pz_space *space, const char *text, struct root_set *out,
                             struct pz_error *error)
{
    struct reading reading = {.space = space};
    char *copy = strdup(text), *end = NULL;
    enum pz_status status = copy != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for the boards");
    out->count = 0;
    for (char *piece = copy; status == PZ_OK && piece != NULL; piece = end != NULL ? end + 1 : NULL) {
        status = root_set_cut(piece, root_set_read_state, &reading, &end, error);
        if (status == PZ_OK && !root_set_put(out, reading.state, space->state_bytes))
            status = pz_fail(error, PZ_BAD_REQUEST, "more than %d boards to begin from", ROOTS_MAX);
    }
    free(copy);
    assert(status != PZ_OK || out->count > 0);
    return status;
}

size_t root_set_print(const struct pz_space *space, const void *states, unsigned count, char *out,
                      size_t room)
{
    char text[PZ_TEXT_MAX];
    size_t length = 0;
    assert(count > 0 && room > 0);
    *out = '\0';
    for (unsigned i = 0; i < count && length < room; i++) {
        (void)space->puzzle->print(space, root_set_at(states, space->state_bytes, i), text);
        length += (size_t)snprintf(out + length, room - length, "%s%s", i > 0 ? "+" : "", text);
    }
    return length < room ? length : room;
}

bool root_set_has(const void *states, unsigned count, size_t state_bytes, const void *state)
{
    assert(count > 0 && count <= ROOTS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (memcmp(root_set_at(states, state_bytes, i), state, state_bytes) == 0)
            return true;
    return false;
}
