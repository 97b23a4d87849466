/* SPDX-License-Identifier: MIT */
/*
 * How fast sliding puzzles are solved: databases built, Korf's 15-puzzles, Manhattan distance alone, Korf and
 * Felner's 24-puzzles, the hardest 3x3, the hardest 15-puzzles.
 *
 *   bench_solve DATA [part …] [threads=N] [partition=NAME]
 *
 * DATA is the directory tests/data. Parts: small korf manhattan big hardest long, and 7-8, 6-6-3 or 5-5-5,
 * each of which is a part of korf. Without any, all run but hardest and long, which take minutes (long:
 * instances 22 and 1 of the 24-puzzles; bench_fifty.c solves all of these). These two run on two threads, or
 * on threads=N. Databases are those that the daemon takes, too, but for the named parts, and partition=,
 * which names those of the 24-puzzles; bounds=N tells their mean bound over N random boards. size=NAME
 * random=N solves random boards of any size, also of 4x4,metric:multi; with walk=N those at the end of random
 * walks of so many moves.
 */
#include "random_board.h"
#include "solving.h"

#include "solve/pdb/multi_tables.h"
#include "solve/solver.h"
#include "space/slide/slide.h"

enum { INSTANCES_MAX = 100, RUNS = 3 };

/* ---- questions ---- */

struct bench {
    const char *data;
    unsigned threads;      /* of the long parts */
    const char *partition; /* of the 24-puzzles */
    const char *size;      /* of the random boards */
    struct kept_tables tables;
    struct pattern_archive archive;
};

struct instance {
    int id;
    char board[LINE];
    long moves;       /* published */
    char nodes[LINE]; /* published, as text */
};

static unsigned read_instances(const struct bench *bench, const char *name, struct instance *instances)
{
    char line[LINE], *rest;
    unsigned count = 0;
    FILE *file = open_data(bench->data, name);
    while (count < INSTANCES_MAX && next_row(file, line, &rest)) {
        struct instance *instance = &instances[count++];
        instance->id = (int)strtol(line, NULL, 10);
        (void)snprintf(instance->board, sizeof instance->board, "%s", strsep(&rest, ","));
        (void)strsep(&rest, ",");
        instance->moves = strtol(strsep(&rest, ","), NULL, 10);
        (void)snprintf(instance->nodes, sizeof instance->nodes, "%.*s", (int)strcspn(rest, "\r\n"), rest);
    }
    (void)fclose(file);
    return count;
}

static const struct instance *instance_of(const struct instance *instances, unsigned count, int id)
{
    for (unsigned i = 0; i < count; i++)
        if (instances[i].id == id)
            return &instances[i];
    (void)fprintf(stderr, "bench_solve: no instance %d\n", id);
    exit(1);
}

struct question {
    const struct pz_space *space;
    const char *board;
    enum method method;
    const char *partition;
    unsigned threads;
    double deadline; /* 0 for none */
};

static struct solve_result solve_until(struct bench *bench, const struct question *question)
{
    const struct pz_space *space = question->space;
    uint64_t start[PZ_STATE_MAX / 8];
    struct budget budget;
    struct control control = {.deadline = question->deadline};
    struct solve_result result;
    struct pz_error error;
    budget_init(&budget, NULL, (uint64_t)4 << 30);
    if (space->puzzle->parse(space, question->board, start, &error) != PZ_OK)
        die(&error);
    struct solve_request request = {.space = space,
                                    .start = start,
                                    .method = question->method,
                                    .threads = question->threads,
                                    .budget = &budget,
                                    .archive = &bench->archive,
                                    .partition = question->partition};
    if (solve_run(&request, &control, &result, &error) != PZ_OK)
        die(&error);
    solve_result_free(&result);
    return result;
}

/* Solves one board and holds its length against the published one. */
static struct solve_result solve(struct bench *bench, const struct question *question, long moves)
{
    struct solve_result result = solve_until(bench, question);
    if (result.moves != moves)
        (void)printf("WRONG: %s takes %ld moves, not %" PRId64 "\n", question->board, moves, result.moves);
    return result;
}

