/* SPDX-License-Identifier: MIT */
/* The command line of puzzled-web. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "protocol/address.h"
#include "web/api/refusal.h"

#include <sys/socket.h>

enum { ORIGINS_MAX = 8, READ_ONLY_RATE = 20 };

struct settings {
    struct address daemon;
    struct sockaddr_storage listen;
    char listen_text[128];
    const char *pages;
    const char *origins[ORIGINS_MAX]; /* "https://puzzles.example.org": where a proxy shows the page */
    unsigned origin_count;
    unsigned rate; /* requests a second of one client; 0 for no limit */
    bool read_only;
    bool open_to_all; /* --public: pages of every origin may read; implies read_only */
    bool behind_proxy;
    bool allow_remote;
};

enum settings_found { SETTINGS_RUN, SETTINGS_LEAVE, SETTINGS_WRONG };

/* Reads the command line. SETTINGS_LEAVE: help or version was asked for and printed. SETTINGS_WRONG: the
 * reason was printed to the standard error. The texts are in argv. */
enum settings_found settings_read(struct settings *settings, int argc, char **argv);

#endif
