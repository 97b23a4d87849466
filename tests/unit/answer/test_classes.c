/* SPDX-License-Identifier: MIT */
/* Explorations by class (symmetry=yes): each level has as many states as without. */
#include "explore_trial.h"
#include "tws_text.h"

#include "answer/answer_table.h"
#include "explore/question_plan.h"
#include "solve/solve.h"
#include "space/root_set.h"
#include "space/text/tws/tws.h"

enum { LEVELS = 64, KEYS_MAX = 4 };

static const struct pz_setup plain_setup;

struct told {
    const struct pz_space *space;
    uint64_t states[LEVELS], all[LEVELS];
};

static enum pz_status hear_class_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct told *told = context;
    (void)error;
    assert_true(level < LEVELS);
    told->states[level] = states;
    return PZ_OK;
}

static enum pz_status hear_class_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct told *told = context;
    (void)error;
    count_classes(told->space, run, told->all, LEVELS);
    return PZ_OK;
}

/* Opens a text with symmetry=yes, or no, and other keys. Returns how that ended. */
static enum pz_status open_symmetry(const char *text, const struct pz_setup *setup, bool classes,
                                    struct pz_space **out, struct pz_error *error)
{
    struct definition *definition = definition_of(DEFINITION_TWS, "text", text);
    struct pz_key keys[KEYS_MAX] = {{"symmetry", classes ? "yes" : "no"}};
    for (size_t i = 0; i < setup->key_count; i++)
        keys[i + 1] = setup->keys[i];
    const struct pz_setup all = {
        .size = "text", .goal = setup->goal, .keys = keys, .key_count = setup->key_count + 1};
    const enum pz_status status = definition_open(definition, &all, out, error);
    definition_release(definition);
    return status;
}

static struct pz_space *open_with(const char *file, const struct pz_setup *setup, bool classes)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    assert_ok(open_symmetry(read_text(file), setup, classes, &space, &error), error);
    return space;
}

static void explore_classes(const struct pz_space *space, uint32_t depth, struct told *told)
{
    const struct explore_sink sink = {.context = told, .level = hear_class_level, .run = hear_class_run};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    space->puzzle->goal(space, root);
    struct trial *trial = trial_in(
        space,
        (struct explore_request){.root = root, .depth = depth, .engine = ENGINE_STRIPED, .keep = KEEP_TABLE});
    *told = (struct told){.space = space};
    assert_ok(explore_run(&trial->request, &trial->control, &sink, &trial->result, &trial->error),
              trial->error);
    trial_free(trial);
}

/* The numbers of positions are published; those of classes are what the program finds. */
TEST(classes_of_the_cube_stand_for_the_published_positions)
{
    static const uint64_t classes[] = {1, 2, 9, 75, 934, 12077},
                          positions[] = {1, 18, 243, 3240, 43239, 574908};
    const uint32_t depth = SANITIZED ? 3 : 5;
    struct pz_space *space = open_with("cube3", &plain_setup, true);
    struct told told;
    explore_classes(space, depth, &told);
    for (uint32_t i = 0; i <= depth; i++) {
        assert_int_equal(told.states[i], classes[i]);
        assert_int_equal(told.all[i], positions[i]);
    }
    space_close(space);
}

TEST(every_level_has_as_many_states_by_class_as_without)
{
    static const struct {
        const char *file, *goal;
        size_t count;
        struct pz_key keys[2];
        uint32_t depth;
        unsigned fewer; /* classes of the last level, so many times at least */
    } rows[] = {{"cube2", NULL, 0, {{0}}, 5, 40},
                {"cube2", NULL, 1, {{"moves", "U2,R2,F2,D2"}}, EXPLORE_NO_LIMIT, 2},
                {"cube2", "U2,D2", 1, {{"metric", "quarter"}}, 5, 12},
                {"cube2", "R,U,F,L", 0, {{0}}, 4, 1},
                {"pyraminx", NULL, 0, {{0}}, 4, 20},
                {"skewb", NULL, 0, {{0}}, 4, 40},
                {"dino", NULL, 0, {{0}}, 4, 40},
                {"cube5", NULL, 0, {{0}}, 2, 1}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct told with, without;
        const struct pz_setup setup = {
            .goal = rows[i].goal, .keys = rows[i].keys, .key_count = rows[i].count};
        struct pz_space *classes = open_with(rows[i].file, &setup, true);
        struct pz_space *plain = open_with(rows[i].file, &setup, false);
        unsigned last = 0;
        explore_classes(classes, rows[i].depth, &with);
        explore_classes(plain, rows[i].depth, &without);
        for (unsigned level = 0; level < LEVELS; level++) {
            if (with.all[level] != without.states[level])
                fail_msg("%s %s: level %u", rows[i].file, rows[i].goal, level);
            assert_int_equal(without.all[level], without.states[level]);
            last = without.states[level] > 0 ? level : last;
        }
        assert_true(with.states[last] * rows[i].fewer <= without.states[last]);
        space_close(classes);
        space_close(plain);
    }
}

