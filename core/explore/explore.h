/* SPDX-License-Identifier: MIT */
/*
 * Level-synchronous breadth-first exploration: the question, the answer, and the two ways a running engine
 * talks to its caller. The engine is chosen here. What it finds goes to a sink, so that no engine knows where
 * anything is kept.
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "base/budget.h"
#include "explore/control.h"
#include "explore/explore_words.h"
#include "puzzled/space.h"

#define EXPLORE_NO_LIMIT UINT32_MAX

struct explore_checkpoint; /* checkpoint/checkpoint.h */
struct exchange;           /* exchange.h */

/* Settings of one engine alone. */
struct striped_request {
    bool edges;       /* count the moves, for sink->edges */
    unsigned stripes; /* a power of two; 0 for the engine's choice */
};
struct ranked_request {
    bool parts; /* find the connected components; they go into the table */
};
struct dense_request {
    const char *kernel; /* "portable", "avx2", "avx512"; NULL for the best here */
    uint64_t fill;      /* planes in pieces: bytes that the search may take without need, to be faster */
};

struct explore_request {
    const struct pz_space *space; /* canonical where the puzzle has a canonical form */
    const void *root; /* with roots > 1 the first of so many, as in a root_set, which outlives the plan */
    unsigned roots;   /* 0 is 1 */
    uint32_t depth;   /* last level that is wanted, EXPLORE_NO_LIMIT for all */
    unsigned threads; /* 1 … TEAM_MAX */
    struct budget *budget; /* every large allocation is taken from it before it is made */
    enum engine engine;
    enum keep keep;
    enum explore_from from;     /* FROM_GOALS: striped, ranked */
    enum explore_planes planes; /* dense; PLANES_DISK also others: levels, or runs, in scratch space */
    const char *scratch; /* a directory that is this run's alone, for PLANES_DISK; NULL: there is none */
    uint64_t disk;       /* most bytes that it may hold; 0 for no limit */
    uint64_t seed;       /* of the choice of examples */
    /* striped, and dense and ranked with KEEP_LEVELS: other processes, each of which explores a part; all
     * have this request. NULL for none. The sink of each gets all levels, examples and the deepest states,
     * and no runs.
     */
    const struct exchange *exchange;
    bool cluster;                                /* auto means an engine that runs on several ranks */
    const struct explore_checkpoint *checkpoint; /* NULL: a run that is cut off starts over */
    struct striped_request striped;
    struct ranked_request ranked;
    struct dense_request dense;
};

/* Returns how many states the exploration begins from. */
static inline unsigned explore_roots(const struct explore_request *request)
{
    return request->roots > 1 ? request->roots : 1;
}

/* The format of a stored table. It stands in the table's record, and it alone decides how the table is read.
 * Tables in chunks are those of the dense engine (dense/table/dense_table.h), of the ranked one
 * (ranked/ranked_table.h), and pattern databases. The numbers are stored. */
enum table_kind {
    TABLE_NONE = 0,
    TABLE_RUNS = 1,
    TABLE_DENSE = 2,
    TABLE_RANKED = 3,
    TABLE_PATTERN = 4,
    TABLE_KINDS
};
static inline bool table_has_chunks(enum table_kind kind)
{
    return kind == TABLE_DENSE || kind == TABLE_RANKED || kind == TABLE_PATTERN;
}

struct explore_plan {
    enum table_kind table; /* TABLE_NONE with KEEP_LEVELS */
    const char *engine;    /* its word: "striped", "dense", … */
    uint32_t state_bytes;
    uint64_t table_bytes; /* of chunks: exact size of all together; of runs 0, not known ahead */
    uint32_t chunk_bytes; /* of chunks: size of every one but the last */
};

/*
 * One sorted run: count keys, ascending when compared as big-endian numbers of key_words words, most
 * significant word first, and their distances. Keys are *mixed* states (explore/key/mix.h).
 */
