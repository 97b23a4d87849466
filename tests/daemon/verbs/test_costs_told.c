/* SPDX-License-Identifier: MIT */
/* What the daemon tells of a puzzle whose moves have costs, with gaps between them. */
#include "harness.h"

#define GAPS "text=\"1 6 0 => 1 COST 999999 1 => 2 COST 7 2 => 1 COST 7 4 => 5 GOAL 2\""
#define NONE "text=\"1 6 0 => 1 COST 999999 1 => 2 COST 7 GOAL 4\""
#define FAR                                                                                                  \
    "text=\"1 6 0 => 1 COST 999999999 1 => 2 COST 999999999 2 => 3 COST 999999999 3 => 4 COST 999999999 "    \
    "4 => 5 COST 999999999 GOAL 5\""

static void expect_levels(struct client *client)
{
    client_expect_list(client, "LEVELS 1", "OK count=3 from=root unit=cost", 3);
    client_expect(client, "LEVELS 1", "OK count=3 from=root unit=cost");
    assert_string_equal(client_next(client), "level=0 states=1");
    assert_string_equal(client_next(client), "level=999999 states=1");
    assert_string_equal(client_next(client), "level=1000006 states=1");
    assert_string_equal(client_next(client), "END");
}

SPECIFICATION(levels_without_states_are_left_out)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=gaps format=psvn " GAPS, "OK name=gaps ");
    client_expect(client, "PATH gaps 0 root=0", "ERR unsupported fatal moves of psvn have costs: SOLVE");
    client_expect_end(client, "EXPLORE gaps start=0 threads=2",
                      "state=done complete=yes states=3 depth=1000006 engine=costs threads=1");
    expect_levels(client);
    client_expect(client, "DISTANCE gaps 2 root=0 from=root", "OK cost=1000006 solvable=yes");
    client_expect_list(client, "SAMPLE gaps root=0 depth=999999 from=root", "OK count=1 depth=999999", 1);
    client_expect_list(client, "SAMPLE gaps root=0 depth=5 from=root", "OK count=0 depth=5", 0);
    client_expect_list(client, "DEEPEST gaps root=0 from=root",
                       "OK count=1 depth=1000006 total=1 complete=yes from=root unit=cost", 1);
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
    client_expect_end(client, "SOLVE gaps start=0 threads=2",
                      "state=done solvable=yes moves=2 cost=1000006 threads=1");
}

SPECIFICATION(a_histogram_of_costs_beyond_a_million_is_refused)
{
    struct client *client = client_new(*state);
    client_expect(client,
                  "DEFINE name=wide format=psvn text=\"1 3 0 => 1 COST 1000000 1 => 2 COST 48576 GOAL 2\"",
                  "OK name=wide ");
    client_done(client, "EXPLORE wide start=0");
    const char *line =
        text_of("TABLES table=\"%s\" histogram=yes", value_of(client_only_record(client, "TABLES"), "table"));
    client_expect(client, line, "ERR too-large fatal a histogram of costs to 1048576: ask for LEVELS");
}

SPECIFICATION(a_dump_has_levels_with_gaps)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_expect(client, "DEFINE name=gaps format=psvn " GAPS, "OK name=gaps ");
    client_expect_end(client, "EXPLORE gaps start=0", "state=done complete=yes states=3");
    client_free(client);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "1"), 0);
    assert_int_equal(daemon_run_on(daemon, "fresh", "--import", NULL), 0);
    daemon_stop(daemon);
    const char *place = text_of("%s/fresh", daemon->directory);
    const char *const words[] = {"--state-dir", place, NULL};
    daemon_start(daemon, words);
    client = client_new(daemon);
    expect_levels(client);
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
}

SPECIFICATION(costs_beyond_two_bytes_are_not_exported)
{
    struct client *client = client_new(*state);
    client_expect(client,
                  "DEFINE name=most format=psvn text=\"1 2 0 => 1 COST 65534 1 => 0 COST 65534 GOAL 0\"",
                  "OK name=most ");
    client_expect(client,
                  "DEFINE name=more format=psvn text=\"1 2 0 => 1 COST 65535 1 => 0 COST 65535 GOAL 0\"",
                  "OK name=more ");
    (void)client_done(client, "EXPLORE most");
    (void)client_done(client, "EXPLORE more");
    client_expect(client, "EXPORT most", "OK count=1 states=2 bytes=2");
    assert_string_equal(client_next(client), "distances=0000fffe");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "EXPORT more", "ERR too-large fatal costs up to 65535");
}

/* Without it an import would say that the path has another cost. */
SPECIFICATION(a_start_that_is_a_goal_costs_nothing_and_can_be_imported)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_expect(client, "DEFINE name=gaps format=psvn " GAPS, "OK name=gaps ");
    client_expect_end(client, "SOLVE gaps start=2", "state=done solvable=yes moves=0 cost=0");
    client_free(client);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "1"), 0);
    assert_int_equal(daemon_run_on(daemon, "fresh", "--import", NULL), 0);
}

SPECIFICATION(a_goal_that_is_never_reached_leaves_all_states_dead)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_expect(client, "DEFINE name=none format=psvn " NONE, "OK name=none ");
    client_expect_end(client, "EXPLORE none start=0 from=goals",
                      "state=done complete=yes states=0 depth=0 engine=costs");
    client_expect(client, "DISTANCE none 0 root=0", "OK solvable=no moves=-1");
    client_expect_list(client, "DEEPEST none root=0 dead=9", "OK count=3 ", 3);
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
    client_expect_end(client, "SOLVE none start=0", "state=done solvable=no");
    client_free(client);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "1"), 0);
    assert_int_equal(daemon_run_on(daemon, "fresh", "--import", NULL), 0);
}

SPECIFICATION(a_limit_of_costs_that_is_met_is_told)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=far format=psvn " FAR, "OK name=far ");
    client_expect_end(client, "EXPLORE far start=0",
                      "state=done complete=no states=5 depth=3999999996 engine=costs");
    client_expect(client, "RESULT 1", "OK job=1 ");
    client_expect_end(client, "SOLVE far start=0",
                      "state=stopped solvable=unknown reason=levels at_least=4294967293 unit=cost");
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
}
