/* SPDX-License-Identifier: MIT */
#include "store/record/definition_record.h"

#include "base/status_word.h"
#include "store/engine/store_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "define:";
enum { PREFIX_BYTES = sizeof prefix - 1 };
_Static_assert(PREFIX_BYTES + DEFINITION_RECORD_NAME_MAX <= KEY_MAX, "a name fits into a key");

static struct key definition_key(const char *name)
{
    assert(strlen(name) < DEFINITION_RECORD_NAME_MAX);
    struct key key = {0};
    key_add_bytes(&key, prefix, PREFIX_BYTES);
    key_add_bytes(&key, name, strlen(name));
    return key;
}

bool definition_record_is_key(const struct key *key)
{
    return key->length > PREFIX_BYTES && memcmp(key->bytes, prefix, PREFIX_BYTES) == 0;
}

void definition_record_clear(struct definition_record *record)
{
    free(record->format);
    free(record->id);
    free(record->owner);
    free(record->text);
    *record = (struct definition_record){0};
}

void definition_record_encode(struct encoder *encoder, const struct definition_record *record)
{
    encode_text(encoder, record->name);
    encode_text(encoder, record->format);
    encode_text(encoder, record->id);
    encode_text(encoder, record->owner);
    encode_u64(encoder, record->created_ms);
    encode_text(encoder, record->text);
}

enum pz_status definition_record_decode(struct decoder *decoder, struct definition_record *record)
{
    *record = (struct definition_record){0};
    char *name = decode_text(decoder);
    record->format = decode_text(decoder);
    record->id = decode_text(decoder);
    record->owner = decode_text(decoder);
    record->created_ms = decode_u64(decoder);
    record->text = decode_text(decoder);
    const bool fits = name != NULL && *name != '\0' && strlen(name) < sizeof record->name;
    if (fits)
        (void)snprintf(record->name, sizeof record->name, "%s", name);
    free(name);
    if (decoder->starved)
        return PZ_MEMORY;
    return fits && decoder_ended(decoder) ? PZ_OK : PZ_STORAGE;
}

static struct operation *putting(const struct definition_record *record)
{
    struct operation *operation = operation_new(OPERATION_SMALL);
    struct encoder encoder;
    encoder_begin(&encoder);
    definition_record_encode(&encoder, record);
    const struct key key = definition_key(record->name);
    operation_put(operation, DATABASE_META, &key, &encoder);
    return operation;
}

enum pz_status store_definition_put_async(struct store *store, const struct definition_record *record,
                                          const struct store_ack *ack, struct pz_error *error)
{
    return writer_submit(store->writer, putting(record), ack, error);
}

enum pz_status store_definition_remove_async(struct store *store, const char *name,
                                             const struct store_ack *ack, struct pz_error *error)
{
    struct operation *operation = operation_new(OPERATION_SMALL);
    const struct key key = definition_key(name);
    operation_erase(operation, DATABASE_META, &key);
    return writer_submit(store->writer, operation, ack, error);
}

enum pz_status store_definition_put(struct store *store, const struct definition_record *record,
                                    const char *was, struct pz_error *error)
{
    assert(record->name[0] != 0);
    struct operation *operation = putting(record);
    if (was != NULL) {
        const struct key key = definition_key(was);
        operation_erase(operation, DATABASE_META, &key);
    }
    return writer_submit_and_wait(store->writer, operation, error);
}

/* Reads the definition under a key. Its name must be the key's. */
static enum pz_status definition_read(struct store *store, const struct key *key,
                                      struct definition_record *record, struct pz_error *error)
{
    struct value value;
    enum pz_status status = lookup(store, DATABASE_META, key, &value, error);
    if (status != PZ_OK)
        return status;
    struct decoder decoder = decoder_of(value.bytes, value.length);
    status = definition_record_decode(&decoder, record);
    value_free(&value);
    const struct key expected = definition_key(record->name);
    if (status == PZ_OK && key_compare(&expected, key) != 0)
        status = PZ_STORAGE;
    if (status != PZ_OK)
        return pz_fail(error, status, "the definition %.*s is malformed", (int)(key->length - PREFIX_BYTES),
                       (const char *)key->bytes + PREFIX_BYTES);
    return PZ_OK;
}

enum pz_status store_definitions(struct store *store,
                                 bool (*visit)(void *context, const struct definition_record *record),
                                 void *context, struct pz_error *error)
{
    assert(visit != NULL);
    enum pz_status outcome = PZ_OK;
    struct key key = {0};
    key_add_bytes(&key, prefix, PREFIX_BYTES);
    for (bool more = true; more;) {
        struct pz_error local = {0};
        struct definition_record record = {0};
        enum pz_status status = lookup_from(store, DATABASE_META, &key, &local);
        if (status == PZ_NO_TABLE || (status == PZ_OK && !definition_record_is_key(&key)))
            break;
        more = status == PZ_OK;
        if (more)
            status = definition_read(store, &key, &record, &local);
        if (status == PZ_OK) {
            more = visit(context, &record);
        } else if (status != PZ_NO_TABLE && outcome == PZ_OK) { /* one that was just removed is not a fault */
            outcome = status;
            if (error != NULL)
                *error = local;
        }
        definition_record_clear(&record);
        if (key.length == KEY_MAX)
            break;
        key_step(&key);
    }
    return outcome;
}
