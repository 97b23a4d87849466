/* SPDX-License-Identifier: MIT */
/* A store in a fresh directory for each test, removed afterwards. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "test_support.h"

#include "store/engine/operation.h"
#include "store/store.h"
#include "store/table/table.h"

#include <unistd.h>

struct fixture {
    char directory[64];
    struct store_options options;
    struct store *store;
    struct pz_error error;
};

/* Within a test that has a struct fixture *fixture. */
#define fixture_ok(call) assert_ok(call, fixture->error)

/* Removes a job, and returns when that is on the disk. */
static inline enum pz_status forget_job(struct store *store, uint64_t id, struct pz_error *error)
{
    struct awaited awaited;
    awaited_begin(&awaited);
    enum pz_status status = store_job_forget_async(store, id, 0, false, &awaited.ack, error);
    return awaited_end(&awaited, status, error);
}

static inline void fixture_open(struct fixture *fixture)
{
    fixture_ok(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error));
}

static inline void fixture_close(struct fixture *fixture)
{
    store_close(fixture->store);
    fixture->store = NULL;
}

static inline void fixture_reopen(struct fixture *fixture)
{
    fixture_close(fixture);
    fixture_open(fixture);
}

static inline int fixture_make(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL)
        return -1;
    (void)snprintf(fixture->directory, sizeof fixture->directory, "/tmp/puzzled-test-XXXXXX");
    if (mkdtemp(fixture->directory) == NULL) {
        free(fixture);
        return -1;
    }
    *state = fixture;
    return 0;
}

static inline int fixture_set_up(void **state)
{
    if (fixture_make(state) != 0)
        return -1;
    fixture_open(*state);
    return 0;
}

static inline int fixture_tear_down(void **state)
{
    struct fixture *fixture = *state;
    static const char *const files[] = {"data.mdb", "lock.mdb", "owner"};
    store_close(fixture->store);
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        (void)unlink(text_of("%s/%s", fixture->directory, files[i]));
    int left = rmdir(fixture->directory);
    free(fixture);
    return left;
}

/* A job with these texts; the record owns copies. */
static inline struct job_record job_of(const char *puzzle, const char *question)
{
    return (struct job_record){.kind = JOB_EXPLORE,
                               .state = JOB_QUEUED,
                               .priority = -3,
                               .submitted_ms = 1700000000123,
                               .puzzle = strdup(puzzle),
                               .request = strdup("EXPLORE 3x3 keep=table"),
                               .question = strdup(question)};
}

/* Adds a job of 2x2. Returns its number. */
static inline uint64_t fixture_add_job(struct fixture *fixture, const char *question)
{
    struct job_record job = job_of("slide:2x2", question);
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    const uint64_t id = job.id;
    job_record_clear(&job);
    return id;
}

/* Callbacks that count in an unsigned. */
static inline bool count_job(void *context, const struct job_record *job)
{
    (void)job;
    ++*(unsigned *)context;
    return true;
}

static inline bool count_table(void *context, const struct table_record *table)
{
    (void)table;
    ++*(unsigned *)context;
    return true;
}

enum { FAULTS_TEXT_MAX = 4096 };

static inline void collect_fault(void *context, const char *fault)
{
    char *all = context;
    const size_t length = strlen(all);
    (void)snprintf(all + length, FAULTS_TEXT_MAX - length, "%s\n", fault);
}

static inline unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    return lines;
}

/* Checks the store. Returns what the check tells of its faults, a line each, until the next call. */
static inline const char *fixture_faults(struct fixture *fixture)
{
    static char faults[FAULTS_TEXT_MAX];
    struct store_check check;
    faults[0] = '\0';
    fixture_ok(store_fsck(fixture->store, collect_fault, faults, &check, &fixture->error));
    assert_int_equal(check.faults, count_lines(faults));
    return faults;
}

#define store_test(function) TEST_WITH(function, fixture_set_up, fixture_tear_down)

#endif
