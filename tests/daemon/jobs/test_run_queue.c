/* SPDX-License-Identifier: MIT */
/* Which queued exploration begins, by hand: no daemon runs. */
#include "test_support.h"

#include "base/clock.h"
#include "daemon/schedule/scheduler_internal.h"
#include "daemon/settings/config.h"

enum { GB = 1 << 30, THREADS = 2 };

struct table {
    struct config config;
    struct scheduler scheduler;
    struct client clients[3];
    struct task tasks[6];
    struct job jobs[6];
    unsigned count;
};

/* All explorations together may take 3 GB. */
static void lay(struct table *table)
{
    *table = (struct table){.config = {.memory = UINT64_C(4) * GB, .threads = THREADS}};
    table->scheduler.options.config = &table->config;
}

static struct run_queue *queue_of(struct table *table)
{
    return scheduler_run_queue(&table->scheduler, JOB_EXPLORE);
}

/* Queues an exploration of a client for so many GB. */
static struct job *submit(struct table *table, unsigned client, unsigned memory)
{
    struct job *job = &table->jobs[table->count];
    struct task *task = &table->tasks[table->count++];
    task->plan.request.threads = 1;
    task->plan.memory = task->plan.reserve = (uint64_t)memory * GB;
    *job = (struct job){.task = task, .owner = &table->clients[client], .record.kind = JOB_EXPLORE};
    job->entry.owner = job->owner;
    fair_queue_push(&queue_of(table)->queued, &job->entry);
    return job;
}

/* Expects that this one begins next; NULL: none. */
static void expect_begins(struct table *table, struct job *job)
{
    assert_ptr_equal(run_queue_take(&table->scheduler, queue_of(table)), job);
    if (job == NULL)
        return;
    job->phase = PHASE_RUNNING;
    job->began = clock_seconds();
    run_queue_load(job)->jobs++;
    run_queue_load(job)->memory += job->task->plan.reserve;
    run_queue_begin(queue_of(table), job);
}

static void end(struct table *table, struct job *job)
{
    run_queue_load(job)->jobs--;
    run_queue_load(job)->memory -= job->task->plan.reserve;
    run_queue_end(queue_of(table), job);
}

TEST(a_client_s_first_job_overtakes_a_large_one_that_waits_for_an_earlier_one)
{
    struct table table;
    lay(&table);
    expect_begins(&table, submit(&table, 0, 1));
    struct job *large = submit(&table, 1, 3);
    expect_begins(&table, NULL);
    struct job *small = submit(&table, 2, 1);
    expect_begins(&table, small);
    end(&table, small);
    expect_begins(&table, NULL);
    small = submit(&table, 2, 1); /* the earlier one still runs */
    expect_begins(&table, small);
    end(&table, small);
    end(&table, &table.jobs[0]);
    expect_begins(&table, large);
}

TEST(a_large_job_does_not_wait_for_ever_behind_others_small_ones)
{
    struct table table;
    lay(&table);
    struct job *first = submit(&table, 0, 1);
    expect_begins(&table, first);
    struct job *large = submit(&table, 1, 3);
    expect_begins(&table, NULL);
    struct job *second = submit(&table, 2, 1);
    expect_begins(&table, second);
    end(&table, first);
    struct job *third = submit(&table, 0, 1);
    expect_begins(&table, NULL); /* only one that has overtaken it runs */
    struct job *lookup = submit(&table, 0, 1);
    lookup->for_lookup = true;
    expect_begins(&table, lookup);
    end(&table, lookup);
    end(&table, second);
    expect_begins(&table, large);
    expect_begins(&table, NULL);
    end(&table, large);
    expect_begins(&table, third);
}

TEST(nor_does_it_wait_for_ever_behind_small_ones_of_its_own_client)
{
    struct table table;
    lay(&table);
    struct job *first = submit(&table, 0, 1);
    expect_begins(&table, first);
    struct job *large = submit(&table, 0, 3);
    expect_begins(&table, NULL);
    struct job *second = submit(&table, 0, 1);
    expect_begins(&table, second);
    end(&table, first);
    struct job *third = submit(&table, 0, 1);
    expect_begins(&table, NULL); /* only one that has overtaken it runs */
    struct job *other = submit(&table, 1, 1);
    expect_begins(&table, other);
    end(&table, other);
    end(&table, second);
    expect_begins(&table, large);
    end(&table, large);
    expect_begins(&table, third);
}
