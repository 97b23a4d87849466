/* SPDX-License-Identifier: MIT */
#include "base/size_text.h"

#include <inttypes.h>
#include <stdio.h>

const char *size_text(uint64_t bytes, char out[SIZE_TEXT])
{
    static const char units[] = "BKMGTPE";
    const char *over = bytes >= (uint64_t)INT64_MAX ? "more than " : ""; /* estimates end there */
    unsigned unit = 0;
    double tenths = (double)bytes * 10;
    for (; tenths > 10 * 1023.9 && units[unit + 1] != '\0'; unit++)
        tenths /= 1024;
    uint64_t whole = (uint64_t)tenths;
    whole += (double)whole < tenths;
    (void)snprintf(out, SIZE_TEXT, "%s%" PRIu64 ".%u%c", over, whole / 10, (unsigned)(whole % 10),
                   units[unit]);
    return out;
}
