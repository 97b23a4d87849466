/* SPDX-License-Identifier: MIT */
/* Boards in JSON: a text in one line or several, a list of rows or of numbers; and all boards of a text. */
#ifndef BOARD_VALUE_H
#define BOARD_VALUE_H

#include "protocol/text/text.h"
#include "web/api/refusal.h"

#include <jansson.h>

/* Writes a text or a list as the one board that it is, in a line; puzzle may be NULL. */
bool board_value_write(struct text *out, const char *name, const json_t *value, const char *puzzle,
                       struct refusal *refusal);
/* Reads {"puzzle": …, "text": …}. Returns {"boards": [{"line": 3, "title": "…", "board": "…"}, …]}, each with
 * its "goal" if the text has one and an "error" if it is no board; NULL with the reason, also for more boards
 * than most. */
json_t *board_values(const json_t *arguments, size_t most, struct refusal *refusal);

#endif
