/* SPDX-License-Identifier: MIT */
/*
 * Definitions of puzzles, as texts. This code does not interpret them. They are in the database meta, under
 * "define:" and their name; docs/storage.md describes the value.
 */
#ifndef STORE_DEFINITION_RECORD_H
#define STORE_DEFINITION_RECORD_H

#include "store/lmdb/value_codec.h"
#include "store/store.h"

enum {
    DEFINITION_RECORD_NAME_MAX = 40 /* bytes, with its NUL */
};

/* The texts are malloc'd and owned by the record. */
struct definition_record {
    char name[DEFINITION_RECORD_NAME_MAX];
    char *format; /* "psvn" */
    char *id;
    char *owner; /* "uid:1000"; "" for one that came with a dump */
    char *text;
    uint64_t created_ms;
};
void definition_record_clear(struct definition_record *record);

/* Adds or replaces a definition; the record is copied. */
enum pz_status store_definition_put_async(struct store *store, const struct definition_record *record,
                                          const struct store_ack *ack, struct pz_error *error);
/* Removes a definition, if there is one of that name. */
enum pz_status store_definition_remove_async(struct store *store, const char *name,
                                             const struct store_ack *ack, struct pz_error *error);
/* Adds or replaces a definition and removes the one of another name in the same commit; was: NULL for none.
 * Durable when it returns. */
enum pz_status store_definition_put(struct store *store, const struct definition_record *record,
                                    const char *was, struct pz_error *error);
/* Calls visit for each definition in the order of their names until it returns false. Nothing is locked
 * during a call. A damaged record is left out; after the rest PZ_STORAGE names the first one. */
enum pz_status store_definitions(struct store *store,
                                 bool (*visit)(void *context, const struct definition_record *record),
                                 void *context, struct pz_error *error);

/* Writes a definition's payload, name included. */
void definition_record_encode(struct encoder *encoder, const struct definition_record *record);
/* Reads a definition's payload into *record, which the caller clears, also after a failure: PZ_STORAGE if it
 * is malformed, PZ_MEMORY. */
enum pz_status definition_record_decode(struct decoder *decoder, struct definition_record *record);
/* Returns true if a key of meta is that of a definition. */
bool definition_record_is_key(const struct key *key);

#endif
