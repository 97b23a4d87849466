/* SPDX-License-Identifier: MIT */
/* Pieces in memory: each chunk is a string of an arena. */
#include "explore/pieces/pieces.h"

#include <stdlib.h>
#include <string.h>

struct slot {
    struct arena_string string;
    uint32_t states;
    uint32_t code;
};

struct memory_pieces {
    struct pieces base;
    struct arena *arena;
    struct slot *slot[PIECE_AGES]; /* group × chunks */
    uint32_t group;                /* entered */
};

static struct memory_pieces *of(struct pieces *pieces)
{
    return (struct memory_pieces *)pieces;
}

static struct slot *slot_of(const struct memory_pieces *pieces, enum piece_age age, uint32_t group,
                            uint32_t chunk)
{
    return &pieces->slot[age][(size_t)group * pieces->base.size.chunks + chunk];
}

static enum pz_status enter(struct pieces *pieces, uint32_t group, struct pz_error *error)
{
    (void)error;
    of(pieces)->group = group;
    return PZ_OK;
}

static enum pz_status look(struct pieces *pieces, enum piece_age age, uint32_t group, struct pz_error *error)
{
    (void)age;
    return enter(pieces, group, error);
}

static enum pz_status get_chunk(struct pieces *pieces, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                                struct piece_chunk *out)
{
    const struct memory_pieces *own = of(pieces);
    const struct slot *slot = slot_of(own, age, own->group, chunk);
    *out = (struct piece_chunk){.states = slot->states,
                                .code = (enum code)slot->code,
                                .length = slot->string.length,
                                .bytes = scratch};
    arena_get(own->arena, slot->string, scratch);
    return PZ_OK;
}

static enum pz_status put_chunk(struct pieces *pieces, uint32_t chunk, const struct piece_chunk *from)
{
    struct memory_pieces *own = of(pieces);
    struct slot *slot = slot_of(own, PIECE_NEXT, own->group, chunk);
    slot->states = from->states;
    slot->code = from->code;
    if (from->states == 0)
        return PZ_OK;
    return arena_put(own->arena, from->bytes, from->length, &slot->string) ? PZ_OK : PZ_MEMORY;
}

static void drop(struct memory_pieces *own, enum piece_age age, uint32_t group)
{
    for (uint32_t chunk = 0; chunk < own->base.size.chunks; chunk++) {
        struct slot *slot = slot_of(own, age, group, chunk);
        arena_drop(own->arena, &slot->string);
        slot->states = 0;
    }
}

static enum pz_status leave(struct pieces *pieces, uint64_t states, struct pz_error *error)
{
    (void)error;
    pieces->states[PIECE_NEXT][of(pieces)->group] = states;
    drop(of(pieces), PIECE_BEFORE, of(pieces)->group);
    return PZ_OK;
}

static enum pz_status skip(struct pieces *pieces, uint32_t group, struct pz_error *error)
{
    (void)error;
    pieces->states[PIECE_NEXT][group] = 0;
    drop(of(pieces), PIECE_BEFORE, group);
    return PZ_OK;
}

static enum pz_status turn(struct pieces *pieces, struct pz_error *error)
{
    struct memory_pieces *own = of(pieces);
    (void)error;
    struct slot *empty = own->slot[PIECE_BEFORE];
    for (unsigned age = 0; age < PIECE_NEXT; age++)
        own->slot[age] = own->slot[age + 1];
    own->slot[PIECE_NEXT] = empty;
    pieces_turn(pieces);
    return PZ_OK;
}

static enum pz_status anew(struct pieces *pieces, struct pz_error *error)
{
    (void)error;
    for (enum piece_age age = PIECE_BEFORE; age < PIECE_AGES; age++)
        for (uint32_t group = 0; group < pieces->size.groups; group++)
            drop(of(pieces), age, group);
    return PZ_OK;
}

static enum pz_status find(struct pieces *pieces, uint32_t now, uint32_t *done, struct pz_error *error)
{
    (void)pieces;
    *done = 0;
    return pz_fail(error, PZ_STORAGE, "pieces of level %u do not outlive their process", now);
}

static void figures(const struct pieces *pieces, struct pieces_figures *out)
{
    (void)pieces;
    *out = (struct pieces_figures){0};
}

static void memory_free(struct pieces *pieces)
{
    for (unsigned age = 0; age < PIECE_AGES; age++)
        free(of(pieces)->slot[age]);
    pieces_clear(pieces);
    free(pieces);
}

static const struct pieces_ops memory_ops = {.anew = anew,
                                             .find = find,
                                             .enter = enter,
                                             .chunk = get_chunk,
                                             .put = put_chunk,
                                             .leave = leave,
                                             .skip = skip,
                                             .turn = turn,
                                             .look = look,
                                             .figures = figures,
                                             .free = memory_free};

uint64_t pieces_memory_bytes(const struct pieces_size *size)
{
    return sizeof(struct memory_pieces) + pieces_bytes(size) +
           PIECE_AGES * sizeof(struct slot) * size->groups * size->chunks;
}

enum pz_status pieces_memory_new(const struct pieces_size *size, struct arena *arena, struct pieces **out,
                                 struct pz_error *error)
{
    struct memory_pieces *own = calloc(1, sizeof *own);
    if (own == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pieces");
    bool whole = pieces_init(&own->base, &memory_ops, size);
    own->arena = arena;
    for (unsigned age = 0; age < PIECE_AGES; age++) {
        own->slot[age] = calloc((size_t)size->groups * size->chunks, sizeof(struct slot));
        whole = whole && own->slot[age] != NULL;
    }
    if (!whole) {
        memory_free(&own->base);
        return pz_fail(error, PZ_MEMORY, "no memory for pieces");
    }
    *out = &own->base;
    return PZ_OK;
}
