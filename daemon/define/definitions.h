/* SPDX-License-Identifier: MIT */
/*
 * The definitions of this daemon: who may define and undefine what, and their durable copies. The library
 * (space/text/library.h) has those that can be played; the store keeps those of clients. These functions wait
 * for the disk: worker threads, or before there are any.
 */
#ifndef DAEMON_DEFINITIONS_H
#define DAEMON_DEFINITIONS_H

#include "daemon/settings/config.h"
#include "space/text/definition.h"
#include "store/store.h"

enum {
    DEFINITIONS_OF_OWNER = 256,            /* most definitions of one client */
    DEFINITIONS_OF_OWNER_BYTES = 64 << 20, /* of their meanings */
};

/* Loads the definitions of the administrator's directory, where one is configured, and then the stored ones
 * into the library. A definition that cannot be loaded is left out, and the log says why. A directory that
 * cannot be read is an error. */
enum pz_status definitions_load(const struct config *config, struct store *store, struct pz_error *error);

/* Compiles, stores and adds a definition. On success the caller owns one hold of *out; *known is true if it
 * was there before. */
enum pz_status definitions_define(struct store *store, enum definition_format format, const char *name,
                                  const char *owner, const char *text, size_t length,
                                  const struct definition **out, bool *known, struct pz_error *error);
/* Removes a definition. Refuses one of another owner (unless any_owner), one from the administrator's
 * directory, and one with a pinned table if no other name stands for the same definition. */
enum pz_status definitions_undefine(struct store *store, const char *name, const char *owner, bool any_owner,
                                    struct pz_error *error);

/* Adds a definition that came with a dump, under its name, or, if that is taken, under "d" and its id. */
struct definition_record;
enum pz_status definitions_import(struct store *store, const struct definition_record *record,
                                  struct pz_error *error);
/* Empties the library. */
void definitions_close(void);

#endif
