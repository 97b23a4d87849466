/* SPDX-License-Identifier: MIT */
/* Distances and paths from one table, in the table's own (canonical) states. */
#ifndef ANSWER_TABLE_PATH_H
#define ANSWER_TABLE_PATH_H

#include "answer/table_match.h"

/* A path: moves + 1 states of state_bytes each, from the start to the root or the nearest goal; malloc'd. */
struct table_path {
    uint8_t *states;
    uint32_t moves;
};

/* Finds the distance of a state of the table; PZ_NO_TABLE if the table does not hold it. */
enum pz_status table_path_distance(const struct table_match *match, const struct pz_space *space,
                                   const void *state, uint32_t *distance, struct pz_error *error);
/* Returns true if the open table is that of a whole sliding puzzle, dense_table's. */
bool table_path_is_dense(const struct table_match *match);
/* See dense_table_ranking, for such a table. */
enum pz_status table_path_boards(const struct table_match *match, struct ranking_cursor *cursor,
                                 uint8_t *memo, size_t count, uint8_t *distances, struct pz_error *error);
/* Finds its path. space is the question's. */
enum pz_status table_path_find(const struct table_match *match, const struct pz_space *space,
                               const void *state, struct table_path *path, struct pz_error *error);
/* Returns the path's moves as malloc'd text, in the question's own orientation; NULL without memory. */
char *table_path_text(const struct table_match *match, const struct pz_space *space,
                      const struct table_path *path);

#endif
