/* SPDX-License-Identifier: MIT */
#include "daemon/maintenance/demo.h"

#include "protocol/text/option_table.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *demo_option(const struct demo *demo, const char *name, const char *given)
{
    if (*demo->directory == '\0')
        return given;
    if (strcmp(name, "socket") == 0)
        return demo->socket;
    if (strcmp(name, "state-dir") == 0)
        return demo->state;
    return given == NULL && strcmp(name, "log-level") == 0 ? "warning" : given;
}

/* The signals that the demo waits for. SIGPIPE is among them only so that a closed output does not end it. */
static sigset_t demo_signals(void)
{
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGHUP);
    (void)sigaddset(&signals, SIGCHLD);
    (void)sigaddset(&signals, SIGPIPE);
    return signals;
}

static bool make_demo_directory(struct demo *demo)
{
    const char *parent = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe) there is no thread yet */
    const int length = snprintf(demo->directory, sizeof demo->directory, "%s/puzzled-demo-XXXXXX",
                                parent != NULL && *parent != '\0' ? parent : "/tmp");
    if (length >= (int)sizeof demo->directory || mkdtemp(demo->directory) == NULL) {
        (void)fprintf(stderr, "puzzled: no temporary directory can be made in $TMPDIR or /tmp\n");
        return false;
    }
    (void)snprintf(demo->socket, sizeof demo->socket, "%s/puzzled.sock", demo->directory);
    (void)snprintf(demo->state, sizeof demo->state, "%s/state", demo->directory);
    return true;
}

/* Forks a child that ends with its parent, whatever ends that. */
static pid_t fork_for_demo(const struct demo *demo)
{
    const pid_t parent = getpid();
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child != 0)
        return child;
    (void)sigprocmask(SIG_SETMASK, &demo->before, NULL);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    return 0;
}

/* Starts puzzled-web at any free port. Writes the first line that it prints, "" if it did not start. */
static void start_page(struct demo *demo, char url[64])
{
    int ends[2];
    char program[PATH_MAX];
    *url = '\0';
    program_beside("puzzled-web", program);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    demo->page = fork_for_demo(demo);
    if (demo->page == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)execlp(program, program, "--socket", demo->socket, "--listen", "127.0.0.1:0", (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    (void)close(ends[1]);
    const ssize_t length = read(ends[0], url, 63); /* the line is one write */
    (void)close(ends[0]);
    url[length > 0 ? length : 0] = '\0';
    url[strcspn(url, "\n")] = '\0';
    if (*url != '\0')
        return;
    if (demo->page > 0)
        (void)waitpid(demo->page, NULL, 0);
    demo->page = 0;
}

static void say_what_to_type(const struct demo *demo, const char *url)
{
    char directory[PATH_MAX];
    program_directory(directory);
    (void)printf("A puzzled to try. Ctrl-C ends it and removes all that it stored.\n\n"
                 "  page    %s\n  socket  %s\n\nIn another terminal:\n\n"
                 "  export PUZZLED_SOCKET=%s\n"
                 "  export PATH=\"%s:$PATH\"\n"
                 "  puzzlectl explore 3x3\n"
                 "  puzzlectl solve 3x3 8,6,7/2,5,4/3,0,1 --show\n"
                 "  puzzlectl play 3x3\n",
                 *url != '\0' ? url : "none: puzzled-web did not start (is it installed?)", demo->socket,
                 demo->socket, directory);
    (void)fflush(stdout);
}

/* Returns true, and forgets the child, once it has ended. */
static bool demo_lost(pid_t *child, const char *name)
{
    if (*child <= 0 || waitpid(*child, NULL, WNOHANG) == 0)
        return false;
    *child = 0;
    (void)fprintf(stderr, "puzzled: the demo ends, as its %s did\n", name);
    return true;
}

/* Waits that long at most. Returns false if the demo is over. */
static bool demo_goes_on(struct demo *demo, int milliseconds, int *status)
{
    const sigset_t signals = demo_signals();
    const struct timespec most = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    const int came = sigtimedwait(&signals, NULL, &most);
    if (came > 0 && came != SIGCHLD && came != SIGPIPE)
        return false;
    if (!demo_lost(&demo->daemon, "puzzled") && !demo_lost(&demo->page, "puzzled-web"))
        return true;
    *status = EXIT_FAILURE;
    return false;
}

static int remove_of_demo(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void end_demo(const struct demo *demo)
{
    const pid_t children[] = {demo->page, demo->daemon};
    for (unsigned i = 0; i < 2; i++)
        if (children[i] > 0 && kill(children[i], SIGTERM) == 0)
            (void)waitpid(children[i], NULL, 0);
    if (nftw(demo->directory, remove_of_demo, 8, FTW_DEPTH | FTW_PHYS) != 0)
        (void)fprintf(stderr, "puzzled: %s could not be removed\n", demo->directory);
}

int demo_run(struct demo *demo)
{
    const sigset_t signals = demo_signals();
    char url[64];
    int status = EXIT_SUCCESS;
    if (!make_demo_directory(demo))
        return EXIT_FAILURE;
    (void)sigprocmask(SIG_BLOCK, &signals, &demo->before);
    demo->daemon = fork_for_demo(demo);
    if (demo->daemon == 0)
        return -1;
    bool alive = demo->daemon > 0;
    while (alive && access(demo->socket, F_OK) != 0)
        alive = demo_goes_on(demo, 20, &status);
    if (alive) {
        start_page(demo, url);
        say_what_to_type(demo, url);
    }
    while (alive)
        alive = demo_goes_on(demo, 1000, &status);
    end_demo(demo);
    return demo->daemon < 0 ? EXIT_FAILURE : status;
}
