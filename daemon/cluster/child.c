/* SPDX-License-Identifier: MIT */
#include "daemon/cluster/child.h"

#include "base/clock.h"
#include "base/status_word.h"
#include "protocol/text/text.h"
#include "protocol/text/utf8.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT, COMPLAINTS, STREAMS, READ_BYTES = 1 << 16, TAIL_BYTES = 2048 };
static const double patience = 5; /* seconds after SIGTERM */

struct child {
    pid_t process;        /* and its group; 0 when it was waited for */
    int status;           /* as waitpid reports it */
    int streams[STREAMS]; /* -1 when it has ended */
    struct text output;   /* received; the line that was handed out comes first */
    size_t handed;        /* bytes of that line, its LF included */
    struct text tail;     /* of the complaints */
};

/* ---- starting ---- */

/* In the child: executes the command. Writes errno to failed if that is not possible. The child asks to be
 * told of its parent's death; if the parent has died before that, the child must not begin. */
static _Noreturn void become(char *const *words, int input, const int ends[STREAMS], int failed, pid_t parent)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(ends[OUTPUT], STDOUT_FILENO) >= 0 &&
        dup2(ends[COMPLAINTS], STDERR_FILENO) >= 0)
        (void)execvp(words[0], words);
    int number = errno;
    (void)!write(failed, &number, sizeof number);
    _exit(127);
}

static void close_both(const int pipe[2])
{
    for (unsigned i = 0; i < 2; i++)
        if (pipe[i] >= 0)
            (void)close(pipe[i]);
}

/* Opens what the child reads; NULL: nothing. Returns -1 with errno. */
static int open_input(const char *input)
{
    const size_t length = input != NULL ? strlen(input) : 0;
    const int file =
        input != NULL ? memfd_create("input", MFD_CLOEXEC) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    const ssize_t written = file >= 0 && length > 0 ? pwrite(file, input, length, 0) : 0;
    if (file >= 0 && written != (ssize_t)length) {
        const int code = written < 0 ? errno : ENOSPC;
        (void)close(file);
        errno = code;
        return -1;
    }
    return file;
}

