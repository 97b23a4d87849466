/* SPDX-License-Identifier: MIT */
#include "client/show/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *number_grouped(char out[NUMBER_TEXT_MAX], int64_t number)
{
    char digits[NUMBER_TEXT_MAX];
    (void)snprintf(digits, sizeof digits, "%" PRId64, number);
    size_t length = strlen(digits);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        out[used++] = digits[i];
        size_t left = length - i - 1;
        if (left > 0 && left % 3 == 0 && digits[i] != '-')
            out[used++] = ',';
    }
    out[used] = '\0';
    return out;
}

/* Writes three digits at most, so that columns stay narrow: 999, 9.9K, 99.9K, 999K. */
static char *scaled(char out[NUMBER_TEXT_MAX], double value, double step)
{
    static const char units[] = "\0KMGTPE";
    unsigned unit = 0;
    while (value >= step * (unit == 0 ? 1.0 : 0.9995) && unit < sizeof units - 2) {
        value /= step;
        unit++;
    }
    if (unit == 0)
        (void)snprintf(out, NUMBER_TEXT_MAX, "%.0f", value);
    else
        (void)snprintf(out, NUMBER_TEXT_MAX, "%.*f%c", value < 99.95 ? 1 : 0, value, units[unit]);
    return out;
}

char *number_bytes(char out[NUMBER_TEXT_MAX], double bytes)
{
    return scaled(out, bytes, 1024.0);
}

char *number_count(char out[NUMBER_TEXT_MAX], double count)
{
    return scaled(out, count, 1000.0);
}

char *number_seconds(char out[NUMBER_TEXT_MAX], double seconds)
{
    if (seconds < 0.1) {
        (void)snprintf(out, NUMBER_TEXT_MAX, "%.1f ms", seconds * 1000.0);
    } else if (seconds < 99.995) {
        (void)snprintf(out, NUMBER_TEXT_MAX, "%.2f s", seconds);
    } else {
        int64_t whole = (int64_t)(seconds + 0.5);
        if (whole < 3600)
            (void)snprintf(out, NUMBER_TEXT_MAX, "%d:%02d", (int)(whole / 60), (int)(whole % 60));
        else
            (void)snprintf(out, NUMBER_TEXT_MAX, "%" PRId64 ":%02d:%02d", whole / 3600,
                           (int)(whole / 60 % 60), (int)(whole % 60));
    }
    return out;
}
