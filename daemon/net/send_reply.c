/* SPDX-License-Identifier: MIT */
#include "daemon/net/send_reply.h"

#include "base/status_word.h"
#include "protocol/text/utf8.h"

#include <string.h>

void reply_ok(struct text *out, const char *tag)
{
    text_add(out, "OK");
    text_key(out, "tag", tag);
}

void reply_line_end(struct text *out)
{
    text_append(out, "\n", 1);
}

void reply_list(struct text *out, const char *tag, size_t count)
{
    reply_ok(out, tag);
    text_format(out, " count=%zu", count);
}

void reply_list_end(struct text *out)
{
    text_add(out, "END\n");
}

void reply_from(struct text *out, bool to_goal)
{
    text_add(out, to_goal ? " to=goal" : " from=root");
}

/* Adds text with '?' for control characters and '…' for a character of which quoting left only a part. */
static void add_clean(struct text *out, const char *words)
{
    size_t length = strlen(words);
    size_t at = 0;
    while (!utf8_is_clean(words, length, &at)) {
        bool cut = utf8_length(words + at, length - at) == 0;
        text_append(out, words, at);
        text_add(out, cut ? "…" : "?");
        do
            at++;
        while (cut && at < length && ((unsigned char)words[at] & 0xC0u) == 0x80u);
        words += at;
        length -= at;
    }
    text_append(out, words, length);
}

void reply_error(struct text *out, const char *tag, const struct pz_error *error)
{
    text_format(out, "ERR %s %s", status_word(error->code),
                status_is_retryable(error->code) ? "retry" : "fatal");
    text_key(out, "tag", tag);
    text_append(out, " ", 1);
    add_clean(out, error->text);
    reply_line_end(out);
}
