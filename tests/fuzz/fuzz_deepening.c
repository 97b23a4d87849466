/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of iterative deepening, changed as if their seals were right. The first byte says how many
 * threads wrote the checkpoint and how many go on. The rest changes it: three bytes each, a place and what is
 * added there. The search may refuse the checkpoint or go on from it, but must end and stay within its
 * memory, and a path that it finds must be made of moves. Unchanged, the path is a shortest one; else the
 * search is stopped early.
 */
#include "fuzz.h"
#include "unit/board_equal.h"

#include "explore/checkpoint/checkpointer.h"
#include "solve/idastar/deepening.h"
#include "unit/checkpoint_disk.h"

/* With Manhattan distance it has so many nodes that its last iterations are shared out. */
#define BOARD "5,8,15,10/13,6,14,7/0,9,1,4/11,12,3,2"
enum { KINDS = 2, MOVES = 52, SAVES = 100, NODES = 50000000, NODES_CHANGED = 900000 };
static const unsigned threads_of[KINDS] = {1, 2};

struct question {
    struct grid grid;
    struct board start, goal;
    struct manhattan manhattan;
};

static const struct question *question(void)
{
    static struct question asked;
    struct pz_error error;
    if (asked.grid.cells != 0)
        return &asked;
    FUZZ_REQUIRE(grid_parse(&asked.grid, "4x4", &error) == PZ_OK);
    FUZZ_REQUIRE(board_parse(&asked.grid, BOARD, &asked.start, &error) == PZ_OK);
    board_ordered(&asked.grid, asked.grid.cells - 1u, &asked.goal);
    manhattan_init(&asked.manhattan, &asked.grid, &asked.goal);
    return &asked;
}

static enum pz_status deepen(struct disk *disk, unsigned threads, uint64_t nodes,
                             struct deepening_result *result)
{
    const struct question *asked = question();
    struct control control = {.context = NULL};
    struct monitor monitor;
    struct pz_error error;
    struct checkpointer *checkpointer = NULL;
    monitor_init(&monitor, &control, NULL, "search");
    disk->control = &control;
    const struct checkpointer_options options = {
        .calls = &disk->calls, .identity = "fuzz", .monitor = &monitor};
    FUZZ_REQUIRE(checkpointer_new(&options, &checkpointer, &error) == PZ_OK);
    const struct deepening deepening = {.grid = &asked->grid,
                                        .start = &asked->start,
                                        .kernel = &manhattan_kernel,
                                        .heuristic = &asked->manhattan,
                                        .threads = threads,
                                        .node_limit = nodes,
                                        .monitor = &monitor,
                                        .checkpointer = checkpointer};
    enum pz_status status = deepening_run(&deepening, result, &error);
    checkpointer_free(checkpointer);
    return status;
}

/* The checkpoint of a search that was killed: one that had grown large enough for several threads. */
static const struct disk_parts *left_by(unsigned kind)
{
    static struct disk disks[KINDS];
    struct deepening_result result;
    struct disk *disk = &disks[kind];
    if (disk->kept.count > 0)
        return &disk->kept;
    disk_init(disk);
    disk->kill_after = SAVES;
    FUZZ_REQUIRE(deepen(disk, threads_of[kind], NODES, &result) == PZ_CANCELLED);
    return &disk->kept;
}

static void change(const struct disk_parts *left, const uint8_t *data, size_t size, struct disk_parts *out)
{
    for (uint64_t i = 0; i < left->count; i++) {
        uint8_t *copy = malloc(left->length[i]);
        FUZZ_REQUIRE(copy != NULL);
        memcpy(copy, left->part[i], left->length[i]);
        for (size_t at = 0; at + 3 <= size; at += 3) {
            size_t place = (data[at] | (size_t)data[at + 1] << 8) % left->length[i];
            copy[place] = (uint8_t)(copy[place] + data[at + 2]);
        }
        out->part[i] = copy;
        out->length[i] = left->length[i];
        out->count++;
    }
}

static void check_way(const struct deepening_result *result)
{
    struct board board = question()->start;
    for (unsigned i = 0; i < result->moves; i++)
        FUZZ_REQUIRE(board_move(&question()->grid, &board, (enum direction)result->move[i]));
    FUZZ_REQUIRE(board_equal(&board, &question()->goal));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct deepening_result result;
    struct disk disk;
    if (size < 1)
        return 0;
    disk_init(&disk);
    disk.calls.interval = 1e9;
    const bool whole = size == 1;
    change(left_by(data[0] % KINDS), data + 1, size - 1, &disk.kept);
    unsigned threads = threads_of[data[0] / KINDS % KINDS];
    enum pz_status status = deepen(&disk, threads, whole ? NODES : NODES_CHANGED, &result);
    if (status == PZ_OK)
        check_way(&result);
    FUZZ_REQUIRE(!whole || (status == PZ_OK && result.moves == MOVES && disk.resumed == 1));
    free(result.move);
    disk_clear(&disk);
    return 0;
}
