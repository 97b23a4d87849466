/* SPDX-License-Identifier: MIT */
/*
 * A definition: a puzzle that is written as a text.
 *
 * Decisions, for everyone who adds a format:
 *
 * A *format* has a word ("psvn") in definition.c, and its puzzle and compiler in formats.c. The compiler
 * checks the whole text and makes a *meaning*: tables, and the *canonical text*, which is the same puzzle in
 * the same format without comments, spare spaces and the names that do not show (of variables and domains).
 * Names that do show in states and paths belong to the meaning. Compiling the canonical text gives the same
 * canonical text again.
 *
 * The *id* of a definition is 32 hexadecimal digits, 128 bits of a cryptographic hash of format and canonical
 * text. Whatever is stored goes by it, also when no text is left to compare with, so two texts must not be
 * made to share one. A space's canonical name is made of it, "psvn:0123456789abcdef…", with options behind it
 * as other puzzles have them
 * ("…,goal:0:0:1"). So a puzzle that is defined twice is one puzzle with one set of tables, and its name is
 * the same after a restart, in a dump and on another machine. A definition's own *name* ("hanoi") is only a
 * way to find it: "hanoi", "psvn:hanoi" and "psvn:ID" open the same space. See library.h.
 *
 * A definition is immutable and counted: a space retains the one that it is made from and releases it in
 * close(), so that removing a definition disturbs no job. The format's pz_puzzle.open is library_open with
 * the format; the space itself is made by meaning->open, whose setup->size is the whole text after the
 * colon: id or name, then options.
 *
 * Errors: PZ_BAD_PUZZLE, beginning with the place: "line 12, column 5: 'X' is no value of tile". What a text
 * may have at most is a named bound of its format, and the error names it too. Nothing here recurses.
 */
#ifndef TEXT_DEFINITION_H
#define TEXT_DEFINITION_H

#include "puzzled/space.h"

#include <stddef.h>

enum definition_format { DEFINITION_PSVN, DEFINITION_TWS, DEFINITION_FORMATS };

enum {
    DEFINITION_TEXT_MAX = 1 << 20, /* bytes of a text */
    DEFINITION_NAME_MAX = 32,      /* bytes of a name, with its NUL */
    DEFINITION_ID_DIGITS = 32,
    DEFINITION_ID_BYTES = DEFINITION_ID_DIGITS + 1 /* with its NUL */
};

struct definition;

/* A text as its format understands it; a format embeds it as the first member of its own struct. */
struct definition_meaning {
    char *canonical; /* malloc'd; freed by free() */
    size_t canonical_length;
    const char *remarks; /* of one who means well, "line 3, column 5: …; line 4 …"; NULL for none */
    size_t bytes;        /* of memory, about: what the library may hold is bounded by their sum */
    /* Makes a space, which retains the definition. */
    enum pz_status (*open)(const struct definition *definition, const struct pz_setup *setup,
                           struct pz_space **out, struct pz_error *error);
    void (*free)(struct definition_meaning *meaning);
};

/* A format's compiler. The text has no NUL and ends after length bytes. Needs no lock. */
typedef enum pz_status definition_compiler(const char *text, size_t length, struct definition_meaning **out,
                                           struct pz_error *error);

struct definition {
    enum definition_format format;
    char name[DEFINITION_NAME_MAX];
    char id[DEFINITION_ID_BYTES];
    char *text; /* as it was given */
    size_t length;
    const struct definition_meaning *meaning;
    /* The caller's affair: filled between definition_compile and library_add, if at all. */
    char owner[64]; /* "uid:1000"; "" for nobody in particular */
    uint64_t created_ms;
    bool fixed;               /* from a directory of the administrator: not stored */
    _Atomic unsigned holders; /* written by definition_retain and definition_release only */
};

/* Returns "psvn" or "tws". */
const char *definition_format_word(enum definition_format format);
/* Returns false if the word names no format. */
bool definition_format_find(const char *word, enum definition_format *out);

/* Returns PZ_BAD_REQUEST with the rule unless the name begins with a lower-case letter, has only those,
 * digits,
 * '-' and '_', and is short enough. */
enum pz_status definition_check_name(const char *name, struct pz_error *error);

const struct definition *definition_retain(const struct definition *definition);
void definition_release(const struct definition *definition); /* NULL is fine */

/* Makes the space of a definition. setup->size may have options behind its first comma. */
enum pz_status definition_open(const struct definition *definition, const struct pz_setup *setup,
                               struct pz_space **out, struct pz_error *error);

#endif
