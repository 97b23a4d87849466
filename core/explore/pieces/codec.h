/* SPDX-License-Identifier: MIT */
/*
 * Codes bytes of which many are zero, and packs single bits of bytes.
 *
 * There are four codes. EMPTY is nothing at all. MASK is written in one pass: the bytes that are not zero,
 * its *values*; then, for each line of 64 bytes that holds one, the 64-bit mask of them; then one bit a line,
 * set if it holds any. SHORT is MASK with the values in another way: the 15 commonest of them (found in a
 * sample), padded to 16; half a byte for each value, its number there or 15; then the values that are not
 * among them. RAW is the bytes.
 *
 * The kernels give equal codes; the processor decides which one runs. All functions may be called from any
 * thread.
 */
#ifndef EXPLORE_PIECES_CODEC_H
#define EXPLORE_PIECES_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code { CODE_EMPTY, CODE_RAW, CODE_MASK, CODE_SHORT, CODE_COUNT };

enum {
    CODEC_MOST = 1 << 18, /* bytes that are coded at once */
    CODEC_LINE = 64,
    CODEC_PAD = 64,                        /* readable bytes that inputs of both ways need behind their end */
    CODEC_ROOM = CODEC_MOST * 9 / 8 + 1024 /* for any code of CODEC_MOST bytes, pad included */
};

/* Half bytes stand in groups of 64 values: in 32 bytes the low halves are the first 32 values. */
enum { CODEC_COMMON = 15, CODEC_DICTIONARY = 16 };

/* The end of a MASK or SHORT. */
struct codec_tail {
    size_t bytes;  /* of masks and bits of lines */
    size_t values; /* how many the masks tell */
};

struct codec_kernel {
    const char *name;
    bool (*runs_here)(void);
    /* Codes bytes (at most CODEC_MOST) as MASK into out (CODEC_ROOM); returns the length. */
    size_t (*encode)(const uint8_t *in, size_t bytes, uint8_t *out);
    /* Finds the tail of a MASK or SHORT of so many bytes. Returns false if it has none. */
    bool (*tail)(const uint8_t *in, size_t length, size_t bytes, struct codec_tail *out);
    /* Decodes exactly so many bytes from values and the end of a sound tail. */
    void (*decode)(const uint8_t *values, const uint8_t *end, uint8_t *out, size_t bytes);
    /* Writes the half bytes of count values, of which number tells those of all that there may be, and those
     * of number 15 whole to rest. Returns how many these are. Writes groups of 64, and 64 bytes more of rest.
     */
    size_t (*shorten)(const uint8_t *values, size_t count, const uint8_t number[256], uint8_t *halves,
                      uint8_t *rest);
    /* Returns how many of so many bytes' halves are 15. */
    size_t (*count_rest)(const uint8_t *halves, size_t bytes);
    /* Undoes shorten. Writes groups of 64 values. May read 64 bytes beyond the rest. */
    void (*lengthen)(const uint8_t *halves, size_t count, const uint8_t dictionary[CODEC_DICTIONARY],
                     const uint8_t *rest, uint8_t *values);
    /* Packs bit `bit` of count bytes (a multiple of 8) into count / 8 bytes, lowest first. */
    void (*pack)(const uint8_t *in, size_t count, unsigned bit, uint8_t *out);
    /* Unpacks into count bytes that have that bit or none; writes up to CODEC_PAD bytes beyond them. Returns
     * false, and writes nothing, if all bits are 0. */
    bool (*unpack)(const uint8_t *in, size_t count, unsigned bit, uint8_t *out);
};

/* Returns the best kernel that runs here. */
const struct codec_kernel *codec_kernel(void);
/* Returns a kernel by number, best first, also those that cannot run here; NULL beyond the last. */
const struct codec_kernel *codec_kernel_number(unsigned number);

/*
 * Codes bytes (at most CODEC_MOST) into out (CODEC_ROOM, twice that for SHORT) and returns the length. *code
 * is the strongest code that may be used, and becomes the one that was used: RAW if nothing is saved, EMPTY
 * if all bytes are zero.
 */
size_t codec_encode(enum code *code, const uint8_t *in, size_t bytes, uint8_t *out);
/* Decodes exactly that many bytes. Returns false if the code is not one of so many bytes; the output is then
 * undefined. room (CODEC_ROOM) is for SHORT, which is refused if it is NULL. */
bool codec_decode(enum code code, const uint8_t *in, size_t length, uint8_t *out, size_t bytes,
                  uint8_t *room);

extern const struct codec_kernel codec_portable;
#if defined(__x86_64__)
extern const struct codec_kernel codec_avx512;
#endif

#endif
