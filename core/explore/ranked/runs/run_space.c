/* SPDX-License-Identifier: MIT */
/* A space of runs and its workers: what they own, and which number is where. */
#include "explore/ranked/runs/run_level.h"

#include <assert.h>
#include <stdlib.h>

uint64_t run_space_bytes(const struct pz_runs *runs, struct run_share share)
{
    const uint64_t places = run_share_places(share, runs->outers);
    return runs->bytes + runs->align_bytes + places * (runs->align_bytes > 0 ? 4 : 3) * sizeof(uint32_t);
}

uint64_t run_positions(const struct pz_runs *runs, struct run_share share)
{
    return run_share_places(share, runs->outers) * run_shape_of(runs).run_words * WORD_STATES;
}

size_t run_file_words(const struct run_shape *shape)
{
    return shape->run_words + run_mark_words(shape);
}

bool run_space_init(struct run_space *space, struct pz_runs *runs, struct run_share share,
                    struct states *states, uint64_t seed)
{
    const uint64_t own = run_share_places(share, runs->outers);
    *space = (struct run_space){.runs = runs,
                                .shape = run_shape_of(runs),
                                .share = share,
                                .states = states,
                                .seed = seed,
                                .together = 1};
    space->left = calloc(3 * own, sizeof *space->left);
    if (space->left == NULL || !runs->prepare(runs) || (runs->align != NULL && !runs->align(runs)))
        return false;
    if (runs->to_numbers != NULL && own <= UINT32_MAX) {
        space->order = malloc(own * sizeof *space->order);
        space->together = space->order != NULL ? run_kin_order(runs, share, space->order) : 0;
        if (space->together == 0)
            return false;
    }
    for (uint64_t place = 0; place < own; place++)
        space->left[place] = runs->rows * runs->columns;
    space->found[0] = space->left + own;
    space->found[1] = space->left + 2 * own;
    return true;
}

void run_space_clear(struct run_space *space)
{
    free(space->left);
    free(space->order);
    run_file_free(space->file);
    foreign_runs_free(space->foreign);
    if (space->runs != NULL)
        space->runs->close(space->runs);
    *space = (struct run_space){0};
}

bool run_member_init(struct run_member *member, const struct run_space *space)
{
    const struct run_shape *shape = &space->shape;
    const size_t words = shape->run_words;
    const size_t read = space->file != NULL ? run_file_words(shape) + 1 : 1;
    *member = (struct run_member){.next = malloc(words * sizeof *member->next),
                                  .left = malloc(words * sizeof *member->left),
                                  .forward = calloc(space->runs->moves, sizeof *member->forward),
                                  .own = malloc(read * sizeof *member->own),
                                  .source = malloc(read * sizeof *member->source),
                                  .list.columns =
                                      malloc((shape->rows * (size_t)shape->columns + 1) * sizeof(uint16_t)),
                                  .list.count = malloc(shape->rows * sizeof(uint32_t)),
                                  .held = UINT64_MAX};
    return member->next != NULL && member->left != NULL && member->forward != NULL && member->own != NULL &&
           member->source != NULL && member->list.columns != NULL && member->list.count != NULL &&
           run_kin_init(&member->kin, words, space->runs->moves);
}

void run_member_clear(struct run_member *member)
{
    free(member->next);
    free(member->left);
    free(member->forward);
    free(member->own);
    free(member->source);
    free(member->list.columns);
    free(member->list.count);
    run_kin_clear(&member->kin);
    *member = (struct run_member){0};
}

uint64_t run_number(const struct run_space *space, uint64_t position)
{
    const struct pz_runs *runs = space->runs;
    const struct run_shape *shape = &space->shape;
    const uint64_t word = position / WORD_STATES, run = word / shape->run_words;
    const uint32_t in_run = (uint32_t)(word % shape->run_words);
    uint32_t row = in_run / shape->row_words;
    uint32_t column = in_run % shape->row_words * WORD_STATES + (uint32_t)(position % WORD_STATES);
    struct pz_edge by_number = {0};
    if (runs->to_numbers != NULL)
        runs->to_numbers(runs, run, &by_number);
    assert(row < shape->rows && column < shape->columns);
    row = by_number.rows != NULL ? by_number.rows[row] / pz_row_positions(shape->columns) : row;
    column = by_number.columns != NULL ? by_number.columns[column] : column;
    return (run * shape->rows + row) * shape->columns + column;
}
