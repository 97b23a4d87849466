/* SPDX-License-Identifier: MIT */
#include "daemon/verbs/verb_commands.h"

static const struct verb_command commands[VERB_COUNT] = {
    [VERB_EXPLORE] = {.submits = true},
    [VERB_SOLVE] = {.submits = true},
    [VERB_GRADE] = {.submits = true},
    [VERB_PDB] = {.submits = true},
    [VERB_STATUS] = {.on_loop = command_status},
    [VERB_JOBS] = {.on_loop = command_jobs},
    [VERB_WAIT] = {.on_loop = command_wait},
    [VERB_WATCH] = {.on_loop = command_watch},
    [VERB_CANCEL] = {.on_loop = command_cancel, .logged = true},
    [VERB_FORGET] = {.on_loop = command_forget, .logged = true},
    [VERB_RESULT] = {.on_loop = command_result},
    [VERB_LEVELS] = {.on_worker = command_levels, .length = WORK_BULK},
    [VERB_DISTANCE] = {.on_worker = command_distance, .batches = true},
    [VERB_PATH] = {.on_worker = command_path, .batches = true},
    [VERB_SAMPLE] = {.on_worker = command_sample, .length = WORK_SLOW},
    [VERB_DEEPEST] = {.on_worker = command_deepest},
    [VERB_PARTS] = {.on_worker = command_parts},
    [VERB_DRAW] = {.on_worker = command_draw},
    [VERB_GRAPH] = {.on_worker = command_graph, .length = WORK_SLOW},
    [VERB_HEURISTIC] = {.on_worker = command_heuristic, .length = WORK_SLOW},
    [VERB_EXPORT] = {.on_worker = command_export, .length = WORK_SLOW},
    [VERB_TABLES] = {.on_worker = command_tables, .length = WORK_BULK}, /* a histogram is slow */
    [VERB_PIN] = {.on_worker = command_pin, .length = WORK_SLOW, .logged = true},
    [VERB_UNPIN] = {.on_worker = command_unpin, .length = WORK_SLOW, .logged = true},
    [VERB_FSCK] = {.on_worker = command_fsck, .length = WORK_SLOW},
    [VERB_PUZZLES] = {.on_worker = command_puzzles},
    [VERB_DEFINE] = {.on_loop = command_define},
    [VERB_UNDEFINE] = {.on_loop = command_undefine, .logged = true},
    [VERB_DEFINITIONS] = {.on_worker = command_definitions},
    [VERB_PING] = {.on_loop = command_ping},
    [VERB_VERSION] = {.on_loop = command_version},
    [VERB_HELP] = {.on_loop = command_help},
    [VERB_STATS] = {.on_loop = command_stats},
    [VERB_METRICS] = {.on_loop = command_metrics},
    [VERB_QUIT] = {.on_loop = command_quit},
};

_Static_assert((unsigned)VERB_COUNT <= (unsigned)METRICS_NO_VERB, "each verb has a number in the metrics");

const struct verb_command *command_row(enum verb verb)
{
    return (unsigned)verb < VERB_COUNT ? &commands[verb] : NULL;
}

lookup_function *command_on_worker(enum verb verb)
{
    const struct verb_command *command = command_row(verb);
    return command != NULL ? command->on_worker : NULL;
}

static const struct verb_command *command_of_line(const char *line, size_t length)
{
    size_t verb = 0;
    while (verb < length && line[verb] != ' ')
        verb++;
    return command_row(verb_find(line, verb));
}

bool command_is_lookup(const char *line, size_t length)
{
    const struct verb_command *command = command_of_line(line, length);
    return command != NULL && command->batches;
}

bool command_is_submission(const char *line, size_t length)
{
    const struct verb_command *command = command_of_line(line, length);
    return command != NULL && command->submits;
}
