/* SPDX-License-Identifier: MIT */
#include "protocol/text/quantity.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Reads digits into *out. Returns the text after them; NULL if there are none or too many. */
static const char *read_digits(const char *text, uint64_t *out)
{
    const char *c = text;
    uint64_t value = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*c - '0'), &value))
            return NULL;
    }
    *out = value;
    return c == text ? NULL : c;
}

enum pz_status quantity_count(const char *text, uint64_t least, uint64_t most, uint64_t *out,
                              struct pz_error *error)
{
    uint64_t value = 0;
    const char *rest = read_digits(text, &value);
    if (rest == NULL || *rest != '\0' || value < least || value > most)
        return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is not a whole number from %" PRIu64 " to %" PRIu64,
                       text, least, most);
    *out = value;
    return PZ_OK;
}

enum pz_status quantity_bytes(const char *text, uint64_t *out, struct pz_error *error)
{
    static const char units[] = "KMGT";
    uint64_t value = 0;
    const char *rest = read_digits(text, &value);
    if (rest != NULL && *rest != '\0') {
        const char *unit = memchr(units, *rest & ~0x20, sizeof units - 1);
        bool ends = rest[1] == '\0' || strcasecmp(rest + 1, "B") == 0 || strcasecmp(rest + 1, "iB") == 0;
        unsigned shift = unit != NULL ? 10u * ((unsigned)(unit - units) + 1u) : 0u;
        if (unit == NULL || !ends || value > UINT64_MAX >> shift)
            rest = NULL;
        else
            value <<= shift;
    }
    if (rest == NULL)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "'%.40s' is not a size: write a whole number of bytes, or with K, M, G or T as in 8G",
                       text);
    *out = value;
    return PZ_OK;
}

/* Fits into every time type. */
static const double DURATION_MAX = 36500.0 * 86400;

enum pz_status quantity_seconds(const char *text, double *out, struct pz_error *error)
{
    static const struct {
        const char *word;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    uint64_t value = 0;
    const char *rest = read_digits(text, &value);
    for (size_t i = 0; rest != NULL && i < sizeof units / sizeof units[0]; i++) {
        double seconds = (double)value * units[i].seconds;
        if (strcmp(rest, units[i].word) != 0)
            continue;
        if (seconds > DURATION_MAX)
            return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is longer than 36500d", text);
        *out = seconds;
        return PZ_OK;
    }
    return pz_fail(error, PZ_BAD_REQUEST,
                   "'%.40s' is not a duration: write a whole number with ms, s, m, h or d, as in 30s", text);
}

enum pz_status quantity_flag(const char *text, bool *out, struct pz_error *error)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *out = i % 2 == 1;
            return PZ_OK;
        }
    }
    return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is neither yes nor no", text);
}
