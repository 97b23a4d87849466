/* SPDX-License-Identifier: MIT */
#include "daemon/care/import_path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct path_player {
    const struct pz_space *space;
    uint64_t at[PZ_STATE_MAX / 8];
    uint8_t *successors, *tokens; /* both in one malloc'd block */
};

static enum pz_status wrong(uint64_t job, const char *what, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "job %" PRIu64 " of the dump contradicts its puzzle: %s", job, what);
}

/* Makes the move that has this word. Returns false if there is none. */
static bool make_move(struct path_player *player, const char *word, size_t length)
{
    const struct pz_space *space = player->space;
    char text[PZ_TEXT_MAX];
    const unsigned count =
        space->puzzle->expand(space, player->at, PZ_NO_TOKEN, player->successors, player->tokens);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *to = player->successors + (size_t)i * space->state_bytes;
        (void)space->puzzle->describe(space, player->at, to, text);
        if (strlen(text) != length || memcmp(text, word, length) != 0)
            continue;
        memcpy(player->at, to, space->state_bytes);
        return true;
    }
    return false;
}

/* Returns the length of the path's first word, and moves *path behind it and what separates it. */
static size_t next_word(const char **path, const char *separator)
{
    const char *end = *separator != '\0' ? strstr(*path, separator) : *path + 1;
    const size_t length = end != NULL ? (size_t)(end - *path) : strlen(*path);
    *path += length + (end != NULL ? strlen(separator) : 0);
    return length;
}

/* Returns how many moves the path has; -1 if one of them cannot be made. */
static int64_t play(struct path_player *player, const char *path)
{
    const char *separator = player->space->puzzle->separator != NULL ? player->space->puzzle->separator : "";
    int64_t moves = 0;
    while (*path != '\0') {
        const char *word = path;
        const size_t length = next_word(&path, separator);
        if (!make_move(player, word, length))
            return -1;
        moves++;
    }
    return moves;
}

static enum pz_status play_path(uint64_t job, const struct task *task, const char *path, int64_t moves,
                                struct pz_error *error)
{
    const struct pz_space *space = task->space;
    const size_t successors = (size_t)space->max_successors * space->state_bytes;
    struct path_player player = {.space = space, .successors = malloc(successors + space->max_successors)};
    if (player.successors == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to play a path");
    player.tokens = player.successors + successors;
    memcpy(player.at, task->state, sizeof player.at);
    const int64_t made = play(&player, path);
    const bool home = made >= 0 && space->puzzle->is_goal(space, player.at);
    free(player.successors);
    if (made < 0)
        return wrong(job, "a move of its path cannot be made", error);
    if (made != moves)
        return wrong(job, "its path has another number of moves", error);
    return home ? PZ_OK : wrong(job, "its path leads to no goal", error);
}

enum pz_status import_path_check(uint64_t job, const struct task *task, const struct reply *fields,
                                 struct pz_error *error)
{
    const struct pz_puzzle *puzzle = task->space->puzzle;
    const enum pz_answer known =
        puzzle->solvable != NULL ? puzzle->solvable(task->space, task->state) : PZ_UNKNOWN;
    const bool solved = reply_is(fields, "solvable", "yes");
    int64_t moves = -1;
    if (!solved && !reply_is(fields, "solvable", "no"))
        return wrong(job, "it is done without an answer", error);
    if (known == (solved ? PZ_NO : PZ_YES))
        return wrong(job, "its answer is the other one", error);
    if (!reply_integer(fields, "moves", &moves) || (moves >= 0) != solved)
        return wrong(job, "its answer lacks the moves", error);
    if (!solved || puzzle->expand == NULL)
        return PZ_OK;
    const char *path = reply_get(fields, "path");
    return path != NULL ? play_path(job, task, path, moves, error) : wrong(job, "it has no path", error);
}
