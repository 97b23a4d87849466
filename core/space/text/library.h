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

/*
 * A definition is decided, written, and then reported, as a job is:
 *
 *     ABSENT -> COMING: its name and its room are taken, and it is being written; nothing finds it yet.
 *
 *     COMING -> THERE or ABSENT: it is written, or could not be.
 *
 *     THERE -> GOING: its removal is being written; it is found, but no new job may need it.
 *
 *     GOING -> ABSENT or THERE: its removal is written, or could not be.
 *
 * What is read from where it is stored is THERE at once, and all of them go when the library is emptied. Only
 * one thread, or one after the other, moves definitions; the moves are asserted.
 */
enum library_state { LIBRARY_ABSENT, LIBRARY_COMING, LIBRARY_THERE, LIBRARY_GOING, LIBRARY_STATES };

/* Adds a definition as COMING or THERE, and retains it. *was is the state of the name: if the same definition
 * has it, nothing changes. Refuses a name that stands for another meaning, and more than the library holds.
 */
enum pz_status library_enter(const struct definition *definition, enum library_state state,
                             enum library_state *was, struct pz_error *error);
/* Moves the definition of a name, which must be there. */
void library_move(const char *name, enum library_state state);
/* Returns the definition of a name, which the caller releases, in whatever state; NULL if there is none. */
const struct definition *library_named(const char *name, enum library_state *state);
/* Returns how the definition stands that a space's canonical text, or the name of a table, has the id of, by
 * that of its names that is most certain: ABSENT, THERE or GOING. THERE for puzzles that are no texts. */
enum library_state library_standing(const char *puzzle);
/* Returns true if another name that stays stands for the same definition. */
bool library_has_other_name(const struct definition *definition);
/* Counts the definitions of an owner, also those that come, and their bytes. */
unsigned library_of_owner(const char *owner, size_t *bytes);

/* Adds a definition as THERE and retains it. If the same one is there under the same name, *known is true and
 * nothing changes; NULL is fine. Refuses a name that stands for another meaning, and more than the library
 * holds. */
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
/* Returns the definition behind previous in the order of their names, the first one for NULL; NULL behind the
 * last. Takes previous, and gives what it returns. A definition that stays is not left out, whatever comes
 * and goes meanwhile. */
const struct definition *library_next(const struct definition *previous);

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
