/* SPDX-License-Identifier: MIT */
/* A set of boards that an exploration begins from, "BOARD+BOARD": its distances are from the nearest. */
#ifndef SPACE_ROOT_SET_H
#define SPACE_ROOT_SET_H

#include "puzzled/space.h"

enum { ROOTS_MAX = 64 };

/* Distinct states, side by side, in the order of their bytes: so the order in which they are given does not
 * matter. */
struct root_set {
    unsigned count;
    uint64_t states[ROOTS_MAX * PZ_STATE_MAX / 8];
};

/* As space_open, where setup->start may be several boards: they are no part of the space's name if they can
 * be read without; else the first one that a space can be opened with counts. */
enum pz_status root_set_open(const char *puzzle, const struct pz_setup *setup, struct pz_space **out,
                             struct pz_error *error);
/* Reads one board, or several with a + between them. Returns PZ_BAD_REQUEST for more than ROOTS_MAX. */
enum pz_status root_set_read(const struct pz_space *space, const char *text, struct root_set *out,
                             struct pz_error *error);
/* Writes the boards of such states; returns the length, or room if they are longer than that. */
size_t root_set_print(const struct pz_space *space, const void *states, unsigned count, char *out,
                      size_t room);
/* Returns true if a state is one of them. */
bool root_set_has(const void *states, unsigned count, size_t state_bytes, const void *state);

static inline const void *root_set_at(const void *states, size_t state_bytes, unsigned number)
{
    return (const uint8_t *)states + number * state_bytes;
}

#endif
