/* SPDX-License-Identifier: MIT */
/* Every kind of damage to the pages of LMDB's trees is found before LMDB sees it, and named. */
#include "store_tables.h"

#include "store/lmdb/lmdb_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { JOBS = 200, HEAD = 16 };

/* A sound file, and a copy that a test damages. */
struct file {
    uint8_t *sound, *bytes;
    size_t length, page_bytes;
};

static void put16(uint8_t *at, uint16_t number)
{
    memcpy(at, &number, sizeof number);
}

static uint16_t get16(const uint8_t *at)
{
    uint16_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static void file_load(struct fixture *fixture, struct file *file)
{
    struct small_table table = {.name = "t", .chunks = 3, .length = 30000};
    struct stat about;
    small_table_store(fixture, &table);
    for (unsigned i = 0; i < JOBS; i++) {
        struct job_record job = job_of("slide:2x2", text_of("%0390u", i));
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        job_record_clear(&job);
    }
    fixture_close(fixture);
    int from = open(text_of("%s/data.mdb", fixture->directory), O_RDONLY | O_CLOEXEC);
    assert_true(from >= 0);
    assert_int_equal(fstat(from, &about), 0);
    file->length = (size_t)about.st_size;
    file->sound = malloc(file->length);
    file->bytes = malloc(file->length);
    assert_true(file->sound != NULL && file->bytes != NULL);
    assert_int_equal(read(from, file->sound, file->length), (ssize_t)file->length);
    (void)close(from);
    uint32_t page_bytes;
    memcpy(&page_bytes, file->sound + HEAD + META_TREES, sizeof page_bytes);
    file->page_bytes = page_bytes;
    memcpy(file->bytes, file->sound, file->length);
}

static void file_free(struct file *file)
{
    free(file->sound);
    free(file->bytes);
}

/* Checks the copy, mends it, and returns what the check said. */
static enum pz_status judge(struct file *file, struct pz_error *error)
{
    int memory = memfd_create("pages", MFD_CLOEXEC);
    assert_true(memory >= 0);
    assert_int_equal(write(memory, file->bytes, file->length), (ssize_t)file->length);
    enum pz_status status = pages_check(memory, "data.mdb", false, error);
    (void)close(memory);
    memcpy(file->bytes, file->sound, file->length);
    return status;
}

/* ---- damage to one page ---- */

static uint8_t *node(uint8_t *page, unsigned number)
{
    return page + get16(page + HEAD + 2 * number);
}

static void another_number(uint8_t *page)
{
    page[0] ^= 0x40;
}

static void odd_bounds(uint8_t *page)
{
    put16(page + 12, 17);
}

static void no_nodes(uint8_t *page)
{
    put16(page + 12, HEAD);
}

static void node_in_the_head(uint8_t *page)
{
    put16(page + HEAD, 2);
}

static void endless_key(uint8_t *page)
{
    put16(node(page, 0) + 6, 60000);
}

static void exchanged_nodes(uint8_t *page)
{
    uint16_t first = get16(page + HEAD);
    put16(page + HEAD, get16(page + HEAD + 2));
    put16(page + HEAD + 2, first);
}

static void unknown_node(uint8_t *page)
{
    if (get16(page + 10) == PAGE_LEAF)
        put16(node(page, 0) + 4, 0x80);
}

/* A tree's record in a large page, of which the node has the number alone. */
static void large_tree(uint8_t *page)
{
    enum { FLAGS = 4, KEY_LENGTH = 6, MOVED = TREE_BYTES - 8 };
    const unsigned upper = get16(page + 14);
    for (unsigned i = 0; i < (get16(page + 12) - HEAD) / 2u; i++) {
        uint8_t *lowest = page + upper;
        if (get16(page + HEAD + 2 * i) != upper || get16(lowest + FLAGS) != 2)
            continue;
        put16(lowest + FLAGS, 3);
        memmove(lowest + MOVED, lowest, (size_t)NODE_HEAD + get16(lowest + KEY_LENGTH) + 8);
        put16(page + HEAD + 2 * i, (uint16_t)(upper + MOVED));
        put16(page + 14, (uint16_t)(upper + MOVED));
        return;
    }
}

static void child_beyond_the_end(uint8_t *page)
{
    if (get16(page + 10) == PAGE_BRANCH)
        put16(node(page, 1) + 2, 0x7fff);
}

static void the_same_child_twice(uint8_t *page)
{
    if (get16(page + 10) == PAGE_BRANCH)
        memcpy(node(page, 1), node(page, 0), 6);
}

/* LMDB would write the next node over the last one. */
static void free_space_over_nodes(uint8_t *page)
{
    put16(page + 14, (uint16_t)(get16(page + 14) + 8));
}

static void nodes_and_a_gap(uint8_t *page)
{
    put16(page + 14, (uint16_t)(get16(page + 14) - 2));
}

static const struct damage {
    void (*damage)(uint8_t *page);
    const char *said;
} damages[] = {
    {another_number, "not the page that belongs there"},
    {odd_bounds, "its bounds are wrong"},
    {no_nodes, "too few nodes"},
    {node_in_the_head, "a node outside it"},
    {endless_key, "a node that is too long"},
    {exchanged_nodes, "keys out of order"},
    {unknown_node, "a node of an unknown kind"},
    {large_tree, "a node of an unknown kind"},
    {child_beyond_the_end, "beyond the end"},
    {the_same_child_twice, "used twice"},
    {free_space_over_nodes, "a node in its free space"},
    {nodes_and_a_gap, "its nodes do not fill it"},
};

/* Damages each page in turn. Some pages are free: then the file is sound. */
store_test(damage_to_a_page_is_named)
{
    struct file file;
    struct pz_error error;
    file_load(*state, &file);
    assert_ok(judge(&file, &error), error);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        unsigned named = 0;
        for (size_t at = 2 * file.page_bytes; at + file.page_bytes <= file.length; at += file.page_bytes) {
            uint8_t *page = file.bytes + at;
            unsigned flags = get16(page + 10);
            if ((flags != PAGE_BRANCH && flags != PAGE_LEAF) || get16(page + 12) < HEAD + 4)
                continue;
            damages[i].damage(page);
            named += judge(&file, &error) == PZ_STORAGE && strstr(error.text, damages[i].said) != NULL;
        }
        if (named == 0)
            fail_msg("never said: %s", damages[i].said);
    }
    file_free(&file);
}

