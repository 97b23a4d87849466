/* SPDX-License-Identifier: MIT */
/*
 * The search by moves goes from push to push: a state is one after a push, and what leads to it is a walk
 * and a push. So no state stands for a mere step. The first state alone may have the player anywhere.
 */
#include "space/sokoban/sokoban.h"

#include <assert.h>
#include <string.h>

/* On squares: a number of steps from the player, or one of these. */
enum { BARRED = 0xFE, UNREACHED = 0xFF };

/* One more, for the square that is none: so walls need no test. */
typedef uint8_t steps_to[SOKOBAN_SQUARES_MAX + 1];

/* Fills, breadth first, how many steps each square is from the one where the player is. */
static void walk(const struct sokoban *sokoban, const uint8_t *state, steps_to steps)
{
    uint8_t queue[SOKOBAN_SQUARES_MAX];
    unsigned tail = 0;
    memset(steps, UNREACHED, sokoban->squares);
    steps[SOKOBAN_NO_SQUARE] = BARRED;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        steps[state[i]] = BARRED;
    steps[state[0]] = 0;
    queue[tail++] = state[0];
    for (unsigned head = 0; head < tail; head++) {
        const unsigned at = queue[head];
        for (unsigned d = 0; d < 4; d++) {
            const uint8_t next = sokoban->neighbour[at][d];
            if (steps[next] != UNREACHED)
                continue;
            assert(tail < sokoban->squares && steps[at] + 1 < BARRED);
            steps[next] = (uint8_t)(steps[at] + 1);
            queue[tail++] = next;
        }
    }
}

/* Returns true if a box on a square can be pushed along an axis, now or later, whatever other boxes do. */
static bool can_leave(const struct sokoban *sokoban, const steps_to steps, unsigned square, unsigned axis)
{
    const uint8_t a = sokoban->neighbour[square][2 * axis], b = sokoban->neighbour[square][2 * axis + 1];
    return steps[a] != BARRED && steps[b] != BARRED &&
           (sokoban->distance[a] != SOKOBAN_DEAD || sokoban->distance[b] != SOKOBAN_DEAD);
}

/* Makes a state by a push of a box to a square; false if that freezes boxes off the goals. */
static bool push(const struct sokoban *sokoban, const uint8_t *state, const steps_to steps, unsigned box,
                 unsigned to, uint8_t *out)
{
    memcpy(out, state, sokoban->base.state_bytes);
    out[0] = state[box];
    sokoban_put_box(out, sokoban->boxes, box, to);
    return can_leave(sokoban, steps, to, 0) || can_leave(sokoban, steps, to, 1) ||
           !sokoban_freezes(sokoban, out);
}

unsigned sokoban_expand_leaps(const struct pz_space *space, const void *state, uint8_t came_by,
                              void *successors, uint8_t *tokens, uint32_t *costs)
{
    const struct sokoban *sokoban = sokoban_of(space);
    const uint8_t *from = state;
    uint8_t *out = successors;
    steps_to steps;
    unsigned count = 0;
    (void)came_by;
    walk(sokoban, from, steps);
    for (unsigned box = 1; box <= sokoban->boxes; box++) {
        const uint8_t *beside = sokoban->neighbour[from[box]];
        for (unsigned d = 0; d < 4; d++) {
            const unsigned to = beside[d];
            const unsigned walked = steps[beside[d ^ 1u]];
            if (walked >= BARRED || steps[to] == BARRED || sokoban->distance[to] == SOKOBAN_DEAD ||
                !push(sokoban, from, steps, box, to, out))
                continue;
            costs[count] = walked + 1;
            tokens[count++] = PZ_NO_TOKEN;
            out += space->state_bytes;
        }
    }
    assert(count <= space->max_successors);
    return count;
}

/* ---- what lies between ---- */

/* Returns where the player stands for the push that makes one state another: behind the box, on whose square
 * the player is after it. */
static unsigned find_stand(const struct sokoban *sokoban, const uint8_t *from, const uint8_t *to)
{
    const uint8_t *beside = sokoban->neighbour[to[0]];
    for (unsigned d = 0; d < 4; d++)
        if (memchr(to + 1, beside[d], sokoban->boxes) != NULL &&
            memchr(from + 1, beside[d], sokoban->boxes) == NULL)
            return beside[d ^ 1u];
    return SOKOBAN_NO_SQUARE;
}

void sokoban_between(const struct pz_space *space, const void *from, const void *to, void *states)
{
    const struct sokoban *sokoban = sokoban_of(space);
    const uint8_t *start = from;
    uint8_t *out = states;
    steps_to steps;
    walk(sokoban, start, steps);
    for (unsigned at = find_stand(sokoban, start, to); at != start[0];) {
        uint8_t *state = out + (size_t)(steps[at] - 1u) * space->state_bytes;
        memcpy(state, start, space->state_bytes);
        state[0] = (uint8_t)at;
        unsigned d = 0;
        while (steps[sokoban->neighbour[at][d]] != steps[at] - 1)
            d++;
        at = sokoban->neighbour[at][d];
    }
}
