/* SPDX-License-Identifier: MIT */
#include "explore/pieces/codec.h"

#include <string.h>
#include <zstd.h>

static const struct codec_kernel *const kernels[] = {
#if defined(__x86_64__)
    &codec_avx512,
#endif
    &codec_portable,
};

enum { KERNELS = sizeof kernels / sizeof kernels[0], ZSTD_LEVEL = 1 };

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

static size_t encode_zstd(const uint8_t *in, size_t bytes, uint8_t *out)
{
    size_t length = ZSTD_compress(out, CODEC_ROOM, in, bytes, ZSTD_LEVEL);
    return ZSTD_isError(length) ? bytes : length;
}

size_t codec_encode(enum code *code, const uint8_t *in, size_t bytes, uint8_t *out)
{
    enum code most = *code;
    size_t least = (((bytes + CODEC_LINE - 1) / CODEC_LINE) + 7) / 8;
    size_t length = codec_kernel()->encode(in, bytes, out);
    *code = length > least ? CODE_MASK : CODE_EMPTY;
    if (*code == CODE_EMPTY)
        return 0;
    if (most == CODE_ZSTD) {
        length = encode_zstd(in, bytes, out);
        *code = CODE_ZSTD;
    }
    if (length < bytes && most != CODE_RAW)
        return length;
    *code = CODE_RAW;
    memcpy(out, in, bytes);
    return bytes;
}

static uint64_t word_at(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Returns true if the code has as many bytes as its masks tell. */
static bool mask_is_right(const uint8_t *in, size_t length, size_t bytes)
{
    size_t lines = (bytes + CODEC_LINE - 1) / CODEC_LINE;
    size_t top = (lines + 7) / 8;
    size_t held = 0;
    size_t values = 0;
    if (length < top)
        return false;
    for (size_t i = 0; i < top; i++)
        held += (unsigned)__builtin_popcount(in[length - top + i]);
    if (held * 8 + top > length || held > lines)
        return false;
    const uint8_t *masks = in + length - top - held * 8;
    for (size_t i = 0; i < held; i++)
        values += (unsigned)__builtin_popcountll(word_at(masks + i * 8));
    bool beyond = lines % 8 != 0 && in[length - 1] >> lines % 8 != 0;
    return values + held * 8 + top == length && !beyond;
}

bool codec_decode(enum code code, const uint8_t *in, size_t length, uint8_t *out, size_t bytes)
{
    switch (code) {
    case CODE_EMPTY:
        memset(out, 0, bytes);
        return length == 0;
    case CODE_RAW:
        if (length == bytes)
            memcpy(out, in, bytes);
        return length == bytes;
    case CODE_MASK:
        if (!mask_is_right(in, length, bytes))
            return false;
        codec_kernel()->decode(in, length, out, bytes);
        return true;
    case CODE_ZSTD:
        return ZSTD_decompress(out, bytes, in, length) == bytes;
    case CODE_COUNT:
        break;
    }
    return false;
}
