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

size_t codec_encode(enum code *code, const uint8_t *in, size_t bytes, uint8_t *out)
{
    enum code most = *code;
    size_t least = (((bytes + CODEC_LINE - 1) / CODEC_LINE) + 7) / 8;
    size_t length = codec_kernel()->encode(in, bytes, out);
    *code = length > least ? CODE_MASK : CODE_EMPTY;
    if (*code == CODE_EMPTY)
        return 0;
    if (length < bytes && most != CODE_RAW)
        return length;
    *code = CODE_RAW;
    memcpy(out, in, bytes);
    return bytes;
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
        if (!codec_kernel()->is_sound(in, length, bytes))
            return false;
        codec_kernel()->decode(in, length, out, bytes);
        return true;
    case CODE_COUNT:
        break;
    }
    return false;
}
