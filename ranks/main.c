/* SPDX-License-Identifier: MIT */
/* puzzled-ranks: one rank of an exploration that runs on many. */
#include "folders.h"
#include "lines.h"
#include "mpi_exchange.h"
#include "options.h"
#include "question.h"
#include "report.h"
#include "scratch.h"
#include "version.h"

#include "base/team.h"
#include "explore/agree.h"
#include "explore/explore.h"

#include <inttypes.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

/* ---- what a rank may use ---- */

/* Returns the processors that this rank may use: its own if ranks are bound, else its share. */
static unsigned processors(unsigned neighbours)
{
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int bound = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    long share = bound < online ? bound : online / (long)neighbours;
    return share < 1 ? 1 : share > TEAM_MAX ? TEAM_MAX : (unsigned)share;
}

/* Returns three quarters of this rank's share of the machine's memory. */
static uint64_t memory_share(unsigned neighbours)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4 * 3 / neighbours;
}

/* ---- what is told at the end ---- */

/* Each rank's part, as it is sent. */
struct share {
    struct mpi_traffic traffic;
    double seconds;
    uint64_t peak_bytes;
};

static void print_stats(const struct exchange *exchange, const struct mpi_exchange *mpi,
                        const struct explore_result *result)
{
    struct share own = {.traffic = mpi_exchange_traffic(mpi),
                        .seconds = result->search_seconds,
                        .peak_bytes = result->peak_bytes};
    const struct share *all = exchange->gather(exchange->context, &own, sizeof own);
    struct share sum = {0};
    double waited_most = 0;
    for (unsigned i = 0; i < exchange->ranks; i++) {
        sum.traffic.messages += all[i].traffic.messages;
        sum.traffic.bytes += all[i].traffic.bytes;
        sum.traffic.seconds += all[i].traffic.seconds;
        waited_most = all[i].traffic.seconds > waited_most ? all[i].traffic.seconds : waited_most;
        sum.peak_bytes = all[i].peak_bytes > sum.peak_bytes ? all[i].peak_bytes : sum.peak_bytes;
    }
    if (exchange->rank != 0)
        return;
    printf("# ranks=%u seconds=%.3f states=%" PRIu64 " generated=%" PRIu64 " messages=%" PRIu64
           " bytes=%" PRIu64 " bytes_a_state=%.2f waited_seconds=%.3f waited_most=%.3f peak_bytes=%" PRIu64
           "\n",
           exchange->ranks, own.seconds, result->states, result->generated, sum.traffic.messages,
           sum.traffic.bytes, (double)sum.traffic.bytes / (double)result->states,
           sum.traffic.seconds / exchange->ranks, waited_most, sum.peak_bytes);
}

/* ---- the exploration ---- */

/* Returns the engine, which depends on the question alone: any number of ranks finds the same examples. */
static enum engine engine_for(const struct explore_request *request, enum engine wanted)
{
    struct explore_estimate estimate;
    if (wanted != ENGINE_AUTO)
        return wanted;
    return explore_plan_ahead(request, &estimate, NULL) == PZ_OK && estimate.engine == ENGINE_DENSE
               ? ENGINE_DENSE
               : ENGINE_STRIPED;
}

static enum pz_status explore(const struct mpi_exchange *mpi, const struct question *question,
                              const struct options *options, struct report *report,
                              struct explore_result *result, struct pz_error *error)
{
    const struct exchange *exchange = mpi_exchange_of(mpi);
    unsigned neighbours = mpi_exchange_neighbours(mpi);
    struct lines lines = {.mpi = mpi, .space = question->space};
    struct control control = {.report = options->daemon ? lines_progress : NULL, .context = &lines};
    struct budget budget;
    struct scratch scratch = {0};
    const uint64_t memory = options->memory > 0 ? options->memory : memory_share(neighbours);
    uint64_t least_memory = memory;
    enum pz_status status = PZ_OK;
    if (options->scratch != NULL)
        status =
            scratch_open(&scratch, exchange, options->scratch, options->daemon ? options->seed : 0, error);
    status = agree_status(exchange, status, &least_memory, error);
    if (status != PZ_OK) {
        scratch_close(&scratch, false);
        return status;
    }
    budget_init(&budget, NULL, memory);
    struct explore_request request = {.space = question->space,
                                      .root = question->root,
                                      .depth = options->depth,
                                      .threads =
                                          options->threads > 0 ? options->threads : processors(neighbours),
                                      .budget = &budget,
                                      .keep = KEEP_LEVELS,
                                      .planes = options->scratch != NULL ? PLANES_DISK : PLANES_AUTO,
                                      .scratch = options->scratch != NULL ? scratch.own : NULL,
                                      .seed = options->seed,
                                      .exchange = exchange->ranks > 1 ? exchange : NULL};
    const struct explore_sink sink = options->daemon ? lines_sink(&lines) : report_sink(report);
    request.engine = engine_for(&request, options->engine);
    if (options->scratch != NULL && request.engine == ENGINE_DENSE)
        request.checkpoint = &scratch.calls;
    if (options->daemon)
        lines_begin(exchange, request.threads, least_memory);
    status = explore_run(&request, &control, &sink, result, error);
    scratch_close(&scratch, status == PZ_OK && (result->complete || result->reason == STOP_DEPTH));
    if (status == PZ_OK && options->stats && !options->daemon)
        print_stats(exchange, mpi, result);
    const struct report_about about = {options, &request, result, exchange->ranks};
    return status == PZ_OK ? agree_status(exchange, report_end(report, &about, error), NULL, error) : status;
}

