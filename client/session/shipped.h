/* SPDX-License-Identifier: MIT */
/* Files that come with the program: of an installation, or of the source tree that its build stands in. */
#ifndef SHIPPED_H
#define SHIPPED_H

#include "protocol/text/text.h"

#include <limits.h>
#include <stdbool.h>

/* Writes the path of a file: of a folder of share/, beside the program or where it was to be
 * installed, or of a folder of the source tree. Returns false if there is none; path is then where it should
 * be. */
bool shipped_path(const char *shared, const char *in_tree, const char *file, char path[PATH_MAX]);
/* Writes the path of the definition that a puzzle's text begins with the name of: "cube3". Returns false if
 * none has that name. */
bool shipped_definition(const char *puzzle, char path[PATH_MAX]);
/* Adds the names of all of these definitions, with blanks between. */
void shipped_names(struct text *names);

#endif
