/* SPDX-License-Identifier: MIT */
/* The subcommand export: every distance of a sliding puzzle as a file for other programs. */
#include "board/pack.h"
#include "client/many/list_progress.h"
#include "client/session/command.h"
#include "client/show/sliding.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_MAX = 1 << 16, NOT_REACHED = 0xFF };

static const struct option_row export_options[] = {
    {"format", 'f', "npy|csv|bin", "default: as the file's name ends", NULL},
    {0},
};

/* In the order of the option's words. */
enum format { FORMAT_NPY, FORMAT_CSV, FORMAT_BIN, FORMAT_COUNT };

/* A file while it is written. */
struct export
{
    struct session *session;
    FILE *file;
    struct grid grid;
    struct ranking_cursor cursor; /* at the next board */
    uint64_t states;
    uint64_t records; /* still to come */
    bool (*write)(struct export * export, const uint8_t *distances, size_t count);
    struct list_progress progress;
};

/* ---- formats ---- */

static bool write_bytes(struct export *export, const uint8_t *distances, size_t count)
{
    export->cursor.number += count;
    return fwrite(distances, 1, count, export->file) == count;
}

static bool write_lines(struct export *export, const uint8_t *distances, size_t count)
{
    char line[BOARD_TEXT_MAX];
    bool written = true;
    for (size_t i = 0; i < count && written; i++) {
        (void)board_format(&export->grid, &export->cursor.board, line);
        ranking_next(&export->cursor);
        if (distances[i] == NOT_REACHED)
            written = fprintf(export->file, "\"%s\",\n", line) > 0;
        else
            written = fprintf(export->file, "\"%s\",%u\n", line, distances[i]) > 0;
    }
    return written;
}

/* Writes the header of a NumPy file, version 1.0: magic, length, and a dictionary padded to 64 bytes. */
static bool begin_npy(const struct export *export)
{
    char text[128];
    uint64_t row = export->states / export->grid.cells;
    int length =
        snprintf(text, sizeof text, "{'descr': '|u1', 'fortran_order': False, 'shape': (%u, %" PRIu64 "), }",
                 export->grid.cells, row);
    unsigned whole = ((unsigned)length + 10 + 1 + 63) / 64 * 64;
    unsigned rest = whole - 10;
    return fprintf(export->file, "\x93NUMPY\x01%c%c%c%-*s\n", 0, (int)(rest & 0xFF), (int)(rest >> 8),
                   (int)rest - 1, text) == (int)whole;
}

static bool begin_file(struct export *export, enum format format)
{
    export->write = format == FORMAT_CSV ? write_lines : write_bytes;
    if (format == FORMAT_CSV)
        return fputs("board,moves\n", export->file) != EOF;
    return format != FORMAT_NPY || begin_npy(export);
}

/* Returns the format that was given, else the one that the file's suffix names; FORMAT_COUNT after an error.
 */
static enum format format_of(struct session *session, const struct arguments *arguments)
{
    const char *word = arguments_option(arguments, "format");
    const char *dot = strrchr(arguments->words[1], '.');
    if (word == NULL && dot == NULL) {
        (void)command_usage(
            session, "the file's name has no known ending: end it with .npy, .csv or .bin, or give --format");
        return FORMAT_COUNT;
    }
    if (word == NULL)
        word = dot + 1;
    int choice = command_choice(session, export_options, word);
    return choice < 0 ? FORMAT_COUNT : (enum format)choice;
}

/* ---- the stream ---- */

static enum exit_code cannot_write(const struct export *export, const char *path)
{
    struct pz_error error;
    (void)pz_fail(&error, PZ_STORAGE, "%s cannot be written: %s", path,
                  strerror(errno)); /* NOLINT(concurrency-mt-unsafe) */
    return session_fail(export->session, EXIT_TROUBLE, "output", error.text);
}

/* Reads the first line of the reply. */
static enum exit_code read_head(struct export *export, const struct arguments *arguments)
{
    struct text request = {0};
    struct reply head = {0};
    struct board goal;
    struct pz_error error;
    int64_t records = 0;
    int64_t states = 0;
    compose_begin(&request, "EXPORT");
    compose_word(&request, arguments->words[0]);
    command_pairs(&request, arguments);
    enum exit_code code = session_ask(export->session, &request, &head);
    text_free(&request);
    if (code == EXIT_FOUND &&
        (!sliding_grid(arguments->words[0], &export->grid) || !reply_integer(&head, "count", &records) ||
         !reply_integer(&head, "states", &states) || records < 1 ||
         board_parse(&export->grid, reply_text(&head, "goal"), &goal, &error) != PZ_OK ||
         (uint64_t)states != ranking_row(&export->grid) * export->grid.cells))
        code = session_lost(export->session, "the head of the export is not understood");
    export->records = (uint64_t)records;
    export->states = (uint64_t)states;
    if (code == EXIT_FOUND)
        ranking_begin(&export->cursor, &export->grid, &goal, 0);
    reply_clear(&head);
    return code;
}

