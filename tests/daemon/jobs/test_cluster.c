/* SPDX-License-Identifier: MIT */
/* Explorations with cluster=yes: what the ranks are told, what they tell, and how they fail. */
#include "cluster_ranks.h"
#include "harness.h"

WITH_CLUSTER(what_the_ranks_tell_is_the_job_s_result)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    unsigned long job = client_end_in(client, "done", "EXPLORE 2x2 depth=2 cluster=yes threads=2 memory=5G");
    const char *result = client_result(client, job);
    expect_fields(result, "complete=no reason=depth states=5 ranks=3 threads=2 keep=levels");
    client_expect_fields(client, text_of("LEVELS %lu examples=2", job), "count=3");
    assert_string_not_equal(value_of(client_next(client), "example"), "");
    assert_int_equal(client_skip_list(client), 2);
    char words[512] = "";
    assert_true(read_line(daemon, "words", words));
    assert_non_null(strstr(words, "puzzled-ranks explore --request=EXPLORE 2x2 depth=2 cluster=yes threads=2 "
                                  "memory=5G --seed="));
    assert_non_null(strstr(words, " --engine=striped --daemon"));
}

/* The words of one call say which engine the ranks are to take. */
static void expect_engine(struct client *client, const struct daemon *daemon, const char *request,
                          const char *option)
{
    char words[512] = "";
    (void)client_wait(client, client_submit(client, request));
    assert_true(read_line(daemon, "words", words));
    if (strstr(words, option) == NULL)
        fail_msg("%s: %s has no %s", request, words, option);
}

WITH_CLUSTER(the_ranks_are_told_the_engine_that_a_local_job_would_take)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes", "--engine=dense");
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes depth=2", "--engine=striped");
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes depth=3 engine=dense", "--engine=dense");
    expect_engine(client, daemon, "EXPLORE pancake:9 cluster=yes", "--engine=ranked");
    expect_engine(client, daemon, "EXPLORE pancake:8 cluster=yes engine=ranked", "--engine=ranked");
    expect_engine(client, daemon, "EXPLORE pancake:9 cluster=yes depth=2", "--engine=striped");
    expect_engine(client, daemon, "EXPLORE hanoi:3,3 cluster=yes", "--engine=striped");
    client_expect(client, "EXPLORE pancake:9 cluster=yes estimate=yes", "OK engine=ranked states=362880 ");
}

WITH_CLUSTER(the_ranks_are_told_the_configured_engine)
{
    struct daemon *daemon = *state;
    daemon_restart_with(
        daemon, text_of("[engine]\nengine = striped\n[cluster]\nlaunch = /bin/sh %s/ranks {program}\n",
                        daemon->directory));
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes", "--engine=striped");
    client_expect(client, "EXPLORE 3x3 cluster=yes estimate=yes", "OK engine=striped states=181440 ");
}

WITH_CLUSTER(a_question_that_a_cluster_cannot_answer_is_refused)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPLORE 2x2 cluster=yes keep=table",
                  "ERR unsupported fatal cluster=yes keeps no table");
    client_expect(
        client, "EXPLORE hanoi:3,3 cluster=yes engine=ranked",
        "ERR unsupported fatal the ranked engine: ranks share permutation puzzles only; engine=striped");
    client_expect(client, "EXPLORE 3x3 cluster=yes keep=levels edges=yes",
                  "ERR unsupported fatal cluster=yes counts no edges");
    client_expect(client, "EXPLORE 3x3 cluster=yes planes=disk",
                  "ERR unsupported fatal cluster=yes has planes on disk where [cluster] launch says");
    client_expect(client, "EXPLORE 3x3 cluster=yes disk=1G", "ERR unsupported fatal cluster=yes has planes");
    client_expect(client, "EXPLORE 5x5 cluster=yes",
                  "ERR too-large fatal more than 2^64 states: depth= says");
}

SPECIFICATION(a_daemon_without_a_cluster_says_so)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPLORE 2x2 cluster=yes",
                  "ERR unsupported fatal cluster=yes: this daemon has no cluster; [cluster] launch");
}

/* The job fails, and says so. */
static void expect_failure(void **state, const char *ranks, const char *error, const char *words)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, ranks);
    unsigned long job = client_end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    const char *result = client_result(client, job);
    assert_string_equal(value_of(result, "error"), error);
    if (strstr(result, words) == NULL)
        fail_msg("'%s' does not say '%s'", result, words);
    client_free(client);
}

WITH_CLUSTER(the_words_of_a_rank_that_fails_are_the_job_s)
{
    expect_failure(state, "echo ERR too-large fatal rank 2: needs 3.0G, limit 1.0G\n", "too-large",
                   "rank 2: needs 3.0G, limit 1.0G");
}

WITH_CLUSTER(a_command_that_dies_fails_with_its_last_words)
{
    expect_failure(state, THREE_LEVELS "echo ---- >&2; echo '=   rank 1 was killed' >&2; exit 7\n",
                   "internal", "the command ended with status 7: rank 1 was killed");
    expect_failure(state, THREE_LEVELS "kill -9 $$\n", "internal", "the command was killed by signal 9");
}

