/* SPDX-License-Identifier: MIT */
/* The number of moves: of all states, of each level, and of how many states have how many. */
#include "explore/key/mix.h"
#include "explore/striped/striped_parts.h"
#include "explore/striped/visited/segment.h"

#include <stdlib.h>

/* Returns the number of different states among the successors, the state itself left out. */
static unsigned count_different(const uint64_t *state, const uint64_t *successors, unsigned count,
                                unsigned words)
{
    unsigned different = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t *successor = successors + (size_t)i * words;
        bool is_new = !key_equal(successor, state, words);
        for (unsigned k = 0; k < i && is_new; k++)
            is_new = !key_equal(successor, successors + (size_t)k * words, words);
        different += is_new;
    }
    return different;
}

/* Counts the moves of the states of levels 0 … depth, and of dead ones behind them. */
static enum pz_status count_moves(struct striped *striped, uint64_t *of_level, uint64_t *states,
                                  struct pz_error *error)
{
    const struct pz_space *space = striped->request->space;
    const struct crew_member *member = &striped->crew.members[0];
    const unsigned words = space->state_bytes / 8;
    struct state_walk walk;
    uint64_t key[KEY_WORDS_MAX], state[KEY_WORDS_MAX];
    uint32_t level;
    enum pz_status status = PZ_OK;
    state_walk_begin(&walk, striped);
    for (uint64_t passed = 1; status == PZ_OK && state_walk_next(&walk, key, &level); passed++) {
        unmix_bytes(key, space->state_bytes, state);
        unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, member->successors, member->tokens);
        count = count_different(state, member->successors, count, words);
        of_level[level] += count;
        states[count]++;
        if (passed % LOOK_KEYS != 0)
            continue;
        if (control_stopped(striped->control))
            status = pz_fail(error, PZ_CANCELLED, "cancelled while the edges were counted");
        striped_report_pass(striped, "edges", passed);
    }
    if (!state_walk_end(&walk) && status == PZ_OK)
        status = pz_fail(error, PZ_MEMORY, "no memory to count the edges");
    return status;
}

static enum pz_status give_edges(struct striped *striped, const uint64_t *of_level, const uint64_t *states,
                                 struct pz_error *error)
{
    struct explore_edges edges = {.levels = striped->result->depth + 1,
                                  .of_level = of_level,
                                  .most = striped->request->space->max_successors,
                                  .states = states};
    while (edges.most > 0 && states[edges.most] == 0)
        edges.most--;
    for (unsigned moves = 1; moves <= edges.most; moves++)
        edges.count += moves * states[moves];
    return striped->sink->edges(striped->sink->context, &edges, error);
}

enum pz_status striped_count_edges(struct striped *striped, struct pz_error *error)
{
    uint64_t *of_level = calloc((size_t)striped->result->depth + 2, sizeof *of_level);
    uint64_t *states = calloc((size_t)striped->request->space->max_successors + 1, sizeof *states);
    enum pz_status status = PZ_OK;
    if (of_level == NULL || states == NULL) {
        status = pz_fail(error, PZ_MEMORY, "no memory to count the edges");
    } else {
        status = count_moves(striped, of_level, states, error);
        if (status == PZ_OK)
            status = give_edges(striped, of_level, states, error);
    }
    free(of_level);
    free(states);
    return status;
}
