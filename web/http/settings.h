/* SPDX-License-Identifier: MIT */
/* The command line of puzzled-web. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "protocol/address.h"
#include "protocol/listen_address.h"
#include "web/api/refusal.h"

enum { ORIGINS_MAX = 8, ORIGIN_LENGTH_MAX = 128, READ_ONLY_RATE = 20 };

/* Texts of a scheme and a host without a path. */
struct origins {
    const char *text[ORIGINS_MAX];
    unsigned count;
};

struct settings {
    struct address daemon;
    struct listen_address listen;
    char listen_text[128];
    const char *pages;      /* NULL: the pages that belong to the program, see settings_pages */
    struct origins origins; /* "https://puzzles.example.org": where a proxy shows the page */
    struct origins frames;  /* sites whose pages may show ours in a frame */
    unsigned rate;          /* requests a second of one client; 0 for no limit */
    bool read_only;
    bool open_to_all;                      /* --public: pages of every origin may read; implies read_only */
    char class_time[16], class_memory[16]; /* --class: limits of each search; "" without */
    bool behind_proxy;
    bool allow_remote;
};

enum settings_found { SETTINGS_RUN, SETTINGS_LEAVE, SETTINGS_WRONG };

/* Reads the command line. SETTINGS_LEAVE: help or version was asked for and printed. SETTINGS_WRONG: the
 * reason was printed to the standard error. The texts are in argv. */
enum settings_found settings_read(struct settings *settings, int argc, char **argv);

/* Writes the directory of the page to out, room bytes of it: what --pages names, else share/puzzled-web
 * beside the directory of the program (an installation or a build, wherever it stands), else where this build
 * installs it. */
void settings_pages(const struct settings *settings, char *out, size_t room);

#endif
