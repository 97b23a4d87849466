/* SPDX-License-Identifier: MIT */
/* The formats of definitions: for each its puzzle and its compiler. */
#ifndef TEXT_FORMATS_H
#define TEXT_FORMATS_H

#include "space/text/definition.h"

const struct pz_puzzle *definition_puzzle(enum definition_format format);
/* Compiles a text, which is copied. The caller owns one hold of *out. */
enum pz_status definition_compile(enum definition_format format, const char *name, const char *text,
                                  size_t length, struct definition **out, struct pz_error *error);

#endif
