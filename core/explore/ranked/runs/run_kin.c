/* SPDX-License-Identifier: MIT */
#include "explore/ranked/runs/run_kin.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool run_kin_init(struct run_kin *kin, size_t words, unsigned moves)
{
    *kin = (struct run_kin){.words = words,
                            .set = malloc(words * sizeof *kin->set),
                            .runs = malloc((moves + 1) * sizeof *kin->runs),
                            .found = malloc((moves + 1) * sizeof *kin->found)};
    return kin->set != NULL && kin->runs != NULL && kin->found != NULL;
}

void run_kin_clear(struct run_kin *kin)
{
    free(kin->set);
    free(kin->runs);
    free(kin->found);
}

static void sort(uint64_t *runs, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        const uint64_t next = runs[i];
        unsigned at = i;
        for (; at > 0 && runs[at - 1] > next; at--)
            runs[at] = runs[at - 1];
        runs[at] = next;
    }
}

bool run_kin_begin(struct run_kin *kin, uint32_t last, unsigned count)
{
    const size_t bytes = count * sizeof *kin->runs;
    assert(count > 0);
    sort(kin->found, count);
    if (kin->last == last && kin->count == count && memcmp(kin->runs, kin->found, bytes) == 0)
        return false;
    kin->last = last;
    kin->count = count;
    memcpy(kin->runs, kin->found, bytes);
    memset(kin->set, 0, kin->words * sizeof *kin->set);
    return true;
}

uint32_t run_kin_order(const struct pz_runs *runs, struct run_share share, uint32_t *order)
{
    const uint64_t own = run_share_count(share, runs->outers);
    bool *has_place = calloc(own + 1, sizeof *has_place);
    uint64_t count = 0, most = 1;
    if (has_place == NULL)
        return 0;
    for (uint64_t place = 0; place < own; place++) {
        const uint64_t first = count;
        if (has_place[place])
            continue;
        has_place[place] = true;
        order[count++] = (uint32_t)place;
        for (unsigned move = 0; move < runs->moves; move++) {
            struct pz_edge edge;
            runs->edge(runs, move, run_share_at(share, place), &edge);
            if (!run_kin_joins(&edge) || !run_share_has(share, edge.outer))
                continue;
            const uint64_t other = run_share_place(share, edge.outer);
            if (!has_place[other])
                order[count++] = (uint32_t)other;
            has_place[other] = true;
        }
        most = count - first > most ? count - first : most;
    }
    free(has_place);
    assert(count == own);
    return (uint32_t)most;
}
