/* SPDX-License-Identifier: MIT */
/* The files of the page, read once at the start. No file is opened by a name that a client sends. */
#ifndef PAGES_H
#define PAGES_H

#include "web/api/refusal.h"

#include <stddef.h>

struct page {
    char *path; /* as in a URL: "/js/main.js"; "/" is index.html */
    const char *type;
    char *bytes;
    size_t length;
    char tag[24]; /* an ETag: it changes with the bytes */
};

struct pages;

/* Reads the files of a directory and its subdirectories whose suffixes it knows. Returns NULL with the
 * reason. */
struct pages *pages_new(const char *directory, struct refusal *refusal);
/* Returns the page of a path, NULL if there is none. */
const struct page *pages_find(const struct pages *pages, const char *path);
void pages_free(struct pages *pages);

#endif
