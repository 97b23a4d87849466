/* SPDX-License-Identifier: MIT */
/* What Sokoban's bound adds for pairs and clusters of boxes, held against the distances of all positions of
 * small rooms. */
#include "plain_search.h"
#include "sokoban_room.h"

#include "space/guard.h"
#include "space/sokoban/sokoban.h"

#include <stdatomic.h>

#ifdef PUZZLED_SANITIZED
enum { ROOMS_BY_PUSHES = 20, ROOMS_BY_MOVES = 5, ROOMS_BY_CLUSTERS = 60 };
#else
enum { ROOMS_BY_PUSHES = 4000, ROOMS_BY_MOVES = 400, ROOMS_BY_CLUSTERS = 300 };
#endif
enum { FAR = UINT16_MAX };

/* Lowers what is known of a state by what is known of its successors. Returns true if it did. */
static bool relax(const struct plain_search *search, size_t at, uint16_t *distance)
{
    const struct pz_space *space = search->space;
    uint64_t state[PZ_STATE_MAX / 8], successors[16 * PZ_STATE_MAX / 8];
    uint8_t tokens[16];
    bool lower = false;
    memcpy(state, plain_state(search, at), space->state_bytes);
    assert_true(space->max_successors <= 16);
    const unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t next = *plain_slot(search, (uint8_t *)successors + (size_t)i * space->state_bytes) - 1;
        if (distance[next] + 1 < distance[at]) {
            distance[at] = (uint16_t)(distance[next] + 1);
            lower = true;
        }
    }
    return lower;
}

/* Returns the distances of all states to a goal; FAR where none can be reached. */
static uint16_t *find_distances(const struct plain_search *search)
{
    uint16_t *distance = malloc(search->count * sizeof *distance);
    bool lower = true;
    assert_non_null(distance);
    for (size_t i = 0; i < search->count; i++)
        distance[i] = search->space->puzzle->is_goal(search->space, plain_state(search, i)) ? 0 : FAR;
    while (lower) {
        lower = false;
        for (size_t i = search->count; i-- > 0;)
            lower |= relax(search, i, distance);
    }
    return distance;
}

struct tally {
    unsigned states, raised, hopeless; /* where the matching alone is lower, or is not hopeless */
};

/* The bound is never above the distance, never below the matching, and of two boxes it knows all positions
 * without a solution. */
static void check_room(struct pz_space *space, struct tally *tally)
{
    const struct sokoban *sokoban = (const struct sokoban *)space;
    struct plain_search search;
    uint64_t root[PZ_STATE_MAX / 8];
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    plain_explore(&search, space, root, false);
    uint16_t *distance = find_distances(&search);
    for (size_t i = 0; i < search.count; i++) {
        const unsigned bound = space->puzzle->heuristic(space, plain_state(&search, i));
        const unsigned matching = sokoban_match(sokoban, plain_state(&search, i));
        assert_true(bound >= matching && (bound == SOKOBAN_HOPELESS || bound <= distance[i]));
        assert_true(bound != SOKOBAN_HOPELESS || distance[i] == FAR);
        if (sokoban->boxes == 2)
            assert_true((bound == SOKOBAN_HOPELESS) == (distance[i] == FAR));
        tally->states++;
        tally->raised += sokoban->pushes && bound > matching && bound < SOKOBAN_HOPELESS;
        tally->hopeless += matching < SOKOBAN_HOPELESS && bound == SOKOBAN_HOPELESS;
    }
    free(distance);
    plain_free(&search);
}

static void check_rooms(const char *metric, unsigned wanted, struct tally *tally)
{
    struct random random = {5};
    for (unsigned rooms = 0; rooms < wanted;) {
        char level[ROOM_TEXT];
        struct pz_space *space = NULL;
        struct pz_error error = {0};
        make_room(&random, level);
        /* A box or a goal that is walled in is refused, not unsolvable. */
        if (plain_try_open(&space, "sokoban", level, NULL, "metric", metric, &error) != PZ_OK)
            continue;
        check_room(space, tally);
        space_close(space);
        rooms++;
    }
}

TEST(the_bound_of_no_position_is_above_its_distance_in_pushes)
{
    struct tally tally = {0};
    check_rooms("push", ROOMS_BY_PUSHES, &tally);
    assert_true(tally.raised > tally.states / 100 && tally.hopeless > tally.states / 100);
}

TEST(the_bound_of_no_position_is_above_its_distance_in_moves)
{
    struct tally tally = {0};
    check_rooms("move", ROOMS_BY_MOVES, &tally);
    assert_true(tally.hopeless > tally.states / 100);
}

/* ---- clusters of three and four boxes ---- */

struct asker {
    unsigned asked, last; /* the answer of that number is no, as are all that follow; 0 for none */
};

static bool ask(void *context)
{
    struct asker *asker = context;
    return ++asker->asked < asker->last || asker->last == 0;
}

/* The bound is never above the distance, and never below the level's own. */
static void check_clusters(struct pz_space *space, struct tally *tally)
{
    struct budget budget;
    struct plain_search search;
    uint64_t root[PZ_STATE_MAX / 8];
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    struct sokoban_clusters *clusters = sokoban_clusters_new(space, &budget);
    assert_non_null(clusters);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    plain_explore(&search, space, root, false);
    uint16_t *distance = find_distances(&search);
    for (size_t i = 0; i < search.count; i++) {
        const unsigned own = space->puzzle->heuristic(space, plain_state(&search, i));
        const unsigned bound = sokoban_clusters_bound(clusters, plain_state(&search, i));
        assert_true(bound >= own && (bound == SOKOBAN_HOPELESS || bound <= distance[i]));
        assert_true(bound != SOKOBAN_HOPELESS || distance[i] == FAR);
        tally->states++;
        tally->raised += bound > own && bound < SOKOBAN_HOPELESS;
        tally->hopeless += own < SOKOBAN_HOPELESS && bound == SOKOBAN_HOPELESS;
    }
    free(distance);
    plain_free(&search);
    sokoban_clusters_free(clusters);
    assert_int_equal(budget.used, 0);
}

