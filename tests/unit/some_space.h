/* SPDX-License-Identifier: MIT */
/* States and definitions of texts. */
#ifndef SOME_SPACE_H
#define SOME_SPACE_H

#include "test_support.h"

#include "space/registry.h"
#include "space/text/formats.h"
#include "space/text/library.h"

/* Reads a board into a state. */
static inline void parse_state(const struct pz_space *space, const char *text, void *state)
{
    struct pz_error error = {0};
    if (space->puzzle->parse(space, text, state, &error) != PZ_OK)
        fail_msg("%s: %s", text, error.text);
}

/* Reads a file of definitions/; the text stays until the next call. */
static inline const char *definition_text(const char *file)
{
    static char text[DEFINITION_TEXT_MAX + 1];
    FILE *in = test_data(text_of("../../definitions/%s", file));
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    (void)fclose(in);
    return text;
}

/* The caller releases it. */
static inline struct definition *definition_of(enum definition_format format, const char *name,
                                               const char *text)
{
    struct definition *definition = NULL;
    struct pz_error error = {0};
    assert_ok(definition_compile(format, name, text, strlen(text), &definition, &error), error);
    return definition;
}

/* Makes a text a puzzle of the library. */
static inline void define_text(enum definition_format format, const char *name, const char *text)
{
    struct pz_error error = {0};
    struct definition *definition = definition_of(format, name, text);
    assert_ok(library_add(definition, NULL, &error), error);
    definition_release(definition);
}

/* Opens a text that the library does not have; its size is "text". */
static inline struct pz_space *open_definition(enum definition_format format, const char *text,
                                               const struct pz_setup *setup)
{
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    struct definition *definition = definition_of(format, "text", text);
    assert_ok(definition_open(definition, setup, &space, &error), error);
    definition_release(definition);
    return space;
}

/* Opens a text by its name, and takes it out of the library again. */
static inline struct pz_space *open_defined(enum definition_format format, const char *name, const char *text,
                                            const char *goal)
{
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    define_text(format, name, text);
    assert_ok(space_open(name, &(const struct pz_setup){.goal = goal}, &space, &error), error);
    (void)library_remove(name);
    return space;
}

#endif
