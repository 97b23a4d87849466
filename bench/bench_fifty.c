/* SPDX-License-Identifier: MIT */
/*
 * Solves Korf and Felner's fifty 24-puzzles, those of the least published nodes first, and keeps what it has
 * found: it may be stopped at any time, and goes on another day or on another machine.
 *
 *   bench_fifty DATA ROWS CHECKPOINT COMMIT [threads=N] [partition=NAME] [instance=N]
 *
 * DATA is the directory tests/data. A board that has a row in the file ROWS is left out; each one that is
 * solved gets one, with COMMIT as the version that solved it. CHECKPOINT is a file where the search leaves
 * from time to time what it needs to go on, also on SIGTERM and SIGINT; of a version that searches otherwise
 * it is refused, and the board begins again. Row and checkpoint have the processor time of all attempts
 * together, without that of making the databases (partition=, "small" unless named).
 */
#include "explore/checkpoint/checkpoint.h"
#include "solving.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BOARDS_MAX = 64, PARTS_MAX = 4096 };

struct instance {
    int id;
    char board[LINE];
    double nodes; /* published */
};

/* ---- the checkpoint: processor seconds, then each part behind its length ---- */

struct keeper {
    const char *path;
    FILE *file;     /* being written */
    double begun;   /* processor_seconds() when this attempt began */
    double earlier; /* processor seconds of the attempts before */
    uint8_t *bytes; /* being read */
    size_t length;
    size_t part[PARTS_MAX + 1]; /* where each begins */
};

static double keeper_seconds(const struct keeper *keeper)
{
    return keeper->earlier + processor_seconds() - keeper->begun;
}

static enum pz_status keep_failed(struct pz_error *error, const char *what)
{
    return pz_fail(error, PZ_STORAGE, "the checkpoint's file: %s: %s", what, strerror(errno));
}

static void draft_name(const struct keeper *keeper, char name[LINE])
{
    (void)snprintf(name, LINE, "%s.new", keeper->path);
}

static enum pz_status keep_begin(void *context, uint64_t bytes, struct pz_error *error)
{
    struct keeper *keeper = context;
    char name[LINE];
    (void)bytes;
    draft_name(keeper, name);
    keeper->file = fopen(name, "w");
    const double seconds = keeper_seconds(keeper);
    if (keeper->file == NULL || fwrite(&seconds, sizeof seconds, 1, keeper->file) != 1)
        return keep_failed(error, "begin");
    return PZ_OK;
}

static enum pz_status keep_part(void *context, const void *bytes, size_t length, struct pz_error *error)
{
    struct keeper *keeper = context;
    if (fwrite(&length, sizeof length, 1, keeper->file) != 1 ||
        fwrite(bytes, 1, length, keeper->file) != length)
        return keep_failed(error, "write");
    return PZ_OK;
}

static enum pz_status keep_commit(void *context, struct pz_error *error)
{
    struct keeper *keeper = context;
    char name[LINE];
    draft_name(keeper, name);
    bool good = fflush(keeper->file) == 0 && fsync(fileno(keeper->file)) == 0;
    good = fclose(keeper->file) == 0 && good;
    keeper->file = NULL;
    return good && rename(name, keeper->path) == 0 ? PZ_OK : keep_failed(error, "commit");
}

static void keep_abort(void *context)
{
    struct keeper *keeper = context;
    if (keeper->file != NULL)
        (void)fclose(keeper->file);
    keeper->file = NULL;
}

/* Finds the parts of what was read. Returns false where they do not end with the file. */
static bool find_parts(struct keeper *keeper, uint64_t *parts)
{
    size_t at = sizeof(double);
    *parts = 0;
    while (at + sizeof(size_t) <= keeper->length && *parts < PARTS_MAX) {
        size_t length;
        memcpy(&length, keeper->bytes + at, sizeof length);
        at += sizeof length;
        if (length > keeper->length - at)
            return false;
        keeper->part[(*parts)++] = at;
        at += length;
    }
    keeper->part[*parts] = at + sizeof(size_t);
    return at == keeper->length;
}

