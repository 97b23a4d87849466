/* SPDX-License-Identifier: MIT */
/* Sokoban's texts: levels in the XSB form of the community, drawings. */
#include "space/sokoban/sokoban.h"

#include <string.h>

/* ---- reading a level ---- */

static bool has_player(char c)
{
    return c == '@' || c == '+';
}

static bool has_box(char c)
{
    return c == '$' || c == '*';
}

static bool has_goal(char c)
{
    return c == '.' || c == '+' || c == '*';
}

static bool ends_row(char c)
{
    return c == '/' || c == '|' || c == '\n';
}

/* Returns the sign of a cell by another one of its kind; '-' is floor. Levels with X or % have them for boxes
 * and the player on goals, and B for a box. */
static char plain_sign(char c, bool crossed)
{
    static const char usual[] = "##@@++$$**..-- -_-p@P+b$B*o.";
    static const char other[] = "##@@++$$**..-- -_-p@P+b$B$o.X*%+";
    const char *signs = crossed ? other : usual;
    for (; *signs != '\0'; signs += 2)
        if (signs[0] == c)
            return signs[1];
    return '\0';
}

/* Measures rows, or puts them on the level. A number stands before a sign that comes so many times, and a bar
 * at the end of a line is that end. */
static enum pz_status take_rows(struct sokoban_level *level, const char *text, bool put,
                                struct pz_error *error)
{
    const bool crossed = strpbrk(text, "X%") != NULL;
    unsigned row = 0, column = 0, columns = 0;
    for (const char *c = text; *c != '\0'; c++) {
        unsigned times = 1;
        if (*c >= '1' && *c <= '9')
            for (times = 0; *c >= '0' && *c <= '9' && times <= SOKOBAN_RASTER_MAX; c++)
                times = times * 10 + (unsigned)(*c - '0');
        if (ends_row(*c)) {
            const bool twice = *c == '|' && (c[1] == '\0' || c[1] == '/' || c[1] == '\n');
            row += twice ? times - 1 : times;
            column = times > 1 || !twice ? 0 : column;
            continue;
        }
        const char sign = plain_sign(*c, crossed);
        if (sign == '\0')
            return pz_fail(
                error, PZ_BAD_BOARD,
                "row %u, column %u: byte 0x%02X is no sign; # is a wall, @ or p the player, $ or b a box, "
                ". or o a goal, + or P and * or B these on a goal, - or _ or a blank the floor",
                row, column, (unsigned)(unsigned char)*c);
        if (put)
            memset(&level->at[row * level->columns + column], sign, times);
        column += times;
        columns = column > columns ? column : columns;
    }
    level->rows = row + 1;
    level->columns = put ? level->columns : columns;
    return columns == 0 ? pz_fail(error, PZ_BAD_BOARD, "the level is empty") : PZ_OK;
}

static enum pz_status read_rows(struct sokoban_level *level, const char *text, struct pz_error *error)
{
    char plain[PZ_TEXT_MAX];
    enum pz_status status = PZ_OK;
    if (strchr(text, '(') != NULL || strchr(text, ')') != NULL) {
        status = sokoban_write_groups(text, plain, error);
        text = plain;
    }
    if (status == PZ_OK)
        status = take_rows(level, text, false, error);
    if (status != PZ_OK)
        return status;
    if ((uint64_t)level->columns * level->rows > SOKOBAN_RASTER_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "the level is %ux%u, at most %d cells fit", level->rows,
                       level->columns, SOKOBAN_RASTER_MAX);
    memset(level->at, '-', (size_t)level->rows * level->columns);
    return take_rows(level, text, true, error);
}

