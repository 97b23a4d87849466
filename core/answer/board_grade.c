/* SPDX-License-Identifier: MIT */
#include "answer/board_grade.h"

#include "base/clock.h"
#include "explore/explore.h"
#include "explore/key/mix.h"
#include "space/klotski/klotski.h"
#include "space/slide/slide.h"
#include "space/sokoban/sokoban.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLIDE_CELLS = 16 }; /* of sliding boards that are soon solved by the other metric, too */

/* ---- along the solution ---- */

/* The moves of each position of the solution but the last. */
struct grade_turns {
    const struct pz_space *space;
    uint8_t *successors, *tokens; /* of one position */
    uint64_t *keys;               /* of all of them, mixed: KEY_WORDS_MAX words each; a copy for each move */
    uint32_t *distances;          /* of each: to the nearest goal; UINT32_MAX where it was not found */
    size_t count, room;
};

static bool turns_grow(struct grade_turns *turns, size_t more)
{
    if (turns->distances != NULL && turns->count + more <= turns->room)
        return true;
    const size_t room = 2 * (turns->count + more) + 16;
    uint64_t *keys = realloc(turns->keys, room * KEY_WORDS_MAX * sizeof *keys);
    if (keys == NULL)
        return false;
    turns->keys = keys;
    uint32_t *distances = realloc(turns->distances, room * sizeof *distances);
    if (distances == NULL)
        return false;
    turns->distances = distances;
    turns->room = room;
    return true;
}

/* Adds the moves of a position: those to the same position count once, and one that changes nothing not at
 * all. Returns false without memory. */
static bool add_turns(struct grade_turns *turns, const void *state)
{
    const size_t bytes = turns->space->state_bytes;
    const unsigned count =
        turns->space->puzzle->expand(turns->space, state, PZ_NO_TOKEN, turns->successors, turns->tokens);
    if (!turns_grow(turns, count))
        return false;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = turns->successors + i * bytes;
        bool known = memcmp(successor, state, bytes) == 0;
        for (unsigned before = 0; before < i && !known; before++)
            known = memcmp(successor, turns->successors + before * bytes, bytes) == 0;
        if (known)
            continue;
        mix_bytes(successor, bytes, turns->keys + turns->count * KEY_WORDS_MAX);
        turns->distances[turns->count++] = UINT32_MAX;
    }
    return true;
}

/* Rates a board by how unlikely it is to go a shortest way by chance: each position of the solution costs as
 * many bits as say which of its moves are right, by their share in all moves of all positions. */
static void rate_board(const struct grade_turns *turns, int64_t moves, struct grade *out)
{
    static const struct {
        int64_t below;
        const char *word;
    } words[] = {{25, "easy"}, {50, "medium"}, {70, "hard"}, {101, "expert"}};
    enum { HALF = 60 /* bits of a board that has half the points */ };
    const double all = (double)turns->count, right = all - (double)out->wrong_turns;
    const double bits = moves > 0 ? (double)moves * log2(all / right) : 0;
    out->rating = (int64_t)(100 * bits / (bits + HALF) + 0.5);
    assert(out->rating >= 0 && out->rating <= 100);
    for (size_t i = 0; out->difficulty == NULL; i++)
        if (out->rating < words[i].below)
            out->difficulty = words[i].word;
}

static enum pz_status find_turns(const struct grade_question *question, struct grade_turns *turns,
                                 struct grade *out, struct pz_error *error)
{
    const struct pz_space *space = question->request->space;
    const struct solve_result *solved = question->solved;
    turns->space = space;
    turns->successors = malloc((size_t)space->max_successors * space->state_bytes);
    turns->tokens = malloc(space->max_successors);
    bool fits = turns->successors != NULL && turns->tokens != NULL;
    for (int64_t i = 0; i < solved->moves && fits; i++)
        fits = add_turns(turns, solved->path + (size_t)i * space->state_bytes);
    if (!fits)
        return pz_fail(error, PZ_MEMORY, "no memory for a grade");
    if (solved->moves > 0)
        out->branching = (double)turns->count / (double)solved->moves;
    if (solved->solutions.known)
        out->wrong_turns = (int64_t)(turns->count - solved->solutions.onward);
    if (out->wrong_turns >= 0)
        rate_board(turns, solved->moves, out);
    return PZ_OK;
}

/* Returns the bound that a player sees. Sokoban's own one adds pairs of boxes to the matching of boxes and
 * goals, and in the move metric the walk to a box. */
static unsigned plain_bound(const struct pz_space *space, const void *state)
{
    return strcmp(space->puzzle->name, sokoban_puzzle.name) == 0 ? sokoban_match(sokoban_of(space), state)
                                                                 : space->puzzle->heuristic(space, state);
}

