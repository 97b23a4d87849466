/* SPDX-License-Identifier: MIT */
/*
 * Codes bytes of which many are zero, and packs single bits of bytes.
 *
 * There are three codes. EMPTY is nothing at all. MASK is written in one pass: the bytes that are not zero;
 * then, for each line of 64 bytes that holds one, the 64-bit mask of them; then one bit a line, set if it
 * holds any. MASK runs at the speed of memory. RAW is the bytes.
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
    CODEC_MOST = 1 << 18, /* bytes that are coded at once */
    CODEC_LINE = 64,
    CODEC_PAD = 64,                        /* readable bytes that inputs of both ways need behind their end */
    CODEC_ROOM = CODEC_MOST * 9 / 8 + 1024 /* for any code of CODEC_MOST bytes, pad included */
};

struct codec_kernel {
    const char *name;
    bool (*runs_here)(void);
    /* Codes bytes (at most CODEC_MOST) as MASK into out (CODEC_ROOM); returns the length. */
    size_t (*encode)(const uint8_t *in, size_t bytes, uint8_t *out);
    /* Returns true if a MASK of so many bytes has as many as its masks tell. */
    bool (*is_sound)(const uint8_t *in, size_t length, size_t bytes);
    /* Decodes a code that is sound. Writes whole lines: up to CODEC_PAD bytes beyond the end. */
    void (*decode)(const uint8_t *in, size_t length, uint8_t *out, size_t bytes);
    /* Packs bit `bit` of count bytes (a multiple of 8) into count / 8 bytes, lowest first. */
    void (*pack)(const uint8_t *in, size_t count, unsigned bit, uint8_t *out);
    /* Unpacks into count bytes that have that bit or none; writes up to CODEC_PAD bytes beyond them. */
    void (*unpack)(const uint8_t *in, size_t count, unsigned bit, uint8_t *out);
};

/* Returns the best kernel that runs here. */
const struct codec_kernel *codec_kernel(void);
/* Returns a kernel by number, best first, also those that cannot run here; NULL beyond the last. */
const struct codec_kernel *codec_kernel_number(unsigned number);

/*
 * Codes bytes (at most CODEC_MOST) into out (CODEC_ROOM) and returns the length. *code is the strongest code
 * that may be used, and becomes the one that was used: RAW if nothing is saved, EMPTY if all bytes are zero.
 */
size_t codec_encode(enum code *code, const uint8_t *in, size_t bytes, uint8_t *out);
/* Decodes exactly that many bytes; up to CODEC_PAD bytes beyond them are overwritten. Returns false if the
 * code is not one of so many bytes; the output is then undefined. */
bool codec_decode(enum code code, const uint8_t *in, size_t length, uint8_t *out, size_t bytes);

extern const struct codec_kernel codec_portable;
#if defined(__x86_64__)
extern const struct codec_kernel codec_avx512;
#endif

#endif
