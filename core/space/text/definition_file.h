/* SPDX-License-Identifier: MIT */
/* Definitions in files: NAME.psvn, NAME.tws. */
#ifndef TEXT_DEFINITION_FILE_H
#define TEXT_DEFINITION_FILE_H

#include "space/text/definition.h"

/* Compiles the text of a file, of the format and under the name that the file has. The caller owns one hold
 * of *out. */
enum pz_status definition_file_compile(const char *path, struct definition **out, struct pz_error *error);

#endif
