/* SPDX-License-Identifier: MIT */
/*
 * Feeds inputs to a fuzz target, where the fuzzer itself is not linked.
 *
 *   fuzz_NAME [--changed N] PATH…                 every file of the directories, and files, once
 *   fuzz_NAME --seconds S [--seed N] DIRECTORY…   changed copies of them until the time is over
 *
 * --changed: and N copies of each file with some bytes changed, the same ones every time.
 * --seconds: lines and ranges are also erased, doubled and taken from other files. Each input lies in the
 * file fuzz_NAME.PROCESS.input of $TMPDIR (/tmp) while it runs. One that crashes or hangs stays there; to run
 * it again: fuzz_NAME FILE.
 */
#include "fuzz.h"

#include "base/random.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

enum { CHANGES = 6, MOST_FILES = 4096, LARGEST = 1 << 20, HANG_SECONDS = 120 };

struct input {
    uint8_t *bytes;
    size_t size;
};

static struct input inputs[MOST_FILES];
static size_t input_count;
static char kept_path[1024];

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

/* Runs a copy of just its size, so that a read beyond it is seen. */
static void run_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + (size == 0));
    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay_changed(const struct input *input, unsigned copies)
{
    static uint8_t bytes[LARGEST];
    for (unsigned copy = 1; copy <= copies && input->size > 0; copy++) {
        struct random random = {.state = copy};
        memcpy(bytes, input->bytes, input->size);
        for (uint64_t left = random_below(&random, CHANGES) + 1; left > 0; left--)
            change_bytes(&random, bytes, input->size);
        run_copy(bytes, random_below(&random, 8) == 0 ? random_below(&random, input->size) : input->size);
    }
}

static void read_input(const char *path)
{
    static uint8_t bytes[LARGEST];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    FUZZ_REQUIRE(input_count < MOST_FILES);
    struct input *input = &inputs[input_count++];
    *input = (struct input){malloc(size + 1), size};
    FUZZ_REQUIRE(input->bytes != NULL);
    memcpy(input->bytes, bytes, size);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Reads a file, or every file of a directory in the order of their names, so that a seed means the same. */
static void read_inputs(const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_shown, alphasort);
    if (count < 0) {
        read_input(path);
        return;
    }
    for (int i = 0; i < count; i++) {
        char name[1024];
        (void)snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        read_input(name);
        free(entries[i]);
    }
    free(entries);
}

/* A random part of the input: some of its lines, or any bytes. */
static struct input random_part(struct random *random, const struct input *whole)
{
    size_t from = random_below(random, whole->size + 1);
    const bool lines = random_below(random, 2) == 0;
    while (lines && from > 0 && whole->bytes[from - 1] != '\n')
        from--;
    size_t end = from + random_below(random, (random_below(random, 4) == 0 ? whole->size - from : 64) + 1);
    end = end < whole->size ? end : whole->size;
    while (lines && end < whole->size && (end == from || whole->bytes[end - 1] != '\n'))
        end++;
    return (struct input){whole->bytes + from, end - from};
}

/* Puts part in place of the erased bytes at the offset, where there is room. */
static void splice(struct input *input, size_t at, size_t erased, const struct input *part)
{
    static uint8_t copy[LARGEST]; /* part may lie in input */
    if (input->size - erased + part->size > LARGEST)
        return;
    memcpy(copy, part->bytes, part->size);
    memmove(input->bytes + at + part->size, input->bytes + at + erased, input->size - at - erased);
    memcpy(input->bytes + at, copy, part->size);
    input->size = input->size - erased + part->size;
}

static void change(struct random *random, struct input *input)
{
    const uint64_t how = random_below(random, 8);
    if (how < 4) {
        if (input->size > 0)
            change_bytes(random, input->bytes, input->size);
        return;
    }
    const struct input here = random_part(random, input);
    const size_t at = (size_t)(here.bytes - input->bytes);
    const struct input nothing = {input->bytes, 0};
    const struct input other = random_part(random, &inputs[random_below(random, input_count)]);
    if (how == 4)
        splice(input, at, here.size, &nothing);
    else if (how == 5)
        splice(input, at, 0, &here);
    else
        splice(input, at, how == 6 ? here.size : 0, &other);
}

/* The input stays in its file if it ends the process. */
static void run_kept(const struct input *input)
{
    FILE *file = fopen(kept_path, "wb");
    FUZZ_REQUIRE(file != NULL);
    FUZZ_REQUIRE(fwrite(input->bytes, 1, input->size, file) == input->size && fclose(file) == 0);
    (void)alarm(HANG_SECONDS);
    run_copy(input->bytes, input->size);
    (void)alarm(0);
    (void)unlink(kept_path);
}

static void hang(int signal)
{
    static const char words[] = "the input above runs without end\n";
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(128 + signal);
}

static uint64_t now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec;
}

static void fuzz(const char *program, uint64_t seconds, uint64_t seed)
{
    static uint8_t bytes[LARGEST];
    const char *directory = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): before any thread */
    const char *slash = strrchr(program, '/');
    (void)snprintf(kept_path, sizeof kept_path, "%s/%s.%d.input", directory != NULL ? directory : "/tmp",
                   slash != NULL ? slash + 1 : program, (int)getpid());
    (void)fprintf(stderr, "seed %llu; an input that fails stays in %s\n", (unsigned long long)seed,
                  kept_path);
    (void)signal(SIGALRM, hang);
    struct random random = {.state = seed};
    unsigned long long runs = 0;
    for (const uint64_t end = now() + seconds; now() < end; runs++) {
        const struct input *from = &inputs[random_below(&random, input_count)];
        struct input input = {bytes, from->size};
        memcpy(bytes, from->bytes, from->size);
        for (uint64_t left = random_below(&random, CHANGES) + 1; left > 0; left--)
            change(&random, &input);
        run_kept(&input);
    }
    (void)fprintf(stderr, "%llu changed inputs ran, seed %llu\n", runs, (unsigned long long)seed);
}

int main(int count, char **arguments)
{
    uint64_t seconds = 0;
    uint64_t seed = 1;
    unsigned copies = 0;
    int first = 1;
    for (; first + 1 < count && strncmp(arguments[first], "--", 2) == 0; first += 2) {
        const uint64_t value = strtoull(arguments[first + 1], NULL, 10);
        if (strcmp(arguments[first], "--changed") == 0)
            copies = (unsigned)value;
        else if (strcmp(arguments[first], "--seconds") == 0)
            seconds = value;
        else if (strcmp(arguments[first], "--seed") == 0)
            seed = value;
        else
            return EXIT_FAILURE;
    }
    for (int i = first; i < count; i++)
        read_inputs(arguments[i]);
    if (seconds > 0 && input_count > 0)
        fuzz(arguments[0], seconds, seed);
    for (size_t i = 0; i < input_count && seconds == 0; i++) {
        run_copy(inputs[i].bytes, inputs[i].size);
        replay_changed(&inputs[i], copies);
    }
    (void)fprintf(stderr, "%zu files read\n", input_count);
    for (size_t i = 0; i < input_count; i++)
        free(inputs[i].bytes);
    return input_count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
