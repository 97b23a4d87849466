/* SPDX-License-Identifier: MIT */
/* puzzlectl's own prompt. It has history and completion if it was built with libedit. */
#ifndef SHELL_H
#define SHELL_H

#include "client/session/exits.h"
#include "client/session/terminal.h"

/* Reads commands from the terminal until "exit" or the end of the input, and runs each. It puts the given
 * words in front (those that puzzlectl was called with: its name and connection options). A command without
 * its puzzle or job uses the last one. run: carries out a command line. Returns EXIT_FOUND. */
typedef enum exit_code shell_command(int argc, char **argv, const struct terminal *terminal);
enum exit_code shell_run(shell_command *run, const struct terminal *terminal, int argc, char **argv);

#endif
