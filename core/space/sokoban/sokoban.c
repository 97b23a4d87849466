/* SPDX-License-Identifier: MIT */
/*
 * Sokoban's rules. Two kinds of pushes are never made, as no solution has them: onto a square from which a
 * box can never get to a goal, and those after which a box off the goals can never be pushed again.
 *
 * Only the move metric has tokens: the direction of a step, whose way back is left out. Pushes are not
 * reversible.
 */
#include "space/sokoban/sokoban.h"

#include "space/making.h"
#include "space/options.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- the search's view ---- */

static unsigned box_at(const struct sokoban *sokoban, const uint8_t *state, unsigned square)
{
    unsigned i = 1;
    while (i <= sokoban->boxes && state[i] != square)
        i++;
    return i;
}

static unsigned sokoban_expand_moves(const struct sokoban *sokoban, const uint8_t *state, uint8_t came_by,
                                     uint8_t *out, uint8_t *tokens)
{
    unsigned count = 0;
    for (unsigned d = 0; d < 4; d++) {
        unsigned next = sokoban->neighbour[state[0]][d];
        if (next == SOKOBAN_NO_SQUARE || (came_by < 4 && d == (came_by ^ 1u)))
            continue;
        unsigned box = box_at(sokoban, state, next);
        bool pushes = box <= sokoban->boxes;
        unsigned to = pushes ? sokoban->neighbour[next][d] : SOKOBAN_NO_SQUARE;
        if (pushes && (to == SOKOBAN_NO_SQUARE || sokoban->distance[to] == SOKOBAN_DEAD ||
                       box_at(sokoban, state, to) <= sokoban->boxes))
            continue;
        memcpy(out, state, sokoban->base.state_bytes);
        out[0] = (uint8_t)next;
        if (pushes) {
            sokoban_put_box(out, sokoban->boxes, box, to);
            if (sokoban_freezes(sokoban, out))
                continue;
        }
        out += sokoban->base.state_bytes;
        tokens[count++] = pushes ? (uint8_t)PZ_NO_TOKEN : (uint8_t)d;
    }
    return count;
}

static unsigned expand_many(const struct pz_space *space, const void *states, const uint8_t *came_by,
                            unsigned count, void *successors, uint8_t *tokens)
{
    (void)came_by;
    const unsigned found =
        sokoban_expand_pushes(sokoban_of(space), states, count, SOKOBAN_ALL_BOXES, successors);
    memset(tokens, PZ_NO_TOKEN, found);
    return found;
}

static unsigned sokoban_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                               void *successors, uint8_t *tokens)
{
    const struct sokoban *sokoban = sokoban_of(space);
    return sokoban->pushes ? expand_many(space, state, &came_by, 1, successors, tokens)
                           : sokoban_expand_moves(sokoban, state, came_by, successors, tokens);
}

static unsigned expand_needed(const struct pz_space *space, const void *state, uint8_t came_by,
                              void *successors, uint8_t *tokens)
{
    const struct sokoban *sokoban = sokoban_of(space);
    (void)came_by;
    const unsigned count =
        sokoban_expand_pushes(sokoban, state, 1, sokoban_needed_boxes(sokoban, state), successors);
    memset(tokens, PZ_NO_TOKEN, count);
    return count;
}

static bool sokoban_is_goal(const struct pz_space *space, const void *state)
{
    const struct sokoban *sokoban = sokoban_of(space);
    const uint8_t *bytes = state;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        if (!sokoban->goal[bytes[i]])
            return false;
    return true;
}

static enum pz_status sokoban_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    memcpy(state, sokoban_of(space)->start, space->state_bytes);
    return PZ_OK;
}

static enum pz_answer sokoban_solvable(const struct pz_space *space, const void *start)
{
    const struct sokoban *sokoban = sokoban_of(space);
    const bool hopeless =
        sokoban_match(sokoban, start) == SOKOBAN_HOPELESS || sokoban_freezes(sokoban, start);
    return hopeless ? PZ_NO : PZ_UNKNOWN;
}