struct explore_run {
    const uint64_t *keys; /* count × key_words */
    const uint32_t *distances;
    size_t count;
    unsigned key_words;
};
#define EXPLORE_ANY_DISTANCE UINT32_MAX /* in place of a distance: all of them */

/* The moves of all states that were visited. Moves that lead to the same state count once, and one that leads
 * back to its own state does not count. */
struct explore_edges {
    uint64_t count; /* of all states together; also of dead ones, which have no level */
    uint32_t levels;
    const uint64_t *of_level; /* moves of the states of each level */
    unsigned most;            /* moves of one state */
    const uint64_t *states;   /* most + 1: how many states have 0, 1, … moves */
};

/*
 * Receives the results. All calls come from the thread that called explore_run, in this order: begin, then
 * levels in ascending order (all of them; of costs those that have a state, and 0), each followed by its
 * examples, then edges if they are asked for, then runs in ascending key order or chunks by number. A call
 * that fails ends the exploration with that status; nothing is locked during a call. Any function may be
 * NULL, and is then not called. Everything pointed to lives only during the call.
 */
struct explore_sink {
    void *context;
    enum pz_status (*begin)(void *context, const struct explore_plan *plan, struct pz_error *error);
    enum pz_status (*level)(void *context, uint32_t level, uint64_t states, struct pz_error *error);
    /* count states of state_bytes each, some or all of a level */
    enum pz_status (*examples)(void *context, uint32_t level, const void *states, unsigned count,
                               struct pz_error *error);
    enum pz_status (*edges)(void *context, const struct explore_edges *edges, struct pz_error *error);
    enum pz_status (*run)(void *context, const struct explore_run *run, struct pz_error *error);
    enum pz_status (*chunk)(void *context, uint64_t number, const void *bytes, size_t length,
                            struct pz_error *error);
};

/* The last level that is explored where distances are kept: 16 bits each, 32 bits of costs and of moves that
 * are followed back from the goals. There are others beside them: of a dead state, which is one more, and of
 * a state that is not reached. */
enum { EXPLORE_LEVEL_MAX = UINT16_MAX - 1 };
#define EXPLORE_COST_MAX (UINT32_MAX - 3)

/* Returns the engine's word in the protocol, a constant. */
const char *explore_engine_name(enum engine engine);

enum { EXPLORE_EXAMPLES = 16, EXPLORE_DEEPEST_MAX = 1000 };

struct explore_result {
    enum outcome outcome;
    enum stop_reason reason; /* with OUTCOME_STOPPED */
    bool complete;           /* every reachable state was visited */
    /* The search was restarted and ended before the last level that the sink has: depth and states are those
     * of the sink, and neither edges nor a table are handed over. */
    bool levels_only;
    uint32_t depth;        /* the last complete level */
    uint64_t states;       /* in levels 0 … depth */
    uint64_t dead;         /* FROM_GOALS: states that reach no goal, of those that it is for */
    uint64_t parts;        /* ranked, where they are asked for */
    uint64_t generated;    /* successors generated; 0 where an engine does not generate one by one */
    double search_seconds; /* without the sink's run and chunk calls */
    double store_seconds;  /* in those calls */
    uint64_t peak_bytes;   /* of the budget */
    const char *engine;
    enum explore_planes planes;  /* dense: which kind; others: PLANES_DISK or PLANES_AUTO */
    uint64_t disk_bytes;         /* peak of the scratch space */
    uint64_t disk_written_bytes; /* to the scratch space */
    uint64_t disk_read_bytes;    /* from it */
    unsigned ranks;              /* of a cluster that explored; 0 for this process alone */
    unsigned threads;            /* of each rank; 0 for this process alone */
    uint64_t rank_memory;        /* that each rank may take at least; 0 for this process alone */
    char disk_text[200];         /* STOP_DISK: what is full; STOP_MEMORY: why scratch space did not help */
};

