/* SPDX-License-Identifier: MIT */
/*
 * Every puzzle's parsers, through the registry: line 1 a puzzle text, line 2 the start ("-" for none), line 3
 * the goal ("-" for none), then key=value lines, and last lines that are states to parse. What parses must
 * print, read back as the same state, and expand within the limits that the space states.
 */
#include "fuzz_space.h"

enum { KEYS_MAX = 8 };

struct input {
    char *puzzle, *start, *goal, *state;
    char *lines[KEYS_MAX];
    struct pz_key keys[KEYS_MAX];
    size_t key_count;
};

static const char *optional(const char *text)
{
    return text == NULL || strcmp(text, "-") == 0 ? NULL : text;
}

static void read_keys(struct input *input, const uint8_t **data, size_t *size)
{
    while (input->key_count < KEYS_MAX) {
        char *line = fuzz_line(data, size);
        char *equals = line != NULL ? strchr(line, '=') : NULL;
        if (equals == NULL) {
            free(line);
            return;
        }
        *equals = '\0';
        input->lines[input->key_count] = line;
        input->keys[input->key_count++] = (struct pz_key){line, equals + 1};
    }
}

/* The name opens the same space again. */
static void check_name(const struct pz_space *space)
{
    static char name[PZ_SIZE_MAX + 64];
    struct pz_space *again = NULL;
    struct pz_error error;
    const struct pz_setup setup = {0};
    (void)space_name(space, name);
    FUZZ_REQUIRE(space_open(name, &setup, &again, &error) == PZ_OK);
    FUZZ_REQUIRE(strcmp(again->size, space->size) == 0);
    FUZZ_REQUIRE(again->flags == space->flags && again->state_bytes == space->state_bytes);
    space_close(again);
}

static void check_space(const struct pz_space *space, const struct input *input)
{
    uint64_t state[PZ_STATE_MAX / 8];
    FUZZ_REQUIRE(space->state_bytes == 8 || space->state_bytes == 16 || space->state_bytes == 32 ||
                 space->state_bytes == 64);
    FUZZ_REQUIRE(space->max_successors <= PZ_SUCCESSORS_MAX);
    check_name(space);
    if (space->puzzle->solve != NULL && space->puzzle->expand == NULL)
        return;
    const char *texts[] = {optional(input->start), optional(input->state)};
    for (size_t i = 0; i < 2; i++) {
        if (texts[i] != NULL && space->puzzle->parse(space, texts[i], state, NULL) == PZ_OK)
            fuzz_walk(space, state);
    }
}

static void read_input(struct input *input, const uint8_t **data, size_t *size)
{
    input->puzzle = fuzz_line(data, size);
    input->start = fuzz_line(data, size);
    input->goal = fuzz_line(data, size);
    read_keys(input, data, size);
    input->state = fuzz_line(data, size);
}

static void free_input(struct input *input)
{
    for (size_t i = 0; i < input->key_count; i++)
        free(input->lines[i]);
    free(input->puzzle);
    free(input->start);
    free(input->goal);
    free(input->state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {0};
    struct pz_space *space = NULL;
    struct pz_error error;
    read_input(&input, &data, &size);
    const struct pz_setup setup = {.start = optional(input.start),
                                   .goal = optional(input.goal),
                                   .keys = input.keys,
                                   .key_count = input.key_count};
    if (input.puzzle != NULL && space_open(input.puzzle, &setup, &space, &error) == PZ_OK)
        check_space(space, &input);
    space_close(space); /* NOLINT(clang-analyzer-unix.Malloc): the next line frees what it misses */
    free_input(&input);
    return 0;
}
