/* SPDX-License-Identifier: MIT */
/* Shared by the fuzz targets of spaces: some to choose from, and what each state must keep to. */
#ifndef FUZZ_SPACE_H
#define FUZZ_SPACE_H

#include "fuzz.h"

#include "space/registry.h"

enum { FUZZ_SPACES = 4, FUZZ_STEPS = 20 };

/* Returns one of the puzzles' spaces, which stays open. Always ask with the same puzzles. */
static inline const struct pz_space *fuzz_space(const char *const puzzles[FUZZ_SPACES], unsigned number)
{
    static struct pz_space *spaces[FUZZ_SPACES];
    const struct pz_setup setup = {0};
    if (spaces[number] == NULL)
        FUZZ_REQUIRE(space_open(puzzles[number], &setup, &spaces[number], NULL) == PZ_OK);
    return spaces[number];
}

/* A gate in the frame has only one extent. */
static inline void fuzz_look_at_piece(void *taker, const struct pz_piece *piece)
{
    (void)taker;
    FUZZ_REQUIRE(strpbrk(piece->kind, " :") == NULL);
    FUZZ_REQUIRE(piece->width >= 0 && piece->height >= 0 && piece->width + piece->height > 0);
    FUZZ_REQUIRE(piece->x >= 0 && piece->x + piece->width <= PZ_TEXT_MAX);
}

/* It prints, reads back as the same state, and can be drawn. */
static inline void fuzz_check_state(const struct pz_space *space, const void *state)
{
    const struct pz_puzzle *puzzle = space->puzzle;
    static char text[PZ_TEXT_MAX];
    uint64_t again[PZ_STATE_MAX / 8];
    FUZZ_REQUIRE(puzzle->print(space, state, text) == strlen(text));
    FUZZ_REQUIRE(strpbrk(text, " \t\n") == NULL);
    FUZZ_REQUIRE(puzzle->parse(space, text, again, NULL) == PZ_OK);
    FUZZ_REQUIRE(memcmp(state, again, space->state_bytes) == 0);
    if (puzzle->draw != NULL)
        FUZZ_REQUIRE(puzzle->draw(space, state, text) == strlen(text));
    if (puzzle->pieces != NULL)
        (void)puzzle->pieces(space, state, NULL, fuzz_look_at_piece, text);
    (void)puzzle->is_goal(space, state);
}

/* Goes some steps from a state, which keep to the limits that the space states and have words. */
static inline void fuzz_walk(const struct pz_space *space, const void *from)
{
    static uint64_t successors[PZ_SUCCESSORS_MAX * (PZ_STATE_MAX / 8)];
    static uint8_t tokens[PZ_SUCCESSORS_MAX];
    static char text[PZ_TEXT_MAX];
    uint64_t at[PZ_STATE_MAX / 8];
    uint8_t came_by = PZ_NO_TOKEN;
    memcpy(at, from, space->state_bytes);
    fuzz_check_state(space, at);
    for (unsigned step = 0; step < FUZZ_STEPS; step++) {
        const unsigned count = space->puzzle->expand(space, at, came_by, successors, tokens);
        FUZZ_REQUIRE(count <= space->max_successors);
        if (count == 0)
            return;
        const uint64_t *to = successors + (size_t)(step % count) * (space->state_bytes / 8);
        FUZZ_REQUIRE(space->puzzle->describe(space, at, to, text) == strlen(text));
        FUZZ_REQUIRE(*text != '\0' && strpbrk(text, " ,\"") == NULL);
        memcpy(at, to, space->state_bytes);
        came_by = tokens[step % count];
        fuzz_check_state(space, at);
    }
}

#endif
