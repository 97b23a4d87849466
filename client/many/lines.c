/* SPDX-License-Identifier: MIT */
#include "client/many/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts one line out of the bytes that were read. */
static bool cut(struct lines *lines, char **line, bool *no_memory)
{
    const char *begin = text_string(&lines->in) + lines->used;
    size_t left = lines->in.length - lines->used;
    const char *lf = left == 0 ? NULL : memchr(begin, '\n', left);
    if (lf == NULL && (!lines->ended || left == 0))
        return false;
    size_t length = lf == NULL ? left : (size_t)(lf - begin);
    if (memchr(begin, '\0', length) != NULL) {
        lines->failure = EILSEQ;
        return false;
    }
    lines->used += length + (lf != NULL);
    if (!lines->begun && length >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0) {
        begin += 3;
        length -= 3;
    }
    lines->begun = true;
    while (length > 0 && (lines->whole ? begin[length - 1] == '\r' : is_blank(begin[length - 1])))
        length--;
    while (length > 0 && is_blank(*begin) && !lines->indented && !lines->whole) {
        begin++;
        length--;
    }
    *line = strndup(begin, length);
    *no_memory = *line == NULL;
    return true;
}

static bool may_read(const struct lines *lines, bool wait)
{
    struct pollfd fd = {.fd = lines->fd, .events = POLLIN};
    return poll(&fd, 1, wait ? -1 : 0) != 0;
}

static void read_more(struct lines *lines)
{
    char bytes[16384];
    ssize_t got = read(lines->fd, bytes, sizeof bytes);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
        lines->failure = errno;
    lines->ended = got == 0;
    if (got <= 0)
        return;
    text_drop(&lines->in, lines->used);
    lines->used = 0;
    text_append(&lines->in, bytes, (size_t)got);
}

enum lines_answer lines_next(struct lines *lines, bool wait, char **line)
{
    bool no_memory = false;
    *line = NULL;
    for (;;) {
        if (cut(lines, line, &no_memory))
            return no_memory ? LINES_NO_MEMORY : LINES_LINE;
        if (lines->failure != 0)
            return LINES_FAILED;
        if (lines->ended)
            return LINES_END;
        if (!may_read(lines, wait))
            return LINES_NOT_YET;
        read_more(lines);
        if (lines->in.failed)
            return LINES_NO_MEMORY;
    }
}

void lines_clear(struct lines *lines)
{
    text_free(&lines->in);
}
