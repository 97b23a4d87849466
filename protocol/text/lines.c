/* SPDX-License-Identifier: MIT */
#include "protocol/text/lines.h"

#include "protocol/text/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void lines_feed(struct lines *lines, const char *bytes, size_t length)
{
    assert(!lines->ended);
    text_drop(&lines->in, lines->used);
    lines->used = 0;
    text_append(&lines->in, bytes, length);
}

void lines_end(struct lines *lines)
{
    lines->ended = true;
}

/* Notes what is wrong with a line that is not in UTF-8. Returns true if it is. */
static bool is_readable(struct lines *lines, const char *line, size_t length)
{
    if (lines->number == 1 && length >= 2 &&
        (memcmp(line, "\xFF\xFE", 2) == 0 || memcmp(line, "\xFE\xFF", 2) == 0))
        (void)snprintf(lines->failure, sizeof lines->failure, "they are in UTF-16; text must be in UTF-8");
    else if (memchr(line, '\0', length) != NULL)
        (void)snprintf(lines->failure, sizeof lines->failure,
                       "there is a zero byte in them; text must be in UTF-8");
    for (size_t i = 0, step = 0; i < length && lines->failure[0] == '\0'; i += step)
        if ((step = utf8_length(line + i, length - i)) == 0)
            (void)snprintf(lines->failure, sizeof lines->failure,
                           "line %u: byte 0x%02X is no UTF-8; a text in Latin-1 or GBK: iconv -f LATIN1 (or "
                           "GBK) -t UTF-8",
                           lines->number, (unsigned)(unsigned char)line[i]);
    return lines->failure[0] == '\0';
}

/* Makes a '?' of what would steer a terminal, but tabs: what stands in a line is printed. */
static void scrub_line(char *line)
{
    for (size_t part = 0; *line != '\0'; line += part + (line[part] == '\t')) {
        part = strcspn(line, "\t");
        utf8_scrub(line, part);
    }
}

/* Returns true for the beginning of a document of .slc; a '<' may also begin a title. */
static bool is_tag(const char *in)
{
    static const char *const tags[] = {"<?xml",  "<!",      "<Sokoban", "<Level",
                                       "<Title", "<Collec", "<L>",      "<root"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strncasecmp(in, tags[i], strlen(tags[i])) == 0)
            return true;
    return false;
}

/* Leaves out a byte order mark. Returns false as long as nothing shows whether the text is in tags. */
static bool begin_lines(struct lines *lines)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *in = text_string(&lines->in);
    const size_t marked = strncmp(in, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    const size_t blank = marked + strspn(in + marked, " \t\r\n");
    const bool cut = (marked == 0 && *in == mark[0] && lines->in.length < strlen(mark)) ||
                     (in[blank] == '<' && lines->in.length - blank < strlen("<Sokoban"));
    if (!lines->ended && (cut || blank == lines->in.length))
        return false;
    lines->used = marked;
    lines->tagged = is_tag(in + blank);
    lines->begun = true;
    return true;
}

enum lines_answer lines_next(struct lines *lines, char **line)
{
    *line = NULL;
    if (lines->in.failed)
        return LINES_NO_MEMORY;
    if (lines->failure[0] != '\0')
        return LINES_FAILED;
    if (!lines->begun && !begin_lines(lines))
        return LINES_NOT_YET;
    if (lines->skips_lf && lines->used < lines->in.length) {
        lines->used += lines->in.data[lines->used] == '\n';
        lines->skips_lf = false;
    }
    const char *begin = text_string(&lines->in) + lines->used;
    const size_t left = lines->in.length - lines->used;
    size_t length = 0;
    while (length < left && begin[length] != '\n' && begin[length] != '\r' &&
           !(lines->tagged && begin[length] == '<'))
        length++;
    if (length == left && (!lines->ended || left == 0))
        return lines->ended ? LINES_END : LINES_NOT_YET;
    lines->number += !lines->cut_tag;
    lines->cut_tag = length < left && begin[length] == '<';
    lines->skips_lf = length < left && begin[length] == '\r';
    lines->used += length + (length < left);
    if (!is_readable(lines, begin, length))
        return LINES_FAILED;
    *line = strndup(begin, length);
    if (*line == NULL)
        return LINES_NO_MEMORY;
    scrub_line(*line);
    return LINES_LINE;
}

void lines_clear(struct lines *lines)
{
    text_free(&lines->in);
}
