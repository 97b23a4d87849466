/* SPDX-License-Identifier: MIT */
#include "client/shell/shell.h"

#include "client/session/command.h"
#include "client/session/suggest.h"
#include "client/shell/complete.h"

#include <ctype.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_EDIT
#include <editline/readline.h>
#endif

enum { SHELL_WORDS_MAX = 128 };

struct shell {
    shell_command *run;
    const struct terminal *terminal;
    char puzzle[PZ_SIZE_MAX]; /* the last one, "" before the first */
    char job[PZ_SIZE_MAX];    /* a number, or a puzzle for its latest job */
    char levels[PZ_SIZE_MAX]; /* the same of jobs that have levels: no search for one solution */
};

/* Splits a line into words at spaces, in place. Quotes of either kind keep their contents together. */
static int split_line(char *line, char **words, int most)
{
    int count = 0;
    while (count < most) {
        line += strspn(line, " \t");
        if (*line == '\0')
            break;
        char *out = line;
        char quote = '\0';
        words[count++] = line;
        for (; *line != '\0' && (quote != '\0' || (*line != ' ' && *line != '\t')); line++) {
            if (*line == quote)
                quote = '\0';
            else if (quote == '\0' && (*line == '\'' || *line == '"'))
                quote = *line;
            else
                *out++ = *line;
        }
        bool last = *line == '\0';
        *out = '\0';
        if (last)
            break;
        line++;
    }
    return count;
}

/* ---- the last puzzle and job ---- */

/* Returns true for "3x4", "15-puzzle", "klotski", "jugs:3,5"; false for boards. */
static bool is_puzzle(const char *word)
{
    char narrow[PZ_SIZE_MAX], size[INFER_SIZE_MAX];
    (void)snprintf(narrow, sizeof narrow, "%s", word);
    infer_narrow(narrow);
    return !infer_size(narrow, size) && (isalpha((unsigned char)*narrow) || infer_is_puzzle(narrow));
}

/* Returns the first word after the command that is neither option nor key=value; 0 if there is none. */
static int first_argument(const struct command *command, char **words, int count)
{
    struct option_table options;
    command_options(command, &options);
    for (int i = 1; i < count; i++) {
        if (words[i][0] == '-' && words[i][1] != '\0') {
            const struct option_row *row = option_table_find(&options, words[i] + 1 + (words[i][1] == '-'));
            i += row != NULL && row->value != NULL;
        } else if (strchr(words[i], '=') == NULL) {
            return i;
        }
    }
    return 0;
}

static void remember_line(char memory[PZ_SIZE_MAX], const char *word)
{
    (void)snprintf(memory, PZ_SIZE_MAX, "%s", word);
}

/* Remembers the job that a command submitted; none: 0. */
static void remember_submitted(struct shell *shell, const char *name, long long job)
{
    const struct command *command = command_find(name);
    if (job == 0)
        return;
    (void)snprintf(shell->job, sizeof shell->job, "%lld", job);
    if (command != NULL && command->verb == VERB_EXPLORE)
        remember_line(shell->levels, shell->job);
}

/* Inserts the last puzzle or job after the command if it is missing. Returns the number of words. */
static int complete_words(struct shell *shell, char **words, int count)
{
    const struct command *command = command_find(words[0]);
    bool wants_puzzle = command != NULL && command_of_puzzle(command);
    bool wants_job = command != NULL && (command->takes.kinds & WORD_JOB) != 0 && command->takes.least > 0;
    if (!wants_puzzle && !wants_job)
        return count;
    int at = first_argument(command, words, count);
    char *memory = wants_puzzle ? shell->puzzle : command->verb == VERB_LEVELS ? shell->levels : shell->job;
    if (at > 0 && (wants_job || is_puzzle(words[at]))) {
        if (wants_puzzle)
            remember_line(shell->puzzle, words[at]);
        remember_line(shell->job, words[at]);
        remember_line(shell->levels, words[at]);
        return count;
    }
    if (*memory == '\0' || count == SHELL_WORDS_MAX)
        return count;
    memmove(words + 2, words + 1, (size_t)(count - 1) * sizeof *words);
    words[1] = memory;
    return count + 1;
}

/* Puzzles have names in UTF-8, whatever the locale: libedit leaves out what that cannot say. What is printed
 * is in the locale's own characters. */
static void read_as_utf8(bool now)
{
    (void)setlocale(LC_CTYPE, now ? "C.UTF-8" : "");
}

/* ---- the terminal ---- */

#ifdef HAVE_EDIT

/* Static, since libedit's callbacks have no context argument. There is one prompt at a time. */
static const struct terminal *completing;
static char **found;
static size_t found_count;

static void keep_word(void *context, const char *word)
{
    (void)context;
    char **wider = reallocarray(found, found_count + 1, sizeof *wider);
    if (wider == NULL)
        return;
    found = wider;
    found[found_count] = strdup(word);
    found_count += found[found_count] != NULL;
}

/* Returns the words one by one; libedit frees them. */
static char *shell_next_word(const char *begun, int state)
{
    static size_t at;
    (void)begun;
    if (state == 0)
        at = 0;
    if (at < found_count)
        return found[at++];
    free(found);
    found = NULL;
    found_count = 0;
    return NULL;
}

