/* SPDX-License-Identifier: MIT */
/* puzzled: reads the command line and runs the server or a maintenance task. */
#include "base/priority.h"
#include "daemon/care/check_plugin.h"
#include "daemon/care/maintenance.h"
#include "daemon/care/transfer.h"
#include "daemon/host/journal_log.h"
#include "daemon/host/service.h"
#include "daemon/host/stderr_log.h"
#include "daemon/net/activation.h"
#include "daemon/net/listeners.h"
#include "daemon/server.h"
#include "daemon/settings/places.h"
#include "version.h"

#include <getopt.h>
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

enum { OVERRIDES = sizeof overrides / sizeof overrides[0] };

struct command_line {
    const char *config_path; /* NULL: the built-in defaults */
    const char *value[OVERRIDES];
    const char *backup, *restore, *dump, *import; /* files, or NULL */
    const char *plugin;                           /* the file to check, or NULL */
    char **jobs;                                  /* numbers of the jobs to dump */
    int job_count;
    bool check_only;
};

static void print_usage(FILE *stream)
{
    (void)fputs(
        "Usage: puzzled [OPTION]…\n"
        "Explores the state spaces of puzzles for its clients and keeps every answer.\n"
        "\n"
        "  --config FILE          read settings from FILE (see puzzled.conf(5))\n"
        "  --socket PATH          the Unix socket to listen on\n"
        "  --listen ADDRESS:PORT  listen on TCP as well, for example 127.0.0.1:7845\n"
        "  --state-dir DIR        where the database is kept\n"
        "  --threads N            threads of explorations, 1 to 64\n"
        "  --memory SIZE          memory of all jobs together, for example 8G\n"
        "  --log-level LEVEL      error, warning, info or debug\n"
        "  --plugin-directory DIR where puzzles of your own are\n"
        "  --explore-first STATES the largest space that a lookup explores by itself, 0 for none\n"
        "  --foreground           stay in the foreground (it always does; accepted for clarity)\n"
        "  --check-config         check the settings and leave\n"
        "  --backup FILE          copy the database to FILE, beside a running daemon, and leave\n"
        "  --restore FILE         put a copy of FILE in the place of the database, and leave\n"
        "  --dump FILE JOB…       write jobs that have ended, with their tables, to FILE, and leave\n"
        "  --import FILE          check such a file, add its jobs to the database, and leave\n"
        "  --check-plugin FILE [SIZE]  look in a plugin for what it does wrong, and leave\n"
        "  --version              print the version and leave\n"
        "  --help                 print this and leave\n"
        "\n"
        "A flag wins over the file. Without --config the defaults are used: the socket is\n"
        "/run/puzzled/puzzled.sock for root, $XDG_RUNTIME_DIR/puzzled.sock or\n"
        "/tmp/puzzled-UID/puzzled.sock for everybody else; the database is in /var/lib/puzzled for root,\n"
        "$XDG_STATE_HOME/puzzled or ~/.local/state/puzzled for everybody else.\n",
        stream);
}

