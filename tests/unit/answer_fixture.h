/* SPDX-License-Identifier: MIT */
/* Explores into a store and asks the store. */
#ifndef ANSWER_FIXTURE_H
#define ANSWER_FIXTURE_H

#include "answer/answer.h"
#include "plain_search.h"
#include "store_fixture.h"

/* The way from an engine to the store. */
struct into_store {
    struct store *store;
    struct table_record about;
    struct table_writer *writer;
};

static inline enum pz_status into_begin(void *context, const struct explore_plan *plan,
                                        struct pz_error *error)
{
    struct into_store *into = context;
    into->about.kind = plan->table;
    into->about.state_bytes = plan->state_bytes;
    into->about.table_bytes = plan->table_bytes;
    into->about.chunk_bytes = plan->chunk_bytes;
    return plan->table == TABLE_NONE ? PZ_OK
                                     : table_writer_new(into->store, &into->about, &into->writer, error);
}

static inline enum pz_status into_level(void *context, uint32_t level, uint64_t states,
                                        struct pz_error *error)
{
    struct into_store *into = context;
    return store_level_put(into->store, into->about.job, level, states, error);
}

static inline enum pz_status into_examples(void *context, uint32_t level, const void *states, unsigned count,
                                           struct pz_error *error)
{
    struct into_store *into = context;
    return store_examples_put(into->store, into->about.job, level, states, count, into->about.state_bytes,
                              error);
}

static inline enum pz_status into_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct into_store *into = context;
    return table_writer_run(into->writer, run, error);
}

static inline enum pz_status into_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                                        struct pz_error *error)
{
    struct into_store *into = context;
    return table_writer_chunk(into->writer, number, bytes, length, error);
}

struct exploration {
    enum engine engine;
    uint32_t depth; /* 0 for no limit */
    unsigned threads;
    enum keep keep;
    enum explore_from from;
    bool parts;
    unsigned roots;      /* states at root; 0 is 1 */
    const char *scratch; /* for planes=disk */
};

/* Explores the canonical question of (space, root) into a new job. Returns the job's number. */
static inline uint64_t explore_into(struct fixture *fixture, const struct pz_space *space, const void *root,
                                    struct exploration how)
{
    struct into_store into = {.store = fixture->store};
    struct job_record job = {.kind = JOB_EXPLORE, .state = JOB_RUNNING};
    struct pz_canon canon = {0};
    struct pz_space *canonical = NULL;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    into.about.job = job.id;
    const unsigned roots = how.roots > 1 ? how.roots : 1;
    fixture_ok(answer_table_name(space, root, roots, how.from, into.about.name, &fixture->error));
    if (space->puzzle->canon != NULL && roots == 1) {
        struct pz_setup setup = {.size = canon.size};
        fixture_ok(space->puzzle->canon(space, root, &canon, &fixture->error));
        fixture_ok(space->puzzle->open(&setup, &canonical, &fixture->error));
        char again[STORE_NAME_MAX];
        fixture_ok(answer_table_name(canonical, canon.root, 1, how.from, again, &fixture->error));
        assert_string_equal(again, into.about.name);
    }
    struct budget budget;
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    struct control control = {.deadline = 0};
    struct explore_request request = {.space = canonical != NULL ? canonical : space,
                                      .root = canonical != NULL ? canon.root : root,
                                      .roots = roots,
                                      .planes = how.scratch != NULL ? PLANES_DISK : PLANES_AUTO,
                                      .scratch = how.scratch,
                                      .depth = how.depth != 0 ? how.depth : EXPLORE_NO_LIMIT,
                                      .threads = how.threads != 0 ? how.threads : 2,
                                      .budget = &budget,
                                      .engine = how.engine,
                                      .keep = how.keep,
                                      .from = how.from,
                                      .ranked.parts = how.parts,
                                      .seed = 1};
    const struct explore_sink sink = {.context = &into,
                                      .begin = into_begin,
                                      .level = into_level,
                                      .examples = into_examples,
                                      .run = into_run,
                                      .chunk = into_chunk};
    struct explore_result result;
    fixture_ok(explore_run(&request, &control, &sink, &result, &fixture->error));
    into.about.depth = result.depth;
    into.about.complete = result.complete;
    into.about.states = result.states;
    if (into.writer != NULL)
        fixture_ok(table_writer_finish(into.writer, &into.about, &fixture->error));
    space_close(canonical);
    return job.id;
}

/* From the space's own root. */
static inline uint64_t explore_own(struct fixture *fixture, const struct pz_space *space,
                                   struct exploration how)
{
    uint64_t root[PZ_STATE_MAX / 8];
    fixture_ok(space->puzzle->root(space, root, &fixture->error));
    return explore_into(fixture, space, root, how);
}

static inline void parse_into(struct fixture *fixture, const struct pz_space *space, const char *text,
                              void *state)
{
    fixture_ok(space->puzzle->parse(space, text, state, &fixture->error));
}

/* Asks for the distance of the board that a text tells. The status must be that; the caller frees the path.
 */
static inline struct answer answer_of(struct fixture *fixture, struct answers *answers,
                                      const struct pz_space *space, const char *text, enum pz_status expected)
{
    struct answer answer = {0};
    uint64_t start[PZ_STATE_MAX / 8];
    parse_into(fixture, space, text, start);
    enum pz_status status =
        answer_distance(answers, space, ANSWER_FROM_EITHER, start, true, &answer, &fixture->error);
    if (status != expected)
        fail_msg("%s: status %d, expected %d: %s", text, (int)status, (int)expected, fixture->error.text);
    return answer;
}

/* Follows the words of a path from start. Returns true if it is at the goal after exactly that many moves. */
static inline bool answer_replays(const struct pz_space *space, const void *start,
                                  const struct answer *answer)
{
    uint64_t at[PZ_STATE_MAX / 8];
    uint64_t successors[4096];
    uint8_t tokens[4096];
    size_t separator = strlen(space->puzzle->separator);
    const char *rest = answer->path;
    assert_true(space->max_successors * (space->state_bytes / 8) <= 4096);
    memcpy(at, start, space->state_bytes);
    for (int64_t move = 0; move < answer->moves; move++) {
        unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
        bool found = false;
        for (unsigned i = 0; i < count && !found; i++) {
            char word[PZ_TEXT_MAX];
            const uint8_t *to = (const uint8_t *)successors + (size_t)i * space->state_bytes;
            size_t length = space->puzzle->describe(space, at, to, word);
            /* A word may begin like another: 3.1:D and 3.1:DL. */
            found =
                strncmp(rest, word, length) == 0 &&
                (rest[length] == '\0' || strncmp(rest + length, space->puzzle->separator, separator) == 0);
            if (found) {
                memcpy(at, to, space->state_bytes);
                rest += length;
            }
        }
        if (!found)
            return false;
        rest += move + 1 < answer->moves ? separator : 0;
    }
    return *rest == '\0' && space->puzzle->is_goal(space, at);
}

static inline enum pz_status answer_sample_of(struct answers *answers, const struct pz_space *space,
                                              uint32_t depth, unsigned count, uint64_t seed,
                                              struct answer_states *out, struct fixture *fixture)
{
    const struct answer_wanted wanted = {depth, count, seed, ANSWER_FROM_EITHER};
    return answer_sample(answers, space, &wanted, out, &fixture->error);
}

#endif
