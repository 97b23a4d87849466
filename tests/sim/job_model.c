/* SPDX-License-Identifier: MIT */
#include "model.h"

#include "reply.h"
#include "world.h"

#include <string.h>

/* The promise is one second beside what the disk takes. */
static const uint64_t behind_ns = UINT64_C(1500000000);

const struct question *question_at(unsigned number)
{
    static const struct question questions[QUESTIONS] = {
        {"EXPLORE 2x2", -1, true, 12, 6, -1},
        {"EXPLORE 2x3", -1, true, 360, 21, -1},
        {"EXPLORE 2x3 depth=5", -1, true, -1, 5, -1},
        {"EXPLORE 2x4 keep=levels", -1, true, 20160, 36, -1},
        {"SOLVE 2x3 start=0,2,1/4,5,3 method=bfs", -1, false, -1, -1, -1},
        {"SOLVE 3x3 start=1,2,3/4,5,6/0,7,8 method=idastar", -1, false, -1, -1, 2},
        {"PDB 3x3 partition=4-4", -1, true, -1, -1, -1},
        {"SOLVE 3x3 start=8,6,7/2,5,4/3,0,1 method=idastar partition=4-4", -1, false, -1, -1, 31},
        {"GRADE 2x3 start=1,0,3/4,2,5", -1, false, -1, -1, 2},
        {"SOLVE 2x3 start=1,0,3/4,2,5 all=yes count=2 threads=2", -1, false, -1, -1, 2},
        {"EXPLORE %s", 0, true, -1, -1, -1},
        {"EXPLORE %s", 1, true, -1, -1, -1},
        {"EXPLORE %s", 2, true, -1, -1, -1},
        {"SOLVE %s start=0 method=bidirectional", 0, false, -1, -1, -1},
        {"SOLVE %s start=0 method=bfs", 1, false, -1, -1, -1},
        {"SOLVE %s start=0", 2, false, -1, -1, -1},
    };
    return &questions[number];
}

unsigned text_states(unsigned text)
{
    static const unsigned states[NAME_TEXTS] = {4, 9, 60};
    return states[text];
}

static struct job_seen *job_at(unsigned job)
{
    if (job == 0 || job >= JOBS_MAX)
        world_violate("job %u: a number that cannot be", job);
    return &world->jobs.job[job];
}

static bool must_be(unsigned number)
{
    const struct job_seen *job = &world->jobs.job[number];
    return job->told && !job->unsure && job->dropping == 0;
}

static bool same_question(const struct job_seen *job, unsigned number)
{
    const struct question *one = question_at(job->question), *other = question_at(number);
    return job->question == number ||
           (one->name >= 0 && other->name >= 0 && one->explores == other->explores);
}

void job_model_told(unsigned number, unsigned question, name_set meaning, const char *reply, uint64_t sent)
{
    struct job_seen *job = job_at(number);
    const bool at_once =
        reply_has(reply, "state", "done"); /* perhaps; to be told before that it waits says no */
    if (job->told && !same_question(job, question))
        world_violate("job %u of another question was told again: %s", number, reply);
    if (job->told && !job->unsure && reply_has(reply, "cached", "no") && job->told_at < sent)
        world_violate("job %u is told as a new one, but was told before: %s", number, reply);
    const name_set before = job->told && !job->unsure ? job->meaning : NAME_ANY;
    if (!job->told || job->unsure)
        *job = (struct job_seen){.question = (uint8_t)question,
                                 .dropping = job->dropping,
                                 .at_once = at_once,
                                 .told_at = world->now_ns,
                                 .disk_ns = world_disk_ns()};
    job->told = true;
    job->meaning = before & meaning;
    job->at_once &= at_once;
    if (number > world->jobs.most)
        world->jobs.most = number;
    job_model_shown(number, reply, sent);
}

void job_model_absent(unsigned number)
{
    if (must_be(number))
        world_violate("job %u is lost: it was acknowledged, and nobody asked to forget it", number);
}

static void check_number(const char *reply, const char *key, int64_t right)
{
    int64_t told;
    if (right >= 0 && reply_number(reply, key, &told) && told != right)
        world_violate("%s=%lld would be right: %s", key, (long long)right, reply);
}

/* What a whole exploration or a solution of a definition's text says must fit one of its meanings. */
static void check_meaning(struct job_seen *job, const char *reply, const char *key, unsigned less)
{
    int64_t told;
    if (!reply_number(reply, key, &told))
        return;
    name_set fits = 0;
    for (unsigned text = 0; text < NAME_TEXTS; text++)
        if (told == (int64_t)text_states(text) - less)
            fits |= name_model_of_text(text);
    if ((fits & job->meaning) == 0)
        world_violate("a result of another definition: %s", reply);
}

static void check_result(struct job_seen *job, const char *reply)
{
    const struct question *question = question_at(job->question);
    if (!reply_has(reply, "state", "done"))
        return;
    if (question->name >= 0)
        check_meaning(job, reply, question->explores ? "states" : "moves", question->explores ? 0 : 1);
    check_number(reply, "states", question->states);
    check_number(reply, "depth", question->depth);
    check_number(reply, "moves", question->moves);
}

/* A job fails only by a disk that failed, or when the daemon ended twice while it ran. */
static void check_failure(unsigned number, const char *reply)
{
    if (!world->has_failed && strstr(reply, " error=") != NULL &&
        strstr(reply, "the daemon ended twice while it ran") == NULL)
        world_violate("job %u failed: %s", number, reply);
}

void job_model_shown(unsigned number, const char *reply, uint64_t sent)
{
    char state[16];
    struct job_seen *job = job_at(number);
    if (!job->told) /* a lookup's, or its submission is not answered yet */
        return;
    if (job->gone_at != 0 && job->gone_at < sent)
        world_violate("job %u was forgotten and came back: %s", number, reply);
    const bool tells = reply_value(reply, "state", state, sizeof state);
    if (tells && strcmp(state, "done") != 0 && job->done_at != 0 && job->done_at < sent && !job->unsure)
        world_violate("job %u was done: %s", number, reply);
    if (reply_has(reply, "state", "failed"))
        check_failure(number, reply);
    check_result(job, reply);
}

/* An exploration runs again if its table is gone. FORGET answers who waits for the commit of the job's end at
 * once; a crash before the removal is durable may take both back. */
void job_model_ended(unsigned number)
{
    struct job_seen *job = job_at(number);
    if (job->told && job->dropping == 0 && job->done_at == 0 && !world->has_failed &&
        !question_at(job->question)->explores)
        job->done_at = world->now_ns;
}

void job_model_dropping(unsigned number)
{
    if (world->jobs.job[number].dropping < UINT8_MAX)
        world->jobs.job[number].dropping++;
}

void job_model_kept(unsigned number)
{
    struct job_seen *job = &world->jobs.job[number];
    if (job->dropping < UINT8_MAX && job->dropping > 0)
        job->dropping--;
}

void job_model_dropped(unsigned number)
{
    world->jobs.job[number].gone_at = world->now_ns;
}

void job_model_crash(void)
{
    for (unsigned i = 1; i <= world->jobs.most; i++) {
        struct job_seen *job = &world->jobs.job[i];
        const uint64_t disk_ns = world_disk_ns() - job->disk_ns;
        job->unsure |=
            job->at_once && (world->has_failed || world->now_ns - job->told_at < behind_ns + disk_ns);
    }
}
