/* SPDX-License-Identifier: MIT */
/* A sync that stands still, so that nothing is committed, while the file that PUZZLED_TEST_DISK_STOP names
 * exists; one that fails while the file that PUZZLED_TEST_DISK_FAIL names does, for want of room if that file
 * is not empty. Defined in the program, it takes the place of the C library's. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_there(const char *variable)
{
    const char *name = getenv(variable); // NOLINT(concurrency-mt-unsafe): nobody sets it here
    return name != NULL && access(name, F_OK) == 0;
}

int fdatasync(int fildes)
{
    while (is_there("PUZZLED_TEST_DISK_STOP"))
        (void)usleep(1000);
    if (is_there("PUZZLED_TEST_DISK_FAIL")) {
        struct stat file;
        // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it here
        errno = stat(getenv("PUZZLED_TEST_DISK_FAIL"), &file) == 0 && file.st_size > 0 ? ENOSPC : EIO;
        return -1;
    }
    return (int)syscall(SYS_fdatasync, fildes);
}
