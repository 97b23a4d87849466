/* SPDX-License-Identifier: MIT */
/* Finds the pieces that an earlier run left on disk, to resume where it was cut off. */
#include "explore/dense/pieces/disk/pieces_disk_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static enum pz_status missing(uint32_t level, uint32_t group, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "scratch space: the pieces of level %u from group %u on are missing",
                   level, group);
}

/* Puts a file behind those of its kept level. */
static bool deal_kept(struct disk_pieces *own, struct disk_file *file)
{
    struct kept_level *last = own->kept_levels > 0 ? &own->kept[own->kept_levels - 1] : NULL;
    if (last == NULL || last->level != file->level) {
        struct disk_place *place = calloc(own->base.size.groups, sizeof *place);
        if (place == NULL || !pieces_disk_keep(own, file->level, file, place)) {
            free(place);
            return false;
        }
        return true;
    }
    struct disk_file **end = &last->files;
    while (*end != NULL)
        end = &(*end)->next;
    *end = file;
    return true;
}

/* Sorts the files, which are in ascending order, by age, and removes those of other levels or of groups that
 * there are not. */
static void deal(struct disk_pieces *own, struct disk_file *file)
{
    struct disk_file **end[PIECE_AGES];
    for (unsigned age = 0; age < PIECE_AGES; age++)
        end[age] = &own->files[age];
    while (file != NULL) {
        struct disk_file *next = file->next;
        uint32_t age = file->level + PIECE_NEXT - own->level;
        const bool fits = file->end <= own->base.size.groups;
        file->next = NULL;
        if (age < PIECE_AGES && fits) {
            *end[age] = file;
            end[age] = &file->next;
        } else if (file->level >= own->level || !fits || !pieces_disk_keeps(own, file->level) ||
                   !deal_kept(own, file))
            (void)disk_file_remove(file);
        file = next;
    }
}

/* Returns the group after the last one that the files cover without a gap from first on. */
static uint32_t row_end(const struct disk_file *file, uint32_t first)
{
    for (; file != NULL && file->first == first; file = file->next)
        first = file->end;
    return first;
}

/* Removes the files of NEXT behind a gap: their groups are made again. Returns the first group that is not
 * done. */
static uint32_t drop_behind_gap(struct disk_pieces *own)
{
    struct disk_file **at = &own->files[PIECE_NEXT];
    uint32_t end = 0;
    for (; *at != NULL && (*at)->first == end; at = &(*at)->next)
        end = (*at)->end;
    while (*at != NULL) {
        struct disk_file *next = (*at)->next;
        (void)disk_file_remove(*at);
        *at = next;
    }
    return end;
}

/* Removes the files of BEFORE whose groups are all done, as the run would have done. */
static void drop_replaced(struct disk_pieces *own, uint32_t done)
{
    struct disk_file **at = &own->files[PIECE_BEFORE];
    if (pieces_disk_keeps_age(own, PIECE_BEFORE))
        return;
    while (*at != NULL && (*at)->end <= done) {
        struct disk_file *next = (*at)->next;
        (void)disk_file_remove(*at);
        *at = next;
    }
}

/* Reads the headers of a file's pieces, one after the other. age: of the level, PIECE_AGES for a kept one. */
static enum pz_status find_places(struct disk_pieces *own, struct disk_file *file, struct disk_place *place,
                                  enum piece_age age, struct pz_error *error)
{
    struct piece_header *piece = own->in[0][0].own;
    size_t head = disk_aligned(piece_chunks_at(&own->base.size));
    for (uint64_t offset = 0; offset < file->bytes; offset += piece->length) {
        ssize_t got = pread(file->descriptor, piece, head, (off_t)offset);
        if (got < 0)
            return scratch_failed(own->store, errno, "read a piece", error);
        if ((size_t)got < piece_chunks_at(&own->base.size) || piece->group < file->first ||
            piece->group >= file->end || piece->length > file->bytes - offset ||
            piece->length > own->piece_bytes || piece->length % DISK_ALIGN != 0 ||
            !piece_is_sound(piece, &own->base.size, file->level, piece->group, piece->length))
            return pz_fail(error, PZ_STORAGE, "scratch space: a piece of level %u is damaged", file->level);
        place[piece->group] = (struct disk_place){.file = file, .offset = offset, .length = piece->length};
        if (age == PIECE_AGES)
            continue;
        own->base.states[age][piece->group] = piece->states;
        pieces_add_tally(&own->base, age, &piece->tally);
    }
    return PZ_OK;
}

static enum pz_status check_rows(struct disk_pieces *own, struct pz_error *error)
{
    uint32_t groups = own->base.size.groups;
    uint32_t now = own->level - 1;
    own->covered = drop_behind_gap(own);
    drop_replaced(own, own->covered);
    if (row_end(own->files[PIECE_NOW], 0) != groups)
        return missing(now, row_end(own->files[PIECE_NOW], 0), error);
    const struct disk_file *before = own->files[PIECE_BEFORE];
    uint32_t first = before != NULL && before->first < own->covered ? before->first : own->covered;
    if (now > 0 && row_end(before, first) != groups)
        return missing(now - 1, row_end(before, first), error);
    return PZ_OK;
}

/* Every level that is kept must be there, whole. */
static enum pz_status find_kept(struct disk_pieces *own, struct pz_error *error)
{
    uint32_t found = 0;
    enum pz_status status = PZ_OK;
    for (uint32_t level = 0; level + 2 < own->level && status == PZ_OK; level++) {
        const struct kept_level *kept = &own->kept[found];
        if (!pieces_disk_keeps(own, level))
            continue;
        uint32_t end = found < own->kept_levels && kept->level == level ? row_end(kept->files, 0) : 0;
        if (end != own->base.size.groups)
            return missing(level, end, error);
        for (struct disk_file *file = kept->files; file != NULL && status == PZ_OK; file = file->next)
            status = find_places(own, file, kept->place, PIECE_AGES, error);
        found++;
    }
    return status;
}

enum pz_status pieces_disk_find(struct pieces *pieces, uint32_t now, uint32_t *done, struct pz_error *error)
{
    struct disk_pieces *own = (struct disk_pieces *)pieces;
    struct disk_file *files = NULL;
    enum pz_status status = disk_files_find(&own->shared, &files, error);
    own->level = now + 1;
    deal(own, files);
    if (status == PZ_OK)
        status = check_rows(own, error);
    for (enum piece_age age = PIECE_BEFORE; age < PIECE_AGES; age++)
        for (struct disk_file *file = own->files[age]; file != NULL && status == PZ_OK; file = file->next)
            status = find_places(own, file, own->place[age], age, error);
    if (status == PZ_OK)
        status = find_kept(own, error);
    own->base.lasting = true; /* only lasting files have a checkpoint */
    *done = own->covered;
    return status;
}