/* ---- damage to the meta pages ---- */

store_test(damage_to_the_meta_pages_is_named)
{
    /* Offsets behind a page's head: of LMDB's MDB_meta, and in it of the tree of named databases. */
    enum { MAIN = META_TREES + TREE_BYTES, LAST = META_TREES + 2 * TREE_BYTES };
    static const struct {
        size_t offset;
        uint8_t change;
        const char *said;
    } changes[] = {
        {0, 0xff, "not a meta page of LMDB"},
        {META_TREES, 0x01, "its size is wrong"},
        {MAIN + 4, 0x04, "a tree of an unknown kind"},
        {MAIN + 6, 0x60, "a tree of an impossible depth"},
        {MAIN + 32, 0x01, "a tree of another size than is written"},
        {MAIN + 43, 0x7f, "beyond the end"},
        {LAST + 3, 0x7f, "the file is cut short"},
        {LAST + 10, 0x01, "the commits' numbers do not follow each other"},
    };
    struct file file;
    struct pz_error error;
    file_load(*state, &file);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for (size_t page = 0; page < 2; page++) {
            uint8_t *at = file.bytes + page * file.page_bytes + HEAD + changes[i].offset;
            /* the number of only one of them, what both say of both */
            if (strstr(changes[i].said, "commits") == NULL || page == 0)
                *at ^= changes[i].change;
        }
        assert_int_equal(judge(&file, &error), PZ_STORAGE);
        if (strstr(error.text, changes[i].said) == NULL)
            fail_msg("'%s' instead of '%s'", error.text, changes[i].said);
    }
    file.length = 100;
    assert_int_equal(judge(&file, &error), PZ_STORAGE);
    assert_non_null(strstr(error.text, "cut short: 100 bytes"));
    file_free(&file);
}
