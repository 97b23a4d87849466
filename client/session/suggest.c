/* SPDX-License-Identifier: MIT */
#include "client/session/suggest.h"

#include "protocol/text/nearest.h"
#include "protocol/vocabulary.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD_MAX = 64 };

/* Nothing is said of a word that is right: then something else is wrong. */
static void suggest_nearest(const struct session *session, const struct nearest *nearest)
{
    if (nearest->best != NULL && strcmp(nearest->best, nearest->written) != 0)
        (void)fprintf(session->terminal->err, "  did you mean '%s'?\n", nearest->best);
}

/* unknown: the daemon has no puzzle of that name. */
static void suggest_puzzle(struct session *session, const char *request, const struct records *puzzles,
                           bool unknown)
{
    char written[WORD_MAX] = "";
    const char *word = strchr(request, ' ');
    if (word == NULL)
        return;
    word += 1 + (word[1] == '"');
    (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(word, " :\"\n"), word);
    if (strpbrk(written, "[,/") != NULL) {
        (void)fprintf(session->terminal->err, "  a board alone has rows of one length, as 8,6,7/2,5,4/3,0,1; "
                                              "else name its puzzle first, as 3x3\n");
        return;
    }
    struct nearest nearest = {.written = written};
    for (size_t i = 0; i < puzzles->count; i++)
        nearest_offer(&nearest, reply_text(&puzzles->records[i], "puzzle"));
    suggest_nearest(session, &nearest);
    if (nearest.best == NULL && unknown)
        (void)fprintf(session->terminal->err,
                      "  others are plugins: the daemon loads them from its --plugin-directory\n");
}

/* Boards in a file come through the standard input. */
static void suggest_input(struct session *session, const char *request)
{
    char written[256] = "";
    const char *word = strstr(request, " start=");
    if (word != NULL)
        word += strlen(" start=");
    else if ((word = strchr(request, ' ')) != NULL && (word = strchr(word + 1, ' ')) != NULL)
        word++;
    if (word == NULL)
        return;
    (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(word, " \"\n"), word);
    if (strstr(request, " klotski") != NULL && ((unsigned char)*written & 0x80u) != 0)
        (void)fprintf(session->terminal->err, "  a layout is named with its puzzle: klotski:%s\n", written);
    if (access(written, F_OK) == 0)
        (void)fprintf(session->terminal->err, "  boards in a file are read so: - < %s\n", written);
}

