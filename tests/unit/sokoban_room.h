/* SPDX-License-Identifier: MIT */
/* Random small levels for the tests of Sokoban. */
#ifndef SOKOBAN_ROOM_H
#define SOKOBAN_ROOM_H

#include "base/random.h"

#include <stdio.h>
#include <string.h>

enum { ROOM_TEXT = 96 };

/* A walled room of 5 × 6 with some walls inside, boxes and as many goals. */
static inline void make_room_of(struct random *random, unsigned boxes, char level[ROOM_TEXT])
{
    static const char frame[] = "########/#------#/#------#/#------#/#------#/#------#/########";
    (void)snprintf(level, ROOM_TEXT, "%s", frame);
    for (unsigned things = 0; things < 2 * boxes + 5;) {
        char *c = &level[random_below(random, strlen(level))];
        if (*c != '-')
            continue;
        *c = "$.#@"[things / boxes < 2 ? things / boxes : 2 + (things == 2 * boxes + 4)];
        things++;
    }
}

static inline void make_room(struct random *random, char level[ROOM_TEXT])
{
    make_room_of(random, 1 + (unsigned)random_below(random, 3), level);
}

#endif
