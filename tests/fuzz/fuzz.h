/* SPDX-License-Identifier: MIT */
/* Shared by the fuzz targets: libFuzzer's entry point, and texts cut from its bytes. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process so that the fuzzer keeps the input. */
#define FUZZ_REQUIRE(condition)                                                                              \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            (void)fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                  \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* Cuts the next line off the input, as a NUL-ended text of its own (malloc'd, so that a read beyond it is
 * seen); NULL at the end. A NUL inside ends the text early, as it would for the parsers. */
static inline char *fuzz_line(const uint8_t **data, size_t *size)
{
    if (*size == 0)
        return NULL;
    const uint8_t *end = memchr(*data, '\n', *size);
    size_t length = end != NULL ? (size_t)(end - *data) : *size;
    char *line = malloc(length + 1);
    FUZZ_REQUIRE(line != NULL);
    memcpy(line, *data, length);
    line[length] = '\0';
    *data += length;
    *size -= length;
    if (*size > 0) {
        (*data)++;
        (*size)--;
    }
    return line;
}

#endif
