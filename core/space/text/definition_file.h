/* SPDX-License-Identifier: MIT */
/* Definitions in files: NAME.psvn, NAME.tws. */
#ifndef TEXT_DEFINITION_FILE_H
#define TEXT_DEFINITION_FILE_H

#include "space/text/definition.h"

/* A text, and what its file's name says of it. */
struct definition_file {
    enum definition_format format;
    char name[DEFINITION_NAME_MAX];
    size_t length;
    char *text; /* malloc'd; at most DEFINITION_TEXT_MAX + 1 bytes are read, and no NUL is added */
};

/* Reads a regular file; a link is refused. "-.psvn" and "-.tws" are standard input, under the name "input".
 * The caller frees the text. */
enum pz_status definition_file_read(const char *path, struct definition_file *out, struct pz_error *error);
/* Reads and compiles a file. The caller owns one hold of *out. */
enum pz_status definition_file_compile(const char *path, struct definition **out, struct pz_error *error);

#endif
