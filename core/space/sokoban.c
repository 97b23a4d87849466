/* SPDX-License-Identifier: MIT */
/*
 * Sokoban's rules. A push onto a square from which no push ever leads to a goal is never made: such squares
 * are found once, by pulling a lone box away from every goal.
 *
 * Tokens, in the move metric only: the direction of a walk, whose way back is left out. Pushes cannot be
 * undone.
 */
#include "space/sokoban.h"

#include "space/options.h"

#include <stdlib.h>
#include <string.h>

static const struct sokoban *sokoban_of(const struct pz_space *space)
{
    return (const struct sokoban *)space;
}

/* ---- sets of squares ---- */

static bool holds(const struct sokoban_set *set, unsigned square)
{
    return (set->bits[square / 64] >> square % 64 & 1) != 0;
}

static void include(struct sokoban_set *set, unsigned square)
{
    set->bits[square / 64] |= UINT64_C(1) << square % 64;
}

static struct sokoban_set boxes_of(const struct sokoban *sokoban, const uint8_t *state)
{
    struct sokoban_set set = {{0}};
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        include(&set, state[i]);
    return set;
}

/* The squares that the player walks to from one of them; returns the lowest. Every square that is reached
 * adds all its neighbours at once. */
static unsigned walk(const struct sokoban *sokoban, const struct sokoban_set *boxes, unsigned from,
                     struct sokoban_set *reached)
{
    unsigned words = (sokoban->squares + 63) / 64;
    struct sokoban_set seen = *boxes;
    struct sokoban_set fresh = {{0}};
    include(&fresh, from);
    include(&seen, from);
    for (unsigned word = 0; word < words;) {
        if (fresh.bits[word] == 0) {
            word++;
            continue;
        }
        const struct sokoban_set *near =
            &sokoban->near[word * 64 + (unsigned)__builtin_ctzll(fresh.bits[word])];
        fresh.bits[word] &= fresh.bits[word] - 1;
        for (unsigned i = 0; i < words; i++) {
            uint64_t news = near->bits[i] & ~seen.bits[i];
            seen.bits[i] |= news;
            fresh.bits[i] |= news;
            word = news != 0 && i < word ? i : word;
        }
    }
    unsigned lowest = from;
    for (unsigned i = words; i-- > 0;) {
        reached->bits[i] = seen.bits[i] & ~boxes->bits[i];
        if (reached->bits[i] != 0)
            lowest = i * 64 + (unsigned)__builtin_ctzll(reached->bits[i]);
    }
    return lowest;
}

void sokoban_normalise(const struct sokoban *sokoban, uint8_t *state)
{
    struct sokoban_set reached;
    struct sokoban_set boxes = boxes_of(sokoban, state);
    if (sokoban->pushes)
        state[0] = (uint8_t)walk(sokoban, &boxes, state[0], &reached);
}

/* ---- the search's view ---- */

/* Moves box i of a state to a square and keeps the boxes in order. */
static void put_box(uint8_t *state, unsigned boxes, unsigned i, unsigned square)
{
    for (; i < boxes && state[i + 1] < square; i++)
        state[i] = state[i + 1];
    for (; i > 1 && state[i - 1] > square; i--)
        state[i] = state[i - 1];
    state[i] = (uint8_t)square;
}

/* Where a box would go in a direction, or SOKOBAN_NO_SQUARE when it must not. */
static unsigned push_target(const struct sokoban *sokoban, const struct sokoban_set *boxes, unsigned box,
                            unsigned direction)
{
    unsigned to = sokoban->neighbour[box][direction];
    bool bad = to == SOKOBAN_NO_SQUARE || sokoban->distance[to] == SOKOBAN_DEAD || holds(boxes, to);
    return bad ? SOKOBAN_NO_SQUARE : to;
}