/* What MPI and the other ranks add is left out, as are control characters and bytes that are no UTF-8. */
WITH_CLUSTER(the_words_of_the_rank_that_gave_up_are_the_job_s)
{
    expect_failure(state,
                   THREE_LEVELS "echo puzzled-ranks: rank 1: the message is cut >&2\n"
                                "echo MPI_ABORT was invoked on rank 1 >&2; exit 1\n",
                   "internal", "the command ended with status 1: rank 1: the message is cut\"");
    expect_failure(state, THREE_LEVELS "printf 'a\\033b\\000c\\377d\\302\\233e\\n' >&2; exit 7\n", "internal",
                   "the command ended with status 7: a b c?d??e\"");
}

WITH_CLUSTER(of_many_words_the_first_and_the_last_are_the_job_s)
{
    static const char many[] =
        "echo There are not enough slots >&2; printf %0999d\\\\n 0 >&2; echo Ask for less >&2; exit 1\n";
    expect_failure(state, many, "internal",
                   "the command ended with status 1: There are not enough slots 0000");
    expect_failure(state, many, "internal", "0 Ask for less\"");
}

WITH_CLUSTER(a_command_that_ends_before_the_ranks_run_is_tried_twice)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    assert_int_equal(rename(path_of(daemon, "ranks"), path_of(daemon, "good")), 0);
    write_file(daemon, "ranks", "mv ${0%ranks}good $0; echo no room >&2; exit 1\n");
    (void)client_end_in(client, "done", "EXPLORE 2x2 depth=2 cluster=yes");
    write_file(daemon, "ranks", "echo no room >&2; exit 1\n");
    unsigned long job = client_end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    assert_non_null(strstr(client_result(client, job), "the command ended with status 1: no room"));
}

WITH_CLUSTER(garbage_is_refused)
{
    expect_failure(state, "echo Hello, world\n", "unsupported", "unexpected output: \\\"Hello, world\\\"");
    assert_int_equal(logged(*state, "unexpected output: \\\"Hello, world\\\"\" job="), 1);
    expect_failure(state, "echo level=1 states=2\n", "unsupported", "unexpected output: \\\"level=1");
    expect_failure(state, "echo level=0 states=1\necho level=0 example=xyz\n", "unsupported",
                   "unexpected output");
    expect_failure(state, THREE_LEVELS "echo OK complete=yes states=4\n", "unsupported", "unexpected output");
}

WITH_CLUSTER(two_jobs_and_other_versions_are_refused)
{
    expect_failure(state, "echo OK version=0.0.1 ranks=3 threads=1\n", "unsupported",
                   "starts more than one job");
    struct client *client = client_new(*state);
    write_file(*state, "ranks", "echo OK version=0.0.1 ranks=3 threads=1\n");
    unsigned long job = client_end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    assert_non_null(strstr(client_result(client, job), "the ranks run version 0.0.1, the daemon "));
}

/* ---- definitions ---- */

/* The command's standard input is what the definition's sender wrote. */
static void expect_input(const struct daemon *daemon, const char *file)
{
    char line[512];
    assert_true(read_line(daemon, file, line));
    assert_string_equal(line, "1 2 # of a coin\n");
}

/* The first call ends before the ranks run, so there is another one. */
WITH_CLUSTER(the_ranks_read_the_text_of_a_definition)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    char words[512] = "";
    client_expect(client,
                  "DEFINE name=coin format=psvn text=\"1 2 # of a coin%0A0 => 1 LABEL over%0A"
                  "1 => 0 LABEL back%0AGOAL 1%0A\"",
                  "OK name=coin ");
    ranks_say(client, daemon,
              text_of("cat >%s/input; echo ERR limit fatal rank 1: enough\n", daemon->directory));
    assert_int_equal(rename(path_of(daemon, "ranks"), path_of(daemon, "good")), 0);
    write_file(daemon, "ranks", "cat >${0%ranks}first; mv ${0%ranks}good $0; exit 1\n");
    (void)client_end_in(client, "failed", "EXPLORE coin cluster=yes");
    expect_input(daemon, "first");
    expect_input(daemon, "input");
    assert_true(read_line(daemon, "words", words));
    assert_non_null(strstr(words, "--request=EXPLORE psvn:"));
    assert_non_null(strstr(words, " --define=-.psvn"));
}

WITH_CLUSTER(a_puzzle_without_a_text_leaves_the_input_empty)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    char line[512];
    ranks_say(client, daemon,
              text_of("cat >%s/input; echo end >>%s/input\n" THREE_LEVELS END_AT_TWO, daemon->directory,
                      daemon->directory));
    (void)client_end_in(client, "done", "EXPLORE 2x2 depth=2 cluster=yes");
    assert_true(read_line(daemon, "input", line));
    assert_string_equal(line, "end\n");
}

WITH_CLUSTER(a_definition_with_costs_is_refused)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=dear format=psvn text=\"1 2 0 => 1 COST 3 GOAL 1\"", "OK name=dear ");
    client_expect(
        client, "EXPLORE dear cluster=yes",
        "ERR unsupported fatal cluster=yes is for puzzles whose moves all cost one: a daemon explores "
        "this without it, by engine=costs");
}