void sokoban_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX])
{
    const struct sokoban *sokoban = sokoban_of(space);
    const uint8_t *bytes = start;
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        const unsigned cell = sokoban->place[bytes[i]], columns = sokoban->level.columns;
        if (sokoban->distance[bytes[i]] != SOKOBAN_DEAD)
            continue;
        (void)snprintf(out, PZ_TEXT_MAX,
                       "the box in row %u, column %u is dead there: no pushes bring it to a goal",
                       cell / columns, cell % columns);
        return;
    }
    (void)snprintf(out, PZ_TEXT_MAX, "%s",
                   sokoban_freezes(sokoban, start)
                       ? "a box that is on no goal can never be pushed again: walls and other boxes hold it"
                       : "not every box can be given a goal of its own to which pushes can bring it");
}

static unsigned sokoban_heuristic(const struct pz_space *space, const void *state)
{
    return sokoban_bound(sokoban_of(space), NULL, state);
}

/* Returns true if player and boxes are on squares of their own, in the order and the place that a state has
 * them in. */
static bool sokoban_valid(const struct pz_space *space, const void *state)
{
    const struct sokoban *sokoban = sokoban_of(space);
    const uint8_t *bytes = state;
    uint8_t normal[PZ_STATE_MAX];
    if (bytes[0] >= sokoban->squares)
        return false;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        if (bytes[i] >= sokoban->squares || bytes[i] == bytes[0] || (i > 1 && bytes[i] <= bytes[i - 1]))
            return false;
    for (unsigned i = sokoban->boxes + 1; i < space->state_bytes; i++)
        if (bytes[i] != 0)
            return false;
    memcpy(normal, bytes, space->state_bytes);
    sokoban_normalise(sokoban, normal);
    return memcmp(normal, bytes, space->state_bytes) == 0;
}

/* ---- the raster: where the squares are in sets of cells, and the sets that never change ---- */

/* The rows and columns of the level's text that have squares. */
struct raster_frame {
    unsigned top, left, bottom, right;
};

static struct raster_frame find_frame(const struct sokoban *sokoban)
{
    struct raster_frame frame = {SOKOBAN_RASTER_MAX, SOKOBAN_RASTER_MAX, 0, 0};
    for (unsigned i = 0; i < sokoban->squares; i++) {
        unsigned row = sokoban->place[i] / sokoban->level.columns;
        unsigned column = sokoban->place[i] % sokoban->level.columns;
        frame.top = row < frame.top ? row : frame.top;
        frame.bottom = row > frame.bottom ? row : frame.bottom;
        frame.left = column < frame.left ? column : frame.left;
        frame.right = column > frame.right ? column : frame.right;
    }
    return frame;
}

static bool is_alive(const struct sokoban *sokoban, unsigned square)
{
    return square != SOKOBAN_NO_SQUARE && sokoban->distance[square] != SOKOBAN_DEAD;
}