TEST(a_class_is_written_by_its_least_state)
{
    struct pz_space *space = open_with("cube3", &plain_setup, true);
    uint64_t one[PZ_STATE_MAX / 8] = {0}, other[PZ_STATE_MAX / 8] = {0};
    char text[PZ_TEXT_MAX];
    parse_state(space, "R,U2,F'", one);
    parse_state(space, "B',U2,L", other); /* seen in a mirror */
    assert_memory_equal(one, other, space->state_bytes);
    assert_int_equal(tws_stands_for(space, one), 48);
    assert_true(space->puzzle->valid(space, one));
    assert_true(space->puzzle->print(space, one, text) > 0);
    parse_state(space, text, other);
    assert_memory_equal(one, other, space->state_bytes);
    space_close(space);
}

TEST(classes_begin_at_what_symmetries_keep_and_have_no_paths)
{
    struct pz_space *space = open_with("cube3", &plain_setup, true), *square = NULL;
    struct question_plan plan = {0};
    struct pz_error error = {0};
    struct budget budget;
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    budget_init(&budget, NULL, 1 << 28);
    parse_state(space, "U R", root);
    const struct explore_request explore = {
        .space = space, .root = root, .depth = 3, .engine = ENGINE_AUTO, .keep = KEEP_TABLE};
    assert_int_equal(question_plan_init(&plan, &explore, 0, &plan_offer_any, &error), PZ_BAD_REQUEST);
    const struct solve_request solve = {.space = space, .start = root, .threads = 1, .budget = &budget};
    assert_int_equal(solve_check(&solve, &error), PZ_UNSUPPORTED);
    space_close(space);
    assert_int_equal(open_symmetry(read_text("square1"), &plain_setup, true, &square, &error),
                     PZ_UNSUPPORTED);
}

/* Turns of pieces that nobody sees may be mirrored: 8 symmetries do the same, of which not all are found. */
TEST(symmetries_that_do_the_same_count_once)
{
    static const char text[] =
        "Set B 1 3\nSet C 1 4\nSet D 1 5\nSet A 5 1\n"
        "Solved\nB\n1\n?\nC\n1\n?\nD\n1\n?\nA\n1 2 3 4 5\nEnd\n"
        "Move B\nB\n1\n1\nEnd\nMove C\nC\n1\n1\nEnd\nMove D\nD\n1\n1\nEnd\n"
        "Move V\nA\n2 1 3 4 5\nEnd\nMove W\nA\n1 3 2 4 5\nEnd\nMove X\nA\n1 2 4 3 5\nEnd\n"
        "Move Y\nA\n1 2 3 5 4\nEnd\nMove Z\nA\n5 2 3 4 1\nEnd\n";
    struct pz_space *space[2] = {NULL, NULL};
    struct told told[2];
    for (unsigned i = 0; i < 2; i++) {
        struct pz_error error = {0};
        assert_ok(open_symmetry(text, &plain_setup, i == 0, &space[i], &error), error);
        explore_classes(space[i], EXPLORE_NO_LIMIT, &told[i]);
    }
    assert_int_equal(told[0].states[1], 1);
    assert_memory_equal(told[0].all, told[1].states, sizeof told[1].states);
    space_close(space[0]);
    space_close(space[1]);
}

/* Writes a text of so many pieces, in sets of up to eight. */
static void write_long_text(unsigned places, char *out, size_t size)
{
    int at = 0;
    for (unsigned i = 0; i < places; i += 8)
        at += snprintf(out + at, size - (size_t)at, "Set S%u %u 2\n", i / 8, places - i < 8 ? places - i : 8);
    at += snprintf(out + at, size - (size_t)at, "Solved");
    for (unsigned i = 0; i < places; i++) {
        if (i % 8 == 0)
            at += snprintf(out + at, size - (size_t)at, "\nS%u\n", i / 8);
        at += snprintf(out + at, size - (size_t)at, "%u ", 10000 + i);
    }
    (void)snprintf(out + at, size - (size_t)at, "\nEnd\nMove T\nS0\n2 1 3 4 5 6 7 8\nEnd\n");
}

/* Else its tables would be those of the puzzle without classes. */
TEST(classes_have_a_name_of_their_own_however_long_the_goal)
{
    unsigned refused = 0;
    for (unsigned places = 113; places <= 128; places++) {
        struct pz_space *space = NULL;
        struct pz_error error = {0};
        const struct pz_setup setup = {.goal = "T"};
        char text[2048];
        write_long_text(places, text, sizeof text);
        const enum pz_status status = open_symmetry(text, &setup, true, &space, &error);
        if (status == PZ_OK)
            assert_string_equal(strrchr(space->size, ','), ",symmetry:yes");
        else
            assert_int_equal(status, PZ_TOO_LARGE);
        refused += status != PZ_OK;
        space_close(space);
    }
    assert_true(refused > 0 && refused < 16);
}
