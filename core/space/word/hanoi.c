/* SPDX-License-Identifier: MIT */
/* A state has the peg of each disc, the smallest first, in 3 bits each. */
#include "space/word/word_puzzles.h"

#include <assert.h>

enum { PEGS_MAX = 8, PEG_BITS = 3, DISCS_MAX = 21 };

struct hanoi {
    struct goal_space ends; /* first: a hanoi is a pz_space */
    unsigned pegs, discs;
};

static const struct hanoi *hanoi_of(const struct pz_space *space)
{
    return (const struct hanoi *)space;
}

static unsigned peg_of(uint64_t tower, unsigned disc)
{
    return (unsigned)(tower >> disc * PEG_BITS & (PEGS_MAX - 1));
}

/* Returns the tower with all discs on one peg. */
static uint64_t tower_on(const struct hanoi *hanoi, unsigned peg)
{
    uint64_t tower = 0;
    for (unsigned disc = 0; disc < hanoi->discs; disc++)
        tower |= (uint64_t)peg << disc * PEG_BITS;
    return tower;
}

/* ---- the search's view ---- */

/* A token is the peg that a disc went to: no successor moves that disc again. */
static unsigned hanoi_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                             void *successors, uint8_t *tokens)
{
    const struct hanoi *hanoi = hanoi_of(space);
    const uint64_t tower = word_of(state);
    uint64_t *out = successors;
    unsigned count = 0;
    uint32_t covered = 0; /* pegs with a smaller disc on top */
    for (unsigned disc = 0; disc < hanoi->discs && covered + 1 != 1u << hanoi->pegs; disc++) {
        const unsigned from = peg_of(tower, disc);
        if ((covered >> from & 1) != 0)
            continue;
        for (unsigned to = 0; to < hanoi->pegs; to++) {
            if (to == from || from == came_by || (covered >> to & 1) != 0)
                continue;
            tokens[count] = (uint8_t)to;
            out[count++] = tower ^ (uint64_t)(from ^ to) << disc * PEG_BITS;
        }
        covered |= 1u << from;
    }
    assert(count <= space->max_successors);
    return count;
}

/* Counts the discs that are not on their peg of the goal: a move brings one there at most. */
static unsigned hanoi_heuristic(const struct pz_space *space, const void *state)
{
    const struct hanoi *hanoi = hanoi_of(space);
    const uint64_t tower = word_of(state);
    unsigned away = 0;
    for (unsigned disc = 0; disc < hanoi->discs; disc++)
        away += peg_of(tower, disc) != peg_of(hanoi->ends.goal[0], disc);
    return away;
}

void hanoi_start(const struct pz_space *space, void *state)
{
    const uint64_t start = tower_on(hanoi_of(space), 0);
    memcpy(state, &start, sizeof start);
}

/* Returns true if every disc is on a peg that is there, and no other bit is set. */
static bool hanoi_valid(const struct pz_space *space, const void *state)
{
    const struct hanoi *hanoi = hanoi_of(space);
    const uint64_t tower = word_of(state);
    for (unsigned disc = 0; disc < hanoi->discs; disc++)
        if (peg_of(tower, disc) >= hanoi->pegs)
            return false;
    return tower >> hanoi->discs * PEG_BITS == 0;
}

/* ---- numbers: a digit for each disc ---- */

static uint64_t hanoi_count(const struct pz_space *space)
{
    const struct hanoi *hanoi = hanoi_of(space);
    uint64_t count = 1;
    for (unsigned disc = 0; disc < hanoi->discs; disc++)
        count *= hanoi->pegs;
    return count;
}

static uint64_t hanoi_rank(const struct pz_space *space, const void *state)
{
    const struct hanoi *hanoi = hanoi_of(space);
    const uint64_t tower = word_of(state);
    uint64_t number = 0;
    for (unsigned disc = hanoi->discs; disc-- > 0;)
        number = number * hanoi->pegs + peg_of(tower, disc);
    return number;
}

static void hanoi_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    const struct hanoi *hanoi = hanoi_of(space);
    uint64_t tower = 0;
    for (unsigned disc = 0; disc < hanoi->discs; disc++, number /= hanoi->pegs)
        tower |= number % hanoi->pegs << disc * PEG_BITS;
    memcpy(state, &tower, sizeof tower);
}

/* ---- texts: the peg of each disc, the smallest first ---- */

static enum pz_status hanoi_parse(const struct pz_space *space, const char *text, void *state,
                                  struct pz_error *error)
{
    const struct hanoi *hanoi = hanoi_of(space);
    const char *rest = text;
    uint64_t tower = 0;
    unsigned disc = 0;
    for (; *rest != '\0' && disc < hanoi->discs; disc++) {
        const int64_t peg = space_read_number(&rest);
        if (peg < 1 || peg > (int64_t)hanoi->pegs)
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': disc %u is on one of the pegs 1 to %u", text,
                           disc + 1, hanoi->pegs);
        tower |= (uint64_t)(peg - 1) << disc * PEG_BITS;
    }
    if (disc < hanoi->discs || *rest != '\0')
        return pz_fail(error, PZ_BAD_BOARD, "'%.80s': a peg for each of %u discs, the smallest first", text,
                       hanoi->discs);
    memcpy(state, &tower, sizeof tower);
    return PZ_OK;
}

