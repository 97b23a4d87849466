/* SPDX-License-Identifier: MIT */
/* Everything at once: views, a map that grows under them, tables that are replaced, evicted and removed. */
#include "store_tables.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

enum { CHUNKS = 6, CHUNK = 60000 };
#ifdef PUZZLED_SANITIZED
enum { TABLES_WRITTEN = 40 };
#else
enum { TABLES_WRITTEN = 150 };
#endif

/* LMDB's, too: the moment in which a map that grows is not there lasts long enough to be met. */
int munmap(void *addr, size_t len)
{
    int (*next)(void *, size_t);
    *(void **)&next = dlsym(RTLD_NEXT, "munmap");
    const int result = next(addr, len);
    if (len >= 1 << 20)
        (void)usleep(2000);
    return result;
}

struct crowd {
    struct store *store;
    _Atomic bool ended;
    _Atomic unsigned failures; /* raised by any thread, read by main */
    _Atomic unsigned reads;    /* tables read to the end */
    char first[600];           /* written by the thread that raised failures from 0 */
};

static void failed(struct crowd *crowd, const char *what, const struct pz_error *error)
{
    if (atomic_fetch_add(&crowd->failures, 1) == 0)
        (void)snprintf(crowd->first, sizeof crowd->first, "%s: %s", what, error->text);
}

/* Chunks say to which writing of the table they belong: all chunks of a view must say the same. */
static void write_one(struct crowd *crowd, unsigned seed)
{
    struct pz_error error = {0};
    struct table_record about = {.kind = TABLE_DENSE, .chunk_bytes = CHUNK, .table_bytes = CHUNKS * CHUNK};
    struct table_writer *writer;
    static uint8_t bytes[CHUNK];
    (void)snprintf(about.name, sizeof about.name, "t%u", seed % 3);
    if (table_writer_new(crowd->store, &about, &writer, &error) != PZ_OK) {
        failed(crowd, "new", &error);
        return;
    }
    enum pz_status status = PZ_OK;
    for (uint64_t number = 0; number < CHUNKS && status == PZ_OK; number++) {
        memset(bytes, (int)(seed % 251), sizeof bytes);
        status = table_writer_chunk(writer, number, bytes, CHUNK, &error);
    }
    if (status == PZ_OK && seed % 7 != 3)
        status = table_writer_finish(writer, &about, &error);
    else
        table_writer_abort(writer);
    if (status != PZ_OK)
        failed(crowd, "write", &error);
}

static void *write_tables(void *argument)
{
    struct crowd *crowd = argument;
    for (unsigned seed = 0; seed < TABLES_WRITTEN; seed++)
        write_one(crowd, seed);
    atomic_store(&crowd->ended, true);
    return NULL;
}

static void read_one(struct crowd *crowd, const char *name)
{
    struct pz_error error = {0};
    struct table_view *view;
    enum pz_status status = table_view_open(crowd->store, name, &view, &error);
    if (status == PZ_NO_TABLE)
        return;
    unsigned first = 256;
    for (uint64_t number = 0; number < CHUNKS && status == PZ_OK; number++) {
        const uint8_t *bytes;
        size_t length;
        status = table_view_chunk(view, number, &bytes, &length, &error);
        if (status != PZ_OK)
            break;
        first = number == 0 ? bytes[0] : first;
        if (length != CHUNK || bytes[0] != first || bytes[CHUNK - 1] != first)
            failed(crowd, "torn", &error);
    }
    if (status != PZ_OK)
        failed(crowd, "read", &error);
    else
        atomic_fetch_add(&crowd->reads, 1);
    table_view_close(view);
}

static void *read_tables(void *argument)
{
    struct crowd *crowd = argument;
    for (unsigned i = 0; !atomic_load(&crowd->ended); i++) {
        char name[16];
        struct store_stats stats;
        struct pz_error error = {0};
        (void)snprintf(name, sizeof name, "t%u", i % 3);
        read_one(crowd, name);
        (void)usleep(200); /* not in step with the map's lock */
        if (store_stats(crowd->store, &stats, &error) != PZ_OK)
            failed(crowd, "stats", &error);
    }
    return NULL;
}

static void *remove_tables(void *argument)
{
    struct crowd *crowd = argument;
    while (!atomic_load(&crowd->ended)) {
        struct pz_error error = {0};
        unsigned tables = 0;
        enum pz_status status = store_evict(crowd->store, NULL, UINT64_MAX, 1, NULL, NULL, &error);
        if (status != PZ_OK && status != PZ_STORAGE_FULL)
            failed(crowd, "evict", &error);
        if (store_tables(crowd->store, count_table, &tables, NULL, &error) != PZ_OK)
            failed(crowd, "list", &error);
    }
    return NULL;
}

static void *keep_jobs(void *argument)
{
    struct crowd *crowd = argument;
    unsigned asked = 0;
    while (!atomic_load(&crowd->ended)) {
        struct pz_error error = {0};
        char question[32];
        (void)snprintf(question, sizeof question, "question %u", asked++ % 1000);
        struct job_record job = {.kind = JOB_EXPLORE, .question = question}, read;
        enum pz_status status = store_job_add(crowd->store, &job, &error);
        for (uint32_t level = 0; level < 5 && status == PZ_OK; level++)
            status = store_level_put(crowd->store, job.id, level, level, &error);
        if (status == PZ_OK)
            status = store_job_get(crowd->store, job.id, &read, &error);
        if (status == PZ_OK)
            job_record_clear(&read);
        if (status == PZ_OK && job.id % 2 == 0)
            status = forget_job(crowd->store, job.id, &error);
        if (status != PZ_OK)
            failed(crowd, "job", &error);
    }
    return NULL;
}

static void note_fault(void *context, const char *fault)
{
    print_message("%s\n", fault);
}

/* A table that comes and goes while it is looked at is no fault. */
static void *look_for_faults(void *argument)
{
    struct crowd *crowd = argument;
    while (!atomic_load(&crowd->ended)) {
        struct pz_error error = {.text = "a healthy database is accused"};
        struct store_check check;
        enum pz_status status = store_fsck(crowd->store, note_fault, NULL, &check, &error);
        if (status != PZ_OK || check.faults > 0)
            failed(crowd, "fsck", &error);
    }
    return NULL;
}

TEST_WITH(readers_see_whole_tables_while_everything_changes, fixture_make, fixture_tear_down)
{
    struct fixture *fixture = *state;
    fixture->options.map_bytes = 1 << 20;
    fixture_open(fixture);
    struct crowd crowd = {.store = fixture->store};
    void *(*const work[])(void *) = {write_tables,  read_tables, read_tables,
                                     remove_tables, keep_jobs,   look_for_faults};
    enum { THREADS = sizeof work / sizeof work[0] };
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work[i], &crowd), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    if (crowd.failures > 0)
        fail_msg("%u failures, the first: %s", crowd.failures, crowd.first);
    assert_true(crowd.reads > 0);
    assert_string_equal(fixture_faults(fixture), "");
    fixture_reopen(fixture);
    assert_string_equal(fixture_faults(fixture), "");
}
