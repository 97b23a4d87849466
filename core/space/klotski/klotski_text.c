/* SPDX-License-Identifier: MIT */
/* Klotski's printed texts: boards, goals, drawings, the words of moves. */
#include "space/klotski/klotski.h"

#include "space/rows.h"

#include <assert.h>
#include <string.h>

/* ---- printing ---- */

/* Names cars as collections do: A leaves, the others are B, C … in the order of their first cells. */
static void name_cars(const struct klotski *klotski, char cells[KLOTSKI_CELLS_MAX])
{
    const char leaver = klotski->kind[klotski->goal[0].kind].letters[0];
    char name[128] = {['@'] = '@', ['#'] = '#'};
    name[(unsigned char)leaver] = 'A';
    unsigned others = 0;
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        char *known = &name[(unsigned char)cells[cell]];
        if (*known == 0)
            *known = "BCDEFGHIJKLMNOPQRSTUVWXYZ123456789"[others++]; /* 0 may be an empty cell */
        cells[cell] = *known;
    }
}

/* Paints a letter into each cell. A kind's letters go to its blocks in the order of their first cells. */
static void klotski_paint(const struct klotski *klotski, const uint64_t *state, char cells[KLOTSKI_CELLS_MAX])
{
    unsigned used[KLOTSKI_KINDS_MAX] = {0};
    for (unsigned cell = 0; cell < klotski->cells; cell++)
        cells[cell] = (klotski->walls >> cell & 1) != 0 ? '#' : '@';
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        unsigned code = klotski_get(klotski, state, cell);
        if (code == 0)
            continue;
        const struct klotski_kind *kind = &klotski->kind[code - 1];
        char letter = kind->letters[used[code - 1]++];
        for (uint64_t rest = kind->at[cell]; rest != 0; rest &= rest - 1)
            cells[__builtin_ctzll(rest)] = letter;
    }
    if (klotski->lanes)
        name_cars(klotski, cells);
}

size_t klotski_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct klotski *klotski = klotski_of(space);
    char cells[KLOTSKI_CELLS_MAX] = {0};
    klotski_paint(klotski, state, cells);
    return rows_write(cells, klotski->rows, klotski->columns, out);
}

char klotski_goal_letter(const struct klotski *klotski, unsigned number)
{
    assert(number < klotski->goals);
    return (char)(klotski->lanes ? 'A' : klotski->kind[klotski->goal[number].kind].letters[0]);
}

size_t klotski_print_goal(const struct klotski *klotski, char without, char out[PZ_TEXT_MAX])
{
    size_t length = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < klotski->goals; i++) {
        const struct klotski_goal *goal = &klotski->goal[i];
        const char letter = klotski_goal_letter(klotski, i);
        if (letter != without)
            length += (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "%s%c:%u:%u",
                                       length > 0 ? "+" : "", letter, goal->row, goal->column);
    }
    return length;
}

/* Returns the letter in a cell, or a space beyond the edge. */
static char cell_at(const struct klotski *klotski, const char *cells, int row, int column)
{
    bool inside = row >= 0 && column >= 0 && row < klotski->rows && column < klotski->columns;
    return (char)(inside ? cells[row * klotski->columns + column] : ' ');
}

/* Returns the box-drawing sign for the upper left corner of a cell, with arms between cells that differ. */
static const char *corner(const struct klotski *klotski, const char *cells, int row, int column)
{
    static const char *const lines[16] = {" ", "╵", "╷", "│", "╴", "┘", "┐", "┤",
                                          "╶", "└", "┌", "├", "─", "┴", "┬", "┼"};
    char nw = cell_at(klotski, cells, row - 1, column - 1);
    char ne = cell_at(klotski, cells, row - 1, column);
    char sw = cell_at(klotski, cells, row, column - 1);
    char se = cell_at(klotski, cells, row, column);
    return lines[(nw != ne) | (sw != se) << 1 | (nw != sw) << 2 | (ne != se) << 3];
}

static size_t append_text(char out[PZ_TEXT_MAX], size_t length, const char *text)
{
    size_t bytes = strlen(text);
    if (length + bytes >= PZ_TEXT_MAX)
        return length;
    memcpy(out + length, text, bytes + 1);
    return length + bytes;
}