static int64_t count_counterintuitive(const struct grade_question *question)
{
    const struct pz_space *space = question->request->space;
    int64_t count = 0;
    if (space->puzzle->heuristic == NULL)
        return -1;
    for (int64_t i = 0; i < question->solved->moves; i++) {
        const uint8_t *state = question->solved->path + (size_t)i * space->state_bytes;
        count += plain_bound(space, state + space->state_bytes) > plain_bound(space, state);
    }
    return count;
}

/* ---- dead ends ---- */

static int compare_mixed_keys(const uint64_t *a, const uint64_t *b, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Notes the distances of the turns that the run holds. */
static enum pz_status look_up_turns(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct grade_turns *turns = context;
    (void)error;
    for (size_t i = 0; i < turns->count; i++) {
        const uint64_t *key = turns->keys + i * KEY_WORDS_MAX;
        size_t low = 0;
        for (size_t high = run->count; low < high;) {
            const size_t middle = low + (high - low) / 2;
            const bool less =
                compare_mixed_keys(run->keys + middle * run->key_words, key, run->key_words) < 0;
            low = less ? middle + 1 : low;
            high = less ? high : middle;
        }
        if (low < run->count &&
            compare_mixed_keys(run->keys + low * run->key_words, key, run->key_words) == 0)
            turns->distances[i] = run->distances[low];
    }
    return PZ_OK;
}

/* Begins a part: sets the control's deadline if it has none. Returns the one to put back. */
static double grade_part(struct control *control)
{
    const double before = control->deadline;
    if (before <= 0)
        control->deadline = clock_seconds() + GRADE_SECONDS;
    return before;
}

/* Explores what the board reaches, if that is done in time. Dead positions are one beyond the last level. */
static enum pz_status find_dead(const struct grade_question *question, struct grade_turns *turns,
                                struct control *control, struct grade *out, struct pz_error *error)
{
    const struct solve_request *asked = question->request;
    const struct explore_request request = {.space = asked->space,
                                            .root = asked->start,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = asked->threads,
                                            .budget = asked->budget,
                                            .engine = ENGINE_STRIPED,
                                            .keep = KEEP_TABLE,
                                            .from = FROM_GOALS};
    const struct explore_sink sink = {.context = turns, .run = look_up_turns};
    struct explore_result found = {0};
    if ((asked->space->flags & PZ_REVERSIBLE) != 0) {
        out->dead = out->dead_turns = 0;
        return PZ_OK;
    }
    const double deadline = grade_part(control);
    const enum pz_status status = explore_run(&request, control, &sink, &found, error);
    control->deadline = deadline;
    if (status != PZ_OK || !found.complete)
        return status == PZ_CANCELLED ? status : PZ_OK;
    out->positions = (int64_t)(found.states + found.dead);
    out->dead = (int64_t)found.dead;
    out->dead_turns = 0;
    for (size_t i = 0; i < turns->count; i++)
        out->dead_turns += turns->distances[i] != UINT32_MAX && turns->distances[i] > found.depth;
    return PZ_OK;
}

/* ---- how the boxes of a Sokoban level hang together, by the solution that was found ----
 *
 * How often it turns to another box, and how well it falls apart into two problems, explain how long people
 * take: P. Jarušek, R. Pelánek, Difficulty Rating of Sokoban Puzzle, STAIRS 2010. */

enum { BOXES_MAX = 64 };

/* How often the solution turns between two boxes. */
struct turning {
    unsigned between[BOXES_MAX][BOXES_MAX];
    unsigned boxes; /* that are pushed */
    unsigned changes;
};

/* Follows the boxes along the solution. Boxes are numbered in the order of their first push. */
static void follow_boxes(const struct grade_question *question, struct turning *turning)
{
    const struct pz_space *space = question->request->space;
    const uint8_t *path = question->solved->path;
    uint8_t number[SOKOBAN_SQUARES_MAX] = {0}; /* of the box there, from 1; 0 before its first push */
    uint8_t last = 0;
    for (int64_t i = 0; i < question->solved->moves; i++, path += space->state_bytes) {
        unsigned from = 0, to = 0;
        if (!sokoban_find_push(sokoban_of(space), path, path + space->state_bytes, &from, &to))
            continue; /* the player walked */
        assert(number[from] > 0 || turning->boxes < BOXES_MAX);
        const uint8_t box = number[from] > 0 ? number[from] : (uint8_t)++turning->boxes;
        number[from] = 0;
        number[to] = box;
        if (last > 0 && last != box) {
            turning->between[last - 1][box - 1]++;
            turning->between[box - 1][last - 1]++;
            turning->changes++;
        }
        last = box;
    }
}

/* Adds box after box, each time the one that is turned to most from those before. Returns the last one, and
 * in *before the one before it; *cut are the turns to the last one. */
static unsigned add_boxes(const struct turning *turning, unsigned count, unsigned *before, unsigned *cut)
{
    unsigned turns[BOXES_MAX] = {0};
    bool added[BOXES_MAX] = {false};
    unsigned last = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned next = 0;
        while (added[next])
            next++;
        for (unsigned box = next; box < count; box++)
            next = !added[box] && turns[box] > turns[next] ? box : next;
        added[next] = true;
        *before = last;
        *cut = turns[next];
        last = next;
        for (unsigned box = 0; box < count; box++)
            turns[box] += turning->between[next][box];
    }
    return last;
}