TEST(the_bound_by_clusters_is_above_no_distance_and_finds_more_than_pairs)
{
    struct random random = {7};
    struct tally tally = {0};
    for (unsigned rooms = 0; rooms < ROOMS_BY_CLUSTERS;) {
        char level[ROOM_TEXT];
        struct pz_space *space = NULL;
        struct pz_error error = {0};
        make_room_of(&random, 3 + (unsigned)random_below(&random, 2), level);
        if (plain_try_open(&space, "sokoban", level, NULL, "metric", rooms % 4 == 3 ? "move" : "push",
                           &error) != PZ_OK)
            continue;
        assert_true(sokoban_clusters_help(space));
        check_clusters(space, &tally);
        space_close(space);
        rooms++;
    }
    assert_true(tally.raised > ROOMS_BY_CLUSTERS / 4 && tally.hopeless > ROOMS_BY_CLUSTERS);
}

TEST(clusters_are_left_without_memory_and_when_they_are_no_longer_wanted)
{
    struct budget budget;
    struct pz_space *space = plain_open("sokoban", "########/#@-----#/#-$$$$-#/#------#/#-....-#/########",
                                        NULL, "metric", "push");
    struct asker never = {0, 1};
    for (uint64_t bytes = 0; bytes < UINT64_C(1) << 20; bytes = bytes * 2 + 4096) {
        budget_init(&budget, NULL, bytes);
        struct sokoban_clusters *clusters = sokoban_clusters_new(space, &budget);
        sokoban_clusters_free(clusters);
        assert_int_equal(budget.used, 0);
    }
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    (void)wanted_set(&(struct wanted){ask, &never});
    assert_null(sokoban_clusters_new(space, &budget));
    (void)wanted_set(NULL);
    assert_int_equal(budget.used, 0);
    space_close(space);
}

/*
 * A box on its goal at the near end of a corridor shuts the player off from the room at its far end, where
 * another box waits: it has to be pushed through the whole corridor, away from the only goal that it can come
 * to, and back.
 *
 *     ###############
 *     ########-$.####
 *     ########-######
 *     #@*-----------#
 *     #######-------#
 *     ###############
 */
static void write_corridor(char *level, unsigned length)
{
    static const char *const rooms[] = {"######", "#-$.##", "#-####", "------", "------", "######"};
    size_t at = 0;
    for (unsigned row = 0; row < 6; row++) {
        level[at++] = '#';
        memset(level + at, row == 3 ? '-' : '#', length);
        if (row == 3)
            memcpy(level + at, "@*", 2);
        memcpy(level + at + length, rooms[row], 6);
        at += length + 6;
        level[at++] = '#';
        level[at++] = '/';
    }
    level[at - 1] = '\0';
}

/* 2 × length + 1 pushes solve it (breadth-first search: 257 for 128), of which the matching sees one. A state
 * has seven bits for an excess. */
TEST(a_pair_that_needs_hundreds_of_pushes_more_is_not_hopeless)
{
    for (unsigned length = 50; length <= 150; length++) {
        char level[6 * 180];
        uint64_t root[PZ_STATE_MAX / 8];
        struct pz_space *space = NULL;
        struct pz_error error = {0};
        write_corridor(level, length);
        if (plain_try_open(&space, "sokoban", level, NULL, "metric", "push", &error) != PZ_OK)
            fail_msg("%u: %s", length, error.text);
        assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
        const unsigned bound = space->puzzle->heuristic(space, root);
        assert_int_equal(bound, length > 63 ? 127 : 2 * length + 1);
        space_close(space);
    }
}

/* ---- an end ahead of time ---- */

/* A hall of 14 × 14 with twelve boxes in one row and twelve goals in another. */
static void write_hall(char level[272])
{
    enum { SIDE = 16 };
    char *c = level;
    for (unsigned row = 0; row < SIDE; row++) {
        for (unsigned column = 0; column < SIDE; column++) {
            const bool is_wall = row % (SIDE - 1) == 0 || column % (SIDE - 1) == 0;
            const bool is_inner = column > 1 && column < SIDE - 2;
            *c++ = "#$.-"[is_wall ? 0 : row == 5 && is_inner ? 1 : row == 10 && is_inner ? 2 : 3];
        }
        *c++ = '/';
    }
    level[SIDE + 2] = '@';
    c[-1] = '\0';
}

TEST(a_table_that_is_no_longer_wanted_is_left_and_made_when_it_is_wanted_again)
{
    char level[272];
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    struct asker never = {0, 3};
    struct asker always = {0, 0};
    write_hall(level);
    if (plain_try_open(&space, "sokoban", level, NULL, "metric", "push", &error) != PZ_OK)
        fail_msg("%s", error.text);
    const struct sokoban *sokoban = (const struct sokoban *)space;
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    (void)wanted_set(&(struct wanted){ask, &never});
    assert_int_equal(space->puzzle->heuristic(space, root), sokoban_match(sokoban, (uint8_t *)root));
    assert_int_equal(never.asked, 3);
    assert_null(atomic_load(sokoban->pairs));
    (void)space->puzzle->heuristic(space, root);
    assert_int_equal(never.asked, 4); /* it does not even begin */
    (void)wanted_set(&(struct wanted){ask, &always});
    (void)space->puzzle->heuristic(space, root);
    assert_non_null(atomic_load(sokoban->pairs));
    assert_true(always.asked > 10);
    (void)wanted_set(NULL);
    space_close(space);
}
