/* SPDX-License-Identifier: MIT */
#include "space/path_words.h"

#include <string.h>

size_t path_words_room(const struct pz_space *space)
{
    return (size_t)space->max_successors * (space->state_bytes + 1);
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

bool path_words_move(const struct pz_space *space, const char *word, size_t length, void *room, void *state)
{
    uint8_t *successors = room;
    uint8_t *tokens = successors + (size_t)space->max_successors * space->state_bytes;
    char text[PZ_TEXT_MAX];
    const unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *to = successors + (size_t)i * space->state_bytes;
        if (space->puzzle->describe(space, state, to, text) != length || memcmp(text, word, length) != 0)
            continue;
        memcpy(state, to, space->state_bytes);
        return true;
    }
    return false;
}
