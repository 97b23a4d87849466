/* SPDX-License-Identifier: MIT */
/* The files of the page, read once at the start. No file is opened by a name that a client sends. */
#ifndef WEB_PAGES_H
#define WEB_PAGES_H

#include "web/api/refusal.h"

#include <stddef.h>

enum { PAGE_TAG = 24 /* bytes of an ETag, with its quotes and the NUL */ };

/* Writes an ETag: it changes with the bytes. */
void page_tag(const char *bytes, size_t length, char tag[static PAGE_TAG]);

struct page {
    char *path; /* as in a URL: "/js/main.js"; "/" is index.html */
    const char *type;
    char *bytes;
    size_t length;
    char tag[PAGE_TAG];
};

struct web_pages;

/* Reads the files of a directory and its subdirectories whose suffixes it knows. Returns NULL with the
 * reason. */
struct web_pages *pages_new(const char *directory, struct refusal *refusal);
/* Returns the page of a path, NULL if there is none. */
const struct page *pages_find(const struct web_pages *pages, const char *path);
void pages_free(struct web_pages *pages);

#endif
