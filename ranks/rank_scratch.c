/* SPDX-License-Identifier: MIT */
#include "rank_scratch.h"

#include "base/status_word.h"
#include "explore/exchange/agree.h"
#include "explore/exchange/frame.h"
#include "folders.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SHARE_BYTES = 32 << 10, /* of the place, told to all at a time */
    PLACE_MOST = 1 << 30    /* bytes of a place: some hundred for each group and level are usual */
};

/* A place begins with this; the length and the bytes of each part follow. It holds the number of ranks: with
 * another number, ranks would not find their pieces. */
struct scratch_head {
    char magic[8];
    uint64_t ranks;
};

/* ---- a growing place ---- */

static void scratch_add(struct scratch *scratch, const void *bytes, size_t length)
{
    assert(scratch->used <= scratch->room && (scratch->bytes != NULL || scratch->room == 0));
    size_t needs = scratch->used + length;
    if (needs > scratch->room) {
        unsigned char *more = realloc(scratch->bytes, 2 * needs);
        scratch->failed = scratch->failed || more == NULL;
        if (more == NULL)
            return;
        scratch->bytes = more;
        scratch->room = 2 * needs;
    }
    memcpy(scratch->bytes + scratch->used, bytes, length);
    scratch->used += length;
}

static enum pz_status begin_saving(void *context, uint64_t bytes, struct pz_error *error)
{
    struct scratch *scratch = context;
    struct scratch_head head = {.magic = "pzranks1", .ranks = scratch->exchange->ranks};
    (void)bytes;
    (void)error;
    scratch->used = 0;
    scratch->failed = false;
    scratch_add(scratch, &head, sizeof head);
    return PZ_OK;
}

/* A failure is reported at the commit, where all ranks agree. */
static enum pz_status part(void *context, const void *bytes, size_t length, struct pz_error *error)
{
    struct scratch *scratch = context;
    const uint64_t prefix = length;
    assert(scratch->failed || scratch->used >= sizeof(struct scratch_head)); /* begin_saving came before */
    (void)error;
    scratch_add(scratch, &prefix, sizeof prefix);
    scratch_add(scratch, bytes, length);
    return PZ_OK;
}