/* Returns the fewest turns between two groups of boxes: a minimum cut, by M. Stoer and F. Wagner (1997). */
static unsigned find_least_cut(struct turning *turning)
{
    unsigned least = turning->boxes > 1 ? UINT_MAX : 0;
    for (unsigned count = turning->boxes; count > 1; count--) {
        unsigned before = 0, cut = 0;
        const unsigned last = add_boxes(turning, count, &before, &cut);
        least = cut < least ? cut : least;
        for (unsigned box = 0; box < count; box++) { /* the last two become one, and the place is filled */
            turning->between[before][box] += turning->between[last][box];
            turning->between[box][before] = turning->between[before][box];
        }
        for (unsigned box = 0; box < count; box++) {
            turning->between[last][box] = turning->between[count - 1][box];
            turning->between[box][last] = turning->between[box][count - 1];
        }
        for (unsigned box = 0; box < count; box++)
            turning->between[box][box] = 0;
    }
    return least;
}

/* box_changes and decomposition. */
static void grade_boxes(const struct grade_question *question, struct grade *out)
{
    struct turning turning = {0};
    if (strcmp(question->request->space->puzzle->name, sokoban_puzzle.name) != 0)
        return;
    follow_boxes(question, &turning);
    out->box_changes = turning.changes;
    out->decomposition = find_least_cut(&turning);
}

/* ---- all of it ---- */

enum pz_status grade_board(const struct grade_question *question, struct control *control, struct grade *out,
                           struct pz_error *error)
{
    assert(question->solved->path != NULL && question->solved->moves >= 0);
    struct grade_turns turns = {0};
    enum pz_answer solvable = PZ_UNKNOWN;
    *out = (struct grade){.other_moves = -1,
                          .branching = -1,
                          .wrong_turns = -1,
                          .dead_turns = -1,
                          .rating = -1,
                          .positions = -1,
                          .dead = -1,
                          .pieces = -1,
                          .must_move = -1,
                          .box_changes = -1,
                          .decomposition = -1};
    out->counterintuitive = count_counterintuitive(question);
    grade_boxes(question, out);
    enum pz_status status = find_turns(question, &turns, out, error);
    if (status == PZ_OK && question->other != NULL)
        status = grade_solve(question->request, question->other, question->other_start, control, &solvable,
                             &out->other_moves, error);
    if (status == PZ_OK)
        status = find_dead(question, &turns, control, out, error);
    if (status == PZ_OK)
        status = grade_pieces(question, control, out, error);
    out->cut = status != PZ_OK || (question->other != NULL && out->other_moves < 0) || out->dead < 0 ||
               (out->pieces >= 0 && out->must_move < 0);
    free(turns.successors);
    free(turns.tokens);
    free(turns.keys);
    free(turns.distances);
    return status;
}

/* The searches that a grade makes of its own, and the metric that one of them is in. */

const char *grade_other_metric(const struct pz_space *space)
{
    if (strcmp(space->puzzle->name, sokoban_puzzle.name) == 0)
        return sokoban_of(space)->pushes ? "move" : "push";
    if (strcmp(space->puzzle->name, klotski_puzzle.name) == 0 ||
        strcmp(space->puzzle->name, rushhour_puzzle.name) == 0)
        return klotski_of(space)->steps ? "move" : "step";
    const struct grid *grid = slide_permutation(space);
    if (grid != NULL && grid->cells <= SLIDE_CELLS)
        return slide_grid(space) != NULL ? "multi" : "single";
    return NULL;
}

enum pz_status grade_solve(const struct solve_request *request, const struct pz_space *space,
                           const void *start, struct control *control, enum pz_answer *solvable,
                           int64_t *moves, struct pz_error *error)
{
    const struct solve_request own = {.space = space,
                                      .start = start,
                                      .threads = request->threads,
                                      .budget = request->budget,
                                      .archive = request->archive};
    struct solve_result result = {0};
    const double deadline = grade_part(control);
    const enum pz_status status = solve_run(&own, control, &result, error);
    control->deadline = deadline;
    *solvable = status == PZ_OK ? result.solvable : PZ_UNKNOWN;
    *moves = status == PZ_OK ? result.moves : -1;
    if (status == PZ_OK)
        solve_result_free(&result);
    return status == PZ_CANCELLED ? status : PZ_OK;
}
