/* SPDX-License-Identifier: MIT */
/* Water jugs as a space: rules, texts, and what is known without search. */
#include "space/jugs/jugs.h"

#include "space/making.h"
#include "space/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { JUG_BAR = 30 };

/* ---- texts ---- */

static int64_t largest_capacity(const struct jugs *jugs)
{
    int64_t largest = 1;
    for (unsigned i = 0; i < jugs->count; i++)
        if (jugs->jug[i].capacity > largest)
            largest = jugs->jug[i].capacity;
    return largest;
}

/* "1 [####......] 4/10", the bars to scale. */
static size_t jugs_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    static const char full[JUG_BAR + 1] = "##############################";
    static const char free_room[JUG_BAR + 1] = "..............................";
    const struct jugs *jugs = jugs_of(space);
    const int64_t largest = largest_capacity(jugs);
    size_t length = 0;
    int64_t scale = largest > JUG_BAR ? largest : JUG_BAR;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t amount = jugs_get(jugs, state, i);
        int64_t capacity = jugs->jug[i].capacity;
        int filled = (int)(amount * JUG_BAR / scale);
        int whole = (int)(capacity * JUG_BAR / scale);
        length +=
            (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "%u [%.*s%.*s] %" PRId64 "/%" PRId64 "\n",
                             i + 1, filled, full, whole - filled, free_room, amount, capacity);
    }
    return length;
}

static size_t jugs_describe(const struct pz_space *space, const void *from, const void *to,
                            char out[PZ_TEXT_MAX])
{
    const struct jugs *jugs = jugs_of(space);
    unsigned more = 0;
    unsigned less = 0;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t before = jugs_get(jugs, from, i);
        int64_t after = jugs_get(jugs, to, i);
        more = after > before ? i + 1 : more;
        less = after < before ? i + 1 : less;
    }
    int length = more > 0 && less > 0
                     ? snprintf(out, PZ_TEXT_MAX, "pour:%u>%u", less, more)
                     : snprintf(out, PZ_TEXT_MAX, "%s:%u", more > 0 ? "fill" : "empty", more + less);
    return (size_t)length;
}

/* Jugs stand on one floor, four cells high the largest, with what is in them. */
static struct pz_size jugs_pieces(const struct pz_space *space, const void *state, const char *path,
                                  pz_put_piece *put, void *taker)
{
    static const double floor = 4;
    const struct jugs *jugs = jugs_of(space);
    const int64_t largest = largest_capacity(jugs);
    (void)path;
    for (unsigned i = 0; i < jugs->count; i++) {
        const double height = floor * (double)jugs->jug[i].capacity / (double)largest;
        char id[16];
        (void)snprintf(id, sizeof id, "jug%u", i);
        put(taker, &(struct pz_piece){"jug", id, NULL, i, floor - height, 1, height});
    }
    for (unsigned i = 0; i < jugs->count; i++) {
        const int64_t amount = jugs_get(jugs, state, i);
        const double height = floor * (double)amount / (double)largest;
        char id[16];
        char text[64];
        (void)snprintf(id, sizeof id, "water%u", i);
        if (amount > 0)
            put(taker, &(struct pz_piece){"water", id, NULL, i, floor - height, 1, height});
        (void)snprintf(id, sizeof id, "text%u", i);
        (void)snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, amount, jugs->jug[i].capacity);
        put(taker, &(struct pz_piece){"label", id, text, i, floor, 1, 0.6});
    }
    return (struct pz_size){jugs->count, floor + 0.6};
}

/* ---- the search's view ---- */

static enum pz_status jugs_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    memcpy(state, jugs_of(space)->start, space->state_bytes);
    return PZ_OK;
}

static void jugs_goal(const struct pz_space *space, void *state)
{
    const struct jugs *jugs = jugs_of(space);
    memset(state, 0, space->state_bytes);
    for (unsigned i = 0; i < jugs->count; i++)
        jugs_set(jugs, state, i, jugs->jug[i].wanted);
}

static bool jugs_is_goal(const struct pz_space *space, const void *state)
{
    const struct jugs *jugs = jugs_of(space);
    int64_t sum = 0;
    bool any = false;
    bool each = true;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t amount = jugs_get(jugs, state, i);
        sum += amount;
        any |= amount == jugs->amount;
        each &= jugs->jug[i].wanted == SPACE_NUMBER_ANY || jugs->jug[i].wanted == amount;
    }
    switch (jugs->goal) {
    case GOAL_ANY:
        return any;
    case GOAL_SUM:
        return sum == jugs->amount;
    case GOAL_EACH:
        return each;
    default:
        return false;
    }
}

/* Returns true if no jug holds more than it can, and no other bit is set. */
static bool jugs_valid(const struct pz_space *space, const void *state)
{
    const struct jugs *jugs = jugs_of(space);
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    for (unsigned i = 0; i < jugs->count; i++) {
        const int64_t amount = jugs_get(jugs, state, i);
        if (amount < 0 || amount > jugs->jug[i].capacity)
            return false;
        jugs_set(jugs, again, i, amount);
    }
    return memcmp(again, state, space->state_bytes) == 0;
}

/* Writes a successor in which jug i holds that amount. Returns the place of the next one. */
static uint64_t *emit_pour(const struct jugs *jugs, const void *state, uint64_t *out, unsigned i,
                           int64_t amount)
{
    assert(amount >= 0 && amount <= jugs->jug[i].capacity);
    memcpy(out, state, jugs->base.state_bytes);
    jugs_set(jugs, out, i, amount);
    return out + jugs->base.state_bytes / 8;
}

