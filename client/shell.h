/* SPDX-License-Identifier: MIT */
/* puzzlectl's own prompt, with history and completion where it was built with libedit. */
#ifndef SHELL_H
#define SHELL_H

#include "exits.h"
#include "terminal.h"

/*
 * Reads commands from the terminal until "exit" or the end of the input, and runs each behind the given words
 * (those that puzzlectl was called with: its name and connection options). A command that lacks its puzzle or
 * job gets the last one. Returns EXIT_FOUND.
 */
enum exit_code shell_run(const struct terminal *terminal, int argc, char **argv);

#endif
