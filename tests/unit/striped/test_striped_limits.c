/* SPDX-License-Identifier: MIT */
/* The striped engine at its edges: very deep spaces, the extreme keys, and memory that runs out for real. */
#include "striped_disk_trial.h"

#include "explore/key/mix.h"

#include <sys/resource.h>
#include <sys/wait.h>

enum { DEEP = 1500 };

/* The runs of one exploration. */
struct table {
    uint32_t distance_of[DEEP + 1]; /* of each number; UINT32_MAX when it was not there */
    const struct pz_space *space;
    uint32_t levels;
    bool wrong;
};

static enum pz_status take_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct table *table = context;
    table->wrong = table->wrong || level != table->levels || states == 0;
    table->levels++;
    return PZ_OK;
}

static enum pz_status take_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct table *table = context;
    for (size_t i = 0; i < run->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        unmix_bytes(run->keys + i * run->key_words, run->key_words * 8, state);
        uint64_t number = number_of(table->space, state);
        if (number > DEEP || table->distance_of[number] != UINT32_MAX)
            table->wrong = true;
        else
            table->distance_of[number] = run->distances[i];
    }
    return PZ_OK;
}

static void explore_chain(const struct number_space *number, enum keep keep, unsigned stripes,
                          struct table *table)
{
    const struct explore_sink sink = {.context = table, .level = take_level, .run = take_run};
    struct trial *trial =
        number_trial(number, 0, (struct explore_request){.keep = keep, .striped.stripes = stripes});
    memset(table, 0xFF, sizeof *table);
    table->space = &number->base;
    table->levels = 0;
    table->wrong = false;
    assert_ok(explore_run(&trial->request, &trial->control, &sink, &trial->result, &trial->error),
              trial->error);
    assert_true(trial->result.complete);
    assert_int_equal(trial->result.depth, DEEP);
    assert_int_equal(trial->result.states, DEEP + 1);
    assert_false(table->wrong);
    assert_int_equal(table->levels, DEEP + 1);
    trial_free(trial);
}

static void check_distances(const struct table *table)
{
    for (uint32_t i = 0; i <= DEEP; i++)
        assert_int_equal(table->distance_of[i], i);
}

TEST(distances_beyond_255_are_exact)
{
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        struct number_space number = number_space(words, true, DEEP, 0);
        struct table table;
        explore_chain(&number, KEEP_TABLE, 0, &table);
        check_distances(&table);
        explore_chain(&number, KEEP_TABLE, 16, &table);
        check_distances(&table);
        explore_chain(&number, KEEP_TABLE, 256, &table);
        check_distances(&table);
    }
}

TEST(frontier_mode_goes_deeper_than_255)
{
    struct number_space number = number_space(1, true, DEEP, 0);
    struct table table;
    explore_chain(&number, KEEP_LEVELS, 0, &table);
    explore_chain(&number, KEEP_LEVELS, 4, &table);
    explore_chain(&number, KEEP_LEVELS, 256, &table);
}

#ifdef PUZZLED_SANITIZED
enum { WORDS_STEP = 4 };
#else
enum { WORDS_STEP = 2 };
#endif

/* Number 0 becomes a state whose key is all zeros or all ones, as in an empty slot. */
TEST(the_extreme_keys_are_states_like_others)
{
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= WORDS_STEP) {
        for (unsigned ones = 0; ones < 2; ones++) {
            struct number_space number = number_space(words, true, DEEP, 0);
            struct table table;
            uint64_t key[PZ_STATE_MAX / 8];
            memset(key, ones ? 0xFF : 0, sizeof key);
            unmix_bytes(key, words * 8, number.base_key);
            explore_chain(&number, KEEP_TABLE, 0, &table);
            check_distances(&table);
            explore_chain(&number, KEEP_TABLE, 16, &table);
            check_distances(&table);
            explore_chain(&number, KEEP_LEVELS, 16, &table);
            explore_chain(&number, KEEP_TABLE, 512, &table);
            check_distances(&table);
            explore_chain(&number, KEEP_LEVELS, 512, &table);
        }
    }
}

/* ---- real memory, in a process of its own ---- */

static enum pz_status explore_4x4(uint64_t memory, struct explore_result *result)
{
    struct pz_space *space = NULL;
    struct pz_error error;
    struct pz_setup setup = {0};
    struct budget budget;
    struct control control = {0};
    struct explore_sink sink = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    enum pz_status status = space_open("4x4", &setup, &space, &error);
    if (status != PZ_OK)
        return status;
    (void)space->puzzle->root(space, root, &error);
    budget_init(&budget, NULL, memory);
    struct explore_request request = {.space = space,
                                      .root = root,
                                      .depth = EXPLORE_NO_LIMIT,
                                      .threads = 2,
                                      .budget = &budget,
                                      .engine = ENGINE_STRIPED};
    status = explore_run(&request, &control, &sink, result, &error);
    space_close(space);
    return budget.used == 0 ? status : PZ_INTERNAL;
}

/* Runs the function in a child; its exit status. */
static int in_child(int (*function)(uint64_t), uint64_t argument)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(function(argument));
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static uint64_t peak_resident(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* 0 when the process grew by no more than the budget and a twentieth, and used most of it. */
static int grow_within(uint64_t memory)
{
    struct explore_result result;
    uint64_t before = peak_resident();
    if (explore_4x4(memory, &result) != PZ_OK || result.reason != STOP_MEMORY)
        return 1;
    uint64_t grown = peak_resident() - before;
    if (grown > memory + memory / 20)
        return 2;
    return grown > memory / 4 ? 0 : 3;
}

TEST(the_process_stays_within_its_budget)
{
#ifdef PUZZLED_SANITIZED
    skip(); /* a sanitizer's own memory would be measured */
#endif
    assert_int_equal(in_child(grow_within, 48 << 20), 0);
    assert_int_equal(in_child(grow_within, 200 << 20), 0);
}

/* 0 when the exploration ended in good order although the system gave no more address space. */
static int explore_without_room(uint64_t room)
{
    struct explore_result result;
    struct rlimit limit = {.rlim_cur = room, .rlim_max = room};
    (void)setrlimit(RLIMIT_AS, &limit);
    enum pz_status status = explore_4x4(64 << 20, &result);
    return status == PZ_OK || status == PZ_MEMORY || status == PZ_TOO_LARGE ? 0 : 1;
}

TEST(memory_that_the_system_refuses_ends_the_search_well)
{
#ifdef PUZZLED_SANITIZED
    skip(); /* a sanitizer reserves more address space than there is */
#endif
    for (uint64_t room = 4 << 20; room < 400 << 20; room += room / 4)
        assert_int_equal(in_child(explore_without_room, room), 0);
}
