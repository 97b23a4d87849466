/* SPDX-License-Identifier: MIT */
#include "space/twist/twist.h"

#include <string.h>

static void fill_turned(struct twist *twist, unsigned number)
{
    const struct twist_set *set = &twist->set[number];
    for (unsigned amount = 0; amount < set->turns; amount++) {
        for (unsigned code = 0; code < (unsigned)set->kinds * set->turns; code++) {
            const unsigned kind = code / set->turns;
            const unsigned turn = set->blind[kind] ? 0 : (code % set->turns + amount) % set->turns;
            twist->turned[number][amount][code] = (uint8_t)(kind * set->turns + turn);
        }
    }
}

void twist_finish(struct twist *twist)
{
    for (unsigned number = 0; number < twist->sets; number++) {
        const struct twist_set *set = &twist->set[number];
        memset(twist->set_of + set->first, (int)number, set->places);
        fill_turned(twist, number);
    }
}

bool twist_same_move(const struct twist *twist, const struct twist_move *a, const struct twist_move *b)
{
    return memcmp(a->from, b->from, twist->places) == 0 && memcmp(a->turn, b->turn, twist->places) == 0;
}

bool twist_is_identity(const struct twist *twist, const struct twist_move *move)
{
    for (unsigned i = 0; i < twist->places; i++)
        if (move->from[i] != i || move->turn[i] != 0)
            return false;
    return true;
}

bool twist_find_inverses(struct twist *twist)
{
    for (unsigned move = 0; move < twist->moves; move++) {
        struct twist_move both;
        unsigned other = 0;
        for (; other < twist->moves; other++) {
            twist_compose(twist, &twist->move[move], &twist->move[other], &both);
            if (twist_is_identity(twist, &both))
                break;
        }
        if (other == twist->moves)
            return false;
        twist->inverse[move] = (uint8_t)other;
    }
    return true;
}

void twist_identity(const struct twist *twist, struct twist_move *out)
{
    for (unsigned i = 0; i < twist->places; i++) {
        out->from[i] = (uint8_t)i;
        out->turn[i] = 0;
    }
}

void twist_apply(const struct twist *twist, unsigned move, const uint8_t *state, uint8_t *out)
{
    const struct twist_move *permutation = &twist->move[move];
    for (unsigned i = 0; i < twist->places; i++)
        out[i] = twist->turned[twist->set_of[i]][permutation->turn[i]][state[permutation->from[i]]];
}

void twist_compose(const struct twist *twist, const struct twist_move *first, const struct twist_move *second,
                   struct twist_move *out)
{
    for (unsigned i = 0; i < twist->places; i++) {
        const unsigned via = second->from[i];
        out->from[i] = first->from[via];
        out->turn[i] = (uint8_t)((first->turn[via] + second->turn[i]) % twist->set[twist->set_of[i]].turns);
    }
}

/* ---- invariants ---- */

bool twist_keeps_sum(const struct twist *twist, unsigned set)
{
    const struct twist_set *shape = &twist->set[set];
    for (unsigned m = 0; m < twist->moves; m++) {
        unsigned sum = 0;
        for (unsigned i = shape->first; i < (unsigned)shape->first + shape->places; i++)
            sum += twist->move[m].turn[i];
        if (sum % shape->turns != 0)
            return false;
    }
    return true;
}

/* Returns true if an odd number of swaps makes the one order of a set's places of the other: by[i] is where
 * the piece of place i was. */
static bool is_odd(const struct twist_set *set, const uint8_t *by)
{
    bool seen[TWIST_PLACES_MAX] = {false}, odd = false;
    for (unsigned i = 0; i < set->places; i++)
        for (unsigned at = i; !seen[at]; at = by[at]) {
            seen[at] = true;
            odd ^= by[at] != i;
        }
    return odd;
}

/* Returns which sets a move permutes oddly, a bit each. */
static uint32_t move_parities(const struct twist *twist, const struct twist_move *move)
{
    uint32_t odd = 0;
    for (unsigned s = 0; s < twist->sets; s++) {
        uint8_t by[TWIST_PLACES_MAX];
        for (unsigned i = 0; i < twist->set[s].places; i++)
            by[i] = (uint8_t)(move->from[twist->set[s].first + i] - twist->set[s].first);
        odd |= (uint32_t)is_odd(&twist->set[s], by) << s;
    }
    return odd;
}

/* Returns the same of what lies between two states. */
static uint32_t state_parities(const struct twist *twist, const uint8_t *a, const uint8_t *b)
{
    uint32_t odd = 0;
    for (unsigned s = 0; s < twist->sets; s++) {
        const struct twist_set *set = &twist->set[s];
        uint8_t at[TWIST_CODES] = {0}, by[TWIST_PLACES_MAX];
        if (set->kinds != set->places)
            continue;
        for (unsigned i = 0; i < set->places; i++)
            at[a[set->first + i] / set->turns] = (uint8_t)i;
        for (unsigned i = 0; i < set->places; i++)
            by[i] = at[b[set->first + i] / set->turns];
        odd |= (uint32_t)is_odd(set, by) << s;
    }
    return odd;
}

bool twist_separates(const struct twist *twist, const uint8_t *a, const uint8_t *b)
{
    uint32_t told = 0, basis[TWIST_SETS_MAX] = {0};
    for (unsigned s = 0; s < twist->sets; s++)
        told |= (uint32_t)(twist->set[s].kinds == twist->set[s].places) << s; /* others are never odd */
    for (unsigned m = 0; m <= twist->moves; m++) {
        uint32_t odd =
            told & (m < twist->moves ? move_parities(twist, &twist->move[m]) : state_parities(twist, a, b));
        for (unsigned s = 0; s < twist->sets; s++) {
            if ((odd >> s & 1) == 0)
                continue;
            if (basis[s] == 0 && m == twist->moves)
                return true;
            basis[s] = basis[s] == 0 ? odd : basis[s];
            odd ^= basis[s];
        }
    }
    for (unsigned s = 0; s < twist->sets; s++) {
        const struct twist_set *set = &twist->set[s];
        unsigned sum = 0;
        bool seen = twist_keeps_sum(twist, s);
        for (unsigned kind = 0; kind < set->kinds; kind++)
            seen = seen && !set->blind[kind];
        for (unsigned i = set->first; i < (unsigned)set->first + set->places; i++)
            sum += (unsigned)(a[i] % set->turns + set->turns - b[i] % set->turns);
        if (seen && sum % set->turns != 0)
            return true;
    }
    return false;
}
