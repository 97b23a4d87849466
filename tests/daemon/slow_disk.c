/* SPDX-License-Identifier: MIT */
/* For a daemon whose disk stands still: while the file that PUZZLED_TEST_DISK_STOP names is there, no sync
 * returns, and so nothing is committed. Defined in the program, it comes before the C library's. */
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
