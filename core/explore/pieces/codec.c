/* SPDX-License-Identifier: MIT */
#include "explore/pieces/codec.h"

#include <string.h>

static const struct codec_kernel *const kernels[] = {
#if defined(__x86_64__)
    &codec_avx512,
#endif
    &codec_portable,
};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

const struct codec_kernel *codec_kernel_number(unsigned number)
{
    return number < KERNELS ? kernels[number] : NULL;
}

const struct codec_kernel *codec_kernel(void)
{
    for (unsigned i = 0; i < KERNELS; i++)
        if (kernels[i]->runs_here())
            return kernels[i];
    return &codec_portable;
}

/* ---- SHORT ---- */

static size_t halves_of(size_t values)
{
    return (values + 63) / 64 * 32;
}

/* Chooses the commonest values of a sample. Returns about how many values, of SAMPLE, are not among them. */
enum { SAMPLE = 512, FEW = 4 * SAMPLE /* values, for which no sample is taken */ };
static unsigned choose_common(const uint8_t *values, size_t count, uint8_t dictionary[CODEC_DICTIONARY],
                              uint8_t number[256])
{
    int seen[256] = {0}; /* how often a value was seen, times 256, plus the value */
    unsigned others = SAMPLE;
    for (size_t i = 0; i < SAMPLE; i++)
        seen[values[i * count / SAMPLE]] += 256;
    for (int value = 0; value < 256; value++)
        seen[value] += value;
    memset(number, CODEC_COMMON, 256);
    memset(dictionary, 0, CODEC_DICTIONARY);
    for (unsigned rank = 0; rank < CODEC_COMMON; rank++) {
        int best = 0;
        for (unsigned value = 0; value < 256; value++)
            best = seen[value] > best ? seen[value] : best;
        if (best < 256)
            break;
        number[best % 256] = (uint8_t)rank;
        dictionary[rank] = (uint8_t)(best % 256);
        others -= (unsigned)best / 256;
        seen[best % 256] = 0;
    }
    return others;
}

/* Makes SHORT of a MASK. Returns its length, or 0 where that saves nothing. */
static size_t shorten(const uint8_t *mask, size_t length, const struct codec_tail *tail, uint8_t *out)
{
    uint8_t number[256];
    size_t halves = halves_of(tail->values);
    if (tail->values < FEW || CODEC_DICTIONARY + halves + tail->values + CODEC_PAD > CODEC_ROOM ||
        choose_common(mask, tail->values, out, number) > SAMPLE * 3 / 8)
        return 0;
    uint8_t *rest = out + CODEC_DICTIONARY + halves;
    size_t others = codec_kernel()->shorten(mask, tail->values, number, out + CODEC_DICTIONARY, rest);
    if (CODEC_DICTIONARY + halves + others >= tail->values)
        return 0;
    memcpy(rest + others, mask + length - tail->bytes, tail->bytes);
    return CODEC_DICTIONARY + halves + others + tail->bytes;
}

static bool decode_short(const uint8_t *in, size_t length, const struct codec_tail *tail, uint8_t *out,
                         size_t bytes, uint8_t *room)
{
    const struct codec_kernel *kernel = codec_kernel();
    size_t halves = halves_of(tail->values);
    size_t fixed = CODEC_DICTIONARY + halves + tail->bytes;
    if (room == NULL || tail->values > bytes || fixed > length ||
        kernel->count_rest(in + CODEC_DICTIONARY, halves) != length - fixed)
        return false;
    kernel->lengthen(in + CODEC_DICTIONARY, tail->values, in, in + CODEC_DICTIONARY + halves, room);
    kernel->decode(room, in + length, out, bytes);
    return true;
}

/* ---- all codes ---- */

size_t codec_encode(enum code *code, const uint8_t *in, size_t bytes, uint8_t *out)
{
    enum code most = *code;
    const struct codec_kernel *kernel = codec_kernel();
    size_t least = (((bytes + CODEC_LINE - 1) / CODEC_LINE) + 7) / 8;
    uint8_t *mask = most == CODE_SHORT ? out + CODEC_ROOM : out;
    size_t length = kernel->encode(in, bytes, mask);
    struct codec_tail tail;
    *code = length > least ? CODE_MASK : CODE_EMPTY;
    if (*code == CODE_EMPTY)
        return 0;
    if (most == CODE_SHORT && kernel->tail(mask, length, bytes, &tail)) {
        size_t shorter = shorten(mask, length, &tail, out);
        *code = shorter > 0 ? CODE_SHORT : CODE_MASK;
        if (shorter == 0)
            memcpy(out, mask, length);
        length = shorter > 0 ? shorter : length;
    }
    if (length < bytes && most != CODE_RAW)
        return length;
    *code = CODE_RAW;
    memcpy(out, in, bytes);
    return bytes;
}

bool codec_decode(enum code code, const uint8_t *in, size_t length, uint8_t *out, size_t bytes, uint8_t *room)
{
    const struct codec_kernel *kernel = codec_kernel();
    struct codec_tail tail;
    switch (code) {
    case CODE_EMPTY:
        memset(out, 0, bytes);
        return length == 0;
    case CODE_RAW:
        if (length == bytes)
            memcpy(out, in, bytes);
        return length == bytes;
    case CODE_MASK:
        if (!kernel->tail(in, length, bytes, &tail) || tail.values + tail.bytes != length)
            return false;
        kernel->decode(in, in + length, out, bytes);
        return true;
    case CODE_SHORT:
        return kernel->tail(in, length, bytes, &tail) && decode_short(in, length, &tail, out, bytes, room);
    case CODE_COUNT:
        break;
    }
    return false;
}