static char **complete_line(const char *begun, int start, int end)
{
    char line[4096];
    char *words[SHELL_WORDS_MAX + 1];
    char empty[] = "";
    (void)begun;
    (void)start;
    (void)snprintf(line, sizeof line, "%.*s", end, rl_line_buffer);
    bool fresh = *line == '\0' || line[strlen(line) - 1] == ' ';
    int count = split_line(line, words, SHELL_WORDS_MAX);
    if (fresh)
        words[count++] = empty;
    complete(completing, count, words, keep_word, NULL);
    rl_attempted_completion_over = 1;
    return rl_completion_matches(begun, shell_next_word);
}

static void history_file(char *path, size_t size)
{
    const char *home = getenv("HOME");
    *path = '\0';
    if (home != NULL && *home == '/')
        (void)snprintf(path, size, "%s/.puzzlectl_history", home);
}

enum { HISTORY_LINES = 1000 };

static void begin_reading(const struct terminal *terminal)
{
    char path[4096];
    completing = terminal;
    read_as_utf8(true);
    rl_readline_name = "puzzlectl";
    rl_attempted_completion_function = complete_line;
    using_history();
    stifle_history(HISTORY_LINES);
    history_file(path, sizeof path);
    if (*path != '\0')
        (void)read_history(path);
    read_as_utf8(false);
}

/* The history is written at once: a command may end the process. */
static void keep_line(const char *line)
{
    char path[4096];
    if (*line == '\0')
        return;
    (void)add_history(line);
    history_file(path, sizeof path);
    if (*path != '\0')
        (void)write_history(path);
}

static char *read_line(const struct terminal *terminal, const char *prompt)
{
    (void)terminal;
    char *line = readline(prompt);
    if (line != NULL)
        keep_line(line);
    return line;
}

#else

static void begin_reading(const struct terminal *terminal)
{
    (void)terminal;
}

static char *read_line(const struct terminal *terminal, const char *prompt)
{
    char *line = NULL;
    size_t size = 0;
    (void)fputs(prompt, terminal->out);
    (void)fflush(terminal->out);
    ssize_t length = getline(&line, &size, terminal->in);
    if (length < 0) {
        clearerr(terminal->in);
        free(line);
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    return line;
}

#endif

/* ---- line by line ---- */

static sigjmp_buf at_prompt;

/* libedit reads on after a signal: nothing but a jump ends its line. */
static void shell_on_interrupt(int signal)
{
    (void)signal;
    siglongjmp(at_prompt, 1); /* NOLINT(bugprone-signal-handler,cert-sig30-c): only while a line is read */
}

/* Returns the next line, NULL at the end. Ctrl-C drops what was typed. */
static char *next_shell_line(const struct terminal *terminal)
{
    struct sigaction usual;
    const struct sigaction action = {.sa_handler = shell_on_interrupt};
    (void)sigaction(SIGINT, NULL, &usual);
    read_as_utf8(true);
    if (sigsetjmp(at_prompt, 1) != 0) /* NOLINT(cert-err52-cpp): see on_interrupt */
        (void)fputc('\n', terminal->out);
    (void)sigaction(SIGINT, &action, NULL);
    char *line = read_line(terminal, "puzzlectl> ");
    (void)sigaction(SIGINT, &usual, NULL);
    read_as_utf8(false);
    if (line == NULL)
        (void)fputc('\n', terminal->out);
    return line;
}

/* Runs one line: the arguments of puzzlectl itself, then the typed words. Returns false if it ends the
 * prompt. */
static bool shell_run_line(struct shell *shell, int argc, char **argv, char *line)
{
    char *words[SHELL_WORDS_MAX + 1];
    struct terminal terminal = *shell->terminal;
    int count = 0;
    for (; count < argc && count < SHELL_WORDS_MAX / 2; count++)
        words[count] = argv[count];
    char **typed = words + count;
    int more = split_line(line, typed, SHELL_WORDS_MAX - count - 1);
    if (more > 1 && strcmp(typed[0], "puzzlectl") == 0) /* as in examples */
        memmove(typed, typed + 1, (size_t)--more * sizeof *typed);
    if (more == 0)
        return true;
    if (strcmp(typed[0], "exit") == 0 || strcmp(typed[0], "quit") == 0)
        return false;
    more = complete_words(shell, typed, more);
    typed[more] = NULL;
    terminal_resize(&terminal);
    long long submitted = 0;
    terminal.submitted = &submitted;
    (void)shell->run(count + more, words, &terminal);
    remember_submitted(shell, typed[0], submitted);
    return true;
}

enum exit_code shell_run(shell_command *run, const struct terminal *terminal, int argc, char **argv)
{
    struct shell shell = {.run = run, .terminal = terminal};
    bool goes_on = true;
    (void)fputs("puzzlectl: 'help' lists the commands, Tab completes, 'exit' leaves\n", terminal->out);
    begin_reading(terminal);
    for (char *line = NULL; goes_on && (line = next_shell_line(terminal)) != NULL; free(line))
        goes_on = shell_run_line(&shell, argc, argv, line);
    return EXIT_FOUND;
}
