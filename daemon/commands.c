/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "lookup_batch.h"
#include "reply.h"
#include "server.h"
#include "task.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct command commands[] = {
    {.verb = "EXPLORE",
     .usage = "puzzle [root=] [goal=] [depth=] [memory=] [time=] [threads=] [engine=auto|striped|dense] "
              "[keep=table|levels] [priority=] [estimate=yes]",
     .summary = "explores a puzzle and keeps its table",
     .least_arguments = 1,
     .most_arguments = 1,
     .keys = task_explore_keys,
     .takes_puzzle_keys = true,
     .on_loop = command_submit},
    {.verb = "SOLVE",
     .usage = "puzzle start= [goal=] [method=auto|table|bfs|bidirectional|astar|idastar] [partition=] "
              "[memory=] [time=] [threads=] [priority=]",
     .summary = "finds a shortest solution",
     .least_arguments = 1,
     .most_arguments = 1,
     .keys = task_solve_keys,
     .takes_puzzle_keys = true,
     .on_loop = command_submit},
    {.verb = "PDB",
     .usage = "puzzle [partition=] [memory=] [time=] [threads=] [priority=]",
     .summary = "builds the pattern databases of a sliding puzzle ahead",
     .least_arguments = 1,
     .most_arguments = 1,
     .keys = task_pdb_keys,
     .takes_puzzle_keys = true,
     .on_loop = command_submit},
    {.verb = "STATUS",
     .usage = "id",
     .summary = "where a job stands",
     .least_arguments = 1,
     .most_arguments = 1,
     .on_loop = command_status},
    {.verb = "JOBS",
     .usage = "[state=] [after=] [limit=]",
     .summary = "the jobs there are",
     .keys = " state after limit ",
     .on_loop = command_jobs},
    {.verb = "WAIT",
     .usage = "id [timeout=]",
     .summary = "answers when the job ends, or at the timeout",
     .least_arguments = 1,
     .most_arguments = 1,
     .keys = " timeout ",
     .on_loop = command_wait},
    {.verb = "WATCH",
     .usage = "id",
     .summary = "events until the job ends",
     .least_arguments = 1,
     .most_arguments = 1,
     .on_loop = command_watch},
    {.verb = "CANCEL",
     .usage = "id",
     .summary = "ends a job",
     .least_arguments = 1,
     .most_arguments = 1,
     .on_loop = command_cancel},
    {.verb = "FORGET",
     .usage = "id",
     .summary = "removes a job, its results and its table",
     .least_arguments = 1,
     .most_arguments = 1,
     .on_loop = command_forget},
    {.verb = "RESULT",
     .usage = "id",
     .summary = "what a job found",
     .least_arguments = 1,
     .most_arguments = 1,
     .on_loop = command_result},
    {.verb = "LEVELS",
     .usage = "id [examples=]",
     .summary = "the number of states of each level",
     .least_arguments = 1,
     .most_arguments = 1,
     .keys = " examples ",
     .on_worker = command_levels},
    {.verb = "DISTANCE",
     .usage = "puzzle start [goal=]",
     .summary = "how far a board is from the goal",
     .least_arguments = 2,
     .most_arguments = 2,
     .keys = " goal ",
     .takes_puzzle_keys = true,
     .batches = true,
     .on_worker = command_distance},
    {.verb = "PATH",
     .usage = "puzzle start [goal=]",
     .summary = "a shortest solution from a stored table",
     .least_arguments = 2,
     .most_arguments = 2,
     .keys = " goal ",
     .takes_puzzle_keys = true,
     .batches = true,
     .on_worker = command_path},
    {.verb = "SAMPLE",
     .usage = "puzzle depth= [count=] [seed=] [goal=]",
     .summary = "boards exactly so far from the goal",
     .least_arguments = 1,
     .most_arguments = 1,
     .keys = command_sample_keys,
     .takes_puzzle_keys = true,
     .is_slow = true,
     .on_worker = command_sample},
    {.verb = "DEEPEST",
     .usage = "puzzle [goal=]",
     .summary = "the farthest boards",
     .least_arguments = 1,
     .most_arguments = 1,
     .keys = " goal ",
     .takes_puzzle_keys = true,
     .on_worker = command_deepest},
    {.verb = "TABLES", .usage = "", .summary = "the stored tables", .on_worker = command_tables},
    {.verb = "PIN",
     .usage = "table",
     .summary = "keeps a table when room is made",
     .least_arguments = 1,
     .most_arguments = 1,
     .is_slow = true,
     .on_worker = command_pin},
    {.verb = "UNPIN",
     .usage = "table",
     .summary = "lets it go again",
     .least_arguments = 1,
     .most_arguments = 1,
     .is_slow = true,
     .on_worker = command_unpin},
    {.verb = "FSCK",
     .usage = "",
     .summary = "checks every stored value",
     .is_slow = true,
     .on_worker = command_fsck},
    {.verb = "PUZZLES", .usage = "", .summary = "the puzzles there are", .on_worker = command_puzzles},
    {.verb = "PING", .usage = "", .summary = "tells that the daemon is well", .on_loop = command_ping},
    {.verb = "VERSION",
     .usage = "",
     .summary = "the versions of daemon and protocol",
     .on_loop = command_version},
    {.verb = "HELP",
     .usage = "[verb]",
     .summary = "the verbs and what they take",
     .most_arguments = 1,
     .on_loop = command_help},
    {.verb = "STATS", .usage = "", .summary = "what the daemon is doing", .on_loop = command_stats},
    {.verb = "METRICS", .usage = "", .summary = "the same for Prometheus", .on_loop = command_metrics},
    {.verb = "QUIT", .usage = "", .summary = "ends the connection", .on_loop = command_quit},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };
