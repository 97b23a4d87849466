/* SPDX-License-Identifier: MIT */
/* The formats of definitions: for each its puzzle and its compiler. */
#ifndef TEXT_FORMATS_H
#define TEXT_FORMATS_H

#include "space/text/definition.h"

const struct pz_puzzle *definition_puzzle(enum definition_format format);
/* Compiles a text, which is copied. The caller owns one hold of *out. */
enum pz_status definition_compile(enum definition_format format, const char *name, const char *text,
                                  size_t length, struct definition **out, struct pz_error *error);

/* Definitions in files: NAME.psvn, NAME.tws. */

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
