/* SPDX-License-Identifier: MIT */
#include "explore/disk/disk_file_calls.h"

#include "base/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
/* Hashes in the widest registers of this processor, where the library has that. */
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

int disk_open_direct(int directory, const char *name, int flags)
{
    flags |= O_RDWR;
    int file = own_file_open(directory, name, flags | O_DIRECT);
    return file < 0 && errno == EINVAL ? own_file_open(directory, name, flags) : file;
}

int disk_transfer(bool writes, int file, void *bytes, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        uint8_t *rest = (uint8_t *)bytes + done;
        const off_t at = (off_t)(offset + done);
        const ssize_t moved =
            writes ? pwrite(file, rest, length - done, at) : pread(file, rest, length - done, at);
        if (moved == 0)
            return writes ? ENOSPC : ENODATA;
        if (moved < 0 && errno != EINTR)
            return errno;
        done += moved > 0 ? (size_t)moved : 0;
    }
    return 0;
}

uint64_t disk_hash(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

enum pz_status disk_failed(int failure, const char *what, struct pz_error *error)
{
    enum pz_status status = failure == ENOSPC || failure == EDQUOT ? PZ_STORAGE_FULL : PZ_STORAGE;
    return pz_fail(error, status, "scratch space: cannot %s: %s", what, strerrordesc_np(failure));
}
