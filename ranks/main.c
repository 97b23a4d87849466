/* SPDX-License-Identifier: MIT */
/* puzzled-ranks: one rank of an exploration that runs on many. */
#include "folders.h"
#include "mpi_exchange.h"
#include "rank_lines.h"
#include "rank_options.h"
#include "rank_question.h"
#include "rank_report.h"
#include "rank_scratch.h"
#include "version.h"

#include "base/machine.h"
#include "base/own_files.h"
#include "base/team.h"
#include "explore/exchange/frame.h"
#include "explore/explore.h"
#include "protocol/text/standard_descriptors.h"

#include <inttypes.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, SCRATCH_TRIES = 50 /* ten a second */ };

/* One rank's run. */
struct rank_session {
    struct mpi_exchange *mpi;
    const struct exchange *exchange;
    const struct options *options;
    struct rank_question question;
    struct report report;
    struct scratch scratch;
    struct budget budget;
    struct explore_result result;
};

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

/* Returns three quarters of this rank's share of what the machine, or a batch system's control group, has. */
static uint64_t memory_share(unsigned neighbours)
{
    return machine_usable().memory / 4 * 3 / neighbours;
}

/* ---- what is reported at the end ---- */

/* Each rank's part, as it is sent. */
struct share {
    struct mpi_traffic traffic;
    double seconds;
    uint64_t peak_bytes;
};

