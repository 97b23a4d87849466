/* SPDX-License-Identifier: MIT */
/*
 * Puzzles from outside: shared objects in one directory, each with the function that PZ_PLUGIN_SYMBOL names.
 * A plugin runs with all the rights of the program, so only what root or the program's own user put there is
 * loaded.
 */
#ifndef SPACE_PLUGIN_H
#define SPACE_PLUGIN_H

#include "puzzled/space.h"

/* Called for every *.so of the directory, in the order of their names. puzzle is NULL for one that was
 * refused; then error says why. */
typedef void plugin_report(void *context, const char *file, const struct pz_puzzle *puzzle,
                           const struct pz_error *error);

/*
 * Loads every plugin of a directory and adds its puzzle to the registry. Call it before another thread opens
 * the first space. One that is refused does not keep the others out. Plugins stay loaded until the program
 * ends.
 *
 * PZ_STORAGE when the directory cannot be read, PZ_UNSUPPORTED when others than root and the program's user
 * could write to it. A file is refused on the same grounds, and when it is not a regular one. report may be
 * NULL.
 */
enum pz_status plugins_load(const char *directory, plugin_report *report, void *context,
                            struct pz_error *error);

/* Loads one plugin from a file, whoever may write to its directory, and adds its puzzle. */
enum pz_status plugin_load(const char *path, const struct pz_puzzle **out, struct pz_error *error);

#endif
