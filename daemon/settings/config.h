/* SPDX-License-Identifier: MIT */
/*
 * All that an administrator may set: puzzled.conf (INI), then the command line, which wins. One table of
 * settings knows each key's kind, range and default; conf/puzzled.conf describes them for people.
 */
#ifndef DAEMON_CONFIG_H
#define DAEMON_CONFIG_H

#include "base/log.h"
#include "explore/explore.h"

#include <stdio.h>

/* Whose jobs a user may cancel and forget. Root may do so with all. */
enum cancel_others { CANCEL_OWN, CANCEL_GROUP /* members of the daemon's group all */, CANCEL_ANYBODY };

enum { CONFIG_LINES_MAX = 64 };

struct config {
    char *file;                       /* the name of the file that was read; NULL for none */
    unsigned lines[CONFIG_LINES_MAX]; /* of the settings in it; 0 for one that does not stand there */
    /* [daemon] */
    char *socket;               /* path of the Unix socket */
    char *socket_group;         /* whose members may connect; "" leaves the group alone */
    unsigned socket_mode;       /* permission bits */
    char *listen;               /* ADDRESS:PORT for TCP; "" for none */
    bool allow_remote;          /* lets listen and metrics_listen be other than loopback */
    char *state_directory;      /* of the database */
    char *definition_directory; /* whose *.psvn and *.tws are puzzles; "" for none */
    char *plugin_directory;     /* whose *.so add puzzles; "" for none */
    char *metrics_listen;       /* ADDRESS:PORT or a path that HTTP scrapes come to; "" for none */
    /* [limits] */
    uint64_t threads;     /* of all explorations together */
    uint64_t memory;      /* bytes, of all jobs together */
    uint64_t disk;        /* bytes of scratch space, of one job; 0 for nine tenths of what is free */
    uint64_t solves;      /* searches for one solution that run at once */
    uint64_t connections; /* open at once */
    double idle_timeout;  /* seconds without a request after which a connection is closed; 0 for never */
    double stall_timeout; /* seconds in which a client takes nothing of what is written to it */
    uint64_t requests_per_second; /* of one client; 0 for no limit */
    uint64_t queued_jobs;         /* waiting at once */
    uint64_t queued_per_client;
    uint64_t memory_per_client; /* bytes, of one client's running jobs together; 0 for no such limit */
    uint64_t disk_per_client;   /* bytes of scratch space, as above */
    enum cancel_others cancel_others;
    uint64_t explore_first; /* states of the largest space that a lookup explores by itself; 0 for none */
    uint64_t kept_jobs;     /* ended jobs that are remembered */
    /* [engine] */
    enum engine engine; /* what engine=auto means */
    char *kernel;       /* of the dense engine; "" for the best here */
    uint64_t stripes;   /* of the striped engine; 0 for its own choice */
    /* [cluster] */
    char *launch; /* the command that starts puzzled-ranks; "" for none */
    /* [store] */
    uint64_t database_size;     /* bytes; 0 for what the disk holds */
    double checkpoint_interval; /* seconds from one checkpoint of a job to the next; 0 for none */
    uint64_t checkpoint_share;  /* percent of a job's time that they may take; 0 for no limit */
    char *scratch_directory;    /* for planes on disk; "": a folder of the state directory */
    double checkpoint_at_stop;  /* seconds that a stop may wait for one */
    /* [log] */
    enum log_level log_level;
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
/* As above, from an open file; name is what errors call it. */
enum pz_status config_read_stream(struct config *config, FILE *file, const char *name,
                                  struct pz_error *error);
/* Sets one value; the error names section and key. */
enum pz_status config_set(struct config *config, const char *section, const char *key, const char *value,
                          struct pz_error *error);
/* Notes the line that a value was just read from; 0 for one that does not come from the file. Fails if an
 * earlier line set it. */
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

/* Returns the bytes of scratch space that one exploration may take; 0 for nine tenths of what is free. */
uint64_t config_disk_of_job(const struct config *config);

/* Takes over from fresh what may change while the daemon runs. Appends the names of changed settings that
 * need a restart to needs_restart (of size bytes). */
void config_reload(struct config *config, const struct config *fresh, char *needs_restart, size_t size);

#endif
