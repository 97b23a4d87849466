/* SPDX-License-Identifier: MIT */
/*
 * Pieces in memory: each chunk is a string of an arena. Pieces are plain while coded pieces leave memory for
 * that.
 */
#include "explore/dense/pieces/pieces.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW = 64 /* a piece is worth keeping plain if one class in so many has a state */, MARGIN = 4 };

struct slot {
    struct arena_string string; /* of a coded chunk */
    uint32_t states;
    uint32_t code;
};

struct memory_pieces {
    struct pieces base;
    struct arena *arena;
    struct slot *slot[PIECE_AGES]; /* group × chunks */
    /* By group: the classes, then the present bytes, in one piece; of length 0 for coded pieces. */
    struct arena_string *plain[PIECE_AGES];
    uint32_t group; /* entered */
    bool in_place;  /* its plain piece of NEXT is made in that of BEFORE */
};

static struct memory_pieces *memory_of(struct pieces *pieces)
{
    return (struct memory_pieces *)pieces;
}

static struct slot *piece_slot(const struct memory_pieces *pieces, enum piece_age age, uint32_t group,
                               uint32_t chunk)
{
    assert(age < PIECE_AGES && group < pieces->base.size.groups && chunk < pieces->base.size.chunks);
    return &pieces->slot[age][(size_t)group * pieces->base.size.chunks + chunk];
}

/* ---- plain pieces ---- */

static size_t plain_bytes(const struct pieces_size *size)
{
    return (size_t)size->chunks * size->chunk_bytes + CODEC_PAD;
}

static uint8_t *any_of(const struct memory_pieces *own, uint8_t *plain, uint32_t chunk)
{
    const struct pieces_size *size = &own->base.size;
    return plain + (size_t)size->chunks * size->classes + (size_t)chunk * size->any_bytes;
}

/* Returns true if the arena can grow by so many bytes more, and still needs none of the plain pieces' memory.
 */
static bool has_spare(const struct memory_pieces *own, size_t bytes)
{
    const struct spare *spare = &own->base.spare;
    return spare_left(spare) + arena_unused(own->arena) >= spare->reserve + bytes;
}

/* Chooses where and how NEXT is made. With a plain BEFORE it is made in the same place; if memory is short,
 * it is coded and BEFORE is freed. With a coded BEFORE it is plain if NOW is wide and memory will last. A
 * part of the budget stays free, because others take from it. */
static void choose_plain(struct memory_pieces *own)
{
    const struct pieces_size *size = &own->base.size;
    struct arena_string *before = &own->plain[PIECE_BEFORE][own->group];
    struct arena_string *next = &own->plain[PIECE_NEXT][own->group];
    bool worth = own->base.states[PIECE_NOW][own->group] >= (uint64_t)size->chunks * size->classes / NARROW &&
                 spare_left(&own->base.spare) >= plain_bytes(size) + own->base.spare.reserve / 8;
    own->in_place = before->length > 0 && has_spare(own, 0);
    if (own->in_place) {
        *next = *before;
        before->length = 0;
    } else if (before->length == 0 && worth && has_spare(own, MARGIN * plain_bytes(size)))
        (void)arena_reserve(own->arena, plain_bytes(size), next);
}

static uint8_t *plain_of(const struct memory_pieces *own, enum piece_age age)
{
    struct arena_string plain =
        own->plain[age == PIECE_BEFORE && own->in_place ? PIECE_NEXT : age][own->group];
    return plain.length > 0 ? arena_bytes(own->arena, plain) : NULL;
}

static uint8_t *get_plain(struct pieces *pieces, enum piece_age age)
{
    return plain_of(memory_of(pieces), age);
}

/* ---- the store ---- */

static enum pz_status enter(struct pieces *pieces, uint32_t group, struct pz_error *error)
{
    struct memory_pieces *own = memory_of(pieces);
    assert(group < pieces->size.groups);
    (void)error;
    own->group = group;
    choose_plain(own);
    return PZ_OK;
}

static enum pz_status memory_look(struct pieces *pieces, enum piece_age age, uint32_t group,
                                  struct pz_error *error)
{
    struct memory_pieces *own = memory_of(pieces);
    (void)age;
    (void)error;
    own->group = group;
    own->in_place = false;
    return PZ_OK;
}

static enum pz_status look_state(struct pieces *pieces, enum piece_age age, uint32_t group, uint64_t *number,
                                 uint32_t *chunk, struct pz_error *error)
{
    struct memory_pieces *own = memory_of(pieces);
    enum pz_status status = memory_look(pieces, age, group, error);
    for (*chunk = 0; *chunk < pieces->size.chunks; ++*chunk) {
        uint32_t states = piece_slot(own, age, group, *chunk)->states;
        if (*number < states)
            return status;
        *number -= states;
    }
    return pz_fail(error, PZ_STORAGE, "the pieces of group %u hold fewer states than were counted", group);
}

static enum pz_status get_chunk(struct pieces *pieces, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                                struct piece_chunk *out)
{
    const struct memory_pieces *own = memory_of(pieces);
    const struct slot *slot = piece_slot(own, age, own->group, chunk);
    uint8_t *plain = plain_of(own, age);
    if (plain != NULL) {
        *out = (struct piece_chunk){.states = slot->states,
                                    .length = own->base.size.any_bytes,
                                    .bytes = any_of(own, plain, chunk),
                                    .plain = plain + (size_t)chunk * own->base.size.classes};
        return PZ_OK;
    }
    *out = (struct piece_chunk){.states = slot->states,
                                .code = (enum code)slot->code,
                                .length = slot->string.length,
                                .bytes = scratch};
    arena_get(own->arena, slot->string, scratch);
    return PZ_OK;
}

