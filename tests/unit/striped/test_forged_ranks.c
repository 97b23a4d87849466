/* SPDX-License-Identifier: MIT */
/* What a rank sends is forged, field by field: the exploration ends with one line that says what is wrong.
 * Each runs in a process of its own, which a rank that finds out ends. */
#include "ranks_trial.h"

#include "explore/exchange/frame.h"

#include <stddef.h>
#include <sys/wait.h>

/* Where fields lie: of every frame; of a message of a round, behind its frame; of a string in it. */
enum {
    HASH = 0,
    KIND = 8,
    FROM = 12,
    ROUND = 16,
    LENGTH = 20,
    BYTES = sizeof(struct frame),
    MESSAGES = BYTES,
    REASON = BYTES + 4,
    STRING = BYTES + 8, /* its length */
    PARCEL = STRING + 4,
    WITH_STRINGS = PARCEL + 8 /* bytes of a message that has some */
};

struct forgery {
    enum frame_kind kind; /* of a message, or of a rank's part of a gathering */
    size_t at;
    unsigned width; /* bytes: the lowest of value */
    uint64_t value;
    bool sealed; /* under a right checksum */
    size_t cut;  /* bytes that are left out at the end */
    const char *says;
};

struct forger {
    const struct forgery *forgery;
    _Atomic bool done;
    _Atomic unsigned spared; /* so many parts of that kind stay as they are */
};

enum { FORGING_RANK = 1 };

static void change(struct forger *forger, unsigned char *bytes, size_t *length)
{
    const struct forgery *forgery = forger->forgery;
    struct frame *frame = (void *)bytes;
    forger->done = true;
    *length -= forgery->cut;
    memcpy(bytes + forgery->at, &forgery->value, forgery->width);
    if (forgery->sealed)
        frame_seal(frame, *length - sizeof *frame);
}

/* Forges the first message of that kind that carries strings. */
static void forge_message(void *context, unsigned rank, unsigned number, unsigned char *bytes, size_t *length)
{
    struct forger *forger = context;
    struct frame frame;
    memcpy(&frame, bytes, sizeof frame);
    if (rank == FORGING_RANK && !forger->done && frame.kind == forger->forgery->kind &&
        *length >= WITH_STRINGS)
        change(forger, bytes, length);
}

/* Forges a part of that kind: the first one, or one after it. */
static void forge_part(void *context, unsigned rank, unsigned number, unsigned char *bytes, size_t *length)
{
    struct forger *forger = context;
    struct frame frame;
    memcpy(&frame, bytes, sizeof frame);
    if (rank == FORGING_RANK && !forger->done && frame.kind == forger->forgery->kind && forger->spared-- == 0)
        change(forger, bytes, length);
}

