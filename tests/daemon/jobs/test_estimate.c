/* SPDX-License-Identifier: MIT */
/* The estimate of an exploration, by each kind of planes, and which kind planes=auto takes. */
#include "harness.h"

SPECIFICATION(the_kind_of_planes_follows_the_limits)
{
    struct client *client = client_new(*state);
    client_expect_fields(client, "EXPLORE 3x4 estimate=yes", "planes=memory");
    client_expect_fields(client, "EXPLORE 3x5 estimate=yes keep=levels memory=100M disk=70G", "planes=none");
    const char *reply = client_ask(client, "EXPLORE 2x7 estimate=yes keep=levels memory=1G disk=4G");
    expect_fields(reply, "planes=disk");
    assert_in_range(number_of(reply, "disk_memory_bytes"), 100000000, 1000000000);
    assert_in_range(number_of(reply, "disk_bytes"), 1000000000, 4000000000);
    uint64_t whole = number_of(reply, "disk_written_bytes");
    reply = client_ask(client, "EXPLORE 2x7 estimate=yes keep=levels planes=disk depth=15");
    expect_fields(reply, "passes=15");
    assert_in_range(number_of(reply, "disk_written_bytes"), 1, whole / 1000);
}

/* Of 3x4 the states are known, of 5x5 not. */
SPECIFICATION(a_striped_search_goes_to_disk_when_memory_is_full)
{
    struct client *client = client_new(*state);
    const char *reply = client_ask(client, "EXPLORE 3x4 engine=striped estimate=yes memory=100M disk=4G");
    expect_fields(reply, "planes=disk");
    assert_in_range(number_of(reply, "disk_bytes"), 1931000000, 4000000000); /* measured */
    client_expect_fields(client, "EXPLORE 3x4 engine=striped estimate=yes memory=100M disk=1G",
                         "planes=none");
    client_expect_fields(client, "EXPLORE 5x5 estimate=yes memory=10M", "planes=memory,disk");
    reply = client_ask(client, "EXPLORE 5x5 estimate=yes memory=10M planes=memory");
    assert_null(strstr(reply, "planes="));
    unsigned long job = client_done(client, "EXPLORE 4x4 depth=18 memory=6M");
    reply = client_result(client, job);
    assert_non_null(strstr(reply, " states=920893 "));
    expect_fields(reply, "planes=disk");
    client_expect(client, "DISTANCE 4x4 1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15", "OK moves=1 ");
}

/* A refusal names a depth that fits in memory, also in so little that the work space counts. */
SPECIFICATION(the_depth_that_a_refusal_names_fits)
{
    static const char *const puzzles[] = {"4x4", "pancake:12"};
    static const char *const memory[] = {"600K", "1M", "4M", "8M"};
    struct client *client = client_new(*state);
    for (unsigned i = 0; i < 8; i++) {
        const char *puzzle = puzzles[i / 4];
        const char *limits = memory[i % 4];
        const char *line = text_of("EXPLORE %s memory=%s threads=2 planes=memory", puzzle, limits);
        const char *reply = client_ask(client, line);
        const char *depth = strstr(reply, "depth=");
        if (depth == NULL)
            fail_msg("%s: %s", line, reply);
        line = text_of("%s engine=striped %.*s", line, (int)strcspn(depth, " "), depth);
        (void)client_expect_end(client, line, "state=done reason=depth");
    }
}

SPECIFICATION(an_estimate_beyond_63_bits_is_the_largest_number_of_them)
{
    struct client *client = client_new(*state);
    const char *reply = client_ask(client, "EXPLORE 4x5 estimate=yes");
    expect_fields(reply, "states=1216451004088320000"); /* 20!/2 */
    expect_fields(reply, "bytes=9223372036854775807");
    client_expect(client, "EXPLORE 4x5", "ERR too-large fatal needs more than 8.0E, limit ");
}

/* Of 4x4 920,893 states lie within 18 moves, 798,186 in the last three levels; of nine pancakes 1 + 8 + 56
 * within two. */
SPECIFICATION(a_bounded_exploration_is_estimated_by_its_depth)
{
    struct client *client = client_new(*state);
    const char *reply = client_ask(client, "EXPLORE 4x4 estimate=yes depth=18");
    assert_in_range(number_of(reply, "states"), 900000, 2000000);
    assert_in_range(number_of(reply, "bytes"), 8 * 900000, 40 * 2000000);
    assert_in_range(number_of(reply, "levels_only_bytes"), 8 * 798186, 40 * 2000000);
    assert_in_range(number_of(reply, "table_bytes"), 8 * 900000, 20 * 2000000);
    reply = client_ask(client, "EXPLORE 5x5 estimate=yes depth=12");
    assert_in_range(number_of(reply, "states"), 10000, 100000);
    client_expect_fields(client, "EXPLORE 3x3 estimate=yes depth=300", "states=181440");
    client_expect_fields(client, "EXPLORE pancake:9 estimate=yes depth=2", "states=65");
}

SPECIFICATION(the_engine_is_the_configured_one)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPLORE 3x3 estimate=yes", "OK engine=dense ");
    client_free(client);
    daemon_restart_with(*state, "[engine]\nengine = striped\n");
    client = client_new(*state);
    client_expect(client, "EXPLORE 3x3 estimate=yes", "OK engine=striped ");
    client_expect(client, "EXPLORE 3x3 estimate=yes engine=dense", "OK engine=dense ");
}

/* The least exploration that is measured takes long under the sanitizers. */
SPECIFICATION(times_follow_explorations_that_ended)
{
#ifdef PUZZLED_SANITIZED
    skip();
#else
    struct client *client = client_new(*state);
    const char *reply = client_ask(client, "EXPLORE 3x5 estimate=yes keep=levels");
    assert_null(strstr(reply, "coded_seconds="));
    (void)client_ask(client, "EXPLORE 3x4 keep=levels planes=coded");
    (void)client_ask(client, "WAIT 1");
    reply = client_ask(client, "EXPLORE 3x5 estimate=yes keep=levels");
    assert_true(strtod(value_of(reply, "coded_seconds"), NULL) > 0);
    assert_null(strstr(reply, "disk_seconds="));
    reply = client_ask(client, "EXPLORE 3x5 estimate=yes keep=levels planes=coded depth=5");
    assert_null(strstr(reply, "coded_seconds="));
    client_free(client);
#endif
}
