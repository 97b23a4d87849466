/* SPDX-License-Identifier: MIT */
/* The whole client as one function, so that tests can run it. */
#ifndef PUZZLECTL_H
#define PUZZLECTL_H

#include "client/session/exits.h"
#include "client/session/terminal.h"

/* Runs a whole command line on any streams. May write to argv's strings. */
enum exit_code puzzlectl(int argc, char **argv, const struct terminal *terminal);

#endif
