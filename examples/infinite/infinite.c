/* SPDX-License-Identifier: MIT */
/*
 * The sliding puzzle on a board without an end, as a plugin of puzzled: an example of states that grow. OEIS
 * has the numbers of two.
 *
 *   EXPLORE infinite:corner depth=17    the blank begins in the corner of a quarter of the plane: A090377
 *   EXPLORE infinite:edge depth=15      … at the edge of a half of the plane: A090378
 *   EXPLORE infinite:plane depth=14     … in the plane
 *
 * A place is x to the right and y down from where the blank begins. A tile is called by its home, the place
 * where it stands at first. A board's text is the blank's place, and each tile that is not at home, with its
 * home, row by row: after R and D it is 1,1/0,0=1,0/1,0=1,1.
 *
 * A state has 32 bytes: 256 bits, and these in them, from the lowest of the first word on:
 *
 *   6 and 6   the upper left corner of the box: the smallest with the blank and all tiles away from home
 *   5 and 5   how wide and how high it is, less one
 *   5 and 5   the blank's place in it
 *
 * then a row of the box after the other: a bit for each place, set where a tile is that is not at home; then
 * for each of these the steps to its home, to the sides first: two bits a step, and one, set if another step
 * follows.
 *
 * After n moves width and height add up to n + 2 at most, and the steps to n: 32 + (n + 2)² / 4 + 3n bits. So
 * all states fit up to 22 moves. A state that does not fit is left out; deeper levels would lack some.
 */
#include <puzzled/space.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 4,
    FAR = 23,      /* the blank's home is so far from where the places are counted from, but for a border */
    PLACES = 47,   /* x and y counted so are less */
    BOX_MOST = 30, /* with a margin of one on each side: 32 */
    LINES = BOX_MOST + 2,
    DIRECTIONS = 4
};

struct infinite {
    struct pz_space base; /* first: an infinite is a pz_space */
    unsigned home_x, home_y;
};

/* Steps right, down, left, up; a direction and its opposite differ in bit 1. */
static const int step_x[DIRECTIONS] = {1, 0, -1, 0};
static const int step_y[DIRECTIONS] = {0, 1, 0, -1};
static const char *const words[DIRECTIONS] = {"R", "D", "L", "U"};

/* The way to a tile's home. */
struct way {
    int8_t x, y;
};

/* A board. Place (x, y) of the box, with a margin of one around it, is bit x of line y. */
struct board {
    unsigned x, y; /* of line 0, bit 0, plus one: the box's corner if the margin is left off */
    unsigned blank_x, blank_y;
    uint32_t away[LINES]; /* where tiles are that are not at home; the blank is no tile */
    struct way home[LINES][LINES];
};

/* ---- bits ---- */

struct bits {
    uint64_t word[WORDS];
    unsigned at;
};

/* Beyond the last word nothing is written, but counted. */
static void put_bits(struct bits *bits, uint32_t value, unsigned count)
{
    const unsigned word = bits->at / 64, shift = bits->at % 64;
    bits->at += count;
    if (bits->at > 64 * WORDS)
        return;
    bits->word[word] |= (uint64_t)value << shift;
    if (shift + count > 64)
        bits->word[word + 1] |= (uint64_t)value >> (64 - shift);
}

/* Beyond the last word all bits are 0. */
static uint32_t take_bits(struct bits *bits, unsigned count)
{
    const unsigned word = bits->at / 64, shift = bits->at % 64;
    bits->at += count;
    if (bits->at > 64 * WORDS)
        return 0;
    uint64_t value = bits->word[word] >> shift;
    if (shift + count > 64)
        value |= bits->word[word + 1] << (64 - shift);
    return (uint32_t)(value & ((UINT64_C(1) << count) - 1));
}

