/* SPDX-License-Identifier: MIT */
/* puzzled: reads the command line and runs the server or a maintenance task. */
#include "base/priority.h"
#include "daemon/host/log_writers.h"
#include "daemon/host/service.h"
#include "daemon/maintenance/check_plugin.h"
#include "daemon/maintenance/demo.h"
#include "daemon/maintenance/maintenance.h"
#include "daemon/net/activation.h"
#include "daemon/net/listeners.h"
#include "daemon/server.h"
#include "daemon/settings/places.h"
#include "protocol/text/option_table.h"
#include "protocol/text/standard_descriptors.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2 }; /* also for a start whose failure another start would not mend */

/* A flag that overrides one setting. */
struct override {
    const char *flag;
    const char *section;
    const char *key;
};

static const struct override overrides[] = {
    {"socket", "daemon", "socket"},
    {"listen", "daemon", "listen"},
    {"state-dir", "daemon", "state-directory"},
    {"threads", "limits", "threads"},
    {"memory", "limits", "memory"},
    {"log-level", "log", "level"},
    {"plugin-directory", "daemon", "plugin-directory"},
    {"explore-first", "limits", "explore-first"},
};

static const struct option_row daemon_options[] = {
    {"config", 0, "FILE", "read settings from FILE (see puzzled.conf(5))", NULL},
    {"socket", 0, "PATH", "the Unix socket to listen on", NULL},
    {"listen", 0, "ADDRESS:PORT", "listen on TCP as well, for example 127.0.0.1:7845", NULL},
    {"state-dir", 0, "DIR", "where the database is kept", NULL},
    {"threads", 0, "N", "threads of explorations, 1 to 64", NULL},
    {"memory", 0, "SIZE", "memory of all jobs together, for example 8G", NULL},
    {"log-level", 0, "LEVEL", "error, warning, info or debug", NULL},
    {"plugin-directory", 0, "DIR", "where puzzles of your own are", NULL},
    {"explore-first", 0, "STATES", "the largest space that a lookup explores by itself, 0 for none", NULL},
    {"foreground", 0, NULL, "stay in the foreground (it always does; accepted for clarity)", NULL},
    {"demo", 0, NULL, "try it: in a temporary directory, with the page, until Ctrl-C; nothing stays", NULL},
    {"check-config", 0, NULL, "check the settings and leave", NULL},
    {"backup", 0, "FILE", "copy the database to FILE, beside a running daemon, and leave", NULL},
    {"restore", 0, "FILE", "put a copy of FILE in the place of the database, and leave", NULL},
    {"dump", 0, "FILE JOBS", "write jobs that have ended, with their tables, to FILE, and leave", NULL},
    {"import", 0, "FILE", "check such a file, add its jobs to the database, and leave", NULL},
    {"check-plugin", 0, "FILE [SIZE]", "look in a plugin for what it does wrong, and leave", NULL},
    {0},
};

static const struct program program = {
    .name = "puzzled",
    .version = PUZZLED_VERSION,
    .usage = "puzzled [OPTION]…",
    .about = "Explores the state spaces of puzzles for its clients and keeps every answer.\n",
    .options = daemon_options,
    .more =
        "For a first look: puzzled --demo\n"
        "\n"
        "A flag wins over the file. Without --config the defaults are used: the socket is\n"
        "/run/puzzled/puzzled.sock for root, $XDG_RUNTIME_DIR/puzzled.sock or\n"
        "/tmp/puzzled-UID/puzzled.sock for everybody else; the database is in /var/lib/puzzled for root,\n"
        "$XDG_STATE_HOME/puzzled or ~/.local/state/puzzled for everybody else.\n",
    .rest = OPTION_REST_LEFT,
};

struct command_line {
    struct program_line options;
    struct demo demo;
    char **words; /* numbers of the jobs to dump, or the size of the plugin's puzzle */
    int count;
};

/* Returns the value of an option, "" of a flag; NULL if it was not given. */
static const char *given(const struct command_line *line, const char *name)
{
    return demo_option(&line->demo, name, arguments_option(&line->options.arguments, name));
}

/* The file overrides defaults, flags override the file. */
static enum pz_status read_config(void *context, struct config *config, struct pz_error *error)
{
    const struct command_line *line = context;
    enum pz_status status = config_defaults(config, error);
    if (status != PZ_OK)
        return status;
    if (given(line, "config") != NULL)
        status = config_read(config, given(line, "config"), error);
    for (size_t i = 0; i < sizeof overrides / sizeof *overrides && status == PZ_OK; i++) {
        struct pz_error own;
        const char *value = given(line, overrides[i].flag);
        if (value == NULL)
            continue;
        status = config_set(config, overrides[i].section, overrides[i].key, value, &own);
        if (status != PZ_OK)
            (void)pz_fail(error, status, "--%s: %s", overrides[i].flag, own.text);
        else
            (void)config_note_line(config, overrides[i].section, overrides[i].key, 0, error);
    }
    if (status == PZ_OK)
        status = config_check(config, error);
    if (status != PZ_OK)
        config_free(config);
    return status;
}

/* Prints what keeps the daemon from starting, for the journal with the priority of an error. */
static void print_error(const struct pz_error *error)
{
    (void)fprintf(stderr, "%spuzzled: %s\n", service_reads_stderr() ? "<3>" : "", error->text);
}

static int refuse_arguments(const char *text)
{
    program_refuse(&program, text);
    return EXIT_USAGE;
}