/* Makes the raster, once the distances are known. */
static void make_raster(struct sokoban *sokoban)
{
    struct sokoban_raster *raster = &sokoban->raster;
    struct raster_frame frame = find_frame(sokoban);
    raster->stride = frame.right - frame.left + 2;
    raster->words = ((frame.bottom - frame.top + 1) * raster->stride + 63) / 64;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        unsigned row = sokoban->place[i] / sokoban->level.columns - frame.top;
        unsigned column = sokoban->place[i] % sokoban->level.columns - frame.left;
        unsigned bit = row * raster->stride + column;
        raster->bit[i] = (uint16_t)bit;
        raster->square[bit] = (uint8_t)i;
        raster->floor.word[bit / 64] |= UINT64_C(1) << bit % 64;
        if (is_alive(sokoban, i))
            raster->alive.word[bit / 64] |= UINT64_C(1) << bit % 64;
        if (sokoban->goal[i])
            raster->home.word[bit / 64] |= UINT64_C(1) << bit % 64;
        for (unsigned axis = 0; axis < 2; axis++)
            if (is_alive(sokoban, sokoban->neighbour[i][2 * axis]) ||
                is_alive(sokoban, sokoban->neighbour[i][2 * axis + 1]))
                raster->rail[axis].word[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

/* ---- making one ---- */

static const char *const sokoban_keys[] = {"metric", NULL};
static const struct pz_puzzle sokoban_push_puzzle;

static enum pz_status sokoban_make(struct pz_space *space, const struct pz_setup *setup,
                                   struct pz_error *error)
{
    struct sokoban *sokoban = (struct sokoban *)space;
    struct space_options options;
    char text[PZ_TEXT_MAX];
    bool moves = false;
    sokoban->pairs = calloc(1, sizeof *sokoban->pairs);
    if (sokoban->pairs == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a sokoban");
    enum pz_status status = space_options_read(&options, setup, sokoban_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "metric", "push", "move", &moves, error);
    if (status != PZ_OK)
        return status;
    if (space_option(&options, "goal") != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "sokoban takes no goal=: the goals are part of the level");
    const char *level = *options.head != '\0' ? options.head : setup->start;
    if (level == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "sokoban needs a level: sokoban:#####/#@$.#/#####");
    sokoban->pushes = !moves;
    sokoban->base.flags = PZ_OWN_START;
    sokoban->base.puzzle = moves ? &sokoban_puzzle : &sokoban_push_puzzle;
    status = sokoban_read(sokoban, level, error);
    if (status != PZ_OK)
        return status;
    sokoban_find_distances(sokoban);
    make_raster(sokoban);
    sokoban->player = sokoban->start[0];
    sokoban_normalise(sokoban, sokoban->start);
    sokoban_find_prices(sokoban);
    sokoban->base.max_successors = 4 * sokoban->boxes;
    size_t length = sokoban_print(&sokoban->base, sokoban->start, text);
    if (length + sizeof ",metric:push" > PZ_SIZE_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "the level's text has %zu bytes, at most %zu fit", length,
                       PZ_SIZE_MAX - sizeof ",metric:push");
    memcpy(sokoban->base.size, text, length + 1);
    (void)space_size_add(sokoban->base.size, "metric", moves ? "move" : "push", NULL);
    return PZ_OK;
}

static void sokoban_close(struct pz_space *space)
{
    if (space == NULL)
        return;
    const struct sokoban *sokoban = sokoban_of(space);
    if (sokoban->pairs != NULL)
        sokoban_clusters_free(atomic_load_explicit(sokoban->pairs, memory_order_acquire));
    free(sokoban->pairs);
    free(space);
}

static enum pz_status sokoban_open(const struct pz_setup *setup, struct pz_space **out,
                                   struct pz_error *error)
{
    return space_make(&sokoban_puzzle, sizeof(struct sokoban), sokoban_make, setup, out, error);
}

/* The two metrics differ in the separator: a path of moves is a letter each (uurDD), a path of pushes names
 * the boxes. */
#define SOKOBAN_PUZZLE(text_between, many, needed, leaps, way)                                               \
    {                                                                                                        \
        .abi = PZ_SPACE_ABI, .name = "sokoban", .summary = "Sokoban, up to 63 boxes, by pushes or moves",    \
        .example = "sokoban:#####/#@$.#/#####", .keys = sokoban_keys, .open = sokoban_open,                  \
        .close = sokoban_close, .parse = sokoban_parse, .print = sokoban_print, .draw = sokoban_draw,        \
        .describe = sokoban_describe, .separator = (text_between), .root = sokoban_root,                     \
        .is_goal = sokoban_is_goal, .expand = sokoban_expand, .solvable = sokoban_solvable,                  \
        .heuristic = sokoban_heuristic, .expand_many = (many), .expand_needed = (needed),                    \
        .valid = sokoban_valid, .expand_leaps = (leaps), .between = (way), .pieces = sokoban_pieces,         \
    }

const struct pz_puzzle sokoban_puzzle = SOKOBAN_PUZZLE("", NULL, NULL, sokoban_expand_leaps, sokoban_between);
static const struct pz_puzzle sokoban_push_puzzle =
    SOKOBAN_PUZZLE(",", expand_many, expand_needed, NULL, NULL);
