/* SPDX-License-Identifier: MIT */
#include "answer/walk.h"

#include "explore/striped/mix.h"
#include "solve/solve.h"
#include "space/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables of runs ---- */

static enum pz_status run_distance(const struct covering *covering, const void *state, uint32_t *distance,
                                   struct pz_error *error)
{
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state, covering->state_bytes, key);
    return table_view_key(covering->view, key, covering->state_bytes / 8, distance, error);
}

/* The first successor that is one nearer. There is one: moves can be undone. */
static enum pz_status step_down(const struct covering *covering, const struct pz_space *space,
                                const uint8_t *from, uint32_t distance, uint8_t *successors, uint8_t *tokens,
                                uint8_t *to, struct pz_error *error)
{
    const struct pz_space *walked = covering_space(covering, space);
    unsigned count = walked->puzzle->expand(walked, from, PZ_NO_TOKEN, successors, tokens);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = successors + (size_t)i * walked->state_bytes;
        uint32_t there;
        enum pz_status status = run_distance(covering, successor, &there, error);
        if (status == PZ_OK && there + 1 == distance) {
            memcpy(to, successor, walked->state_bytes);
            return PZ_OK;
        }
        /* Beyond the last complete level some neighbours are not in the table. */
        if (status != PZ_OK && status != PZ_NO_TABLE)
            return status;
    }
    return pz_fail(error, PZ_STORAGE,
                   "the table %.300s contradicts itself: no neighbour of a state at %" PRIu32 " is nearer",
                   covering->name, distance);
}

static enum pz_status run_way(const struct covering *covering, const struct pz_space *space,
                              const void *state, struct way *way, struct pz_error *error)
{
    const struct pz_space *walked = covering_space(covering, space);
    size_t bytes = walked->state_bytes;
    enum pz_status status = run_distance(covering, state, &way->moves, error);
    if (status != PZ_OK)
        return status;
    way->states = malloc(((size_t)way->moves + 1) * bytes);
    uint8_t *successors = malloc((bytes + 1) * walked->max_successors + bytes);
    if (way->states == NULL || successors == NULL) {
        free(successors);
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %" PRIu32 " moves", way->moves);
    }
    memcpy(way->states, state, bytes);
    for (uint32_t i = 0; i < way->moves && status == PZ_OK; i++)
        status = step_down(covering, space, way->states + i * bytes, way->moves - i, successors,
                           successors + walked->max_successors * bytes, way->states + (i + 1) * bytes, error);
    free(successors);
    return status;
}

/* ---- dense tables ---- */

static enum pz_status dense_way(const struct covering *covering, const void *state, struct way *way,
                                struct pz_error *error)
{
    const struct pz_space *walked = covering->canonical;
    uint8_t directions[DENSE_DEPTH_MAX];
    struct board board;
    slide_board(walked, state, &board);
    enum pz_status status = dense_table_path(covering->dense, &board, directions, &way->moves, error);
    if (status != PZ_OK)
        return status;
    way->states = malloc(((size_t)way->moves + 1) * walked->state_bytes);
    if (way->states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %" PRIu32 " moves", way->moves);
    memcpy(way->states, state, walked->state_bytes);
    for (uint32_t i = 0; i < way->moves; i++) {
        (void)board_move(slide_grid(walked), &board, (enum direction)directions[i]);
        slide_state(walked, &board, way->states + (i + 1) * (size_t)walked->state_bytes);
    }
    return PZ_OK;
}

static enum pz_status dense_distance(const struct covering *covering, const void *state, uint32_t *distance,
                                     struct pz_error *error)
{
    struct board board;
    slide_board(covering->canonical, state, &board);
    return dense_table_distance(covering->dense, &board, distance, error);
}

/* ---- either ---- */

static bool is_dense(const struct covering *covering)
{
    return table_view_record(covering->view)->kind == TABLE_DENSE;
}

/* A dense table says of a board that cannot be reached that it is none of its boards. */
static enum pz_status not_held(enum pz_status status)
{
    return status == PZ_BAD_BOARD ? PZ_NO_TABLE : status;
}

enum pz_status walk_distance(const struct covering *covering, const struct pz_space *space, const void *state,
                             uint32_t *distance, struct pz_error *error)
{
    (void)space;
    if (is_dense(covering))
        return not_held(dense_distance(covering, state, distance, error));
    return run_distance(covering, state, distance, error);
}

enum pz_status walk_way(const struct covering *covering, const struct pz_space *space, const void *state,
                        struct way *way, struct pz_error *error)
{
    *way = (struct way){0};
    enum pz_status status = is_dense(covering) ? not_held(dense_way(covering, state, way, error))
                                               : run_way(covering, space, state, way, error);
    if (status != PZ_OK) {
        free(way->states);
        way->states = NULL;
    }
    return status;
}

char *walk_words(const struct covering *covering, const struct pz_space *space, const struct way *way)
{
    size_t bytes = space->state_bytes;
    uint8_t *path = malloc(((size_t)way->moves + 1) * bytes);
    if (path == NULL)
        return NULL;
    for (uint32_t i = 0; i <= way->moves; i++)
        covering_out(covering, space, way->states + i * bytes, path + i * bytes);
    char *words = solve_path_text(space, path, (int64_t)way->moves);
    free(path);
    return words;
}
