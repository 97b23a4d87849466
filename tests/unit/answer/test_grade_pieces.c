/* SPDX-License-Identifier: MIT */
/* Pieces that must move, held against a search of another make: cars as offsets in their lanes, of which one
 * stays where it is. */
#include "plain_search.h"

#include "answer/board_grade.h"
#include "base/random.h"

enum { SIDE = 6, CELLS = SIDE * SIDE, CARS_MAX = 7, STATES_MAX = 78125 /* 5 offsets of 7 cars */ };

struct car {
    bool lies;
    unsigned lane, length, offset;
};

struct lot {
    bool wall[CELLS];
    unsigned count;
    struct car car[CARS_MAX]; /* the first one leaves, to the right */
};

static unsigned cell_of(const struct car *car, unsigned offset)
{
    return car->lies ? car->lane * SIDE + offset : offset * SIDE + car->lane;
}

/* Marks the cells that are taken. Returns false if two cars overlap, or a car and a wall. */
static bool fill(const struct lot *lot, bool taken[CELLS])
{
    memcpy(taken, lot->wall, sizeof lot->wall);
    for (unsigned i = 0; i < lot->count; i++)
        for (unsigned part = 0; part < lot->car[i].length; part++) {
            bool *cell = &taken[cell_of(&lot->car[i], lot->car[i].offset + part)];
            if (*cell)
                return false;
            *cell = true;
        }
    return true;
}

static unsigned lot_number(const struct lot *lot)
{
    unsigned number = 0;
    for (unsigned i = 0; i < lot->count; i++)
        number = number * (SIDE - 1) + lot->car[i].offset;
    return number;
}

/* Returns how many steps of one cell the first car needs to its exit; -1 if it cannot leave while one car
 * stays (fixed; none if that is no car's number). */
static int plain_leave(const struct lot *start, unsigned fixed)
{
    static struct lot queue[STATES_MAX];
    static int steps[STATES_MAX];
    static bool seen[STATES_MAX];
    unsigned tail = 0;
    memset(seen, 0, sizeof seen);
    queue[tail] = *start;
    seen[lot_number(start)] = true;
    steps[tail++] = 0;
    for (unsigned head = 0; head < tail; head++) {
        const struct lot here = queue[head];
        if (here.car[0].offset + here.car[0].length == SIDE)
            return steps[head];
        for (unsigned i = 0; i < 2 * here.count; i++) {
            struct lot next = here;
            struct car *car = &next.car[i / 2];
            bool taken[CELLS];
            if (i / 2 == fixed || (i % 2 == 0 ? car->offset == 0 : car->offset + car->length == SIDE))
                continue;
            car->offset += i % 2 == 0 ? -1u : 1u;
            if (!fill(&next, taken) || seen[lot_number(&next)])
                continue;
            seen[lot_number(&next)] = true;
            steps[tail] = steps[head] + 1;
            queue[tail++] = next;
        }
    }
    return -1;
}

static void random_lot(struct random *random, struct lot *lot)
{
    bool taken[CELLS];
    *lot = (struct lot){.count = 1, .car = {{true, (unsigned)random_below(random, SIDE), 2, 0}}};
    for (unsigned tries = 0; tries < 40 && lot->count < CARS_MAX; tries++) {
        struct car *car = &lot->car[lot->count++];
        *car = (struct car){random_below(random, 3) == 0, (unsigned)random_below(random, SIDE),
                            2 + (unsigned)random_below(random, 2), 0};
        car->offset = (unsigned)random_below(random, SIDE - car->length + 1);
        lot->count -= !fill(lot, taken);
    }
    for (unsigned walls = 0; walls < 2; walls++) {
        const size_t cell = random_below(random, CELLS);
        lot->wall[cell] = true;
        lot->wall[cell] = fill(lot, taken);
    }
}

static void write_lot(const struct lot *lot, char text[CELLS + 1])
{
    for (unsigned cell = 0; cell < CELLS; cell++)
        text[cell] = lot->wall[cell] ? 'x' : 'o';
    text[CELLS] = '\0';
    for (unsigned i = 0; i < lot->count; i++)
        for (unsigned part = 0; part < lot->car[i].length; part++)
            text[cell_of(&lot->car[i], lot->car[i].offset + part)] = (char)('A' + i);
}

/* Grades the pieces of the start of a space. */
static struct grade grade_start(const struct pz_space *space)
{
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    struct budget budget;
    struct control control = {0};
    struct grade grade = {.pieces = -1, .must_move = -1};
    struct pz_error error = {0};
    budget_init(&budget, NULL, 256 << 20);
    assert_ok(space->puzzle->root(space, start, &error), error);
    const struct solve_request request = {.space = space, .start = start, .threads = 1, .budget = &budget};
    struct solve_result solved = {0};
    assert_ok(solve_run(&request, &control, &solved, &error), error);
    const struct grade_question question = {.request = &request, .solved = &solved};
    assert_ok(grade_pieces(&question, &control, &grade, &error), error);
    solve_result_free(&solved);
    return grade;
}

static void check_lot(const struct lot *lot, const char *metric)
{
    char text[CELLS + 1];
    int64_t must_move = 0;
    write_lot(lot, text);
    for (unsigned i = 0; i < lot->count; i++)
        must_move += plain_leave(lot, i) < 0;
    struct pz_space *space = plain_open("rushhour", text, NULL, "metric", metric);
    const struct grade grade = grade_start(space);
    if (grade.pieces != lot->count || grade.must_move != must_move)
        fail_msg("%s: %d pieces, %d must move; by a plain search %u and %d", text, (int)grade.pieces,
                 (int)grade.must_move, lot->count, (int)must_move);
    space_close(space);
}

TEST(cars_are_counted_and_those_that_must_move_as_a_plain_search_finds_them)
{
    struct random random = {11};
    for (unsigned boards = 0; boards < 60;) {
        struct lot lot;
        random_lot(&random, &lot);
        if (plain_leave(&lot, CARS_MAX) < 1)
            continue;
        check_lot(&lot, boards++ % 2 == 0 ? "move" : "step");
    }
}

static void check_pieces(const char *puzzle, const char *start, const char *goal, int64_t pieces,
                         int64_t must_move)
{
    struct pz_space *space = plain_open(puzzle, start, goal, NULL, NULL);
    const struct grade grade = grade_start(space);
    assert_int_equal(grade.pieces, pieces);
    assert_int_equal(grade.must_move, must_move);
    space_close(space);
}

/* A is to go one to the right; B is where it is to be. */
TEST(a_block_that_the_goal_names_and_that_is_there_need_not_move)
{
    check_pieces("klotski", "A@/@B", "A:0,1+B:1,1", 2, 1);
    check_pieces("klotski", "A@/B@", "A:0,1+B:1,1", 2, 2);
}

TEST(a_block_named_by_a_bracket_is_a_piece)
{
    check_pieces("klotski", "[@B", "[:0,1", 2, 1);
}

TEST(boxes_outside_the_walls_are_no_pieces)
{
    check_pieces("sokoban", "#####--*/#@$.#/#####--*", NULL, 1, 1);
}
