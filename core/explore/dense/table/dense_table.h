/* SPDX-License-Identifier: MIT */
/*
 * The stored table of a whole sliding puzzle, and the answers in it.
 *
 * Layout. Two bytes a class: the even places' byte, then the odd places'. Bit p >> 1 of the byte of colour
 * p & 1 is *bit 1 of the distance* of the board with the blank in place p; bit 0 follows from the colour.
 * Classes stand in ascending order, in chunks of DENSE_CHUNK_BYTES (the last one shorter). So all boards that
 * differ by moves along the path only lie in two bytes.
 *
 * A distance is known modulo 4, and the distances of neighbours differ by one. So the table shows which of
 * two neighbours is nearer: walking down to the root gives the distance and a shortest path.
 *
 * With metric:multi the colour says nothing, and distances of neighbours differ by one at most. So a class
 * has four bytes: the two of bit 1, then the two of bit 0.
 *
 * To change the layout: give the table another format in explore.h, write its reader beside dense_reader.c,
 * and keep the old reader for tables that are already stored.
 */
#ifndef EXPLORE_DENSE_DENSE_TABLE_H
#define EXPLORE_DENSE_DENSE_TABLE_H

#include "board/board.h"
#include "board/pack.h"
#include "explore/dense/index/geometry.h"
#include "explore/table/table_reader.h"

#include <stddef.h>

enum {
    DENSE_CHUNK_BYTES = 1 << 20,
    DENSE_DEPTH_MAX = 255 /* more than any puzzle of 16 cells is deep (the deepest known: 140) */
};

struct dense_layout {
    uint64_t classes;
    unsigned class_bytes; /* 2, or 4 of metric:multi */
    uint64_t chunks;
    uint64_t bytes; /* of all chunks */
};
struct dense_layout dense_table_layout(const struct dense_geometry *geometry);

/* Writes count classes of a chunk from their bytes of bit 1, those of even and of odd places. */
void dense_table_join(const uint8_t *even, const uint8_t *odd, size_t count, uint8_t *out);
/* Writes chunk `number` (room: DENSE_CHUNK_BYTES) from the planes of bit 1, by colour, and those of bit 0 of
 * metric:multi; returns its length. */
size_t dense_table_encode(const struct dense_layout *layout, const uint8_t *const marks[4], uint64_t number,
                          uint8_t *chunk);

extern const struct table_format dense_format;

/*
 * A reader of one table. Boards are of the canonical grid (rows <= columns).
 * Distances are to the root board_ordered(grid, blank); core/board/board.h brings other questions to this
 * form.
 */
struct dense_table;
enum pz_status dense_table_new(const struct grid *grid, unsigned blank, bool multi,
                               const struct table_source *source, struct dense_table **out,
                               struct pz_error *error);
void dense_table_free(struct dense_table *table); /* NULL is fine */

/* Boards asked for in the order of board/pack.h. */
enum { DENSE_UNKNOWN = 0xFF };
struct dense_ranking {
    struct dense_table *table;
    const struct board_view *view; /* leads from the cursor's grid to the table's, and its goal to the root */
    /* The caller's, for one root: a byte for each class (half of all orders of the tiles), DENSE_UNKNOWN at
     * first. It remembers results between calls: ten times faster per board than single lookups. */
    uint8_t *memo;
};

/* Writes the distances of count boards, those of the cursor and after it, and moves the cursor on. count is
 * no more than there are. */
enum pz_status dense_table_ranking(const struct dense_ranking *ranking, struct ranking_cursor *cursor,
                                   size_t count, uint8_t *distances, struct pz_error *error);

/* Different boards at exactly one distance, chosen by a seed. */
struct dense_sample {
    uint32_t depth;
    uint64_t level_states; /* at that distance (from the stored levels); 0 if not known */
    unsigned wanted;
    uint64_t seed;
    bool walk;            /* by walks alone, as for large puzzles: for tests with small ones */
    struct board *boards; /* room for those wanted */
    unsigned found;       /* fewer if the level has no more, or if no more could be found */
    bool uniform;         /* every choice was equally likely */
};

/*
 * Fills boards, found and uniform. Choices are equally likely for puzzles of up to 12 cells, and beyond that
 * for levels wide enough to be hit at random. Otherwise boards are found by walking down from random boards
 * that are farther away, or up from nearer ones. May take some tenths of a second.
 */
enum pz_status dense_table_sample(struct dense_table *table, struct dense_sample *sample,
                                  struct pz_error *error);

#endif
