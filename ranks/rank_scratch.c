/* SPDX-License-Identifier: MIT */
#include "rank_scratch.h"

#include "base/own_files.h"
#include "base/status_word.h"
#include "explore/disk/scratch_store.h"
#include "explore/exchange/frame.h"
#include "folders.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SHARE_BYTES = 32 << 10, /* of the place, sent to all at a time */
    PLACE_MOST = 1 << 30    /* bytes of a place: some hundred for each group and level are usual */
};

/* A place begins with this; the length and the bytes of each part follow. It holds the number of ranks: with
 * another number, ranks would not find their pieces. To change the format, change the magic. */
struct scratch_head {
    char magic[8];
    uint64_t seal; /* XXH3-64 of all that follows */
    uint64_t ranks;
};
static const char place_magic[8] = "pzranks2", place_name[] = "place", place_new[] = "place.new";

/* Another exploration by the same --scratch must not end what was cut off. A daemon's has a folder of its
 * own. */
static const char advice[] = "take another --scratch, or remove the file 'place' in it to begin anew";

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
    struct scratch_head head = {.ranks = scratch->exchange->ranks};
    memcpy(head.magic, place_magic, sizeof head.magic);
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

/* Returns the seal of a place that is whole. */
static uint64_t seal_of_place(const struct scratch *scratch)
{
    const size_t begin = offsetof(struct scratch_head, ranks);
    assert(scratch->used >= sizeof(struct scratch_head));
    return disk_hash(scratch->bytes + begin, scratch->used - begin);
}

/* Returns an errno. */
static int write_place(const struct scratch *scratch)
{
    const uint64_t seal = seal_of_place(scratch);
    memcpy(scratch->bytes + offsetof(struct scratch_head, seal), &seal, sizeof seal);
    const int file = own_file_open(scratch->place, place_new, O_WRONLY | O_CREAT | O_TRUNC);
    int failure = file < 0 ? errno : disk_transfer(true, file, scratch->bytes, scratch->used, 0);
    if (failure == 0 && fdatasync(file) != 0)
        failure = errno;
    if (file >= 0)
        (void)close(file);
    if (failure == 0 &&
        (renameat(scratch->place, place_new, scratch->place, place_name) != 0 || fsync(scratch->place) != 0))
        failure = errno;
    return failure;
}

static enum pz_status place_failed(const struct scratch *scratch, int failure, struct pz_error *error)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%.*s/%s", PATH_MAX - FOLDERS_ROOM, scratch->directory, place_name);
    return status_from_errno(error, failure, path);
}

/* The new place replaces the old one at once, or not at all. */
static enum pz_status scratch_save(const struct scratch *scratch, struct pz_error *error)
{
    if (scratch->failed)
        return pz_fail(error, PZ_MEMORY, "no memory for the ranks' place");
    if (scratch->used > PLACE_MOST)
        return pz_fail(error, PZ_TOO_LARGE, "the ranks' place has %zu bytes, at most %d can be read again",
                       scratch->used, PLACE_MOST);
    const int failure = write_place(scratch);
    return failure == 0 ? PZ_OK : place_failed(scratch, failure, error);
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
    const int file = own_file_open(scratch->place, place_name, O_RDONLY);
    while (file >= 0 && (length = read(file, bytes, sizeof bytes)) > 0)
        scratch_add(scratch, bytes, (size_t)length);
    if (length < 0 || (file < 0 && errno != ENOENT))
        status = place_failed(scratch, errno, error);
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
    struct scratch_head head = {.ranks = 0};
    uint64_t length = 0;
    share(scratch);
    *parts = 0;
    enum pz_status status =
        scratch->failed ? pz_fail(error, PZ_MEMORY, "no memory for the ranks' place") : PZ_OK;
    status = agree_status(scratch->exchange, status, NULL, error);
    if (status != PZ_OK)
        return status;
    if (scratch->used == 0)
        return PZ_NO_TABLE;
    if (scratch->used >= sizeof head)
        memcpy(&head, scratch->bytes, sizeof head);
    if (memcmp(head.magic, place_magic, sizeof head.magic) != 0 || head.seal != seal_of_place(scratch))
        return pz_fail(error, PZ_STORAGE, "the ranks' place is damaged, or of another version");
    if (head.ranks != scratch->exchange->ranks)
        return scratch->has_job ? PZ_NO_TABLE
                                : pz_fail(error, PZ_STORAGE, "it is of %" PRIu64 " ranks", head.ranks);
    while (find_part(scratch, *parts, &length) != NULL)
        (*parts)++;
    return PZ_OK;
}

static enum pz_status scratch_read_part(void *context, uint64_t number, const void **bytes, size_t *length,
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
    *scratch = (struct scratch){.exchange = exchange, .has_job = job > 0, .lock = -1, .place = -1};
    scratch->calls = (struct explore_checkpoint){.context = scratch,
                                                 .begin = begin_saving,
                                                 .part = part,
                                                 .commit = commit,
                                                 .abort = give_up,
                                                 .open = open_place,
                                                 .read = scratch_read_part,
                                                 .close = close_place,
                                                 .advice = job > 0 ? NULL : advice};
    enum pz_status status = folders_name(directory, job, scratch->directory, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(scratch->own, PATH_MAX, "%.*s/rank-%u", PATH_MAX - FOLDERS_ROOM, scratch->directory,
                   exchange->rank);
    status = folders_check(directory, error);
    if (status == PZ_OK && job > 0)
        status = folders_make(scratch->directory, error);
    if (status == PZ_OK)
        status = folders_lock(scratch->own, job > 0, &scratch->lock, error);
    if (status == PZ_OK && exchange->rank == 0)
        status = own_directory_open(scratch->directory, job > 0 ? 0 : OWN_BY_LINK, &scratch->place, error);
    return status == PZ_OK && exchange->rank == 0 ? scratch_load(scratch, error) : status;
}

enum pz_status scratch_spare(const struct scratch *scratch, struct pz_error *error)
{
    if (scratch->used == 0 || scratch->has_job)
        return PZ_OK;
    return pz_fail(error, PZ_STORAGE, "%.300s holds an exploration that was cut off; %s", scratch->directory,
                   advice);
}

void scratch_close(struct scratch *scratch, bool done)
{
    if (scratch->exchange == NULL)
        return;
    if (done && scratch->exchange->rank == 0)
        (void)unlinkat(scratch->place, place_name, 0);
    if (scratch->place >= 0)
        (void)close(scratch->place);
    if (done)
        own_directory_remove(scratch->own);
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