_Static_assert((unsigned)COMMANDS < (unsigned)METRICS_NO_VERB, "each verb has a number in the metrics");

const struct command *command_row(unsigned number)
{
    return number < COMMANDS ? &commands[number] : NULL;
}

unsigned command_number(const struct command *command)
{
    return (unsigned)(command - commands);
}

const char *command_word(unsigned number)
{
    return number < COMMANDS ? commands[number].verb : "none";
}

static enum pz_status no_such_verb(const struct request *request, struct pz_error *error)
{
    char names[256] = "";
    size_t length = 0;
    for (unsigned i = 0; i < COMMANDS && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, " %s", commands[i].verb);
    if (*request->verb == '\0')
        return pz_fail(error, PZ_BAD_REQUEST, "an empty line; there are:%s", names);
    return pz_fail(error, PZ_BAD_REQUEST, "no verb '%.40s'; there are:%s", request->verb, names);
}

static bool knows_key(const struct command *command, const char *key)
{
    const char *keys = command->keys != NULL ? command->keys : "";
    size_t length = strlen(key);
    for (const char *at = keys; (at = strstr(at, key)) != NULL; at += length)
        if (at > keys && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static enum pz_status check_keys(const struct command *command, const struct request *request,
                                 struct pz_error *error)
{
    for (unsigned i = 0; i < request->key_count && !command->takes_puzzle_keys; i++) {
        if (knows_key(command, request->key[i].key))
            continue;
        if (command->keys == NULL)
            return pz_fail(error, PZ_BAD_REQUEST, "unknown key '%.40s=': %s takes no keys",
                           request->key[i].key, command->verb);
        return pz_fail(error, PZ_BAD_REQUEST, "unknown key '%.40s='; %s takes%s", request->key[i].key,
                       command->verb, command->keys);
    }
    return PZ_OK;
}

enum pz_status command_find(const struct request *request, const struct command **out, struct pz_error *error)
{
    const struct command *command = commands;
    while (command < commands + COMMANDS && strcmp(command->verb, request->verb) != 0)
        command++;
    if (command == commands + COMMANDS)
        return no_such_verb(request, error);
    *out = command;
    if (request->argument_count < command->least_arguments ||
        request->argument_count > command->most_arguments)
        return pz_fail(error, PZ_BAD_REQUEST, "%u arguments given; write: %s%s%s", request->argument_count,
                       command->verb, *command->usage != '\0' ? " " : "", command->usage);
    return check_keys(command, request, error);
}

bool command_is_lookup(const char *line, size_t length)
{
    size_t verb = 0;
    while (verb < length && line[verb] != ' ')
        verb++;
    for (unsigned i = 0; i < COMMANDS; i++)
        if (commands[i].batches && strlen(commands[i].verb) == verb &&
            strncasecmp(commands[i].verb, line, verb) == 0)
            return true;
    return false;
}

void command_run(void *context, struct pending_reply *pending, const char *line, size_t length)
{
    struct server *server = context;
    struct request request;
    struct pz_error error;
    const struct command *command = NULL;
    enum pz_status status = request_parse(&request, line, length, &error);
    if (request.tag != NULL)
        (void)snprintf(pending->tag, sizeof pending->tag, "%s", request.tag);
    if (status == PZ_OK)
        status = command_find(&request, &command, &error);
    if (command != NULL)
        pending->verb = command_number(command);
    if (status == PZ_OK && server->stopping)
        status = pz_fail(&error, PZ_SHUTTING_DOWN, "the daemon is stopping");
    if (status != PZ_OK || command == NULL)
        pending_reply_fail(pending, &error);
    else if (command->on_worker != NULL)
        lookup_batch_single(server, pending, line, length, command->is_slow);
    else
        command->on_loop(server, pending, &request);
}
