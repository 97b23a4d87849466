/* SPDX-License-Identifier: MIT */
#include "store/lmdb/large_page.h"

#include "store/lmdb/lmdb_page.h"

#include <assert.h>
#include <unistd.h>

const uint8_t *large_page_map(const struct environment *environment, MDB_txn *txn)
{
    struct key key = {0};
    MDB_val value;
    key_add_bytes(&key, "format", 6);
    if (database_get(environment, txn, DATABASE_META, &key, &value) != 0)
        return NULL;
    const uint8_t *at = value.mv_data;
    const uint8_t *page = at - (uintptr_t)at % environment->page_bytes;
    return page - page_number(page) * environment->page_bytes;
}

/* Returns where in the file a large value's first page begins, 0 if it does not begin where a page does. */
static uint64_t large_page_offset(const struct environment *environment, const uint8_t *map,
                                  const MDB_val *value)
{
    const uint64_t offset = (uint64_t)((uintptr_t)value->mv_data - PAGE_HEAD - (uintptr_t)map);
    return map != NULL && offset % environment->page_bytes == 0 ? offset : 0;
}

static void large_page_head(const struct environment *environment, uint64_t offset, const MDB_val *value,
                            uint8_t head[PAGE_HEAD])
{
    const uint64_t number = offset / environment->page_bytes;
    const uint16_t flags = PAGE_OVERFLOW;
    const uint32_t count = (uint32_t)overflow_pages(value->mv_size, environment->page_bytes);
    memset(head, 0, PAGE_HEAD);
    memcpy(head, &number, sizeof number);
    memcpy(head + 10, &flags, sizeof flags);
    memcpy(head + 12, &count, sizeof count);
    assert(page_number(head) == number && page_flags(head) == flags && page_overflow_count(head) == count);
}

/* Returns true if LMDB gives a value pages of its own. By its size and not by its address: small values that
 * a transaction has moved are in LMDB's own memory, where any address may end like the map's. */
static bool has_own_pages(const MDB_val *key, const MDB_val *value, unsigned page_bytes)
{
    return NODE_HEAD + key->mv_size + value->mv_size > node_most(page_bytes);
}

bool large_page_good(const struct environment *environment, const uint8_t *map, const MDB_val *key,
                     const MDB_val *value)
{
    if (!has_own_pages(key, value, environment->page_bytes))
        return true;
    uint8_t right[PAGE_HEAD];
    const uint8_t *head = (const uint8_t *)value->mv_data - PAGE_HEAD;
    const uint64_t offset = large_page_offset(environment, map, value);
    large_page_head(environment, offset, value, right);
    return offset != 0 && page_number(head) == page_number(right) && page_flags(head) == page_flags(right) &&
           page_overflow_count(head) == page_overflow_count(right);
}

bool large_page_mend(const struct environment *environment, const uint8_t *map, const MDB_val *value)
{
    uint8_t right[PAGE_HEAD];
    mdb_filehandle_t file;
    const uint64_t offset = large_page_offset(environment, map, value);
    large_page_head(environment, offset, value, right);
    return offset != 0 && mdb_env_get_fd(environment->env, &file) == 0 &&
           pwrite(file, right, sizeof right, (off_t)offset) == (ssize_t)sizeof right;
}
