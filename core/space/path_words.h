/* SPDX-License-Identifier: MIT */
/* Paths as texts: the words of moves, and the moves that words stand for. */
#ifndef SPACE_PATH_WORDS_H
#define SPACE_PATH_WORDS_H

#include "puzzled/space.h"

/* Returns how many bytes path_words_move needs. */
size_t path_words_room(const struct pz_space *space);
/* Cuts the first word off a path: returns its length, and moves *path behind it and what separates it. */
size_t path_words_next(const struct pz_space *space, const char **path);
/* A path walked so far: what its moves cost, and how much was looked at: the square of each state's moves, as
 * describe() may look at all of them for one. From PATH_LOOKED_MOST on, about a second, a daemon gives up. */
enum { PATH_LOOKED_MOST = 1 << 26 };
struct path_walked {
    uint64_t cost, looked;
};
/* Makes the move of a state that describe() gives this word, or a text its own, and adds it to *walked.
 * Returns false, and leaves the state as it is, if there is none. room: path_words_room bytes, aligned to 8.
 */
bool path_words_move(const struct pz_space *space, const char *word, size_t length, void *room, void *state,
                     struct path_walked *walked);
/* Returns false if no move of the state, or of others near it up to PATH_LOOKED_MOST, has a word that is
 * written like this one: small letters, capital letters, numbers and signs in the same order. `like` becomes
 * a word of the state's own, "" without one. room: as above. */
bool path_words_alike(const struct pz_space *space, const char *word, size_t length, void *room,
                      const void *state, char like[PZ_TEXT_MAX]);

#endif
