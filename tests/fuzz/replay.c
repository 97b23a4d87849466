/* SPDX-License-Identifier: MIT */
/*
 * Feeds every file of the named directories to a fuzz target once, where the fuzzer itself is not linked.
 *
 *   fuzz_NAME [--changed N] DIRECTORY…
 *
 * --changed: and N copies of each file with some bytes changed, the same ones every time.
 */
#include "fuzz.h"

#include "base/random.h"

#include <dirent.h>

enum { CHANGES = 6 };

static uint8_t file_bytes[1 << 20];

/* Puts another value in place of one to eight bytes. */
static void change_bytes(struct random *random, uint8_t *bytes, size_t size)
{
    static const uint8_t extreme[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    const size_t at = random_below(random, size);
    const uint64_t how = random_below(random, 4);
    const size_t width = how == 3 && size - at >= 4 ? 4 : 1;
    for (size_t i = 0; i < width; i++) {
        if (how == 0)
            bytes[at + i] ^= (uint8_t)(1u << random_below(random, 8));
        else if (how == 1)
            bytes[at + i] = (uint8_t)random_below(random, 256);
        else if (how == 2)
            bytes[at + i] = (uint8_t)(bytes[at + i] + random_below(random, 5) - 2);
        else
            bytes[at + i] = extreme[random_below(random, sizeof extreme)];
    }
}

static void replay_changed(size_t size, unsigned copies)
{
    for (unsigned copy = 1; copy <= copies && size > 0; copy++) {
        struct random random = {.state = copy};
        uint8_t *bytes = malloc(size);
        FUZZ_REQUIRE(bytes != NULL);
        memcpy(bytes, file_bytes, size);
        for (uint64_t left = random_below(&random, CHANGES) + 1; left > 0; left--)
            change_bytes(&random, bytes, size);
        const size_t kept = random_below(&random, 8) == 0 ? random_below(&random, size) : size;
        (void)LLVMFuzzerTestOneInput(bytes, kept);
        free(bytes);
    }
}

static int replay_file(const char *path, unsigned copies)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    size_t size = fread(file_bytes, 1, sizeof file_bytes, file);
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(file_bytes, size);
    replay_changed(size, copies);
    return 1;
}

static int replay_directory(const char *path, unsigned copies)
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
            files += replay_file(name, copies);
    }
    (void)closedir(directory);
    return files;
}

int main(int count, char **arguments)
{
    int files = 0;
    int first = 1;
    unsigned copies = 0;
    if (count > 2 && strcmp(arguments[1], "--changed") == 0) {
        copies = (unsigned)strtoul(arguments[2], NULL, 10);
        first = 3;
    }
    for (int i = first; i < count; i++)
        files += replay_directory(arguments[i], copies);
    (void)fprintf(stderr, "%d inputs replayed\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
