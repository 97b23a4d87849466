/* SPDX-License-Identifier: MIT */
#include "store/lmdb/lmdb_page.h"

#include "base/status_word.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The keys that a leaf or branch may hold: from low on and below high. NULL: no bound. */
struct page_bounds {
    const uint8_t *low, *high;
    size_t low_length, high_length;
};

struct pages {
    const uint8_t *map;
    uint64_t bytes;
    uint64_t page_bytes;
    uint64_t last;  /* the last page of the snapshot; free pages at the end may never have been written */
    uint64_t whole; /* pages in the file */
    uint8_t *used;  /* a bit a page */
    bool in_use;    /* the file is a database that is to be opened, and no copy of one */
    const char *name;
    struct pz_error *error;
};

static bool bad(const struct pages *pages, uint64_t page, const char *what)
{
    (void)pz_fail(pages->error, PZ_STORAGE, "%s is damaged: page %" PRIu64 ": %s%s", pages->name, page, what,
                  pages->in_use ? "; restore it from a copy, or move it away to start over" : "");
    return false;
}

/* Marks count pages from page on as used. Fails if one was used before. */
static bool take_page(struct pages *pages, uint64_t page, uint64_t count)
{
    if (page < 2 || page > pages->last || count > pages->last - page + 1)
        return bad(pages, page, "beyond the end");
    for (uint64_t i = page; i < page + count; i++) {
        uint8_t bit = (uint8_t)(1u << (i % 8));
        if (pages->used[i / 8] & bit)
            return bad(pages, i, "used twice");
        pages->used[i / 8] |= bit;
    }
    return true;
}

/* Like take, for pages that will be read: they must lie in the file. */
static bool take_written(struct pages *pages, uint64_t page, uint64_t count)
{
    if (!take_page(pages, page, count))
        return false;
    return page + count <= pages->whole || bad(pages, page, "the file is cut short");
}

/* ---- nodes ---- */

struct page_node {
    const uint8_t *key, *data;
    size_t key_length;
    uint32_t length; /* of the value */
    unsigned flags;
    uint64_t child; /* of a branch */
};

/* Returns the bytes that a node takes in its page. */
static size_t page_node_bytes(const struct page_node *node)
{
    const size_t inside = (node->flags & NODE_BIG) != 0 ? sizeof(uint64_t) : node->length;
    return (NODE_HEAD + node->key_length + inside + 1) & ~(size_t)1;
}

static bool node_at(const struct pages *pages, uint64_t number, const uint8_t *page, unsigned index,
                    bool branch, struct page_node *node)
{
    unsigned lower = page_lower(page);
    size_t offset = u16_at(page + PAGE_HEAD + 2u * index);
    if (offset < lower || offset + NODE_HEAD > pages->page_bytes)
        return bad(pages, number, "a node outside it");
    const uint8_t *at = page + offset;
    node->flags = u16_at(at + 4);
    node->key_length = u16_at(at + 6);
    node->key = at + NODE_HEAD;
    node->data = node->key + node->key_length;
    node->length = u16_at(at) | (uint32_t)u16_at(at + 2) << 16;
    node->child = node->length | (uint64_t)node->flags << 32;
    if (branch) {
        node->flags = 0;
        node->length = 0;
    }
    if (node->key_length > KEY_BYTES_MAX || offset + page_node_bytes(node) > pages->page_bytes)
        return bad(pages, number, "a node that is too long");
    return true;
}

/* Returns true if the nodes fill the page from its upper bound to its end: LMDB writes new ones below that
 * bound. */
static bool nodes_fill(const struct pages *pages, uint64_t number, const uint8_t *page, unsigned count,
                       bool branch)
{
    const unsigned upper = page_upper(page);
    size_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        struct page_node node;
        if (!node_at(pages, number, page, i, branch, &node))
            return false;
        if (node.key - NODE_HEAD < page + upper)
            return bad(pages, number, "a node in its free space");
        bytes += page_node_bytes(&node);
    }
    return upper + bytes == pages->page_bytes || bad(pages, number, "its nodes do not fill it");
}

