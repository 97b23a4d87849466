/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/codec/codec.h"

#include <string.h>

const struct codec_kernel *const codec_kernels[] = {
#if defined(__x86_64__)
    &codec_avx512,
#endif
    &codec_portable,
    NULL,
};

const struct codec_kernel *codec_kernel(void)
{
    for (const struct codec_kernel *const *kernel = codec_kernels; *kernel != NULL; kernel++)
        if ((*kernel)->runs_here())
            return *kernel;
    return &codec_portable;
}

static size_t held_bytes(const struct codec_row *row)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < row->blocks; i++)
        bytes += codec_holds(row, i) ? row->block : 0;
    return bytes;
}

/* Copies the held blocks to where they lie one after the other. */
static void gather(const uint8_t *in, const struct codec_row *row, uint8_t *out)
{
    for (uint32_t i = 0; i < row->blocks; i++)
        if (codec_holds(row, i)) {
            memcpy(out, in + (size_t)i * row->block, row->block);
            out += row->block;
        }
}

/* Undoes gather; in NULL: zeros. */
static void spread(const uint8_t *in, const struct codec_row *row, uint8_t *out)
{
    for (uint32_t i = 0; i < row->blocks; i++, out += row->block)
        if (codec_holds(row, i) && in != NULL) {
            memcpy(out, in, row->block);
            in += row->block;
        } else if (codec_holds(row, i)) {
            memset(out, 0, row->block);
        }
}

size_t codec_encode(const uint8_t *in, const struct codec_row *row, uint8_t *out, enum code *code)
{
    size_t bytes = held_bytes(row);
    size_t length = codec_kernel()->encode(in, row, out);
    *code = length > 0 ? CODE_MASK : CODE_EMPTY;
    if (length < bytes || bytes == 0)
        return length;
    *code = CODE_RAW;
    gather(in, row, out);
    return bytes;
}

bool codec_decode(enum code code, const uint8_t *in, size_t length, const struct codec_row *row, uint8_t *out)
{
    switch (code) {
    case CODE_EMPTY:
        spread(NULL, row, out);
        return length == 0;
    case CODE_RAW:
        if (length != held_bytes(row))
            return false;
        spread(in, row, out);
        return true;
    case CODE_MASK:
        return codec_kernel()->decode(in, length, row, out);
    case CODE_COUNT:
        break;
    }
    return false;
}
