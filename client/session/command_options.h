/* SPDX-License-Identifier: MIT */
/* The options of a command: its own rows, and a row for each key that its verb takes, from the vocabulary.
 * key=value on the command line goes to the daemon unchanged, so that keys that only one puzzle knows
 * (metric=, border=, from=) need no option here. */
#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

#include "protocol/text/option_table.h"
#include "protocol/vocabulary.h"

#define KEY_BIT(key) (UINT64_C(1) << (key))
_Static_assert(KEYS_TAKEN <= 64, "each key has a bit");

/* Adds a row for each key that the verb takes, but those of a set of KEY_BIT; none for VERB_COUNT. */
void option_table_keys(struct option_table *table, enum verb verb, uint64_t without);
/* Writes one line per row. */
void options_help(const struct option_table *table, FILE *out);

#endif
