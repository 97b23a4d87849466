/* SPDX-License-Identifier: MIT */
/*
 * A ring of tokens; a move reverses a run of neighbours. Turning the whole ring does not matter, so a state
 * has the tokens that follow token 1, in 4 bits each.
 */
#include "space/word/word_puzzles.h"

#include <math.h>
#include <string.h>

enum { TOKENS_MAX = 16, TOKEN_BITS = 4 };

struct topspin {
    struct word_space word; /* first: a topspin is a pz_space */
    unsigned tokens, run;
    uint8_t place[TOKENS_MAX]; /* of each token in the goal */
};

static const struct topspin *topspin_of(const struct pz_space *space)
{
    return (const struct topspin *)space;
}

/* Fills the ring; what lies beyond its tokens is 0. Token 0 is in place 0 and not in the state. */
static void read_ring(const void *state, uint8_t ring[TOKENS_MAX])
{
    uint64_t tokens = word_of(state);
    ring[0] = 0;
    for (unsigned i = 1; i < TOKENS_MAX; i++, tokens >>= TOKEN_BITS)
        ring[i] = tokens & 15;
}

/* Returns the state of a ring with token 0 in any place. (Inside, tokens count from 0.) */
static uint64_t ring_state(const struct topspin *topspin, const uint8_t *ring)
{
    const unsigned n = topspin->tokens;
    uint64_t tokens = 0;
    unsigned zero = 0;
    while (ring[zero] != 0)
        zero++;
    for (unsigned i = n; i-- > 1;)
        tokens = tokens << TOKEN_BITS | ring[zero + i < n ? zero + i : zero + i - n];
    return tokens;
}

/* ---- the search's view ---- */

static unsigned topspin_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                               void *successors, uint8_t *tokens)
{
    const struct topspin *topspin = topspin_of(space);
    const unsigned n = topspin->tokens;
    uint64_t *out = successors;
    uint8_t ring[TOKENS_MAX], turned[TOKENS_MAX];
    (void)came_by;
    read_ring(state, ring);
    for (unsigned first = 0; first < n; first++) {
        memcpy(turned, ring, sizeof turned);
        for (unsigned i = 0; i < topspin->run; i++)
            turned[(first + i) % n] = ring[(first + topspin->run - 1 - i) % n];
        tokens[first] = PZ_NO_TOKEN;
        out[first] = ring_state(topspin, turned);
    }
    return n;
}

static uint64_t in_order(const struct topspin *topspin)
{
    uint64_t tokens = 0;
    for (unsigned i = topspin->tokens; i-- > 1;)
        tokens = tokens << TOKEN_BITS | i;
    return tokens;
}

/* Counts neighbours that are none in the goal: a move parts two pairs at most. */
static unsigned topspin_heuristic(const struct pz_space *space, const void *state)
{
    const struct topspin *topspin = topspin_of(space);
    const unsigned n = topspin->tokens;
    uint8_t ring[TOKENS_MAX];
    unsigned gaps = 0;
    read_ring(state, ring);
    for (unsigned i = 0; i < n; i++) {
        const unsigned apart =
            (topspin->place[ring[i]] + n - topspin->place[ring[i + 1 < n ? i + 1 : 0]]) % n;
        gaps += apart != 1 && apart != n - 1;
    }
    return (gaps + 1) / 2;
}

/* ---- numbers: the places behind token 1, whose tokens each move permutes ---- */

static void describe_topspin(const void *context, struct twist *twist)
{
    const struct topspin *topspin = context;
    uint64_t first = in_order(topspin), turned[TOKENS_MAX];
    uint8_t tokens[TOKENS_MAX], ring[TOKENS_MAX];
    twist->places = topspin->tokens - 1;
    twist->sets = 1;
    twist->moves = topspin_expand(&topspin->word.ends.base, &first, PZ_NO_TOKEN, turned, tokens);
    twist->set[0] =
        (struct twist_set){.places = (uint8_t)twist->places, .turns = 1, .kinds = (uint8_t)twist->places};
    read_ring(topspin->word.ends.goal, ring);
    for (unsigned i = 0; i < twist->places; i++)
        twist->solved[i] = (uint8_t)(ring[i + 1] - 1);
    for (unsigned move = 0; move < twist->moves; move++) {
        read_ring(&turned[move], ring);
        for (unsigned i = 0; i < twist->places; i++)
            twist->move[move].from[i] = (uint8_t)(ring[i + 1] - 1);
    }
    twist_finish(twist);
    (void)twist_find_inverses(twist); /* turning the same tokens again */
}

static uint64_t topspin_rank(const struct pz_space *space, const void *state)
{
    uint8_t ring[TOKENS_MAX], order[TOKENS_MAX];
    read_ring(state, ring);
    for (unsigned i = 1; i < topspin_of(space)->tokens; i++)
        order[i - 1] = (uint8_t)(ring[i] - 1);
    return twist_numbers_rank(twist_lazy_numbers(topspin_of(space)->word.lazy), order);
}

static void topspin_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    uint8_t order[TOKENS_MAX];
    uint64_t tokens = 0;
    twist_numbers_unrank(twist_lazy_numbers(topspin_of(space)->word.lazy), number, order);
    for (unsigned i = topspin_of(space)->tokens - 1; i-- > 0;)
        tokens = tokens << TOKEN_BITS | (order[i] + 1u);
    memcpy(state, &tokens, sizeof tokens);
}

/* ---- texts: the tokens round the ring ---- */

