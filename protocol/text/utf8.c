/* SPDX-License-Identifier: MIT */
#include "protocol/text/utf8.h"

#include <assert.h>
#include <stdint.h>

size_t utf8_length(const char *bytes, size_t left)
{
    const unsigned char *c = (const unsigned char *)bytes;
    static const unsigned char least_second[] = {[0xE0 - 0xE0] = 0xA0, [0xF0 - 0xE0] = 0x90};
    static const unsigned char most_second[] = {[0xED - 0xE0] = 0x9F, [0xF4 - 0xE0] = 0x8F};
    size_t length = c[0] < 0x80   ? 1
                    : c[0] < 0xC2 ? 0
                    : c[0] < 0xE0 ? 2
                    : c[0] < 0xF0 ? 3
                    : c[0] < 0xF5 ? 4
                                  : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xC0u) != 0x80)
            return 0;
    size_t row = length > 2 ? (size_t)c[0] - 0xE0u : SIZE_MAX;
    if (row < sizeof least_second && c[1] < least_second[row])
        return 0;
    if (row < sizeof most_second && most_second[row] != 0 && c[1] > most_second[row])
        return 0;
    return length;
}

/* Returns true for a character that steers whoever shows it: U+0000 … U+001F, U+007F … U+009F, ends of lines
 * and paragraphs (U+2028, U+2029), and marks that turn the direction of writing (U+061C, U+200E, U+200F,
 * U+202A … U+202E, U+2066 … U+2069). The bytes are well-formed. */
static bool utf8_is_control(const char *bytes)
{
    const unsigned char *c = (const unsigned char *)bytes;
    if (c[0] < 0x80)
        return c[0] < 0x20 || c[0] == 0x7F;
    if (c[0] == 0xC2)
        return c[1] < 0xA0; /* U+0080 … U+009F */
    if (c[0] == 0xD8)
        return c[1] == 0x9C; /* U+061C */
    if (c[0] != 0xE2)
        return false;
    bool general = c[1] == 0x80 && (c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xA8 && c[2] <= 0xAE));
    return general || (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9);
}

bool utf8_is_clean(const char *bytes, size_t length, size_t *at)
{
    for (size_t i = 0; i < length;) {
        size_t step = utf8_length(bytes + i, length - i);
        if (step == 0 || utf8_is_control(bytes + i)) {
            *at = i;
            return false;
        }
        i += step;
        assert(i <= length); /* no character is cut */
    }
    return true;
}

void utf8_scrub(char *bytes, size_t length)
{
    size_t at = 0;
    for (; !utf8_is_clean(bytes, length, &at); bytes += at + 1, length -= at + 1)
        bytes[at] = '?';
}
