/* SPDX-License-Identifier: MIT */
#include "client/session/suggest.h"

#include "client/session/shipped.h"
#include "protocol/text/nearest.h"
#include "protocol/vocabulary.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORD_MAX = 64 };

/* Nothing is said of a word that is right: then something else is wrong. */
static void suggest_nearest(const struct session *session, const struct nearest *nearest)
{
    if (nearest->best != NULL && strcmp(nearest->best, nearest->written) != 0)
        (void)fprintf(session->terminal->err, "  did you mean '%s'?\n", nearest->best);
}

/* Offers words with blanks between. The one that is best so far is kept in best. */
static void offer_words(struct nearest *nearest, const char *at, char best[WORD_MAX])
{
    for (size_t length = 0; *at != '\0'; at += length + (at[length] == ' ')) {
        char word[WORD_MAX];
        length = strcspn(at, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
        nearest_offer(nearest, word);
        if (nearest->best != word)
            continue;
        memcpy(best, word, sizeof word);
        nearest->best = best;
    }
}

/* Offers the puzzles of the daemon and the texts that come with the client. Where none is near a name that
 * nobody knows, all of these are said. */
static void suggest_name(struct session *session, const char *written, const struct records *puzzles)
{
    const struct key_row *formats = key_row(KEY_FORMAT); /* of definitions, by their ids */
    bool known = isdigit((unsigned char)*written) != 0;  /* a size */
    char best[WORD_MAX];
    struct text names = {0};
    struct nearest nearest = {.written = written};
    for (size_t i = 0; i < puzzles->count; i++) {
        nearest_offer(&nearest, reply_text(&puzzles->records[i], "puzzle"));
        known |= reply_is(&puzzles->records[i], "puzzle", written);
    }
    for (unsigned i = 0; i < formats->word_count; i++)
        known |= strcmp(formats->words[i], written) == 0;
    shipped_names(&names);
    offer_words(&nearest, text_string(&names), best);
    suggest_nearest(session, &nearest);
    if (nearest.best == NULL && !known && names.length > 0)
        (void)fprintf(session->terminal->err, "  texts that come with puzzlectl: %s\n", text_string(&names));
    if (nearest.best == NULL && !known)
        (void)fprintf(session->terminal->err,
                      "  others are plugins: the daemon loads them from its --plugin-directory\n");
    text_free(&names);
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

/* Returns true for a text that ends as a file's name does, as ".xsb". */
static bool has_ending(const char *text)
{
    const char *dot = strrchr(text, '.');
    const size_t letters = dot == NULL ? 0 : strlen(dot + 1);
    return letters >= 2 && letters <= 4 && strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz") == letters;
}

static void suggest_puzzle(struct session *session, enum verb verb, const char *puzzle,
                           const struct records *puzzles)
{
    char written[WORD_MAX] = "";
    (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(puzzle, " :"), puzzle);
    if ((verb == VERB_SOLVE || verb == VERB_DISTANCE || verb == VERB_PATH) && is_file(puzzle))
        (void)fprintf(session->terminal->err, "  boards in a file are read so: PUZZLE - < %s\n", puzzle);
    else if (strpbrk(written, "[,/") != NULL)
        (void)fprintf(session->terminal->err, "  a board alone has rows of one length, as 8,6,7/2,5,4/3,0,1; "
                                              "else name its puzzle first, as 3x3\n");
    else
        suggest_name(session, written, puzzles);
}

/* Returns the board that a request asks about; NULL if it names none. */
static const char *board_of_request(const struct request *request)
{
    for (unsigned i = 0; i < request->key_count; i++)
        if (strcmp(request->key[i].key, "start") == 0)
            return request->key[i].value;
    return request->argument_count > 1 ? request->argument[1] : NULL;
}

/* Boards in a file come through the standard input. */
static void suggest_input(struct session *session, const struct request *request)
{
    const char *board = board_of_request(request);
    if (board == NULL || request->argument_count == 0)
        return;
    if (strncmp(board, "random:", 7) == 0)
        (void)fprintf(session->terminal->err,
                      "  random boards are of sliding tiles and .tws puzzles; one of %s: puzzlectl make %s\n",
                      request->argument[0], request->argument[0]);
    else if (strncmp(request->argument[0], "klotski", 7) == 0 &&
             (((unsigned char)*board & 0x80u) != 0 || strcmp(board, "classic") == 0))
        (void)fprintf(session->terminal->err, "  a layout is named with its puzzle: klotski:%s\n", board);
    if (is_file(board))
        (void)fprintf(session->terminal->err, "  boards in a file are read so: - < %s\n", board);
    else if (has_ending(board))
        (void)fprintf(session->terminal->err,
                      "  if it is a file: there is no %s here; boards in one are read so: - < FILE\n", board);
}

/* Offers the keys of the verb and those of the puzzles. */
static void suggest_key(struct session *session, enum verb verb, const char *key,
                        const struct records *puzzles)
{
    char best[WORD_MAX] = "";
    struct nearest nearest = {.written = key};
    for (unsigned i = 0; i < KEYS_TAKEN; i++)
        if ((key_row(i)->taken & VERB_BIT(verb)) != 0)
            nearest_offer(&nearest, key_row(i)->word);
    for (size_t i = 0; i < puzzles->count; i++)
        offer_words(&nearest, reply_text(&puzzles->records[i], "keys"), best);
    suggest_nearest(session, &nearest);
}

/* Returns the place of the first key from there on that the verb does not take: the puzzle's, or a mistake.
 */
static unsigned puzzle_key(const struct request *request, enum verb verb, unsigned from)
{
    while (from < request->key_count && key_taken(verb, request->key[from].key) < KEYS_TAKEN)
        from++;
    return from;
}

static void suggest_for(struct session *session, const struct request *request, const struct reply *refusal)
{
    struct records puzzles;
    const enum verb verb = verb_find(request->word, strlen(request->word));
    if (verb == VERB_COUNT || request->argument_count == 0)
        return;
    const bool puzzle = strcmp(refusal->code, "bad-puzzle") == 0 && verb != VERB_UNDEFINE;
    unsigned key = verb_row(verb)->takes_puzzle && strcmp(refusal->code, "bad-request") == 0
                       ? puzzle_key(request, verb, 0)
                       : request->key_count;
    if (strcmp(refusal->code, "bad-board") == 0)
        suggest_input(session, request);
    if (verb == VERB_SOLVE && reply_is(refusal, "missing", "start"))
        (void)fprintf(session->terminal->err, "  the board goes behind its puzzle; - reads boards from the "
                                              "standard input, --random makes one,\n"
                                              "  and so does --scramble \"R U F'\" of a cube\n");
    if ((key == request->key_count && !puzzle) ||
        session_try_list(session, session_request(session, "PUZZLES", NULL), &puzzles) != EXIT_FOUND)
        return;
    if (puzzle)
        suggest_puzzle(session, verb, request->argument[0], &puzzles);
    for (; key < request->key_count; key = puzzle_key(request, verb, key + 1))
        suggest_key(session, verb, request->key[key].key, &puzzles);
    records_clear(&puzzles);
}

void suggest(struct session *session, const char *line, const struct reply *refusal)
{
    struct pz_error error;
    struct request *request = malloc(sizeof *request);
    if (request != NULL && request_parse(request, line, strcspn(line, "\n"), &error) == PZ_OK)
        suggest_for(session, request, refusal);
    free(request);
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

/* Measures rows with a separator between them, or lines: "8,6,7/2,5,4", or with a sign a cell "283/104/765".
 */
static bool divided(const char *at, bool signs, unsigned *rows, unsigned *columns)
{
    *rows = *columns = 0;
    for (;; at++) {
        const char *begin = at;
        at += signs ? strspn(at, "0123456789xX_.") : 0;
        const unsigned cells = signs ? (unsigned)(at - begin) : count_cells(&at, "/\n;");
        if (cells < 2 || (*columns != 0 && cells != *columns) || strchr("/\n;", *at) == NULL)
            return false;
        *columns = cells;
        (*rows)++;
        if (*at == '\0' || (at[1] == '\0' && (signs || *at == '\n')))
            return *rows > 1 && (!signs || *rows * *columns <= 10);
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

/* Returns the side of the square that a number of tiles fills but for one cell; 0 if there is none. */
static unsigned long side_of(unsigned long tiles)
{
    for (unsigned long side = 2; side <= 6; side++)
        if (side * side - 1 == tiles)
            return side;
    return 0;
}

/* Measures a square in one line: "8,6,7,2,5,4,3,0,1". */
static bool in_one_line(const char *at, unsigned *rows, unsigned *columns)
{
    *rows = *columns = (unsigned)side_of(count_cells(&at, "") - 1UL);
    return *rows > 0;
}

bool infer_size(const char *board, char size[INFER_SIZE_MAX])
{
    unsigned rows = 0;
    unsigned columns = 0;
    bool known = *board == '[' ? bracketed(board, &rows, &columns)
                 : strpbrk(board, "/\n;") != NULL
                     ? divided(board, false, &rows, &columns) || divided(board, true, &rows, &columns)
                 : strpbrk(board, ", ") != NULL ? in_one_line(board, &rows, &columns)
                                                : square(board, &rows, &columns);
    if (known)
        (void)snprintf(size, INFER_SIZE_MAX, "%ux%u", rows, columns);
    return known;
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