static void put_way(struct bits *bits, struct way way)
{
    const unsigned steps = (unsigned)(abs(way.x) + abs(way.y));
    for (unsigned i = 0; i < steps; i++) {
        const bool sideways = i < (unsigned)abs(way.x);
        const uint32_t direction = sideways ? (way.x > 0 ? 0 : 2) : (way.y > 0 ? 1 : 3);
        put_bits(bits, direction | (i + 1 < steps ? 4u : 0u), 3);
    }
}

static struct way take_way(struct bits *bits)
{
    int x = 0, y = 0;
    uint32_t code = 4;
    while ((code & 4) != 0) {
        code = take_bits(bits, 3);
        x += step_x[code & 3];
        y += step_y[code & 3];
    }
    return (struct way){(int8_t)x, (int8_t)y};
}

/* ---- states ---- */

static void read_board(const void *state, struct board *board)
{
    struct bits bits = {.at = 0};
    memcpy(bits.word, state, sizeof bits.word);
    board->x = take_bits(&bits, 6);
    board->y = take_bits(&bits, 6);
    unsigned wide = take_bits(&bits, 5) + 1, high = take_bits(&bits, 5) + 1;
    wide = wide < BOX_MOST ? wide : BOX_MOST; /* more is in no state: infinite_valid */
    high = high < BOX_MOST ? high : BOX_MOST;
    board->blank_x = take_bits(&bits, 5) + 1;
    board->blank_y = take_bits(&bits, 5) + 1;
    memset(board->away, 0, sizeof board->away);
    for (unsigned y = 1; y <= high; y++)
        board->away[y] = take_bits(&bits, wide) << 1;
    for (unsigned y = 1; y <= high; y++)
        for (uint32_t left = board->away[y]; left != 0; left &= left - 1)
            board->home[y][__builtin_ctz(left)] = take_way(&bits);
}

/* Writes a board as a state. Returns false if it does not fit. */
static bool write_board(const struct board *board, void *state)
{
    uint32_t columns = UINT32_C(1) << board->blank_x;
    unsigned top = board->blank_y, bottom = board->blank_y;
    for (unsigned y = 0; y < LINES; y++)
        if (board->away[y] != 0) {
            columns |= board->away[y];
            top = y < top ? y : top;
            bottom = y > bottom ? y : bottom;
        }
    const unsigned left = (unsigned)__builtin_ctz(columns);
    const unsigned wide = 32 - (unsigned)__builtin_clz(columns) - left;
    if (wide > BOX_MOST || bottom - top + 1 > BOX_MOST)
        return false;
    struct bits bits = {.at = 0};
    put_bits(&bits, board->x + left - 1, 6);
    put_bits(&bits, board->y + top - 1, 6);
    put_bits(&bits, wide - 1, 5);
    put_bits(&bits, bottom - top, 5);
    put_bits(&bits, board->blank_x - left, 5);
    put_bits(&bits, board->blank_y - top, 5);
    for (unsigned y = top; y <= bottom; y++)
        put_bits(&bits, board->away[y] >> left, wide);
    for (unsigned y = top; y <= bottom; y++)
        for (uint32_t rest = board->away[y]; rest != 0; rest &= rest - 1)
            put_way(&bits, board->home[y][__builtin_ctz(rest)]);
    memcpy(state, bits.word, sizeof bits.word);
    return bits.at <= 64 * WORDS;
}

/* Slides the tile that is in a direction of the blank, which goes there. */
static void slide(struct board *board, unsigned direction)
{
    const unsigned x = board->blank_x, y = board->blank_y;
    const unsigned from_x = (unsigned)((int)x + step_x[direction]);
    const unsigned from_y = (unsigned)((int)y + step_y[direction]);
    const bool was_away = (board->away[from_y] >> from_x & 1) != 0;
    struct way way = was_away ? board->home[from_y][from_x] : (struct way){0, 0};
    way.x = (int8_t)(way.x + step_x[direction]);
    way.y = (int8_t)(way.y + step_y[direction]);
    board->away[from_y] &= ~(UINT32_C(1) << from_x);
    if (way.x != 0 || way.y != 0)
        board->away[y] |= UINT32_C(1) << x;
    board->home[y][x] = way;
    board->blank_x = from_x;
    board->blank_y = from_y;
}

