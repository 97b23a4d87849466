/* SPDX-License-Identifier: MIT */
#include "store/lmdb/value_codec.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const char *database_name(enum database database)
{
    static const char *const names[DATABASE_COUNT] = {
        [DATABASE_META] = "meta",     [DATABASE_JOBS] = "jobs",         [DATABASE_QUESTIONS] = "questions",
        [DATABASE_LEVELS] = "levels", [DATABASE_EXAMPLES] = "examples", [DATABASE_TABLES] = "tables",
        [DATABASE_NAMES] = "names",   [DATABASE_PIECES] = "pieces",
    };
    assert((unsigned)database < DATABASE_COUNT);
    return names[database];
}

uint32_t bytes_u32(const uint8_t *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return htobe32(number);
}

uint64_t bytes_u64(const uint8_t *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return htobe64(number);
}

void bytes_put_u64(uint8_t *at, uint64_t number)
{
    uint64_t big = htobe64(number);
    memcpy(at, &big, sizeof big);
}

void key_add_bytes(struct key *key, const void *bytes, size_t length)
{
    assert(key->length + length <= KEY_MAX);
    memcpy(key->bytes + key->length, bytes, length);
    key->length = (uint8_t)(key->length + length);
}

void key_add_u32(struct key *key, uint32_t number)
{
    uint32_t big = htobe32(number);
    key_add_bytes(key, &big, sizeof big);
}

void key_add_u64(struct key *key, uint64_t number)
{
    uint64_t big = htobe64(number);
    key_add_bytes(key, &big, sizeof big);
}

struct key key_of_text(const char *text)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(text, strlen(text)));
    struct key key = {0};
    key_add_bytes(&key, canonical.digest, sizeof canonical.digest);
    return key;
}

struct key key_of_u64(uint64_t number)
{
    struct key key = {0};
    key_add_u64(&key, number);
    return key;
}

struct key key_of_u64_u32(uint64_t number, uint32_t second)
{
    struct key key = key_of_u64(number);
    key_add_u32(&key, second);
    return key;
}

void key_step(struct key *key)
{
    static const uint8_t zero = 0;
    key_add_bytes(key, &zero, 1);
}

int key_compare(const struct key *a, const struct key *b)
{
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->bytes, b->bytes, shorter);
    return order != 0 ? order : (int)a->length - (int)b->length;
}

void encoder_begin(struct encoder *encoder)
{
    static const uint8_t seal[SEAL_BYTES];
    *encoder = (struct encoder){0};
    encode_bytes(encoder, seal, sizeof seal);
}

void encoder_free(struct encoder *encoder)
{
    free(encoder->bytes);
    *encoder = (struct encoder){0};
}

void encode_bytes(struct encoder *encoder, const void *bytes, size_t length)
{
    assert(encoder->used <= encoder->room && (bytes != NULL || length == 0));
    if (encoder->failed || length == 0)
        return;
    if (encoder->room - encoder->used < length) {
        size_t room = encoder->room * 2 + length + 64;
        uint8_t *grown = realloc(encoder->bytes, room);
        if (grown == NULL) {
            encoder->failed = true;
            return;
        }
        encoder->bytes = grown;
        encoder->room = room;
    }
    memcpy(encoder->bytes + encoder->used, bytes, length);
    encoder->used += length;
}

void encode_u8(struct encoder *encoder, uint8_t number)
{
    encode_bytes(encoder, &number, sizeof number);
}

void encode_u32(struct encoder *encoder, uint32_t number)
{
    uint32_t big = htobe32(number);
    encode_bytes(encoder, &big, sizeof big);
}

void encode_u64(struct encoder *encoder, uint64_t number)
{
    uint64_t big = htobe64(number);
    encode_bytes(encoder, &big, sizeof big);
}

void encode_text(struct encoder *encoder, const char *text)
{
    size_t length = text == NULL ? 0 : strlen(text);
    encode_u32(encoder, (uint32_t)length);
    encode_bytes(encoder, text, length);
}

static uint64_t seal_checksum(const uint8_t *payload, size_t length, uint8_t format, enum database database,
                              const struct key *key)
{
    uint8_t place[2 + KEY_MAX] = {(uint8_t)database, format};
    assert(key->length <= KEY_MAX);
    memcpy(place + 2, key->bytes, key->length);
    return XXH3_64bits_withSeed(payload, length, XXH3_64bits(place, 2u + key->length));
}

void seal_write(uint8_t *value, size_t payload, enum database database, const struct key *key)
{
    assert(value != NULL && key->length > 0 && key->length <= KEY_MAX);
    assert(database < DATABASE_COUNT || database == DATABASE_DUMP);
    memset(value, 0, SEAL_BYTES);
    value[0] = STORE_FORMAT;
    bytes_put_u64(value + 8, seal_checksum(value + SEAL_BYTES, payload, STORE_FORMAT, database, key));
}

bool seal_good(const uint8_t *value, size_t length, enum database database, const struct key *key)
{
    return seal_good_of_any_format(value, length, database, key) && value[0] == STORE_FORMAT;
}

bool seal_good_of_any_format(const uint8_t *value, size_t length, enum database database,
                             const struct key *key)
{
    static const uint8_t zeros[7];
    if (length < SEAL_BYTES || memcmp(value + 1, zeros, sizeof zeros) != 0)
        return false;
    uint64_t checksum = seal_checksum(value + SEAL_BYTES, length - SEAL_BYTES, value[0], database, key);
    return checksum == bytes_u64(value + 8);
}

struct decoder decoder_of(const uint8_t *value, size_t length)
{
    assert(value != NULL && length >= SEAL_BYTES); /* or its seal was not good */
    return (struct decoder){.at = value + SEAL_BYTES, .left = length - SEAL_BYTES};
}

const uint8_t *decode_bytes(struct decoder *decoder, size_t length)
{
    if (decoder->failed || decoder->left < length) {
        decoder->failed = true;
        return NULL;
    }
    const uint8_t *bytes = decoder->at;
    decoder->at += length;
    decoder->left -= length;
    return bytes;
}

uint8_t decode_u8(struct decoder *decoder)
{
    const uint8_t *bytes = decode_bytes(decoder, 1);
    return bytes == NULL ? 0 : bytes[0];
}

uint32_t decode_u32(struct decoder *decoder)
{
    const uint8_t *bytes = decode_bytes(decoder, 4);
    return bytes == NULL ? 0 : bytes_u32(bytes);
}

uint64_t decode_u64(struct decoder *decoder)
{
    const uint8_t *bytes = decode_bytes(decoder, 8);
    return bytes == NULL ? 0 : bytes_u64(bytes);
}

char *decode_text(struct decoder *decoder)
{
    size_t length = decode_u32(decoder);
    const uint8_t *bytes = decode_bytes(decoder, length);
    char *text = bytes == NULL ? NULL : malloc(length + 1);
    if (text == NULL) {
        decoder->starved |= bytes != NULL;
        decoder->failed = true;
        return NULL;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}

bool decoder_ended(const struct decoder *decoder)
{
    return !decoder->failed && decoder->left == 0;
}
