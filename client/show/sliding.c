/* SPDX-License-Identifier: MIT */
#include "client/show/sliding.h"

#include "board/board.h"
#include "puzzled/status.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

bool sliding_grid(const char *puzzle, struct grid *grid)
{
    struct pz_error ignored;
    const char *colon = strchr(puzzle, ':');
    if (colon != NULL &&
        ((size_t)(colon - puzzle) != strlen("slide") || strncasecmp(puzzle, "slide", 5) != 0))
        return false;
    return grid_parse(grid, colon == NULL ? puzzle : colon + 1, &ignored) == PZ_OK;
}

bool sliding_tiles(const char *puzzle, struct grid *grid)
{
    static const char *const metrics[] = {",metric:multi", ",metric:single"};
    char bare[64];
    size_t length = strcspn(puzzle, ",");
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        length += strcmp(puzzle + length, metrics[i]) == 0 ? strlen(metrics[i]) : 0;
    if (puzzle[length] != '\0')
        return false;
    (void)snprintf(bare, sizeof bare, "%.*s", (int)strcspn(puzzle, ","), puzzle);
    return sliding_grid(bare, grid);
}

bool sliding_shuffles(const char *puzzle, struct grid *grid)
{
    return sliding_tiles(puzzle, grid) && grid->rows > 1 && grid->columns > 1;
}

const char *sliding_direction(char letter, enum direction *direction)
{
    static const struct {
        const char *name;
        enum direction direction;
        char letter;
    } directions[] = {{"up", DIRECTION_UP, 'U'},
                      {"down", DIRECTION_DOWN, 'D'},
                      {"left", DIRECTION_LEFT, 'L'},
                      {"right", DIRECTION_RIGHT, 'R'}};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        if (directions[i].letter != letter)
            continue;
        *direction = directions[i].direction;
        return directions[i].name;
    }
    return NULL;
}

/* splitmix64 (Steele, Lea and Flood 2014) */
static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

unsigned sliding_below(uint64_t *seed, unsigned bound)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t number = next_random(seed);
    while (number >= limit)
        number = next_random(seed);
    return (unsigned)(number % bound);
}

static void swap(struct board *board, unsigned a, unsigned b)
{
    uint8_t tile = board->tile[a];
    board->tile[a] = board->tile[b];
    board->tile[b] = tile;
}

uint64_t sliding_seed(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Exchanges two tiles of an unreachable board, which maps these one to one onto the reachable ones. */
void sliding_random(const struct grid *grid, uint64_t *seed, const struct board *goal, struct board *board)
{
    struct board usual;
    board_default_goal(grid, &usual);
    *board = usual;
    for (unsigned cell = grid->cells - 1; cell > 0; cell--)
        swap(board, cell, sliding_below(seed, cell + 1));
    if (board_reach(grid, board, goal != NULL ? goal : &usual) == BOARD_REACHED)
        return;
    unsigned first = board->tile[0] == BOARD_BLANK ? 1 : 0;
    swap(board, first, board->tile[first + 1] == BOARD_BLANK ? first + 2 : first + 1);
}