/* ---- parts ---- */

static const char *const goal15 = "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15";
static void small(struct bench *bench)
{
    struct pz_space *space = open_space("3x3", NULL);
    static const enum method methods[] = {METHOD_AUTO, METHOD_BIDIRECTIONAL, METHOD_ASTAR};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double seconds[RUNS];
        struct solve_result result = {0};
        const struct question question = {
            .space = space, .board = "8,6,7/2,5,4/3,0,1", .method = methods[i], .threads = 1};
        for (unsigned run = 0; run < RUNS; run++) {
            result = solve(bench, &question, 31);
            seconds[run] = result.seconds;
        }
        (void)printf("3x3    asked=%s method=%s generated=%" PRIu64 " milliseconds=%.3f\n",
                     method_word(methods[i]), method_word(result.method), result.generated,
                     median(seconds, RUNS) * 1e3);
    }
    space_close(space);
}

/* Korf's 15-puzzles by one partition, NULL for that of the daemon, on one thread. */
static void korf(struct bench *bench, const char *partition)
{
    static struct instance instances[INSTANCES_MAX];
    struct pz_space *space = open_space("4x4", goal15);
    unsigned count = read_instances(bench, "korf15.csv", instances);
    if (count == 0)
        return;
    double seconds[RUNS];
    double processor[RUNS];
    uint64_t generated = 0, expanded = 0;
    char databases[SOLVE_PARTITION_MAX] = "";
    build_databases(&bench->archive, space, partition, 2);
    for (unsigned run = 0; run < RUNS; run++) {
        seconds[run] = 0;
        generated = expanded = 0;
        double begun = processor_seconds();
        for (unsigned i = 0; i < count; i++) {
            const struct question question = {.space = space,
                                              .board = instances[i].board,
                                              .method = METHOD_IDASTAR,
                                              .partition = partition,
                                              .threads = 1};
            struct solve_result result = solve(bench, &question, instances[i].moves);
            seconds[run] += result.seconds;
            generated += result.generated;
            expanded += result.expanded;
            memcpy(databases, result.partition, sizeof databases);
        }
        processor[run] = processor_seconds() - begun;
    }
    double middle = median(seconds, RUNS);
    (void)printf("korf   %-8s threads=1 instances=%u generated=%" PRIu64 " expanded=%" PRIu64
                 " milliseconds=%.2f processor=%.2f nodes/s=%.1fM\n",
                 databases, count, generated / count, expanded / count, middle / count * 1e3,
                 median(processor, RUNS) / count * 1e3, (double)generated / middle / 1e6);
    space_close(space);
}

static void manhattan(struct bench *bench)
{
    static struct instance instances[INSTANCES_MAX];
    static const int ids[] = {5, 13, 25, 37};
    struct pz_space *space = open_space("4x4", goal15);
    unsigned count = read_instances(bench, "korf15.csv", instances);
    for (unsigned threads = 1; threads <= 2; threads++) {
        double rates[RUNS];
        double processor[RUNS];
        for (unsigned run = 0; run < RUNS; run++) {
            double seconds = 0;
            uint64_t generated = 0;
            double begun = processor_seconds();
            for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
                const struct instance *instance = instance_of(instances, count, ids[i]);
                const struct question question = {.space = space,
                                                  .board = instance->board,
                                                  .method = METHOD_IDASTAR,
                                                  .partition = IDASTAR_MANHATTAN,
                                                  .threads = threads};
                struct solve_result result = solve(bench, &question, instance->moves);
                seconds += result.seconds;
                generated += result.generated;
            }
            rates[run] = (double)generated / seconds;
            processor[run] = (processor_seconds() - begun) / (double)generated;
        }
        (void)printf("korf   manhattan threads=%u nodes/s=%.1fM processor-nanoseconds/node=%.2f\n", threads,
                     median(rates, RUNS) / 1e6, median(processor, RUNS) * 1e9);
    }
    space_close(space);
}

