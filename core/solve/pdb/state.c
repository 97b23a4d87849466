/* SPDX-License-Identifier: MIT */
/* The values of a board: walked down to once, then updated by one bit a move. */
#include "solve/pdb/pdb.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WALK_DOWN_MAX = UINT8_MAX };

/* ---- the first board ---- */

static uint64_t pdb_word_at(struct pdb_words *words, uint64_t at)
{
    uint64_t word = 0;
    if (words->status == PZ_OK)
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): whoever walks brings its reader */
        words->status = words->read(words->context, words->name, at, &word, words->error);
    return word;
}

/* Returns the component of a set that holds the cell. */
static uint64_t component_of(const struct grid *grid, const struct rank *rank, struct pdb_words *words,
                             uint64_t mask, unsigned cell)
{
    const uint32_t set = rank_set(rank, mask);
    uint64_t open = (((uint64_t)1 << grid->cells) - 1) & ~mask;
    uint64_t component = component_first(rank, pdb_word_at(words, component_word_at(rank, set)), set);
    for (; open != 0; component++) {
        const uint64_t region = mask_region(grid, open, (unsigned)__builtin_ctzll(open));
        if ((region >> cell & 1) != 0)
            break;
        open &= ~region;
    }
    return component;
}

/* Returns the bit of a state. */
static unsigned bit_at(const struct pdb *pdb, const struct pdb_slot *slot, struct pdb_words *words,
                       struct pdb_place place, unsigned cell)
{
    if (words->table != NULL) {
        const struct pdb_bit bit = pdb_bit_of(slot, place, cell, pdb->grid.cells <= RANK_SMALL_CELLS);
        return (unsigned)(*bit.word >> bit.shift) & 1;
    }
    const struct rank *rank = slot->rank;
    const uint64_t run = component_of(&pdb->grid, rank, words, place.mask, cell) * slot->run_words;
    const uint64_t at = component_runs_at(rank, pdb_word_at(words, 0)) + run + place.order / 64;
    return (unsigned)(pdb_word_at(words, at) >> place.order % 64) & 1;
}

/* Goes to a neighbour with that bit. Returns false if there is none. */
static bool step_to(const struct pdb *pdb, const struct pdb_slot *slot, struct pdb_words *words, unsigned bit,
                    struct pdb_place *place, unsigned *blank)
{
    const uint64_t all = ((uint64_t)1 << pdb->grid.cells) - 1;
    for (uint64_t cells = mask_region(&pdb->grid, all & ~place->mask, *blank); cells != 0;
         cells &= cells - 1) {
        const unsigned to = (unsigned)__builtin_ctzll(cells);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            const unsigned from = pdb->grid.neighbour[to][d];
            if (from == GRID_NO_CELL || (place->mask >> from & 1) == 0)
                continue;
            const struct pdb_place next = pdb_place_moved(slot, *place, from, to);
            if (bit_at(pdb, slot, words, next, from) != bit)
                continue;
            *place = next;
            *blank = from;
            return true;
        }
    }
    return false;
}

unsigned pdb_walk_down(const struct pdb *pdb, const struct pdb_slot *slot, struct pdb_words *words,
                       struct pdb_place place, unsigned blank)
{
    const uint64_t odd = mask_odd_cells(&pdb->grid);
    unsigned left = bit_at(pdb, slot, words, place, blank) << 1 |
                    (mask_colour(odd, place.mask) ^ mask_colour(odd, slot->home)); /* modulo 4 */
    unsigned moves = 0;
    while (moves < WALK_DOWN_MAX && words->status == PZ_OK &&
           step_to(pdb, slot, words, (left - 1) >> 1 & 1, &place, &blank)) {
        left--;
        moves++;
    }
    return moves;
}

void pdb_state_init(const struct pdb *pdb, const struct board *board, struct pdb_state *state)
{
    assert(board->cells == pdb->grid.cells);
    memset(state, 0, sizeof *state);
    state->board = *board;
    state->blank = board_blank(board);
    pdb_places(pdb, board, state->place);
    for (unsigned i = 0; i < pdb->slots; i++) {
        const struct pdb_slot *slot = &pdb->slot[i];
        struct pdb_words words = {.table = slot->table};
        state->value[i] = (uint8_t)pdb_walk_down(pdb, slot, &words, state->place[i], slot->map[state->blank]);
    }
}

/* ---- from there on ---- */

