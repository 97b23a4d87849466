/* SPDX-License-Identifier: MIT */
/* The subcommand export: every distance of a puzzle that numbers its boards as a file for other programs. */
#include "board/pack.h"
#include "client/jobs/progress.h"
#include "client/session/command.h"
#include "client/session/terminal.h"
#include "client/session/whole_file.h"
#include "client/show/sliding.h"

#include <inttypes.h>
#include <string.h>

enum { RECORD_MAX = 1 << 16 };

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
    bool sliding; /* grid and cursor are known; else records have boards if they are wanted */
    struct grid grid;
    struct ranking_cursor cursor; /* at the next board */
    unsigned width;               /* bytes of a distance; all bits are set in one that is not known */
    uint64_t states, done;
    uint64_t records; /* still to come */
    bool (*write)(struct export * export, const uint16_t *distances, size_t count, const char *boards);
    struct list_progress progress;
};

/* ---- formats ---- */

static bool write_numbers(struct export *export, const uint16_t *distances, size_t count, const char *boards)
{
    static uint8_t bytes[2 * RECORD_MAX];
    (void)boards;
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = 0; byte < export->width; byte++)
            bytes[i * export->width + byte] = (uint8_t)(distances[i] >> 8 * byte);
    return fwrite(bytes, export->width, count, export->file) == count;
}

/* Writes the board of the next line. Returns false if there is none. */
static bool next_line(struct export *export, const char **boards, char line[BOARD_TEXT_MAX])
{
    if (export->sliding) {
        (void)board_format(&export->grid, &export->cursor.board, line);
        ranking_next(&export->cursor);
        return fprintf(export->file, "\"%s\",", line) > 0;
    }
    const size_t length = strcspn(*boards, " ");
    const bool written = length > 0 && fprintf(export->file, "\"%.*s\",", (int)length, *boards) > 0;
    *boards += length + ((*boards)[length] == ' ');
    return written;
}

static bool write_lines(struct export *export, const uint16_t *distances, size_t count, const char *boards)
{
    char line[BOARD_TEXT_MAX];
    bool written = true;
    for (size_t i = 0; i < count && written; i++) {
        written = next_line(export, &boards, line);
        if (distances[i] != (export->width == 1 ? 0xFF : 0xFFFF))
            (void)fprintf(export->file, "%u", distances[i]);
        written = written && fputc('\n', export->file) != EOF;
    }
    return written;
}

/* Writes the header of a NumPy file, version 1.0: magic, length, and a dictionary padded to 64 bytes. */
static bool begin_npy(const struct export *export)
{
    char text[128], shape[64];
    if (export->sliding)
        (void)snprintf(shape, sizeof shape, "%u, %" PRIu64, export->grid.cells,
                       export->states / export->grid.cells);
    else
        (void)snprintf(shape, sizeof shape, "%" PRIu64 ",", export->states);
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                          export->width == 1 ? "|u1" : "<u2", shape);
    unsigned whole = ((unsigned)length + 10 + 1 + 63) / 64 * 64;
    unsigned rest = whole - 10;
    return fprintf(export->file, "\x93NUMPY\x01%c%c%c%-*s\n", 0, (int)(rest & 0xFF), (int)(rest >> 8),
                   (int)rest - 1, text) == (int)whole;
}

static bool begin_file(struct export *export, enum format format)
{
    export->write = format == FORMAT_CSV ? write_lines : write_numbers;
    if (format == FORMAT_CSV)
        return fputs("board,moves\n", export->file) != EOF;
    return format != FORMAT_NPY || begin_npy(export);
}

/* Returns the format that was given, else the one that the file's suffix names; FORMAT_COUNT after an error.
 */
static enum format export_format(struct session *session, const struct arguments *arguments)
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

/* Reads what the head of a sliding puzzle's export says: its goal, from which the boards are counted. */
static bool read_sliding(struct export *export, const struct reply *head)
{
    struct board goal;
    struct pz_error error;
    if (board_parse(&export->grid, reply_text(head, "goal"), &goal, &error) != PZ_OK ||
        export->states != ranking_row(&export->grid) * export->grid.cells)
        return false;
    ranking_begin(&export->cursor, &export->grid, &goal, 0);
    return true;
}

/* Reads the first line of the reply. */
static enum exit_code read_head(struct export *export, const struct arguments *arguments, enum format format)
{
    struct text *request = command_request(export->session, "EXPORT", arguments->words[0], arguments);
    struct reply head = {0};
    int64_t records = 0, states = 0;
    export->sliding = sliding_grid(arguments->words[0], &export->grid);
    if (format == FORMAT_CSV && !export->sliding)
        text_key(request, "boards", "yes");
    enum exit_code code = session_ask(export->session, request, &head);
    if (code != EXIT_FOUND)
        return code;
    const bool known = reply_integer(&head, "count", &records) && reply_integer(&head, "states", &states);
    export->width = reply_is(&head, "bytes", "2") ? 2 : 1;
    export->records = (uint64_t)records;
    export->states = (uint64_t)states;
    if (!known || records < 1 || states < 1 ||
        !(export->sliding ? export->width == 1 && read_sliding(export, &head) : export->width == 2))
        code = session_lost(export->session, "the head of the export is not understood");
    reply_clear(&head);
    return code;
}

