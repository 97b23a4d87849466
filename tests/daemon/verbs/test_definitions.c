/* SPDX-License-Identifier: MIT */
/* Puzzles that clients define: DEFINE, UNDEFINE, DEFINITIONS, and how long what they say lasts. */
#include "harness.h"

#include <sys/stat.h>

/* Hanoi, two discs; then as it would be written by somebody else; then with one rule less. */
#define HANOI                                                                                                \
    "text=\"2 3N 3N%0A1 - => 2 -%0A2 - => 1 -%0A1 - => 3 -%0A3 - => 1 -%0A2 - => 3 -%0A3 - => 2 -%0A"        \
    "3 1 => - 2%0A3 2 => - 1%0A2 1 => - 3%0A2 3 => - 1%0A1 2 => - 3%0A1 3 => - 2%0AGOAL 3 3%0A\""
#define SAME                                                                                                 \
    "text=\"# the same%0A2 3N 3n 1 - => 2 - 2 X => 1 X 1 - => 3 - 3 - => 1 - 2 - => 3 - 3 - => 2 - "         \
    "3 1 => 3 2 3 2 => 3 1 2 1 => - 3 2 3 => 2 1 1 2 => - 3 1 3 => - 2 GOAL 3 3\""
#define OTHER "text=\"2 3N 3N 1 - => 2 - 2 - => 3 - 3 1 => - 2 GOAL 3 3\""

SPECIFICATION(a_definition_is_a_puzzle_like_any_other)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=h2 format=psvn " HANOI, "OK name=h2 format=psvn puzzle=psvn:");
    client_expect_end(client, "EXPLORE h2", "layout=h2 state=done complete=yes states=9 depth=3");
    client_expect_end(client, "EXPLORE \"h2,goal:-:1\" start=1,3", "state=done states=9");
    client_expect(client, "DISTANCE h2 1,1", "OK moves=3");
    client_expect(client, "PATH h2 \"1 1\"",
                  "OK moves=3 solvable=yes job=1 to=goal start=1,1 path=rule_1,rule_9,rule_5");
    client_expect(client, "SOLVE h2 start=2,3 goal=1,3", "OK job=");
    client_expect_list(client, "DEEPEST h2", "OK count=4 ", 4);
    client_expect_list(client, "GRAPH h2", "OK count=9 depth=3 edges=24 ", 9);
    client_expect(client, "EXPORT \"h2,goal:-:1\"",
                  "ERR bad-request fatal definition h2 has no goal without");
    assert_non_null(strstr(client->line, "give a goal= without, or root= or start= where"));
    client_expect(client, "EXPORT h2 goal=1,3", "ERR no-table fatal states=9 ");
    client_expect(client, "DISTANCE h2 1,4", "ERR bad-board fatal '1,4': '4' is no value of variable 2");
    assert_non_null(strstr(client_only_record(client, "DEFINITIONS"), "name=h2 format=psvn puzzle=psvn:"));
}

SPECIFICATION(the_same_puzzle_twice_has_one_set_of_tables)
{
    struct client *client = client_new(*state);
    const char *puzzle =
        text_of("%s", value_of(client_ask(client, "DEFINE name=a format=psvn " HANOI), "puzzle"));
    client_expect(client, "DEFINE name=a format=psvn " SAME, "OK name=a format=psvn puzzle=psvn:");
    assert_string_equal(value_of(client->line, "cached"), "yes");
    client_expect(client, "DEFINE name=b format=psvn " SAME, "OK name=b ");
    assert_string_equal(value_of(client->line, "puzzle"), puzzle);
    client_expect_end(client, "EXPLORE a", "state=done states=9");
    client_expect(client, "DISTANCE b 1,1", "OK moves=3");
    client_expect(client, "DEFINE name=a format=psvn " OTHER,
                  "ERR bad-request fatal 'a' is defined, with another meaning: UNDEFINE it first");
    client_expect(client, "UNDEFINE a", "OK name=a forgotten=yes");
    client_expect(client, "DISTANCE a 1,1", "ERR bad-puzzle fatal no puzzle 'a'");
    client_expect(client, "DEFINE name=a format=psvn " OTHER, "OK name=a ");
    client_expect(client, "DISTANCE a 1,1", "ERR no-table");
    client_expect(client, "DISTANCE b 1,1", "OK moves=3");
}

