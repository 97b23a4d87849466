/* SPDX-License-Identifier: MIT */
#include "client/session/shipped.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the directory of the running program, "" if nobody knows it. */
static void find_program_directory(char directory[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
    directory[length > 0 ? length : 0] = '\0';
    char *name = strrchr(directory, '/');
    if (name != NULL)
        *name = '\0';
}

bool shipped_path(const char *shared, const char *in_tree, const char *file, char path[PATH_MAX])
{
    char directory[PATH_MAX], found[PATH_MAX + 256];
    find_program_directory(directory);
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
