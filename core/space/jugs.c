/* SPDX-License-Identifier: MIT */
/*
 * Water jugs, as a space. A state is the amount in each jug, each in as many bits as its capacity needs, none
 * across the border of a word. Moves cannot be undone in general, so tokens are not used.
 */
#include "space/jugs.h"

#include "space/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { JUGS_MAX = 8, JUG_CAPACITY_MAX = 1000000000, JUG_WORDS_MAX = 4, JUG_BAR = 30 };

enum jugs_goal {
    GOAL_NONE,
    GOAL_ANY, /* the amount in any one jug */
    GOAL_SUM, /* the amount in all jugs together */
    GOAL_EACH /* an amount for each jug, some of them free */
};

struct jug {
    int64_t capacity;
    int64_t wanted; /* GOAL_EACH; SPACE_NUMBER_ANY when free */
    uint64_t mask;  /* of the amount, before the shift */
    uint8_t word, shift;
};

struct jugs {
    struct pz_space base; /* first: a jugs is a pz_space */
    unsigned count;
    bool closed; /* no tap and no drain */
    struct jug jug[JUGS_MAX];
    enum jugs_goal goal;
    int64_t amount; /* GOAL_ANY, GOAL_SUM */
    uint64_t start[JUG_WORDS_MAX];
};

static const struct jugs *jugs_of(const struct pz_space *space)
{
    return (const struct jugs *)space;
}

/* ---- packing ---- */

static int64_t get(const struct jugs *jugs, const uint64_t *state, unsigned i)
{
    const struct jug *jug = &jugs->jug[i];
    return (int64_t)(state[jug->word] >> jug->shift & jug->mask);
}

static void set(const struct jugs *jugs, uint64_t *state, unsigned i, int64_t amount)
{
    const struct jug *jug = &jugs->jug[i];
    state[jug->word] = (state[jug->word] & ~(jug->mask << jug->shift)) | (uint64_t)amount << jug->shift;
}

static void plan_packing(struct jugs *jugs)
{
    unsigned word = 0;
    unsigned used = 0;
    for (unsigned i = 0; i < jugs->count; i++) {
        struct jug *jug = &jugs->jug[i];
        unsigned bits = 64u - (unsigned)__builtin_clzll((unsigned long long)jug->capacity);
        if (used + bits > 64) {
            word++;
            used = 0;
        }
        jug->mask = (UINT64_C(1) << bits) - 1;
        jug->word = (uint8_t)word;
        jug->shift = (uint8_t)used;
        used += bits;
    }
    jugs->base.state_bytes = word == 0 ? 8 : word == 1 ? 16 : 32;
}

/* ---- reading ---- */

static enum pz_status read_capacities(struct jugs *jugs, const char *text, struct pz_error *error)
{
    if (*text == '\0')
        return pz_fail(error, PZ_BAD_PUZZLE, "the jugs' capacities are missing: jugs:3,5");
    while (*text != '\0') {
        if (jugs->count == JUGS_MAX)
            return pz_fail(error, PZ_TOO_LARGE, "more than %d jugs", JUGS_MAX);
        const char *from = text;
        int64_t capacity = space_read_number(&text);
        if (capacity < 1 || capacity > JUG_CAPACITY_MAX)
            return pz_fail(error, PZ_BAD_PUZZLE, "jug %u: '%.*s' is no capacity; a jug holds 1 to %d",
                           jugs->count + 1, (int)strcspn(from, ",:/ "), from, JUG_CAPACITY_MAX);
        jugs->jug[jugs->count++].capacity = capacity;
    }
    return PZ_OK;
}

/* One amount for each jug, "_" where allow_free says that a jug may be left open. */
static enum pz_status read_amounts(const struct jugs *jugs, const char *text, bool allow_free,
                                   int64_t amounts[JUGS_MAX], struct pz_error *error)
{
    const char *whole = text;
    unsigned count = 0;
    for (; *text != '\0' && count < jugs->count; count++) {
        int64_t amount = space_read_number(&text);
        int64_t capacity = jugs->jug[count].capacity;
        if (amount == SPACE_NUMBER_BAD || (amount == SPACE_NUMBER_ANY && !allow_free))
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': the amount in jug %u is no number", whole,
                           count + 1);
        if (amount > capacity)
            return pz_fail(error, PZ_BAD_BOARD, "jug %u holds %" PRId64 ", not %" PRId64, count + 1, capacity,
                           amount);
        amounts[count] = amount;
    }
    if (count < jugs->count || *text != '\0')
        return pz_fail(error, PZ_BAD_BOARD, "'%.80s': there are %u jugs, one amount is needed for each",
                       whole, jugs->count);
    return PZ_OK;
}

