/* SPDX-License-Identifier: MIT */
/*
 * The definitions that this process knows, by name and by id. Any thread may call any of these. The lock is
 * held only to look at the list: nothing is compiled, opened or freed under it.
 */
#ifndef TEXT_LIBRARY_H
#define TEXT_LIBRARY_H

#include "space/text/definition.h"

enum { LIBRARY_MAX = 4096 }; /* definitions */

/* Adds a definition and retains it. One of the same name is replaced. Refuses more than LIBRARY_MAX, and an
 * id that stands for another meaning. */
enum pz_status library_add(const struct definition *definition, struct pz_error *error);
/* Returns false if there is none of that name. */
bool library_remove(const char *name);
/* Finds a definition of a format by name or id, whose length is given. Returns NULL, or one that the caller
 * releases. format: DEFINITION_FORMATS for any. */
const struct definition *library_find(enum definition_format format, const char *key, size_t length);
/* Returns the number-th definition in the order of their names, which the caller releases; NULL behind the
 * last. */
const struct definition *library_at(unsigned number);

#endif
