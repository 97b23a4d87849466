/* SPDX-License-Identifier: MIT */
/* Finds the pieces that an earlier run left on disk, to resume where it was cut off. */
#include "explore/pieces/pieces_disk.h"

#include <errno.h>
#include <unistd.h>

static enum pz_status missing(uint32_t level, uint32_t group, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "scratch space: the pieces of level %u from group %u on are missing",
                   level, group);
}

/* Sorts the files by age, and removes those of other levels. */
static void deal(struct disk_pieces *own, struct disk_file *file)
{
    struct disk_file **end[PIECE_AGES];
    for (unsigned age = 0; age < PIECE_AGES; age++)
        end[age] = &own->files[age];
    while (file != NULL) {
        struct disk_file *next = file->next;
        uint32_t age = file->level + PIECE_NEXT - own->level;
        file->next = NULL;
        if (age < PIECE_AGES) {
            *end[age] = file;
            end[age] = &file->next;
        } else
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

/* Removes the files of BEFORE whose groups are all done, as the run would have done. */
static void drop_replaced(struct disk_pieces *own, uint32_t done)
{
    struct disk_file **at = &own->files[PIECE_BEFORE];
    while (*at != NULL && (*at)->end <= done) {
        struct disk_file *next = (*at)->next;
        (void)disk_file_remove(*at);
        *at = next;
    }
}

/* Reads the headers of a file's pieces, one after the other. */
static enum pz_status find_places(struct disk_pieces *own, enum piece_age age, struct disk_file *file,
                                  struct pz_error *error)
{
    struct piece_header *piece = own->in[0][0].piece;
    size_t head = (piece_chunks_at(&own->base.size) + PIECE_ALIGN - 1) / PIECE_ALIGN * PIECE_ALIGN;
    for (uint64_t offset = 0; offset < file->bytes; offset += piece->length) {
        ssize_t got = pread(file->descriptor, piece, head, (off_t)offset);
        if (got < 0)
            return disk_failed(errno, "read a piece", error);
        if ((size_t)got < piece_chunks_at(&own->base.size) || piece->group < file->first ||
            piece->group >= file->end || piece->length > file->bytes - offset ||
            !piece_is_sound(piece, &own->base.size, file->level, piece->group, piece->length))
            return pz_fail(error, PZ_STORAGE, "scratch space: a piece of level %u is damaged", file->level);
        own->place[age][piece->group] =
            (struct place){.file = file, .offset = offset, .length = piece->length};
        own->base.states[age][piece->group] = piece->states;
    }
    return PZ_OK;
}

static enum pz_status check_rows(struct disk_pieces *own, struct pz_error *error)
{
    uint32_t groups = own->base.size.groups;
    uint32_t now = own->level - 1;
    own->covered = row_end(own->files[PIECE_NEXT], 0);
    drop_replaced(own, own->covered);
    if (row_end(own->files[PIECE_NOW], 0) != groups)
        return missing(now, row_end(own->files[PIECE_NOW], 0), error);
    const struct disk_file *before = own->files[PIECE_BEFORE];
    uint32_t first = before != NULL && before->first < own->covered ? before->first : own->covered;
    if (now > 0 && row_end(before, first) != groups)
        return missing(now - 1, row_end(before, first), error);
    return PZ_OK;
}

enum pz_status pieces_disk_find(struct disk_pieces *own, uint32_t now, uint32_t *done, struct pz_error *error)
{
    struct disk_file *files = NULL;
    enum pz_status status = disk_files_find(&own->shared, &files, error);
    own->level = now + 1;
    deal(own, files);
    if (status == PZ_OK)
        status = check_rows(own, error);
    for (enum piece_age age = PIECE_BEFORE; age < PIECE_AGES; age++)
        for (struct disk_file *file = own->files[age]; file != NULL && status == PZ_OK; file = file->next)
            status = find_places(own, age, file, error);
    *done = own->covered;
    own->figures.disk_peak = atomic_load_explicit(&own->shared.live, memory_order_relaxed);
    return status;
}
