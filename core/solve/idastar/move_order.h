/* SPDX-License-Identifier: MIT */
/*
 * The order in which a walk tries the moves of the blank. Published node counts depend on it: in an iteration
 * that finds the goal, a move that comes after the right one is not looked at.
 */
#ifndef IDASTAR_MOVE_ORDER_H
#define IDASTAR_MOVE_ORDER_H

#include "board/board.h"
#include "puzzled/status.h"

struct board_view;

struct move_order {
    uint8_t first[1 << DIRECTION_COUNT]; /* of a set of directions, a bit each */
};

/* Reads the four letters in any order: "ULRD". PZ_BAD_REQUEST for others. order: NULL to check only. */
enum pz_status move_order_parse(const char *text, struct move_order *order, struct pz_error *error);
/* Turns an order on the caller's grid into that on the view's. */
void move_order_view(const struct grid *grid, const struct board_view *view, struct move_order *order);
/* The order of a walk that is asked for none. */
extern const struct move_order move_order_usual;

/* A node counts all its successors when it is expanded. Returns how many of them, along a path from a board,
 * come after the right move: they were not looked at. */
uint64_t move_order_later(const struct move_order *order, const struct grid *grid, const struct board *start,
                          const uint8_t *move, unsigned moves);

#endif
