/* SPDX-License-Identifier: MIT */
/* The numbers of protocol version 1, for both sides; docs/protocol.md has the words. */
#ifndef PROTOCOL_LIMITS_H
#define PROTOCOL_LIMITS_H

enum {
    PROTOCOL_VERSION = 1,
    PROTOCOL_LINE_MAX = 4096,    /* bytes of a request line, its line end not counted */
    PROTOCOL_TAG_MAX = 64,       /* bytes of a tag */
    PROTOCOL_ARGUMENTS_MAX = 4,  /* words after the verb that are not key=value */
    PROTOCOL_KEYS_MAX = 24,      /* key=value words of one request */
    PROTOCOL_THREADS_MAX = 64,   /* threads of one job */
    PROTOCOL_SAMPLE_MAX = 1000,  /* boards of one SAMPLE */
    PROTOCOL_FRAMES_MAX = 1000,  /* moves of a path that DRAW follows */
    PROTOCOL_GRAPH_USUAL = 5000, /* states of a GRAPH unless most= says otherwise */
    PROTOCOL_GRAPH_MAX = 50000,  /* the highest value of most= */
    PROTOCOL_JOBS_MAX = 1000,    /* records of one JOBS reply; after= gets the next ones */
    PROTOCOL_EXAMPLES_MAX = 16,  /* examples of each level in LEVELS */
};

/* The default socket of the daemon for the system. */
#define PROTOCOL_SYSTEM_SOCKET "/run/puzzled/puzzled.sock"
#define PROTOCOL_SOCKET_NAME   "puzzled.sock"

#endif
