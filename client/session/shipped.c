/* SPDX-License-Identifier: MIT */
#include "client/session/shipped.h"

#include "protocol/text/option_table.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool shipped_path(const char *shared, const char *in_tree, const char *file, char path[PATH_MAX])
{
    char directory[PATH_MAX], found[PATH_MAX + 256];
    program_directory(directory);
    const struct {
        const char *from, *way, *folder;
    } places[] = {{directory, "/../share/", shared},
                  {directory, "/../../../", in_tree},
                  {PUZZLECTL_SHARE, "/", shared}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        (void)snprintf(found, sizeof found, "%s%s%s/%.100s", places[i].from, places[i].way, places[i].folder,
                       file);
        if (realpath(found, path) != NULL)
            return true;
    }
    (void)snprintf(path, PATH_MAX, "%s/%s/%.100s", PUZZLECTL_SHARE, shared, file);
    return false;
}

bool shipped_definition(const char *puzzle, char path[PATH_MAX])
{
    static const char *const endings[] = {"tws", "psvn"};
    char file[64];
    const size_t length = strcspn(puzzle, ":,");
    if (length == 0 || length > 32 || strspn(puzzle, "abcdefghijklmnopqrstuvwxyz0123456789-_") < length)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        (void)snprintf(file, sizeof file, "%.*s.%s", (int)length, puzzle, endings[i]);
        if (shipped_path("puzzled/definitions", "definitions", file, path))
            return true;
    }
    return false;
}

static int is_shipped_text(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending != NULL && (strcmp(ending, ".tws") == 0 || strcmp(ending, ".psvn") == 0);
}

void shipped_names(struct text *names)
{
    char folder[PATH_MAX];
    struct dirent **files = NULL;
    const int count = shipped_path("puzzled/definitions", "definitions", ".", folder)
                          ? scandir(folder, &files, is_shipped_text, alphasort)
                          : 0;
    for (int i = 0; i < count; i++) {
        text_format(names, "%s%.*s", i > 0 ? " " : "", (int)strcspn(files[i]->d_name, "."), files[i]->d_name);
        free(files[i]);
    }
    free(files);
}
