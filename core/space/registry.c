/* SPDX-License-Identifier: MIT */
#include "space/registry.h"

#include "space/guard.h"
#include "space/jugs/jugs.h"
#include "space/klotski/klotski.h"
#include "space/linkup/linkup.h"
#include "space/slide/slide.h"
#include "space/sokoban/sokoban.h"
#include "space/text/formats.h"
#include "space/text/library.h"
#include "space/word/word_puzzles.h"

#include <string.h>

enum { PUZZLES_MAX = 64 };

/* The built-in ones, then those that registry_add appends before other threads start. */
static const struct pz_puzzle *puzzles[PUZZLES_MAX] = {&slide_puzzle,   &klotski_puzzle, &rushhour_puzzle,
                                                       &jugs_puzzle,    &sokoban_puzzle, &linkup_puzzle,
                                                       &pancake_puzzle, &topspin_puzzle, &hanoi_puzzle};

static unsigned first_added = PUZZLES_MAX; /* the number of the first one that registry_add appended */

const struct pz_puzzle *registry_puzzle(unsigned number)
{
    return number < PUZZLES_MAX ? puzzles[number] : NULL;
}

const struct pz_puzzle *registry_find(const char *name, size_t length)
{
    for (unsigned i = 0; registry_puzzle(i) != NULL; i++)
        if (strlen(puzzles[i]->name) == length && strncmp(puzzles[i]->name, name, length) == 0)
            return puzzles[i];
    for (enum definition_format i = 0; i < DEFINITION_FORMATS; i++)
        if (strlen(definition_format_word(i)) == length &&
            strncmp(definition_format_word(i), name, length) == 0)
            return definition_puzzle(i);
    return NULL;
}

const struct pz_puzzle *registry_plugin(const char *puzzle)
{
    const struct pz_puzzle *found = registry_find(puzzle, strcspn(puzzle, ":"));
    for (unsigned i = first_added; registry_puzzle(i) != NULL; i++)
        if (puzzles[i] == found)
            return found;
    return NULL;
}

enum pz_status registry_add(const struct pz_puzzle *puzzle, struct pz_error *error)
{
    if (puzzle->abi != PZ_SPACE_ABI)
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "the plugin speaks ABI %u, this puzzled speaks ABI %u: build it with this one's header",
            puzzle->abi, PZ_SPACE_ABI);
    if (registry_find(puzzle->name, strlen(puzzle->name)) != NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "a puzzle named %s is already there", puzzle->name);
    for (unsigned i = 0; i + 1 < PUZZLES_MAX; i++) {
        if (puzzles[i] == NULL) {
            puzzles[i] = puzzle;
            first_added = i < first_added ? i : first_added;
            return PZ_OK;
        }
    }
    return pz_fail(error, PZ_LIMIT, "no more than %d puzzles", PUZZLES_MAX - 1);
}

/* Fails with the names of all puzzles. */
static enum pz_status no_such_puzzle(const char *text, struct pz_error *error)
{
    char names[256] = "";
    size_t length = 0;
    for (unsigned i = 0; registry_puzzle(i) != NULL && length + 64 < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%.60s", i > 0 ? ", " : "",
                                   puzzles[i]->name);
    return pz_fail(error, PZ_BAD_PUZZLE, "no puzzle '%.60s'; there are: %s", text, names);
}

static enum pz_status check_puzzle_keys(const struct pz_puzzle *puzzle, const struct pz_setup *setup,
                                        struct pz_error *error)
{
    for (size_t i = 0; i < setup->key_count; i++) {
        const char *const *known = puzzle->keys;
        while (known != NULL && *known != NULL && strcmp(*known, setup->keys[i].key) != 0)
            known++;
        if (known == NULL || *known == NULL)
            return pz_fail(error, PZ_BAD_REQUEST, "unknown key '%.40s' for puzzle %s", setup->keys[i].key,
                           puzzle->name);
    }
    return PZ_OK;
}

/* Opens a space, a plugin's with its guard. */
static enum pz_status open_guarded(const struct pz_puzzle *puzzle, const struct pz_setup *setup,
                                   struct pz_space **out, struct pz_error *error)
{
    const struct pz_puzzle *plugin = registry_plugin(puzzle->name);
    return plugin != NULL ? guard_space(plugin, setup, out, error) : puzzle->open(setup, out, error);
}

