/* SPDX-License-Identifier: MIT */
/*
 * Says what a definition means, for check_psvn.py:
 *
 *   text_moves FILE                   the canonical text
 *   text_moves FILE levels ROOT T     the states of each level, by T threads; by engine=costs if T is 0
 *   text_moves FILE goals ROOT T      the states at each distance to the nearest goal
 *   text_moves FILE moves|backwards   the moves of each state on standard input, a line each
 *   text_moves FILE bounds W          a lower bound for each state on standard input
 *
 * goals begins with "whole" if the states are all, and not only those that the root reaches. A line of moves
 * is: is it a goal? then LABEL>COST>STATE … Bounds are by patterns of W atoms or, if W is 0, those that
 * puzzled chooses; for the first states also the cost of a solution, "-" for none. They end with "none" if
 * there are no such patterns.
 */
#include "explore/explore.h"
#include "solve/abstraction/abstractions.h"
#include "solve/solve.h"
#include "space/registry.h"
#include "space/text/abstract/abstraction.h"
#include "space/text/formats.h"
#include "space/text/library.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t successors[PZ_SUCCESSORS_MAX * PZ_STATE_MAX / 8];
static uint8_t tokens[PZ_SUCCESSORS_MAX];
static uint32_t costs[PZ_SUCCESSORS_MAX];

static int fail(const struct pz_error *error)
{
    printf("ERR %s\n", error->text);
    return 2;
}

static enum pz_status define(const char *path, struct definition **out, struct pz_error *error)
{
    static char text[DEFINITION_TEXT_MAX + 1];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "cannot read %s", path);
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    enum pz_status status = definition_compile(DEFINITION_PSVN, "it", text, length, out, error);
    return status == PZ_OK ? library_add(*out, NULL, error) : status;
}

/* Costs that no state has are printed, too. */
static enum pz_status print_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    uint32_t *next = context;
    for (; *next < level; ++*next)
        printf("0\n");
    ++*next;
    printf("%" PRIu64 "\n", states);
    return PZ_OK;
}

static enum pz_status print_levels(const struct pz_space *space, char **words, struct pz_error *error)
{
    const unsigned threads = (unsigned)strtoul(words[4], NULL, 10);
    uint64_t state[PZ_STATE_MAX / 8];
    struct budget budget;
    struct control control = {0};
    struct explore_result result;
    uint32_t next = 0;
    const struct explore_sink sink = {.context = &next, .level = print_level};
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    enum pz_status status = space->puzzle->parse(space, words[3], state, error);
    if (strcmp(words[2], "goals") == 0 && space_is_whole_from_goals(space))
        printf("whole\n");
    const struct explore_request request = {.space = space,
                                            .root = state,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = threads > 0 ? threads : 1,
                                            .from = strcmp(words[2], "goals") == 0 ? FROM_GOALS : FROM_ROOT,
                                            .budget = &budget,
                                            .engine = threads == 0 ? ENGINE_COSTS : ENGINE_STRIPED,
                                            .keep = KEEP_LEVELS};
    return status == PZ_OK ? explore_run(&request, &control, &sink, &result, error) : status;
}

static enum pz_status print_moves(const struct pz_space *space, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = space->puzzle;
    static char line[PZ_TEXT_MAX], text[PZ_TEXT_MAX];
    uint64_t state[PZ_STATE_MAX / 8];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        enum pz_status status = puzzle->parse(space, line, state, error);
        if (status != PZ_OK)
            return status;
        (void)puzzle->print(space, state, text);
        if (strcmp(text, line) != 0)
            return pz_fail(error, PZ_INTERNAL, "%s is printed as %s", line, text);
        printf("%d", puzzle->is_goal(space, state));
        const unsigned count = space_expand_costs(space, state, PZ_NO_TOKEN, successors, tokens, costs);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t *to = successors + (size_t)i * (space->state_bytes / 8);
            (void)puzzle->describe(space, state, to, text);
            printf(" %s>%u>", text, costs[i]);
            (void)puzzle->print(space, to, text);
            printf("%s", text);
        }
        printf("\n");
    }
    return PZ_OK;
}

