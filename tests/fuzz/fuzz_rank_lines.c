/* SPDX-License-Identifier: MIT */
/*
 * What the ranks of a cluster tell the daemon. The first byte chooses a puzzle and whether a depth was asked
 * for. The rest are lines, "V" at the beginning of one standing for a greeting of this version. Whatever they
 * are, the sink hears levels in order, whose states have a sum, texts are clean, and only sound totals are a
 * result.
 */
#include "fuzz_space.h"

#include "daemon/cluster/cluster_lines.h"
#include "protocol/text/utf8.h"
#include "space/slide/slide.h"
#include "version.h"

enum { ASKED_DEPTH = 3 };

struct hearing {
    struct cluster_lines lines;
    uint32_t levels;
    uint64_t states;
};

static enum pz_status hear_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct hearing *hearing = context;
    FUZZ_REQUIRE(level == hearing->levels && level <= hearing->lines.depth && states > 0);
    FUZZ_REQUIRE(!__builtin_add_overflow(hearing->states, states, &hearing->states));
    FUZZ_REQUIRE(hearing->states <= INT64_MAX);
    hearing->levels++;
    return PZ_OK;
}

static enum pz_status hear_examples(void *context, uint32_t level, const void *states, unsigned count,
                                    struct pz_error *error)
{
    const struct hearing *hearing = context;
    FUZZ_REQUIRE(level + 1 == hearing->levels && count > 0 && count <= EXPLORE_DEEPEST_MAX);
    return PZ_OK;
}

static const char *const puzzles[FUZZ_SPACES] = {"2x2", "3x3", "4x4", "jugs:3,5"};

static enum pz_status take(struct hearing *hearing, const char *line, struct pz_error *error)
{
    static const char greeting[] = "OK version=" PUZZLED_VERSION " ranks=3 threads=2 memory=1000";
    if (*line == 'V')
        line = greeting;
    return cluster_lines_take(&hearing->lines, line, strlen(line), error);
}

static void check_result(const struct hearing *hearing, const struct explore_result *result)
{
    const uint64_t all = slide_states(hearing->lines.space);
    FUZZ_REQUIRE(result->states == hearing->states && result->depth + 1 == hearing->levels);
    FUZZ_REQUIRE(result->complete == (result->reason == STOP_NONE));
    FUZZ_REQUIRE(!result->complete || all == 0 || result->states == all);
    FUZZ_REQUIRE(result->ranks > 0 && result->engine != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct control control = {.stop = false};
    struct explore_result result = {.engine = ""};
    struct hearing hearing = {.levels = 0};
    const struct explore_sink sink = {.context = &hearing, .level = hear_level, .examples = hear_examples};
    struct pz_error error = {.text = ""};
    enum pz_status status = PZ_OK;
    char *line;
    size_t at;
    if (size == 0)
        return 0;
    hearing.lines = (struct cluster_lines){.space = fuzz_space(puzzles, data[0] % FUZZ_SPACES),
                                           .depth = (data[0] & 4) != 0 ? ASKED_DEPTH : EXPLORE_NO_LIMIT,
                                           .control = &control,
                                           .sink = &sink,
                                           .result = &result};
    data++;
    size--;
    while (status == PZ_OK && (line = fuzz_line(&data, &size)) != NULL) {
        status = take(&hearing, line, &error);
        free(line);
    }
    FUZZ_REQUIRE(utf8_is_clean(error.text, strlen(error.text), &at));
    FUZZ_REQUIRE(utf8_is_clean(result.disk_text, strlen(result.disk_text), &at));
    if (hearing.lines.ended)
        check_result(&hearing, &result);
    return 0;
}