static int compare_page_keys(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length,
                             bool integers)
{
    if (integers && a_length == 8 && b_length == 8)
        return u64_at(a) < u64_at(b) ? -1 : u64_at(a) > u64_at(b);
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* Returns true if the key is within the bounds. Not for the first key of a branch page, which LMDB leaves
 * empty and ignores. */
static bool page_key_fits(const struct pages *pages, uint64_t number, const struct page_node *node,
                          const struct page_bounds *bounds, bool integers)
{
    if (bounds->low != NULL &&
        compare_page_keys(node->key, node->key_length, bounds->low, bounds->low_length, integers) < 0)
        return bad(pages, number, "keys out of order");
    if (bounds->high != NULL &&
        compare_page_keys(node->key, node->key_length, bounds->high, bounds->high_length, integers) >= 0)
        return bad(pages, number, "keys out of order");
    return true;
}

/* ---- trees ---- */

struct page_walk {
    struct pages *pages;
    struct tree found;
    bool integers;  /* keys are in native byte order: the tree of free pages */
    bool main;      /* values are trees */
    bool free_list; /* values are lists of free pages */
    bool heads;     /* the heads of large values are read; those of pieces are by large_page_good */
};

static bool check_tree(struct pages *pages, const struct tree *tree, unsigned level, const char *named);

static bool check_large(struct page_walk *walk, uint64_t number, const struct page_node *node)
{
    struct pages *pages = walk->pages;
    uint64_t first = u64_at(node->data);
    uint64_t count = overflow_pages(node->length, pages->page_bytes);
    if (!take_written(pages, first, count))
        return false;
    walk->found.overflow_pages += count;
    if (!walk->heads)
        return true;
    const uint8_t *page = pages->map + first * pages->page_bytes;
    if (page_number(page) != first || page_flags(page) != PAGE_OVERFLOW || page_overflow_count(page) != count)
        return bad(pages, number, "a large value without its head");
    return true;
}

static bool check_free_list(struct page_walk *walk, uint64_t number, const struct page_node *node)
{
    struct pages *pages = walk->pages;
    const uint8_t *list = node->data;
    if ((node->flags & NODE_BIG) != 0)
        list = pages->map + u64_at(node->data) * pages->page_bytes + PAGE_HEAD;
    uint64_t count = node->length >= 8 ? u64_at(list) : no_page;
    if (count > pages->last || node->length != (count + 1) * 8)
        return bad(pages, number, "a list of free pages of a wrong length");
    for (uint64_t i = 1; i <= count; i++) {
        if (i > 1 && u64_at(list + 8 * i) >= u64_at(list + 8 * (i - 1)))
            return bad(pages, number, "a list of free pages out of order");
        if (!take_page(pages, u64_at(list + 8 * i), 1))
            return false;
    }
    return true;
}

static bool pages_check_value(struct page_walk *walk, uint64_t number, const struct page_node *node)
{
    walk->found.entries++;
    if (walk->main ? node->flags != NODE_TREE : (node->flags & ~(unsigned)NODE_BIG) != 0)
        return bad(walk->pages, number, "a node of an unknown kind");
    if ((node->flags & NODE_BIG) != 0 && !check_large(walk, number, node))
        return false;
    if (walk->free_list)
        return check_free_list(walk, number, node);
    if (!walk->main)
        return true;
    if (node->length != TREE_BYTES)
        return bad(walk->pages, number, "a tree's record of a wrong length");
    struct tree tree = tree_at(node->data);
    char named[16] = "";
    memcpy(named, node->key, node->key_length < sizeof named ? node->key_length : sizeof named - 1);
    return check_tree(walk->pages, &tree, 1, named);
}

static bool pages_check_page(struct page_walk *walk, uint64_t number, unsigned depth,
                             const struct page_bounds *bounds);

/* Checks the children. Child i holds the keys from its own key on and below the next child's. */
static bool check_children(struct page_walk *walk, uint64_t number, const uint8_t *page, unsigned count,
                           unsigned depth, const struct page_bounds *bounds)
{
    struct page_bounds inner = *bounds;
    for (unsigned i = 0; i < count; i++) {
        struct page_node node, next;
        if (!node_at(walk->pages, number, page, i, true, &node))
            return false;
        inner.high = bounds->high;
        inner.high_length = bounds->high_length;
        if (i + 1 < count) {
            if (!node_at(walk->pages, number, page, i + 1, true, &next) ||
                !page_key_fits(walk->pages, number, &next, &inner, walk->integers))
                return false;
            inner.high = next.key;
            inner.high_length = next.key_length;
        }
        if (!pages_check_page(walk, node.child, depth - 1, &inner))
            return false;
        inner.low = inner.high;
        inner.low_length = inner.high_length;
    }
    return true;
}

static bool check_leaf(struct page_walk *walk, uint64_t number, const uint8_t *page, unsigned count,
                       const struct page_bounds *bounds)
{
    struct page_bounds inner = *bounds;
    struct page_node before = {0};
    for (unsigned i = 0; i < count; i++) {
        struct page_node node;
        if (!node_at(walk->pages, number, page, i, false, &node) ||
            !page_key_fits(walk->pages, number, &node, &inner, walk->integers))
            return false;
        if (i > 0 &&
            compare_page_keys(before.key, before.key_length, node.key, node.key_length, walk->integers) >= 0)
            return bad(walk->pages, number, "keys out of order");
        if (!pages_check_value(walk, number, &node))
            return false;
        before = node;
    }
    return true;
}

/* depth: levels from this page down; a leaf has 1. */
static bool pages_check_page(struct page_walk *walk, uint64_t number, unsigned depth,
                             const struct page_bounds *bounds)
{
    struct pages *pages = walk->pages;
    if (!take_written(pages, number, 1))
        return false;
    const uint8_t *page = pages->map + number * pages->page_bytes;
    unsigned lower = page_lower(page);
    unsigned upper = page_upper(page);
    unsigned flags = page_flags(page);
    bool branch = depth > 1;
    if (page_number(page) != number || flags != (branch ? PAGE_BRANCH : PAGE_LEAF))
        return bad(pages, number, "not the page that belongs there");
    if (lower < PAGE_HEAD || lower % 2 != 0 || lower > upper || upper > pages->page_bytes)
        return bad(pages, number, "its bounds are wrong");
    unsigned count = (lower - PAGE_HEAD) / 2;
    if (count < (branch ? 2 : 1))
        return bad(pages, number, "too few nodes");
    if (!nodes_fill(pages, number, page, count, branch))
        return false;
    if (branch) {
        walk->found.branch_pages++;
        return check_children(walk, number, page, count, depth, bounds);
    }
    walk->found.leaf_pages++;
    return check_leaf(walk, number, page, count, bounds);
}

/* level: 0 for the two trees of the meta page, 1 for the named databases. */
static bool check_tree(struct pages *pages, const struct tree *tree, unsigned level, const char *named)
{
    bool free_list = level == 0 && named[0] == 'f';
    struct page_walk walk = {.pages = pages,
                             .integers = free_list,
                             .free_list = free_list,
                             .main = level == 0 && !free_list,
                             .heads = strcmp(named, "pieces") != 0};
    if (tree->depth > TREE_DEPTH_MAX || (tree->root == no_page) != (tree->depth == 0))
        return bad(pages, 0, "a tree of an impossible depth");
    if (tree->flags != (free_list ? TREE_INTEGER_KEYS : 0))
        return bad(pages, 0, "a tree of an unknown kind");
    struct page_bounds all = {0};
    if (tree->depth > 0 && !pages_check_page(&walk, tree->root, tree->depth, &all))
        return false;
    if (walk.found.branch_pages != tree->branch_pages || walk.found.leaf_pages != tree->leaf_pages ||
        walk.found.overflow_pages != tree->overflow_pages || walk.found.entries != tree->entries)
        return bad(pages, tree->depth > 0 ? tree->root : 0, "a tree of another size than is written");
    return true;
}

/* ---- the two meta pages ---- */

/* Returns true if the meta pages' numbers can be those of two commits in a row: commits write the two pages
 * in turn, each with the next number. */
static bool numbers_good(const struct pages *pages, const uint64_t numbers[2])
{
    if (numbers[0] == 0 && numbers[1] == 0)
        return true;
    bool turns = numbers[0] % 2 == 0 && numbers[1] % 2 == 1;
    uint64_t apart = numbers[0] > numbers[1] ? numbers[0] - numbers[1] : numbers[1] - numbers[0];
    return (turns && apart == 1) || bad(pages, 0, "the commits' numbers do not follow each other");
}

static const uint8_t *last_meta(struct pages *pages)
{
    uint64_t numbers[2];
    pages->page_bytes = u32_at(pages->map + PAGE_HEAD + META_TREES);
    bool power = pages->page_bytes >= 512 && pages->page_bytes <= 65536 &&
                 (pages->page_bytes & (pages->page_bytes - 1)) == 0;
    if (!power || pages->bytes < 2 * pages->page_bytes) {
        (void)bad(pages, 0, "its size is wrong");
        return NULL;
    }
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *page = pages->map + i * pages->page_bytes;
        const uint8_t *meta = page + PAGE_HEAD;
        if (page_number(page) != i || page_flags(page) != PAGE_META || u32_at(meta) != meta_magic ||
            u32_at(meta + 4) != META_VERSION_1 || u32_at(meta + META_TREES) != pages->page_bytes) {
            (void)bad(pages, i, "not a meta page of LMDB");
            return NULL;
        }
        numbers[i] = u64_at(meta + META_LAST + 8);
    }
    if (!numbers_good(pages, numbers))
        return NULL;
    return pages->map + (numbers[1] > numbers[0] ? pages->page_bytes : 0) + PAGE_HEAD;
}