size_t klotski_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct klotski *klotski = klotski_of(space);
    char cells[KLOTSKI_CELLS_MAX] = {0};
    size_t length = 0;
    klotski_paint(klotski, state, cells);
    for (int row = 0; row <= klotski->rows; row++) {
        for (int column = 0; column <= klotski->columns; column++) {
            bool divides = cell_at(klotski, cells, row - 1, column) != cell_at(klotski, cells, row, column);
            length = append_text(out, length, corner(klotski, cells, row, column));
            if (column < klotski->columns)
                length = append_text(out, length, divides ? "───" : "   ");
        }
        length = append_text(out, length, "\n");
        for (int column = 0; column <= klotski->columns && row < klotski->rows; column++) {
            char here = cell_at(klotski, cells, row, column);
            bool divides = cell_at(klotski, cells, row, column - 1) != here;
            char content[] = "   ";
            if (here != '@')
                content[1] = here;
            length = append_text(out, length, divides ? "│" : " ");
            if (column < klotski->columns)
                length = append_text(out, length, here == '#' ? "▒▒▒" : content);
        }
        length = row < klotski->rows ? append_text(out, length, "\n") : length;
    }
    return length;
}

/* ---- pieces ---- */

static void put_cell(const struct klotski *klotski, const char *kind, const char *id, unsigned cell,
                     pz_put_piece *put, void *taker)
{
    const unsigned row = cell / klotski->columns;
    put(taker, &(struct pz_piece){kind, id, NULL, cell % klotski->columns, row, 1, 1});
}

struct extent {
    unsigned left, top, width, height;
    unsigned size; /* cells of the block; 0: there is none of that letter */
};

static struct extent extent_of(const struct klotski *klotski, const char *cells, char letter)
{
    struct extent extent = {.left = klotski->columns};
    unsigned right = 0, bottom = 0;
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        const unsigned column = cell % klotski->columns;
        if (cells[cell] != letter)
            continue;
        bottom = cell / klotski->columns;
        extent.top = extent.size++ == 0 ? bottom : extent.top;
        extent.left = column < extent.left ? column : extent.left;
        right = column > right ? column : right;
    }
    extent.width = right + 1 - extent.left;
    extent.height = bottom + 1 - extent.top;
    return extent;
}

/* Returns which of the five generals a block of two cells is: the first that lies is Guan Yu, the others
 * follow by their letters, which stay with the blocks. */
static unsigned general_of(const struct klotski *klotski, const char *cells, char letter)
{
    unsigned before = 0;
    bool one_lies = false;
    for (int other = '0'; other <= 'z'; other++) {
        const struct extent extent = extent_of(klotski, cells, (char)other);
        const bool domino = extent.size == 2 && other != '@'; /* no two empty cells */
        const bool first_lies = domino && extent.width == 2 && !one_lies;
        one_lies |= first_lies;
        if (first_lies && other == letter)
            return 0;
        before += first_lies || (domino && other < letter);
    }
    return before;
}

/* Returns who a block is: where a chief of 2x2 cells leads, soldiers and generals; in Rush Hour, cars. */
static const char *role_of(const struct klotski *klotski, const char *cells, char letter, unsigned size)
{
    static const char *const generals[] = {"-guanyu", "-zhangfei", "-zhaoyun", "-machao", "-huangzhong"};
    const struct extent chief = extent_of(klotski, cells, 'A');
    if (klotski->lanes)
        return "-car";
    if (chief.size != 4 || chief.width != 2 || chief.height != 2 || size == 3 || (size > 2 && letter != 'A'))
        return "";
    if (size != 2)
        return letter == 'A' ? "-caocao" : "-soldier";
    const unsigned general = general_of(klotski, cells, letter);
    return general < sizeof generals / sizeof *generals ? generals[general] : "";
}

/* Puts a block whole, or, if it is no rectangle, each of its cells. */
static void put_block(const struct klotski *klotski, const char *cells, unsigned first, pz_put_piece *put,
                      void *taker)
{
    static const char *const kinds[] = {"wall", "block1", "block2", "block3", "block4"}; /* by size */
    const char id[2] = {cells[first], '\0'};
    const struct extent extent = extent_of(klotski, cells, *id);
    char kind[32];
    (void)snprintf(kind, sizeof kind, "%s%s", *id == 'A' ? "chief" : kinds[extent.size < 4 ? extent.size : 4],
                   role_of(klotski, cells, *id, extent.size));
    if (extent.width * extent.height == extent.size)
        put(taker, &(struct pz_piece){kind, id, NULL, extent.left, extent.top, extent.width, extent.height});
    else
        for (unsigned cell = first; cell < klotski->cells; cell++)
            if (cells[cell] == *id)
                put_cell(klotski, kind, id, cell, put, taker);
}

