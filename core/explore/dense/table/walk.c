/* SPDX-License-Identifier: MIT */
#include "explore/dense/table/walk.h"

#include <assert.h>
#include <string.h>

/* Reads a chunk for the first time; NULL, with the reason in *status, if it cannot be read. */
static const uint8_t *fetch(struct dense_table *table, uint64_t chunk, enum pz_status *status,
                            struct pz_error *error)
{
    const uint8_t *bytes = NULL;
    size_t length = 0;
    *status = table->base.source.chunk(table->base.source.context, chunk, &bytes, &length, error);
    if (*status != PZ_OK)
        return NULL;
    bool last = chunk + 1 == table->layout.chunks;
    size_t wanted = last ? (size_t)(table->layout.bytes - chunk * DENSE_CHUNK_BYTES) : DENSE_CHUNK_BYTES;
    if (bytes == NULL || length != wanted) {
        *status = pz_fail(error, PZ_STORAGE, "chunk %llu of the table has %zu bytes, not %zu",
                          (unsigned long long)chunk, length, wanted);
        return NULL;
    }
    table->chunk[chunk] = bytes;
    return bytes;
}

const uint8_t *walk_pair(struct dense_table *table, uint64_t number, enum pz_status *status,
                         struct pz_error *error)
{
    const uint64_t byte = number * table->layout.class_bytes;
    uint64_t chunk = byte / DENSE_CHUNK_BYTES;
    const uint8_t *bytes = table->chunk[chunk];
    if (bytes == NULL)
        bytes = fetch(table, chunk, status, error);
    return bytes == NULL ? NULL : bytes + byte % DENSE_CHUNK_BYTES;
}

enum pz_status walk_mod4(struct dense_table *table, uint64_t number, unsigned place, unsigned *mod4,
                         struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    const uint8_t *pair = walk_pair(table, number, &status, error);
    if (pair == NULL)
        return status;
    unsigned bit1 = (unsigned)pair[place % 2] >> (place / 2) & 1u;
    unsigned bit0 = table->geometry.multi ? (unsigned)pair[2 + place % 2] >> (place / 2) & 1u
                                          : (place ^ table->geometry.root_place) & 1u;
    *mod4 = bit1 * 2 | bit0;
    return PZ_OK;
}

/* Fills digit with those of the class across an edge; returns its number. */
static uint64_t cross(const struct dense_table *table, const struct dense_position *position,
                      struct walk_step step, uint8_t digit[DENSE_PLACES_MAX])
{
    const struct dense_geometry *geometry = &table->geometry;
    unsigned low = geometry->edge[step.edge].low;
    unsigned high = geometry->edge[step.edge].high;
    memcpy(digit, position->digit, DENSE_PLACES_MAX);
    if (step.to == high)
        dense_rotate_right(digit, low, high);
    else
        dense_rotate_left(digit, low, high);
    uint64_t number = position->number;
    unsigned end = high < geometry->tiles - 2u ? high : geometry->tiles - 2u;
    for (unsigned k = low; k < end; k++)
        number += geometry->span[k + 1] * (uint64_t)((int64_t)digit[k] - position->digit[k]);
    return number;
}

static void take_one(const struct dense_table *table, struct dense_position *position, struct walk_step step)
{
    if (step.edge != WALK_NO_EDGE) {
        uint8_t digit[DENSE_PLACES_MAX];
        position->number = cross(table, position, step, digit);
        memcpy(position->digit, digit, sizeof digit);
    }
    position->place = step.to;
}

/* Returns the step by one cell in that direction, NULL at the border. */
static const struct walk_step *step_in(const struct dense_table *table, unsigned place, unsigned direction)
{
    const struct walk_steps *steps = &table->place[place];
    for (unsigned i = 0; i < steps->count; i++)
        if (steps->step[i].direction == direction)
            return &steps->step[i];
    return NULL;
}

void walk_take(const struct dense_table *table, struct dense_position *position, struct walk_step step)
{
    for (unsigned cells = 1; cells < step.cells; cells++)
        take_one(table, position, *step_in(table, position->place, step.direction));
    take_one(table, position, step);
}

static enum pz_status step_mod4(struct dense_table *table, const struct dense_position *position,
                                struct walk_step step, unsigned *mod4, struct pz_error *error)
{
    uint8_t digit[DENSE_PLACES_MAX];
    uint64_t number = step.edge == WALK_NO_EDGE ? position->number : cross(table, position, step, digit);
    return walk_mod4(table, number, step.to, mod4, error);
}

/* walk_find by metric:multi: in each direction as far as it goes. */
static enum pz_status find_lines(struct dense_table *table, const struct dense_position *position,
                                 unsigned wanted, struct walk_steps *out, struct pz_error *error)
{
    for (unsigned direction = 0; direction < DIRECTION_COUNT; direction++) {
        const struct walk_step *step = step_in(table, position->place, direction);
        struct dense_position at = *position;
        for (uint8_t cells = 1; step != NULL; cells++) {
            unsigned there = 0;
            take_one(table, &at, *step);
            enum pz_status status = walk_mod4(table, at.number, at.place, &there, error);
            if (status != PZ_OK)
                return status;
            if (there == wanted)
                out->step[out->count++] = (struct walk_step){at.place, step->edge, (uint8_t)direction, cells};
            step = step_in(table, at.place, direction);
        }
    }
    return PZ_OK;
}

