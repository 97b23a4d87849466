/* SPDX-License-Identifier: MIT */
#include "protocol/text/board_rows.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL_SIGNS "#@+$*. -_pPbBoX%/|()"
#define LEVEL_WORDS                                                                                          \
    "# is a wall, @ the player, $ a box, . a goal, + and * these on a goal, - or a blank the floor"

bool board_rows_size(const char *text, unsigned cells, unsigned *rows, unsigned *columns)
{
    char *end = NULL;
    if (isdigit((unsigned char)*text) == 0)
        return false;
    const unsigned long high = strtoul(text, &end, 10);
    const bool both = (*end == 'x' || *end == 'X') && isdigit((unsigned char)end[1]) != 0;
    const unsigned long wide = both ? strtoul(end + 1, &end, 10) : high;
    if ((*end != '\0' && *end != ',') || (!both && *end == ',') || high < 1 || wide < 1 ||
        high > cells / wide || high * wide < 2)
        return false;
    *rows = (unsigned)high;
    *columns = (unsigned)wide;
    return true;
}

bool board_rows_is_level(const char *line)
{
    for (; *line != '\0'; line++) {
        line += strspn(line, "0123456789");
        if (*line == '\0' || strchr(LEVEL_SIGNS, *line) == NULL)
            return false;
    }
    return true;
}

unsigned board_rows_players(const char *line)
{
    unsigned players = 0;
    for (line = strpbrk(line, "@+pP%"); line != NULL; line = strpbrk(line + 1, "@+pP%"))
        players++;
    return players;
}

bool board_rows_is_closed(const char *level)
{
    const char *row = level;
    unsigned rows = 0;
    bool wall = false;
    while (*row != '\0') {
        const size_t length = strcspn(row, "/|"), floor = strspn(row, "0123456789-_ (");
        wall = floor < length && strspn(row + floor, "0123456789#()") >= length - floor;
        row += length;
        row += strspn(row, "/|");
        rows++;
    }
    return rows > 2 && wall && board_rows_players(level) > 0;
}

bool board_rows_has_key(const char *line)
{
    const size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    return word > 1 && line[word] == ':';
}

bool board_rows_is_comment(const char *line)
{
    if (*line != '#' || line[1] != ' ')
        return false;
    for (line++; *line == ' '; line++)
        if (line[1] != ' ' && line[1] != '\0' && line[2] != ' ' && line[2] != '\0')
            return true;
        else if (line[1] != ' ' && line[1] != '\0')
            line++;
    return false;
}

bool board_rows_of_fogleman(char *line)
{
    const size_t number = strspn(line, "0123456789");
    if (number == 0 || line[number] != ' ')
        return false;
    char *board = line + number + strspn(line + number, " ");
    const size_t cells = strcspn(board, " ");
    if (cells <= BOARD_ROWS_CARS_MAX || board[cells] == '\0' ||
        strspn(board + cells, " 0123456789") != strlen(board + cells))
        return false;
    memmove(line, board, cells);
    line[cells] = '\0';
    return true;
}

const char *board_rows_of_slc(char *line)
{
    static const char name[] = "Id=\"";
    if (strncmp(line, "L>", 2) == 0)
        return line + 2;
    if (strncmp(line, "/Level>", 7) == 0)
        return "";
    char *id = strncmp(line, "Level ", 6) == 0 ? strstr(line, name) : NULL;
    if (id == NULL)
        return NULL;
    id += sizeof name - 2;
    id[strcspn(id + 1, "\"") + 1] = '\0';
    *id = ';';
    return id;
}

/* Says which byte of a line is none of the signs. */
static bool tell_byte(unsigned number, const char *line, const char *signs, const char *words,
                      struct text *wrong)
{
    const size_t at = strspn(line, signs);
    if (line[at] == '\0')
        return false;
    const unsigned char c = (unsigned char)line[at];
    text_format(wrong,
                c < 0x80 ? "line %u, column %zu: '%c' cannot be in a row; %s"
                         : "line %u, column %zu: byte 0x%02X cannot be in a row; %s",
                number, at + 1, c, words);
    return true;
}

