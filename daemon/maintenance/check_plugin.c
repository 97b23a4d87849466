/* SPDX-License-Identifier: MIT */
#include "daemon/maintenance/check_plugin.h"

#include "base/clock.h"
#include "space/check/plugin_check.h"
#include "space/plugin.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MICROSECONDS = 20000 };
static const double patience = 30; /* seconds that one function may take */

/* Shared with the child, which writes it. */
struct trace {
    _Atomic uint64_t calls;
    /* The one called last, a constant of the program, at the same place in both; NULL after the check. */
    const char *_Atomic function;
};

/* ---- the child ---- */

static void print_broken(void *context, const char *line)
{
    (void)context;
    (void)printf("  broken: %s\n", line);
    (void)fflush(stdout);
}

static void note_call(void *context, const char *function)
{
    struct trace *trace = context;
    atomic_store_explicit(&trace->function, function, memory_order_relaxed);
    atomic_fetch_add_explicit(&trace->calls, 1, memory_order_relaxed);
}

static int print_failure(const char *file, const struct pz_error *error)
{
    (void)printf("%s: %s\n", file, error->text);
    return EXIT_FAILURE;
}

static int print_plugin_verdict(const char *file, const struct plugin_check_result *result)
{
    (void)printf("%s: %s, %" PRIu64 " states looked at, %s%" PRIu64 " found around the root: %s\n", file,
                 result->name, result->states, result->whole ? "all " : "", result->near,
                 result->broken == 0 ? "nothing wrong was found" : "it does not keep what it promises");
    return result->broken == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int check_plugin_space(const char *file, const char *size, struct trace *trace)
{
    const struct pz_puzzle *puzzle = NULL;
    struct pz_error error = {0};
    struct plugin_check_result result;
    note_call(trace, "pz_plugin");
    if (plugin_load(file, &puzzle, &error) != PZ_OK)
        return print_failure(file, &error);
    const struct plugin_check_options options = {.puzzle = puzzle,
                                                 .size = size,
                                                 .seed = 1,
                                                 .broken = print_broken,
                                                 .calling = note_call,
                                                 .context = trace};
    if (plugin_check(&options, &result, &error) != PZ_OK)
        return print_failure(file, &error);
    return print_plugin_verdict(file, &result);
}

/* ---- the parent ---- */

/* Waits for the child's end. Returns false if a function does not return; the child is then killed. */
static bool await_child(pid_t child, const struct trace *trace, int *status)
{
    uint64_t calls = 0;
    double since = clock_seconds();
    while (waitpid(child, status, WNOHANG) == 0) {
        const uint64_t now = atomic_load_explicit(&trace->calls, memory_order_relaxed);
        if (now != calls)
            since = clock_seconds();
        calls = now;
        if (clock_seconds() - since > patience) {
            (void)kill(child, SIGKILL);
            (void)waitpid(child, status, 0);
            return false;
        }
        (void)usleep(LOOK_MICROSECONDS);
    }
    return true;
}

static int report_end_of_check(const char *file, pid_t child, const struct trace *trace)
{
    int status = 0;
    const bool ended = await_child(child, trace, &status);
    const char *function = atomic_load_explicit(&trace->function, memory_order_relaxed);
    if (!ended)
        (void)printf("%s: %s did not return for %g s\n", file, function, patience);
    else if (WIFSIGNALED(status))
        (void)printf("%s: the process was ended by signal %d (%s); the function called last was %s\n", file,
                     WTERMSIG(status), sigdescr_np(WTERMSIG(status)), function);
    else if (function != NULL)
        (void)printf("%s: it ended the process with status %d; the function called last was %s\n", file,
                     WEXITSTATUS(status), function);
    else
        return WEXITSTATUS(status);
    return EXIT_FAILURE;
}

int check_plugin(const char *file, const char *size)
{
    struct trace *trace =
        mmap(NULL, sizeof *trace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (trace == MAP_FAILED) {
        (void)fputs("puzzled: no memory for the check\n", stderr);
        return EXIT_FAILURE;
    }
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int leave = check_plugin_space(file, size, trace);
        note_call(trace, NULL);
        (void)fflush(stdout);
        _exit(leave);
    }
    if (child < 0) {
        (void)fputs("puzzled: no process for the check\n", stderr);
        return EXIT_FAILURE;
    }
    return report_end_of_check(file, child, trace);
}
