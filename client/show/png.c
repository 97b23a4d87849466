/* SPDX-License-Identifier: MIT */
#include "client/session/whole_file.h"
#include "client/show/drawing.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs the program on two files. Returns 0, its exit status, or an errno with a minus. */
static int run_converter(int in, int out)
{
    static char name[] = "rsvg-convert";
    char *const words[] = {name, NULL};
    posix_spawn_file_actions_t files;
    pid_t child = 0;
    int status = 0;
    if (posix_spawn_file_actions_init(&files) != 0)
        return -ENOMEM;
    int failure = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    if (failure == 0)
        failure = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (failure == 0)
        failure = posix_spawnp(&child, name, &files, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    if (failure != 0)
        return -failure;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

static enum exit_code convert(struct session *session, const struct text *svg, int out)
{
    FILE *in = tmpfile();
    const bool written =
        in != NULL && !svg->failed && fwrite(svg->data, 1, svg->length, in) == svg->length && fflush(in) == 0;
    const int failure =
        written && lseek(fileno(in), 0, SEEK_SET) == 0 ? run_converter(fileno(in), out) : -EIO;
    if (in != NULL)
        (void)fclose(in);
    if (failure == -ENOENT)
        return session_fail(
            session, EXIT_TROUBLE, "output",
            "PNG is made by rsvg-convert, which is not installed here (Debian: librsvg2-bin); SVG "
            "needs nothing");
    return failure == 0 ? EXIT_FOUND
                        : session_fail(session, EXIT_TROUBLE, "output", "rsvg-convert made no PNG");
}

enum exit_code png_write(struct session *session, const struct text *svg, const char *path)
{
    if (path == NULL) {
        (void)fflush(session->terminal->out);
        return convert(session, svg, fileno(session->terminal->out));
    }
    struct whole_file file;
    if (!whole_file_open(&file, path))
        return session_unwritten(session, path);
    const enum exit_code code = convert(session, svg, fileno(file.file));
    if (whole_file_end(&file, code == EXIT_FOUND) || code != EXIT_FOUND)
        return code;
    return session_unwritten(session, path);
}