void board_rows_tell(struct board_block *block, unsigned number, const char *line)
{
    struct text *wrong = &block->wrong;
    unsigned rows = 0, columns = 0;
    if (block->kind == ROWS_OF_LEVELS) {
        if (!tell_byte(number, line, LEVEL_SIGNS "0123456789", LEVEL_WORDS, wrong))
            text_format(wrong, "line %u: this row has no wall; " LEVEL_WORDS, number);
    } else if (block->height > 0 && board_rows_size(line, BOARD_ROWS_TILES, &rows, &columns)) {
        text_format(wrong, "line %u: a board of %ux%u, but the puzzle is %ux%u", number, rows, columns,
                    block->height, block->columns);
    } else if (!tell_byte(number, line, "0123456789xX_.#, \t", "tiles are numbers, the blank 0, x, _ or .",
                          wrong)) {
        text_format(wrong, "line %u: this row has not as many cells as others", number);
    }
}

/* ---- levels ---- */

static bool join_level(struct board_block *block, struct text *out)
{
    const char *row = text_string(&block->rows);
    if (!block->walled && block->count == 1 && block->wrong.length == 0)
        return false;
    if (!block->walled) {
        text_cut(&block->wrong, 0);
        text_format(&block->wrong, "lines %u to %u: no wall is there; " LEVEL_WORDS, block->line[0],
                    block->line[block->count - 1]);
    }
    for (unsigned i = 0; i < block->count; i++, row += strlen(row) + 1) {
        size_t length = strlen(row);
        if (length > 1 && row[length - 1] == '|')
            length--;
        if (i > 0)
            text_char(out, '/');
        for (size_t j = 0; j < length; j++)
            text_char(out, (char)(row[j] == ' ' ? '-' : row[j]));
    }
    return true;
}

/* ---- letters ---- */

/* Returns true if one blank stands between each two cells. */
static bool is_row_spaced(const char *row)
{
    const size_t length = strlen(row);
    for (size_t i = 0; i < length; i++)
        if ((row[i] == ' ') != (i % 2 == 1))
            return false;
    return length % 2 == 1;
}

/* Returns true if a blank stands between each two cells, which may be blanks. */
static bool is_row_parted(const char *row)
{
    const size_t length = strlen(row);
    for (size_t i = 1; i < length; i += 2)
        if (row[i] != ' ')
            return false;
    return length % 2 == 1;
}

static bool is_cells(const char *row)
{
    for (; *row != '\0'; row++)
        if (isalnum((unsigned char)*row) == 0 && strchr("@._-*#[ ", *row) == NULL)
            return false;
    return true;
}