static bool can_slide(const struct board *board, unsigned direction)
{
    const int x = (int)(board->x + board->blank_x) - 1 + step_x[direction];
    const int y = (int)(board->y + board->blank_y) - 1 + step_y[direction];
    return x >= 0 && x < PLACES && y >= 0 && y < PLACES;
}

static const struct infinite *infinite_of(const struct pz_space *space)
{
    return (const struct infinite *)space;
}

/* ---- the search's view ---- */

/* A token is the direction in which the blank went. */
static unsigned infinite_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                                void *successors, uint8_t *tokens)
{
    struct board board;
    uint64_t *out = successors;
    unsigned count = 0;
    (void)space;
    read_board(state, &board);
    for (unsigned direction = 0; direction < DIRECTIONS; direction++) {
        if (direction == (came_by ^ 2u) || !can_slide(&board, direction))
            continue;
        slide(&board, direction);
        if (write_board(&board, out + (size_t)WORDS * count))
            tokens[count++] = (uint8_t)direction;
        slide(&board, direction ^ 2);
    }
    return count;
}

/* Makes the board whose tiles are all at home. */
static void solved_board(const struct pz_space *space, struct board *board)
{
    *board = (struct board){
        .x = infinite_of(space)->home_x, .y = infinite_of(space)->home_y, .blank_x = 1, .blank_y = 1};
}

static void infinite_goal(const struct pz_space *space, void *state)
{
    struct board board;
    solved_board(space, &board);
    (void)write_board(&board, state);
}

static enum pz_status infinite_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    infinite_goal(space, state);
    return PZ_OK;
}

static bool infinite_is_goal(const struct pz_space *space, const void *state)
{
    uint64_t goal[WORDS];
    infinite_goal(space, goal);
    return memcmp(goal, state, sizeof goal) == 0;
}

/* ---- texts ---- */

/* Returns how far a place of the board is from the blank's home. */
static int from_home_x(const struct pz_space *space, const struct board *board, unsigned x)
{
    return (int)(board->x + x) - 1 - (int)infinite_of(space)->home_x;
}

static int from_home_y(const struct pz_space *space, const struct board *board, unsigned y)
{
    return (int)(board->y + y) - 1 - (int)infinite_of(space)->home_y;
}

static size_t infinite_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    struct board board;
    read_board(state, &board);
    size_t length = (size_t)snprintf(out, PZ_TEXT_MAX, "%d,%d", from_home_x(space, &board, board.blank_x),
                                     from_home_y(space, &board, board.blank_y));
    for (unsigned y = 0; y < LINES; y++)
        for (uint32_t left = board.away[y]; left != 0 && length < PZ_TEXT_MAX - 64; left &= left - 1) {
            const unsigned x = (unsigned)__builtin_ctz(left);
            const int at_x = from_home_x(space, &board, x), at_y = from_home_y(space, &board, y);
            length += (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "/%d,%d=%d,%d", at_x, at_y,
                                       at_x + board.home[y][x].x, at_y + board.home[y][x].y);
        }
    return length;
}

/* Reads "x,y" and goes on behind it. Returns false if it is none. */
static bool read_pair(const char **text, int *x, int *y)
{
    char *end;
    const long right = strtol(*text, &end, 10);
    if (end == *text || *end != ',')
        return false;
    *text = end + 1;
    const long down = strtol(*text, &end, 10);
    if (end == *text || right < -PLACES || right > PLACES || down < -PLACES || down > PLACES)
        return false;
    *text = end;
    *x = (int)right;
    *y = (int)down;
    return true;
}

/* Reads "x,y", from the blank's home, as a place counted from the board's lines. Returns false if it is none,
 * is beyond the border, or in no box with the others. */