static unsigned expand_pushes(const struct sokoban *sokoban, const uint8_t *state, uint8_t *out,
                              uint8_t *tokens)
{
    struct sokoban_set reached;
    struct sokoban_set boxes = boxes_of(sokoban, state);
    unsigned count = 0;
    (void)walk(sokoban, &boxes, state[0], &reached);
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        for (unsigned d = 0; d < 4; d++) {
            unsigned stand = sokoban->neighbour[state[i]][d ^ 1u];
            unsigned to = push_target(sokoban, &boxes, state[i], d);
            if (stand == SOKOBAN_NO_SQUARE || to == SOKOBAN_NO_SQUARE || !holds(&reached, stand))
                continue;
            memcpy(out, state, sokoban->base.state_bytes);
            out[0] = state[i];
            put_box(out, sokoban->boxes, i, to);
            sokoban_normalise(sokoban, out);
            out += sokoban->base.state_bytes;
            tokens[count++] = PZ_NO_TOKEN;
        }
    }
    return count;
}

static unsigned box_at(const struct sokoban *sokoban, const uint8_t *state, unsigned square)
{
    unsigned i = 1;
    while (i <= sokoban->boxes && state[i] != square)
        i++;
    return i;
}

static unsigned expand_moves(const struct sokoban *sokoban, const uint8_t *state, uint8_t came_by,
                             uint8_t *out, uint8_t *tokens)
{
    struct sokoban_set boxes = boxes_of(sokoban, state);
    unsigned count = 0;
    for (unsigned d = 0; d < 4; d++) {
        unsigned next = sokoban->neighbour[state[0]][d];
        if (next == SOKOBAN_NO_SQUARE || (came_by < 4 && d == (came_by ^ 1u)))
            continue;
        bool pushes = holds(&boxes, next);
        unsigned to = pushes ? push_target(sokoban, &boxes, next, d) : SOKOBAN_NO_SQUARE;
        if (pushes && to == SOKOBAN_NO_SQUARE)
            continue;
        memcpy(out, state, sokoban->base.state_bytes);
        out[0] = (uint8_t)next;
        if (pushes)
            put_box(out, sokoban->boxes, box_at(sokoban, state, next), to);
        out += sokoban->base.state_bytes;
        tokens[count++] = pushes ? (uint8_t)PZ_NO_TOKEN : (uint8_t)d;
    }
    return count;
}

static unsigned sokoban_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                               void *successors, uint8_t *tokens)
{
    const struct sokoban *sokoban = sokoban_of(space);
    return sokoban->pushes ? expand_pushes(sokoban, state, successors, tokens)
                           : expand_moves(sokoban, state, came_by, successors, tokens);
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
    const uint8_t *bytes = start;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        if (sokoban->distance[bytes[i]] == SOKOBAN_DEAD)
            return PZ_NO;
    return PZ_UNKNOWN;
}

/* Every box alone to its nearest goal: a push moves one box by one square, a walk none. */
static unsigned sokoban_heuristic(const struct pz_space *space, const void *state)
{
    const struct sokoban *sokoban = sokoban_of(space);
    const uint8_t *bytes = state;
    unsigned sum = 0;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        sum += sokoban->distance[bytes[i]];
    return sum;
}

/* ---- making one ---- */

/* Pulls a lone box from the goals: breadth first, so that the first distance is the least. */
static void find_distances(struct sokoban *sokoban)
{
    uint8_t queue[SOKOBAN_SQUARES_MAX];
    unsigned tail = 0;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        sokoban->distance[i] = sokoban->goal[i] ? 0 : SOKOBAN_DEAD;
        if (sokoban->goal[i])
            queue[tail++] = (uint8_t)i;
    }
    for (unsigned head = 0; head < tail; head++) {
        for (unsigned d = 0; d < 4; d++) {
            unsigned box = sokoban->neighbour[queue[head]][d];
            if (box == SOKOBAN_NO_SQUARE || sokoban->distance[box] != SOKOBAN_DEAD ||
                sokoban->neighbour[box][d] == SOKOBAN_NO_SQUARE)
                continue;
            sokoban->distance[box] = (uint16_t)(sokoban->distance[queue[head]] + 1);
            queue[tail++] = (uint8_t)box;
        }
    }
}