SPECIFICATION(a_long_text_comes_in_parts_that_follow_each_other)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=p format=psvn more=yes text=\"1 3%0A\"", "OK bytes=4 more=yes");
    client_expect(client, "DEFINE name=p format=psvn more=yes at=4 text=\"0 => 1\"", "OK bytes=10 more=yes");
    client_expect(client, "DEFINE name=p format=psvn at=10 text=\" GOAL 1\"", "OK name=p ");
    client_expect(client, "DEFINE name=q format=psvn more=yes text=\"1 3 0 => 1 1\"", "OK bytes=12 more=yes");
    client_expect(client, "DEFINE name=q format=psvn more=yes at=12 text=\"%4\"",
                  "ERR bad-request fatal text=:");
    client_expect(client, "DEFINE name=q format=psvn at=12 text=\" => 2\"",
                  "ERR bad-request fatal at=12, but 0 bytes of the text are here");
    client_expect(client, "DEFINE name=q format=psvn text=\"1 3%0A0 => 1%0A1 => 4 %22\"",
                  "ERR bad-puzzle fatal line 3, column 8: byte 0x22 in a word");
    client_expect(client, "DEFINE name=q format=psvn text=1%00",
                  "ERR bad-request fatal text=: a percent sign stands before two hexadecimal digits, not 00");
    client_expect(client, "DEFINE name=klotski format=psvn " HANOI,
                  "ERR bad-request fatal 'klotski' is a puzzle");
    client_expect(client, "DEFINE name=Q format=psvn " HANOI, "ERR bad-request fatal 'Q' is no name");
    client_expect_list(client, "DEFINITIONS", "OK count=1", 1);
}

SPECIFICATION(a_text_of_more_than_a_mebibyte_is_refused)
{
    struct client *client = client_new(*state);
    static char line[4096];
    size_t at = 0;
    memset(line, 0, sizeof line);
    for (; at + 3900 <= 1 << 20; at += 3900) {
        const int length = snprintf(line, sizeof line, "DEFINE name=l format=psvn more=yes at=%zu text=", at);
        memset(line + length, 'x', 3900);
        line[length + 3900] = '\0';
        client_expect(client, line, "OK bytes=");
    }
    (void)snprintf(line + strcspn(line, "="), 64, "=l format=psvn more=yes at=%zu text=", at);
    memset(line + strlen(line), 'x', 3900);
    client_expect(client, line, "ERR too-large fatal the text has more than 1048576 bytes");
}

SPECIFICATION(definitions_and_what_was_asked_of_them_outlive_the_daemon)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_expect(client, "DEFINE name=h2 format=psvn " HANOI, "OK name=h2 ");
    client_expect_end(client, "EXPLORE h2", "state=done states=9");
    client_free(client);
    daemon_kill(daemon);
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    client_expect(client, "DISTANCE h2 1,1", "OK moves=3");
    client_expect(client, "EXPLORE h2", "OK job=1 state=done cached=yes");
    client_expect(client, "FSCK", "OK count=0 ");
    assert_string_equal(client_next(client), "END");
}

SPECIFICATION(a_definition_is_removed_by_its_owner_when_nothing_needs_it)
{
    static const char *const words[] = {"--listen", "127.0.0.1:0", NULL};
    struct daemon *daemon = *state;
    daemon_restart(daemon, words);
    struct client *client = client_new(daemon);
    struct client *other = client_new_tcp(daemon, "127.0.0.1");
    client_expect(client, "DEFINE name=h2 format=psvn " HANOI, "OK name=h2 ");
    client_expect_end(client, "EXPLORE h2", "state=done states=9");
    client_expect(other, "UNDEFINE h2", "ERR denied fatal h2 is the definition of uid:");
    const char *line = text_of("PIN \"%s\"", value_of(client_only_record(client, "TABLES"), "table"));
    client_expect(client, line, "OK ");
    client_expect(client, "UNDEFINE h2", "ERR busy retry its table psvn:");
    line = text_of("UNPIN \"%s\"", value_of(client_only_record(client, "TABLES"), "table"));
    client_expect(client, line, "OK ");
    client_expect(client, "UNDEFINE h2", "OK name=h2 forgotten=yes");
    client_expect(client, "UNDEFINE h2", "ERR bad-puzzle fatal no definition is named 'h2'");
}

SPECIFICATION(a_dump_has_the_definition_of_its_jobs)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_expect(client, "DEFINE name=h2 format=psvn " HANOI, "OK name=h2 ");
    client_expect_end(client, "EXPLORE h2", "state=done states=9");
    client_free(client);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "1"), 0);
    assert_int_equal(daemon_run_on(daemon, "fresh", "--import", NULL), 0);
    assert_int_equal(daemon_run_on(daemon, "fresh", "--import", NULL), 0); /* all is there */
    daemon_stop(daemon);
    const char *place = text_of("%s/fresh", daemon->directory);
    const char *const words[] = {"--state-dir", place, NULL};
    daemon_start(daemon, words);
    client = client_new(daemon);
    client_expect(client, "DISTANCE h2 1,1", "OK moves=3");
}

