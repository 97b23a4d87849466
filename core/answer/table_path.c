/* SPDX-License-Identifier: MIT */
#include "answer/table_path.h"

#include "answer/answer.h"
#include "explore/key/mix.h"
#include "solve/solve.h"
#include "space/slide/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables of runs ---- */

static enum pz_status run_distance(const struct table_match *match, const void *state, uint32_t *distance,
                                   struct pz_error *error)
{
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state, match->state_bytes, key);
    return table_view_key(match->view, key, match->state_bytes / 8, distance, error);
}

/* Room to expand one state. */
struct expansion {
    const struct pz_space *space; /* the table's */
    uint8_t *successors, *tokens; /* both in one malloc'd block */
};

static bool expansion_init(struct expansion *expansion, const struct pz_space *space)
{
    const size_t successors = (size_t)space->max_successors * space->state_bytes;
    expansion->space = space;
    expansion->successors = malloc(successors + space->max_successors + space->state_bytes);
    expansion->tokens = expansion->successors != NULL ? expansion->successors + successors : NULL;
    return expansion->successors != NULL;
}

/* Finds the first successor that is one move nearer. One exists, since moves are reversible or the distances
 * are to the goals. */
static enum pz_status step_down(const struct table_match *match, const struct expansion *expansion,
                                const uint8_t *from, uint32_t distance, uint8_t *to, struct pz_error *error)
{
    const struct pz_space *space = expansion->space;
    unsigned count =
        space->puzzle->expand(space, from, PZ_NO_TOKEN, expansion->successors, expansion->tokens);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = expansion->successors + (size_t)i * space->state_bytes;
        uint32_t there;
        enum pz_status status = run_distance(match, successor, &there, error);
        if (status == PZ_OK && there + 1 == distance) {
            memcpy(to, successor, space->state_bytes);
            return PZ_OK;
        }
        /* The table lacks some neighbours of its last level. */
        if (status != PZ_OK && status != PZ_NO_TABLE)
            return status;
    }
    return pz_fail(error, PZ_STORAGE,
                   "the table %.300s contradicts itself: no neighbour of a state at %" PRIu32 " is nearer",
                   match->name, distance);
}

static enum pz_status run_path(const struct table_match *match, const struct pz_space *space,
                               const void *state, struct table_path *path, struct pz_error *error)
{
    struct expansion expansion;
    const size_t bytes = space->state_bytes;
    enum pz_status status = run_distance(match, state, &path->moves, error);
    if (status != PZ_OK)
        return status;
    path->states = malloc(((size_t)path->moves + 1) * bytes);
    if (!expansion_init(&expansion, table_match_space(match, space)) || path->states == NULL) {
        free(expansion.successors);
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %" PRIu32 " moves", path->moves);
    }
    memcpy(path->states, state, bytes);
    for (uint32_t i = 0; i < path->moves && status == PZ_OK; i++)
        status = step_down(match, &expansion, path->states + i * bytes, path->moves - i,
                           path->states + (i + 1) * bytes, error);
    free(expansion.successors);
    return status;
}

/* ---- dense tables ---- */

static enum pz_status dense_path(const struct table_match *match, const void *state, struct table_path *path,
                                 struct pz_error *error)
{
    const struct pz_space *walked = match->canonical;
    uint8_t directions[DENSE_DEPTH_MAX];
    struct board board;
    slide_board(walked, state, &board);
    enum pz_status status = dense_table_path(match->dense, &board, directions, &path->moves, error);
    if (status != PZ_OK)
        return status;
    path->states = malloc(((size_t)path->moves + 1) * walked->state_bytes);
    if (path->states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %" PRIu32 " moves", path->moves);
    memcpy(path->states, state, walked->state_bytes);
    for (uint32_t i = 0; i < path->moves; i++) {
        (void)board_move(slide_grid(walked), &board, (enum direction)directions[i]);
        slide_state(walked, &board, path->states + (i + 1) * (size_t)walked->state_bytes);
    }
    return PZ_OK;
}

static enum pz_status dense_distance(const struct table_match *match, const void *state, uint32_t *distance,
                                     struct pz_error *error)
{
    struct board board;
    slide_board(match->canonical, state, &board);
    return dense_table_distance(match->dense, &board, distance, error);
}

/* ---- either ---- */

bool table_path_is_dense(const struct table_match *match)
{
    return table_view_record(match->view)->kind == TABLE_DENSE && match->dense != NULL;
}

/* The ranking writes to the memo. */
enum pz_status table_path_boards(const struct table_match *match, struct ranking_cursor *cursor,
                                 uint8_t *memo, // NOLINT(readability-non-const-parameter)
                                 size_t count, uint8_t *distances, struct pz_error *error)
{
    struct view view;
    _Static_assert((int)ANSWER_FAR == (int)DENSE_UNKNOWN, "what the caller fills a memo with");
    view_of_goal(cursor->grid, &cursor->goal, &view);
    const struct dense_ranking ranking = {match->dense, &view, memo};
    return dense_table_ranking(&ranking, cursor, count, distances, error);
}

/* Returns PZ_NO_TABLE in place of PZ_BAD_BOARD, a dense table's status for a board that cannot be reached. */
static enum pz_status not_held(enum pz_status status)
{
    return status == PZ_BAD_BOARD ? PZ_NO_TABLE : status;
}

enum pz_status table_path_distance(const struct table_match *match, const struct pz_space *space,
                                   const void *state, uint32_t *distance, struct pz_error *error)
{
    struct ranked_table ranked;
    if (table_match_ranked(match, space, &ranked))
        return ranked_table_walk(&ranked, state, distance, NULL, error);
    if (table_path_is_dense(match))
        return not_held(dense_distance(match, state, distance, error));
    return run_distance(match, state, distance, error);
}

enum pz_status table_path_find(const struct table_match *match, const struct pz_space *space,
                               const void *state, struct table_path *path, struct pz_error *error)
{
    struct ranked_table ranked;
    *path = (struct table_path){0};
    if (table_match_ranked(match, space, &ranked))
        return ranked_table_walk(&ranked, state, &path->moves, &path->states, error);
    enum pz_status status = table_path_is_dense(match) ? not_held(dense_path(match, state, path, error))
                                                       : run_path(match, space, state, path, error);
    if (status != PZ_OK) {
        free(path->states);
        path->states = NULL;
    }
    return status;
}

char *table_path_text(const struct table_match *match, const struct pz_space *space,
                      const struct table_path *path)
{
    const size_t bytes = space->state_bytes;
    uint8_t *turned = malloc(((size_t)path->moves + 1) * bytes);
    if (turned == NULL)
        return NULL;
    for (uint32_t i = 0; i <= path->moves; i++)
        table_match_from_table(match, space, path->states + i * bytes, turned + i * bytes);
    char *text = solve_path_text(space, turned, (int64_t)path->moves);
    free(turned);
    return text;
}
