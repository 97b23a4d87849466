/* SPDX-License-Identifier: MIT */
#include "space/path_words.h"

#include "base/random.h"
#include "space/registry.h"
#include "space/text/psvn/psvn.h"
#include "space/text/tws/tws.h"

#include <ctype.h>
#include <string.h>

enum { NEAR_STATES = 200, PATTERN_MAX = 32 };

size_t path_words_room(const struct pz_space *space)
{
    return (size_t)space->max_successors * (space->state_bytes + 1 + sizeof(uint32_t));
}

size_t path_words_next(const struct pz_space *space, const char **path)
{
    const char *separator = space->puzzle->separator;
    if (separator == NULL || *separator == '\0') {
        const size_t length = **path != '\0';
        *path += length;
        return length;
    }
    const size_t length = strcspn(*path, separator);
    *path += length;
    *path += **path != '\0';
    return length;
}

/* The successors of a state, in the caller's room. */
struct path_moves {
    uint8_t *successors;
    uint32_t *costs;
    unsigned count;
};

static void path_moves_of(const struct pz_space *space, const void *state, void *room,
                          struct path_moves *moves)
{
    const size_t states = (size_t)space->max_successors * space->state_bytes;
    moves->successors = room;
    moves->costs = (uint32_t *)(void *)(moves->successors + states); /* states are whole words */
    uint8_t *tokens = (uint8_t *)(moves->costs + space->max_successors);
    moves->count = space_expand_costs(space, state, PZ_NO_TOKEN, room, tokens, moves->costs);
}

/* Makes the move of a text that has this word of its own, where describe() gives its state another's. */
static bool text_move(const struct pz_space *space, const void *state, const char *word, size_t length,
                      void *to, uint64_t *cost)
{
    *cost = 1;
    if (strcmp(space->puzzle->name, psvn_puzzle.name) == 0)
        return psvn_move(space, state, word, length, to, cost);
    return strcmp(space->puzzle->name, tws_puzzle.name) == 0 && tws_move(space, state, word, length, to);
}

/* Makes the move that describe() gives this word, at the least cost of those to its state. */
static bool described_move(const struct pz_space *space, const void *state, const char *word, size_t length,
                           const struct path_moves *moves, void *to, uint64_t *cost)
{
    char text[PZ_TEXT_MAX];
    bool known = false;
    for (unsigned i = 0; i < moves->count; i++) {
        const uint8_t *next = moves->successors + (size_t)i * space->state_bytes;
        if (known ? memcmp(next, to, space->state_bytes) != 0
                  : space->puzzle->describe(space, state, next, text) != length ||
                        memcmp(text, word, length) != 0)
            continue;
        *cost = !known || moves->costs[i] < *cost ? moves->costs[i] : *cost;
        memcpy(to, next, space->state_bytes);
        known = true;
    }
    return known;
}

bool path_words_move(const struct pz_space *space, const char *word, size_t length, void *room, void *state,
                     struct path_walked *walked)
{
    uint64_t to[PZ_STATE_MAX / 8] = {0}, cost = 0;
    struct path_moves moves;
    path_moves_of(space, state, room, &moves);
    walked->looked += (uint64_t)moves.count * moves.count;
    if (!described_move(space, state, word, length, &moves, to, &cost) &&
        !text_move(space, state, word, length, to, &cost))
        return false;
    memcpy(state, to, space->state_bytes);
    walked->cost += cost;
    return true;
}

/* ---- how words are written ---- */

static char kind_of_sign(char c)
{
    if (isdigit((unsigned char)c))
        return '0';
    if (isupper((unsigned char)c))
        return 'A';
    return islower((unsigned char)c) ? 'a' : c;
}

/* Writes a word with each run of small letters, capital letters or digits as one sign. */
static void pattern_of(const char *word, size_t length, char pattern[PATTERN_MAX])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < PATTERN_MAX; i++) {
        const char kind = kind_of_sign(word[i]);
        if (used == 0 || pattern[used - 1] != kind || !isalnum((unsigned char)word[i]))
            pattern[used++] = kind;
    }
    pattern[used] = '\0';
}

bool path_words_alike(const struct pz_space *space, const char *word, size_t length, void *room,
                      const void *state, char like[PZ_TEXT_MAX])
{
    char wanted[PATTERN_MAX], pattern[PATTERN_MAX];
    char text[PZ_TEXT_MAX];
    uint64_t at[PZ_STATE_MAX / 8];
    struct random random = {.state = 1};
    pattern_of(word, length, wanted);
    memcpy(at, state, space->state_bytes);
    *like = '\0';
    uint64_t looked = 0;
    for (unsigned states = 0; states < NEAR_STATES && looked < PATH_LOOKED_MOST; states++) {
        struct path_moves moves;
        path_moves_of(space, at, room, &moves);
        looked += (uint64_t)moves.count * moves.count;
        for (unsigned i = 0; i < moves.count; i++) {
            const uint8_t *to = moves.successors + (size_t)i * space->state_bytes;
            const size_t bytes = space->puzzle->describe(space, at, to, text);
            pattern_of(text, bytes, pattern);
            if (strcmp(pattern, wanted) == 0)
                return true;
            if (*like == '\0')
                memcpy(like, text, bytes + 1);
        }
        if (moves.count == 0)
            break;
        memcpy(at, moves.successors + random_below(&random, moves.count) * space->state_bytes,
               space->state_bytes);
    }
    return *like == '\0'; /* no move is known */
}