static bool read_place(const struct pz_space *space, const struct board *board, const char **text,
                       unsigned *x, unsigned *y)
{
    int right, down;
    if (!read_pair(text, &right, &down))
        return false;
    right += (int)infinite_of(space)->home_x;
    down += (int)infinite_of(space)->home_y;
    if (right < 0 || right >= PLACES || down < 0 || down >= PLACES)
        return false;
    *x = (unsigned)(right + 1) - board->x;
    *y = (unsigned)(down + 1) - board->y;
    return *x >= 1 && *x <= BOX_MOST && *y >= 1 && *y <= BOX_MOST;
}

/* Lets the board's lines begin with the leftmost and uppermost place of a text. */
static void begin_lines(const struct pz_space *space, const char *text, struct board *board)
{
    int left = PLACES, top = PLACES;
    do {
        int x, y;
        text += *text == '/';
        if (read_pair(&text, &x, &y)) {
            left = x < left ? x : left;
            top = y < top ? y : top;
        }
        text += strcspn(text, "/");
    } while (*text == '/');
    left += (int)infinite_of(space)->home_x;
    top += (int)infinite_of(space)->home_y;
    board->x = left > 0 ? (unsigned)left : 0;
    board->y = top > 0 ? (unsigned)top : 0;
}

/* Reads the tiles that are not at home, which a text names after the blank's place. Returns false if it is
 * broken or names a place twice. */
static bool read_tiles(const struct pz_space *space, const char *text, struct board *board)
{
    unsigned x, y, home_x, home_y;
    for (; *text == '/'; board->away[y] |= UINT32_C(1) << x) {
        text++;
        if (!read_place(space, board, &text, &x, &y) || *text++ != '=' ||
            !read_place(space, board, &text, &home_x, &home_y) || (board->away[y] >> x & 1) != 0)
            return false;
        board->home[y][x] = (struct way){(int8_t)((int)home_x - (int)x), (int8_t)((int)home_y - (int)y)};
    }
    return *text == '\0';
}

/* Returns true if the tiles that are not at home, and the blank, have exchanged their places: each place of
 * one is the home of one. */
static bool is_exchange(const struct pz_space *space, const struct board *board)
{
    uint32_t places[LINES], homes[LINES] = {0};
    const unsigned home_x = infinite_of(space)->home_x + 1 - board->x;
    const unsigned home_y = infinite_of(space)->home_y + 1 - board->y;
    if (board->blank_x > BOX_MOST || board->blank_y > BOX_MOST || home_x > BOX_MOST + 1 ||
        home_y > BOX_MOST + 1 || (board->away[board->blank_y] >> board->blank_x & 1) != 0)
        return false;
    memcpy(places, board->away, sizeof places);
    places[board->blank_y] |= UINT32_C(1) << board->blank_x;
    homes[home_y] |= UINT32_C(1) << home_x;
    for (unsigned y = 1; y <= BOX_MOST; y++)
        for (uint32_t left = board->away[y]; left != 0; left &= left - 1) {
            const unsigned x = (unsigned)__builtin_ctz(left);
            const struct way way = board->home[y][x];
            const unsigned to_x = (unsigned)((int)x + way.x), to_y = (unsigned)((int)y + way.y);
            if (to_x >= LINES || to_y >= LINES || (way.x == 0 && way.y == 0) ||
                (homes[to_y] >> to_x & 1) != 0)
                return false;
            homes[to_y] |= UINT32_C(1) << to_x;
        }
    return memcmp(homes, places, sizeof homes) == 0;
}

static bool infinite_valid(const struct pz_space *space, const void *state)
{
    struct board board;
    uint64_t again[WORDS];
    read_board(state, &board);
    return board.x < PLACES && board.y < PLACES && is_exchange(space, &board) && write_board(&board, again) &&
           memcmp(again, state, sizeof again) == 0;
}

