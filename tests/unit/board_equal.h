/* SPDX-License-Identifier: MIT */
#ifndef BOARD_EQUAL_H
#define BOARD_EQUAL_H

#include "board/board.h"

#include <string.h>

static inline bool board_equal(const struct board *a, const struct board *b)
{
    return a->cells == b->cells && memcmp(a->tile, b->tile, a->cells) == 0;
}

#endif