/*
 * Explores until every state is visited, a limit is met or the control says stop. A limit is an outcome, not
 * an error: PZ_OK is returned and result shows which. Other statuses: PZ_TOO_LARGE (cannot begin within the
 * budget; the text says what it needs), PZ_MEMORY, PZ_CANCELLED, PZ_UNSUPPORTED, PZ_BAD_REQUEST, or what a
 * sink returned. Levels already handed over are correct in every case. Runs on request->threads threads, the
 * caller's among them.
 */
enum pz_status explore_run(const struct explore_request *request, struct control *control,
                           const struct explore_sink *sink, struct explore_result *result,
                           struct pz_error *error);

/* Returns PZ_OK if the dense engine has a kernel of that name that runs here; else the text says which there
 * are. */
enum pz_status explore_check_kernel(const char *name, struct pz_error *error);

/* Checks a request without a search. Returns PZ_TOO_LARGE, with what would suffice, if the exploration cannot
 * begin within limit bytes, or would make a table in more scratch space than request->disk; PZ_UNSUPPORTED
 * or PZ_BAD_REQUEST if its engine cannot do what is asked for. PZ_OK does not promise that it will finish:
 * the striped engine begins with little and stops where its budget ends. */
enum pz_status explore_check_memory(const struct explore_request *request, uint64_t limit,
                                    struct pz_error *error);

/* The bytes that a kind of planes takes, estimated from above; memory is 0 if the kind cannot be used. */
struct explore_cost {
    uint64_t memory;
    uint64_t movable;       /* the part of memory for which scratch space may be taken, twice as much */
    uint64_t disk;          /* of scratch space, at its peak, without what is moved */
    uint64_t written, read; /* to it and from it, in all */
};

/* The cost of an exploration, known without doing it. */
struct explore_estimate {
    enum engine engine;
    uint64_t states; /* 0 if not known ahead */
    uint64_t bytes;  /* of memory, with what keep asks for */
    uint64_t bytes_levels_only;
    uint64_t table_bytes;                   /* in the database */
    unsigned passes;                        /* levels, where published; 0 when not known */
    double bytes_moved;                     /* over all passes */
    struct explore_cost cost[PLANES_COUNT]; /* by kind of planes, where it is known; memory 0 for others */
    /* Striped, PLANES_AUTO: with at least so much memory it goes to scratch space when memory is full; 0:
     * never. */
    uint64_t moves_from;
    double moved_state_bytes; /* with that: what a state of its levels takes there */
};
/* Returns the kind of planes that PLANES_AUTO takes with so much memory and scratch space; PLANES_AUTO if
 * none fits. */
enum explore_planes explore_planes_within(const struct explore_estimate *estimate, uint64_t memory,
                                          uint64_t disk);
/* Returns true if the search begins in memory, and goes to scratch space when so much of it is full. */
static inline bool explore_moves_to_disk(const struct explore_estimate *estimate, uint64_t memory)
{
    return estimate->moves_from > 0 && memory >= estimate->moves_from;
}
/* Returns the scratch space that a kind of planes takes with so much memory. */
static inline uint64_t explore_disk_within(const struct explore_cost *cost, uint64_t memory)
{
    uint64_t lacks = cost->memory > memory ? cost->memory - memory : 0;
    return cost->disk + 2 * lacks;
}
/* For a search that fills memory with so many states and can go to scratch space. Returns true if it gets
 * further in so much scratch space (0: no limit): if that holds all states there will be, or at least twice
 * as many as memory. With less, no further level would fit. */
static inline bool explore_disk_helps(const struct explore_estimate *estimate, uint64_t memory, uint64_t disk,
                                      uint64_t states)
{
    const struct explore_cost *cost = &estimate->cost[PLANES_DISK];
    const bool holds_all = cost->memory > 0 && explore_disk_within(cost, memory) <= disk;
    return disk == 0 || holds_all || 2 * (double)states * estimate->moved_state_bytes <= (double)disk;
}
enum pz_status explore_plan_ahead(const struct explore_request *request, struct explore_estimate *estimate,
                                  struct pz_error *error);

#endif
