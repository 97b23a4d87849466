/* SPDX-License-Identifier: MIT */
/* What the ranks of a cluster tell is checked line by line: each field forged in turn. 2x2 has 12 states in
 * levels of 1, 2, 2, 2, 2, 2, 1. */
#include "test_support.h"

#include "daemon/cluster/cluster_lines.h"
#include "protocol/text/utf8.h"
#include "space/registry.h"
#include "version.h"

#define GREETING "OK version=" PUZZLED_VERSION " ranks=3 threads=2 memory=1000\n"
#define THREE_LEVELS                                                                                         \
    "level=0 states=1\nlevel=0 example=0000000000000321\n"                                                   \
    "level=1 states=2\nlevel=1 example=0000000000002301,0000000000003021\nlevel=2 states=2\n"
#define ALL_LEVELS THREE_LEVELS "level=3 states=2\nlevel=4 states=2\nlevel=5 states=2\nlevel=6 states=1\n"
#define AT_TWO     "states=5 depth=2 engine=striped planes=auto seconds=0.5"
#define AT_THE_END "OK complete=yes reason=none states=12 depth=6 engine=dense planes=auto seconds=1\n"
#define LARGEST    "9223372036854775807"
#define NO_MORE    "[cluster] launch: unexpected output"

struct hearing {
    struct cluster_lines lines;
    struct control control;
    struct explore_result result;
    struct pz_error error;
    struct pz_space *space;
    unsigned levels, examples;
};

static enum pz_status hear_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct hearing *hearing = context;
    hearing->levels += level == hearing->levels;
    return PZ_OK;
}

static enum pz_status hear_examples(void *context, uint32_t level, const void *states, unsigned count,
                                    struct pz_error *error)
{
    struct hearing *hearing = context;
    hearing->examples += count;
    return PZ_OK;
}

/* Tells lines, each of which ends with LF, until one is refused. */
static enum pz_status tell(struct hearing *hearing, uint32_t depth, const char *text)
{
    const struct explore_sink sink = {.context = hearing, .level = hear_level, .examples = hear_examples};
    enum pz_status status = PZ_OK;
    *hearing = (struct hearing){.space = NULL};
    assert_int_equal(space_open("2x2", &(const struct pz_setup){0}, &hearing->space, NULL), PZ_OK);
    hearing->lines = (struct cluster_lines){.space = hearing->space,
                                            .depth = depth,
                                            .control = &hearing->control,
                                            .sink = &sink,
                                            .result = &hearing->result};
    for (const char *end; status == PZ_OK && (end = strchr(text, '\n')) != NULL; text = end + 1)
        status = cluster_lines_take(&hearing->lines, text, (size_t)(end - text), &hearing->error);
    space_close(hearing->space);
    return status;
}

static void expect_refusal(uint32_t depth, const char *text, enum pz_status status, const char *words)
{
    struct hearing hearing;
    size_t at = 0;
    if (tell(&hearing, depth, text) != status || strstr(hearing.error.text, words) == NULL)
        fail_msg("\"%s\" gives %d, \"%s\"", text, (int)hearing.error.code, hearing.error.text);
    assert_false(hearing.lines.ended);
    assert_true(utf8_is_clean(hearing.error.text, strlen(hearing.error.text), &at));
}

/* Each end, behind what begins well, is more than ranks may say. */
static void expect_refusals(const char *begin, const char *const *ends, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_refusal(EXPLORE_NO_LIMIT, text_of("%s%s", begin, ends[i]), PZ_UNSUPPORTED, NO_MORE);
}

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

TEST(what_is_told_is_the_result)
{
    struct hearing hearing;
    assert_int_equal(tell(&hearing, EXPLORE_NO_LIMIT, GREETING ALL_LEVELS AT_THE_END), PZ_OK);
    assert_true(hearing.lines.ended);
    assert_true(hearing.result.complete);
    assert_int_equal(hearing.result.states, 12);
    assert_int_equal(hearing.levels, 7);
    assert_int_equal(hearing.examples, 3);
    assert_int_equal(tell(&hearing, 2, GREETING THREE_LEVELS "OK complete=no reason=depth " AT_TWO "\n"),
                     PZ_OK);
    assert_int_equal(hearing.result.reason, STOP_DEPTH);
}

TEST(numbers_beyond_their_bounds_are_refused)
{
    static const char *const lines[] = {
        "level=0 states=1\nlevel=1 states=" LARGEST "\nlevel=2 states=" LARGEST "\n", /* the sum would wrap */
        "level=0 states=1\nlevel=4294967297 states=2\n",                              /* 1, in 32 bits */
        "level=0 states=1\nlevel=-1 states=2\n",
        "level=0 states=1\nlevel=1 states=0\n",
        "level=0 states=1\nlevel=1 states=-2\n",
        "level=0 states=1\nlevel=1 states=12\n", /* more than there are */
        "level=0 states=1\nlevel=1 states=18446744073709551617\n",
        "level=0 states=1\nlevel=1\n",
        "level=0 states=1\nlevel=2 states=2\n",
        "level=0 states=1\nlevel=0 states=1\n",
        "level=0 states=2\n", /* the root alone */
        "EVENT phase=search level=4294967295\n",
        "EVENT phase=search states=-1\n",
        "EVENT phase=search slowest=3\n",
        "EVENT phase=search rate=-1\n",
        "EVENT phase=search done=nan\n",
    };
    expect_refusals(GREETING, lines, COUNT(lines));
    expect_refusal(1, GREETING THREE_LEVELS, PZ_UNSUPPORTED, NO_MORE); /* nobody asked for level 2 */
}

