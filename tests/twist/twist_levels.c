/* SPDX-License-Identifier: MIT */
/*
 * Explores a .tws file whole and prints how many states each level has, one a line: for tests that hold them
 * against other programs.
 *
 *   twist_levels FILE METRIC ENGINE THREADS [START]
 *   twist_levels FILE METRIC bounds W
 *   twist_levels FILE METRIC draw BOARD
 *
 * The second holds lower bounds by patterns of W kinds of pieces, for 0 by those that puzzled chooses, for
 * orbits/... by that abstraction, for orbits by the one that is chosen, against all distances, and some
 * solutions by orbits. It prints the sum of the bounds, or "none" if there are no such patterns.
 * The third prints kind and place of each piece of the drawing.
 */
#include "explore/explore.h"
#include "explore/key/mix.h"
#include "solve/abstraction/abstractions.h"
#include "solve/solve.h"
#include "space/registry.h"
#include "space/text/abstract/orbits.h"
#include "space/text/formats.h"
#include "space/text/library.h"
#include "space/twist/twist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ORBIT_KEYS = 1 << 20, SOLVED_OF = 311 };

static enum pz_status print_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    (void)printf("%" PRIu64 "\n", states);
    return PZ_OK;
}

static enum pz_status define(const char *path, struct pz_error *error)
{
    static char text[DEFINITION_TEXT_MAX];
    struct definition *definition = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "%s cannot be read", path);
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    enum pz_status status = definition_compile(DEFINITION_TWS, "text", text, length, &definition, error);
    if (status == PZ_OK)
        status = library_add(definition, NULL, error);
    definition_release(definition);
    return status;
}

static enum pz_status explore(const struct pz_space *space, char **words, struct pz_error *error)
{
    struct budget budget;
    struct control control = {0};
    struct explore_result result = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    const struct explore_sink sink = {.level = print_level};
    budget_init(&budget, NULL, UINT64_C(4) << 30);
    enum pz_status status = words[5] != NULL ? space->puzzle->parse(space, words[5], root, error)
                                             : space->puzzle->root(space, root, error);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = (unsigned)strtoul(words[4], NULL, 10),
                                            .budget = &budget,
                                            .engine = strcmp(words[3], "ranked") == 0 ? ENGINE_RANKED
                                                                                      : ENGINE_STRIPED,
                                            .keep = KEEP_LEVELS};
    return status == PZ_OK ? explore_run(&request, &control, &sink, &result, error) : status;
}

/* ---- bounds ---- */

struct bounded {
    const struct pz_space *space;
    const struct abstractions *abstractions;
    struct budget *budget;
    const char *partition; /* by orbits: with it some states are solved; else NULL */
    uint64_t sum;
};

/* Holds the length of a shortest solution by the databases against a distance. */
static enum pz_status check_solution(struct bounded *bounded, const void *state, unsigned distance,
                                     struct pz_error *error)
{
    struct control control = {0};
    struct solve_result result;
    const struct solve_request request = {.space = bounded->space,
                                          .start = state,
                                          .method = METHOD_IDASTAR,
                                          .threads = 1 + distance % 2,
                                          .budget = bounded->budget,
                                          .partition = bounded->partition};
    enum pz_status status = solve_run(&request, &control, &result, error);
    if (status == PZ_OK && result.moves != distance)
        status = pz_fail(error, PZ_INTERNAL, "%d moves at %u", (int)result.moves, distance);
    solve_result_free(&result);
    return status;
}