/* Returns true for a capital and small letters, alone or before a blank: "Daisy", "Level 12". */
static bool is_name(const char *row)
{
    row += strspn(row, " ");
    const size_t small =
        isupper((unsigned char)*row) != 0 ? strspn(row + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
    return small > 1 && (row[small + 1] == '\0' || row[small + 1] == ' ');
}

/* Returns true for a name, for several words, and for what has other signs than rows. */
static bool is_title(const char *row)
{
    row += strspn(row, " ");
    if (!is_cells(row))
        return true;
    return is_name(row) ||
           (strpbrk(row, "@._-*#[") == NULL && strchr(row, ' ') != NULL && !is_row_spaced(row));
}

/* Returns true if no block can lie both in the first row and in the next. */
static bool is_apart(const char *row)
{
    const char *next = row + strlen(row) + 1;
    for (; *row != '\0' && *next != '\0'; row++, next++)
        if (*row == *next)
            return false;
    return true;
}

/* The common features of a block's rows. */
struct form {
    const char *first; /* row that is no title */
    unsigned from;     /* its number */
    size_t width;      /* of the widest */
    size_t indent;     /* of all */
    bool spaced;       /* a blank between the cells */
    bool blanks;       /* blanks are cells */
    bool doubtful;     /* the first row may be a title */
};

static void measure_form(const struct board_block *block, struct form *form)
{
    const char *row = form->first;
    form->width = 0;
    form->indent = SIZE_MAX;
    form->spaced = form->blanks = false;
    bool parted = true, gaps = false;
    for (unsigned i = form->from; i < block->count; i++, row += strlen(row) + 1) {
        const size_t indent = strspn(row, " ");
        form->width = strlen(row) > form->width ? strlen(row) : form->width;
        form->indent = indent < form->indent ? indent : form->indent;
    }
    row = form->first;
    for (unsigned i = form->from; i < block->count; i++, row += strlen(row) + 1) {
        const bool spaced = is_row_spaced(row + form->indent);
        form->spaced |= spaced && row[form->indent + 1] != '\0';
        gaps |= !spaced;
        parted = parted && is_row_parted(row + form->indent);
        form->blanks |= strchr(row + form->indent, ' ') != NULL;
    }
    form->width -= form->indent;
    form->spaced = form->spaced && parted;
    form->blanks = form->spaced ? gaps : form->blanks;
}

/* Says what is wrong with the rows of a block, if anything is. */
static void check_board_rows(struct board_block *block, const struct form *form)
{
    struct text *wrong = &block->wrong;
    const char *row = form->first;
    if (form->doubtful)
        text_format(wrong, "line %u: '%s' may be a title or a row; begin titles with ;",
                    block->line[form->from], row);
    else if (form->indent > 0 && form->blanks)
        text_format(wrong,
                    "line %u: every row begins with a blank, and others are cells: write empty cells as .",
                    block->line[form->from]);
    for (unsigned i = form->from; i < block->count && wrong->length == 0; i++, row += strlen(row) + 1) {
        const size_t cells = strlen(row) - form->indent;
        if (!is_cells(row))
            (void)tell_byte(block->line[i], row,
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@._-*#[ ",
                            "cells are letters or digits, # a wall, . or @ empty", wrong);
        else if (cells != form->width && !form->blanks)
            text_format(wrong, "line %u: this row has %zu cells, the widest has %zu; begin titles with ;",
                        block->line[i], form->spaced ? cells / 2 + 1 : cells,
                        form->spaced ? form->width / 2 + 1 : form->width);
    }
}

/* Returns true if a line is as wide as the rows, in bytes or, with the sign of a cell that is no letter, in
 * characters, and parted as they are. Names of boards have four characters, too. */
static bool is_as_wide(const char *line, const struct form *rest)
{
    static const char signs[] = "@._-*#[";
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const bool sign = strpbrk(line, signs) != NULL;
    size_t characters = 0;
    for (const char *at = line; *at != '\0'; at++)
        characters += sign && ((unsigned char)*at & 0xC0) != 0x80;
    const size_t width = rest->width + rest->indent;
    if (!sign && strpbrk(line, letters) == NULL && (*line & 0x80) == 0)
        return false; /* a line below a title: ===== */
    return (strlen(line) == width || characters == width) &&
           (rest->spaced ? is_row_parted(line + rest->indent) : is_cells(line) || strchr(line, ' ') == NULL);
}

/* Leaves out the titles before the rows. */
static void find_form(struct board_block *block, struct form *form)
{
    bool doubtful = false;
    *form = (struct form){.first = block->rows.data};
    for (; form->from + 1 < block->count; form->from++) {
        struct form rest = *form;
        rest.first += strlen(rest.first) + 1;
        rest.from++;
        measure_form(block, &rest);
        const bool fits = is_as_wide(form->first, &rest), cells = is_cells(form->first);
        if (!is_title(form->first) || fits || (cells && rest.blanks)) {
            doubtful = !cells || (is_name(form->first) && (fits ? is_apart(form->first) : rest.blanks));
            break;
        }
        text_cut(&block->title, 0);
        text_add(&block->title, form->first + strspn(form->first, " "));
        form->first = rest.first;
    }
    measure_form(block, form);
    form->doubtful = doubtful && form->from + 2 < block->count;
}

static bool join_letters(struct board_block *block, struct text *out)
{
    struct form form;
    if (block->count == 1 && block->wrong.length == 0 && is_title(text_string(&block->rows)))
        return false;
    find_form(block, &form);
    if (block->wrong.length == 0)
        check_board_rows(block, &form);
    const char *row = form.first;
    for (unsigned i = form.from; i < block->count; i++, row += strlen(row) + 1) {
        const size_t length = strlen(row), step = form.spaced ? 2 : 1;
        if (i > form.from)
            text_char(out, '/');
        for (size_t at = form.indent; at < form.indent + form.width; at += step)
            text_char(out, (char)(at < length ? row[at] : ' '));
    }
    return true;
}

static void join_tiles(const struct board_block *block, struct text *out)
{
    const char *row = text_string(&block->rows);
    for (unsigned i = 0; i < block->count; i++, row += strlen(row) + 1) {
        text_add(out, i > 0 ? "/" : "");
        text_add(out, row);
    }
}

bool board_rows_join(struct board_block *block, struct text *out)
{
    if (block->kind == ROWS_OF_LEVELS)
        return join_level(block, out);
    if (block->kind != ROWS_OF_TILES)
        return join_letters(block, out);
    join_tiles(block, out);
    return true;
}
