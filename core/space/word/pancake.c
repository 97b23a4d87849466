/* SPDX-License-Identifier: MIT */
/*
 * A stack is sorted by flipping its top pancakes; burnt ones have to lie on their burnt side, too. A state
 * has the pancakes from the top on, in 4 bits each, or in 5 with the burnt side above in the fifth.
 */
#include "space/word/word_puzzles.h"

#include <assert.h>
#include <string.h>

enum { PANCAKES_PLAIN_MAX = 16, PANCAKES_BURNT_MAX = 12, BURNT = 16 };

struct pancake {
    struct word_space word; /* first: a pancake is a pz_space */
    unsigned pancakes;
    unsigned width; /* bits of a pancake */
    bool burnt;
    uint8_t wanted[32]; /* what each pancake, burnt side and all, is called where the goal is sorted */
};

static const struct pancake *pancake_of(const struct pz_space *space)
{
    return (const struct pancake *)space;
}

/* Returns how many pancakes a move flips. Move number 0 flips two, of burnt ones the first alone. */
static unsigned pancake_flipped(const struct pancake *pancake, unsigned move)
{
    return move + (pancake->burnt ? 1 : 2);
}

static unsigned at(const struct pancake *pancake, uint64_t stack, unsigned place)
{
    return (unsigned)(stack >> place * pancake->width & ((1u << pancake->width) - 1));
}

static uint64_t sorted(const struct pancake *pancake)
{
    uint64_t stack = 0;
    for (unsigned i = 0; i < pancake->pancakes; i++)
        stack |= (uint64_t)i << i * pancake->width;
    return stack;
}

/* ---- the search's view ---- */

/* A token is the number of pancakes flipped: flipping as many again undoes it. */
static unsigned pancake_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                               void *successors, uint8_t *tokens)
{
    const struct pancake *pancake = pancake_of(space);
    const unsigned first = pancake_flipped(pancake, 0);
    const uint64_t stack = word_of(state);
    uint64_t *out = successors;
    uint64_t turned = 0, mask = 0;
    unsigned count = 0;
    for (unsigned k = 1; k <= pancake->pancakes; k++) {
        const uint64_t flipped = at(pancake, stack, k - 1) ^ (pancake->burnt ? BURNT : 0u);
        turned = turned << pancake->width | flipped;
        mask = mask << pancake->width | ((1u << pancake->width) - 1);
        if (k < first || k - first == came_by)
            continue;
        tokens[count] = (uint8_t)(k - first);
        out[count++] = (stack & ~mask) | turned;
    }
    assert(count <= space->max_successors);
    return count;
}

/* Counts gaps (Helmert 2010): neighbours that cannot stay together, the last pancake and the plate included.
 * A flip changes only one pair of neighbours. */
static unsigned pancake_heuristic(const struct pz_space *space, const void *state)
{
    const struct pancake *pancake = pancake_of(space);
    const uint64_t stack = word_of(state);
    unsigned gaps = 0;
    for (unsigned i = 0; i < pancake->pancakes; i++) {
        const int upper = pancake->wanted[at(pancake, stack, i)];
        const int lower =
            i + 1 < pancake->pancakes ? pancake->wanted[at(pancake, stack, i + 1)] : (int)pancake->pancakes;
        const bool turned = (upper & BURNT) != 0;
        const bool joined = pancake->burnt
                                ? (turned ? lower == upper - 1 : lower == upper + 1)
                                : lower == upper + 1 || (lower == upper - 1 && i + 1 < pancake->pancakes);
        gaps += !joined;
    }
    return gaps;
}

/* ---- numbers: pieces that a flip carries, and turns where they are burnt ---- */