TEST(a_greeting_has_three_numbers_within_bounds)
{
    static const char *const words[] = {
        "ranks=0 threads=2 memory=1\n",  "ranks=4294967297 threads=2 memory=1\n", "threads=2 memory=1\n",
        "ranks=1 threads=0 memory=1\n",  "ranks=1 threads=4294967297 memory=1\n", "ranks=1 memory=1\n",
        "ranks=1 threads=1 memory=-1\n", "ranks=1 threads=1 memory=x\n",          "ranks=1 threads=1\n",
    };
    expect_refusals("OK version=" PUZZLED_VERSION " ", words, COUNT(words));
}

TEST(words_that_are_not_known_are_refused)
{
    static const char *const ends[] = {
        "OK complete=no reason=boredom " AT_TWO "\n",
        "OK complete=perhaps reason=memory " AT_TWO "\n",
        "OK complete=no reason=none " AT_TWO "\n",
        "OK complete=yes reason=memory " AT_TWO "\n",
        "OK complete=no " AT_TWO "\n",
        "OK reason=memory " AT_TWO "\n",
        "OK complete=no reason=memory states=5 depth=2 engine=magic planes=auto seconds=1\n",
        "OK complete=no reason=memory states=5 depth=2 engine=auto planes=auto seconds=1\n",
        "OK complete=no reason=memory states=5 depth=2 engine=dense planes=paper seconds=1\n",
        "OK complete=no reason=memory states=5 depth=3 engine=dense planes=auto seconds=1\n",
        "OK complete=no reason=memory states=4 depth=2 engine=dense planes=auto seconds=1\n",
        "OK complete=no reason=memory states=5 depth=2 engine=dense planes=auto seconds=-1\n",
        "OK complete=no reason=memory generated=-1 " AT_TWO "\n",
        "OK complete=no reason=memory peak_bytes=1e9 " AT_TWO "\n",
        "OK complete=no reason=depth " AT_TWO "\n", /* another depth was asked for */
        "EVENT phase=lunch\n",
        "EVENT level=2\n",
        "LOST n=1\n",
        "END\n",
    };
    expect_refusals(GREETING THREE_LEVELS, ends, COUNT(ends));
}

TEST(lines_out_of_turn_are_refused)
{
    expect_refusal(EXPLORE_NO_LIMIT, "level=0 states=1\n", PZ_UNSUPPORTED, NO_MORE);
    expect_refusal(EXPLORE_NO_LIMIT, GREETING AT_THE_END, PZ_UNSUPPORTED, NO_MORE);
    expect_refusal(EXPLORE_NO_LIMIT, GREETING GREETING, PZ_UNSUPPORTED, "starts more than one job");
    struct hearing hearing;
    assert_int_equal(tell(&hearing, EXPLORE_NO_LIMIT, GREETING ALL_LEVELS AT_THE_END "level=7 states=1\n"),
                     PZ_UNSUPPORTED);
}

TEST(a_part_of_the_states_is_not_all)
{
    expect_refusal(EXPLORE_NO_LIMIT, GREETING THREE_LEVELS "OK complete=yes reason=none " AT_TWO "\n",
                   PZ_INTERNAL, "the ranks say that 5 states are all, and there are 12");
}

TEST(examples_that_are_none_are_refused)
{
    static const char *const examples[] = {
        "level=2 example=\n",
        "level=2 example=xyz\n",
        "level=2 example=0x00000000000321\n",
        "level=2 example=000000000000232\n",
        "level=2 example=0000000000002310,\n",
        "level=2 example=0000000000002310,0000000000003120,0000000000003210\n", /* of two states */
        "level=3 example=0000000000002310\n",
        "level=1 example=0000000000002310\n",
        "level=4294967298 example=0000000000002310\n",
        "level=2 example=0000000000002310\nlevel=2 example=0000000000003120\n",
    };
    expect_refusals(GREETING THREE_LEVELS, examples, COUNT(examples));
    expect_refusal(EXPLORE_NO_LIMIT, GREETING "level=0 example=0000000000000321\n", PZ_UNSUPPORTED, NO_MORE);
}

TEST(a_job_that_nobody_cancelled_is_not_cancelled)
{
    expect_refusal(EXPLORE_NO_LIMIT, GREETING "ERR cancelled fatal rank 1: cancelled\n", PZ_INTERNAL,
                   "rank 1: cancelled");
    expect_refusal(EXPLORE_NO_LIMIT, GREETING "ERR nonsense fatal rank 1: lost\n", PZ_INTERNAL,
                   "rank 1: lost");
    expect_refusal(EXPLORE_NO_LIMIT, GREETING "ERR ok fatal rank 1: lost\n", PZ_INTERNAL, "rank 1: lost");
    expect_refusal(EXPLORE_NO_LIMIT, GREETING "ERR too-large fatal rank 2: needs 3.0G\n", PZ_TOO_LARGE,
                   "rank 2: needs 3.0G");
}

TEST(texts_become_clean)
{
    expect_refusal(EXPLORE_NO_LIMIT, "Hello\033[2J \xff\xfe\xc2\x9b w\r\n", PZ_UNSUPPORTED,
                   "\"Hello?[2J ???? w?\"");
    expect_refusal(EXPLORE_NO_LIMIT, GREETING "ERR internal fatal a\033b\xf0\x9f c\n", PZ_INTERNAL,
                   "a?b?? c");
    expect_refusal(EXPLORE_NO_LIMIT, "OK version=9\033[1m ranks=1\n", PZ_UNSUPPORTED,
                   "the ranks run version 9?[1m");
    struct hearing hearing;
    assert_int_equal(tell(&hearing, EXPLORE_NO_LIMIT,
                          GREETING THREE_LEVELS "OK complete=no reason=disk text=\"full\x1b\xff\" " AT_TWO
                                                "\n"),
                     PZ_OK);
    assert_string_equal(hearing.result.disk_text, "full??");
}