/* The file overrides defaults, flags override the file. */
static enum pz_status read_config(void *context, struct config *config, struct pz_error *error)
{
    const struct command_line *line = context;
    enum pz_status status = config_defaults(config, error);
    if (status != PZ_OK)
        return status;
    if (line->config_path != NULL)
        status = config_read(config, line->config_path, error);
    for (size_t i = 0; i < OVERRIDES && status == PZ_OK; i++) {
        struct pz_error own;
        if (line->value[i] == NULL)
            continue;
        status = config_set(config, overrides[i].section, overrides[i].key, line->value[i], &own);
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

/* Allows one maintenance task, and job numbers only for --dump. Returns -1 to go on, or the exit status. */
static int check_tasks(struct command_line *line, int count, char **words)
{
    const int tasks =
        (line->backup != NULL) + (line->restore != NULL) + (line->dump != NULL) + (line->import != NULL);
    if (tasks > 1) {
        (void)fputs("puzzled: --backup, --restore, --dump and --import exclude each other\n", stderr);
        return EXIT_USAGE;
    }
    if (count > (line->plugin != NULL ? 1 : 0) && line->dump == NULL) {
        (void)fprintf(stderr, "puzzled: unexpected argument '%s'\nTry: puzzled --help\n",
                      words[line->plugin != NULL ? 1 : 0]);
        return EXIT_USAGE;
    }
    line->jobs = words;
    line->job_count = count;
    return -1;
}

/* Returns -1 to go on, or the exit status. */
static int read_command_line(int count, char **words, struct command_line *line)
{
    enum { CONFIG = 256, FOREGROUND, CHECK, BACKUP, RESTORE, DUMP, IMPORT, PLUGIN, VERSION, HELP };
    static const struct option options[] = {
        {"socket", required_argument, NULL, 0},
        {"listen", required_argument, NULL, 1},
        {"state-dir", required_argument, NULL, 2},
        {"threads", required_argument, NULL, 3},
        {"memory", required_argument, NULL, 4},
        {"log-level", required_argument, NULL, 5},
        {"plugin-directory", required_argument, NULL, 6},
        {"explore-first", required_argument, NULL, 7},
        {"config", required_argument, NULL, CONFIG},
        {"foreground", no_argument, NULL, FOREGROUND},
        {"check-config", no_argument, NULL, CHECK},
        {"version", no_argument, NULL, VERSION},
        {"backup", required_argument, NULL, BACKUP},
        {"restore", required_argument, NULL, RESTORE},
        {"dump", required_argument, NULL, DUMP},
        {"import", required_argument, NULL, IMPORT},
        {"check-plugin", required_argument, NULL, PLUGIN},
        {"help", no_argument, NULL, HELP},
        {NULL, 0, NULL, 0},
    };
    for (int option = 0; (option = getopt_long(count, words, "", options, NULL)) != -1;) {
        if (option < OVERRIDES) {
            line->value[option] = optarg;
        } else if (option == CONFIG) {
            line->config_path = optarg;
        } else if (option == CHECK) {
            line->check_only = true;
        } else if (option == BACKUP) {
            line->backup = optarg;
        } else if (option == RESTORE) {
            line->restore = optarg;
        } else if (option == DUMP) {
            line->dump = optarg;
        } else if (option == IMPORT) {
            line->import = optarg;
        } else if (option == PLUGIN) {
            line->plugin = optarg;
        } else if (option == VERSION) {
            (void)printf("puzzled %s\n", PUZZLED_VERSION);
            return EXIT_SUCCESS;
        } else if (option == HELP) {
            print_usage(stdout);
            return EXIT_SUCCESS;
        } else if (option != FOREGROUND) {
            (void)fputs("Try: puzzled --help\n", stderr);
            return EXIT_USAGE;
        }
    }
    return check_tasks(line, count - optind, words + optind);
}

static enum pz_status dump(const struct command_line *line, const struct config *config,
                           struct pz_error *error)
{
    uint64_t *jobs = calloc((size_t)line->job_count + 1, sizeof *jobs);
    enum pz_status status = PZ_OK;
    if (jobs == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the numbers of jobs");
    for (int i = 0; i < line->job_count && status == PZ_OK; i++) {
        char *end;
        jobs[i] = strtoull(line->jobs[i], &end, 10);
        if (*end != '\0' || jobs[i] == 0)
            status = pz_fail(error, PZ_BAD_REQUEST, "'%.100s' is no number of a job", line->jobs[i]);
    }
    if (status == PZ_OK)
        status = transfer_dump(config, line->dump, jobs, (size_t)line->job_count, error);
    free(jobs);
    return status;
}

static bool is_task(const struct command_line *line)
{
    return line->backup != NULL || line->restore != NULL || line->dump != NULL || line->import != NULL;
}

/* Carries out --backup, --restore, --dump or --import. Returns the exit status. */
static int maintain(const struct command_line *line, struct config *config)
{
    struct pz_error error = {0};
    enum pz_status status;
    priority_lower(); /* a daemon beside it goes first */
    if (line->backup != NULL)
        status = maintenance_backup(config, line->backup, &error);
    else if (line->restore != NULL)
        status = maintenance_restore(config, line->restore, &error);
    else if (line->dump != NULL)
        status = dump(line, config, &error);
    else
        status = transfer_import(config, line->import, &error);
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
    int leave = read_command_line(count, words, &line);
    if (leave >= 0)
        return leave;
    if (line.plugin != NULL)
        return check_plugin(line.plugin, line.job_count > 0 ? line.jobs[0] : NULL);
    struct pz_error error = {0};
    struct server server = {.read_config = read_config, .read_config_context = &line};
    enum pz_status status = read_config(&line, &server.config, &error);
    if (status == PZ_OK)
        status = places_check(&server.config, &error);
    if (status == PZ_OK && line.check_only)
        status = listeners_check(&server.config, &error);
    if (status != PZ_OK) {
        if (!line.check_only)
            return fail_start(&error);
        print_error(&error);
        return EXIT_USAGE;
    }
    if (line.check_only) {
        (void)puts("the configuration is sound");
        config_free(&server.config);
        return EXIT_SUCCESS;
    }
    if (is_task(&line))
        return maintain(&line, &server.config);
    if (!journal_log_install())
        stderr_log_install();
    log_set_level(server.config.log_level);
    return server_run(&server, &error) == PZ_OK ? EXIT_SUCCESS : fail_start(&error);
}