static void describe_pancakes(const void *context, struct twist *twist)
{
    const struct pancake *pancake = context;
    const unsigned turns = pancake->burnt ? 2 : 1, pancakes = pancake->pancakes;
    twist->places = pancakes;
    twist->sets = 1;
    twist->moves = pancake->word.ends.base.max_successors;
    twist->set[0] =
        (struct twist_set){.places = (uint8_t)pancakes, .turns = (uint8_t)turns, .kinds = (uint8_t)pancakes};
    for (unsigned i = 0; i < pancakes; i++)
        twist->solved[i] = (uint8_t)(i * turns);
    for (unsigned move = 0; move < twist->moves; move++) {
        const unsigned flipped = pancake_flipped(pancake, move);
        for (unsigned i = 0; i < pancakes; i++) {
            twist->move[move].from[i] = (uint8_t)(i < flipped ? flipped - 1 - i : i);
            twist->move[move].turn[i] = i < flipped ? (uint8_t)(turns - 1) : 0;
        }
        twist->inverse[move] = (uint8_t)move;
    }
    twist_finish(twist);
}

static uint64_t pancake_rank(const struct pz_space *space, const void *state)
{
    const struct pancake *pancake = pancake_of(space);
    uint8_t codes[TWIST_PLACES_MAX];
    for (unsigned i = 0; i < pancake->pancakes; i++) {
        const unsigned one = at(pancake, word_of(state), i);
        codes[i] = (uint8_t)(pancake->burnt ? one % BURNT * 2 + one / BURNT : one);
    }
    return twist_numbers_rank(twist_lazy_numbers(pancake->word.lazy), codes);
}

static void pancake_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    const struct pancake *pancake = pancake_of(space);
    uint8_t codes[TWIST_PLACES_MAX];
    uint64_t stack = 0;
    twist_numbers_unrank(twist_lazy_numbers(pancake->word.lazy), number, codes);
    for (unsigned i = 0; i < pancake->pancakes; i++)
        stack |= (uint64_t)(pancake->burnt ? codes[i] / 2u + codes[i] % 2u * BURNT : codes[i])
                 << i * pancake->width;
    memcpy(state, &stack, sizeof stack);
}

/* ---- texts ---- */

/* Returns true if one of the numbers is 0. */
static bool has_pancake_0(const char *text)
{
    for (; *text != '\0'; text += *text != '\0') {
        text += strspn(text, "- ");
        if (strspn(text, "0") > 0 && strspn(text, "0") == strspn(text, "0123456789"))
            return true;
        text += strcspn(text, ",:/ ");
    }
    return false;
}

/* Reads the pancakes from the top, 1 or 0 the smallest, with a minus where the burnt side is above. */
static enum pz_status pancake_parse(const struct pz_space *space, const char *text, void *state,
                                    struct pz_error *error)
{
    const struct pancake *pancake = pancake_of(space);
    const unsigned least = has_pancake_0(text) ? 0 : 1;
    const char *rest = text;
    uint64_t stack = 0;
    uint32_t seen = 0;
    unsigned count = 0;
    for (; *rest != '\0' && count < pancake->pancakes; count++) {
        const bool turned = pancake->burnt && *rest == '-';
        rest += turned;
        const int64_t one = space_read_number(&rest);
        if (one < least || one >= (int64_t)pancake->pancakes + (int64_t)least || (seen >> one & 1) != 0)
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': each of %u to %u is there once, commas between",
                           text, least, pancake->pancakes + least - 1);
        seen |= 1u << one;
        stack |= (uint64_t)((one - least) | (turned ? BURNT : 0)) << count * pancake->width;
    }
    if (count < pancake->pancakes || *rest != '\0')
        return pz_fail(error, PZ_BAD_BOARD, "'%.80s': there are %u pancakes", text, pancake->pancakes);
    memcpy(state, &stack, sizeof stack);
    return PZ_OK;
}

static size_t pancake_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct pancake *pancake = pancake_of(space);
    const uint64_t stack = word_of(state);
    size_t length = 0;
    for (unsigned i = 0; i < pancake->pancakes; i++) {
        const unsigned one = at(pancake, stack, i);
        length += (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "%s%s%u", i > 0 ? "," : "",
                                   one >= BURNT ? "-" : "", one % BURNT + 1);
    }
    return length;
}

/* Writes a move as the number of pancakes that it flips. */
static size_t pancake_describe(const struct pz_space *space, const void *from, const void *to,
                               char out[PZ_TEXT_MAX])
{
    const struct pancake *pancake = pancake_of(space);
    const uint64_t before = word_of(from), after = word_of(to);
    unsigned k = pancake->pancakes;
    while (k > 1 && at(pancake, before, k - 1) == at(pancake, after, k - 1))
        k--;
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%u", k);
}

