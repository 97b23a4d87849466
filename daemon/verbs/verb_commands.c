/* SPDX-License-Identifier: MIT */
#include "daemon/verbs/verb_commands.h"

static const struct verb_command commands[VERB_COUNT] = {
#define SUBMITS(verb)                  [VERB_##verb] = {.submits = true},
#define ON_LOOP(verb, function, ...)   [VERB_##verb] = {.on_loop = (function), __VA_ARGS__},
#define ON_WORKER(verb, function, ...) [VERB_##verb] = {.on_worker = (function), __VA_ARGS__},
#include "daemon/verbs/verb_commands.inc"
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