static void print_stats(const struct rank_session *session)
{
    const struct exchange *exchange = session->exchange;
    const struct explore_result *result = &session->result;
    struct share own = {.traffic = mpi_exchange_traffic(session->mpi),
                        .seconds = result->search_seconds,
                        .peak_bytes = result->peak_bytes};
    const struct share *all = frame_gather(exchange, FRAME_FIGURES, &own, sizeof own);
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

/*
 * Opens scratch space where it is wanted. Another run may have a rank's folder: ranks whose mpiexec was
 * killed take a moment to end, longer if they write to a slow disk. A daemon's exploration waits for as long
 * as it takes, also for another job with this question, since the daemon reports why and ends those that
 * wait; others wait some seconds. Meanwhile no rank keeps a folder, so that no two runs wait for each other.
 */
static enum pz_status rank_open_scratch(struct rank_session *session, bool goes_on, struct pz_error *error)
{
    static const struct timespec moment = {.tv_nsec = 100000000};
    const struct options *options = session->options;
    enum pz_status status = PZ_OK;
    for (unsigned tries = 1; options->scratch != NULL; tries++) {
        status = scratch_open(&session->scratch, session->exchange, options->scratch,
                              options->daemon ? options->seed : 0, error);
        if (status == PZ_OK && !goes_on)
            status = scratch_spare(&session->scratch, error);
        status = agree_status(session->exchange, status, NULL, error);
        if (status != PZ_BUSY || (!options->daemon && tries == SCRATCH_TRIES))
            break;
        if (options->daemon && tries == 1)
            lines_wait(session->exchange, error);
        scratch_close(&session->scratch, false);
        (void)nanosleep(&moment, NULL);
    }
    return status;
}

/* The plan's request, with what this rank has. The engine depends on the question alone: any number of ranks
 * finds the same examples. */
static struct explore_request request_of(struct rank_session *session)
{
    const struct options *options = session->options;
    const bool disk = options->scratch != NULL;
    const unsigned asked = (unsigned)request_number(&session->question.request, KEY_THREADS, 0);
    struct explore_request request = session->question.plan.request;
    request.threads = options->threads > 0 ? options->threads : asked;
    request.budget = &session->budget;
    /* A puzzle of few cells has no planes on disk. The striped engine keeps several ranks in memory. */
    const bool has_disk = request.engine == ENGINE_STRIPED
                              ? session->exchange->ranks == 1
                              : session->question.plan.estimate.cost[PLANES_DISK].memory > 0;
    request.planes = disk && has_disk ? PLANES_DISK : PLANES_AUTO;
    request.scratch = disk ? session->scratch.own : NULL;
    request.dense.fill = UINT64_MAX;
    request.seed = options->seed;
    if (session->exchange->ranks > 1)
        request.exchange = session->exchange;
    if (request.threads == 0)
        request.threads = processors(mpi_exchange_neighbours(session->mpi));
    if (disk && request.engine != ENGINE_STRIPED)
        request.checkpoint = &session->scratch.calls;
    return request;
}

/* Explores and reports what is found. Every rank returns the same status. */
static enum pz_status explore_on_ranks(struct rank_session *session, struct pz_error *error)
{
    const struct options *options = session->options;
    struct explore_result *result = &session->result;
    struct rank_lines lines = {.mpi = session->mpi, .space = session->question.plan.request.space};
    struct control control = {.report = options->daemon ? lines_progress : NULL, .context = &lines};
    uint64_t memory = session->question.memory;
    if (memory == 0)
        memory = memory_share(mpi_exchange_neighbours(session->mpi));
    budget_init(&session->budget, NULL, memory);
    (void)agree_status(session->exchange, PZ_OK, &memory, error); /* of the rank that may take least */
    const struct explore_request request = request_of(session);
    if (options->daemon)
        lines_begin(session->exchange, request.threads, memory);
    enum pz_status status = rank_open_scratch(session, request.checkpoint != NULL, error);
    if (status == PZ_OK) {
        const struct explore_sink sink = options->daemon ? lines_sink(&lines) : report_sink(&session->report);
        status = explore_run(&request, &control, &sink, result, error);
        result->ranks = session->exchange->ranks;
        result->threads = request.threads;
    }
    scratch_close(&session->scratch, status == PZ_OK && (result->complete || result->reason == STOP_DEPTH));
    if (status == PZ_TOO_LARGE)
        question_plan_advise(&session->question.plan, memory * session->exchange->ranks, 0, error);
    if (status != PZ_OK)
        return status;
    if (options->stats && !options->daemon)
        print_stats(session);
    const struct report_about about = {options, &request, result};
    return agree_status(session->exchange, report_end(&session->report, &about, error), NULL, error);
}

/* Opens the question, which all ranks must have alike. understood: how the command line was read. */
static enum pz_status open_question(struct rank_session *session, enum pz_status understood,
                                    struct pz_error *error)
{
    const struct exchange *exchange = session->exchange;
    enum pz_status status = question_agree_version(exchange, PUZZLED_VERSION, error);
    if (status == PZ_OK)
        status = agree_status(exchange, understood, NULL, error);
    if (status == PZ_OK)
        status = definition_share(exchange, session->options->define, error);
    if (status != PZ_OK)
        return status;
    if (understood == PZ_OK)
        understood = question_open(session->options, &session->question, error);
    status = agree_status(exchange, understood, NULL, error);
    if (status == PZ_OK)
        status = question_agree(exchange, &session->question, session->options, error);
    if (status != PZ_OK)
        return status;
    if (exchange->rank == 0 && !session->options->daemon)
        status = report_open(&session->report, session->question.plan.request.space, session->options->report,
                             error);
    return agree_status(exchange, status, NULL, error);
}

/* All ranks agree on every failure, so that each returns the same status and text. */
static enum pz_status run_session(struct rank_session *session, enum pz_status understood,
                                  struct pz_error *error)
{
    enum pz_status status = open_question(session, understood, error);
    if (status == PZ_OK)
        status = explore_on_ranks(session, error);
    enum pz_status closed = report_close(&session->report, status == PZ_OK ? error : NULL);
    if (status == PZ_OK)
        status = agree_status(session->exchange, closed, NULL, error);
    if (status == PZ_OK && session->result.reason == STOP_DISK && !session->options->daemon)
        status = pz_fail(error, PZ_STORAGE_FULL, "%s", session->result.disk_text); /* the report is whole */
    rank_question_clear(&session->question);
    return status;
}

/* ---- the process ---- */

/* Joins the other ranks. Ends the process, and theirs, if that fails. */
static struct mpi_exchange *join_ranks(int *count, char ***words, struct pz_error *error)
{
    struct mpi_exchange *mpi = NULL;
    int provided = 0;
    /* By default Open MPI yields the processor at every poll if there are more ranks than processors. The
     * exchange itself sleeps when there is nothing to do. Seven ranks on two busy processors took 10 s with
     * yielding, 0.4 without. */
    (void)setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
    (void)MPI_Init_thread(count, words, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED)
        (void)pz_fail(error, PZ_UNSUPPORTED, "this MPI allows no threads (MPI_THREAD_FUNNELED)");
    else
        (void)mpi_exchange_new(&mpi, error);
    if (mpi == NULL) {
        (void)fprintf(stderr, "puzzled-ranks: %s\n", error->text);
        (void)MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        exit(EXIT_FAILURE); /* NOLINT(concurrency-mt-unsafe): no thread has been started */
    }
    return mpi;
}

int main(int count, char **words)
{
    struct options options;
    struct program_line line;
    struct pz_error error = {0};
    standard_descriptors_fill();
    enum pz_status understood = options_read(count, words, &options, &line, &error);
    if (understood == PZ_OK && program_tells(&rank_program, &line))
        return EXIT_SUCCESS;
    if (understood == PZ_OK && options.clear) { /* each rank on its own machine: nothing is to be said */
        folders_clear(options.scratch, options.seed);
        return EXIT_SUCCESS;
    }
    descriptors_raise();
    struct rank_session session = {.options = &options};
    session.mpi = join_ranks(&count, &words, &error);
    session.exchange = mpi_exchange_of(session.mpi);
    enum pz_status status = run_session(&session, understood, &error);
    if (options.daemon)
        rank_lines_end(session.exchange, status, &session.result, &error);
    else if (status != PZ_OK && session.exchange->rank == 0)
        (void)fprintf(stderr, "puzzled-ranks: %s\n", error.text);
    mpi_exchange_free(session.mpi);
    (void)MPI_Finalize();
    return status == PZ_OK ? EXIT_SUCCESS : status == PZ_BAD_REQUEST ? EXIT_USAGE : EXIT_FAILURE;
}