/* Offers the keys of the request's verb and those of the puzzles. */
static void suggest_key(struct session *session, const char *request, const char *key,
                        const struct records *puzzles)
{
    char written[WORD_MAX] = "";
    char best[WORD_MAX] = "";
    (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(key, "'"), key);
    struct nearest nearest = {.written = written};
    enum verb verb = verb_find(request, strcspn(request, " \n"));
    for (unsigned i = 0; verb < VERB_COUNT && i < KEYS_TAKEN; i++)
        if ((key_row(i)->taken & VERB_BIT(verb)) != 0)
            nearest_offer(&nearest, key_row(i)->word);
    for (size_t i = 0; i < puzzles->count; i++) {
        const char *at = reply_text(&puzzles->records[i], "keys");
        for (size_t length = 0; *at != '\0'; at += length + (at[length] == ' ')) {
            char word[WORD_MAX];
            length = strcspn(at, " ");
            (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
            nearest_offer(&nearest, word);
            if (nearest.best != word)
                continue;
            memcpy(best, word, sizeof best);
            nearest.best = best;
        }
    }
    suggest_nearest(session, &nearest);
}

void suggest(struct session *session, const char *request, const struct reply *refusal)
{
    static const char unknown[] = "unknown key '";
    struct text list = {0};
    struct records puzzles;
    const bool puzzle = strcmp(refusal->code, "bad-puzzle") == 0;
    if (strcmp(refusal->code, "bad-board") == 0)
        suggest_input(session, request);
    if (strstr(refusal->text, "SOLVE needs start=") == refusal->text)
        (void)fprintf(session->terminal->err,
                      "  the board goes behind its puzzle; - reads boards from the standard input\n");
    const bool key = strncmp(refusal->text, unknown, strlen(unknown)) == 0;
    if (!puzzle && !key)
        return;
    compose_begin(&list, "PUZZLES");
    if (session_try_list(session, &list, &puzzles) == EXIT_FOUND) {
        if (puzzle)
            suggest_puzzle(session, request, &puzzles, strncmp(refusal->text, "no puzzle ", 10) == 0);
        else
            suggest_key(session, request, refusal->text + strlen(unknown), &puzzles);
        records_clear(&puzzles);
    }
    text_free(&list);
}

enum { CELLS_MAX = 42 };

/* ---- what people type ---- */

/* Counts the cells of one row that ends at one of the given characters. Moves *at to that character. */
static unsigned count_cells(const char **at, const char *ends)
{
    unsigned cells = 0;
    bool within = false;
    for (; **at != '\0' && strchr(ends, **at) == NULL; (*at)++) {
        bool is_cell = isdigit((unsigned char)**at) || strchr("xX_.#", **at) != NULL;
        if (!is_cell && strchr(", \t", **at) == NULL)
            return 0;
        cells += is_cell && !within;
        within = is_cell;
    }
    return cells;
}

/* Measures "[[4,1,2],[5,0,3]]". */
static bool bracketed(const char *at, unsigned *rows, unsigned *columns)
{
    for (at++; *at != '\0'; at++) {
        if (*at != '[')
            continue;
        at++;
        unsigned cells = count_cells(&at, "]");
        if (cells < 2 || *at != ']' || (*columns != 0 && cells != *columns))
            return false;
        *columns = cells;
        (*rows)++;
    }
    return *rows > 1;
}

/* Measures "8,6,7/2,5,4", or lines. */
static bool divided(const char *at, unsigned *rows, unsigned *columns)
{
    for (;; at++) {
        unsigned cells = count_cells(&at, "/\n;");
        if (cells < 2 || (*columns != 0 && cells != *columns))
            return false;
        *columns = cells;
        (*rows)++;
        if (*at == '\0' || (*at == '\n' && at[1] == '\0'))
            return *rows > 1;
    }
}

/* Returns true for a size such as 2x13, which is not a board. 23415x768 would have too many cells for one. */
static bool is_size(const char *text)
{
    char *end = NULL;
    unsigned long rows = strtoul(text, &end, 10);
    if (*end != 'x' && *end != 'X')
        return false;
    unsigned long columns = strtoul(end + 1, &end, 10);
    return *end == '\0' && rows > 0 && columns > 0 && rows < CELLS_MAX && columns < CELLS_MAX &&
           rows * columns <= CELLS_MAX;
}

/* Returns true if each hexadecimal digit is there once, x, _ or . for the 0: a board of 16 cells. */
static bool is_hexadecimal(const char *board)
{
    static const char digits[] = "0123456789abcdef";
    unsigned seen = 0;
    for (const char *c = board; *c != '\0'; c++) {
        const char *digit = strchr("xX_.", *c) != NULL ? digits : strchr(digits, tolower((unsigned char)*c));
        if (digit == NULL)
            return false;
        seen |= 1u << (digit - digits);
    }
    return seen == 0xFFFF && strlen(board) == 16;
}

/* Measures a square of single digits: "867254301", "FE169B4C0A73D852". */
static bool square(const char *board, unsigned *rows, unsigned *columns)
{
    size_t length = is_size(board) ? 0 : strlen(board);
    unsigned side = length == 4 ? 2 : length == 9 ? 3 : 0;
    *rows = *columns = side;
    if (is_hexadecimal(board))
        *rows = *columns = side = 4;
    return side == 4 || (side > 0 && board[strspn(board, "012345678xX_.")] == '\0');
}

bool infer_size(const char *board, char size[INFER_SIZE_MAX])
{
    unsigned rows = 0;
    unsigned columns = 0;
    bool known = *board == '['                    ? bracketed(board, &rows, &columns)
                 : strpbrk(board, "/\n;") != NULL ? divided(board, &rows, &columns)
                                                  : square(board, &rows, &columns);
    if (known)
        (void)snprintf(size, INFER_SIZE_MAX, "%ux%u", rows, columns);
    return known;
}

/* Returns the side of the square that a number of tiles fills but for one cell; 0 if there is none. */
static unsigned long side_of(unsigned long tiles)
{
    for (unsigned long side = 2; side <= 6; side++)
        if (side * side - 1 == tiles)
            return side;
    return 0;
}

/* Reads "15-puzzle", "15puzzle", "15数码": the name of a square by its tiles. */
static unsigned long tiles_named(const char *text)
{
    static const char *const kinds[] = {"-puzzle", "puzzle", " puzzle", "数码", "數碼"};
    static const char *const words[][2] = {{"八数码", "8"},    {"八數碼", "8"}, {"十五数码", "15"},
                                           {"十五數碼", "15"}, {"三数码", "3"}, {"二十四数码", "24"}};
    char *end = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i][0]) == 0)
            return side_of(strtoul(words[i][1], NULL, 10));
    const unsigned long tiles = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
    for (size_t i = 0; tiles > 0 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(end, kinds[i]) == 0)
            return side_of(tiles);
    return 0;
}

bool infer_puzzle(const char *text, char *puzzle, size_t room)
{
    const char *rest = NULL;
    const char *name = infer_name(text, &rest);
    const unsigned long side = tiles_named(text);
    const size_t rows = strspn(text, "0123456789");
    const size_t columns = text[rows] == '*' ? strspn(text + rows + 1, "0123456789") : 0;
    if (name != NULL)
        (void)snprintf(puzzle, room, "%s%s", name, rest);
    else if (side > 0)
        (void)snprintf(puzzle, room, "%lux%lu", side, side);
    else if (rows > 0 && columns > 0 && text[rows + 1 + columns] == '\0')
        (void)snprintf(puzzle, room, "%.*sx%s", (int)rows, text, text + rows + 1);
    else
        return false;
    return true;
}

bool infer_is_puzzle(const char *text)
{
    char puzzle[64];
    const size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_");
    return is_size(text) || infer_puzzle(text, puzzle, sizeof puzzle) || (name > 0 && text[name] == ':');
}