static enum pz_status jugs_parse(const struct pz_space *space, const char *text, void *state,
                                 struct pz_error *error)
{
    const struct jugs *jugs = jugs_of(space);
    int64_t amounts[JUGS_MAX] = {0};
    enum pz_status status = read_amounts(jugs, text, false, amounts, error);
    if (status != PZ_OK)
        return status;
    memset(state, 0, space->state_bytes);
    for (unsigned i = 0; i < jugs->count; i++)
        set(jugs, state, i, amounts[i]);
    return PZ_OK;
}

/* The goal of one number: 4 in any one jug, or sum:4. */
static enum pz_status read_amount(struct jugs *jugs, const char *text, struct pz_error *error)
{
    int64_t most = 0;
    const char *rest = text;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t capacity = jugs->jug[i].capacity;
        most = jugs->goal == GOAL_SUM ? most + capacity : capacity > most ? capacity : most;
    }
    jugs->amount = space_read_number(&rest);
    if (jugs->amount < 0 || *rest != '\0')
        return pz_fail(error, PZ_BAD_REQUEST, "goal '%.80s': it is one amount, sum:AMOUNT, or %u amounts",
                       text, jugs->count);
    if (jugs->amount > most)
        return pz_fail(error, PZ_BAD_REQUEST, "goal %" PRId64 ": %s %" PRId64, jugs->amount,
                       jugs->goal == GOAL_SUM ? "all jugs together hold" : "the largest jug holds", most);
    return PZ_OK;
}

static enum pz_status read_goal(struct jugs *jugs, const char *text, struct pz_error *error)
{
    if (text == NULL) {
        jugs->base.flags |= PZ_NO_GOAL;
        return PZ_OK;
    }
    bool is_sum = strncmp(text, "sum:", 4) == 0;
    if (is_sum || (text[strcspn(text, ",:/ ")] == '\0')) {
        jugs->goal = is_sum ? GOAL_SUM : GOAL_ANY;
        return read_amount(jugs, is_sum ? text + 4 : text, error);
    }
    int64_t amounts[JUGS_MAX] = {0};
    enum pz_status status = read_amounts(jugs, text, true, amounts, error);
    if (status != PZ_OK)
        return status;
    jugs->goal = GOAL_EACH;
    jugs->base.flags |= PZ_UNIQUE_GOAL;
    for (unsigned i = 0; i < jugs->count; i++) {
        jugs->jug[i].wanted = amounts[i];
        if (amounts[i] == SPACE_NUMBER_ANY)
            jugs->base.flags &= ~(uint32_t)PZ_UNIQUE_GOAL;
    }
    return PZ_OK;
}

/* ---- making one ---- */

static size_t print_amounts(const struct jugs *jugs, const int64_t *amounts, char out[PZ_TEXT_MAX])
{
    size_t length = 0;
    for (unsigned i = 0; i < jugs->count; i++) {
        const char *comma = i > 0 ? "," : "";
        int wrote = amounts[i] == SPACE_NUMBER_ANY
                        ? snprintf(out + length, PZ_TEXT_MAX - length, "%s_", comma)
                        : snprintf(out + length, PZ_TEXT_MAX - length, "%s%" PRId64, comma, amounts[i]);
        length += (size_t)wrote;
    }
    return length;
}

static size_t jugs_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct jugs *jugs = jugs_of(space);
    int64_t amounts[JUGS_MAX];
    for (unsigned i = 0; i < jugs->count; i++)
        amounts[i] = get(jugs, state, i);
    return print_amounts(jugs, amounts, out);
}

/* "8,5,3,tap:no,start:8:0:0,goal:4:4:0"; at most 300 bytes. */
static void name_size(struct jugs *jugs)
{
    char text[PZ_TEXT_MAX];
    int64_t amounts[JUGS_MAX];
    for (unsigned i = 0; i < jugs->count; i++)
        amounts[i] = jugs->jug[i].capacity;
    (void)snprintf(jugs->base.size, sizeof jugs->base.size, "%.*s", (int)print_amounts(jugs, amounts, text),
                   text);
    if (jugs->closed)
        (void)space_size_add(jugs->base.size, "tap", "no");
    (void)jugs_print(&jugs->base, jugs->start, text);
    if (strspn(text, "0,") < strlen(text))
        (void)space_size_add(jugs->base.size, "start", text);
    if (jugs->goal == GOAL_NONE)
        return;
    for (unsigned i = 0; i < jugs->count; i++)
        amounts[i] = jugs->jug[i].wanted;
    if (jugs->goal == GOAL_EACH)
        (void)print_amounts(jugs, amounts, text);
    else
        (void)snprintf(text, sizeof text, "%s%" PRId64, jugs->goal == GOAL_SUM ? "sum:" : "", jugs->amount);
    (void)space_size_add(jugs->base.size, "goal", text);
}

static const char *const jugs_keys[] = {"tap", NULL};
static const char *const size_keys[] = {"tap", "start", NULL};