/* Writes "1-2+3-4+5". */
static bool write_patterns(const struct pz_space *space, unsigned width, char text[SOLVE_PARTITION_MAX])
{
    struct abstractor *abstractor = NULL;
    size_t length = 0;
    if (abstractor_new(space, &abstractor, NULL) != PZ_OK)
        return false;
    for (unsigned first = 0; first < abstractor->atoms; first += width) {
        const unsigned last = first + width < abstractor->atoms ? first + width : abstractor->atoms;
        length += (size_t)snprintf(text + length, SOLVE_PARTITION_MAX - length, "%s%u-%u",
                                   first > 0 ? "+" : "", first + 1, last);
    }
    abstractor_free(abstractor);
    return true;
}

/* Solves a state by A* with the bound; prints what it costs. */
static enum pz_status print_cost(const struct pz_space *space, const void *state,
                                 const struct abstractions *abstractions, struct budget *budget,
                                 struct pz_error *error)
{
    const struct solve_bound bound = {abstractions_bound, abstractions};
    const struct solve_request request = {.space = space,
                                          .start = state,
                                          .method = METHOD_ASTAR,
                                          .threads = 1,
                                          .budget = budget,
                                          .partition = ABSTRACTIONS_NONE,
                                          .bound = &bound};
    struct control control = {0};
    struct solve_result result;
    enum pz_status status = solve_run(&request, &control, &result, error);
    if (status != PZ_OK)
        return status;
    if (result.solvable == PZ_YES)
        printf(" %" PRId64, (space->flags & PZ_COSTS) != 0 ? result.cost : result.moves);
    else
        printf(" -");
    solve_result_free(&result);
    return PZ_OK;
}

static enum pz_status print_bounds(const struct pz_space *space, unsigned width, struct pz_error *error)
{
    enum { SOLVED = 5 };
    static char line[PZ_TEXT_MAX];
    char patterns[SOLVE_PARTITION_MAX] = "";
    uint64_t state[PZ_STATE_MAX / 8];
    struct abstractions *abstractions = NULL;
    struct budget budget;
    struct control control = {0};
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    const struct abstractions_request request = {.space = space,
                                                 .partition = width > 0 ? patterns : NULL,
                                                 .threads = 1,
                                                 .budget = &budget,
                                                 .control = &control};
    if ((width > 0 && !write_patterns(space, width, patterns)) ||
        abstractions_open(&request, &abstractions, error) != PZ_OK) {
        printf("none %s\n", error->text);
        return PZ_OK;
    }
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; status == PZ_OK && fgets(line, sizeof line, stdin) != NULL; i++) {
        line[strcspn(line, "\n")] = '\0';
        status = space->puzzle->parse(space, line, state, error);
        if (status == PZ_OK)
            printf("%u", abstractions_bound(abstractions, state));
        if (status == PZ_OK && i < SOLVED)
            status = print_cost(space, state, abstractions, &budget, error);
        printf("\n");
    }
    abstractions_close(abstractions);
    return status;
}

int main(int count, char **words)
{
    struct pz_error error = {
        .text = "usage: text_moves FILE [levels|goals ROOT THREADS | moves | backwards | bounds W]"};
    struct definition *definition = NULL;
    struct pz_space *space = NULL;
    const bool backwards = count == 3 && strcmp(words[2], "backwards") == 0;
    const struct pz_key keys[] = {{"backwards", "yes"}};
    const struct pz_setup setup = {.keys = keys, .key_count = backwards};
    if (count < 2 || define(words[1], &definition, &error) != PZ_OK)
        return fail(&error);
    if (count == 2) {
        (void)fwrite(definition->meaning->canonical, 1, definition->meaning->canonical_length, stdout);
        definition_release(definition);
        (void)library_remove("it");
        return 0;
    }
    enum pz_status status = space_open("it", &setup, &space, &error);
    if (status == PZ_OK && count == 5)
        status = print_levels(space, words, &error);
    else if (status == PZ_OK && count == 4)
        status = print_bounds(space, (unsigned)strtoul(words[3], NULL, 10), &error);
    else if (status == PZ_OK)
        status = print_moves(space, &error);
    space_close(space);
    definition_release(definition);
    (void)library_remove("it");
    return status == PZ_OK ? 0 : fail(&error);
}
