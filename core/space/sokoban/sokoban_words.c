/* SPDX-License-Identifier: MIT */
/* The words of moves, and solutions as the community writes them: a letter a step, small for a walk and
 * capital for a push; groups of run lengths. */
#include "space/sokoban/sokoban.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static unsigned direction_between(const struct sokoban *sokoban, unsigned from, unsigned to)
{
    unsigned d = 0;
    while (d < 3 && sokoban->neighbour[from][d] != to)
        d++;
    return d;
}

bool sokoban_find_push(const struct sokoban *sokoban, const uint8_t *from, const uint8_t *to, unsigned *left,
                       unsigned *entered)
{
    bool before[SOKOBAN_SQUARES_MAX + 1] = {false};
    bool moved = false;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        before[from[i]] = true;
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        if (!before[to[i]]) {
            *entered = to[i];
            moved = true;
        }
        before[to[i]] = false;
    }
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        if (before[from[i]])
            *left = from[i];
    return moved;
}

/* Writes a move as u, d, l or r, a capital if it pushes; a push as "2.3:R": the box in row 2, column 3. */
size_t sokoban_describe(const struct pz_space *space, const void *from, const void *to, char out[PZ_TEXT_MAX])
{
    const struct sokoban *sokoban = sokoban_of(space);
    const uint8_t *before = from;
    const uint8_t *after = to;
    unsigned left = 0;
    unsigned entered = 0;
    bool pushed = sokoban_find_push(sokoban, before, after, &left, &entered);
    if (!sokoban->pushes) {
        unsigned d = direction_between(sokoban, before[0], after[0]);
        out[0] = (pushed ? "UDLR" : "udlr")[d];
        out[1] = '\0';
        return 1;
    }
    unsigned cell = sokoban->place[left];
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%u.%u:%c", cell / sokoban->level.columns,
                            cell % sokoban->level.columns, "UDLR"[direction_between(sokoban, left, entered)]);
}

/* ---- letters ---- */

static const char directions[] = "UDLR"; /* as neighbours are */

struct lurd {
    const struct sokoban *sokoban;
    bool box[SOKOBAN_SQUARES_MAX];
    unsigned player;
    char *text;
    size_t length, room;
};

static bool lurd_add(struct lurd *lurd, char letter)
{
    if (lurd->length + 1 >= lurd->room) {
        char *grown = realloc(lurd->text, lurd->room = 2 * lurd->room + 256);
        if (grown == NULL)
            return false;
        lurd->text = grown;
    }
    lurd->text[lurd->length++] = letter;
    lurd->text[lurd->length] = '\0';
    return true;
}

/* Puts player and boxes where a text has them. Returns false if it is no position. */
static bool lurd_begin(struct lurd *lurd, const struct pz_space *space, const char *text)
{
    uint8_t state[PZ_STATE_MAX];
    struct pz_error error;
    *lurd = (struct lurd){.sokoban = sokoban_of(space)};
    if (sokoban_place(space, text, state, &error) != PZ_OK)
        return false;
    lurd->player = state[0];
    for (unsigned i = 1; i <= lurd->sokoban->boxes; i++)
        lurd->box[state[i]] = true;
    return true;
}

/* Walks a shortest way to a square. Returns false if boxes are in it, or without memory. */
static bool lurd_walk(struct lurd *lurd, unsigned to)
{
    const struct sokoban *sokoban = lurd->sokoban;
    uint8_t queue[SOKOBAN_SQUARES_MAX], way[SOKOBAN_SQUARES_MAX]; /* the direction to go from a square */
    unsigned tail = 0;
    memset(way, SOKOBAN_SIDES, sizeof way);
    queue[tail++] = (uint8_t)to;
    way[to] = 0;
    for (unsigned head = 0; head < tail && way[lurd->player] == SOKOBAN_SIDES; head++)
        for (unsigned d = 0; d < SOKOBAN_SIDES; d++) {
            const uint8_t next = sokoban->neighbour[queue[head]][d];
            if (next == SOKOBAN_NO_SQUARE || lurd->box[next] || way[next] != SOKOBAN_SIDES)
                continue;
            way[next] = (uint8_t)(d ^ 1u);
            queue[tail++] = next;
        }
    bool good = !lurd->box[to] && way[lurd->player] != SOKOBAN_SIDES;
    while (good && lurd->player != to) {
        const uint8_t d = way[lurd->player];
        good = lurd_add(lurd, "udlr"[d]);
        lurd->player = sokoban->neighbour[lurd->player][d];
    }
    return good;
}

/* Makes the push of a word, "2.3:R". Returns what follows it; NULL if it is none here, or without memory. */
static const char *lurd_push(struct lurd *lurd, const char *word)
{
    const struct sokoban *sokoban = lurd->sokoban;
    char *end = NULL;
    const unsigned long row = strtoul(word, &end, 10), column = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
    const char *letter = *end == ':' && end[1] != '\0' ? strchr(directions, end[1]) : NULL;
    unsigned from = 0;
    while (from < sokoban->squares && sokoban->place[from] != row * sokoban->level.columns + column)
        from++;
    if (letter == NULL || from == sokoban->squares || !lurd->box[from])
        return NULL;
    const unsigned d = (unsigned)(letter - directions);
    const uint8_t behind = sokoban->neighbour[from][d ^ 1u], to = sokoban->neighbour[from][d];
    if (behind == SOKOBAN_NO_SQUARE || to == SOKOBAN_NO_SQUARE || lurd->box[to] || !lurd_walk(lurd, behind) ||
        !lurd_add(lurd, *letter))
        return NULL;
    lurd->player = from;
    lurd->box[from] = false;
    lurd->box[to] = true;
    return end + 2 + (end[2] == ',');
}

