/* SPDX-License-Identifier: MIT */
/*
 * Checks that a puzzle keeps what its table and its spaces promise (puzzled/space.h), on samples: states of
 * random walks, all states near the root, random numbers. For a plugin before it is installed. What a plugin
 * does wrong may end the process: call it in one of its own.
 */
#ifndef SPACE_CHECK_PLUGIN_CHECK_H
#define SPACE_CHECK_PLUGIN_CHECK_H

#include "space/check/check_options.h"

/* Returns the reason if the space cannot be opened. */
enum pz_status plugin_check(const struct plugin_check_options *options, struct plugin_check_result *result,
                            struct pz_error *error);

#endif