SPECIFICATION(the_administrators_directory_has_definitions)
{
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, "[daemon]\ndefinition-directory = " DEFINITIONS "\n");
    struct client *client = client_new(daemon);
    client_expect_end(client, "EXPLORE hanoi8", "state=done states=6561 depth=255");
    client_expect(client, "UNDEFINE hanoi8", "ERR denied fatal hanoi8 is from the administrator's directory");
    client_expect(client, "DEFINE name=hanoi8 format=psvn " HANOI,
                  "ERR bad-request fatal 'hanoi8' is defined");
}

/* Writes a file of the directory "own", which is made with the first. */
static void write_own(const struct daemon *daemon, const char *name, const char *text)
{
    (void)mkdir(text_of("%s/own", daemon->directory), 0700);
    write_text(text_of("%s/own/%s", daemon->directory, name), text);
}

/* Restarts the daemon with that directory as the administrator's. */
static void restart_with_own(struct daemon *daemon)
{
    daemon_restart_with(daemon, text_of("[daemon]\ndefinition-directory = %s/own\n", daemon->directory));
}

SPECIFICATION(only_regular_files_are_read_from_the_administrators_directory)
{
    struct daemon *daemon = *state;
    const char *own = text_of("%s/own", daemon->directory);
    write_own(daemon, "good.psvn", "1 3 0 => 1 GOAL 1");
    assert_int_equal(mkfifo(text_of("%s/pipe.psvn", own), 0600), 0);
    assert_int_equal(mkdir(text_of("%s/folder.psvn", own), 0700), 0);
    assert_int_equal(symlink(text_of("%s/good.psvn", own), text_of("%s/link.psvn", own)), 0);
    restart_with_own(daemon);
    struct client *client = client_new(daemon);
    assert_non_null(strstr(client_only_record(client, "DEFINITIONS"), "name=good "));
    assert_int_equal(logged(daemon, "event=definition-refused"), 3);
}

/* 10^9 states of 3,000 moves each: more than a test waits for. */
#define LONG "text=\"3 1000 1000 1000 - - - => X - - - - - => - X - - - - => - - X GOAL 0 0 0\""

/* Returns the name that begins so in DEFINITIONS, "" without one. */
static const char *name_that_begins(struct client *client, const char *begin)
{
    const char *name = "";
    client_expect(client, "DEFINITIONS", "OK count=");
    while (strcmp(client_next(client), "END") != 0)
        if (strncmp(value_of(client->line, "name"), begin, strlen(begin)) == 0)
            name = text_of("%s", value_of(client->line, "name"));
    return name;
}

SPECIFICATION(a_file_that_takes_a_clients_name_leaves_the_client_its_puzzle_tables_and_jobs)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    const char *id =
        text_of("%s", value_of(client_ask(client, "DEFINE name=h2 format=psvn " HANOI), "puzzle"));
    const char *kept = text_of("d%.30s", strchr(id, ':') + 1);
    client_expect_end(client, "EXPLORE h2", "state=done states=9");
    client_expect(client, "DEFINE name=long format=psvn " LONG, "OK name=long ");
    client_await_state(client, client_submit(client, "EXPLORE long"), "running");
    write_own(daemon, "h2.psvn", "1 3 0 => 1 GOAL 1");
    write_own(daemon, "long.psvn", "1 3 0 => 1 GOAL 1");
    restart_with_own(daemon);
    client = client_new(daemon);
    client_await_state(client, 2, "running");
    client_expect(client, text_of("DISTANCE %s 1,1", id), "OK moves=3");
    client_expect(client, text_of("EXPLORE %s", id), "OK job=1 state=done cached=yes");
    client_expect(client, "DISTANCE h2 1,1", "ERR bad-board");
    assert_string_equal(name_that_begins(client, kept), kept);
    client_expect(client, "CANCEL 2", "OK ");
    client_expect(client, text_of("UNDEFINE %s", kept), "OK ");
    daemon_kill(daemon);
    daemon_start(daemon, (const char *const[]){"--config", daemon->config, NULL});
    client_expect_list(client_new(daemon), "DEFINITIONS", "OK count=3", 3);
}

SPECIFICATION(a_known_definition_is_not_refused_where_its_client_may_have_no_more)
{
    struct client *client = client_new(*state);
    for (unsigned i = 0; i < 256; i++)
        client_expect(client, text_of("DEFINE name=n%u format=psvn %s", i, HANOI), "OK name=n");
    client_expect(client, "DEFINE name=n256 format=psvn " HANOI, "ERR limit retry a client has at most 256");
    client_expect(client, "DEFINE name=n7 format=psvn " HANOI, "OK name=n7 ");
}