/* ---- pieces: bars as wide as the pancakes; burnt sides above are marked ---- */

static struct pz_size pancake_pieces(const struct pz_space *space, const void *state, const char *path,
                                     pz_put_piece *put, void *taker)
{
    const struct pancake *pancake = pancake_of(space);
    const double columns = pancake->pancakes + 2;
    const uint64_t stack = word_of(state);
    (void)path;
    for (unsigned i = 0; i < pancake->pancakes; i++) {
        const unsigned one = at(pancake, stack, i);
        const unsigned size = one % BURNT + 1;
        char id[16];
        char text[16];
        (void)snprintf(id, sizeof id, "p%u", size);
        (void)snprintf(text, sizeof text, "%s%u", one >= BURNT ? "-" : "", size);
        put(taker, &(struct pz_piece){one >= BURNT ? "chief" : "block1", id, text,
                                      columns / 2 - (size + 1.5) / 2, i, size + 1.5, 1});
    }
    return (struct pz_size){columns, pancake->pancakes};
}

/* ---- making one ---- */

static const char *const pancake_keys[] = {"burnt", NULL};

static void note_wanted(struct pancake *pancake)
{
    for (unsigned i = 0; i < pancake->pancakes; i++) {
        const unsigned one = at(pancake, pancake->word.ends.goal[0], i);
        pancake->wanted[one] = (uint8_t)i;
        pancake->wanted[one ^ BURNT] = (uint8_t)(i | BURNT);
    }
}

static enum pz_status pancake_make(struct pz_space *space, const struct pz_setup *setup,
                                   struct pz_error *error)
{
    struct pancake *pancake = (struct pancake *)space;
    struct space_options options;
    enum pz_status status = space_options_read(&options, setup, pancake_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "burnt", "no", "yes", &pancake->burnt, error);
    if (status != PZ_OK)
        return status;
    const bool burnt = pancake->burnt;
    const char *rest = options.head;
    const int most = burnt ? PANCAKES_BURNT_MAX : PANCAKES_PLAIN_MAX;
    const int64_t pancakes = space_read_number(&rest);
    if (pancakes < 2 || pancakes > most || *rest != '\0')
        return pz_fail(error, PZ_BAD_PUZZLE, "'%.40s': 2 to %d %spancakes, pancake:8", options.head, most,
                       burnt ? "burnt " : "");
    pancake->word.lazy = twist_lazy_new(describe_pancakes, pancake);
    if (pancake->word.lazy == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pancakes");
    pancake->pancakes = (unsigned)pancakes;
    pancake->width = burnt ? 5 : 4;
    space->state_bytes = sizeof(uint64_t);
    space->max_successors = pancake->pancakes - (burnt ? 0 : 1);
    space->flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | PZ_STRONG_BOUND;
    (void)snprintf(space->size, sizeof space->size, "%u%s", pancake->pancakes, burnt ? ",burnt:yes" : "");
    pancake->word.ends.goal[0] = sorted(pancake);
    status = goal_space_take(&pancake->word.ends, space_option(&options, "goal"), error);
    if (status == PZ_OK)
        note_wanted(pancake);
    return status;
}

static enum pz_status pancake_open(const struct pz_setup *setup, struct pz_space **out,
                                   struct pz_error *error)
{
    return space_make(&pancake_puzzle, sizeof(struct pancake), pancake_make, setup, out, error);
}

const struct pz_puzzle pancake_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "pancake",
    .summary = "sort a stack of pancakes by flipping the upper ones",
    .example = "pancake:8",
    .keys = pancake_keys,
    .open = pancake_open,
    .close = word_close,
    .parse = pancake_parse,
    .print = pancake_print,
    .describe = pancake_describe,
    .separator = ",",
    .root = goal_space_root,
    .goal = goal_space_goal,
    .is_goal = goal_space_is_goal,
    .expand = pancake_expand,
    .heuristic = pancake_heuristic,
    .count = word_count,
    .rank = pancake_rank,
    .unrank = pancake_unrank,
    .runs = word_runs,
    .pieces = pancake_pieces,
};
