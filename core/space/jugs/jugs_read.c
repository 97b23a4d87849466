/* SPDX-License-Identifier: MIT */
/* Reads jugs, their amounts and goals, and makes a space of them. Amounts are printed as they are read. */
#include "space/jugs/jugs.h"

#include "space/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { JUG_CAPACITY_MAX = 1000000000 };

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

/* Reads one amount for each jug. Those of a goal may be more than the jug holds, or "_" for any. */
static enum pz_status read_amounts(const struct jugs *jugs, const char *text, bool of_goal,
                                   int64_t amounts[JUGS_MAX], struct pz_error *error)
{
    const char *whole = text;
    unsigned count = 0;
    for (; *text != '\0' && count < jugs->count; count++) {
        int64_t amount = space_read_number(&text);
        int64_t capacity = jugs->jug[count].capacity;
        if (amount == SPACE_NUMBER_BAD || (amount == SPACE_NUMBER_ANY && !of_goal))
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': the amount in jug %u is no number", whole,
                           count + 1);
        if (amount > capacity && !of_goal)
            return pz_fail(error, PZ_BAD_BOARD, "jug %u holds %" PRId64 ", not %" PRId64, count + 1, capacity,
                           amount);
        amounts[count] = amount;
    }
    if (count < jugs->count || *text != '\0')
        return pz_fail(error, PZ_BAD_BOARD, "'%.80s': there are %u jugs, one amount is needed for each",
                       whole, jugs->count);
    return PZ_OK;
}

enum pz_status jugs_parse(const struct pz_space *space, const char *text, void *state, struct pz_error *error)
{
    const struct jugs *jugs = jugs_of(space);
    int64_t amounts[JUGS_MAX] = {0};
    enum pz_status status = read_amounts(jugs, text, false, amounts, error);
    if (status != PZ_OK)
        return status;
    memset(state, 0, space->state_bytes);
    for (unsigned i = 0; i < jugs->count; i++)
        jugs_set(jugs, state, i, amounts[i]);
    return PZ_OK;
}

/* Reads a goal of one number: "4" in any one jug, or the 4 of "sum:4". */
static enum pz_status read_amount(struct jugs *jugs, const char *text, struct pz_error *error)
{
    const char *rest = text;
    jugs->amount = space_read_number(&rest);
    if (jugs->amount < 0 || *rest != '\0')
        return pz_fail(error, PZ_BAD_REQUEST, "goal '%.80s': it is one amount, sum:AMOUNT, or %u amounts",
                       text, jugs->count);
    return PZ_OK;
}

static enum pz_status read_jugs_goal(struct jugs *jugs, const char *text, struct pz_error *error)
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
        if (amounts[i] == SPACE_NUMBER_ANY || amounts[i] > jugs->jug[i].capacity) /* many states, or none */
            jugs->base.flags &= ~(uint32_t)PZ_UNIQUE_GOAL;
    }
    return PZ_OK;
}

/* ---- printing ---- */

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

size_t jugs_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct jugs *jugs = jugs_of(space);
    int64_t amounts[JUGS_MAX];
    for (unsigned i = 0; i < jugs->count; i++)
        amounts[i] = jugs_get(jugs, state, i);
    return print_amounts(jugs, amounts, out);
}

/* ---- making one ---- */

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

/* Writes the size: "8,5,3,tap:no,start:8:0:0,goal:4:4:0", at most 350 bytes. */
static void jugs_name_size(struct jugs *jugs)
{
    char text[PZ_TEXT_MAX];
    int64_t amounts[JUGS_MAX];
    for (unsigned i = 0; i < jugs->count; i++)
        amounts[i] = jugs->jug[i].capacity;
    (void)snprintf(jugs->base.size, sizeof jugs->base.size, "%.*s", (int)print_amounts(jugs, amounts, text),
                   text);
    if (jugs->closed)
        (void)space_size_add(jugs->base.size, "tap", "no", NULL);
    (void)jugs_print(&jugs->base, jugs->start, text);
    if (jugs->closed || strspn(text, "0,") < strlen(text)) /* without a tap the start must be named */
        (void)space_size_add(jugs->base.size, "start", text, NULL);
    if (jugs->goal == GOAL_NONE)
        return;
    for (unsigned i = 0; i < jugs->count; i++)
        amounts[i] = jugs->jug[i].wanted;
    if (jugs->goal == GOAL_EACH)
        (void)print_amounts(jugs, amounts, text);
    else
        (void)snprintf(text, sizeof text, "%s%" PRId64, jugs->goal == GOAL_SUM ? "sum:" : "", jugs->amount);
    (void)space_size_add(jugs->base.size, "goal", text, NULL);
}

static const char *const size_keys[] = {"tap", "start", NULL};

enum pz_status jugs_set_up(struct pz_space *space, const struct pz_setup *setup, struct pz_error *error)
{
    struct jugs *jugs = (struct jugs *)space;
    struct space_options options;
    enum pz_status status = space_options_read(&options, setup, size_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "tap", "yes", "no", &jugs->closed, error);
    if (status == PZ_OK)
        status = read_capacities(jugs, options.head, error);
    if (status != PZ_OK)
        return status;
    plan_packing(jugs);
    space->max_successors = jugs->count * (jugs->count + 1);
    space->flags = PZ_OWN_START;
    status = read_jugs_goal(jugs, space_option(&options, "goal"), error);
    const char *start = setup->start != NULL ? setup->start : space_option(&options, "start");
    if (status == PZ_OK && start != NULL)
        status = jugs_parse(&jugs->base, start, jugs->start, error);
    else if (status == PZ_OK && jugs->closed)
        status = pz_fail(error, PZ_BAD_REQUEST,
                         "without a tap all jugs would stay empty: fill some, as in "
                         "jugs:3,5,8,start:0:0:8,tap:no");
    if (status == PZ_OK)
        jugs_name_size(jugs);
    return status;
}