static enum pz_status topspin_parse(const struct pz_space *space, const char *text, void *state,
                                    struct pz_error *error)
{
    const struct topspin *topspin = topspin_of(space);
    const char *rest = text;
    uint8_t ring[TOKENS_MAX] = {0};
    uint32_t seen = 0;
    unsigned count = 0;
    for (; *rest != '\0' && count < topspin->tokens; count++) {
        const int64_t token = space_read_number(&rest);
        if (token < 1 || token > (int64_t)topspin->tokens || (seen >> token & 1) != 0)
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': each of 1 to %u is there once, commas between",
                           text, topspin->tokens);
        seen |= 1u << token;
        ring[count] = (uint8_t)(token - 1);
    }
    if (count < topspin->tokens || *rest != '\0')
        return pz_fail(error, PZ_BAD_BOARD, "'%.80s': there are %u tokens", text, topspin->tokens);
    const uint64_t tokens = ring_state(topspin, ring);
    memcpy(state, &tokens, sizeof tokens);
    return PZ_OK;
}

static size_t topspin_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct topspin *topspin = topspin_of(space);
    uint8_t ring[TOKENS_MAX];
    size_t length = 0;
    read_ring(state, ring);
    for (unsigned i = 0; i < topspin->tokens; i++)
        length +=
            (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "%s%u", i > 0 ? "," : "", ring[i] + 1u);
    return length;
}

/* Writes a move as the place of the first token that is reversed; token 1 is in place 1. */
static size_t topspin_describe(const struct pz_space *space, const void *from, const void *to,
                               char out[PZ_TEXT_MAX])
{
    uint64_t successors[TOKENS_MAX];
    uint8_t tokens[TOKENS_MAX];
    const unsigned count = topspin_expand(space, from, PZ_NO_TOKEN, successors, tokens);
    unsigned move = 0;
    while (move + 1 < count && successors[move] != word_of(to))
        move++;
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%u", move + 1);
}

/* ---- pieces: the tokens round a ring, the first on top ---- */

static struct pz_size topspin_pieces(const struct pz_space *space, const void *state, const char *path,
                                     pz_put_piece *put, void *taker)
{
    static const double pi = 3.14159265358979323846;
    const struct topspin *topspin = topspin_of(space);
    const double round = topspin->tokens * 1.15 / (2 * pi);
    const double radius = round > 1.2 ? round : 1.2;
    uint8_t ring[TOKENS_MAX];
    (void)path;
    read_ring(state, ring);
    for (unsigned i = 0; i < topspin->tokens; i++) {
        char id[16];
        const double angle = 2 * pi * i / topspin->tokens - pi / 2;
        (void)snprintf(id, sizeof id, "t%u", ring[i] + 1u);
        put(taker, &(struct pz_piece){"token", id, id + 1, radius * (1 + cos(angle)),
                                      radius * (1 + sin(angle)), 1, 1});
    }
    return (struct pz_size){2 * radius + 1, 2 * radius + 1};
}

/* ---- making one ---- */

static const char *const topspin_keys[] = {NULL};

static void note_places(struct topspin *topspin)
{
    uint8_t ring[TOKENS_MAX];
    read_ring(topspin->word.ends.goal, ring);
    for (unsigned i = 0; i < topspin->tokens; i++)
        topspin->place[ring[i]] = (uint8_t)i;
}

static enum pz_status topspin_make(struct pz_space *space, const struct pz_setup *setup,
                                   struct pz_error *error)
{
    struct topspin *topspin = (struct topspin *)space;
    struct space_options options;
    enum pz_status status = space_options_read(&options, setup, topspin_keys, error);
    if (status != PZ_OK)
        return status;
    const char *rest = options.head;
    const int64_t tokens = space_read_number(&rest);
    const int64_t run = *rest != '\0' ? space_read_number(&rest) : SPACE_NUMBER_BAD;
    if (tokens < 3 || tokens > TOKENS_MAX || run < 2 || run >= tokens || *rest != '\0')
        return pz_fail(error, PZ_BAD_PUZZLE,
                       "'%.40s': 3 to %d tokens, of which fewer are turned: topspin:12,4", options.head,
                       TOKENS_MAX);
    topspin->word.lazy = twist_lazy_new(describe_topspin, topspin);
    if (topspin->word.lazy == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a ring");
    topspin->tokens = (unsigned)tokens;
    topspin->run = (unsigned)run;
    space->state_bytes = sizeof(uint64_t);
    space->max_successors = topspin->tokens;
    space->flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | PZ_WEAK_BOUND;
    (void)snprintf(space->size, sizeof space->size, "%u,%u", topspin->tokens, topspin->run);
    topspin->word.ends.goal[0] = in_order(topspin);
    status = goal_space_take(&topspin->word.ends, space_option(&options, "goal"), error);
    if (status == PZ_OK)
        note_places(topspin);
    return status;
}

static enum pz_status topspin_open(const struct pz_setup *setup, struct pz_space **out,
                                   struct pz_error *error)
{
    return space_make(&topspin_puzzle, sizeof(struct topspin), topspin_make, setup, out, error);
}

const struct pz_puzzle topspin_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "topspin",
    .summary = "a ring of tokens of which so many neighbours can be turned round: tokens,run",
    .example = "topspin:10,4",
    .keys = topspin_keys,
    .open = topspin_open,
    .close = word_close,
    .parse = topspin_parse,
    .print = topspin_print,
    .describe = topspin_describe,
    .separator = ",",
    .root = goal_space_root,
    .goal = goal_space_goal,
    .is_goal = goal_space_is_goal,
    .expand = topspin_expand,
    .heuristic = topspin_heuristic,
    .count = word_count,
    .rank = topspin_rank,
    .unrank = topspin_unrank,
    .runs = word_runs,
    .pieces = topspin_pieces,
};
