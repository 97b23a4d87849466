/* SPDX-License-Identifier: MIT */
/*
 * A plugin for tests: states 0 … 511 on a line, moves to the neighbours. The size names one fault:
 *
 *   faulty:kills        expand waits until the file $FAULTY_GATE is there and then kills the process
 *   faulty:leaves       expand ends the process with status 0
 *   faulty:goal         goal gives another state than is_goal knows
 *   faulty:slow         expand takes a fifth of a second: the whole line almost two minutes
 *   faulty:many         a state has three successors, and two are promised
 *   faulty:rank         a state has a number beyond count
 *   faulty:same         two states have one number
 *   faulty:unrank       unrank gives the neighbour
 *   faulty:count        count is less than the states; rank is right
 *   faulty:text         print writes the neighbour's number
 *   faulty:oneway       a move cannot be undone, though PZ_REVERSIBLE is promised
 *   faulty:ring         no move can be undone, and they lead round without an end
 *   faulty:bound        heuristic is more than the distance
 *   faulty:jumps        heuristic is right but not consistent
 *   faulty:pieces       a piece has no kind, and a blank in its id
 *   faulty:words        both moves of a state have one word
 *   faulty:joined       words of several letters, and no separator
 *   faulty:bytes        a state of 12 bytes
 *   faulty:costs        PZ_COSTS
 *   faulty:blank        the size that open writes has a blank
 *   faulty:silent       open fails and says nothing
 *   faulty:mute         root and parse fail and say nothing
 *   faulty:length       draw and describe return more than the length of their texts
 *   faulty:wide         no fault: one move leads to any other state
 *   faulty              none
 */
#include <puzzled/space.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATES = 512, ODD = 100 /* the state with the fault */ };

enum fault {
    FAULT_NONE,
    FAULT_KILLS,
    FAULT_SLOW,
    FAULT_MANY,
    FAULT_RANK,
    FAULT_SAME,
    FAULT_UNRANK,
    FAULT_COUNT,
    FAULT_TEXT,
    FAULT_ONE_WAY,
    FAULT_RING,
    FAULT_BOUND,
    FAULT_JUMPS,
    FAULT_PIECES,
    FAULT_WORDS,
    FAULT_JOINED,
    FAULT_BYTES,
    FAULT_COSTS,
    FAULT_BLANK,
    FAULT_SILENT,
    FAULT_LENGTH,
    FAULT_WIDE,
    FAULT_LEAVES,
    FAULT_GOAL,
    FAULT_MUTE,
    FAULTS
};

static const char *const fault_names[FAULTS] = {
    "",       "kills",  "slow",   "many",  "rank",   "same",  "unrank", "count", "text",
    "oneway", "ring",   "bound",  "jumps", "pieces", "words", "joined", "bytes", "costs",
    "blank",  "silent", "length", "wide",  "leaves", "goal",  "mute"};

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

static struct pz_puzzle puzzle;

static enum pz_status faulty_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    unsigned fault = 0;
    while (fault < FAULTS && strcmp(setup->size, fault_names[fault]) != 0)
        fault++;
    if (fault == FAULTS)
        return pz_fail(error, PZ_BAD_PUZZLE, "no fault '%s'", setup->size);
    if (fault == FAULT_SILENT)
        return PZ_BAD_PUZZLE;
    struct faulty *space = calloc(1, sizeof *space);
    if (space == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory");
    space->head =
        (struct pz_space){.puzzle = &puzzle,
                          .state_bytes = fault == FAULT_BYTES ? 12 : 8,
                          .max_successors = fault == FAULT_WIDE ? STATES : 2,
                          .flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | (fault == FAULT_COSTS ? PZ_COSTS : 0u)};
    (void)strcpy(space->head.size, fault == FAULT_BLANK ? "a blank" : setup->size);
    space->fault = (enum fault)fault;
    puzzle.separator = fault == FAULT_JOINED ? NULL : ",";
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
    if (fault_of(space) == FAULT_MUTE)
        return PZ_BAD_BOARD;
    unsigned long number = strtoul(text, &end, 10);
    if (*end != '\0' || number >= STATES)
        return pz_fail(error, PZ_BAD_BOARD, "'%.40s' is no number below %d", text, STATES);
    set_number(state, number);
    return PZ_OK;
}

static size_t faulty_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const unsigned long shift = fault_of(space) == FAULT_TEXT ? 1 : 0;
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%lu", (unsigned long)number_of(state) + shift);
}

static size_t faulty_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const int length = snprintf(out, PZ_TEXT_MAX, "%lu\n", (unsigned long)number_of(state));
    return fault_of(space) == FAULT_LENGTH ? 100000000 : (size_t)length;
}