static unsigned digit_of(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

/* Decodes two hexadecimal digits per distance. Returns how many distances there were, 0 for invalid text. */
static size_t decode(const char *text, uint8_t distances[RECORD_MAX])
{
    size_t length = strlen(text);
    if (length % 2 != 0 || length / 2 > RECORD_MAX || strspn(text, "0123456789abcdef") != length)
        return 0;
    for (size_t i = 0; i < length / 2; i++)
        distances[i] = (uint8_t)(digit_of(text[2 * i]) << 4 | digit_of(text[2 * i + 1]));
    return length / 2;
}

static enum exit_code take_record(struct export *export, const char *path)
{
    static uint8_t distances[RECORD_MAX];
    struct reply record = {0};
    enum exit_code code = session_read(export->session, &record);
    if (code != EXIT_FOUND)
        return code;
    size_t count = record.kind == REPLY_RECORD ? decode(reply_text(&record, "distances"), distances) : 0;
    reply_clear(&record);
    if (count == 0 || count > export->states - export->cursor.number)
        return session_lost(export->session, "a record of the export is not understood");
    if (!export->write(export, distances, count))
        return cannot_write(export, path);
    export->progress.share = (double)export->cursor.number / (double)export->states;
    list_progress_step(&export->progress, count);
    return EXIT_FOUND;
}

static enum exit_code write_file(struct export *export, const char *path)
{
    struct reply end = {0};
    enum exit_code code = EXIT_FOUND;
    for (; export->records > 0 && code == EXIT_FOUND; export->records--)
        code = take_record(export, path);
    list_progress_end(&export->progress);
    if (code == EXIT_FOUND)
        code = session_read(export->session, &end);
    if (code == EXIT_FOUND && (end.kind != REPLY_END || export->cursor.number != export->states))
        code = session_lost(export->session, "the export has another length than it said");
    reply_clear(&end);
    return code;
}

static enum exit_code run_export(struct session *session, const struct arguments *arguments)
{
    struct export export = {.session = session};
    const char *path = arguments->words[1];
    const bool to_output = strcmp(path, "-") == 0;
    enum format format = format_of(session, arguments);
    enum exit_code code = format < FORMAT_COUNT ? read_head(&export, arguments) : EXIT_USAGE;
    if (code != EXIT_FOUND)
        return code;
    export.file = to_output ? session->terminal->out : fopen(path, "we");
    if (export.file == NULL)
        return cannot_write(&export, path);
    list_progress_begin(&export.progress, session->terminal,
                        !session->quiet && !(to_output && session->terminal->out_tty), "boards");
    code = begin_file(&export, format) ? write_file(&export, path) : cannot_write(&export, path);
    struct stat about;
    bool is_file = !to_output && lstat(path, &about) == 0 && S_ISREG(about.st_mode);
    if (!to_output && fclose(export.file) != 0 && code == EXIT_FOUND)
        code = cannot_write(&export, path);
    if (is_file && code != EXIT_FOUND)
        (void)unlink(path); /* a part of the distances is of no use */
    return code;
}

const struct command command_export = {
    .name = "export",
    .verb = VERB_EXPORT,
    .words = "PUZZLE FILE|-",
    .summary = "Write every distance of a stored sliding puzzle to a file",
    .help = "A byte a board, of plain sliding puzzles with two rows and columns or more, and up to 12 cells; "
            "255\n"
            "where a bounded exploration ended before.\n"
            "npy has a row for each cell of the blank and T!/2 columns (T tiles). Column r is the solvable "
            "one of\n"
            "the two boards whose tiles, in row order, have the lexicographic ranks 2r and 2r+1.\n"
            "bin is the same without a head; csv has the boards.\n",
    .example = "  $ puzzlectl explore 3x3 && puzzlectl export 3x3 3x3.npy\n"
               "  $ python3 -c 'import numpy; print(numpy.bincount(numpy.load(\"3x3.npy\").ravel()))'\n",
    .options = export_options,
    .least = 2,
    .most = 2,
    .run = run_export,
};