/* Puts the opening of the frame at which the block that leaves is to arrive, if there is one such side. */
static void put_gate(const struct klotski *klotski, pz_put_piece *put, void *taker)
{
    const struct klotski_goal *goal = &klotski->goal[0];
    const struct klotski_kind *kind = &klotski->kind[goal->kind];
    const bool lies = kind->width > kind->height;
    const struct {
        bool open;
        unsigned x, y, width, height;
    } sides[] = {{goal->row + kind->height == klotski->rows && !(klotski->lanes && lies), goal->column,
                  klotski->rows, kind->width, 0},
                 {goal->column + kind->width == klotski->columns && (!klotski->lanes || lies),
                  klotski->columns, goal->row, 0, kind->height},
                 {goal->row == 0 && !(klotski->lanes && lies), goal->column, 0, kind->width, 0},
                 {goal->column == 0 && (!klotski->lanes || lies), 0, goal->row, 0, kind->height}};
    for (unsigned i = 0; klotski->goals == 1 && i < sizeof sides / sizeof *sides; i++) {
        if (!sides[i].open)
            continue;
        put(taker, &(struct pz_piece){"gate", "gate", NULL, sides[i].x, sides[i].y, sides[i].width,
                                      sides[i].height});
        return;
    }
}

static void put_exits(const struct klotski *klotski, pz_put_piece *put, void *taker)
{
    put_gate(klotski, put, taker);
    for (unsigned i = 0; i < klotski->goals; i++) {
        const struct klotski_goal *goal = &klotski->goal[i];
        const struct klotski_kind *kind = &klotski->kind[goal->kind];
        char id[16];
        (void)snprintf(id, sizeof id, i == 0 ? "exit" : "exit%u", i + 1);
        put(taker, &(struct pz_piece){"exit", id, NULL, goal->column, goal->row, kind->width, kind->height});
    }
}

struct pz_size klotski_pieces(const struct pz_space *space, const void *state, const char *path,
                              pz_put_piece *put, void *taker)
{
    const struct klotski *klotski = klotski_of(space);
    char cells[KLOTSKI_CELLS_MAX] = {0};
    char id[16];
    (void)path;
    klotski_paint(klotski, state, cells);
    put_exits(klotski, put, taker);
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        (void)snprintf(id, sizeof id, "#%u.%u", cell / klotski->columns, cell % klotski->columns);
        if (cells[cell] == '#')
            put_cell(klotski, "wall", id, cell, put, taker);
    }
    for (unsigned cell = 0; cell < klotski->cells; cell++)
        if (cells[cell] != '#' && cells[cell] != '@' && memchr(cells, cells[cell], cell) == NULL)
            put_block(klotski, cells, cell, put, taker);
    return (struct pz_size){klotski->columns, klotski->rows};
}

/* ---- the words of moves ---- */

/* Writes a shortest path of one block from a cell to another as letters; returns its length. */
static size_t describe_way(const struct klotski_kind *kind, uint64_t others, unsigned from, unsigned to,
                           char *out)
{
    uint8_t queue[KLOTSKI_CELLS_MAX];
    uint8_t came[KLOTSKI_CELLS_MAX] = {0};
    uint8_t before[KLOTSKI_CELLS_MAX] = {0};
    uint64_t reached = UINT64_C(1) << from;
    unsigned tail = 0;
    size_t length = 0;
    queue[tail++] = (uint8_t)from;
    for (unsigned head = 0; head < tail && (reached >> to & 1) == 0; head++) {
        for (unsigned d = 0; d < 4; d++) {
            unsigned next = kind->step[queue[head]][d];
            if (next == KLOTSKI_NO_CELL || (reached >> next & 1) != 0 || (kind->at[next] & others) != 0)
                continue;
            reached |= UINT64_C(1) << next;
            came[next] = (uint8_t)d;
            before[next] = queue[head];
            queue[tail++] = (uint8_t)next;
        }
    }
    for (unsigned cell = to; cell != from && (reached >> to & 1) != 0; cell = before[cell])
        out[length++] = "UDLR"[came[cell]];
    for (size_t i = 0; i < length / 2; i++) {
        char letter = out[i];
        out[i] = out[length - 1 - i];
        out[length - 1 - i] = letter;
    }
    return length;
}

/* Writes "3.1:DL": the block whose first cell is in row 3, column 1 goes down and left. The first cell names
 * a block; the corner of its bounding box may be another block's, too. */
size_t klotski_describe(const struct pz_space *space, const void *from, const void *to, char out[PZ_TEXT_MAX])
{
    const struct klotski *klotski = klotski_of(space);
    unsigned left = 0;
    unsigned entered = 0;
    uint64_t others = klotski->walls;
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        unsigned before = klotski_get(klotski, from, cell);
        unsigned after = klotski_get(klotski, to, cell);
        if (before != after && after == 0)
            left = cell;
        else if (before != after)
            entered = cell;
        else if (before != 0)
            others |= klotski->kind[before - 1].at[cell];
    }
    unsigned code = klotski_get(klotski, from, left);
    if (code == 0) {
        out[0] = '\0';
        return 0;
    }
    const struct klotski_kind *kind = &klotski->kind[code - 1];
    size_t length =
        (size_t)snprintf(out, PZ_TEXT_MAX, "%u.%u:", left / klotski->columns, left % klotski->columns);
    length += describe_way(kind, others, left, entered, out + length);
    out[length] = '\0';
    return length;
}
