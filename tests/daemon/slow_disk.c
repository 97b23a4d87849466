/* SPDX-License-Identifier: MIT */
/* A sync that stands still: while the file that PUZZLED_TEST_DISK_STOP names exists it does not return, so
 * nothing is committed. Defined in the program, it takes the place of the C library's. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int fdatasync(int fildes)
{
    const char *stop = getenv("PUZZLED_TEST_DISK_STOP"); // NOLINT(concurrency-mt-unsafe): nobody sets it here
    while (stop != NULL && access(stop, F_OK) == 0)
        (void)usleep(1000);
    return (int)syscall(SYS_fdatasync, fildes);
}
