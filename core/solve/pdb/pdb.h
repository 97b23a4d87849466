/* SPDX-License-Identifier: MIT */
/*
 * Additive pattern databases (Korf and Felner, AIJ 134, 2002): the tiles of the ordered board are divided
 * among patterns. Each table counts the moves of its own tiles alone, so the values add up to a lower bound.
 * Where a reflection keeps the goal's blank in place, the reflected board is looked up in the same tables,
 * too. There may be several ways to divide the tiles, which share patterns. The greatest of all sums counts.
 *
 * A table knows where the blank is, too (components.h), and of each value it keeps one bit: (value / 2)
 * mod 2. A move of a pattern's tile changes the value by exactly one, other moves leave it alone. So the bit
 * gives the value of a neighbour of a board of known value; a first board's is found by walking down to the
 * goal (Clausecker and Reinefeld, SoCS 2019). The bound is consistent.
 *
 * A set of databases belongs to the ordered board of a canonical grid with the blank in one cell
 * (board/board.h); every other goal is relabelled before it comes here. Immutable once opened: any number
 * of threads may look values up.
 */
#ifndef PDB_PDB_H
#define PDB_PDB_H

#include "base/budget.h"
#include "board/board.h"
#include "explore/control.h"
#include "solve/pattern_archive.h"
#include "solve/pdb/components.h"
#include "solve/pdb/partition.h"
#include "solve/pdb/processor.h"
#include "solve/pdb/rank.h"

enum {
    PDB_TURNS_MAX = 2, /* the board, and its reflection */
    PDB_LOOKUPS_MAX = PDB_TURNS_MAX * PARTITION_LAYOUTS_MAX,
    PDB_SLOTS_MAX = PDB_TURNS_MAX * PARTITION_PATTERNS_MAX
};

/* One pattern as one lookup sees it: which table, and how the grid is laid over the table's. */
struct pdb_slot {
    const uint64_t *table;                  /* components.h says what it holds; NULL while it is only named */
    const uint64_t *index, *regions, *runs; /* the index, on larger grids the finder */
    const struct rank *rank;
    const char *name; /* of the table */
    uint32_t run_words;
    uint16_t lookups;                /* that add the slot up, a bit each */
    uint16_t lanes[PDB_LOOKUPS_MAX]; /* the same: all bits of each of them */
    uint64_t home;                   /* the pattern's goal cells in the table's grid */
    uint64_t region;                 /* and the component of the goal's blank */
    uint8_t map[GRID_CELLS_MAX];     /* cell here → cell there */
};

struct pdb {
    struct grid grid;
    unsigned blank;
    struct partition partition;
    unsigned lookups; /* layouts, and those of the reflected board */
    unsigned slots;   /* patterns, and those of the reflected board */
    struct pdb_slot slot[PDB_SLOTS_MAX];
    uint8_t touched[GRID_CELLS_MAX][PDB_SLOTS_MAX]; /* by tile: the slots of its patterns */
    uint8_t touched_count[GRID_CELLS_MAX];
    struct pdb_table *tables; /* the distinct ones, owned */
    unsigned table_count;
    const struct pattern_archive *archive;
    struct budget *budget;
    uint64_t built_bytes;  /* of the tables that were made by pdb_open */
    uint64_t loaded_bytes; /* of those that came from the archive */
};

/* The place of a pattern's tiles; a search carries one along for each slot. */
struct pdb_place {
    uint64_t mask;
    uint32_t order;
};

struct pdb_request {
    const struct grid *grid; /* canonical */
    unsigned blank;          /* the goal's blank cell there */
    const char *partition;   /* NULL: the strongest choice that the budget's limits let be built */
    /* NULL, or in the place of all these: patterns that need not have all tiles. */
    const struct partition *patterns;
    unsigned threads;
    struct budget *budget;
    const struct pattern_archive *archive; /* NULL, or outlives the databases */
    struct control *control;               /* NULL is fine */
    /* NULL, or called before tables of about so many bytes are built, perhaps more than once, each time for
     * smaller ones. What it returns but PZ_OK ends pdb_open. */
    enum pz_status (*before_build)(void *context, uint64_t bytes, struct pz_error *error);
    void *context;
};

/*
 * Loads the databases of a partition from the archive and builds (and saves) the missing ones. PZ_BAD_REQUEST
 * (no partition of this board), PZ_TOO_LARGE (to build more than the budget has; the text names one that
 * fits), PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT (deadline). A save that fails is logged, not an error.
 */
enum pz_status pdb_open(const struct pdb_request *request, struct pdb **out, struct pz_error *error);
/* The thread that opened it calls this; NULL is fine. */
void pdb_close(struct pdb *pdb);

/* A board with all that databases know of it. */
struct pdb_state {
    struct board board;
    unsigned blank;
    struct pdb_place place[PDB_SLOTS_MAX];
    uint8_t value[PDB_SLOTS_MAX];
};
/* Finds the values of a board by walking down to the goal: some 20 microseconds. */
void pdb_state_init(const struct pdb *pdb, const struct board *board, struct pdb_state *state);
/* Takes the values of a board, which are known, by slot. */
void pdb_state_of(const struct pdb *pdb, const struct board *board, const uint8_t *values,
                  struct pdb_state *state);