static enum pz_status infinite_parse(const struct pz_space *space, const char *text, void *state,
                                     struct pz_error *error)
{
    static const char *const form = "the blank's place, and tiles with their homes: 1,1/0,0=1,0/1,0=1,1";
    struct board board = {.x = 0, .y = 0};
    const char *rest = text;
    begin_lines(space, text, &board);
    if (!read_place(space, &board, &rest, &board.blank_x, &board.blank_y) || !read_tiles(space, rest, &board))
        return pz_fail(error, PZ_BAD_BOARD,
                       "'%.40s': a place is wrong, named twice or too far away; it is %s", text, form);
    if (!is_exchange(space, &board))
        return pz_fail(error, PZ_BAD_BOARD,
                       "'%.40s': the blank and the tiles have not exchanged their places", text);
    if (!write_board(&board, state))
        return pz_fail(error, PZ_BAD_BOARD, "'%.40s': too many tiles are away from home for a state", text);
    return PZ_OK;
}

static size_t infinite_describe(const struct pz_space *space, const void *from, const void *to,
                                char out[PZ_TEXT_MAX])
{
    struct board first, last;
    (void)space;
    read_board(from, &first);
    read_board(to, &last);
    const int x = (int)(last.x + last.blank_x) - (int)(first.x + first.blank_x);
    const int y = (int)(last.y + last.blank_y) - (int)(first.y + first.blank_y);
    for (unsigned direction = 0; direction < DIRECTIONS; direction++)
        if (step_x[direction] == x && step_y[direction] == y)
            return (size_t)snprintf(out, PZ_TEXT_MAX, "%s", words[direction]);
    out[0] = '\0';
    return 0;
}

/* ---- making one ---- */

static const char *const infinite_keys[] = {NULL};
static const struct pz_puzzle infinite_puzzle;

static enum pz_status infinite_open(const struct pz_setup *setup, struct pz_space **out,
                                    struct pz_error *error)
{
    static const struct {
        const char *name;
        unsigned x, y;
    } kinds[] = {{"corner", 0, 0}, {"edge", FAR, 0}, {"plane", FAR, FAR}};
    const char *size = *setup->size != '\0' ? setup->size : "corner";
    size_t kind = 0;
    while (kind < 3 && strcmp(size, kinds[kind].name) != 0)
        kind++;
    if (kind == 3)
        return pz_fail(error, PZ_BAD_REQUEST, "infinite:%.40s: it is corner, edge or plane", size);
    if (setup->goal != NULL && strcmp(setup->goal, "0,0") != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "goal=: infinite has one goal, 0,0");
    struct infinite *infinite = calloc(1, sizeof *infinite);
    if (infinite == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a board");
    infinite->home_x = kinds[kind].x;
    infinite->home_y = kinds[kind].y;
    infinite->base.puzzle = &infinite_puzzle;
    infinite->base.state_bytes = WORDS * sizeof(uint64_t);
    infinite->base.max_successors = DIRECTIONS;
    infinite->base.flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | PZ_BIPARTITE;
    (void)snprintf(infinite->base.size, sizeof infinite->base.size, "%s", kinds[kind].name);
    *out = &infinite->base;
    return PZ_OK;
}

static void infinite_close(struct pz_space *space)
{
    free(space);
}

static const struct pz_puzzle infinite_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "infinite",
    .summary = "sliding tiles on a board without an end",
    .example = "infinite:corner",
    .keys = infinite_keys,
    .open = infinite_open,
    .close = infinite_close,
    .parse = infinite_parse,
    .print = infinite_print,
    .describe = infinite_describe,
    .root = infinite_root,
    .goal = infinite_goal,
    .is_goal = infinite_is_goal,
    .valid = infinite_valid,
    .expand = infinite_expand,
};

/* puzzled calls this once, after it has loaded the file. */
const struct pz_puzzle *pz_plugin(void);

__attribute__((visibility("default"))) const struct pz_puzzle *pz_plugin(void)
{
    return &infinite_puzzle;
}
