/* SPDX-License-Identifier: MIT */
/* HEURISTIC, and the histograms of TABLES. */
#include "harness.h"

/* The bound of one heuristic in the reply to a line; -1 when it is not there. */
static long bound_of(struct client *client, const char *line, const char *heuristic)
{
    long bound = -1;
    client_expect(client, line, "OK count=");
    for (const char *record = client_next(client); strcmp(record, "END") != 0; record = client_next(client))
        if (strcmp(value_of(record, "heuristic"), heuristic) == 0)
            bound = strtol(value_of(record, "at_least"), NULL, 10);
    return bound;
}

SPECIFICATION(a_sliding_board_has_three_bounds_and_those_of_the_stored_databases)
{
    struct client *client = client_new(*state);
    const char *line = "HEURISTIC 3x3 867254301";
    assert_int_equal(bound_of(client, line, "manhattan"), 21);
    assert_in_range(bound_of(client, line, "linear-conflict"), 21, 31);
    assert_in_range(bound_of(client, line, "walking-distance"), 21, 31);
    assert_int_equal(bound_of(client, line, "8"), -1);
    client_done(client, "PDB 3x3 partition=8");
    client_done(client, "PDB 3x3 partition=4-4");
    assert_in_range(bound_of(client, line, "4-4"), 21, 31);
    assert_int_equal(bound_of(client, line, "8"), 31); /* all tiles: the distance itself */
    assert_int_equal(bound_of(client, "HEURISTIC 3x3 132745608 goal=876543210", "8"), 31);
}

SPECIFICATION(a_board_by_several_tiles_has_the_bounds_of_that_metric)
{
    struct client *client = client_new(*state);
    const char *line = "HEURISTIC 3x3 867254301 metric=multi";
    assert_in_range(bound_of(client, line, "own"), 11, 20); /* 21 steps, of which a move takes two */
    assert_int_equal(bound_of(client, line, "4-4"), -1);
    client_done(client, "PDB 3x3 partition=4-4");
    assert_int_equal(bound_of(client, line, "4-4"), -1);
    client_done(client, "PDB 3x3 metric=multi");
    assert_in_range(bound_of(client, line, "4-4"), 12, 20);
    assert_int_equal(bound_of(client, line, "manhattan"), -1);
    assert_int_equal(bound_of(client, "HEURISTIC 3x3 123456708 metric=multi", "4-4"), 1);
    client_expect_end(client, "SOLVE 3x3 start=867254301 metric=multi method=idastar",
                      "state=done moves=20 partition=4-4 method=idastar");
}

SPECIFICATION(a_text_tells_what_its_stored_abstractions_say)
{
    struct client *client = client_new(*state);
    client_expect(client,
                  "DEFINE name=three format=psvn text=\"3 3 3 2 0 - - => 1 - - 1 - - => 2 - - - 0 - => - 1 - "
                  "- 1 - => - 2 - - - 0 => - - 1 GOAL 2 2 1\"",
                  "OK ");
    client_expect_list(client, "HEURISTIC three 0,0,0", "OK count=0", 0);
    client_done(client, "PDB three partition=1+2");
    client_done(client, "PDB three");
    assert_int_equal(bound_of(client, "HEURISTIC three 0,0,0", "1+2"), 4);
    assert_int_equal(bound_of(client, "HEURISTIC three 0,0,0", "1-3"), 5);
    assert_int_equal(bound_of(client, "HEURISTIC three 1,2,1", "1-3"), 1);
    assert_int_equal(bound_of(client, "HEURISTIC three 2,2,1 goal=0,-,-", "1-3"), -1);
    client_expect(client, "PDB three partition=4", "ERR bad-request fatal partition=4");
    client_expect(client, "SOLVE three start=0,0,0 partition=1-2+3 method=astar", "OK job=");
}

SPECIFICATION(abstractions_are_built_ahead_of_a_text_whose_goals_leave_places_open)
{
    struct client *client = client_new(*state);
    client_expect(
        client,
        "DEFINE name=open format=psvn text=\"2 3 2 0 - => 1 - 1 - => 2 - - 0 => - 1 GOAL 2 - GOAL - 1\"",
        "OK ");
    client_done(client, "PDB open partition=1-2");
    assert_int_equal(bound_of(client, "HEURISTIC open 0,0", "1-2"), 1);
    client_expect(client, "DEFINE name=aimless format=psvn text=\"2 2 2 0 - => 1 - - 0 => - 1\"", "OK ");
    client_expect(client, "PDB aimless", "ERR bad-request fatal definition aimless has no goal");
    client_done(client, "PDB aimless goal=1,1 partition=1-2");
    assert_int_equal(bound_of(client, "HEURISTIC aimless 0,0 goal=1,1", "1-2"), 2);
}

SPECIFICATION(other_puzzles_tell_their_own_or_none)
{
    struct client *client = client_new(*state);
    assert_int_equal(bound_of(client, "HEURISTIC sokoban #####/#@$.#/##### metric=push", "own"), 1);
    client_expect_list(client, "HEURISTIC jugs:3,5 0,0 goal=4", "OK count=0", 0);
    client_expect(client, "HEURISTIC jugs:3,5 0,0", "ERR bad-request fatal");
    client_expect(client, "HEURISTIC 3x3 12345678", "ERR bad-board fatal");
}

/* Of 3x3: the published levels, which are also the values of a database of all eight tiles. */
#define LEVELS_3X3                                                                                           \
    "1 2 4 8 16 20 39 62 116 152 286 396 748 1024 1893 2512 4485 5638 9529 10878 16993 17110 23952 20224 "   \
    "24047 15578 14560 6274 3910 760 221 2"

SPECIFICATION(histograms_are_the_published_ones)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3");
    const char *table =
        client_only_record(client, "TABLES table=\"slide:3x3 root=1,2,3/4,5,6/7,8,0\" histogram=yes");
    assert_string_equal(value_of(table, "entries"), LEVELS_3X3);
    client_expect(client, "TABLES histogram=yes", "ERR bad-request fatal histogram=yes needs table=NAME");
    client_expect(client, "TABLES table=x", "ERR no-table fatal");
}

/* Flips a bit of the words wherever they stand in the database. */
static void damage(const struct daemon *daemon, const char *words)
{
    const char *path = text_of("%s/state/data.mdb", daemon->directory);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    const size_t length = strlen(words);
    char window[64] = "";
    assert_true(length < sizeof window);
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file)) {
        memmove(window, window + 1, length - 1);
        window[length - 1] = (char)byte;
        if (memcmp(window, words, length) != 0)
            continue;
        assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
        assert_int_not_equal(fputc(byte ^ 1, file), EOF);
        assert_int_equal(fseek(file, 0, SEEK_CUR), 0);
    }
    assert_int_equal(fclose(file), 0);
}

SPECIFICATION(a_damaged_table_is_left_out_and_hides_no_other)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_done(client, "PDB 3x3 partition=4-4");
    client_done(client, "PDB 3x3 partition=8");
    client_expect_list(client, "TABLES", "OK count=3", 3);
    client_free(client);
    daemon_stop(daemon);
    damage(daemon, "pdb:3x3:8:blank");
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    assert_int_equal(bound_of(client, "HEURISTIC 3x3 867254301", "8"), -1);
    assert_in_range(bound_of(client, "HEURISTIC 3x3 867254301", "4-4"), 21, 31);
    client_expect_list(client, "TABLES", "OK count=2 unreadable=1", 2);
    client_expect_list(client, "FSCK", "OK count=1 ", 1);
    client_expect(client, "STATS", "OK ");
    assert_int_equal(number_of(client->line, "tables"), 2);
}