static size_t faulty_describe(const struct pz_space *space, const void *from, const void *to,
                              char out[PZ_TEXT_MAX])
{
    if (fault_of(space) == FAULT_WIDE || fault_of(space) == FAULT_JOINED)
        return faulty_print(space, to, out);
    const bool is_odd = fault_of(space) == FAULT_WORDS && number_of(from) == ODD;
    const int length =
        snprintf(out, PZ_TEXT_MAX, "%s", is_odd || number_of(to) > number_of(from) ? "R" : "L");
    return fault_of(space) == FAULT_LENGTH ? 100000000 : (size_t)length;
}

static void faulty_goal(const struct pz_space *space, void *state)
{
    set_number(state, fault_of(space) == FAULT_GOAL ? ODD : 0);
}

static enum pz_status faulty_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    set_number(state, 0);
    return fault_of(space) == FAULT_MUTE ? PZ_BAD_PUZZLE : PZ_OK;
}

static bool faulty_is_goal(const struct pz_space *space, const void *state)
{
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
    if (fault_of(space) == FAULT_SLOW)
        (void)usleep(200000);
    if (fault_of(space) == FAULT_KILLS)
        kill_process();
    if (fault_of(space) == FAULT_LEAVES)
        exit(EXIT_SUCCESS);
    if (fault_of(space) == FAULT_RING) {
        out[count++] = (number + 1) % STATES;
        out[count++] = (number + 3) % STATES;
        memset(tokens, PZ_NO_TOKEN, count);
        return count;
    }
    if (fault_of(space) == FAULT_WIDE) {
        for (uint64_t other = 0; other < STATES; other++)
            if (other != number)
                out[count++] = other;
        memset(tokens, PZ_NO_TOKEN, count);
        return count;
    }
    if (number > 0 && !(fault_of(space) == FAULT_ONE_WAY && number == ODD))
        out[count++] = number - 1;
    if (number + 1 < STATES)
        out[count++] = number + 1;
    if (fault_of(space) == FAULT_MANY && number == ODD)
        out[count++] = 0;
    memset(tokens, PZ_NO_TOKEN, count);
    return count;
}

static uint64_t faulty_count(const struct pz_space *space)
{
    return fault_of(space) == FAULT_COUNT ? STATES - 1 : STATES;
}

static uint64_t faulty_rank(const struct pz_space *space, const void *state)
{
    if (fault_of(space) == FAULT_SAME && number_of(state) == ODD)
        return ODD / 2;
    return number_of(state) + (fault_of(space) == FAULT_RANK && number_of(state) == ODD ? STATES : 0);
}

static void faulty_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    set_number(state, fault_of(space) == FAULT_UNRANK ? number ^ 1 : number);
}

static unsigned faulty_heuristic(const struct pz_space *space, const void *state)
{
    const unsigned number = (unsigned)number_of(state);
    if (fault_of(space) == FAULT_WIDE)
        return number > 0;
    if (fault_of(space) == FAULT_BOUND && number == ODD)
        return number + 1;
    return fault_of(space) == FAULT_JUMPS && number == ODD ? number - 50 : number;
}

/* Every question is its own canonical form. */
static enum pz_status faulty_canon(const struct pz_space *space, const void *root, struct pz_canon *out,
                                   struct pz_error *error)
{
    memcpy(out->size, space->size, sizeof out->size);
    memcpy(out->root, root, sizeof(uint64_t));
    return PZ_OK;
}

static void faulty_canon_map(const struct pz_space *space, const struct pz_canon *canon, const void *from,
                             void *to)
{
    memcpy(to, from, sizeof(uint64_t));
}

static struct pz_size faulty_pieces(const struct pz_space *space, const void *state, const char *path,
                                    pz_put_piece *put, void *taker)
{
    const bool odd = fault_of(space) == FAULT_PIECES && number_of(state) == ODD;
    put(taker, &(struct pz_piece){odd ? NULL : "player", odd ? "a b" : "p", NULL, (double)number_of(state), 0,
                                  1, 1});
    return (struct pz_size){STATES, 1};
}

static struct pz_puzzle puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "faulty",
    .summary = "a line of states, with a fault",
    .example = "faulty",
    .open = faulty_open,
    .close = faulty_close,
    .parse = faulty_parse,
    .print = faulty_print,
    .draw = faulty_draw,
    .describe = faulty_describe,
    .root = faulty_root,
    .goal = faulty_goal,
    .is_goal = faulty_is_goal,
    .expand = faulty_expand,
    .heuristic = faulty_heuristic,
    .canon = faulty_canon,
    .canon_in = faulty_canon_map,
    .canon_out = faulty_canon_map,
    .count = faulty_count,
    .rank = faulty_rank,
    .unrank = faulty_unrank,
    .pieces = faulty_pieces,
};

const struct pz_puzzle *pz_plugin(void);

const struct pz_puzzle *pz_plugin(void)
{
    return &puzzle;
}