void pdb_state_of(const struct pdb *pdb, const struct board *board, const uint8_t *values,
                  struct pdb_state *state)
{
    assert(board->cells == pdb->grid.cells);
    state->board = *board;
    state->blank = board_blank(board);
    pdb_places(pdb, board, state->place);
    memcpy(state->value, values, pdb->slots);
}

void pdb_state_move(const struct pdb *pdb, struct pdb_state *state, unsigned from)
{
    assert(from < pdb->grid.cells && state->board.tile[from] != BOARD_BLANK);
    const unsigned tile = state->board.tile[from];
    for (unsigned i = 0; i < pdb->touched_count[tile]; i++) {
        const unsigned at = pdb->touched[tile][i];
        const struct pdb_slot *slot = &pdb->slot[at];
        state->place[at] = pdb_place_moved(slot, state->place[at], slot->map[from], slot->map[state->blank]);
        const struct pdb_bit bit =
            pdb_bit_of(slot, state->place[at], slot->map[from], pdb->grid.cells <= RANK_SMALL_CELLS);
        state->value[at] = (uint8_t)pdb_value_next(state->value[at], bit);
    }
    state->board.tile[state->blank] = (uint8_t)tile;
    state->board.tile[from] = BOARD_BLANK;
    state->blank = from;
}

unsigned pdb_state_sum(const struct pdb *pdb, const struct pdb_state *state, unsigned lookup)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < pdb->slots; i++)
        sum += (pdb->slot[i].lookups >> lookup & 1) != 0 ? state->value[i] : 0;
    return sum;
}

unsigned pdb_state_bound(const struct pdb *pdb, const struct pdb_state *state)
{
    unsigned bound = 0;
    for (unsigned lookup = 0; lookup < pdb->lookups; lookup++) {
        const unsigned sum = pdb_state_sum(pdb, state, lookup);
        bound = sum > bound ? sum : bound;
    }
    return bound;
}

unsigned pdb_value(const struct pdb *pdb, const struct board *board)
{
    struct pdb_state state;
    pdb_state_init(pdb, board, &state);
    return pdb_state_bound(pdb, &state);
}

/* Finds one board's value, entry by entry, in tables that stay where they are stored. */

static enum pz_status read_slots(const struct pdb *pdb, const struct board *board, pdb_read_function *read,
                                 void *context, unsigned *value, struct pz_error *error)
{
    struct pdb_state state = {.board = *board, .blank = board_blank(board)};
    struct pdb_words words = {.read = read, .context = context, .error = error};
    pdb_places(pdb, board, state.place);
    for (unsigned i = 0; i < pdb->slots && words.status == PZ_OK; i++) {
        const struct pdb_slot *slot = &pdb->slot[i];
        words.name = slot->name;
        state.value[i] = (uint8_t)pdb_walk_down(pdb, slot, &words, state.place[i], slot->map[state.blank]);
    }
    *value = pdb_state_bound(pdb, &state);
    return words.status;
}

enum pz_status pdb_look_up(const struct pdb_request *request, const struct board *board,
                           pdb_read_function *read, void *context, unsigned *value, struct pz_error *error)
{
    struct pdb *pdb = calloc(1, sizeof *pdb);
    if (pdb == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pattern databases");
    pdb->grid = *request->grid;
    pdb->blank = request->blank;
    enum pz_status status =
        partition_parse(&pdb->grid, pdb->blank, request->partition, &pdb->partition, error);
    if (status == PZ_OK)
        status = pdb_name_tables(pdb, error);
    if (status == PZ_OK) {
        pdb_make_slots(pdb);
        status = read_slots(pdb, board, read, context, value, error);
    }
    pdb_close(pdb);
    return status;
}

bool pdb_name_partition(const char *name, bool multi, const struct grid *grid, unsigned blank,
                        char partition[PARTITION_TEXT_MAX])
{
    char begin[32];
    char end[32];
    (void)snprintf(begin, sizeof begin, "pdb:%s%ux%u:", multi ? "multi:" : "", grid->rows, grid->columns);
    (void)snprintf(end, sizeof end, ":blank=%u:", blank);
    if (strncmp(name, begin, strlen(begin)) != 0)
        return false;
    const char *text = name + strlen(begin);
    const char *behind = strstr(text, end);
    if (behind == NULL || behind - text >= PARTITION_TEXT_MAX)
        return false;
    memcpy(partition, text, (size_t)(behind - text));
    partition[behind - text] = '\0';
    return true;
}