/* Opens a definition by its bare name, "hanoi" or "hanoi,goal:1:1:1". */
static enum pz_status open_definition(const char *text, const struct pz_setup *setup, struct pz_space **out,
                                      struct pz_error *error)
{
    const struct definition *definition = library_find(DEFINITION_FORMATS, text, strcspn(text, ",:"));
    if (definition == NULL)
        return no_such_puzzle(text, error);
    enum pz_status status = check_puzzle_keys(definition_puzzle(definition->format), setup, error);
    struct pz_setup own = *setup;
    own.size = text;
    if (status == PZ_OK)
        status = definition_open(definition, &own, out, error);
    definition_release(definition);
    return status;
}

enum pz_status space_open(const char *puzzle_text, const struct pz_setup *setup, struct pz_space **out,
                          struct pz_error *error)
{
    bool bare_size = (*puzzle_text >= '0' && *puzzle_text <= '9') || *puzzle_text == '-';
    size_t name_length = strcspn(puzzle_text, ":");
    const char *colon = puzzle_text + name_length;
    const struct pz_puzzle *puzzle = bare_size ? &slide_puzzle : registry_find(puzzle_text, name_length);
    if (puzzle == NULL)
        return open_definition(puzzle_text, setup, out, error);
    enum pz_status status = check_puzzle_keys(puzzle, setup, error);
    if (status != PZ_OK)
        return status;
    struct pz_setup own = *setup;
    own.size = bare_size ? puzzle_text : *colon == ':' ? colon + 1 : "";
    return open_guarded(puzzle, &own, out, error);
}

/* Where the root is a goal and no start, there is nothing to ask. Hanoi's root is its goal, but it has a
 * start. */
bool space_start(const struct pz_space *space, void *state)
{
    struct pz_error error;
    const struct pz_puzzle *puzzle = space->puzzle;
    if (puzzle == &hanoi_puzzle) {
        hanoi_start(space, state);
        return true;
    }
    return puzzle->root(space, state, &error) == PZ_OK &&
           ((space->flags & PZ_OWN_START) != 0 || !puzzle->is_goal(space, state));
}

uint64_t space_count(const struct pz_space *space)
{
    const struct pz_puzzle *puzzle = space->puzzle;
    return puzzle->count != NULL ? puzzle->count(space) : 0;
}

bool space_knows_valid(const struct pz_space *space)
{
    return space->puzzle->valid != NULL;
}

bool space_state_valid(const struct pz_space *space, const void *state)
{
    return space_knows_valid(space) ? space->puzzle->valid(space, state) : guard_reads_back(space, state);
}

bool space_has_one_end(const struct pz_space *space)
{
    const uint32_t both = PZ_UNIQUE_GOAL | PZ_REVERSIBLE;
    return (space->flags & both) == both;
}

bool space_is_whole_from_goals(const struct pz_space *space)
{
    return (space->flags & PZ_REVERSIBLE) != 0 && space_count(space) > 0;
}

enum pz_status space_canonical(const struct pz_space *space, const void *root, struct pz_canon *canon,
                               struct pz_space **canonical, struct pz_error *error)
{
    memset(canon, 0, sizeof *canon);
    *canonical = NULL;
    if (space->puzzle->canon == NULL) {
        memcpy(canon->root, root, space->state_bytes);
        return PZ_OK;
    }
    enum pz_status status = space->puzzle->canon(space, root, canon, error);
    const struct pz_setup setup = {.size = canon->size};
    if (status != PZ_OK)
        return status;
    return open_guarded(space->puzzle, &setup, canonical, error);
}

bool space_has_runs(const struct pz_space *space)
{
    return space->puzzle->runs != NULL && space_count(space) > 0;
}

struct pz_runs *space_runs(const struct pz_space *space)
{
    return space_has_runs(space) ? space->puzzle->runs(space) : NULL;
}

space_expand *space_expand_needed(const struct pz_space *space)
{
    const struct pz_puzzle *puzzle = space->puzzle;
    return puzzle->expand_needed != NULL ? puzzle->expand_needed : puzzle->expand;
}

unsigned space_expand_costs(const struct pz_space *space, const void *state, uint8_t came_by,
                            void *successors, uint8_t *tokens, uint32_t *costs)
{
    if ((space->flags & PZ_COSTS) != 0)
        return space->puzzle->expand_costs(space, state, came_by, successors, tokens, costs);
    const unsigned count = space->puzzle->expand(space, state, came_by, successors, tokens);
    for (unsigned i = 0; i < count; i++)
        costs[i] = 1;
    return count;
}

void space_close(struct pz_space *space)
{
    if (space != NULL)
        space->puzzle->close(space);
}

size_t space_name(const struct pz_space *space, char out[PZ_SIZE_MAX + 64])
{
    const char *colon = space->size[0] != '\0' ? ":" : "";
    return (size_t)snprintf(out, PZ_SIZE_MAX + 64, "%s%s%s", space->puzzle->name, colon, space->size);
}
