/* SPDX-License-Identifier: MIT */
/* The jobs that the daemon holds in memory, beyond the room that it begins with. */
#include "test_support.h"

#include "daemon/jobs/jobs.h"

#include <inttypes.h>

enum { MANY = 3000 };

static struct job *add(struct jobs *jobs, uint64_t id, uint64_t question)
{
    const char *text = text_of("question %" PRIu64, question);
    struct job_record record = {.id = id,
                                .kind = JOB_SOLVE,
                                .state = JOB_DONE,
                                .puzzle = strdup("slide:3x3"),
                                .request = strdup("SOLVE 3x3"),
                                .question = strdup(text),
                                .result = strdup("")};
    struct job *job = jobs_add(jobs, &record, true);
    assert_non_null(job);
    return job;
}

static const struct job *find(const struct jobs *jobs, uint64_t question)
{
    return jobs_find_question(jobs, text_of("question %" PRIu64, question));
}

TEST(thousands_are_found_by_number_and_by_question)
{
    struct jobs *jobs = jobs_new();
    assert_non_null(jobs);
    for (uint64_t i = 1; i <= MANY; i++)
        (void)add(jobs, 2 * i, i);
    assert_int_equal(jobs_in_state(jobs, JOB_DONE), MANY);
    uint64_t after = 0;
    for (uint64_t i = 1; i <= MANY; i++) {
        assert_int_equal(jobs_find(jobs, 2 * i)->record.id, 2 * i);
        assert_null(jobs_find(jobs, 2 * i + 1));
        assert_int_equal(find(jobs, i)->record.id, 2 * i);
        after = jobs_next(jobs, after)->record.id;
        assert_int_equal(after, 2 * i);
    }
    assert_null(jobs_next(jobs, after));
    jobs_free(jobs);
}

TEST(what_is_removed_is_gone_and_nothing_else)
{
    struct jobs *jobs = jobs_new();
    assert_non_null(jobs);
    for (uint64_t i = 1; i <= MANY; i++)
        (void)add(jobs, i, i);
    for (uint64_t i = 1; i <= MANY; i++)
        if (i % 3 == 0)
            jobs_remove(jobs, jobs_find(jobs, i));
    for (uint64_t i = 1; i <= MANY; i++) {
        assert_int_equal(jobs_find(jobs, i) == NULL, i % 3 == 0);
        assert_int_equal(find(jobs, i) == NULL, i % 3 == 0);
    }
    assert_int_equal(jobs_in_state(jobs, JOB_DONE), MANY - MANY / 3);
    jobs_free(jobs);
}

TEST(the_latest_of_those_who_asked_the_same_answers)
{
    struct jobs *jobs = jobs_new();
    assert_non_null(jobs);
    for (uint64_t i = 1; i <= MANY; i++)
        (void)add(jobs, i, i % 7);
    for (uint64_t question = 0; question < 7; question++) {
        const struct job *job = find(jobs, question);
        assert_non_null(job);
        assert_int_equal(job->record.id % 7, question);
        assert_true(job->record.id + 7 > MANY);
    }
    jobs_free(jobs);
}