/* Explores with two ranks. Prints what rank 0 says at the end, if it comes to that. */
static _Noreturn void explore_forged(enum engine engine, const char *puzzle, uint32_t depth,
                                     const struct forgery *forgery, unsigned spared)
{
    struct forger forger = {.forgery = forgery, .spared = spared};
    struct ranks *ranks = ranks_new(engine, puzzle, depth, 2, 1);
    ranks->of[0]->request.striped.stripes = ranks->of[1]->request.striped.stripes =
        forgery->kind == FRAME_STATUS ? 0 : FEW_STRIPES;
    ranks->hub->forge_context = &forger;
    ranks->hub->forge_message = forge_message;
    ranks->hub->forge_part = forge_part;
    ranks_run(ranks);
    (void)dprintf(STDERR_FILENO, "%s%s\n", forger.done ? "" : "nothing was forged ",
                  ranks->of[0]->status == PZ_OK ? "it ends well" : ranks->of[0]->error.text);
    const bool well = ranks->of[0]->status == PZ_OK;
    ranks_free(ranks);
    _exit(well ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Returns the exit status of a forged exploration; said becomes what it writes. */
static int run_forged(enum engine engine, const char *puzzle, uint32_t depth, const struct forgery *forgery,
                      unsigned spared, char said[512])
{
    int ends[2];
    int status = 0;
    size_t length = 0;
    ssize_t here;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        explore_forged(engine, puzzle, depth, forgery, spared);
    }
    (void)close(ends[1]);
    while (length < 511 && (here = read(ends[0], said + length, 511 - length)) > 0)
        length += (size_t)here;
    said[length] = '\0';
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* spared: so many parts of the kind, before the first that is forged. */
static void check_later_forgeries(enum engine engine, const char *puzzle, uint32_t depth,
                                  const struct forgery *forgeries, size_t count, unsigned spared)
{
    for (size_t i = 0; i < count; i++) {
        char said[512];
        int status = run_forged(engine, puzzle, depth, &forgeries[i], spared, said);
        const char *expected = text_of("rank 0: rank 1 sent %s\n", forgeries[i].says);
        if (status != RANK_FAILED || strcmp(said, expected) != 0)
            fail_msg("forgery %zu ends with %d and says: %s, not: %s", i, status, said, expected);
    }
}

static void check_forgeries(enum engine engine, const char *puzzle, uint32_t depth,
                            const struct forgery *forgeries, size_t count)
{
    check_later_forgeries(engine, puzzle, depth, forgeries, count, 0);
}

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- messages ---- */

TEST(each_field_of_a_frame_is_held)
{
    static const struct forgery rows[] = {
        {FRAME_SUCCESSORS, HASH, 1, 7, false, 0, "a message with a wrong checksum"},
        {FRAME_SUCCESSORS, KIND, 4, 77, false, 0, "a message with a wrong checksum"},
        {FRAME_SUCCESSORS, KIND, 4, 77, true, 0, "a message of another kind than is due"},
        {FRAME_SUCCESSORS, KIND, 4, FRAME_PACKETS, true, 0, "a message of another kind than is due"},
        {FRAME_SUCCESSORS, FROM, 4, 0, true, 0, "a message in the name of another rank"},
        {FRAME_SUCCESSORS, FROM, 4, UINT32_MAX, true, 0, "a message in the name of another rank"},
        {FRAME_SUCCESSORS, ROUND, 4, 99, true, 0, "a message of another round"},
        {FRAME_SUCCESSORS, LENGTH, 4, 1, false, 0, "a message that is cut"},
        {FRAME_SUCCESSORS, LENGTH, 4, UINT32_MAX, false, 0, "a message that is cut"},
        {FRAME_SUCCESSORS, PARCEL + 9, 1, 7, false, 0, "a message with a wrong checksum"},
        {FRAME_SUCCESSORS, KIND, 0, 0, false, 3, "a message that is cut"},
    };
    check_forgeries(ENGINE_STRIPED, "3x3", 9, rows, COUNT(rows));
}

TEST(each_field_of_a_round_is_held)
{
    static const struct forgery rows[] = {
        {FRAME_SUCCESSORS, REASON, 4, 77, true, 0, "an unknown reason to give up"},
        {FRAME_SUCCESSORS, STRING, 4, UINT32_MAX, true, 0, "a string that is cut"},
        {FRAME_SUCCESSORS, STRING, 4, 1 << 20, true, 0, "a string that is cut"},
        {FRAME_SUCCESSORS, STRING, 4, 3, true, 0, "states that are cut"},
        {FRAME_SUCCESSORS, KIND, 0, 0, true, 1, "a string that is cut"},
    };
    check_forgeries(ENGINE_STRIPED, "3x3", 9, rows, COUNT(rows));
}

TEST(each_field_of_striped_states_is_held)
{
    static const struct forgery rows[] = {
        {FRAME_SUCCESSORS, PARCEL, 4, 255, true, 0, "states of a stripe that is not this rank's"},
        {FRAME_SUCCESSORS, PARCEL, 4, UINT32_MAX, true, 0, "states of a stripe that is not this rank's"},
        {FRAME_SUCCESSORS, PARCEL + 4, 4, 0, true, 0, "states that are cut"},
        {FRAME_SUCCESSORS, PARCEL + 4, 4, 1 << 30, true, 0, "states that are cut"},
        {FRAME_SUCCESSORS, PARCEL + 4, 4, UINT32_MAX, true, 0, "states that are cut"},
        {FRAME_SUCCESSORS, PARCEL + 8, 4, UINT32_MAX, true, 0, "a state that the puzzle does not have"},
    };
    check_forgeries(ENGINE_STRIPED, "3x3", 9, rows, COUNT(rows));
    static const struct forgery sets[] = {
        {FRAME_SUCCESSORS, PARCEL + 8, 8, UINT64_MAX, true, 0, "states that are not of their stripe"},
    };
    check_forgeries(ENGINE_STRIPED, "jugs:7,11,13,17", EXPLORE_NO_LIMIT, sets, COUNT(sets));
}

TEST(states_beyond_the_last_level_are_held)
{
    static const struct forgery rows[] = {
        {FRAME_BEYOND, STRING, 4, 4, true, 0, "a state of another length"},
        {FRAME_BEYOND, PARCEL, 8, UINT64_MAX, true, 0, "a state that is not this rank's"},
    };
    check_forgeries(ENGINE_STRIPED, "4x4", 10, rows, COUNT(rows));
}

/* Of nine groups rank 1 has those of odd numbers. */
TEST(each_field_of_dense_packets_is_held)
{
    static const struct forgery rows[] = {
        {FRAME_PACKETS, PARCEL, 4, 9, true, 0, "a packet of a group that is not its own"},
        {FRAME_PACKETS, PARCEL, 4, UINT32_MAX, true, 0, "a packet of a group that is not its own"},
        {FRAME_PACKETS, PARCEL, 4, 2, true, 0, "a packet of a group that is not its own"},
        {FRAME_PACKETS, PARCEL + 4, 4, 1 << 20, true, 0, "a packet beyond those of a group"},
        {FRAME_PACKETS, PARCEL + 4, 4, UINT32_MAX, true, 0, "a packet beyond those of a group"},
        {FRAME_PACKETS, PARCEL + 8, 4, 0, true, 0, "a packet in no known code"},
        {FRAME_PACKETS, PARCEL + 8, 4, 3, true, 0, "a packet in no known code"},
        {FRAME_PACKETS, STRING, 4, 12, true, 0, "a packet in no known code"},
        {FRAME_PACKETS, STRING, 4, 2, true, 0, "a packet that is cut"},
    };
    check_forgeries(ENGINE_DENSE, "2x5", EXPLORE_NO_LIMIT, rows, COUNT(rows));
}

/* Of 72 runs of 5,040 states rank 1 has those of odd numbers. */
TEST(each_field_of_ranked_runs_is_held)
{
    static const struct forgery rows[] = {
        {FRAME_BLOCKS, PARCEL, 4, 72, true, 0, "states of a block that is not its own"},
        {FRAME_BLOCKS, PARCEL, 4, UINT32_MAX, true, 0, "states of a block that is not its own"},
        {FRAME_BLOCKS, PARCEL, 4, 2, true, 0, "states of a block that is not its own"},
        {FRAME_BLOCKS, PARCEL, 4, 15, true, 0, "states from which no move leads here"},
        {FRAME_BLOCKS, PARCEL, 4, 5, true, 0, "states of a block twice"},
        {FRAME_BLOCKS, PARCEL + 4, 1, 0, true, 0, "states of a block that are cut"},
        {FRAME_BLOCKS, PARCEL + 4, 1, 2, true, 0, "states of a block that are cut"},
        {FRAME_BLOCKS, PARCEL + 5, 3, 0xFFFFFF, true, 0, "states of a block that are cut"},
        {FRAME_BLOCKS, PARCEL + 5, 3, 0x7FFFFF, true, 0, "states of a block that are cut"},
        {FRAME_BLOCKS, STRING, 4, 3, true, 0, "states of a block that are cut"},
        {FRAME_BLOCKS, STRING, 4, 4, true, 0, "states of a block that are cut"},
        {FRAME_BLOCKS, STRING, 4, 5, true, 0, "a block without states"},
    };
    check_forgeries(ENGINE_RANKED, "pancake:9", EXPLORE_NO_LIMIT, rows, COUNT(rows));
}

/* ---- gatherings ---- */

TEST(what_ranks_agree_on_is_held)
{
    static const struct forgery rows[] = {
        {FRAME_STATUS, BYTES, 1, 1, false, 0, "a message with a wrong checksum"},
        {FRAME_STATUS, KIND, 4, FRAME_LEVEL, true, 0, "a message of another kind than is due"},
        {FRAME_STATUS, FROM, 4, 0, true, 0, "a message in the name of another rank"},
        {FRAME_STATUS, LENGTH, 4, 8, false, 0, "a message of another length than is due"},
        {FRAME_STATUS, BYTES, 8, PZ_STATUS_COUNT, true, 0, "an unknown status"},
        {FRAME_LEVEL, BYTES, 8, UINT64_MAX, true, 0, "more states than can be"},
        {FRAME_LEVEL, BYTES + 8, 8, UINT64_MAX, true, 0, "more states than can be"},
        {FRAME_LEVEL, BYTES + 16, 8, UINT64_MAX, true, 0, "more states than can be"},
        {FRAME_LEVEL, BYTES + 24, 8, 77, true, 0, "an unknown reason to halt"},
        {FRAME_SAMPLE, BYTES, 8, 1001, true, 0, "a sample of too many states"},
        {FRAME_SAMPLE, BYTES + 16, 8, 7, true, 0, "an example that is no state"},
    };
    check_forgeries(ENGINE_STRIPED, "3x3", 9, rows, COUNT(rows));
    static const struct forgery dense[] = {
        {FRAME_GROUPS, BYTES + 8, 8, UINT64_MAX, true, 0, "more states than a group has"},
        {FRAME_CHOSEN, BYTES + 8, 1, 200, true, 0, "an example that is no state"},
    };
    check_forgeries(ENGINE_DENSE, "2x5", EXPLORE_NO_LIMIT, dense, COUNT(dense));
    static const struct forgery ranked[] = {
        {FRAME_LEVEL, BYTES, 8, UINT64_MAX, true, 0, "more states than can be"},
        {FRAME_LEVEL, BYTES, 8, 362880, true, 0, "more states than can be"},
        {FRAME_SAMPLE, BYTES, 8, 17, true, 0, "a sample of too many states"},
        {FRAME_SAMPLE, BYTES + 8, 8, 7, true, 0, "an example out of its order"},
        {FRAME_SAMPLE, BYTES + 16, 8, UINT64_MAX, true, 0, "an example of a block that is not its own"},
        {FRAME_SAMPLE, BYTES + 16, 8, 0, true, 0, "an example of a block that is not its own"},
        {FRAME_SAMPLE, BYTES + 24, 8, 0, true, 0, "an example that is no state"},
        {FRAME_SAMPLE, BYTES + 24, 8, 2, true, 0, "an example that is no state"},
    };
    check_later_forgeries(ENGINE_RANKED, "pancake:9", EXPLORE_NO_LIMIT, ranked, COUNT(ranked), 5);
}

/* Nobody can tell that a rank counts wrongly, but by the total. */
TEST(a_total_that_cannot_be_is_not_told)
{
    static const struct forgery more = {FRAME_LEVEL, BYTES, 8, 1000, true, 0, ""};
    char said[512];
    assert_int_equal(run_forged(ENGINE_STRIPED, "3x3", EXPLORE_NO_LIMIT, &more, 0, said), EXIT_FAILURE);
    assert_non_null(strstr(said, " states were found as all, and there are 181440"));
}

TEST(stripes_that_cannot_be_are_refused)
{
    /* They are agreed on when all ranks have opened their searches, and have looked for checkpoints. */
    static const struct forgery stripes = {FRAME_STATUS, BYTES + 8, 8, 3, true, 0, ""};
    char said[512];
    assert_int_equal(run_forged(ENGINE_STRIPED, "3x3", 9, &stripes, 2, said), RANK_FAILED);
    assert_non_null(strstr(said, "a number of stripes that can not be"));
}
