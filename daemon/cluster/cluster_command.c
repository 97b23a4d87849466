/* SPDX-License-Identifier: MIT */
#include "daemon/cluster/cluster_command.h"

#include "base/status_word.h"
#include "daemon/settings/config.h"
#include "protocol/lexer.h"
#include "protocol/text/option_table.h"
#include "space/text/library.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xxhash.h>

static void command_add_word(struct cluster_command *line, char *word)
{
    if (line->count == CLUSTER_WORDS_MAX)
        line->failed = true;
    else
        line->words[line->count++] = word;
}

/* Adds a word that the command then owns; NULL: no memory. */
static void add_own(struct cluster_command *line, char *word)
{
    if (word == NULL || line->owned == CLUSTER_WORDS_MAX) {
        free(word);
        line->failed = true;
        return;
    }
    line->own[line->owned++] = word;
    command_add_word(line, word);
}

static void command_add_option(struct cluster_command *line, const char *key, const char *value)
{
    char *word = NULL;
    if (value != NULL)
        add_own(line, asprintf(&word, "%s=%s", key, value) < 0 ? NULL : word);
}

static void command_add_number(struct cluster_command *line, const char *option, uint64_t number)
{
    char *word = NULL;
    add_own(line, asprintf(&word, "%s=%" PRIu64, option, number) < 0 ? NULL : word);
}

/* Adds the request as it was asked, the engine of its plan, and the number of the question. */
static void add_question(struct cluster_command *line, const struct task *task, uint64_t number)
{
    add_own(line, strdup("explore"));
    command_add_option(line, "--request", task->request);
    command_add_number(line, "--seed", number);
    command_add_option(line, "--engine", explore_engine_name(task->plan.request.engine));
    add_own(line, strdup("--daemon"));
    char file[16];
    if (line->definition == NULL)
        return;
    (void)snprintf(file, sizeof file, "-.%s", definition_format_word(line->definition->format));
    command_add_option(line, "--define", file);
}

static char *find_ranks_program(void)
{
    char path[PATH_MAX];
    program_beside("puzzled-ranks", path);
    return strdup(path);
}

void cluster_command_clear(struct cluster_command *line)
{
    assert(line->owned <= CLUSTER_WORDS_MAX && line->count <= CLUSTER_WORDS_MAX);
    for (unsigned i = 0; i < line->owned; i++)
        free(line->own[i]);
    free(line->launch);
    definition_release(line->definition);
}

static void add_clear(struct cluster_command *line, uint64_t number)
{
    add_own(line, strdup("clear"));
    command_add_number(line, "--seed", number);
}

enum pz_status cluster_command_make(const char *launch, const struct task *task, uint64_t number,
                                    struct cluster_command *line, struct pz_error *error)
{
    *line = (struct cluster_command){.launch = strdup(launch),
                                     .definition = task != NULL ? library_of_space(task->space) : NULL};
    if (line->launch == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a command");
    struct lexer lexer = {line->launch, line->launch + strlen(line->launch), line->launch};
    char *word;
    while (lexer_plain(&lexer, &word) == LEXED_WORD) {
        if (strcmp(word, CLUSTER_PROGRAM) != 0) {
            command_add_word(line, word);
            continue;
        }
        add_own(line, find_ranks_program());
        if (task != NULL)
            add_question(line, task, number);
        else
            add_clear(line, number);
    }
    return line->failed ? pz_fail(error, PZ_MEMORY, "no memory for a command") : PZ_OK;
}

static bool may_use_network(void)
{
    const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool forbidden = probe < 0 && errno == EAFNOSUPPORT;
    if (probe >= 0)
        (void)close(probe);
    return !forbidden;
}

enum pz_status cluster_command_check(const char *launch, struct pz_error *error)
{
    if (*launch == '\0')
        return pz_fail(error, PZ_UNSUPPORTED,
                       "cluster=yes: this daemon has no cluster; [cluster] launch in puzzled.conf names its "
                       "command");
    if (!may_use_network())
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "cluster=yes: the network, which MPI needs, is forbidden here, by the service's unit in "
            "most cases; puzzled(8) has the drop-in that opens it");
    return PZ_OK;
}

/* ---- what is known of a job ---- */

uint64_t cluster_number(const char *question)
{
    const uint64_t number = XXH3_64bits(question, strlen(question));
    return number > 0 ? number : 1;
}

bool cluster_has_smaller_ranks(const struct task *first, const struct task *second)
{
    return first->plan.request.cluster && second->plan.request.cluster && first->memory > 0 &&
           (second->memory == 0 || second->memory > first->memory);
}

bool cluster_may_get_further(const struct task *task, const struct job_record *stopped)
{
    const uint64_t limit = stopped->facts.memory_limit;
    if (!stopped->cluster || limit == 0)
        return true;
    return task->memory > 0 ? task->memory > limit : stopped->rank_memory > 0;
}