/* The tile in that cell, a neighbour of the blank, goes there. */
void pdb_state_move(const struct pdb *pdb, struct pdb_state *state, unsigned from);
/* Returns the sum of one lookup. */
unsigned pdb_state_sum(const struct pdb *pdb, const struct pdb_state *state, unsigned lookup);
/* Returns the greatest sum: a lower bound, of the distance's parity, 0 at the goal only. */
unsigned pdb_state_bound(const struct pdb *pdb, const struct pdb_state *state);
/* Returns the bound of any board. */
unsigned pdb_value(const struct pdb *pdb, const struct board *board);

/* Reads one word of a stored table. */
typedef enum pz_status pdb_read_function(void *context, const char *table, uint64_t at, uint64_t *word,
                                         struct pz_error *error);
/*
 * Finds the bound of one board without any table in memory; the request needs its grid, blank and partition
 * only. PZ_BAD_REQUEST (no partition of this board), PZ_MEMORY, or what read returned: PZ_NO_TABLE when a
 * table is missing.
 */
enum pz_status pdb_look_up(const struct pdb_request *request, const struct board *board,
                           pdb_read_function *read, void *context, unsigned *value, struct pz_error *error);
/* Finds the partition that a table of that name belongs to; false if it is of another metric, grid or
 * blank. */
bool pdb_name_partition(const char *name, bool multi, const struct grid *grid, unsigned blank,
                        char partition[PARTITION_TEXT_MAX]);

/* The bit of one state: in which word, and which. */
struct pdb_bit {
    const uint64_t *word;
    unsigned shift;
};

/* Two steps: the set's number first, of which the index knows more. small: the grid has up to
 * RANK_SMALL_CELLS cells. */
INLINE uint32_t pdb_set_of(const struct pdb_slot *slot, uint64_t mask, bool small)
{
    return small ? rank_set_small(slot->rank, mask) : rank_set(slot->rank, mask);
}

/* cell: any of the blank's component, in the table's grid. */
INLINE struct pdb_bit pdb_bit_in_set(const struct pdb_slot *slot, uint32_t set, uint32_t order, unsigned cell,
                                     bool small)
{
    const uint32_t component = small ? component_small(slot->index, set, cell)
                                     : component_large(slot->index, slot->regions, set, cell);
    return (struct pdb_bit){slot->runs + (uint64_t)component * slot->run_words + order / 64, order % 64};
}

INLINE struct pdb_bit pdb_bit_of(const struct pdb_slot *slot, struct pdb_place place, unsigned cell,
                                 bool small)
{
    return pdb_bit_in_set(slot, pdb_set_of(slot, place.mask, small), place.order, cell, small);
}

/* Returns the value of a neighbour of a state of that value. */
static inline unsigned pdb_value_next(unsigned value, struct pdb_bit bit)
{
    const unsigned differs = ((unsigned)(*bit.word >> bit.shift) ^ (value + 1) >> 1) & 1;
    return value + 1 - 2 * differs;
}

/* A tile of the slot's pattern goes between two cells of the table's grid. */
static inline struct pdb_place pdb_place_moved(const struct pdb_slot *slot, struct pdb_place place,
                                               unsigned from, unsigned to)
{
    uint64_t mask = place.mask ^ (uint64_t)1 << from ^ (uint64_t)1 << to;
    unsigned before = rank_index(place.mask, from);
    return (struct pdb_place){mask, rank_turned(slot->rank, place.order, before, rank_index(mask, to))};
}

/* ---- for the files of this room: which tables a partition has, and how lookups go to them ---- */

enum { PDB_NAME_MAX = 160 };

struct pdb_table {
    struct partition_shape shape; /* canonical */
    struct rank rank;
    const uint64_t *words; /* components.h says what they are */
    uint64_t *built;       /* the same words when they are mapped here, NULL when they are the archive's */
    uint64_t bytes;
    uint64_t *finder; /* components.h, of the first table of so many tiles on larger grids; else NULL */
    size_t finder_bytes;
    char name[PDB_NAME_MAX];
};

/* Fills in the distinct shapes of a partition; returns their number. */
unsigned pdb_shapes(const struct grid *grid, unsigned blank, const struct partition *partition,
                    struct partition_shape canonical[PARTITION_PATTERNS_MAX]);
/* Makes the tables of pdb->partition, named and without bytes. PZ_OK, PZ_MEMORY; pdb_close frees them. */
enum pz_status pdb_name_tables(struct pdb *pdb, struct pz_error *error);
/* Makes the slots once the tables are there. */
void pdb_make_slots(struct pdb *pdb);

/* A table's words, in memory or read one by one. */
struct pdb_words {
    const uint64_t *table;
    pdb_read_function *read; /* where there is no table */
    void *context;
    const char *name;
    enum pz_status status; /* PZ_OK, or why a word could not be read */
    struct pz_error *error;
};
/* Walks down from a state of a slot, with the blank in that cell of the table's grid, to the goal. Returns
 * the number of the pattern's moves; of no use if words->status reports a failure. */
unsigned pdb_walk_down(const struct pdb *pdb, const struct pdb_slot *slot, struct pdb_words *words,
                       struct pdb_place place, unsigned blank);
/* Finds the place of every slot on a board. */
void pdb_places(const struct pdb *pdb, const struct board *board, struct pdb_place places[PDB_SLOTS_MAX]);

#endif
