/* SPDX-License-Identifier: MIT */
#include "space/reason.h"

#include "space/jugs/jugs.h"
#include "space/klotski/klotski.h"
#include "space/slide/slide.h"
#include "space/sokoban/sokoban.h"

#include <stdio.h>
#include <string.h>

typedef void reason_function(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);

/* The built-in puzzles that have a solvable(). No plugin can have their names. */
static const struct {
    const char *puzzle;
    reason_function *write;
} reasons[] = {{"slide", slide_reason},
               {"jugs", jugs_reason},
               {"sokoban", sokoban_reason},
               {"rushhour", rushhour_reason}};

void space_written(const struct pz_space *space, const char *text, char out[SPACE_WRITTEN_MAX])
{
    unsigned row = 0, column = 0;
    const bool cars = strcmp(space->puzzle->name, "rushhour") == 0;
    const char leaver = (char)(cars ? rushhour_leaver(space, text) : '\0');
    *out = '\0';
    if (leaver != '\0')
        (void)snprintf(out, SPACE_WRITTEN_MAX, " leaves=%c", leaver);
    else if (strcmp(space->puzzle->name, "sokoban") == 0 && sokoban_player(space, text, &row, &column))
        (void)snprintf(out, SPACE_WRITTEN_MAX, " player=%u.%u", row, column);
}

char *space_lurd(const struct pz_space *space, const char *text, const char *path)
{
    return strcmp(space->puzzle->name, "sokoban") == 0 ? sokoban_lurd(space, text, path) : NULL;
}

enum pz_status space_read_lurd(const struct pz_space *space, const char *text, const char *letters,
                               char **path, struct pz_error *error)
{
    *path = NULL;
    return strcmp(space->puzzle->name, "sokoban") == 0 ? sokoban_read_lurd(space, text, letters, path, error)
                                                       : PZ_OK;
}

bool space_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX])
{
    const struct pz_puzzle *puzzle = space->puzzle;
    if (puzzle->solvable == NULL || puzzle->solvable(space, start) != PZ_NO)
        return (puzzle == &klotski_puzzle || puzzle == &rushhour_puzzle) && klotski_reason(space, start, out);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(puzzle->name, reasons[i].puzzle) == 0) {
            reasons[i].write(space, start, out);
            return true;
        }
    (void)snprintf(out, PZ_TEXT_MAX, "a rule of the puzzle decides it without a search");
    return true;
}