static enum pz_status keep_open(void *context, uint64_t *parts, struct pz_error *error)
{
    struct keeper *keeper = context;
    struct stat status;
    FILE *file = fopen(keeper->path, "r");
    if (file == NULL)
        return pz_fail(error, PZ_NO_TABLE, "no checkpoint");
    keeper->length = fstat(fileno(file), &status) == 0 ? (size_t)status.st_size : 0;
    keeper->bytes = malloc(keeper->length + 1);
    const bool good = keeper->bytes != NULL && keeper->length >= sizeof(double) &&
                      fread(keeper->bytes, 1, keeper->length, file) == keeper->length;
    (void)fclose(file);
    if (good && find_parts(keeper, parts))
        return PZ_OK;
    free(keeper->bytes);
    keeper->bytes = NULL;
    return pz_fail(error, PZ_STORAGE, "the checkpoint's file is damaged");
}

static enum pz_status keep_read(void *context, uint64_t number, const void **bytes, size_t *length,
                                struct pz_error *error)
{
    const struct keeper *keeper = context;
    (void)error;
    *bytes = keeper->bytes + keeper->part[number];
    *length = keeper->part[number + 1] - sizeof(size_t) - keeper->part[number];
    return PZ_OK;
}

static void keep_close(void *context)
{
    struct keeper *keeper = context;
    free(keeper->bytes);
    keeper->bytes = NULL;
}

/* The file's processor seconds count once the search goes on from it. */
static void keep_note(void *context, const struct explore_checkpoint_news *news)
{
    struct keeper *keeper = context;
    if (news->event == CHECKPOINT_RESUMED) {
        FILE *file = fopen(keeper->path, "r");
        if (file == NULL || fread(&keeper->earlier, sizeof keeper->earlier, 1, file) != 1)
            keeper->earlier = 0;
        if (file != NULL)
            (void)fclose(file);
        (void)printf("goes on at bound %" PRIu32 " after %.0f processor seconds\n", news->level,
                     keeper->earlier);
    } else if (news->event != CHECKPOINT_SAVED) {
        (void)printf("checkpoint: %s\n", news->reason);
    }
    (void)fflush(stdout);
}

/* ---- boards and rows ---- */

static int by_nodes(const void *a, const void *b)
{
    const double left = ((const struct instance *)a)->nodes;
    const double right = ((const struct instance *)b)->nodes;
    return (left > right) - (left < right);
}

/* Reads id, board, nodes. */
static unsigned read_boards(const char *data, struct instance *instances)
{
    char line[LINE], *rest;
    unsigned count = 0;
    FILE *file = open_data(data, "korf24_boards.csv");
    while (count < BOARDS_MAX && next_row(file, line, &rest)) {
        struct instance *instance = &instances[count++];
        instance->id = (int)strtol(line, NULL, 10);
        (void)snprintf(instance->board, sizeof instance->board, "%s", strsep(&rest, ","));
        instance->nodes = strtod(rest, NULL);
    }
    (void)fclose(file);
    qsort(instances, count, sizeof *instances, by_nodes);
    return count;
}

/* Returns the field of that number of the board's row; -1 without a row. */
static long field_of(FILE *file, int id, unsigned number)
{
    char line[LINE], *rest;
    long value = -1;
    while (next_row(file, line, &rest)) {
        if (strtol(line, NULL, 10) != id)
            continue;
        for (unsigned i = 1; i < number; i++)
            (void)strsep(&rest, ",");
        value = rest == NULL ? -1 : strtol(rest, NULL, 10);
    }
    (void)fclose(file);
    return value;
}

static bool has_row(const char *rows, int id)
{
    FILE *file = fopen(rows, "r");
    return file != NULL && field_of(file, id, 1) >= 0;
}

static void add_row(const char *rows, const char *text)
{
    FILE *file = fopen(rows, "a");
    if (file == NULL || fputs(text, file) < 0 || fflush(file) != 0 || fsync(fileno(file)) != 0 ||
        fclose(file) != 0)
        die_of(rows);
    (void)fputs(text, stdout);
    (void)fflush(stdout);
}

