/* SPDX-License-Identifier: MIT */
#include "daemon/care/import_path.h"

#include "space/path_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum pz_status wrong(uint64_t job, const char *what, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "job %" PRIu64 " of the dump contradicts its puzzle: %s", job, what);
}

/* Makes the moves of a path, and adds up what they cost. Returns how many there are; -1 if one of them cannot
 * be made. */
static int64_t play(const struct pz_space *space, const char *path, void *room, void *at, uint64_t *cost)
{
    int64_t moves = 0;
    for (; *path != '\0'; moves++) {
        const char *word = path;
        const size_t length = path_words_next(space, &path);
        if (!path_words_move(space, word, length, room, at, cost))
            return -1;
    }
    return moves;
}

static enum pz_status play_path(uint64_t job, const struct task *task, const struct reply *fields,
                                const char *path, int64_t moves, struct pz_error *error)
{
    const struct pz_space *space = task->space;
    uint64_t at[PZ_STATE_MAX / 8];
    void *room = malloc(path_words_room(space));
    if (room == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to play a path");
    memcpy(at, task->state, sizeof at);
    uint64_t cost = 0;
    int64_t told = 0;
    const int64_t made = play(space, path, room, at, &cost);
    const bool home = made >= 0 && space->puzzle->is_goal(space, at);
    free(room);
    if (made < 0)
        return wrong(job, "a move of its path cannot be made", error);
    if (made != moves)
        return wrong(job, "its path has another number of moves", error);
    if ((space->flags & PZ_COSTS) != 0 && (!reply_integer(fields, "cost", &told) || (uint64_t)told != cost))
        return wrong(job, "its path has another cost", error);
    return home ? PZ_OK : wrong(job, "its path leads to no goal", error);
}

enum pz_status import_path_check(const struct job_record *record, const struct task *task,
                                 const struct reply *fields, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = task->space->puzzle;
    const enum pz_answer known =
        puzzle->solvable != NULL ? puzzle->solvable(task->space, task->state) : PZ_UNKNOWN;
    const struct job_facts *facts = &record->facts;
    const uint64_t job = record->id;
    const bool solved = facts->solvable == PZ_YES;
    if (facts->method == METHOD_AUTO || facts->solvable == PZ_UNKNOWN)
        return wrong(job, "it is done without an answer", error);
    if (known == (solved ? PZ_NO : PZ_YES))
        return wrong(job, "its answer is the other one", error);
    if ((facts->moves >= 0) != solved)
        return wrong(job, "its answer lacks the moves", error);
    if (!solved || puzzle->expand == NULL)
        return PZ_OK;
    const char *path = reply_get(fields, "path");
    return path != NULL ? play_path(job, task, fields, path, facts->moves, error)
                        : wrong(job, "it has no path", error);
}
