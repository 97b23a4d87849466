/* SPDX-License-Identifier: MIT */
/*
 * The pages of LMDB 0.9's file format 1 (mdb.c: MDB_page, MDB_node, MDB_db, MDB_meta), in the machine's byte
 * order. LMDB's own header does not describe them. They are checked where LMDB would trust them: before a
 * file is opened, in FSCK, and before a large value is removed.
 *
 *     page    u64 number · u16 unused · u16 flags · u16 lower, upper · nodes
 *     large   u64 number · u16 unused · u16 flags · u32 pages · value
 *     node    u16 low, high half of the value's length · u16 flags · u16 length of the key · key, value
 *     meta    u32 magic · u32 version · 16 bytes · tree of free pages · tree of databases
 *             · u64 last page · u64 number of the commit
 */
#ifndef STORE_LMDB_PAGE_H
#define STORE_LMDB_PAGE_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    PAGE_HEAD = 16,
    NODE_HEAD = 8,
    META_TREES = 24, /* offset in the meta record */
    TREE_BYTES = 48,
    META_LAST = META_TREES + 2 * TREE_BYTES,
    META_BYTES = META_LAST + 16,
    META_VERSION_1 = 1,
    TREE_DEPTH_MAX = 32, /* LMDB's CURSOR_STACK */
    KEY_BYTES_MAX = 511,
    UNWRITTEN_PAGES_MAX = 131072 /* LMDB's MDB_IDL_UM_SIZE */
};
enum page_flag { PAGE_BRANCH = 0x01, PAGE_LEAF = 0x02, PAGE_OVERFLOW = 0x04, PAGE_META = 0x08 };
enum node_flag { NODE_BIG = 0x01, NODE_TREE = 0x02 };
enum tree_flag { TREE_INTEGER_KEYS = 0x08 };
static const uint32_t meta_magic = 0xBEEFC0DE;
static const uint64_t no_page = UINT64_MAX;

static inline uint16_t u16_at(const uint8_t *at)
{
    uint16_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static inline uint32_t u32_at(const uint8_t *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static inline uint64_t u64_at(const uint8_t *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static inline uint64_t page_number(const uint8_t *page)
{
    return u64_at(page);
}

static inline unsigned page_flags(const uint8_t *page)
{
    return u16_at(page + 10);
}

static inline unsigned page_lower(const uint8_t *page)
{
    return u16_at(page + 12);
}

static inline unsigned page_upper(const uint8_t *page)
{
    return u16_at(page + 14);
}

/* Returns the number of pages of the large value whose first page this is. */
static inline uint64_t page_overflow_count(const uint8_t *page)
{
    return u32_at(page + 12);
}

/* Returns the number of pages that a large value of this length takes. */
static inline uint64_t overflow_pages(uint64_t value_bytes, uint64_t page_bytes)
{
    return (PAGE_HEAD + value_bytes + page_bytes - 1) / page_bytes;
}

/* Returns how many bytes a node with its key and value may have; a longer value gets pages of its own. */
static inline uint64_t node_most(uint64_t page_bytes)
{
    return ((page_bytes - PAGE_HEAD) / 2 & ~UINT64_C(1)) - sizeof(uint16_t);
}

/* A tree, as MDB_db describes it. */
struct tree {
    uint16_t flags;
    uint16_t depth;
    uint64_t branch_pages, leaf_pages, overflow_pages, entries, root;
};

static inline struct tree tree_at(const uint8_t *at)
{
    return (struct tree){.flags = u16_at(at + 4),
                         .depth = u16_at(at + 6),
                         .branch_pages = u64_at(at + 8),
                         .leaf_pages = u64_at(at + 16),
                         .overflow_pages = u64_at(at + 24),
                         .entries = u64_at(at + 32),
                         .root = u64_at(at + 40)};
}

/*
 * A check of the pages that LMDB builds its trees from. LMDB trusts them: one flipped bit makes it read
 * outside the map, stop the process, or pass over keys. So they are checked before LMDB opens the file. Every
 * tree is walked and every bound tested; keys must be in order, no page in two places, and free pages free.
 * Values have their own checksums.
 */

/* Returns PZ_OK if the file is sound or empty, PZ_STORAGE with the first fault, or PZ_MEMORY. Nobody may
 * write the file meanwhile. The heads of a table's pieces are not read: large_page.h. name: begins the
 * error's text. in_use: the text says what to do with a database that does not open. */
enum pz_status pages_check(int file, const char *name, bool in_use, struct pz_error *error);

/* Returns true if the file is what is left where LMDB began a database and the disk was full or the power
 * failed: parts of two meta pages, and no commit. LMDB would refuse it for good; nothing was ever in it. */
bool pages_uncommitted(int file);

#endif
