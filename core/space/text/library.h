/* SPDX-License-Identifier: MIT */
/*
 * The definitions that this process knows, by name and by id. Any thread may call any of these. The lock is
 * held only to look at the list: nothing is compiled, opened or freed under it.
 */
#ifndef TEXT_LIBRARY_H
#define TEXT_LIBRARY_H

#include "space/text/definition.h"

enum {
    LIBRARY_MAX = 4096,        /* definitions */
    LIBRARY_BYTES = 256 << 20, /* of all meanings and texts */
};

/* Adds a definition and retains it. If the same one is there under the same name, *known is true and nothing
 * changes; NULL is fine. Refuses a name that stands for another meaning, and more than the library holds. */
enum pz_status library_add(const struct definition *definition, bool *known, struct pz_error *error);
/* Returns false if there is none of that name. */
bool library_remove(const char *name);
/* Finds a definition of a format by name or id, whose length is given. Returns NULL, or one that the caller
 * releases. format: DEFINITION_FORMATS for any. */
const struct definition *library_find(enum definition_format format, const char *key, size_t length);
/* Opens the space of the definition of a format that setup->size begins with: what that format's
 * pz_puzzle.open calls. */
enum pz_status library_open(enum definition_format format, const struct pz_setup *setup,
                            struct pz_space **out, struct pz_error *error);
/* Returns the definition that a space was made of, which the caller releases; NULL if it was none, or if that
 * was removed. */
const struct definition *library_of_space(const struct pz_space *space);
/* Returns the number-th definition in the order of their names, which the caller releases; NULL behind the
 * last. */
const struct definition *library_at(unsigned number);

/* Returns a number that is another one after each change of the library. */
unsigned library_changes(void);

/* Writes a puzzle's text with the id in place of a definition's name, so that it means the same for ever:
 * "hanoi,goal:1" becomes "psvn:ID,goal:1". Returns false, and writes nothing, for a text that names no
 * definition. */
bool library_lasting_text(const char *puzzle, char out[PZ_SIZE_MAX + 64]);
/* Writes a name of the definition that a space's canonical text has the id of. Returns false if there is
 * none. */
bool library_name_of(const char *puzzle, char out[DEFINITION_NAME_MAX]);

#endif
