/* SPDX-License-Identifier: MIT */
/*
 * Values as read from a database: the first byte says their kind. A value is given to its decoder as if
 * its seal were right.
 *
 *   r  the payload of a run    j  the value of a job
 *   t  the value of a table's record    p  a whole file of pages
 */
#include "fuzz.h"

#include "store/lmdb/lmdb_page.h"
#include "store/table/table.h"

#include <sys/mman.h>
#include <unistd.h>

static void try_run(const uint8_t *data, size_t size)
{
    struct run_view run;
    static uint64_t keys[RUN_KEYS_MAX * RUN_WORDS_MAX];
    static uint32_t distances[RUN_KEYS_MAX];
    if (!run_parse(data, size, &run))
        return;
    (void)run_decode(&run, 1, keys, distances);
    if (run_decode(&run, EXPLORE_ANY_DISTANCE, keys, distances) != run.count)
        abort();
    for (size_t i = 0; i < run.count; i++) {
        uint8_t key[8 * RUN_WORDS_MAX];
        uint32_t distance;
        run_key_bytes(keys + i * run.words, run.words, key);
        (void)run_covers(&run, key);
        (void)run_find(&run, key, &distance);
    }
}

static void try_job(const uint8_t *data, size_t size)
{
    struct job_record job = {0};
    struct decoder decoder = decoder_of(data, size);
    if (job_decode(&decoder, &job) == PZ_OK)
        FUZZ_REQUIRE(job.puzzle != NULL && job.request != NULL && job.question != NULL && job.result != NULL);
    job_record_clear(&job);
}

static void try_row(const uint8_t *data, size_t size)
{
    struct table_row row;
    struct pz_error error;
    if (table_row_decode(data, size, 1, &row, &error) == PZ_OK)
        FUZZ_REQUIRE(strlen(row.record.name) < STORE_NAME_MAX);
}

static void try_pages(const uint8_t *data, size_t size)
{
    struct pz_error error;
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_REQUIRE(file >= 0);
    FUZZ_REQUIRE(write(file, data, size) == (ssize_t)size);
    (void)pages_check(file, "fuzz", false, &error);
    (void)close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    /* A copy of its own, so that a read beyond the end is seen. */
    size_t length = size - 1;
    uint8_t *copy = malloc(length + 1);
    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, data + 1, length);
    copy = realloc(copy, length > 0 ? length : 1);
    FUZZ_REQUIRE(copy != NULL);
    if (data[0] == 'r')
        try_run(copy, length);
    else if (data[0] == 'j' && length >= SEAL_BYTES)
        try_job(copy, length);
    else if (data[0] == 't' && length >= SEAL_BYTES)
        try_row(copy, length);
    else if (data[0] == 'p')
        try_pages(copy, length);
    free(copy);
    return 0;
}