static void big(struct bench *bench, const int *ids, size_t count, bool scaling)
{
    static struct instance instances[INSTANCES_MAX];
    struct pz_space *space = open_space("5x5", goal24);
    unsigned known = read_instances(bench, "korf24.csv", instances);
    build_databases(&bench->archive, space, bench->partition, 2);
    for (size_t i = 0; i < count; i++) {
        const struct instance *instance = instance_of(instances, known, ids[i]);
        for (unsigned threads = scaling ? 1 : bench->threads; threads <= bench->threads; threads++) {
            const struct question question = {.space = space,
                                              .board = instance->board,
                                              .method = METHOD_IDASTAR,
                                              .partition = bench->partition,
                                              .threads = threads};
            double begun = processor_seconds();
            struct solve_result result = solve(bench, &question, instance->moves);
            double processor = processor_seconds() - begun;
            (void)printf("24     instance=%d moves=%" PRId64 " threads=%u generated=%" PRIu64
                         " expanded=%" PRIu64 " published=%s seconds=%.2f processor=%.2f nodes/s=%.1fM\n",
                         instance->id, result.moves, threads, result.generated, result.expanded,
                         instance->nodes, result.seconds, processor,
                         (double)result.generated / result.seconds / 1e6);
            (void)fflush(stdout);
        }
    }
    space_close(space);
}

/* The boards of 70 to 80 moves. */
static void hardest(struct bench *bench)
{
    char line[LINE], *rest;
    struct pz_space *space = open_space("4x4", NULL);
    FILE *file = open_data(bench->data, "hardest15.csv");
    build_databases(&bench->archive, space, "7-8", 2);
    while (next_row(file, line, &rest)) {
        const struct question question = {.space = space,
                                          .board = line,
                                          .method = METHOD_IDASTAR,
                                          .partition = "7-8",
                                          .threads = bench->threads};
        double begun = processor_seconds();
        struct solve_result result = solve(bench, &question, strtol(rest, NULL, 10));
        (void)printf("hard   moves=%" PRId64 " threads=%u generated=%" PRIu64 " expanded=%" PRIu64
                     " seconds=%.2f processor=%.2f\n",
                     result.moves, bench->threads, result.generated, result.expanded, result.seconds,
                     processor_seconds() - begun);
        (void)fflush(stdout);
    }
    (void)fclose(file);
    space_close(space);
}

/* Makes a board at the end of a random walk that never goes back at once. */
static void walked_board(const struct grid *grid, const struct board *goal, unsigned walk,
                         struct random *random, struct board *board)
{
    enum direction last = DIRECTION_COUNT;
    *board = *goal;
    for (unsigned i = 0; i < walk;) {
        const enum direction d = (enum direction)(random_next(random) % DIRECTION_COUNT);
        if ((last != DIRECTION_COUNT && d == direction_inverse(last)) || !board_move(grid, board, d))
            continue;
        last = d;
        i++;
    }
}

/* The mean bound of random boards. */
static void bounds(struct bench *bench, unsigned boards)
{
    struct pz_space *space = open_space(bench->size, NULL);
    struct grid grid = *slide_grid(space);
    struct budget budget;
    struct pdb *pdb = NULL;
    struct pz_error error;
    struct random random = {24};
    struct board goal;
    uint64_t sum = 0;
    build_databases(&bench->archive, space, bench->partition, 2);
    budget_init(&budget, NULL, (uint64_t)4 << 30);
    const struct pdb_request request = {.grid = &grid,
                                        .blank = grid.cells - 1u,
                                        .partition = bench->partition,
                                        .threads = 2,
                                        .budget = &budget,
                                        .archive = &bench->archive};
    if (pdb_open(&request, &pdb, &error) != PZ_OK)
        die(&error);
    board_ordered(&grid, pdb->blank, &goal);
    for (unsigned i = 0; i < boards; i++) {
        struct board board;
        random_board(&grid, &goal, &random, &board);
        sum += pdb_value(pdb, &board);
    }
    (void)printf("bounds %s partition=%s boards=%u mean-bound=%.2f\n", bench->size, pdb->partition.text,
                 boards, (double)sum / boards);
    pdb_close(pdb);
    space_close(space);
}