static void find_near(struct sokoban *sokoban)
{
    for (unsigned i = 0; i < sokoban->squares; i++)
        for (unsigned d = 0; d < 4; d++)
            if (sokoban->neighbour[i][d] != SOKOBAN_NO_SQUARE)
                include(&sokoban->near[i], sokoban->neighbour[i][d]);
}

static const char *const sokoban_keys[] = {"metric", NULL};
static const struct pz_puzzle sokoban_push_puzzle;

static enum pz_status sokoban_make(struct sokoban *sokoban, const struct pz_setup *setup,
                                   struct pz_error *error)
{
    struct space_options options;
    char text[PZ_TEXT_MAX];
    bool moves = false;
    enum pz_status status = space_options_read(&options, setup, sokoban_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "metric", "push", "move", &moves, error);
    if (status != PZ_OK)
        return status;
    if (space_option(&options, "goal") != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "sokoban takes no goal=: the goals are part of the level");
    const char *level = *options.head != '\0' ? options.head : setup->start;
    if (level == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "sokoban needs a level: start=\"#####/#@$.#/#####\"");
    sokoban->pushes = !moves;
    sokoban->base.flags = PZ_OWN_START;
    sokoban->base.puzzle = moves ? &sokoban_puzzle : &sokoban_push_puzzle;
    status = sokoban_read(sokoban, level, error);
    if (status != PZ_OK)
        return status;
    find_distances(sokoban);
    find_near(sokoban);
    sokoban_normalise(sokoban, sokoban->start);
    sokoban->base.max_successors = sokoban->pushes ? 4 * sokoban->boxes : 4;
    size_t length = sokoban_print(&sokoban->base, sokoban->start, text);
    if (length + sizeof ",metric:push" > PZ_SIZE_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "the level's text has %zu bytes, at most %zu fit", length,
                       PZ_SIZE_MAX - sizeof ",metric:push");
    memcpy(sokoban->base.size, text, length + 1);
    (void)space_size_add(sokoban->base.size, "metric", moves ? "move" : "push");
    return PZ_OK;
}

static enum pz_status sokoban_open(const struct pz_setup *setup, struct pz_space **out,
                                   struct pz_error *error)
{
    struct sokoban *sokoban = calloc(1, sizeof *sokoban);
    if (sokoban == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a sokoban");
    enum pz_status status = sokoban_make(sokoban, setup, error);
    if (status != PZ_OK) {
        free(sokoban);
        return status;
    }
    *out = &sokoban->base;
    return PZ_OK;
}

static void sokoban_close(struct pz_space *space)
{
    free(space);
}

/* A path of moves is one letter each (uurDD), one of pushes names the boxes: two tables that differ in what
 * stands between the words. */
#define SOKOBAN_PUZZLE(between)                                                                              \
    {                                                                                                        \
        .abi = PZ_SPACE_ABI, .name = "sokoban", .summary = "Sokoban, up to 31 boxes, by pushes or moves",    \
        .example = "sokoban:#####/#@$.#/#####", .keys = sokoban_keys, .open = sokoban_open,                  \
        .close = sokoban_close, .parse = sokoban_parse, .print = sokoban_print, .draw = sokoban_draw,        \
        .describe = sokoban_describe, .separator = (between), .root = sokoban_root,                          \
        .is_goal = sokoban_is_goal, .expand = sokoban_expand, .solvable = sokoban_solvable,                  \
        .heuristic = sokoban_heuristic,                                                                      \
    }

const struct pz_puzzle sokoban_puzzle = SOKOBAN_PUZZLE("");
static const struct pz_puzzle sokoban_push_puzzle = SOKOBAN_PUZZLE(",");
