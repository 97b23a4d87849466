/* SPDX-License-Identifier: MIT */
/* Definitions from files, for the programs here that measure puzzles which are texts. */
#ifndef BENCH_TEXTS_H
#define BENCH_TEXTS_H

#include "space/text/formats.h"
#include "space/text/library.h"

#include <stdio.h>
#include <string.h>

/* Reads a file as a definition and puts it into the library. */
static inline bool define_file(const char *path, char name[DEFINITION_NAME_MAX])
{
    static unsigned number;
    static char text[DEFINITION_TEXT_MAX];
    struct pz_error error = {0};
    struct definition *definition = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    const char *dot = strrchr(path, '.');
    const bool tws = dot != NULL && strcmp(dot, ".tws") == 0;
    (void)snprintf(name, DEFINITION_NAME_MAX, "text%u", number++);
    if (definition_compile(tws ? DEFINITION_TWS : DEFINITION_PSVN, name, text, length, &definition, &error) !=
            PZ_OK ||
        library_add(definition, NULL, &error) != PZ_OK)
        (void)fprintf(stderr, "%s: %s\n", path, error.text);
    definition_release(definition);
    return definition != NULL;
}

#endif