static enum pz_status count_things(const struct sokoban_level *level, unsigned *player, unsigned *boxes,
                                   struct pz_error *error)
{
    unsigned players = 0;
    unsigned goals = 0;
    *boxes = 0;
    for (unsigned cell = 0; cell < level->rows * level->columns; cell++) {
        if (has_player(level->at[cell])) {
            players++;
            *player = cell;
        }
        *boxes += has_box(level->at[cell]);
        goals += has_goal(level->at[cell]);
    }
    if (players != 1)
        return pz_fail(error, PZ_BAD_BOARD, "%u players (@ or +) are there, a level has one", players);
    if (*boxes == 0)
        return pz_fail(error, PZ_BAD_BOARD, "the level has no box ($ or *)");
    if (*boxes != goals)
        return pz_fail(error, PZ_BAD_BOARD, "%u boxes and %u goals: a level has as many goals as boxes",
                       *boxes, goals);
    return PZ_OK;
}

/* ---- building the space ---- */

enum { UNSEEN = 0xFFFF };

/* Marks every cell that the player could walk to if there were no boxes; the walls must close around them. */
static enum pz_status find_inside(const struct sokoban_level *level, unsigned player,
                                  bool inside[SOKOBAN_RASTER_MAX], struct pz_error *error)
{
    uint16_t queue[SOKOBAN_RASTER_MAX];
    unsigned tail = 0;
    memset(inside, false, SOKOBAN_RASTER_MAX);
    inside[player] = true;
    queue[tail++] = (uint16_t)player;
    for (unsigned head = 0; head < tail; head++) {
        unsigned cell = queue[head];
        unsigned row = cell / level->columns;
        unsigned column = cell % level->columns;
        if (row == 0 || column == 0 || row + 1 == level->rows || column + 1 == level->columns)
            return pz_fail(error, PZ_BAD_BOARD, "the level is open at row %u, column %u: walls must close it",
                           row, column);
        const unsigned near[4] = {cell - level->columns, cell + level->columns, cell - 1, cell + 1};
        for (unsigned d = 0; d < 4; d++) {
            if (level->at[near[d]] == '#' || inside[near[d]])
                continue;
            inside[near[d]] = true;
            queue[tail++] = (uint16_t)near[d];
        }
    }
    return PZ_OK;
}

/* Numbers the squares inside and takes player and boxes off the level. */
static enum pz_status number_squares(struct sokoban *sokoban, const bool *inside,
                                     uint16_t number[SOKOBAN_RASTER_MAX], struct pz_error *error)
{
    struct sokoban_level *level = &sokoban->level;
    for (unsigned cell = 0; cell < level->rows * level->columns; cell++) {
        char c = level->at[cell];
        number[cell] = UNSEEN;
        if (!inside[cell]) {
            if (c == '$' || c == '.')
                return pz_fail(error, PZ_BAD_BOARD, "no one can get to the %s in row %u, column %u",
                               c == '$' ? "box" : "goal", cell / level->columns, cell % level->columns);
            sokoban->boxes -= c == '*'; /* outside the walls it is decoration */
            continue;
        }
        if (sokoban->squares == SOKOBAN_SQUARES_MAX)
            return pz_fail(error, PZ_TOO_LARGE, "more than %d squares inside the walls", SOKOBAN_SQUARES_MAX);
        number[cell] = (uint16_t)sokoban->squares;
        sokoban->place[sokoban->squares] = (uint16_t)cell;
        sokoban->goal[sokoban->squares++] = has_goal(c);
    }
    if (sokoban->boxes == 0)
        return pz_fail(error, PZ_BAD_BOARD, "no one can get to any box");
    if (sokoban->boxes > SOKOBAN_BOXES_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "%u boxes, at most %d fit", sokoban->boxes, SOKOBAN_BOXES_MAX);
    sokoban->base.state_bytes = 8;
    while (sokoban->base.state_bytes <= sokoban->boxes)
        sokoban->base.state_bytes *= 2;
    return PZ_OK;
}

static void link_squares(struct sokoban *sokoban, const uint16_t *number)
{
    unsigned columns = sokoban->level.columns;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        unsigned cell = sokoban->place[i];
        const unsigned near[4] = {cell - columns, cell + columns, cell - 1, cell + 1};
        for (unsigned d = 0; d < 4; d++) {
            uint16_t next = number[near[d]];
            sokoban->neighbour[i][d] = next == UNSEEN ? SOKOBAN_NO_SQUARE : (uint8_t)next;
        }
    }
}

