/* SPDX-License-Identifier: MIT */
/* The lines that the daemon answers with. */
#ifndef DAEMON_SEND_REPLY_H
#define DAEMON_SEND_REPLY_H

#include "protocol/text/text.h"
#include "puzzled/status.h"

/* "OK" and the tag; text_key and text_format(" key=…") follow, then reply_line_end. tag NULL for none. */
void reply_ok(struct text *out, const char *tag);
void reply_line_end(struct text *out);
/* "OK count=N …": the caller adds more keys, reply_line_end, N records and reply_list_end. */
void reply_list(struct text *out, const char *tag, size_t count);
void reply_list_end(struct text *out);
/* " to=goal" or " from=root": which distances the reply reports. */
void reply_from(struct text *out, bool to_goal);
/* The whole line "ERR code retry|fatal text". The text is made fit for a line. */
void reply_error(struct text *out, const char *tag, const struct pz_error *error);

#endif