static enum pz_status write_all(const struct scratch *scratch, const char *path, struct pz_error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t done = 0;
    while (file >= 0 && done < scratch->used) {
        ssize_t wrote = write(file, scratch->bytes + done, scratch->used - done);
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    enum pz_status status = PZ_OK;
    if (file < 0 || done < scratch->used || fdatasync(file) != 0)
        status = status_from_errno(error, errno, path);
    if (file >= 0)
        (void)close(file);
    return status;
}

/* The new place replaces the old one at once, or not at all. */
static enum pz_status scratch_save(const struct scratch *scratch, struct pz_error *error)
{
    char fresh[PATH_MAX + 8];
    (void)snprintf(fresh, sizeof fresh, "%s.new", scratch->place);
    enum pz_status status = PZ_OK;
    if (scratch->failed)
        status = pz_fail(error, PZ_MEMORY, "no memory for the ranks' place");
    else if (scratch->used > PLACE_MOST)
        status = pz_fail(error, PZ_TOO_LARGE, "the ranks' place has %zu bytes, at most %d can be read again",
                         scratch->used, PLACE_MOST);
    else
        status = write_all(scratch, fresh, error);
    if (status == PZ_OK && rename(fresh, scratch->place) != 0)
        status = status_from_errno(error, errno, scratch->place);
    int directory = open(scratch->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (status == PZ_OK && (directory < 0 || fsync(directory) != 0))
        status = status_from_errno(error, errno, scratch->directory);
    if (directory >= 0)
        (void)close(directory);
    return status;
}

static enum pz_status commit(void *context, struct pz_error *error)
{
    struct scratch *scratch = context;
    enum pz_status status = scratch->exchange->rank == 0 ? scratch_save(scratch, error) : PZ_OK;
    return agree_status(scratch->exchange, status, NULL, error);
}

static void give_up(void *context)
{
    (void)context;
}

/* ---- reading ---- */

/* Reads the file. A missing file counts as empty; a file that cannot be read is an error, because it would
 * be overwritten. */
static enum pz_status scratch_load(struct scratch *scratch, struct pz_error *error)
{
    unsigned char bytes[SHARE_BYTES];
    ssize_t length = 0;
    enum pz_status status = PZ_OK;
    int file = open(scratch->place, O_RDONLY | O_CLOEXEC);
    while (file >= 0 && (length = read(file, bytes, sizeof bytes)) > 0)
        scratch_add(scratch, bytes, (size_t)length);
    if (length < 0 || (file < 0 && errno != ENOENT))
        status = status_from_errno(error, errno, scratch->place);
    else if (scratch->failed)
        status = pz_fail(error, PZ_MEMORY, "no memory for the ranks' place");
    if (file >= 0)
        (void)close(file);
    return status;
}

/* Gives all ranks what rank 0 has read in scratch_open. */
static void share(struct scratch *scratch)
{
    const struct exchange *exchange = scratch->exchange;
    unsigned char bytes[SHARE_BYTES] = {0};
    uint64_t length = scratch->used;
    length = *(const uint64_t *)frame_gather(exchange, FRAME_PLACE, &length, sizeof length);
    if (length > PLACE_MOST)
        frame_fail(exchange, 0, "a place that is too large");
    for (uint64_t at = 0; at < length; at += sizeof bytes) {
        size_t here = length - at < sizeof bytes ? (size_t)(length - at) : sizeof bytes;
        if (exchange->rank == 0)
            memcpy(bytes, scratch->bytes + at, here);
        const void *all = frame_gather(exchange, FRAME_PLACE, bytes, sizeof bytes);
        if (exchange->rank != 0)
            scratch_add(scratch, all, here);
    }
}

/* Returns the part of a number; NULL if there is none. */
static const unsigned char *find_part(const struct scratch *scratch, uint64_t number, uint64_t *length)
{
    size_t at = sizeof(struct scratch_head);
    for (uint64_t i = 0; at + sizeof *length <= scratch->used; i++, at += *length) {
        memcpy(length, scratch->bytes + at, sizeof *length);
        at += sizeof *length;
        if (*length > scratch->used - at)
            return NULL;
        if (i == number)
            return scratch->bytes + at;
    }
    return NULL;
}

static enum pz_status open_place(void *context, uint64_t *parts, struct pz_error *error)
{
    struct scratch *scratch = context;
    struct scratch_head head;
    uint64_t length = 0;
    share(scratch);
    *parts = 0;
    enum pz_status status =
        scratch->failed ? pz_fail(error, PZ_MEMORY, "no memory for the ranks' place") : PZ_OK;
    status = agree_status(scratch->exchange, status, NULL, error);
    if (status != PZ_OK)
        return status;
    if (scratch->used < sizeof head)
        return PZ_NO_TABLE;
    memcpy(&head, scratch->bytes, sizeof head);
    if (memcmp(head.magic, "pzranks1", sizeof head.magic) != 0 || head.ranks != scratch->exchange->ranks)
        return PZ_NO_TABLE;
    while (find_part(scratch, *parts, &length) != NULL)
        (*parts)++;
    return PZ_OK;
}

static enum pz_status read_part(void *context, uint64_t number, const void **bytes, size_t *length,
                                struct pz_error *error)
{
    uint64_t found = 0;
    *bytes = find_part(context, number, &found);
    *length = (size_t)found;
    return *bytes != NULL ? PZ_OK : pz_fail(error, PZ_STORAGE, "the ranks' place is cut");
}

static void close_place(void *context)
{
    struct scratch *scratch = context;
    scratch->used = 0;
}

/* ---- life ---- */

enum pz_status scratch_open(struct scratch *scratch, const struct exchange *exchange, const char *directory,
                            uint64_t job, struct pz_error *error)
{
    *scratch = (struct scratch){.exchange = exchange, .has_job = job > 0, .lock = -1};
    scratch->calls = (struct explore_checkpoint){.context = scratch,
                                                 .begin = begin_saving,
                                                 .part = part,
                                                 .commit = commit,
                                                 .abort = give_up,
                                                 .open = open_place,
                                                 .read = read_part,
                                                 .close = close_place};
    enum pz_status status = folders_name(directory, job, scratch->directory, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(scratch->own, PATH_MAX, "%.*s/rank-%u", PATH_MAX - FOLDERS_ROOM, scratch->directory,
                   exchange->rank);
    (void)snprintf(scratch->place, PATH_MAX, "%.*s/place", PATH_MAX - FOLDERS_ROOM, scratch->directory);
    if (job > 0)
        status = folders_make(scratch->directory, error);
    if (status == PZ_OK)
        status = folders_lock(scratch->own, job > 0, &scratch->lock, error);
    return status == PZ_OK && exchange->rank == 0 ? scratch_load(scratch, error) : status;
}

void scratch_close(struct scratch *scratch, bool done)
{
    if (scratch->exchange == NULL)
        return;
    if (done && scratch->exchange->rank == 0)
        (void)unlink(scratch->place);
    if (done)
        folders_remove(scratch->own);
    if (scratch->lock >= 0) {
        (void)rmdir(scratch->own); /* if nothing is in it */
        (void)close(scratch->lock);
    }
    if (done)
        (void)folders_remove_ranks(scratch->directory); /* of a run with more ranks, which was cut off */
    if (scratch->has_job)
        (void)rmdir(scratch->directory); /* the last rank on this machine succeeds */
    free(scratch->bytes);
    *scratch = (struct scratch){0};
}