/* Packs the state of a level that has this space's walls. */
static void pack_level(const struct sokoban *sokoban, const struct sokoban_level *level, uint8_t *state)
{
    unsigned box = 0;
    memset(state, 0, sokoban->base.state_bytes);
    for (unsigned i = 0; i < sokoban->squares; i++) {
        char c = level->at[sokoban->place[i]];
        if (has_player(c))
            state[0] = (uint8_t)i;
        if (has_box(c))
            state[++box] = (uint8_t)i;
    }
}

/* Returns a cell without player and box. */
static char bare(char c)
{
    if (c == '@' || c == '$')
        return '-';
    if (c == '+' || c == '*')
        return '.';
    return c;
}

enum pz_status sokoban_read(struct sokoban *sokoban, const char *text, struct pz_error *error)
{
    bool inside[SOKOBAN_RASTER_MAX];
    uint16_t number[SOKOBAN_RASTER_MAX];
    unsigned player = 0;
    enum pz_status status = read_rows(&sokoban->level, text, error);
    if (status == PZ_OK)
        status = count_things(&sokoban->level, &player, &sokoban->boxes, error);
    if (status == PZ_OK)
        status = find_inside(&sokoban->level, player, inside, error);
    if (status == PZ_OK)
        status = number_squares(sokoban, inside, number, error);
    if (status != PZ_OK)
        return status;
    link_squares(sokoban, number);
    pack_level(sokoban, &sokoban->level, sokoban->start);
    for (unsigned i = 0; i < sokoban->squares; i++)
        sokoban->level.at[sokoban->place[i]] = bare(sokoban->level.at[sokoban->place[i]]);
    return PZ_OK;
}

/* Reads a position of the space's level; its walls and goals must be the same. Sets *things to the number of
 * players and boxes in it, wherever they are. */
static enum pz_status read_given(const struct sokoban *sokoban, const char *text,
                                 struct sokoban_level *position, unsigned *things, struct pz_error *error)
{
    const struct sokoban_level *own = &sokoban->level;
    struct sokoban_level given = {0};
    *position = *own;
    *things = 0;
    enum pz_status status = read_rows(&given, text, error);
    if (status != PZ_OK)
        return status;
    unsigned rows = given.rows > own->rows ? given.rows : own->rows;
    unsigned columns = given.columns > own->columns ? given.columns : own->columns;
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            const bool is_own = row < own->rows && column < own->columns;
            const bool is_given = row < given.rows && column < given.columns;
            const char has = (char)(is_given ? given.at[row * given.columns + column] : '-');
            const char wanted = (char)(is_own ? own->at[row * own->columns + column] : '-');
            *things += has != wanted;
            if (has != wanted && bare(has) != wanted)
                return pz_fail(error, PZ_BAD_BOARD, "row %u, column %u: '%c' where the puzzle has '%c'", row,
                               column, has, wanted);
            if (is_own)
                position->at[row * own->columns + column] = has;
        }
    }
    return PZ_OK;
}

enum pz_status sokoban_place(const struct pz_space *space, const char *text, void *state,
                             struct pz_error *error)
{
    const struct sokoban *sokoban = sokoban_of(space);
    struct sokoban_level position;
    unsigned players = 0;
    unsigned boxes = 0;
    unsigned things = 0;
    if (text == NULL) {
        memcpy(state, sokoban->start, space->state_bytes);
        *(uint8_t *)state = sokoban->player;
        return PZ_OK;
    }
    enum pz_status status = read_given(sokoban, text, &position, &things, error);
    if (status != PZ_OK)
        return status;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        players += has_player(position.at[sokoban->place[i]]);
        boxes += has_box(position.at[sokoban->place[i]]);
    }
    if (players != 1 || boxes != sokoban->boxes || things != players + boxes)
        return pz_fail(
            error, PZ_BAD_BOARD,
            "%u players, %u boxes are inside the walls and %u things outside; the puzzle has 1, %u and 0",
            players, boxes, things - players - boxes, sokoban->boxes);
    pack_level(sokoban, &position, state);
    return PZ_OK;
}

