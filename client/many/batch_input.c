/* SPDX-License-Identifier: MIT */
/* Says what is wrong with boards of the standard input, and with options that do not go with them. */
#include "client/many/batch.h"
#include "client/session/command.h"

#include <errno.h>
#include <string.h>

enum exit_code batch_check_options(struct session *session, const struct arguments *arguments, bool many)
{
    static const char *const of_one[] = {"show", "frames", "svg", "html", "detach"};
    static const char *const of_many[] = {"csv", "unordered"};
    const char *const *wrong = many ? of_one : of_many;
    const size_t count = many ? sizeof of_one / sizeof *of_one : sizeof of_many / sizeof *of_many;
    for (size_t i = 0; i < count; i++) {
        struct pz_error error;
        if (arguments_option(arguments, wrong[i]) == NULL)
            continue;
        (void)pz_fail(&error, PZ_BAD_REQUEST, "--%s is for %s", wrong[i],
                      many ? "one board, not for those of the standard input"
                           : "many boards: - reads them from the standard input");
        return command_usage(session, error.text);
    }
    return EXIT_FOUND;
}

enum exit_code batch_input_failed(struct session *session, const struct collection *input)
{
    struct pz_error error;
    if (input->lines.failure == 0)
        return session_fail(session, EXIT_TROUBLE, "memory", "no memory for the input");
    if (input->lines.failure == ENODATA)
        return session_fail(session, EXIT_USAGE, "input", "there is no board in the input");
    (void)pz_fail(&error, PZ_STORAGE, "the boards cannot be read: %s",
                  input->lines.failure == EILSEQ ? "there is a zero byte in them; text must be in UTF-8"
                                                 : strerrordesc_np(input->lines.failure));
    return session_fail(session, EXIT_TROUBLE, "input", error.text);
}

void batch_invite(const struct session *session)
{
    const struct terminal *terminal = session->terminal;
    if (terminal->in_tty && terminal->err_tty && !session->quiet)
        (void)fputs("(boards, one a line; Ctrl-D ends)\n", terminal->err);
}