static size_t hanoi_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const uint64_t tower = word_of(state);
    size_t length = 0;
    for (unsigned disc = 0; disc < hanoi_of(space)->discs; disc++)
        length += (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "%s%u", disc > 0 ? "," : "",
                                   peg_of(tower, disc) + 1);
    return length;
}

static size_t hanoi_describe(const struct pz_space *space, const void *from, const void *to,
                             char out[PZ_TEXT_MAX])
{
    const uint64_t before = word_of(from), after = word_of(to);
    unsigned disc = 0;
    while (disc + 1 < hanoi_of(space)->discs && peg_of(before, disc) == peg_of(after, disc))
        disc++;
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%u>%u", peg_of(before, disc) + 1, peg_of(after, disc) + 1);
}

/* ---- pieces: discs on pegs, all on one floor ---- */

static void put_disc(const struct hanoi *hanoi, unsigned disc, double middle, unsigned below,
                     pz_put_piece *put, void *taker)
{
    static const char *const kinds[] = {"block1", "block2", "block3", "block4"};
    char id[16];
    const double width = disc + 1.6;
    (void)snprintf(id, sizeof id, "d%u", disc + 1);
    put(taker,
        &(struct pz_piece){kinds[disc % 4], id, id + 1, middle - width / 2, hanoi->discs - below, width, 1});
}

static struct pz_size hanoi_pieces(const struct pz_space *space, const void *state, const char *path,
                                   pz_put_piece *put, void *taker)
{
    const struct hanoi *hanoi = hanoi_of(space);
    const double width = hanoi->discs + 1.5;
    const uint64_t tower = word_of(state);
    (void)path;
    for (unsigned peg = 0; peg < hanoi->pegs; peg++) {
        char id[16];
        unsigned below = 0;
        (void)snprintf(id, sizeof id, "peg%u", peg);
        put(taker,
            &(struct pz_piece){"wall", id, NULL, (peg + 0.5) * width - 0.15, 0.3, 0.9, hanoi->discs + 0.7});
        for (unsigned disc = hanoi->discs; disc-- > 0;)
            if (peg_of(tower, disc) == peg)
                put_disc(hanoi, disc, (peg + 0.5) * width + 0.3, below++, put, taker);
    }
    return (struct pz_size){hanoi->pegs * width, hanoi->discs + 1};
}

/* ---- making one ---- */

static const char *const hanoi_keys[] = {NULL};

static enum pz_status hanoi_make(struct pz_space *space, const struct pz_setup *setup, struct pz_error *error)
{
    struct hanoi *hanoi = (struct hanoi *)space;
    struct space_options options;
    enum pz_status status = space_options_read(&options, setup, hanoi_keys, error);
    if (status != PZ_OK)
        return status;
    const char *rest = options.head;
    const int64_t pegs = space_read_number(&rest);
    const int64_t discs = *rest != '\0' ? space_read_number(&rest) : SPACE_NUMBER_BAD;
    if (pegs < 3 || pegs > PEGS_MAX || discs < 1 || discs > DISCS_MAX || *rest != '\0')
        return pz_fail(error, PZ_BAD_PUZZLE, "'%.40s': 3 to %d pegs and 1 to %d discs, hanoi:4,10",
                       options.head, PEGS_MAX, DISCS_MAX);
    hanoi->pegs = (unsigned)pegs;
    hanoi->discs = (unsigned)discs;
    space->state_bytes = sizeof(uint64_t);
    space->max_successors = hanoi->pegs * (hanoi->pegs - 1) / 2;
    space->flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | PZ_WEAK_BOUND;
    (void)snprintf(space->size, sizeof space->size, "%u,%u", hanoi->pegs, hanoi->discs);
    hanoi->ends.goal[0] = tower_on(hanoi, hanoi->pegs - 1);
    return goal_space_take(&hanoi->ends, space_option(&options, "goal"), error);
}

static enum pz_status hanoi_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return space_make(&hanoi_puzzle, sizeof(struct hanoi), hanoi_make, setup, out, error);
}

const struct pz_puzzle hanoi_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "hanoi",
    .summary = "the tower of Hanoi, with any number of pegs: pegs,discs",
    .example = "hanoi:4,8",
    .keys = hanoi_keys,
    .open = hanoi_open,
    .close = space_free,
    .parse = hanoi_parse,
    .print = hanoi_print,
    .describe = hanoi_describe,
    .separator = ",",
    .root = goal_space_root,
    .goal = goal_space_goal,
    .is_goal = goal_space_is_goal,
    .expand = hanoi_expand,
    .heuristic = hanoi_heuristic,
    .count = hanoi_count,
    .rank = hanoi_rank,
    .unrank = hanoi_unrank,
    .valid = hanoi_valid,
    .pieces = hanoi_pieces,
};