/* Holds bounds against distances, and against those of neighbours. */
static enum pz_status check_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    static uint64_t successors[TWIST_MOVES_MAX * PZ_STATE_MAX / 8];
    static uint8_t tokens[TWIST_MOVES_MAX];
    struct bounded *bounded = context;
    const struct pz_space *space = bounded->space;
    for (size_t i = 0; i < run->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        unmix_bytes(run->keys + i * run->key_words, space->state_bytes, state);
        const unsigned bound = abstractions_bound(bounded->abstractions, state);
        if (bound > run->distances[i])
            return pz_fail(error, PZ_INTERNAL, "a bound of %u at %u", bound, run->distances[i]);
        const unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
        for (unsigned k = 0; k < count; k++)
            if (bound >
                abstractions_bound(bounded->abstractions, successors + k * space->state_bytes / 8) + 1)
                return pz_fail(error, PZ_INTERNAL, "a bound of %u beside a lower one", bound);
        bounded->sum += bound;
        const bool solves = bounded->partition != NULL && bounded->sum % SOLVED_OF == 0;
        const enum pz_status status =
            solves ? check_solution(bounded, state, run->distances[i], error) : PZ_OK;
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

/* Writes "1-2+3-4+5", or an abstraction by orbits as it is given, or the one that is chosen. */
static enum pz_status write_patterns(const struct pz_space *space, const char *word,
                                     char text[SOLVE_PARTITION_MAX], struct pz_error *error)
{
    struct abstractor *abstractor = NULL;
    size_t length = 0;
    const unsigned width = (unsigned)strtoul(word, NULL, 10);
    enum pz_status status = abstractor_new(space, &abstractor, error);
    if (strcmp(word, "orbits") == 0 || orbits_is(word)) {
        (void)snprintf(text, SOLVE_PARTITION_MAX, "%s", word);
        if (status == PZ_OK && !orbits_is(word))
            status = orbits_choose(abstractor, ORBIT_KEYS, text, error);
        abstractor_free(abstractor);
        return status;
    }
    for (unsigned first = 0; status == PZ_OK && first < abstractor->atoms; first += width) {
        if (length + 16 > SOLVE_PARTITION_MAX) {
            status = pz_fail(error, PZ_TOO_LARGE, "too many patterns for a partition");
            break;
        }
        const unsigned last = first + width < abstractor->atoms ? first + width : abstractor->atoms;
        length += (size_t)snprintf(text + length, SOLVE_PARTITION_MAX - length, "%s%u-%u",
                                   first > 0 ? "+" : "", first + 1, last);
    }
    abstractor_free(abstractor);
    return status;
}

static enum pz_status check_bounds(const struct pz_space *space, const char *word, struct pz_error *error)
{
    const bool chosen = strcmp(word, "0") == 0;
    char patterns[SOLVE_PARTITION_MAX] = "";
    uint64_t root[PZ_STATE_MAX / 8];
    struct abstractions *abstractions = NULL;
    struct budget budget;
    struct control control = {0};
    struct explore_result result = {0};
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    const struct abstractions_request request = {.space = space,
                                                 .partition = chosen ? NULL : patterns,
                                                 .threads = 1,
                                                 .budget = &budget,
                                                 .control = &control};
    if ((!chosen && write_patterns(space, word, patterns, error) != PZ_OK) ||
        abstractions_open(&request, &abstractions, error) != PZ_OK) {
        (void)printf("none: %s\n", error->text);
        return PZ_OK;
    }
    struct bounded bounded = {.space = space,
                              .abstractions = abstractions,
                              .budget = &budget,
                              .partition = orbits_is(patterns) ? patterns : NULL};
    const struct explore_sink sink = {.context = &bounded, .run = check_run};
    const struct explore_request explore = {.space = space,
                                            .root = root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = 1,
                                            .budget = &budget,
                                            .engine = ENGINE_STRIPED,
                                            .keep = KEEP_TABLE};
    space->puzzle->goal(space, root);
    enum pz_status status = explore_run(&explore, &control, &sink, &result, error);
    (void)printf("%" PRIu64 "\n", bounded.sum);
    abstractions_close(abstractions);
    return status;
}

/* ---- drawing ---- */

static void print_piece(void *taker, const struct pz_piece *piece)
{
    (void)taker;
    (void)printf("%s %.4g %.4g\n", piece->kind, piece->x, piece->y);
}

static enum pz_status draw(const struct pz_space *space, const char *board, struct pz_error *error)
{
    uint64_t state[PZ_STATE_MAX / 8];
    const enum pz_status status = space->puzzle->parse(space, board, state, error);
    if (status == PZ_OK)
        (void)space->puzzle->pieces(space, state, NULL, print_piece, NULL);
    return status;
}

int main(int count, char **words)
{
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    if (count != 5 && count != 6)
        return 2;
    const struct pz_key key = {.key = "metric", .value = words[2]};
    const struct pz_setup setup = {.keys = &key, .key_count = 1};
    enum pz_status status = define(words[1], &error);
    if (status == PZ_OK)
        status = space_open("tws:text", &setup, &space, &error);
    if (status == PZ_OK)
        status = strcmp(words[3], "bounds") == 0 ? check_bounds(space, words[4], &error)
                 : strcmp(words[3], "draw") == 0 ? draw(space, words[4], &error)
                                                 : explore(space, words, &error);
    if (status != PZ_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    space_close(space);
    return status != PZ_OK;
}
