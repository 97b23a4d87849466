/* SPDX-License-Identifier: MIT */
/* The example of a board without an end: published levels, texts that are refused, forged states. */
#include "explore_trial.h"
#include "plain_search.h"

#include "space/check/plugin_check.h"

enum { WORDS = 4 };

const struct pz_puzzle *pz_plugin(void);

static struct pz_space *open_kind(const char *kind)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    const struct pz_setup setup = {.size = kind};
    assert_ok(pz_plugin()->open(&setup, &space, &error), error);
    return space;
}

static void check_kind(const char *kind, unsigned depth, unsigned threads)
{
    struct pz_space *space = open_kind(kind);
    struct trial *trial = lived(
        trial_in(space, (struct explore_request){.depth = depth, .threads = threads, .keep = KEEP_LEVELS}));
    check_known_levels(trial, text_of("infinite-%s-first-levels", kind), depth + 1);
    trial_free(trial);
    space_close(space);
}

TEST(the_levels_are_the_published_ones)
{
    static const unsigned threads[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        check_kind("corner", 12, threads[i]);
        check_kind("edge", 11, threads[i]);
        check_kind("plane", 10, threads[i]);
    }
}

static void print_line(void *context, const char *line)
{
    print_message("%s: %s\n", (const char *)context, line);
}

static void ignore_call(void *context, const char *function)
{
}

TEST(it_keeps_what_it_promises)
{
    struct pz_error error = {0};
    struct plugin_check_result result;
    const struct plugin_check_options options = {.puzzle = pz_plugin(),
                                                 .seed = 11,
                                                 .broken = print_line,
                                                 .calling = ignore_call,
                                                 .context = strdupa("infinite")};
    assert_ok(plugin_check(&options, &result, &error), error);
    assert_int_equal(result.broken, 0);
}

TEST(a_text_that_is_no_board_is_refused)
{
    static const char *const wrong[] = {
        "",
        "0",
        "x,0",
        "-1,0",
        "0,-1",
        "47,0",
        "1,0",
        "1,0/0,0=0,0",
        "1,0/0,0=2,0",
        "1,0/0,0=1,0/0,0=1,0",
        "1,0/0,0=1,0/",
        "1,0/0,0=1,0x",
        "1,0/0,0",
        "1,0/1,0=0,0",
        "0,0/40,0=41,0/41,0=40,0",
        "2,0/0,0=1,0/1,0=1,0",
    };
    struct pz_error error = {0};
    uint64_t at[WORDS];
    char text[PZ_TEXT_MAX];
    struct pz_space *space = open_kind("corner");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (space->puzzle->parse(space, wrong[i], at, &error) != PZ_BAD_BOARD)
            fail_msg("'%s' is taken", wrong[i]);
    parse_state(space, "1,1/0,0=1,0/1,0=1,1", at);
    (void)space->puzzle->print(space, at, text);
    assert_string_equal(text, "1,1/0,0=1,0/1,0=1,1");
    space_close(space);
}

/* Any 32 bytes are no state, or are one and print as one. */
TEST(forged_states_are_told_from_states)
{
    uint64_t at[WORDS];
    char text[PZ_TEXT_MAX];
    unsigned random = 1;
    unsigned valid = 0;
    struct pz_space *space = open_kind("edge");
    parse_state(space, "-1,1/-1,0=-1,1/0,0=-1,0", at);
    for (unsigned bit = 0; bit < 64 * WORDS; bit++) {
        at[bit / 64] ^= UINT64_C(1) << bit % 64;
        valid += space->puzzle->valid(space, at);
        (void)space->puzzle->print(space, at, text);
        at[bit / 64] ^= UINT64_C(1) << bit % 64;
    }
    assert_true(space->puzzle->valid(space, at));
    assert_int_equal(valid, 0);
    for (unsigned round = 0; round < 10000; round++) {
        for (unsigned byte = 0; byte < sizeof at; byte++)
            ((uint8_t *)at)[byte] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
        valid += space->puzzle->valid(space, at);
        (void)space->puzzle->print(space, at, text);
    }
    assert_int_equal(valid, 0);
    space_close(space);
}

TEST(a_wrong_kind_is_refused)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    assert_int_equal(pz_plugin()->open(&(struct pz_setup){.size = "corners"}, &space, &error),
                     PZ_BAD_REQUEST);
    assert_int_equal(pz_plugin()->open(&(struct pz_setup){.size = "", .goal = "1,0"}, &space, &error),
                     PZ_BAD_REQUEST);
}
