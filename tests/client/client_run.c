/* SPDX-License-Identifier: MIT */
#include "client_run.h"

#include "client/shell/puzzlectl.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64 };

static int split(char *line, char *words[WORDS_MAX])
{
    int count = 0;
    while (*line != '\0' && count < WORDS_MAX - 1) {
        char end = ' ';
        line += strspn(line, " ");
        if (*line == '\'') {
            end = '\'';
            line++;
        }
        if (*line == '\0' && end == ' ')
            break;
        words[count++] = line;
        line = strchr(line, end);
        if (line == NULL)
            break;
        *line++ = '\0';
    }
    words[count] = NULL;
    return count;
}

static FILE *input_of(const char *text)
{
    FILE *in = tmpfile();
    if (in == NULL)
        abort();
    (void)fputs(text == NULL ? "" : text, in);
    (void)fflush(in);
    rewind(in);
    return in;
}

static struct client_run run(const struct client_setting *setting, const char *before, const char *line)
{
    struct client_run result = {.line = line};
    char whole[8192];
    char *words[WORDS_MAX];
    size_t out_size = 0;
    size_t err_size = 0;
    struct terminal terminal = {.width = setting->width > 0 ? setting->width : 80};
    terminal.in_tty = terminal.out_tty = terminal.err_tty = setting->terminal != 0;
    terminal.in = input_of(setting->input);
    terminal.out = open_memstream(&result.out, &out_size);
    terminal.err = open_memstream(&result.err, &err_size);
    (void)snprintf(whole, sizeof whole, "puzzlectl %s%s", before, line);
    int count = split(whole, words);
    result.code = (int)puzzlectl(count, words, &terminal);
    (void)fclose(terminal.in);
    (void)fclose(terminal.out);
    (void)fclose(terminal.err);
    return result;
}

struct client_run client_run_with(const struct client_setting *setting, const struct fake_step *steps,
                                  size_t count, const char *line)
{
    static const struct client_setting plain = {0};
    char before[160];
    int tcp = setting != NULL && setting->tcp;
    struct fake_server *server = fake_server_start(steps, count, tcp);
    (void)snprintf(before, sizeof before, "%s --%s %s ",
                   setting != NULL && setting->first != NULL ? setting->first : "", tcp ? "host" : "socket",
                   fake_server_name(server));
    struct client_run result = run(setting == NULL ? &plain : setting, before, line);
    const char *wrong = fake_server_stop(server);
    if (wrong != NULL)
        fail_msg("puzzlectl %s: %s\nout: %s\nerr: %s", line, wrong, result.out, result.err);
    return result;
}

struct client_run client_run_once(const char *line, const char *request, const char *reply)
{
    const struct fake_step step = {.request = request, .reply = reply};
    return client_run_with(NULL, &step, 1, line);
}

struct client_run client_run_alone(const char *line)
{
    static const struct client_setting plain = {0};
    return run(&plain, "", line);
}

void client_run_clear(struct client_run *result)
{
    free(result->out);
    free(result->err);
}

void check_once(const char *line, const char *request, const char *reply, int code, const char *out)
{
    check_run(client_run_once(line, request, reply), code, out);
}

static void check_code(struct client_run *run, int code)
{
    if (run->code != code)
        fail_msg("puzzlectl %s: status %d, expected %d\nerr: %s", run->line, run->code, code, run->err);
    client_run_clear(run);
}

void check_run(struct client_run run, int code, const char *out)
{
    if (strcmp(run.out, out) != 0)
        fail_msg("puzzlectl %s\nprints:\n%s\nexpected:\n%s\nerr: %s", run.line, run.out, out, run.err);
    check_code(&run, code);
}

void check_whole(struct client_run run, int code, const char *out, const char *err)
{
    if (strcmp(run.err, err) != 0)
        fail_msg("puzzlectl %s\nsays:\n%s\nexpected:\n%s", run.line, run.err, err);
    check_run(run, code, out);
}

static void check_part(struct client_run *run, const char *stream, const char *part, int code)
{
    if (strstr(stream, part) == NULL)
        fail_msg("puzzlectl %s: \"%s\" is not in \"%s\"", run->line, part, stream);
    check_code(run, code);
}

void check_shows(struct client_run run, int code, const char *part)
{
    check_part(&run, run.out, part, code);
}

void check_says(struct client_run run, int code, const char *part)
{
    check_part(&run, run.err, part, code);
}

void check_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}
