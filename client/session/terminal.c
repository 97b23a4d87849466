/* SPDX-License-Identifier: MIT */
#include "client/session/terminal.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static unsigned terminal_width(bool out_tty, bool err_tty)
{
    struct winsize size = {0};
    const char *columns = getenv("COLUMNS");
    unsigned long named = columns == NULL ? 0 : strtoul(columns, NULL, 10);
    if (named >= 20 && named <= 1000)
        return (unsigned)named;
    int fd = out_tty ? STDOUT_FILENO : STDERR_FILENO;
    if ((out_tty || err_tty) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return 80;
}

void terminal_standard(struct terminal *terminal)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *kind = getenv("TERM");
    *terminal = (struct terminal){.in = stdin, .out = stdout, .err = stderr};
    terminal->in_tty = isatty(STDIN_FILENO) == 1;
    terminal->out_tty = isatty(STDOUT_FILENO) == 1;
    const bool dumb = kind != NULL && strcmp(kind, "dumb") == 0;
    terminal->err_tty = isatty(STDERR_FILENO) == 1 && !dumb;
    terminal->colour = terminal->out_tty && (no_colour == NULL || *no_colour == '\0') && !dumb;
    terminal_resize(terminal);
}

void terminal_resize(struct terminal *terminal)
{
    terminal->width = terminal_width(terminal->out_tty, terminal->err_tty);
}

double terminal_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

const char *terminal_paint(const struct terminal *terminal, enum paint paint)
{
    static const char *const sequences[] = {[PAINT_BOLD] = "\033[1m",
                                            [PAINT_DIM] = "\033[2m",
                                            [PAINT_GOOD] = "\033[32m",
                                            [PAINT_BAD] = "\033[31m"};
    return terminal->colour ? sequences[paint] : "";
}

const char *terminal_plain(const struct terminal *terminal)
{
    return terminal->colour ? "\033[0m" : "";
}

/* Reads one code point; an invalid byte is its own. */
static uint32_t next_point(const unsigned char **at)
{
    uint32_t point = *(*at)++;
    unsigned more = point >= 0xF0 ? 3 : point >= 0xE0 ? 2 : point >= 0xC0 ? 1 : 0;
    point &= more == 0 ? 0xFFu : 0x3Fu >> more;
    for (; more > 0 && (**at & 0xC0u) == 0x80u; more--)
        point = point << 6 | (*(*at)++ & 0x3Fu);
    return point;
}

unsigned terminal_columns(const char *text)
{
    /* The wide blocks that names and drawings of puzzles use: CJK, Hangul, fullwidth forms. */
    static const uint32_t wide[][2] = {{0x1100, 0x115F},  {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},  {0xFE30, 0xFE6F}, {0xFF00, 0xFF60},
                                       {0x20000, 0x3FFFD}};
    unsigned columns = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        uint32_t point = next_point(&at);
        columns++;
        for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
            columns += point >= wide[i][0] && point <= wide[i][1];
    }
    return columns;
}

void terminal_cut(const char *text, unsigned width, char *out, size_t size)
{
    size_t length = strlen(text) < size ? strlen(text) : size - 1;
    while (length > 0 && length < strlen(text) && ((unsigned char)text[length] & 0xC0u) == 0x80u)
        length--;
    (void)snprintf(out, size, "%.*s", (int)length, text);
    while (length > 0 && terminal_columns(out) > width) {
        do
            length--;
        while (length > 0 && ((unsigned char)out[length] & 0xC0u) == 0x80u);
        out[length] = '\0';
    }
}

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t came; /* written by the handler, read by the one thread that waits */
static bool watching;
static sigset_t usual_mask;
static struct sigaction usual_action;

static void on_interrupt(int signal)
{
    (void)signal;
    came = 1;
}

void interrupt_begin(void)
{
    if (watching)
        return;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigset_t block;
    sigemptyset(&action.sa_mask);
    sigemptyset(&block);
    sigaddset(&block, SIGINT);
    came = 0;
    (void)pthread_sigmask(SIG_BLOCK, &block, &usual_mask);
    (void)sigaction(SIGINT, &action, &usual_action);
    watching = true;
}

void interrupt_end(void)
{
    if (!watching)
        return;
    (void)sigaction(SIGINT, &usual_action, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &usual_mask, NULL);
    watching = false;
}

bool interrupt_came(void)
{
    sigset_t pending;
    /* Handles a pending signal first: otherwise data that is ready would win. */
    if (watching && sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1)
        (void)sigsuspend(&usual_mask);
    bool yes = came != 0;
    came = 0;
    return yes;
}

int interrupt_poll(struct pollfd *fd)
{
    return ppoll(fd, 1, NULL, watching ? &usual_mask : NULL);
}