/* Forks. Returns an errno, also that of a command that cannot be run. */
static int child_begin(struct child *child, char *const *words, int input, int pipes[STREAMS + 1][2])
{
    if (input < 0)
        return errno;
    for (unsigned i = 0; i <= STREAMS; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            return errno;
    const pid_t self = getpid();
    child->process = fork();
    if (child->process < 0) {
        child->process = 0;
        return errno;
    }
    if (child->process == 0)
        become(words, input, (const int[STREAMS]){pipes[OUTPUT][1], pipes[COMPLAINTS][1]}, pipes[STREAMS][1],
               self);
    for (unsigned i = 0; i <= STREAMS; i++) {
        (void)close(pipes[i][1]);
        pipes[i][1] = -1;
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        child->streams[i] = pipes[i][0];
        pipes[i][0] = -1;
        (void)fcntl(child->streams[i], F_SETFL, O_NONBLOCK);
    }
    int number = 0;
    return read(pipes[STREAMS][0], &number, sizeof number) == (ssize_t)sizeof number ? number : 0;
}

enum pz_status child_start(char *const *words, const char *input, struct child **out, struct pz_error *error)
{
    int pipes[STREAMS + 1][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    struct child *child = calloc(1, sizeof *child);
    if (child == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a child process");
    for (unsigned i = 0; i < STREAMS; i++)
        child->streams[i] = -1;
    const int file = open_input(input);
    int failure = child_begin(child, words, file, pipes);
    if (file >= 0)
        (void)close(file);
    for (unsigned i = 0; i <= STREAMS; i++)
        close_both(pipes[i]);
    if (failure != 0) {
        child_free(child);
        return pz_fail(error, PZ_UNSUPPORTED, "%.200s: %s", words[0], strerrordesc_np(failure));
    }
    *out = child;
    return PZ_OK;
}

/* ---- reading ---- */

/* Takes what a stream has. */
static void take_output(struct child *child, unsigned stream, struct text *into)
{
    char bytes[READ_BYTES];
    assert(child->streams[stream] >= 0);
    ssize_t length = read(child->streams[stream], bytes, sizeof bytes);
    if (length > 0)
        text_append(into, bytes, (size_t)length);
    if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) {
        (void)close(child->streams[stream]);
        child->streams[stream] = -1;
    }
}

/* Waits for something on either stream, and takes it. */
static void listen_to_pipe(struct child *child, int milliseconds)
{
    struct pollfd polls[STREAMS];
    for (unsigned i = 0; i < STREAMS; i++)
        polls[i] = (struct pollfd){.fd = child->streams[i], .events = POLLIN};
    if (poll(polls, STREAMS, milliseconds) <= 0)
        return;
    if (polls[OUTPUT].revents != 0)
        take_output(child, OUTPUT, &child->output);
    if (polls[COMPLAINTS].revents != 0)
        take_output(child, COMPLAINTS, &child->tail);
    if (child->tail.length > TAIL_BYTES)
        text_drop(&child->tail, child->tail.length - TAIL_BYTES);
}

/* Hands out the first whole line. The last line may lack its LF. */
static bool hand_out(struct child *child, const char **line, size_t *length)
{
    const char *begin = text_string(&child->output);
    const char *end = memchr(begin, '\n', child->output.length);
    if (end == NULL && (child->streams[OUTPUT] >= 0 || child->output.length == 0))
        return false;
    *line = begin;
    *length = end != NULL ? (size_t)(end - begin) : child->output.length;
    child->handed = *length + (end != NULL);
    return true;
}

enum child_event child_read(struct child *child, int milliseconds, const char **line, size_t *length)
{
    assert(child->handed <= child->output.length);
    text_drop(&child->output, child->handed);
    child->handed = 0;
    if (hand_out(child, line, length))
        return CHILD_LINE;
    if (child->streams[OUTPUT] < 0)
        return CHILD_END;
    listen_to_pipe(child, milliseconds);
    if (hand_out(child, line, length))
        return CHILD_LINE;
    if (child->output.length > CHILD_LINE_MAX || child->output.failed)
        return CHILD_TOO_LONG;
    return CHILD_NOTHING;
}

/* ---- the end ---- */

static bool is_over(struct child *child, int how)
{
    if (child->process != 0 && waitpid(child->process, &child->status, how) == child->process)
        child->process = 0;
    return child->process == 0;
}

/* Waits some seconds for the end, and listens to the complaints meanwhile. */
static bool wait_for_end(struct child *child)
{
    const double began = clock_seconds();
    while (!is_over(child, WNOHANG) && clock_seconds() - began < patience)
        listen_to_pipe(child, 20);
    return child->process == 0;
}

/* Ends the whole group, because a command may leave other processes behind. */
static void end_group(struct child *child)
{
    const pid_t group = child->process;
    if (group == 0)
        return;
    assert(group > 1); /* 1 or -1 would end every process */
    (void)kill(-group, SIGTERM);
    if (!wait_for_end(child)) {
        (void)kill(-group, SIGKILL);
        (void)is_over(child, 0);
    }
}

/* Copies the complaints as a string: a NUL in them is a blank. */
static void copy_tail(const struct child *child, char words[TAIL_BYTES + 1])
{
    const size_t length = child->tail.length < TAIL_BYTES ? child->tail.length : TAIL_BYTES;
    memcpy(words, text_string(&child->tail), length);
    for (size_t i = 0; i < length; i++)
        if (words[i] == '\0')
            words[i] = ' ';
    words[length] = '\0';
}

/* Joins the lines of complaints. Leaves out lines without letters, with which MPI frames its messages. If a
 * rank has written a line itself, uses only the first such line: MPI and the other ranks only say that they
 * end. */
static size_t join_complaints(char *words, char text[TAIL_BYTES + 1])
{
    static const char own[] = "puzzled-ranks: ";
    char *rest = NULL;
    size_t length = 0;
    for (char *line = strtok_r(words, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const char *said = strstr(line, own);
        if (said != NULL)
            return (size_t)snprintf(text, TAIL_BYTES + 1, "%s", said + strlen(own));
        if (strspn(line, "-=* \t\r") < strlen(line))
            length += (size_t)snprintf(text + length, TAIL_BYTES + 1 - length, "%s%s", length > 0 ? " " : "",
                                       line + strspn(line, "= \t"));
    }
    return length;
}

/* Appends the complaints as one line of clean text. Of a long one the middle is left out: a launcher that
 * starts nothing says why first, and what became of its ranks last. */
static void add_tail(const struct child *child, char *out, size_t size)
{
    char words[TAIL_BYTES + 1] = "";
    char text[TAIL_BYTES + 1] = "";
    copy_tail(child, words);
    const size_t length = join_complaints(words, text);
    for (char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
    size_t used = strlen(out);
    assert(length <= TAIL_BYTES && used + 9 < size);
    const size_t room = size - used - 3;
    const size_t half = (room - sizeof " … ") / 2;
    if (length > room)
        (void)snprintf(out + used, size - used, ": %.*s … %s", (int)half, text, text + length - half);
    else if (length > 0)
        (void)snprintf(out + used, size - used, ": %s", text);
    utf8_scrub(out + used, strlen(out + used));
}

bool child_end(struct child *child, char out[CHILD_WORDS_MAX])
{
    if (!wait_for_end(child))
        end_group(child);
    for (unsigned i = 0; i < 64 && child->streams[COMPLAINTS] >= 0; i++)
        listen_to_pipe(child, 20);
    if (WIFSIGNALED(child->status))
        (void)snprintf(out, CHILD_WORDS_MAX, "was killed by signal %d", WTERMSIG(child->status));
    else
        (void)snprintf(out, CHILD_WORDS_MAX, "ended with status %d", WEXITSTATUS(child->status));
    add_tail(child, out, CHILD_WORDS_MAX);
    return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

void child_free(struct child *child)
{
    if (child == NULL)
        return;
    end_group(child);
    for (unsigned i = 0; i < STREAMS; i++)
        if (child->streams[i] >= 0)
            (void)close(child->streams[i]);
    text_free(&child->output);
    text_free(&child->tail);
    free(child);
}
