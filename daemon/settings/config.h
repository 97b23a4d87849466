/* SPDX-License-Identifier: MIT */
/*
 * The settings: defaults, then puzzled.conf (INI), then the command line, each over the one before. One
 * table of settings, config.inc, knows each key's kind, range and default; conf/puzzled.conf describes them
 * for people.
 */
#ifndef DAEMON_CONFIG_H
#define DAEMON_CONFIG_H

#include "base/log.h"
#include "explore/explore.h"

#include <stdio.h>

/* Whose jobs a user may cancel and forget. Root may cancel and forget all jobs. */
enum cancel_others { CANCEL_OWN, CANCEL_GROUP /* members of the daemon's group all */, CANCEL_ANYBODY };

/* The type of a setting's field, by its kind. */
typedef char *SETTING_TEXT; /* "" for none */
typedef uint64_t SETTING_BYTES;
typedef double SETTING_SECONDS;
typedef uint64_t SETTING_COUNT;
typedef bool SETTING_FLAG;
typedef unsigned SETTING_MODE; /* permission bits */
typedef enum log_level SETTING_LEVEL;
typedef enum engine SETTING_ENGINE;
typedef enum cancel_others SETTING_OTHERS;

/* The numbers of the settings, and how many there are. */
enum {
#define SETTING(kind, field, ...) SETTING_AT_##field,
#include "daemon/settings/config.inc"
#undef SETTING
    CONFIG_SETTINGS
};

struct config {
    char *file;                      /* the name of the file that was read; NULL for none */
    unsigned lines[CONFIG_SETTINGS]; /* of the settings in it; 0 for one that does not stand there */
#define SETTING(kind, field, ...) SETTING_##kind field;
#include "daemon/settings/config.inc"
#undef SETTING
};

/* Fills in the defaults, which depend on who runs the program and on the machine. Returns PZ_MEMORY without
 * memory. */
enum pz_status config_defaults(struct config *config, struct pz_error *error);
/* Returns true if the state directory is the default. */
bool config_state_is_default(const struct config *config);
void config_free(struct config *config);

/* Reads a file over the values that are there. Stops at the first error, which is like "puzzled.conf:12:
 * [limits] memory: …". */
enum pz_status config_read(struct config *config, const char *path, struct pz_error *error);
/* Reads the configuration from an open file; name is what errors call it. */
enum pz_status config_read_stream(struct config *config, FILE *file, const char *name,
                                  struct pz_error *error);
/* Sets one value; the error names section and key. */
enum pz_status config_set(struct config *config, const char *section, const char *key, const char *value,
                          struct pz_error *error);
/* Records the line that a value was just read from; 0 if it does not come from the file. Fails if an earlier
 * line set it. */
enum pz_status config_note_line(struct config *config, const char *section, const char *key, unsigned line,
                                struct pz_error *error);
/* Returns true if the value stands in the file, and is neither a default nor a flag's. */
bool config_is_from_file(const struct config *config, const char *section, const char *key);
/* Fills *error with a fault of a value, after the file and line that it stands in. Returns PZ_BAD_REQUEST. */
__attribute__((format(printf, 5, 6))) enum pz_status config_fail(const struct config *config,
                                                                 const char *section, const char *key,
                                                                 struct pz_error *error, const char *format,
                                                                 ...);
/* Checks what would prevent a start or fail every job: addresses that are not loopback, a group that is not
 * there, a kernel that this machine does not have and the like. */
enum pz_status config_check(const struct config *config, struct pz_error *error);

/* The word of [cluster] launch that puzzled-ranks and its question stand for. */
#define CLUSTER_PROGRAM "{program}"
/* Returns true if one of the words of [cluster] launch is an option, or is one with its value behind "=". */
bool config_launch_has(const char *launch, const char *option);

/* Returns the bytes of scratch space that one exploration may take; 0 for nine tenths of what is free. */
uint64_t config_disk_of_job(const struct config *config);

/* Takes over from fresh what may change while the daemon runs. Appends the names of changed settings that
 * need a restart to needs_restart (of size bytes). */
void config_reload(struct config *config, const struct config *fresh, char *needs_restart, size_t size);

#endif