enum pz_status walk_find(struct dense_table *table, const struct dense_position *position, unsigned mod4,
                         bool nearer, struct walk_steps *out, struct pz_error *error)
{
    const struct walk_steps *place = &table->place[position->place];
    unsigned wanted = (nearer ? mod4 - 1 : mod4 + 1) & 3u;
    out->count = 0;
    if (table->geometry.multi)
        return find_lines(table, position, wanted, out, error);
    for (unsigned i = 0; i < place->count; i++) {
        unsigned there = 0;
        enum pz_status status = step_mod4(table, position, place->step[i], &there, error);
        if (status != PZ_OK)
            return status;
        if (there == wanted)
            out->step[out->count++] = place->step[i];
    }
    return PZ_OK;
}

/*
 * Finds the first step that leads nearer. The place that the walk came from is farther, and some neighbour
 * must be nearer. So the last neighbour need not be looked up if no other is nearer.
 */
__attribute__((always_inline)) static inline enum pz_status
nearer_step(struct dense_table *table, const struct dense_position *position, unsigned mod4,
            unsigned came_from, struct walk_step *out, struct pz_error *error)
{
    const struct walk_steps *place = &table->place[position->place];
    unsigned wanted = (mod4 - 1) & 3u;
    unsigned last = place->count - 1u;
    if (place->step[last].to == came_from && last > 0)
        last--;
    for (unsigned i = 0; i < last; i++) {
        if (place->step[i].to == came_from)
            continue;
        unsigned there = 0;
        enum pz_status status = step_mod4(table, position, place->step[i], &there, error);
        if (status != PZ_OK)
            return status;
        if (there == wanted) {
            *out = place->step[i];
            return PZ_OK;
        }
    }
    *out = place->step[last];
    return PZ_OK;
}

/* Sets is_home where the walk has come to the root. */
static enum pz_status arrive(const struct dense_walk *walk, bool *is_home, struct pz_error *error)
{
    *is_home = walk->at.number == 0 && walk->at.place == walk->table->geometry.root_place;
    if (*is_home && walk->mod4 != 0)
        return pz_fail(error, PZ_STORAGE, "the table contradicts itself: the root is not at distance 0");
    return PZ_OK;
}

static enum pz_status nearer_line(const struct dense_walk *walk, struct walk_step *out,
                                  struct pz_error *error)
{
    struct walk_steps steps;
    enum pz_status status = walk_find(walk->table, &walk->at, walk->mod4, true, &steps, error);
    if (status == PZ_OK && steps.count == 0)
        return pz_fail(error, PZ_STORAGE, "the table contradicts itself: no neighbour of a board is nearer");
    *out = steps.step[0];
    return status;
}

__attribute__((always_inline)) static inline enum pz_status dense_step(struct dense_walk *walk, bool *is_home,
                                                                       struct pz_error *error)
{
    struct walk_step step = {0};
    enum pz_status status = walk->table->geometry.multi ? nearer_line(walk, &step, error)
                                                        : nearer_step(walk->table, &walk->at, walk->mod4,
                                                                      walk->came_from, &step, error);
    if (status != PZ_OK)
        return status;
    walk->direction = step.direction;
    walk->came_from = walk->at.place;
    walk_take(walk->table, &walk->at, step);
    walk->mod4 = (walk->mod4 - 1) & 3u;
    return arrive(walk, is_home, error);
}

enum pz_status walk_start(struct dense_table *table, const struct dense_position *position,
                          struct pz_error *error)
{
    struct dense_walk *walk = &table->walk;
    *walk = (struct dense_walk){.table = table, .at = *position, .came_from = DENSE_PLACES_MAX};
    enum pz_status status = walk_mod4(table, position->number, position->place, &walk->mod4, error);
    return status == PZ_OK ? arrive(walk, &table->base.is_home, error) : status;
}

enum pz_status walk_nearer(struct table_reader *reader, struct pz_error *error)
{
    struct dense_table *table = (struct dense_table *)reader;
    const uint8_t *cell_of = table->geometry.cell_of;
    unsigned from = cell_of[table->walk.at.place];
    assert(table->board.tile[from] == BOARD_BLANK);
    enum pz_status status = dense_step(&table->walk, &reader->is_home, error);
    for (unsigned to; from != cell_of[table->walk.at.place]; from = to) {
        to = table->geometry.grid.neighbour[from][table->walk.direction];
        table->board.tile[from] = table->board.tile[to];
        table->board.tile[to] = BOARD_BLANK;
    }
    return status;
}

/* A loop of its own, in which a lookup spends most of its time: the board need not follow. */
enum pz_status walk_home(struct table_reader *reader, uint32_t *moves, struct pz_error *error)
{
    struct dense_walk walk = ((struct dense_table *)reader)->walk;
    const uint32_t depth = reader->about.depth;
    bool is_home = reader->is_home;
    uint32_t done = 0;
    for (; !is_home; done++) {
        enum pz_status status =
            done < depth ? dense_step(&walk, &is_home, error) : table_reader_too_long(reader, error);
        if (status != PZ_OK)
            return status;
    }
    *moves = done;
    return PZ_OK;
}

enum pz_status walk_distance(struct dense_table *table, const struct dense_position *position,
                             uint32_t *distance, struct pz_error *error)
{
    enum pz_status status = walk_start(table, position, error);
    return status == PZ_OK ? walk_home(&table->base, distance, error) : status;
}