/* Refuses words of --dump that are no numbers of jobs, or none at all. */
static int check_jobs(const struct command_line *line)
{
    struct pz_error error;
    if (line->count == 0)
        return refuse_arguments("--dump needs the numbers of jobs, such as: --dump FILE 3 7");
    for (int i = 0; i < line->count; i++) {
        const char *word = line->words[i];
        if (*word != '\0' && word[strspn(word, "0123456789")] == '\0' && strtoull(word, NULL, 10) > 0)
            continue;
        (void)pz_fail(&error, PZ_BAD_REQUEST, "'%.100s' is no number of a job", word);
        return refuse_arguments(error.text);
    }
    return -1;
}

/* Reads the command line: one task, and words only for --dump and --check-plugin. Returns -1 to go on, or the
 * exit status. */
static int read_command_line(int count, char **words, struct command_line *line)
{
    static const char *const tasks[] = {"backup", "restore",      "dump",        "import",
                                        "demo",   "check-config", "check-plugin"};
    struct pz_error error;
    unsigned wanted = 0;
    if (!program_read(&program, count, words, &line->options, &error))
        return refuse_arguments(error.text);
    if (program_tells(&program, &line->options))
        return EXIT_SUCCESS;
    line->words = words + line->options.arguments.next;
    line->count = count - line->options.arguments.next;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        wanted += given(line, tasks[i]) != NULL;
    if (wanted > 1)
        return refuse_arguments("--backup, --restore, --dump, --import, --demo, --check-config and "
                                "--check-plugin exclude each other");
    if (given(line, "demo") != NULL && (given(line, "socket") != NULL || given(line, "state-dir") != NULL))
        return refuse_arguments(
            "--demo makes a socket and a state directory of its own, of which nothing stays: "
            "leave --socket and --state-dir out, or --demo");
    if (given(line, "dump") != NULL)
        return check_jobs(line);
    const int allowed = given(line, "check-plugin") != NULL;
    if (line->count <= allowed)
        return -1;
    (void)pz_fail(&error, PZ_BAD_REQUEST, "unexpected argument '%.200s'", line->words[allowed]);
    return refuse_arguments(error.text);
}

static enum pz_status dump(const struct command_line *line, const struct config *config,
                           struct pz_error *error)
{
    uint64_t *jobs = calloc((size_t)line->count + 1, sizeof *jobs);
    if (jobs == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the numbers of jobs");
    size_t count = 0;
    for (int i = 0; i < line->count; i++) {
        const uint64_t job = strtoull(line->words[i], NULL, 10);
        size_t at = 0;
        while (at < count && jobs[at] != job)
            at++;
        jobs[at] = job;
        count += at == count; /* one that is named twice is written once */
    }
    const enum pz_status status = transfer_dump(config, given(line, "dump"), jobs, count, error);
    free(jobs);
    return status;
}

/* Carries out --backup, --restore, --dump or --import. Returns the exit status. */
static int maintain(const struct command_line *line, struct config *config)
{
    struct pz_error error = {0};
    enum pz_status status;
    priority_lower(); /* a daemon beside it goes first */
    const char *restores = given(line, "restore");
    if (restores != NULL || given(line, "backup") != NULL)
        status = maintenance_copy(config, restores != NULL ? restores : given(line, "backup"),
                                  restores != NULL, &error);
    else if (given(line, "dump") != NULL)
        status = dump(line, config, &error);
    else
        status = transfer_import(config, given(line, "import"), &error);
    config_free(config);
    if (status != PZ_OK)
        print_error(&error);
    return status == PZ_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Says why the daemon does not start, also to the clients that wait. Returns the exit status: a service
 * manager should try again only after a lack of memory. */
static int fail_start(const struct pz_error *error)
{
    print_error(error);
    if (error->code == PZ_MEMORY)
        return EXIT_FAILURE;
    activation_refuse(error);
    return EXIT_USAGE;
}

int main(int count, char **words)
{
    struct command_line line = {0};
    standard_descriptors_fill();
    int leave = read_command_line(count, words, &line);
    if (leave < 0 && given(&line, "demo") != NULL)
        leave = demo_run(&line.demo);
    if (leave >= 0)
        return leave;
    if (given(&line, "check-plugin") != NULL)
        return check_plugin(given(&line, "check-plugin"), line.count > 0 ? line.words[0] : NULL);
    const bool check_only = given(&line, "check-config") != NULL;
    struct pz_error error = {0};
    struct server server = {.read_config = read_config, .read_config_context = &line};
    enum pz_status status = read_config(&line, &server.config, &error);
    const bool copies =
        given(&line, "backup") != NULL || given(&line, "restore") != NULL || given(&line, "dump") != NULL;
    if (status == PZ_OK && !copies) /* these need the state directory alone */
        status = places_check(&server.config, &error);
    if (status == PZ_OK && check_only)
        status = places_check_start(&server.config, &error);
    if (status == PZ_OK && check_only)
        status = listeners_check(&server.config, &error);
    if (status != PZ_OK) {
        if (!check_only)
            return fail_start(&error);
        print_error(&error);
        return EXIT_USAGE;
    }
    if (check_only) {
        const char *scratch = server.config.scratch_directory;
        char place[PLACE_TEXT];
        place_write(*scratch != '\0' ? scratch : server.config.state_directory, place);
        printf("the configuration is sound; scratch space: %s\n", place);
        config_free(&server.config);
        return EXIT_SUCCESS;
    }
    if (copies || given(&line, "import") != NULL)
        return maintain(&line, &server.config);
    if (!journal_log_install())
        stderr_log_install();
    log_set_level(server.config.log_level);
    return server_run(&server, &error) == PZ_OK ? EXIT_SUCCESS : fail_start(&error);
}