static bool check_all(struct pages *pages)
{
    const uint8_t *meta = last_meta(pages);
    if (meta == NULL)
        return false;
    pages->last = u64_at(meta + META_LAST);
    pages->whole = pages->bytes / pages->page_bytes;
    /* A commit cannot leave more unwritten pages at the end than its list in memory holds. */
    if (pages->last < 1 || pages->last >= pages->whole + UNWRITTEN_PAGES_MAX)
        return bad(pages, pages->last, "the file is cut short");
    pages->used = calloc(1, pages->last / 8 + 1);
    if (pages->used == NULL) {
        (void)pz_fail(pages->error, PZ_MEMORY, "no memory to check %s", pages->name);
        return false;
    }
    struct tree main = tree_at(meta + META_TREES + TREE_BYTES);
    struct tree free_pages = tree_at(meta + META_TREES);
    return check_tree(pages, &main, 0, "main") && check_tree(pages, &free_pages, 0, "free");
}

/* ---- a file that LMDB had only begun ---- */

/* Returns true if LMDB left this sector of a file that it was about to make: nothing, or the head of a meta
 * page without a commit. */
static bool sector_uncommitted(const uint8_t *sector, size_t bytes, uint64_t offset, uint64_t page_bytes)
{
    const uint8_t *meta = sector + PAGE_HEAD;
    size_t zeros = 0;
    while (zeros < bytes && sector[zeros] == 0)
        zeros++;
    if (zeros == bytes)
        return true;
    return offset % page_bytes == 0 && bytes >= PAGE_HEAD + META_BYTES &&
           page_number(sector) == offset / page_bytes && page_flags(sector) == PAGE_META &&
           u32_at(meta) == meta_magic && u32_at(meta + 4) == META_VERSION_1 &&
           u64_at(meta + META_LAST + 8) == 0;
}