static void drop_chunk(struct memory_pieces *own, enum piece_age age, uint32_t group, uint32_t chunk)
{
    struct slot *slot = piece_slot(own, age, group, chunk);
    arena_drop(own->arena, &slot->string);
    slot->states = 0;
}

/* The chunk of BEFORE is not needed any more. The new chunk gets its memory, which is in the caches. */
static enum pz_status put_chunk(struct pieces *pieces, uint32_t chunk, const struct piece_chunk *from)
{
    struct memory_pieces *own = memory_of(pieces);
    struct slot *slot = piece_slot(own, PIECE_NEXT, own->group, chunk);
    drop_chunk(own, PIECE_BEFORE, own->group, chunk);
    slot->states = from->states;
    slot->code = from->code;
    uint8_t *plain = plain_of(own, PIECE_NEXT);
    if (from->states == 0)
        return PZ_OK;
    assert(from->length > 0 && from->length <= own->base.size.chunk_bytes);
    if (plain != NULL) {
        memcpy(any_of(own, plain, chunk), from->bytes, from->length);
        return PZ_OK;
    }
    return arena_put(own->arena, from->bytes, from->length, &slot->string) ? PZ_OK : PZ_MEMORY;
}

static void memory_drop(struct memory_pieces *own, enum piece_age age, uint32_t group)
{
    for (uint32_t chunk = 0; chunk < own->base.size.chunks; chunk++)
        drop_chunk(own, age, group, chunk);
    arena_drop(own->arena, &own->plain[age][group]);
}

static enum pz_status leave(struct pieces *pieces, uint64_t states, const struct pieces_tally *tally,
                            struct pz_error *error)
{
    struct memory_pieces *own = memory_of(pieces);
    (void)error;
    pieces->states[PIECE_NEXT][own->group] = states;
    pieces_add_tally(pieces, PIECE_NEXT, tally);
    arena_drop(own->arena, &own->plain[PIECE_BEFORE][own->group]);
    if (states == 0)
        arena_drop(own->arena, &own->plain[PIECE_NEXT][own->group]);
    return PZ_OK;
}

static enum pz_status skip(struct pieces *pieces, uint32_t group, struct pz_error *error)
{
    (void)error;
    pieces->states[PIECE_NEXT][group] = 0;
    memory_drop(memory_of(pieces), PIECE_BEFORE, group);
    return PZ_OK;
}

static enum pz_status end_level(struct pieces *pieces, struct pz_error *error)
{
    struct memory_pieces *own = memory_of(pieces);
    (void)error;
    struct slot *empty = own->slot[PIECE_BEFORE];
    struct arena_string *none = own->plain[PIECE_BEFORE];
    for (unsigned age = 0; age < PIECE_NEXT; age++) {
        own->slot[age] = own->slot[age + 1];
        own->plain[age] = own->plain[age + 1];
    }
    own->slot[PIECE_NEXT] = empty;
    own->plain[PIECE_NEXT] = none;
    pieces_end_level(pieces);
    return PZ_OK;
}

static enum pz_status start_over(struct pieces *pieces, struct pz_error *error)
{
    (void)error;
    for (enum piece_age age = PIECE_BEFORE; age < PIECE_AGES; age++)
        for (uint32_t group = 0; group < pieces->size.groups; group++)
            memory_drop(memory_of(pieces), age, group);
    return PZ_OK;
}

static void memory_free(struct pieces *pieces)
{
    struct memory_pieces *own = memory_of(pieces);
    for (enum piece_age age = PIECE_BEFORE; age < PIECE_AGES; age++) {
        for (uint32_t group = 0; own->plain[age] != NULL && group < pieces->size.groups; group++)
            arena_drop(own->arena, &own->plain[age][group]);
        free((void *)own->plain[age]);
        free(own->slot[age]);
    }
    pieces_clear(pieces);
    free(pieces);
}

static const struct pieces_ops memory_ops = {.start_over = start_over,
                                             .enter = enter,
                                             .chunk = get_chunk,
                                             .plain = get_plain,
                                             .put = put_chunk,
                                             .leave = leave,
                                             .skip = skip,
                                             .end_level = end_level,
                                             .look = memory_look,
                                             .look_state = look_state,
                                             .free = memory_free};

uint64_t pieces_memory_bytes(const struct pieces_size *size)
{
    return sizeof(struct memory_pieces) + pieces_bytes(size) +
           PIECE_AGES * (sizeof(struct slot) * size->chunks + sizeof(struct arena_string)) * size->groups;
}

enum pz_status pieces_memory_new(const struct pieces_size *size, struct arena *arena,
                                 const struct spare *spare, struct pieces **out, struct pz_error *error)
{
    struct memory_pieces *own = calloc(1, sizeof *own);
    if (own == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pieces");
    bool whole = pieces_init(&own->base, &memory_ops, size, spare);
    own->arena = arena;
    for (unsigned age = 0; age < PIECE_AGES; age++) {
        own->slot[age] = calloc((size_t)size->groups * size->chunks, sizeof(struct slot));
        own->plain[age] = calloc(size->groups, sizeof *own->plain[age]);
        whole = whole && own->slot[age] != NULL && own->plain[age] != NULL;
    }
    if (!whole) {
        memory_free(&own->base);
        return pz_fail(error, PZ_MEMORY, "no memory for pieces");
    }
    *out = &own->base;
    return PZ_OK;
}
