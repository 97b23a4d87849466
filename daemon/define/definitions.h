/* SPDX-License-Identifier: MIT */
/*
 * The definitions of this daemon: who may define and undefine what, and their durable copies. The library
 * (space/text/library.h) has those that can be played, and the states in which they come and go; the store
 * keeps those of clients. What is decided is decided on the loop thread, as it is for jobs, and reported when
 * the store has acknowledged it.
 */
#ifndef DAEMON_DEFINITIONS_H
#define DAEMON_DEFINITIONS_H

#include "daemon/settings/config.h"
#include "space/text/library.h"
#include "store/store.h"

enum {
    DEFINITIONS_OF_OWNER = 256,            /* most definitions of one client */
    DEFINITIONS_OF_OWNER_BYTES = 64 << 20, /* of their meanings */
};

/* Loads the definitions of the administrator's directory, where one is configured, and then the stored ones
 * into the library. A stored one whose name stands for something else by now, a file of the administrator's
 * or a plugin's puzzle, is called "d" and its id from then on. A definition that cannot be loaded is left
 * out, and the log says why. A directory that cannot be read is an error. */
enum pz_status definitions_load(const struct config *config, struct store *store, struct pz_error *error);

/* Compiles a definition; takes long. Any thread. */
enum pz_status definitions_compile(enum definition_format format, const char *name, const char *owner,
                                   uint64_t created_ms, const char *text, size_t length,
                                   struct definition **out, struct pz_error *error);
/* Decides if a definition may come in. If *was is ABSENT, it is COMING now, and the store will acknowledge
 * it: the caller then moves it. COMING, THERE: the same one under the same name is. Loop thread. */
enum pz_status definitions_begin(struct store *store, const struct definition *definition,
                                 const struct store_ack *ack, enum library_state *was,
                                 struct pz_error *error);
/* Finds the definition of a name that its owner (or, with any_owner, anybody) may remove; the caller releases
 * it. Refuses one from the administrator's directory. Loop thread. */
enum pz_status definitions_find(const char *name, const char *owner, bool any_owner,
                                const struct definition **out, struct pz_error *error);
/* Refuses a definition with a pinned table that no other name stands for. Reads the store: a worker. */
enum pz_status definitions_check_unpinned(struct store *store, const struct definition *definition,
                                          struct pz_error *error);

/* Writes the removal of a definition that is GOING; the caller moves it when the store acknowledges it. */
enum pz_status definitions_remove(struct store *store, const char *name, const struct store_ack *ack,
                                  struct pz_error *error);

/* Adds a definition that came with a dump, under its name, or, if that is taken, under "d" and its id. */
struct definition_record;
enum pz_status definitions_import(struct store *store, const struct definition_record *record,
                                  struct pz_error *error);
/* Empties the library. */
void definitions_close(void);

/* Loads the plugins that the configuration names, before other threads start. A refused plugin is left out,
 * and the log says why. A directory that is not safe is an error. */
enum pz_status plugins_of_config(const struct config *config, struct pz_error *error);

#endif
