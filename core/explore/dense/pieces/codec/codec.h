/* SPDX-License-Identifier: MIT */
/*
 * Codes bytes of which many are zero, and packs single bits of bytes.
 *
 * There are three codes. EMPTY is nothing at all. MASK is the bytes that are not zero, each in as many bits
 * as the row's bytes may have; then, for each line of 64 bytes that holds one, the 64-bit mask of them; then
 * one bit a line, set if it holds any. Each block starts a new line and new value and bitmap
 * bytes. RAW is the bytes.
 *
 * The kernels give equal codes; the processor decides which one runs. All functions may be called from any
 * thread.
 */
#ifndef EXPLORE_PIECES_CODEC_H
#define EXPLORE_PIECES_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code { CODE_EMPTY, CODE_RAW, CODE_MASK, CODE_COUNT };

enum {
    CODEC_MOST = 1 << 18, /* bytes that are coded at once, each block brought to whole lines */
    CODEC_LINE = 64,
    CODEC_PAD = 64,                        /* readable bytes that inputs of both ways need behind their end */
    CODEC_ROOM = CODEC_MOST * 9 / 8 + 1024 /* for any code of CODEC_MOST bytes, pad included */
};

/* A row of blocks, of which those that are held are coded. The others are neither read nor written. */
struct codec_row {
    const uint8_t
        *present; /* of each block: the bits that its bytes may have, 0 if it is not held; NULL: all */
    uint32_t blocks;
    uint32_t block; /* bytes in each */
};

static inline bool codec_holds(const struct codec_row *row, uint32_t block)
{
    return row->present == NULL || row->present[block] != 0;
}

/* Returns how many bits the row's bytes have at most. */
static inline unsigned codec_width(const struct codec_row *row)
{
    unsigned bits = row->present == NULL ? 0xFF : 1;
    for (uint32_t i = 0; row->present != NULL && i < row->blocks; i++)
        bits |= row->present[i];
    return 32 - (unsigned)__builtin_clz(bits);
}

struct codec_kernel {
    const char *name;
    bool (*runs_here)(void);
    /* Codes a row as MASK into out (CODEC_ROOM); returns the length, 0 if all bytes are zero. */
    size_t (*encode)(const uint8_t *in, const struct codec_row *row, uint8_t *out);
    /* Decodes a MASK. Returns false if the bytes are no MASK of such a row; the output is then undefined. */
    bool (*decode)(const uint8_t *in, size_t length, const struct codec_row *row, uint8_t *out);
    /* Packs bit `bit` of count bytes (a multiple of 8) into count / 8 bytes, lowest first. */
    void (*pack)(const uint8_t *in, size_t count, unsigned bit, uint8_t *out);
    /* Unpacks into count bytes that have that bit or none; writes up to CODEC_PAD bytes beyond them. Returns
     * false, and writes nothing, if all bits are 0. */
    bool (*unpack)(const uint8_t *in, size_t count, unsigned bit, uint8_t *out);
};

/* Returns the best kernel that runs here. */
const struct codec_kernel *codec_kernel(void);
/* All kernels, best first, also those that cannot run here; NULL ends them. */
extern const struct codec_kernel *const codec_kernels[];

/* Codes a row into out (CODEC_ROOM) and returns the length. *code becomes the code that was used: RAW if a
 * MASK saves nothing, EMPTY if all bytes are zero. */
size_t codec_encode(const uint8_t *in, const struct codec_row *row, uint8_t *out, enum code *code);
/* Decodes a row. Returns false if the code is not one of such a row; the output is then undefined. */
bool codec_decode(enum code code, const uint8_t *in, size_t length, const struct codec_row *row,
                  uint8_t *out);

extern const struct codec_kernel codec_portable;
#if defined(__x86_64__)
extern const struct codec_kernel codec_avx512;
#endif

#endif
