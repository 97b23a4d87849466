/* SPDX-License-Identifier: MIT */
#include "rank_lines.h"

#include "base/status_word.h"
#include "explore/exchange/frame.h"
#include "protocol/result.h"
#include "protocol/text/text.h"
#include "version.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* Writes a line. Returns PZ_STORAGE when nobody reads: the daemon has ended. */
static enum pz_status rank_put_line(const struct text *line, struct pz_error *error)
{
    if (line->failed)
        return pz_fail(error, PZ_MEMORY, "no memory for a line");
    if (fprintf(stdout, "%s\n", text_string(line)) < 0 || fflush(stdout) != 0)
        return pz_fail(error, PZ_STORAGE, "the daemon no longer listens");
    return PZ_OK;
}

void lines_begin(const struct exchange *exchange, unsigned threads, uint64_t memory)
{
    if (exchange->rank == 0)
        (void)fprintf(stdout, "OK version=" PUZZLED_VERSION " ranks=%u threads=%u memory=%" PRIu64 "\n",
                      exchange->ranks, threads, memory);
    (void)fflush(stdout);
}

void lines_wait(const struct exchange *exchange, const struct pz_error *reason)
{
    struct text line = {0};
    if (exchange->rank != 0)
        return;
    text_add(&line, "EVENT phase=wait");
    text_key(&line, "text", reason->text);
    (void)rank_put_line(&line, NULL); /* the next line finds out whether the daemon listens */
    text_free(&line);
}

/* Finds the rank that the others waited for: the one that waited least. */
static void find_slowest(struct rank_lines *lines)
{
    const struct exchange *exchange = mpi_exchange_of(lines->mpi);
    double waited = mpi_exchange_traffic(lines->mpi).seconds;
    const double here = waited - lines->waited;
    lines->waited = waited;
    const double *all = frame_gather(exchange, FRAME_FIGURES, &here, sizeof here);
    lines->slowest = 0;
    for (unsigned i = 1; i < exchange->ranks; i++)
        if (all[i] < all[lines->slowest])
            lines->slowest = i;
}

static enum pz_status write_level_line(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct rank_lines *lines = context;
    struct text line = {0};
    assert(states > 0);
    find_slowest(lines);
    if (mpi_exchange_of(lines->mpi)->rank != 0)
        return PZ_OK;
    text_format(&line, "level=%" PRIu32 " states=%" PRIu64, level, states);
    enum pz_status status = rank_put_line(&line, error);
    text_free(&line);
    return status;
}

static enum pz_status rank_take_examples(void *context, uint32_t level, const void *states, unsigned count,
                                         struct pz_error *error)
{
    const struct rank_lines *lines = context;
    unsigned words = lines->space->state_bytes / 8;
    assert(words > 0);
    struct text line = {0};
    if (mpi_exchange_of(lines->mpi)->rank != 0 || count == 0)
        return PZ_OK;
    text_format(&line, "level=%" PRIu32 " example=", level);
    for (size_t i = 0; i < (size_t)count * words; i++) {
        uint64_t word;
        memcpy(&word, (const unsigned char *)states + i * sizeof word, sizeof word);
        text_format(&line, "%s%016" PRIx64, i > 0 && i % words == 0 ? "," : "", word);
    }
    enum pz_status status = rank_put_line(&line, error);
    text_free(&line);
    return status;
}

struct explore_sink lines_sink(struct rank_lines *lines)
{
    return (struct explore_sink){.context = lines, .level = write_level_line, .examples = rank_take_examples};
}

void lines_progress(void *context, const struct progress *progress)
{
    const struct rank_lines *lines = context;
    if (mpi_exchange_of(lines->mpi)->rank != 0)
        return;
    (void)fprintf(stdout,
                  "EVENT phase=%s level=%" PRIu32 " frontier=%" PRIu64 " states=%" PRIu64
                  " rate=%.0f bytes=%" PRIu64 " done=%.3f seconds=%.3f slowest=%u\n",
                  progress->phase, progress->level, progress->frontier, progress->states, progress->rate,
                  progress->bytes, progress->done, progress->seconds, lines->slowest);
    (void)fflush(stdout);
}

void rank_lines_end(const struct exchange *exchange, enum pz_status status,
                    const struct explore_result *result, const struct pz_error *error)
{
    struct text line = {0};
    struct job_facts facts = {0};
    if (exchange->rank != 0)
        return;
    if (status != PZ_OK) {
        text_format(&line, "ERR %s fatal %s", status_word(status), error->text);
    } else {
        job_facts_note(&facts, result);
        text_add(&line, "OK");
        result_write_end(JOB_EXPLORE, JOB_DONE, &facts, &line);
        result_write_effort(JOB_DONE, &facts, &line);
        result_write_work(result, result->threads, &line);
        result_write_limits(&facts, &line);
    }
    (void)rank_put_line(&line, NULL); /* a daemon that does not listen misses nothing */
    text_free(&line);
}
