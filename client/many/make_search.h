/* SPDX-License-Identifier: MIT */
/*
 * The search for boards of a wanted difficulty. Some chains go on side by side: each changes its set of
 * pieces a little and keeps what makes the hardest board harder, until that has as many moves as wanted; then
 * it begins anew. Their sets go to the daemon together. The same seed gives the same boards in the same
 * order.
 */
#ifndef MAKE_SEARCH_H
#define MAKE_SEARCH_H

#include "client/many/make_board.h"
#include "client/session/session.h"

struct made_board {
    const char *puzzle, *board; /* "rushhour:…"; the board in it, or where it begins by itself "" */
    uint64_t moves;
};

struct make_search {
    struct session *session;
    struct make_plan plan;
    uint64_t count, least, tries;
    /* Takes a board. No request is under way then. */
    enum exit_code (*take)(void *context, const struct made_board *made);
    void (*judged)(void *context); /* after each set of pieces */
    void *context;
};

/* Returns EXIT_NO_ANSWER if the tries did not suffice; *found says how many boards were taken. */
enum exit_code make_search(struct make_search *search, uint64_t *found);

/* Takes boards of one puzzle (make_sample.c): from its table; where the space is too large for one, random
 * walks from its goal are solved. No board is taken twice. Returns as make_search does. */
enum exit_code make_sample(struct make_search *search, const char *puzzle, uint64_t *found);

#endif