/* All ranks agree on every failure, so that each returns the same status and text. */
static enum pz_status run(const struct mpi_exchange *mpi, const struct options *options,
                          enum pz_status understood, struct explore_result *result, struct pz_error *error)
{
    const struct exchange *exchange = mpi_exchange_of(mpi);
    struct question question = {0};
    struct report report = {0};
    enum pz_status status = question_agree_version(exchange, PUZZLED_VERSION, error);
    if (status != PZ_OK)
        return status;
    status = understood;
    if (status == PZ_OK)
        status = question_open(options, &question, error);
    status = agree_status(exchange, status, NULL, error);
    if (status == PZ_OK)
        status = question_agree(exchange, &question, options, error);
    if (status == PZ_OK) {
        if (exchange->rank == 0 && !options->daemon)
            status = report_open(&report, question.space, options->report, error);
        status = agree_status(exchange, status, NULL, error);
    }
    if (status == PZ_OK)
        status = explore(mpi, &question, options, &report, result, error);
    enum pz_status closed = report_close(&report, status == PZ_OK ? error : NULL);
    if (status == PZ_OK)
        status = agree_status(exchange, closed, NULL, error);
    question_clear(&question);
    return status;
}

int main(int count, char **words)
{
    struct mpi_exchange *mpi = NULL;
    struct options options;
    struct pz_error error = {0};
    int provided = 0;
    enum pz_status understood = options_read(count, words, &options, &error);
    if (understood == PZ_OK && (options.help || options.version)) {
        (void)fputs(options.help ? options_help() : "puzzled-ranks " PUZZLED_VERSION "\n", stdout);
        return EXIT_SUCCESS;
    }
    if (understood == PZ_OK && options.clear) { /* each rank on its own machine: nothing is to be said */
        folders_clear(options.scratch, options.seed);
        return EXIT_SUCCESS;
    }
    /* By default Open MPI yields the processor at every poll if there are more ranks than processors. The
     * exchange itself sleeps when there is nothing to do. Seven ranks on two busy processors took 10 s with
     * yielding, 0.4 without. */
    (void)setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
    (void)MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED)
        (void)pz_fail(&error, PZ_UNSUPPORTED, "this MPI allows no threads (MPI_THREAD_FUNNELED)");
    else
        (void)mpi_exchange_new(&mpi, &error);
    if (mpi == NULL) {
        (void)fprintf(stderr, "puzzled-ranks: %s\n", error.text);
        (void)MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return EXIT_FAILURE;
    }
    struct explore_result result = {0};
    enum pz_status status = run(mpi, &options, understood, &result, &error);
    if (status == PZ_OK && result.reason == STOP_DISK && !options.daemon) /* the report is whole */
        status = pz_fail(&error, PZ_STORAGE_FULL, "%s", result.disk_text);
    if (options.daemon)
        lines_end(mpi_exchange_of(mpi), status, &result, &error);
    else if (status != PZ_OK && mpi_exchange_of(mpi)->rank == 0)
        (void)fprintf(stderr, "puzzled-ranks: %s\n", error.text);
    mpi_exchange_free(mpi);
    (void)MPI_Finalize();
    return status == PZ_OK ? EXIT_SUCCESS : status == PZ_BAD_REQUEST ? EXIT_USAGE : EXIT_FAILURE;
}
