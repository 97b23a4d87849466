/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { END_PATIENCE_MS = 30000 * PUZZLED_TEST_PATIENCE, WORDS_MAX = 32 };

/* Hands a socket over as systemd does: as descriptor 3, named in the environment. */
static void hand_over(int listening)
{
    char pid[16];
    (void)snprintf(pid, sizeof pid, "%d", (int)getpid());
    (void)dup2(listening, 3);
    (void)fcntl(3, F_SETFD, 0); /* it may have been 3 before */
    (void)setenv("LISTEN_FDS", "1", 1);
    (void)setenv("LISTEN_PID", pid, 1);
}

static _Noreturn void become_daemon(const struct daemon *daemon, const char *const *more)
{
    static const char *const limits[] = {"--memory", "1G", "--threads", "2", "--explore-first", "0"};
    const char *program = daemon->program != NULL ? daemon->program : PUZZLED_PROGRAM;
    const char *state = text_of("%s/state", daemon->directory);
    const char *words[WORDS_MAX] = {program, "--socket", daemon->socket, "--state-dir", state};
    size_t count = 5;
    for (size_t i = 0; !daemon->own_limits && i < sizeof limits / sizeof limits[0]; i++)
        words[count++] = limits[i];
    for (; more != NULL && *more != NULL && count + 1 < WORDS_MAX; more++)
        words[count++] = *more;
    int output = open(daemon->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (output >= 0)
        (void)dup2(output, STDERR_FILENO);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (daemon->activation > 0)
        hand_over(daemon->activation);
    char *argv[WORDS_MAX];
    memcpy(argv, words, sizeof argv);
    (void)execv(words[0], argv);
    _exit(127);
}

void daemon_start(struct daemon *daemon, const char *const *words)
{
    struct stat log;
    daemon->log_begin = stat(daemon->log, &log) == 0 ? log.st_size : 0;
    daemon->pid = fork();
    assert_true(daemon->pid >= 0);
    if (daemon->pid == 0)
        become_daemon(daemon, words);
    for (struct patience patience = {0};; pause_for(&patience, "the daemon's socket")) {
        struct client *probe = client_connect(daemon->socket);
        int status = 0;
        if (probe != NULL) {
            client_free(probe);
            return;
        }
        if (waitpid(daemon->pid, &status, WNOHANG) == daemon->pid) {
            daemon->pid = 0;
            fail_msg("the daemon did not start (status %d): see %s", status, daemon->log);
        }
    }
}

static int wait_for_end(struct daemon *daemon)
{
    int status = 0;
    for (struct patience patience = {0}; patience.paused_ms < END_PATIENCE_MS; pause_for(&patience, "an end"))
        if (waitpid(daemon->pid, &status, WNOHANG) == daemon->pid) {
            daemon->pid = 0;
            return status;
        }
    daemon_kill(daemon);
    fail_msg("the daemon did not stop");
    return -1;
}

void daemon_stop(struct daemon *daemon)
{
    (void)kill(daemon->pid, SIGTERM);
    int status = wait_for_end(daemon);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the daemon ended with status 0x%x: see %s", (unsigned)status, daemon->log);
}

/* Counts the lines of the log from that byte on that have the words; *last becomes the last one. */
static unsigned read_log(const struct daemon *daemon, off_t begin, const char *words, char last[1024])
{
    char line[1024];
    unsigned count = 0;
    FILE *file = fopen(daemon->log, "re");
    assert_non_null(file);
    assert_int_equal(fseeko(file, begin, SEEK_SET), 0);
    while (fgets(line, sizeof line, file) != NULL)
        if (strstr(line, words) != NULL) {
            memcpy(last, line, sizeof line);
            count++;
        }
    (void)fclose(file);
    return count;
}

unsigned logged(const struct daemon *daemon, const char *words)
{
    char last[1024];
    return read_log(daemon, 0, words, last);
}

long logged_number(const struct daemon *daemon, off_t begin, const char *words, const char *key)
{
    char last[1024];
    const char *at = read_log(daemon, begin, words, last) > 0 ? strstr(last, key) : NULL;
    return at != NULL ? strtol(at + strlen(key), NULL, 10) : -1;
}

void daemon_kill(struct daemon *daemon)
{
    (void)kill(daemon->pid, SIGKILL);
    (void)waitpid(daemon->pid, NULL, 0);
    daemon->pid = 0;
}

void daemon_expect_refusal(const char *why, const char *format, ...)
{
    char words[400];
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    /* One that starts after all is stopped, and then ends with 0. */
    (void)snprintf(line, sizeof line, "timeout --preserve-status %d %s %s 2>&1", END_PATIENCE_MS / 1000,
                   PUZZLED_PROGRAM, words);
    // NOLINTNEXTLINE(cert-env33-c): the command is the test's own
    FILE *other = popen(line, "re");
    assert_non_null(other);
    const bool told = fgets(line, sizeof line, other) != NULL;
    assert_true(pclose(other) != 0);
    assert_true(told && strstr(line, why) != NULL);
}

int daemon_run_on(const struct daemon *daemon, const char *state, const char *flag, const char *word)
{
    const char *directory = text_of("%s/%s", daemon->directory, state);
    const char *file = text_of("%s/dump", daemon->directory);
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        (void)execl(PUZZLED_PROGRAM, PUZZLED_PROGRAM, "--state-dir", directory, flag, file, word,
                    (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void daemon_restart(struct daemon *daemon, const char *const *words)
{
    daemon_stop(daemon);
    daemon_start(daemon, words);
}

void daemon_write_config(const struct daemon *daemon, const char *text)
{
    write_text(daemon->config, text);
}

void daemon_restart_with(struct daemon *daemon, const char *config)
{
    const char *const words[] = {"--config", daemon->config, NULL};
    daemon_write_config(daemon, config);
    daemon_restart(daemon, words);
}

int daemon_setup(void **state)
{
    struct daemon *daemon = calloc(1, sizeof *daemon);
    if (daemon == NULL)
        return -1;
    (void)snprintf(daemon->directory, sizeof daemon->directory, "/tmp/puzzled-test-XXXXXX");
    if (mkdtemp(daemon->directory) == NULL)
        return -1;
    (void)snprintf(daemon->socket, sizeof daemon->socket, "%s/socket", daemon->directory);
    (void)snprintf(daemon->log, sizeof daemon->log, "%s/log", daemon->directory);
    (void)snprintf(daemon->config, sizeof daemon->config, "%s/puzzled.conf", daemon->directory);
    *state = daemon;
    daemon_start(daemon, NULL);
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    return remove(path);
}

int daemon_teardown(void **state)
{
    struct daemon *daemon = *state;
    int status = 0;
    clients_hang_up();
    if (daemon->pid != 0) {
        (void)kill(daemon->pid, SIGTERM);
        status = wait_for_end(daemon);
    }
    if (status == 0)
        (void)nftw(daemon->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(daemon);
    return status;
}

struct client *client_new(const struct daemon *daemon)
{
    struct client *client = client_connect(daemon->socket);
    assert_non_null(client);
    return client;
}

struct client *client_new_tcp(const struct daemon *daemon, const char *from)
{
    long port = -1;
    for (struct patience patience = {0}; port < 0; pause_for(&patience, "the daemon's port"))
        port = logged_number(daemon, daemon->log_begin, "event=ready", " port=");
    return client_connect_tcp((in_port_t)port, from);
}
