/* SPDX-License-Identifier: MIT */
#include "client/session/whole_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

bool whole_file_open(struct whole_file *file, const char *path)
{
    struct stat about;
    const bool there = lstat(path, &about) == 0;
    *file = (struct whole_file){.path = path};
    if (there && S_ISREG(about.st_mode) && access(path, W_OK) != 0)
        return false;
    const int length = snprintf(file->part, sizeof file->part, "%s.part", path);
    if ((!there || S_ISREG(about.st_mode)) && (size_t)length < sizeof file->part)
        file->file = fopen(file->part, "we");
    if (file->file != NULL && there)
        (void)fchmod(fileno(file->file), about.st_mode & 07777);
    if (file->file != NULL)
        return true;
    file->part[0] = '\0'; /* a directory that takes no new file may still have this one */
    file->file = fopen(path, "we");
    return file->file != NULL;
}

bool whole_file_end(struct whole_file *file, bool written)
{
    const int before = errno;
    const bool closed = fclose(file->file) == 0;
    if (written && closed && (file->part[0] == '\0' || rename(file->part, file->path) == 0))
        return true;
    const int failure = written ? errno : before;
    if (file->part[0] != '\0')
        (void)unlink(file->part);
    errno = failure;
    return false;
}
