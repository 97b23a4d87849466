/* SPDX-License-Identifier: MIT */
/*
 * A plugin for tests: states 0 … 511 on a line, moves to the neighbours. The size names one fault:
 *
 *   faulty:kills    expand waits until the file $FAULTY_GATE is there and then kills the process
 *   faulty          none
 */
#include <puzzled/space.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATES = 512 };

enum fault { FAULT_NONE, FAULT_KILLS, FAULT_COUNT };

static const char *const fault_names[FAULT_COUNT] = {"", "kills"};

struct faulty {
    struct pz_space head;
    enum fault fault;
};

static enum fault fault_of(const struct pz_space *space)
{
    return ((const struct faulty *)(const void *)space)->fault;
}

static uint64_t number_of(const void *state)
{
    uint64_t number;
    memcpy(&number, state, sizeof number);
    return number;
}

static void set_number(void *state, uint64_t number)
{
    memcpy(state, &number, sizeof number);
}

static const struct pz_puzzle puzzle;

static enum pz_status faulty_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    unsigned fault = 0;
    while (fault < FAULT_COUNT && strcmp(setup->size, fault_names[fault]) != 0)
        fault++;
    if (fault == FAULT_COUNT)
        return pz_fail(error, PZ_BAD_PUZZLE, "no fault '%s'", setup->size);
    struct faulty *space = calloc(1, sizeof *space);
    if (space == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory");
    space->head = (struct pz_space){
        .puzzle = &puzzle, .state_bytes = 8, .max_successors = 2, .flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL};
    (void)strcpy(space->head.size, setup->size);
    space->fault = (enum fault)fault;
    *out = &space->head;
    return PZ_OK;
}

static void faulty_close(struct pz_space *space)
{
    free(space);
}

static enum pz_status faulty_parse(const struct pz_space *space, const char *text, void *state,
                                   struct pz_error *error)
{
    char *end;
    (void)space;
    unsigned long number = strtoul(text, &end, 10);
    if (*end != '\0' || number >= STATES)
        return pz_fail(error, PZ_BAD_BOARD, "'%.40s' is no number below %d", text, STATES);
    set_number(state, number);
    return PZ_OK;
}

static size_t faulty_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    (void)space;
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%lu", (unsigned long)number_of(state));
}

static size_t faulty_describe(const struct pz_space *space, const void *from, const void *to,
                              char out[PZ_TEXT_MAX])
{
    (void)space;
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%s", number_of(to) > number_of(from) ? "R" : "L");
}

static void faulty_goal(const struct pz_space *space, void *state)
{
    (void)space;
    set_number(state, 0);
}

static enum pz_status faulty_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    faulty_goal(space, state);
    return PZ_OK;
}

static bool faulty_is_goal(const struct pz_space *space, const void *state)
{
    (void)space;
    return number_of(state) == 0;
}

static _Noreturn void kill_process(void)
{
    while (access(getenv("FAULTY_GATE"), F_OK) != 0)
        (void)usleep(1000);
    (void)kill(getpid(), SIGKILL);
    abort();
}

static unsigned faulty_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                              void *successors, uint8_t *tokens)
{
    uint64_t *out = successors;
    const uint64_t number = number_of(state);
    unsigned count = 0;
    (void)came_by;
    if (fault_of(space) == FAULT_KILLS)
        kill_process();
    if (number > 0)
        out[count++] = number - 1;
    if (number + 1 < STATES)
        out[count++] = number + 1;
    memset(tokens, PZ_NO_TOKEN, count);
    return count;
}

static const struct pz_puzzle puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "faulty",
    .summary = "a line of states, with a fault",
    .example = "faulty",
    .open = faulty_open,
    .close = faulty_close,
    .parse = faulty_parse,
    .print = faulty_print,
    .describe = faulty_describe,
    .root = faulty_root,
    .goal = faulty_goal,
    .is_goal = faulty_is_goal,
    .expand = faulty_expand,
};

const struct pz_puzzle *pz_plugin(void);

const struct pz_puzzle *pz_plugin(void)
{
    return &puzzle;
}
