/* SPDX-License-Identifier: MIT */
#include "web/http/web_pages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGES_MAX = 128, PAGE_BYTES_MAX = 1 << 20, DEPTH_MAX = 3 };

struct web_pages {
    struct page page[PAGES_MAX];
    size_t count;
};

static const char *type_of(const char *name)
{
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},     {".css", "text/css; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"}, {".svg", "image/svg+xml"},
                 {".xsb", "text/plain; charset=utf-8"},     {".tws", "text/plain; charset=utf-8"},
                 {".csv", "text/csv; charset=utf-8"},       {".json", "application/json"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].ending, dot) == 0)
            return types[i].type;
    return NULL;
}

/* FNV-1a: the tag only has to change when the bytes do. */
void page_tag(const char *bytes, size_t length, char tag[static PAGE_TAG])
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    (void)snprintf(tag, PAGE_TAG, "\"%016" PRIx64 "\"", hash);
}

static bool page_read_whole(int fd, struct page *page)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size > PAGE_BYTES_MAX)
        return false;
    page->bytes = malloc((size_t)status.st_size + 1);
    while (page->bytes != NULL && page->length < (size_t)status.st_size) {
        ssize_t got = read(fd, page->bytes + page->length, (size_t)status.st_size - page->length);
        if (got <= 0)
            return false;
        page->length += (size_t)got;
    }
    return page->bytes != NULL;
}

static bool add_file(struct web_pages *pages, const char *path, const char *url, struct refusal *refusal)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refuse(refusal, "internal", "%s: %s", path, strerrordesc_np(errno));
    struct page *page = &pages->page[pages->count++];
    page->type = type_of(url);
    page->path = strdup(strcmp(url, "/index.html") == 0 ? "/" : url);
    bool good = page->path != NULL && page_read_whole(fd, page);
    (void)close(fd);
    page_tag(page->bytes, page->length, page->tag);
    return good ||
           refuse(refusal, "internal", "%s cannot be read, or is larger than %d bytes", path, PAGE_BYTES_MAX);
}

static bool add_directory(struct web_pages *pages, const char *path, const char *url, unsigned depth,
                          struct refusal *refusal);

static bool add_entry(struct web_pages *pages, const struct dirent *entry, const char *path, const char *url,
                      unsigned depth, struct refusal *refusal)
{
    char file[4096];
    char place[512];
    if (entry->d_name[0] == '.')
        return true;
    if (snprintf(file, sizeof file, "%s/%s", path, entry->d_name) >= (int)sizeof file ||
        snprintf(place, sizeof place, "%s/%s", url, entry->d_name) >= (int)sizeof place)
        return refuse(refusal, "internal", "%s: too long a path", path);
    struct stat status;
    if (stat(file, &status) == 0 && S_ISDIR(status.st_mode))
        return depth >= DEPTH_MAX || add_directory(pages, file, place, depth + 1, refusal);
    if (type_of(place) == NULL)
        return true;
    if (pages->count == PAGES_MAX)
        return refuse(refusal, "internal", "%s: more than %d files", path, PAGES_MAX);
    return add_file(pages, file, place, refusal);
}

static bool add_directory(struct web_pages *pages, const char *path, const char *url, unsigned depth,
                          struct refusal *refusal)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return refuse(refusal, "internal", "%s: %s", path, strerrordesc_np(errno));
    bool good = true;
    const struct dirent *entry = NULL;
    while (good && (entry = readdir(directory)) != NULL) /* NOLINT(concurrency-mt-unsafe): one thread */
        good = add_entry(pages, entry, path, url, depth, refusal);
    (void)closedir(directory);
    return good;
}

struct web_pages *pages_new(const char *directory, struct refusal *refusal)
{
    struct web_pages *pages = calloc(1, sizeof *pages);
    if (pages == NULL) {
        (void)refuse(refusal, "memory", "no memory for the pages");
        return NULL;
    }
    bool good = add_directory(pages, directory, "", 1, refusal);
    if (good && pages_find(pages, "/") == NULL)
        good =
            refuse(refusal, "internal", "%s holds no index.html: --pages names where the page is", directory);
    if (good)
        return pages;
    pages_free(pages);
    return NULL;
}

const struct page *pages_find(const struct web_pages *pages, const char *path)
{
    for (size_t i = 0; i < pages->count; i++)
        if (strcmp(pages->page[i].path, path) == 0)
            return &pages->page[i];
    return NULL;
}

void pages_free(struct web_pages *pages)
{
    if (pages == NULL)
        return;
    for (size_t i = 0; i < pages->count; i++) {
        free(pages->page[i].path);
        free(pages->page[i].bytes);
    }
    free(pages);
}