enum pz_status sokoban_parse(const struct pz_space *space, const char *text, void *state,
                             struct pz_error *error)
{
    const enum pz_status status = sokoban_place(space, text, state, error);
    if (status == PZ_OK)
        sokoban_normalise(sokoban_of(space), state);
    return status;
}

/* ---- printing ---- */

static void sokoban_paint(const struct sokoban *sokoban, const uint8_t *state, struct sokoban_level *level)
{
    *level = sokoban->level;
    char *player = &level->at[sokoban->place[state[0]]];
    *player = "@+"[*player == '.'];
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        char *box = &level->at[sokoban->place[state[i]]];
        *box = "$*"[*box == '.'];
    }
}

/* Prints rows without the floor at their ends, but never an empty row. */
static size_t print_rows(const struct sokoban_level *level, char floor, char between, char out[PZ_TEXT_MAX])
{
    size_t length = 0;
    for (unsigned row = 0; row < level->rows; row++) {
        const char *cells = level->at + (size_t)row * level->columns;
        unsigned columns = level->columns;
        while (columns > 1 && cells[columns - 1] == '-')
            columns--;
        if (row > 0)
            out[length++] = between;
        for (unsigned column = 0; column < columns; column++)
            out[length++] = (char)(cells[column] == '-' ? floor : cells[column]);
    }
    out[length] = '\0';
    return length;
}

size_t sokoban_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    struct sokoban_level level;
    sokoban_paint(sokoban_of(space), state, &level);
    return print_rows(&level, '-', '/', out);
}

size_t sokoban_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    struct sokoban_level level;
    sokoban_paint(sokoban_of(space), state, &level);
    size_t length = print_rows(&level, ' ', '\n', out);
    out[length++] = '\n';
    out[length] = '\0';
    return length;
}

/* ---- pieces: walls and goals, then what stands on them ---- */

struct piece_taker {
    pz_put_piece *put;
    void *taker;
    unsigned row, column;
};

static void put_at(const struct piece_taker *taker, const char *kind, const char *id)
{
    taker->put(taker->taker, &(struct pz_piece){kind, id, NULL, taker->column, taker->row, 1, 1});
}

static void put_ground(const struct piece_taker *taker, char cell)
{
    char id[32];
    (void)snprintf(id, sizeof id, "%c%u.%u", cell == '#' ? '#' : '.', taker->row, taker->column);
    if (cell == '#')
        put_at(taker, "wall", id);
    if (has_goal(cell))
        put_at(taker, "goal", id);
}

static void put_thing(const struct piece_taker *taker, char cell, unsigned *boxes)
{
    char id[32];
    if (has_player(cell))
        put_at(taker, "player", "player");
    if (!has_box(cell))
        return;
    (void)snprintf(id, sizeof id, "box%u", (*boxes)++);
    put_at(taker, cell == '*' ? "home" : "box", id);
}

struct pz_size sokoban_pieces(const struct pz_space *space, const void *state, const char *path,
                              pz_put_piece *put, void *taker)
{
    struct sokoban_level level;
    unsigned boxes = 0;
    (void)path;
    sokoban_paint(sokoban_of(space), state, &level);
    for (unsigned row = 0; row < level.rows; row++)
        for (unsigned column = 0; column < level.columns; column++)
            put_ground(&(struct piece_taker){put, taker, row, column},
                       level.at[row * level.columns + column]);
    for (unsigned row = 0; row < level.rows; row++)
        for (unsigned column = 0; column < level.columns; column++)
            put_thing(&(struct piece_taker){put, taker, row, column}, level.at[row * level.columns + column],
                      &boxes);
    return (struct pz_size){level.columns, level.rows};
}
