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

static bool is_identity(const struct twist *twist, const struct twist_move *move)
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
            if (is_identity(twist, &both))
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
