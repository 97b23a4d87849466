/* SPDX-License-Identifier: MIT */
#include "web/api/refusal.h"

#include "protocol/text/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *code;
    unsigned status;
    bool retry;
} codes[] = {
    {"bad-request", 400, false}, {"bad-puzzle", 400, false},     {"bad-board", 400, false},
    {"denied", 403, false},      {"no-such-job", 404, false},    {"no-table", 404, false},
    {"not-found", 404, false},   {"bad-method", 405, false},     {"not-finished", 409, true},
    {"cancelled", 410, false},   {"too-large", 413, false},      {"bad-type", 415, false},
    {"unsupported", 422, false}, {"limit", 429, true},           {"storage", 500, false},
    {"internal", 500, false},    {"connection-lost", 502, true}, {"busy", 503, true},
    {"memory", 503, true},       {"shutting-down", 503, true},   {"unreachable", 503, true},
    {"timeout", 504, true},      {"storage-full", 507, true},
};

enum { CODES = sizeof codes / sizeof *codes };

static unsigned find_code(const char *code)
{
    unsigned i = 0;
    while (i < CODES && strcmp(codes[i].code, code) != 0)
        i++;
    return i;
}

unsigned code_status(const char *code)
{
    unsigned i = find_code(code);
    return i < CODES ? codes[i].status : 500;
}

bool code_retry(const char *code)
{
    unsigned i = find_code(code);
    return i < CODES && codes[i].retry;
}

bool refuse(struct refusal *refusal, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refusal->code = code;
    refusal->allow = NULL;
    (void)vsnprintf(refusal->text, sizeof refusal->text, format, arguments);
    va_end(arguments);
    utf8_scrub(refusal->text, strlen(refusal->text)); /* else it could be no JSON */
    return false;
}