char *sokoban_lurd(const struct pz_space *space, const char *text, const char *path)
{
    struct lurd lurd;
    if (!sokoban_of(space)->pushes)
        return strdup(path);
    if (!lurd_begin(&lurd, space, text) || (*path == '\0' && (lurd.text = strdup("")) == NULL))
        return NULL;
    while (path != NULL && *path != '\0')
        path = lurd_push(&lurd, path);
    if (path == NULL) {
        free(lurd.text);
        lurd.text = NULL;
    }
    return lurd.text;
}

/* Goes a step, and adds its letter, or by pushes the word of the push that it makes. Returns false if it
 * cannot be made, or without memory. */
static bool lurd_step(struct lurd *lurd, unsigned d)
{
    const struct sokoban *sokoban = lurd->sokoban;
    const uint8_t next = sokoban->neighbour[lurd->player][d];
    if (next == SOKOBAN_NO_SQUARE)
        return false;
    lurd->player = next;
    if (!lurd->box[next])
        return sokoban->pushes || lurd_add(lurd, "udlr"[d]);
    const uint8_t to = sokoban->neighbour[next][d];
    const unsigned cell = sokoban->place[next], columns = sokoban->level.columns;
    char word[32];
    if (to == SOKOBAN_NO_SQUARE || lurd->box[to])
        return false;
    lurd->box[next] = false;
    lurd->box[to] = true;
    if (!sokoban->pushes)
        return lurd_add(lurd, directions[d]);
    (void)snprintf(word, sizeof word, "%s%u.%u:%c", lurd->length > 0 ? "," : "", cell / columns,
                   cell % columns, directions[d]);
    bool good = true;
    for (const char *c = word; good && *c != '\0'; c++)
        good = lurd_add(lurd, *c);
    return good;
}

enum pz_status sokoban_read_lurd(const struct pz_space *space, const char *text, const char *letters,
                                 char **path, struct pz_error *error)
{
    struct lurd lurd;
    *path = NULL;
    if (*letters == '\0' || letters[strspn(letters, "udlrUDLR")] != '\0' || !lurd_begin(&lurd, space, text))
        return PZ_OK;
    for (size_t i = 0; letters[i] != '\0'; i++) {
        const char *letter = strchr(directions, toupper((unsigned char)letters[i]));
        if (lurd_step(&lurd, (unsigned)(letter - directions)))
            continue;
        free(lurd.text);
        return pz_fail(error, PZ_BAD_REQUEST, "path=: step %zu, '%c', cannot be made", i + 1, letters[i]);
    }
    *path = lurd.text != NULL ? lurd.text : strdup("");
    return *path != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a path");
}

bool sokoban_player(const struct pz_space *space, const char *text, unsigned *row, unsigned *column)
{
    const struct sokoban *sokoban = sokoban_of(space);
    uint8_t state[PZ_STATE_MAX];
    struct pz_error error;
    if (!sokoban->pushes || sokoban_place(space, text, state, &error) != PZ_OK)
        return false;
    *row = sokoban->place[state[0]] / sokoban->level.columns;
    *column = sokoban->place[state[0]] % sokoban->level.columns;
    return true;
}

/* ---- run lengths ---- */

enum pz_status sokoban_write_groups(const char *text, char out[PZ_TEXT_MAX], struct pz_error *error)
{
    enum { DEEP = 8 };
    struct {
        size_t from;
        unsigned long times;
    } group[DEEP];
    size_t length = 0, depth = 0;
    while (*text != '\0') {
        char *end = NULL;
        const unsigned long times = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 1;
        const char *sign = end != NULL ? end : text;
        if (*sign == '(' && depth < DEEP) {
            group[depth].from = length;
            group[depth++].times = times;
        } else if (*sign == '(' || (*sign == ')' && (end != NULL || depth == 0))) {
            return pz_fail(error, PZ_BAD_BOARD, "the brackets of the level do not match");
        } else if (*sign == ')') {
            const size_t bytes = length - group[--depth].from;
            unsigned long left = group[depth].times;
            for (; left > 1 && bytes > 0 && length + bytes < PZ_TEXT_MAX; left--, length += bytes)
                memcpy(out + length, out + length - bytes, bytes);
            length = left > 1 && bytes > 0 ? PZ_TEXT_MAX : length;
        } else {
            const size_t bytes = (size_t)(sign - text) + (*sign != '\0');
            if (length + bytes < PZ_TEXT_MAX)
                memcpy(out + length, text, bytes);
            length += bytes;
        }
        text = *sign != '\0' ? sign + 1 : sign;
        if (length >= PZ_TEXT_MAX)
            return pz_fail(error, PZ_TOO_LARGE, "the level has more than %d signs", PZ_TEXT_MAX - 1);
    }
    out[length] = '\0';
    return depth == 0 ? PZ_OK : pz_fail(error, PZ_BAD_BOARD, "the brackets of the level do not match");
}
