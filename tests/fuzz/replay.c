/* SPDX-License-Identifier: MIT */
/* Feeds every file of the named directories to a fuzz target once, where the fuzzer itself is not linked. */
#include "fuzz.h"

#include <dirent.h>

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    static uint8_t bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(bytes, size);
    return 1;
}

static int replay_directory(const char *path)
{
    int files = 0;
    DIR *directory = opendir(path);
    if (directory == NULL)
        return 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) { /* NOLINT(concurrency-mt-unsafe): one thread */
        char name[1024];
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            files += replay_file(name);
    }
    (void)closedir(directory);
    return files;
}

int main(int count, char **arguments)
{
    int files = 0;
    for (int i = 1; i < count; i++)
        files += replay_directory(arguments[i]);
    printf("%d inputs replayed\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
