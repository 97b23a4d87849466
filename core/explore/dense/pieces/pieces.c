/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/pieces.h"

#include <assert.h>
#include <stdlib.h>

bool pieces_init(struct pieces *pieces, const struct pieces_ops *ops, const struct pieces_size *size,
                 const struct spare *spare)
{
    bool whole = true;
    pieces->ops = ops;
    assert(size->groups > 0 && size->chunks > 0 && size->any_bytes < size->chunk_bytes);
    pieces->size = *size;
    pieces->spare = *spare;
    for (unsigned age = 0; age < PIECE_AGES; age++) {
        pieces->states[age] = calloc(size->groups, sizeof *pieces->states[age]);
        whole = whole && pieces->states[age] != NULL;
    }
    return whole;
}

void pieces_clear(struct pieces *pieces)
{
    for (unsigned age = 0; age < PIECE_AGES; age++)
        free(pieces->states[age]);
}

uint64_t pieces_bytes(const struct pieces_size *size)
{
    return PIECE_AGES * sizeof(uint64_t) * size->groups;
}

void pieces_end_level(struct pieces *pieces)
{
    uint64_t *old = pieces->states[PIECE_BEFORE];
    for (unsigned age = 0; age < PIECE_NEXT; age++) {
        pieces->states[age] = pieces->states[age + 1];
        pieces->tally[age] = pieces->tally[age + 1];
    }
    pieces->states[PIECE_NEXT] = old;
    pieces->tally[PIECE_NEXT] = (struct pieces_tally){0};
}

void pieces_add_tally(struct pieces *pieces, enum piece_age age, const struct pieces_tally *tally)
{
    if (tally == NULL)
        return;
    pieces->tally[age].fresh += tally->fresh;
    pieces->tally[age].rest += tally->rest;
}