bool pages_uncommitted(int file)
{
    enum { SECTOR = 512 };
    uint8_t sector[SECTOR];
    const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t offset = 0;
    ssize_t bytes;
    while ((bytes = pread(file, sector, SECTOR, (off_t)offset)) > 0) {
        if (offset >= 2 * page_bytes || !sector_uncommitted(sector, (size_t)bytes, offset, page_bytes))
            return false;
        offset += (uint64_t)bytes;
    }
    return bytes == 0;
}

/* ---- the whole ---- */

enum pz_status pages_check(int file, const char *name, bool in_use, struct pz_error *error)
{
    struct stat status;
    struct pz_error local = {0};
    if (fstat(file, &status) != 0)
        return status_from_errno(error, errno, name);
    if (status.st_size == 0)
        return PZ_OK;
    struct pages pages = {.bytes = (uint64_t)status.st_size,
                          .in_use = in_use,
                          .name = name,
                          .error = error != NULL ? error : &local};
    if (pages.bytes < PAGE_HEAD + META_BYTES)
        return pz_fail(error, PZ_STORAGE, "%s is cut short: %" PRIu64 " bytes", name, pages.bytes);
    void *map = mmap(NULL, (size_t)pages.bytes, PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED)
        return status_from_errno(error, errno, name);
    pages.map = map;
    bool good = check_all(&pages);
    free(pages.used);
    (void)munmap(map, (size_t)pages.bytes);
    return good ? PZ_OK : pages.error->code;
}
