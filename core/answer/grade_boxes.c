/* SPDX-License-Identifier: MIT */
/*
 * How the boxes of a Sokoban level hang together, by the solution that was found. How often it turns to
 * another box, and how well it falls apart into two problems, explain how long people take: P. Jarušek,
 * R. Pelánek, Difficulty Rating of Sokoban Puzzle, STAIRS 2010.
 */
#include "answer/board_grade.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES_MAX = 64 };

/* How often the solution turns between two boxes. */
struct turning {
    unsigned between[BOXES_MAX][BOXES_MAX];
    unsigned boxes; /* that are pushed */
    unsigned changes;
};

static bool is_box(char cell)
{
    return cell == '$' || cell == '*';
}

/* Finds the cells between which a box was pushed. Returns false if none was: the player walked. */
static bool grade_find_push(const char *before, const char *after, size_t *from, size_t *to)
{
    bool left = false, came = false;
    for (size_t at = 0; before[at] != '\0'; at++) {
        if (is_box(before[at]) && !is_box(after[at])) {
            *from = at;
            left = true;
        } else if (!is_box(before[at]) && is_box(after[at])) {
            *to = at;
            came = true;
        }
    }
    return left && came;
}

/* Follows the boxes along the solution. Boxes are numbered in the order of their first push. */
static void follow_boxes(const struct grade_question *question, struct turning *turning)
{
    const struct pz_space *space = question->request->space;
    const uint8_t *path = question->solved->path;
    uint8_t number[PZ_TEXT_MAX] = {0}; /* of the box at a cell, 1 + its own; 0 before its first push */
    char text[2][PZ_TEXT_MAX];
    uint8_t last = 0;
    (void)space->puzzle->print(space, path, text[0]);
    for (int64_t i = 1; i <= question->solved->moves; i++) {
        const char *before = text[(i - 1) % 2];
        size_t from = 0, to = 0;
        (void)space->puzzle->print(space, path + (size_t)i * space->state_bytes, text[i % 2]);
        if (!grade_find_push(before, text[i % 2], &from, &to))
            continue;
        assert(number[from] > 0 || turning->boxes < BOXES_MAX);
        const uint8_t box = number[from] > 0 ? number[from] : (uint8_t)++turning->boxes;
        number[from] = 0;
        number[to] = box;
        if (last > 0 && last != box) {
            turning->between[last - 1][box - 1]++;
            turning->between[box - 1][last - 1]++;
            turning->changes++;
        }
        last = box;
    }
}

/* Adds box after box, each time the one that is turned to most from those before. Returns the last one, and
 * in *before the one before it; *cut are the turns to the last one. */
static unsigned add_boxes(const struct turning *turning, unsigned count, unsigned *before, unsigned *cut)
{
    unsigned turns[BOXES_MAX] = {0};
    bool added[BOXES_MAX] = {false};
    unsigned last = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned next = 0;
        while (added[next])
            next++;
        for (unsigned box = next; box < count; box++)
            next = !added[box] && turns[box] > turns[next] ? box : next;
        added[next] = true;
        *before = last;
        *cut = turns[next];
        last = next;
        for (unsigned box = 0; box < count; box++)
            turns[box] += turning->between[next][box];
    }
    return last;
}

/* Returns the fewest turns between two groups of boxes: a minimum cut, by M. Stoer and F. Wagner (1997). */
static unsigned find_least_cut(struct turning *turning)
{
    unsigned least = turning->boxes > 1 ? UINT_MAX : 0;
    for (unsigned count = turning->boxes; count > 1; count--) {
        unsigned before = 0, cut = 0;
        const unsigned last = add_boxes(turning, count, &before, &cut);
        least = cut < least ? cut : least;
        for (unsigned box = 0; box < count; box++) { /* the last two become one, and the place is filled */
            turning->between[before][box] += turning->between[last][box];
            turning->between[box][before] = turning->between[before][box];
        }
        for (unsigned box = 0; box < count; box++) {
            turning->between[last][box] = turning->between[count - 1][box];
            turning->between[box][last] = turning->between[box][count - 1];
        }
        for (unsigned box = 0; box < count; box++)
            turning->between[box][box] = 0;
    }
    return least;
}

void grade_boxes(const struct grade_question *question, struct grade *out)
{
    struct turning turning = {0};
    if (strcmp(question->request->space->puzzle->name, "sokoban") != 0)
        return;
    follow_boxes(question, &turning);
    out->box_changes = turning.changes;
    out->decomposition = find_least_cut(&turning);
}