static unsigned jugs_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                            void *successors, uint8_t *tokens)
{
    const struct jugs *jugs = jugs_of(space);
    uint64_t *out = successors;
    int64_t amounts[JUGS_MAX];
    (void)came_by;
    for (unsigned i = 0; i < jugs->count; i++)
        amounts[i] = jugs_get(jugs, state, i);
    for (unsigned i = 0; i < jugs->count; i++) {
        if (!jugs->closed && amounts[i] < jugs->jug[i].capacity)
            out = emit_pour(jugs, state, out, i, jugs->jug[i].capacity);
        if (!jugs->closed && amounts[i] > 0)
            out = emit_pour(jugs, state, out, i, 0);
        for (unsigned j = 0; j < jugs->count && amounts[i] > 0; j++) {
            int64_t room = jugs->jug[j].capacity - amounts[j];
            int64_t flow = amounts[i] < room ? amounts[i] : room;
            if (j == i || flow == 0)
                continue;
            uint64_t *poured = out;
            out = emit_pour(jugs, state, out, i, amounts[i] - flow);
            jugs_set(jugs, poured, j, amounts[j] + flow);
        }
    }
    unsigned count = (unsigned)(out - (uint64_t *)successors) / (space->state_bytes / 8);
    assert(count <= space->max_successors);
    memset(tokens, PZ_NO_TOKEN, count);
    return count;
}

/* ---- what is known without search ---- */

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool divides(int64_t unit, int64_t amount)
{
    return unit != 0 && amount % unit == 0;
}

/* Returns true if the jugs are large enough for the goal. */
static bool goal_fits(const struct jugs *jugs)
{
    int64_t largest = 0;
    int64_t sum = 0;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t capacity = jugs->jug[i].capacity;
        if (jugs->goal == GOAL_EACH && jugs->jug[i].wanted > capacity)
            return false;
        largest = capacity > largest ? capacity : largest;
        sum += capacity;
    }
    return jugs->goal == GOAL_EACH || jugs->amount <= (jugs->goal == GOAL_SUM ? sum : largest);
}

/* Returns true if the goal keeps what no move changes: every amount stays a multiple of unit, and without a
 * tap the sum stays. */
static bool goal_keeps(const struct jugs *jugs, int64_t unit, int64_t sum)
{
    if (jugs->goal != GOAL_EACH)
        return divides(unit, jugs->amount) &&
               !(jugs->closed && jugs->goal == GOAL_SUM && jugs->amount != sum) &&
               !(jugs->closed && jugs->amount > sum);
    int64_t fixed = 0;
    bool has_free = false;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t wanted = jugs->jug[i].wanted;
        if (wanted == SPACE_NUMBER_ANY) {
            has_free = true;
        } else {
            if (!divides(unit, wanted))
                return false;
            fixed += wanted;
        }
    }
    return !jugs->closed || (has_free ? fixed <= sum : fixed == sum);
}

/* LeetCode 365: two jugs and a tap give each multiple of their greatest common divisor that fits (Bézout). */
static enum pz_answer jugs_solvable(const struct pz_space *space, const void *start)
{
    const struct jugs *jugs = jugs_of(space);
    int64_t unit = jugs->jug[0].capacity;
    int64_t of_start = 0;
    int64_t sum = 0;
    if (jugs->goal == GOAL_NONE)
        return PZ_UNKNOWN;
    for (unsigned i = 0; i < jugs->count; i++) {
        unit = gcd(unit, jugs->jug[i].capacity);
        of_start = gcd(of_start, jugs_get(jugs, start, i));
        sum += jugs_get(jugs, start, i);
    }
    if (!goal_fits(jugs) || !goal_keeps(jugs, gcd(unit, of_start), sum))
        return PZ_NO;
    bool settled =
        jugs->count == 2 && !jugs->closed && jugs->goal != GOAL_EACH && divides(unit, jugs->amount);
    return settled ? PZ_YES : PZ_UNKNOWN;
}

void jugs_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX])
{
    (void)start;
    (void)snprintf(out, PZ_TEXT_MAX, "%s",
                   !goal_fits(jugs_of(space))
                       ? "the goal is more than the jugs hold"
                       : "the goal breaks what no move changes: each amount stays a multiple of the greatest "
                         "common divisor of jugs and amounts, and without a tap the sum stays");
}

static enum pz_status jugs_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return space_make(&jugs_puzzle, sizeof(struct jugs), jugs_set_up, setup, out, error);
}

static const char *const jugs_keys[] = {"tap", NULL};

const struct pz_puzzle jugs_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "jugs",
    .summary = "water jugs, up to 8: fill, empty, pour",
    .example = "jugs:3,5",
    .keys = jugs_keys,
    .open = jugs_open,
    .close = space_free,
    .parse = jugs_parse,
    .print = jugs_print,
    .draw = jugs_draw,
    .describe = jugs_describe,
    .separator = ",",
    .root = jugs_root,
    .goal = jugs_goal,
    .is_goal = jugs_is_goal,
    .expand = jugs_expand,
    .solvable = jugs_solvable,
    .valid = jugs_valid,
    .pieces = jugs_pieces,
};
