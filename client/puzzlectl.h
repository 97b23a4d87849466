/* SPDX-License-Identifier: MIT */
/* The whole client as one function, so that tests may run it as it is. */
#ifndef PUZZLECTL_H
#define PUZZLECTL_H

#include "exits.h"
#include "terminal.h"

/* Runs a whole command line on any streams. argv's strings may be written to. */
enum exit_code puzzlectl(int argc, char **argv, const struct terminal *terminal);

#endif