/* Solves boards of which nothing is known before. */
static void unknown(struct bench *bench, unsigned boards, unsigned walk)
{
    struct pz_space *space = open_space(bench->size, NULL);
    const struct grid *grid = slide_permutation(space);
    struct random random = {24};
    double sum = 0;
    double most = 0;
    uint64_t goal_state[PZ_STATE_MAX / 8];
    struct board goal;
    space->puzzle->goal(space, goal_state);
    slide_board(space, goal_state, &goal);
    if (multi_takes(space))
        build_databases(&bench->archive, space, bench->partition, 1);
    for (unsigned i = 0; i < boards; i++) {
        char text[BOARD_TEXT_MAX];
        struct board board;
        if (walk > 0)
            walked_board(grid, &goal, walk, &random, &board);
        else
            random_board(grid, &goal, &random, &board);
        board_format(grid, &board, text);
        const struct question question = {.space = space,
                                          .board = text,
                                          .method = METHOD_IDASTAR,
                                          .partition = bench->partition,
                                          .threads = bench->threads};
        const double begun = processor_seconds();
        const struct solve_result result = solve_until(bench, &question);
        const double took = processor_seconds() - begun;
        sum += took;
        most = took > most ? took : most;
        (void)printf("random %s board=%u moves=%" PRId64 " partition=%s threads=%u generated=%" PRIu64
                     " seconds=%.2f processor=%.2f\n",
                     bench->size, i, result.moves, result.partition, bench->threads, result.generated,
                     result.seconds, took);
        (void)fflush(stdout);
    }
    (void)printf("random %s boards=%u mean-processor=%.3f most=%.3f\n", bench->size, boards, sum / boards,
                 most);
    space_close(space);
}

/* Returns true if a part was asked for; without any, all are but those that take minutes. */
static bool wanted(int argc, char **argv, const char *part)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], part) == 0)
            return true;
    return argc == 2 && strcmp(part, "long") != 0 && strcmp(part, "hardest") != 0;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    static const int medium[] = {40, 38, 44};
    static const int hard[] = {22, 1};
    static const char *const partitions[] = {"7-8", "6-6-3", "5-5-5"}; /* the first as the daemon takes it */
    if (argc < 2) {
        (void)fprintf(stderr, "usage: bench_solve DATA "
                              "[small|korf|7-8|6-6-3|5-5-5|manhattan|big|hardest|long|bounds=N|"
                              "threads=N|partition=NAME|size=RxC|random=N|walk=N …]\n");
        return 2;
    }
    const unsigned boards = number_of(argc, argv, "bounds=", 0);
    const unsigned unsolved = number_of(argc, argv, "random=", 0);
    bench.data = argv[1];
    bench.size = argument_of(argc, argv, "size=", "5x5");
    bench.partition = argument_of(argc, argv, "partition=", NULL);
    bench.threads = number_of(argc, argv, "threads=", 2);
    bench.archive = (struct pattern_archive){&bench.tables, kept_load, kept_release, kept_save};
    if (wanted(argc, argv, "small"))
        small(&bench);
    if (wanted(argc, argv, "manhattan"))
        manhattan(&bench);
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++)
        if (wanted(argc, argv, "korf") || wanted(argc, argv, partitions[i]))
            korf(&bench, i > 0 ? partitions[i] : NULL);
    if (wanted(argc, argv, "big"))
        big(&bench, medium, sizeof medium / sizeof *medium, true);
    if (wanted(argc, argv, "hardest"))
        hardest(&bench);
    if (wanted(argc, argv, "long"))
        big(&bench, hard, sizeof hard / sizeof *hard, false);
    if (boards > 0)
        bounds(&bench, boards);
    if (unsolved > 0)
        unknown(&bench, unsolved, number_of(argc, argv, "walk=", 0));
    return 0;
}
