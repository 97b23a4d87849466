/* SPDX-License-Identifier: MIT */
/*
 * Stored values: how numbers and texts become bytes, and the seal before every value.
 *
 * Numbers are big-endian everywhere, in keys and in values. A value is a seal of SEAL_BYTES and a payload:
 *
 *     byte 0       STORE_FORMAT
 *     bytes 1–7    zero
 *     bytes 8–15   XXH3-64 of the payload; its seed is the XXH3-64 of (database, format, key), so that a
 *                  value under a wrong key is found, too
 *
 * docs/storage.md says how a layout is changed.
 */
#ifndef STORE_VALUE_CODEC_H
#define STORE_VALUE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The one number of all that is stored and dumped: the layouts of the values, and what they mean. */
enum { STORE_FORMAT = 2 };

/* The databases of the environment, by number; the numbers are part of every checksum and never change. */
enum database {
    DATABASE_META,
    DATABASE_JOBS,
    DATABASE_QUESTIONS,
    DATABASE_LEVELS,
    DATABASE_EXAMPLES,
    DATABASE_TABLES,
    DATABASE_NAMES,
    DATABASE_PIECES,
    DATABASE_COUNT,
    DATABASE_DUMP = 255 /* no database: the records of a dump are sealed under this number */
};
const char *database_name(enum database database);

enum { KEY_MAX = 80, SEAL_BYTES = 16 };

struct key {
    uint8_t length;
    uint8_t bytes[KEY_MAX];
};

/* Keys are built by appending. The caller keeps them within KEY_MAX. */
void key_add_u32(struct key *key, uint32_t number);
void key_add_u64(struct key *key, uint64_t number);
void key_add_bytes(struct key *key, const void *bytes, size_t length);
/* Returns the XXH3-128 of a text: names and questions are longer than LMDB's keys may be. */
struct key key_of_text(const char *text);
struct key key_of_u64(uint64_t number);
struct key key_of_u64_u32(uint64_t number, uint32_t second);
/* Replaces a key by the least one above it: the same with a zero byte appended. */
void key_step(struct key *key);
int key_compare(const struct key *a, const struct key *b);

uint32_t bytes_u32(const uint8_t *at);
uint64_t bytes_u64(const uint8_t *at);
void bytes_put_u64(uint8_t *at, uint64_t number);

/* A growing value. Begin with encoder_begin, end with encoder_free. A failed allocation is remembered in
 * failed, and everything after it does nothing. */
struct encoder {
    uint8_t *bytes; /* the seal's place, then the payload */
    size_t used, room;
    bool failed;
};

void encoder_begin(struct encoder *encoder);
void encoder_free(struct encoder *encoder);
void encode_u8(struct encoder *encoder, uint8_t number);
void encode_u32(struct encoder *encoder, uint32_t number);
void encode_u64(struct encoder *encoder, uint64_t number);
void encode_bytes(struct encoder *encoder, const void *bytes, size_t length);
void encode_text(struct encoder *encoder, const char *text); /* NULL is "" */

/* Writes the seal of the payload that follows it: SEAL_BYTES at value, length bytes of payload after them. */
void seal_write(uint8_t *value, size_t payload, enum database database, const struct key *key);
/* Returns true if a stored value is whole: long enough, of this format, its checksum right. */
bool seal_good(const uint8_t *value, size_t length, enum database database, const struct key *key);
/* Returns true if a stored value is whole, of any format. */
bool seal_good_of_any_format(const uint8_t *value, size_t length, enum database database,
                             const struct key *key);

/* Reads what an encoder wrote. A read beyond the end is remembered in failed and gives 0 or NULL. */
struct decoder {
    const uint8_t *at;
    size_t left;
    bool failed;
    bool starved; /* no memory for a text: failed, too, but no fault of the value */
};

/* Begins to read a value whose seal is good. */
struct decoder decoder_of(const uint8_t *value, size_t length);
uint8_t decode_u8(struct decoder *decoder);
uint32_t decode_u32(struct decoder *decoder);
uint64_t decode_u64(struct decoder *decoder);
/* Returns a view of the next bytes; NULL (and failed) if there are fewer. */
const uint8_t *decode_bytes(struct decoder *decoder, size_t length);
/* Returns a malloc'd text; NULL and failed without memory or bytes. */
char *decode_text(struct decoder *decoder);
/* Returns true if everything was read, and nothing beyond the end. */
bool decoder_ended(const struct decoder *decoder);

#endif