static unsigned digit_of(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

/* Decodes two hexadecimal digits a byte. Returns how many distances there were, 0 for invalid text. */
static size_t export_decode(const struct export *export, const char *text, uint16_t distances[RECORD_MAX])
{
    const size_t digits = 2 * (size_t) export->width, length = strlen(text);
    if (length % digits != 0 || length / digits > RECORD_MAX || strspn(text, "0123456789abcdef") != length)
        return 0;
    for (size_t i = 0; i < length / digits; i++) {
        unsigned value = 0;
        for (size_t j = 0; j < digits; j++)
            value = value << 4 | digit_of(text[digits * i + j]);
        distances[i] = (uint16_t)value;
    }
    return length / digits;
}

static enum exit_code take_record(struct export *export, const char *path)
{
    static uint16_t distances[RECORD_MAX];
    struct reply record = {0};
    enum exit_code code = session_read(export->session, &record);
    if (code != EXIT_FOUND)
        return code;
    const size_t count =
        record.kind == REPLY_RECORD ? export_decode(export, reply_text(&record, "distances"), distances) : 0;
    if (count == 0 || count > export->states - export->done)
        code = session_lost(export->session, "a record of the export is not understood");
    else if (!export->write(export, distances, count, reply_text(&record, "boards")))
        code = session_unwritten(export->session, path);
    reply_clear(&record);
    export->done += count;
    export->progress.share = (double)export->done / (double)export->states;
    list_progress_step(&export->progress, count);
    return code;
}

/* Leaves at Ctrl-C, so that no part of the file stays. */
static bool export_interrupted(const struct export *export)
{
    if (!export->session->interrupted && !interrupt_came())
        return false;
    (void)session_fail(export->session, EXIT_TROUBLE, "output", "stopped by Ctrl-C; the file is as it was");
    session_close(export->session); /* records are still to come */
    return true;
}

static enum exit_code export_write_file(struct export *export, const char *path)
{
    struct reply end = {0};
    enum exit_code code = EXIT_FOUND;
    for (; export->records > 0 && code == EXIT_FOUND; export->records--)
        code = export_interrupted(export) ? EXIT_TROUBLE : take_record(export, path);
    list_progress_end(&export->progress);
    if (code == EXIT_FOUND)
        code = session_read(export->session, &end);
    if (code == EXIT_FOUND && (end.kind != REPLY_END || export->done != export->states))
        code = session_lost(export->session, "the export has another length than it said");
    reply_clear(&end);
    return code;
}

static enum exit_code run_export(struct session *session, const struct arguments *arguments)
{
    struct export export = {.session = session};
    const char *path = arguments->words[1];
    const bool to_output = strcmp(path, "-") == 0;
    enum format format = export_format(session, arguments);
    enum exit_code code = format < FORMAT_COUNT ? read_head(&export, arguments, format) : EXIT_USAGE;
    if (code != EXIT_FOUND)
        return code;
    struct whole_file file = {.file = session->terminal->out};
    if (!to_output && !whole_file_open(&file, path))
        return session_unwritten(session, path);
    export.file = file.file;
    if (*file.part != '\0') /* what goes elsewhere ends with Ctrl-C as it stands */
        interrupt_begin();
    list_progress_begin(&export.progress, session->terminal,
                        !session->quiet && !(to_output && session->terminal->out_tty), "boards");
    code = begin_file(&export, format) ? export_write_file(&export, path) : session_unwritten(session, path);
    interrupt_end();
    if (!to_output && !whole_file_end(&file, code == EXIT_FOUND) && code == EXIT_FOUND)
        code = session_unwritten(session, path);
    return code;
}

const struct command command_export = {
    .name = "export",
    .verb = VERB_EXPORT,
    .without = KEY_BIT(KEY_BOARDS),
    .takes = {"PUZZLE FILE|-", 2, 2, WORD_PUZZLE},
    .summary = "Write every distance of a stored puzzle to a file",
    .help =
        "A byte a board, of plain sliding puzzles with two rows and columns or more, and up to 12 cells; "
        "255\n"
        "where a bounded exploration ended before. Two bytes, low before high, of puzzles that number their\n"
        "states (pancake, TopSpin, Hanoi, sets of Klotski's blocks, texts): 65535 for what is not reached.\n"
        "npy of sliding puzzles has a row for each cell of the blank and T!/2 columns (T tiles). Column r is "
        "the\nsolvable one of the two boards whose tiles, in row order, have the lexicographic ranks 2r and "
        "2r+1.\n"
        "bin is the same without a head; csv has the boards.\n",
    .example = "  $ puzzlectl explore 3x3 && puzzlectl export 3x3 3x3.npy\n"
               "  $ python3 -c 'import numpy; print(numpy.bincount(numpy.load(\"3x3.npy\").ravel()))'\n",
    .options = export_options,
    .run = run_export,
};