/* ---- the search ---- */

struct question {
    const char *data, *rows, *checkpoint, *commit, *partition;
    unsigned threads;
    const struct pattern_archive *archive;
    const struct pz_space *space;
};

static struct control control;

static void stop(int signal)
{
    (void)signal;
    atomic_store_explicit(&control.keep, true, memory_order_relaxed);
    atomic_store_explicit(&control.stop, true, memory_order_release);
}

/* Returns false if the search was stopped. */
static bool solve_board(const struct question *question, const struct instance *instance)
{
    struct keeper keeper = {.path = question->checkpoint, .begun = processor_seconds()};
    const struct explore_checkpoint calls = {.context = &keeper,
                                             .interval = 60,
                                             .grace = 60,
                                             .begin = keep_begin,
                                             .part = keep_part,
                                             .commit = keep_commit,
                                             .abort = keep_abort,
                                             .open = keep_open,
                                             .read = keep_read,
                                             .close = keep_close,
                                             .note = keep_note};
    uint64_t start[PZ_STATE_MAX / 8];
    struct budget budget;
    struct solve_result result;
    struct pz_error error;
    char row[LINE];
    budget_init(&budget, NULL, (uint64_t)4 << 30);
    if (question->space->puzzle->parse(question->space, instance->board, start, &error) != PZ_OK)
        die(&error);
    const struct solve_request request = {.space = question->space,
                                          .start = start,
                                          .method = METHOD_IDASTAR,
                                          .threads = question->threads,
                                          .budget = &budget,
                                          .archive = question->archive,
                                          .partition = question->partition,
                                          .checkpoint = &calls};
    (void)printf("board %d\n", instance->id);
    (void)fflush(stdout);
    enum pz_status status = solve_run(&request, &control, &result, &error);
    if (status == PZ_CANCELLED)
        (void)printf("stopped: at least %" PRId64 " moves, %.0f processor seconds so far\n", result.at_least,
                     keeper_seconds(&keeper));
    else if (status != PZ_OK)
        die(&error);
    if (status != PZ_OK)
        return false;
    const long known = field_of(open_data(question->data, "korf24.csv"), instance->id, 3);
    if (known >= 0 && known != result.moves)
        (void)printf("WRONG: board %d takes %ld moves\n", instance->id, known);
    (void)snprintf(row, sizeof row, "%d,%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%.1f,%s,%u,%s\n", instance->id,
                   result.moves, result.generated, result.expanded, keeper_seconds(&keeper), result.partition,
                   question->threads, question->commit);
    solve_result_free(&result);
    add_row(question->rows, row);
    (void)unlink(question->checkpoint);
    return true;
}

int main(int argc, char **argv)
{
    static struct instance instances[BOARDS_MAX];
    static struct kept_tables tables;
    const struct pattern_archive archive = {&tables, kept_load, kept_release, kept_save};
    if (argc < 5) {
        (void)fprintf(stderr, "usage: bench_fifty DATA ROWS CHECKPOINT COMMIT "
                              "[threads=N] [partition=NAME] [instance=N]\n");
        return 2;
    }
    struct pz_space *space = open_space("5x5", goal24);
    const struct question question = {
        .data = argv[1],
        .rows = argv[2],
        .checkpoint = argv[3],
        .commit = argv[4],
        .partition = argument_of(argc, argv, "partition=", NULL),
        .threads = number_of(argc, argv, "threads=", 1),
        .archive = &archive,
        .space = space,
    };
    const int only = (int)number_of(argc, argv, "instance=", 0);
    const unsigned count = read_boards(question.data, instances);
    (void)signal(SIGTERM, stop);
    (void)signal(SIGINT, stop);
    build_databases(&archive, space, question.partition, question.threads);
    bool going = true;
    for (unsigned i = 0; i < count && going; i++)
        if ((only == 0 || instances[i].id == only) && !has_row(question.rows, instances[i].id))
            going = solve_board(&question, &instances[i]);
    space_close(space);
    return going ? 0 : 1;
}