static enum pz_status set_up(struct jugs *jugs, const struct pz_setup *setup, struct pz_error *error)
{
    struct space_options options;
    enum pz_status status = space_options_read(&options, setup, size_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "tap", "yes", "no", &jugs->closed, error);
    if (status == PZ_OK)
        status = read_capacities(jugs, options.head, error);
    if (status != PZ_OK)
        return status;
    plan_packing(jugs);
    status = read_goal(jugs, space_option(&options, "goal"), error);
    const char *start = setup->start != NULL ? setup->start : space_option(&options, "start");
    if (status == PZ_OK && start != NULL)
        status = jugs_parse(&jugs->base, start, jugs->start, error);
    else if (status == PZ_OK && jugs->closed)
        status = pz_fail(error, PZ_BAD_REQUEST, "without a tap all jugs would stay empty: give start=");
    if (status == PZ_OK)
        name_size(jugs);
    return status;
}

static enum pz_status jugs_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    struct jugs *jugs = calloc(1, sizeof *jugs);
    if (jugs == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for jugs");
    jugs->base.puzzle = &jugs_puzzle;
    enum pz_status status = set_up(jugs, setup, error);
    if (status != PZ_OK) {
        free(jugs);
        return status;
    }
    jugs->base.max_successors = jugs->count * (jugs->count + 1);
    *out = &jugs->base;
    return PZ_OK;
}

static void jugs_close(struct pz_space *space)
{
    free(space);
}

/* ---- texts ---- */

/* "1 [####......] 4/10", the bars to scale. */
static size_t jugs_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    static const char full[JUG_BAR + 1] = "##############################";
    static const char free_room[JUG_BAR + 1] = "..............................";
    const struct jugs *jugs = jugs_of(space);
    int64_t largest = 1;
    size_t length = 0;
    for (unsigned i = 0; i < jugs->count; i++)
        if (jugs->jug[i].capacity > largest)
            largest = jugs->jug[i].capacity;
    int64_t scale = largest > JUG_BAR ? largest : JUG_BAR;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t amount = get(jugs, state, i);
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
        int64_t before = get(jugs, from, i);
        int64_t after = get(jugs, to, i);
        more = after > before ? i + 1 : more;
        less = after < before ? i + 1 : less;
    }
    int length = more > 0 && less > 0
                     ? snprintf(out, PZ_TEXT_MAX, "pour:%u>%u", less, more)
                     : snprintf(out, PZ_TEXT_MAX, "%s:%u", more > 0 ? "fill" : "empty", more + less);
    return (size_t)length;
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
        set(jugs, state, i, jugs->jug[i].wanted);
}

static bool jugs_is_goal(const struct pz_space *space, const void *state)
{
    const struct jugs *jugs = jugs_of(space);
    int64_t sum = 0;
    bool any = false;
    bool each = true;
    for (unsigned i = 0; i < jugs->count; i++) {
        int64_t amount = get(jugs, state, i);
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

/* Where expand writes: one more state with jug i holding that much, and back. */
static uint64_t *emit(const struct jugs *jugs, const void *state, uint64_t *out, unsigned i, int64_t amount)
{
    memcpy(out, state, jugs->base.state_bytes);
    set(jugs, out, i, amount);
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
        amounts[i] = get(jugs, state, i);
    for (unsigned i = 0; i < jugs->count; i++) {
        if (!jugs->closed && amounts[i] < jugs->jug[i].capacity)
            out = emit(jugs, state, out, i, jugs->jug[i].capacity);
        if (!jugs->closed && amounts[i] > 0)
            out = emit(jugs, state, out, i, 0);
        for (unsigned j = 0; j < jugs->count && amounts[i] > 0; j++) {
            int64_t room = jugs->jug[j].capacity - amounts[j];
            int64_t flow = amounts[i] < room ? amounts[i] : room;
            if (j == i || flow == 0)
                continue;
            uint64_t *poured = out;
            out = emit(jugs, state, out, i, amounts[i] - flow);
            set(jugs, poured, j, amounts[j] + flow);
        }
    }
    unsigned count = (unsigned)(out - (uint64_t *)successors) / (space->state_bytes / 8);
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

/* Whether the goal keeps what no move changes: every amount stays a multiple of unit, and without a tap the sum stays. */
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

/* LeetCode 365: by Bézout, two jugs and a tap give every multiple of their greatest common divisor that they hold. */
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
        of_start = gcd(of_start, get(jugs, start, i));
        sum += get(jugs, start, i);
    }
    if (!goal_keeps(jugs, gcd(unit, of_start), sum))
        return PZ_NO;
    bool settled =
        jugs->count == 2 && !jugs->closed && jugs->goal != GOAL_EACH && divides(unit, jugs->amount);
    return settled ? PZ_YES : PZ_UNKNOWN;
}

const struct pz_puzzle jugs_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "jugs",
    .summary = "water jugs, up to 8: fill, empty, pour",
    .example = "jugs:3,5",
    .keys = jugs_keys,
    .open = jugs_open,
    .close = jugs_close,
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
};
