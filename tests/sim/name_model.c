/* SPDX-License-Identifier: MIT */
#include "model.h"

#include "machine.h"
#include "world.h"

#include <string.h>

enum { MASKS = 1 << 2 * NAME_OPS };

static unsigned outcome_in(unsigned mask, unsigned slot)
{
    return mask >> 2 * slot & 3u;
}

name_set name_model_of_text(unsigned text)
{
    return (name_set)(((1u << NAME_OWNERS) - 1) << (1 + text * NAME_OWNERS));
}

/* What an operation makes of a value, and what it replies. */
static unsigned apply(const struct name_op *op, unsigned value, enum name_outcome *outcome)
{
    const unsigned text = (value - 1) / NAME_OWNERS, owner = (value - 1) % NAME_OWNERS;
    *outcome = NAME_CHANGED;
    if (!op->removes && value == 0)
        return 1 + op->text * NAME_OWNERS + op->owner;
    if (op->removes && value != 0 && (op->owner == SIM_ROOT || op->owner == owner))
        return 0;
    *outcome = !op->removes && text == op->text ? NAME_KNOWN : NAME_REFUSED;
    return value;
}

/* Lets an operation happen in all cases where it has not. Returns true if that was news. */
static bool happen(struct name_state *name, unsigned slot)
{
    bool news = false;
    for (unsigned mask = 0; mask < MASKS; mask++)
        for (unsigned value = 0; value < NAME_VALUES && outcome_in(mask, slot) == 0; value++) {
            enum name_outcome outcome;
            if ((name->possible[mask] >> value & 1) == 0)
                continue;
            const name_set after = (name_set)(1u << apply(&name->op[slot], value, &outcome));
            name_set *there = &name->possible[mask | (unsigned)outcome << 2 * slot];
            news |= (*there | after) != *there;
            *there |= after;
        }
    return news;
}

static void close_over(struct name_state *name)
{
    bool news = true;
    while (news) {
        news = false;
        for (unsigned slot = 0; slot < NAME_OPS; slot++)
            news |= name->op[slot].used && happen(name, slot);
    }
}

void name_model_begin(void)
{
    memset(&world->names, 0, sizeof world->names);
    for (unsigned i = 0; i < NAMES; i++)
        world->names.name[i].possible[0] = NAME_ABSENT;
}

int name_model_start(unsigned name, const struct name_op *op)
{
    struct name_state *state = &world->names.name[name];
    unsigned slot = 0;
    while (slot < NAME_OPS && state->op[slot].used)
        slot++;
    if (slot == NAME_OPS)
        return -1;
    state->op[slot] = *op;
    state->op[slot].used = true;
    close_over(state);
    return (int)slot;
}

bool name_model_end(unsigned name, unsigned slot, enum name_outcome outcome)
{
    struct name_state *state = &world->names.name[name];
    name_set after[MASKS] = {0}, any = 0;
    for (unsigned mask = 0; mask < MASKS; mask++)
        if (outcome == NAME_FAILED || outcome_in(mask, slot) == (unsigned)outcome) {
            after[mask & ~(3u << 2 * slot)] |= state->possible[mask];
            any |= state->possible[mask];
        }
    state->murky |= outcome == NAME_FAILED;
    state->op[slot].used = false;
    state->ended_ns = world->now_ns;
    memcpy(state->possible, after, sizeof after);
    return any != 0;
}

name_set name_model_values(unsigned name)
{
    name_set all = 0;
    for (unsigned mask = 0; mask < MASKS; mask++)
        all |= world->names.name[name].possible[mask];
    return all;
}

bool name_model_read(unsigned name, name_set seen, name_set shown, uint64_t sent)
{
    struct name_state *state = &world->names.name[name];
    bool alone =
        state->ended_ns < sent; /* what was under way at the request may have come after what is shown */
    for (unsigned slot = 0; slot < NAME_OPS; slot++)
        alone &= !state->op[slot].used;
    if ((seen & shown) == 0)
        return false;
    if (alone && (state->possible[0] & shown) != 0 && (seen & ~state->possible[0]) == 0)
        state->possible[0] &= shown;
    return true;
}

static void forget_operations(struct name_state *state)
{
    name_set all = 0;
    for (unsigned mask = 0; mask < MASKS; mask++)
        all |= state->possible[mask];
    for (unsigned slot = 0; slot < NAME_OPS; slot++) /* its reply may have been that the disk failed */
        state->murky |= world->has_failed && state->op[slot].used;
    memset(state->possible, 0, sizeof state->possible);
    memset(state->op, 0, sizeof state->op);
    state->possible[0] = all;
}

void name_model_settle(void)
{
    for (unsigned i = 0; i < NAMES; i++)
        forget_operations(&world->names.name[i]);
}

void name_model_crash(void)
{
    for (unsigned i = 0; i < NAMES; i++) {
        struct name_state *state = &world->names.name[i];
        forget_operations(state);
        if (state->murky) /* the disk may have what memory took back */
            state->possible[0] = NAME_ANY;
        state->murky = false;
    }
}
