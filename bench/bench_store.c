/* SPDX-License-Identifier: MIT */
/*
 * Costs of the store: commits, streams of table pieces, lookups, and pattern databases in memory against
 * the same bytes in the map. Prints one line a figure; medians of five. The directory (argument, default
 * /var/tmp) should be on the disk that is meant.
 */
#include "temporary_store.h"

#include "base/random.h"
#include "store/pattern/patterns.h"

enum { RUNS = 5 };

/* The median of what measure() returns. */
static double median_of(double (*measure)(void))
{
    double seconds[RUNS];
    for (unsigned i = 0; i < RUNS; i++)
        seconds[i] = measure();
    return median(seconds, RUNS);
}

/* ---- jobs ---- */

enum { ADDS = 50, GROUPED = 20000 };

static double add_durable(void)
{
    double start = clock_seconds();
    for (int i = 0; i < ADDS; i++) {
        struct job_record job = {.kind = JOB_SOLVE};
        must(store_job_add(store, &job, &error));
    }
    return (clock_seconds() - start) / ADDS;
}

static double add_grouped(void)
{
    double start = clock_seconds();
    for (int i = 0; i < GROUPED; i++) {
        struct job_record job = {.kind = JOB_SOLVE};
        must(store_job_add_async(store, &job, NULL, &error));
    }
    must(store_flush(store, &error));
    return (clock_seconds() - start) / GROUPED;
}

/* ---- tables ---- */

enum { CHUNK = 1 << 20, CHUNKS = 256, KEYS = 20000000, RUN = 4096, LOOKUPS = 200000 };
static const uint64_t key_step = UINT64_MAX / KEYS;

static double write_chunks(void)
{
    struct table_record about = {
        .kind = TABLE_DENSE, .chunk_bytes = CHUNK, .table_bytes = (uint64_t)CHUNK * CHUNKS, .name = "dense"};
    struct table_writer *writer;
    static uint8_t bytes[CHUNK];
    struct random random = {1};
    for (size_t i = 0; i < CHUNK; i++)
        bytes[i] = (uint8_t)random_next(&random);
    double start = clock_seconds();
    must(table_writer_new(store, &about, &writer, &error));
    for (uint64_t number = 0; number < CHUNKS; number++)
        must(table_writer_chunk(writer, number, bytes, CHUNK, &error));
    must(table_writer_finish(writer, &about, &error));
    return clock_seconds() - start;
}

static double write_runs(void)
{
    struct table_record about = {.kind = TABLE_RUNS, .state_bytes = 8, .name = "runs"};
    struct table_writer *writer;
    static uint64_t keys[RUN];
    static uint32_t distances[RUN];
    double start = clock_seconds();
    must(table_writer_new(store, &about, &writer, &error));
    for (uint64_t at = 0; at < KEYS; at += RUN) {
        size_t count = KEYS - at < RUN ? (size_t)(KEYS - at) : RUN;
        for (size_t i = 0; i < count; i++) {
            keys[i] = (at + i) * key_step;
            distances[i] = (uint32_t)((at + i) % 80);
        }
        struct explore_run run = {.keys = keys, .distances = distances, .count = count, .key_words = 1};
        must(table_writer_run(writer, &run, &error));
    }
    must(table_writer_finish(writer, &about, &error));
    return clock_seconds() - start;
}

static double look_up_keys(void)
{
    struct table_view *view;
    struct random random = {2};
    double start = clock_seconds();
    must(table_view_open(store, "runs", &view, &error));
    for (int i = 0; i < LOOKUPS; i++) {
        uint64_t key = random_below(&random, KEYS) * key_step;
        uint32_t distance;
        must(table_view_key(view, &key, 1, &distance, &error));
    }
    table_view_close(view);
    return (clock_seconds() - start) / LOOKUPS;
}

static double open_views(void)
{
    double start = clock_seconds();
    for (int i = 0; i < LOOKUPS; i++) {
        struct table_view *view;
        must(table_view_open(store, "dense", &view, &error));
        table_view_close(view);
    }
    return (clock_seconds() - start) / LOOKUPS;
}

/* ---- pattern databases ---- */

enum { PATTERN = 512 << 20, PROBES = 5000000 };

static struct patterns *patterns;
static struct patterns_access access_to;
static const uint8_t *pattern;
static size_t pattern_length;

static double load_pattern(void)
{
    const struct pattern_archive *archive = &access_to.archive;
    double start = clock_seconds();
    must(archive->load(archive->context, "pdb:bench", &pattern, &pattern_length, &error));
    double seconds = clock_seconds() - start;
    archive->release(archive->context, pattern);
    return seconds;
}

static double probe_memory(void)
{
    struct random random = {3};
    uint64_t sum = 0;
    double start = clock_seconds();
    for (int i = 0; i < PROBES; i++)
        sum += pattern[random_below(&random, PATTERN) ^ (sum & 1)];
    return (clock_seconds() - start + (sum == 1 ? 1e-12 : 0)) / PROBES;
}

static struct table_view *map_view;

static double probe_map(void)
{
    struct random random = {3};
    uint64_t sum = 0;
    double start = clock_seconds();
    for (int i = 0; i < PROBES; i++) {
        uint64_t at = random_below(&random, PATTERN) ^ (sum & 1);
        const uint8_t *bytes;
        size_t length;
        must(table_view_chunk(map_view, at / CHECKPOINT_PART_MAX, &bytes, &length, &error));
        sum += bytes[at % CHECKPOINT_PART_MAX % length];
    }
    return (clock_seconds() - start + (sum == 1 ? 1e-12 : 0)) / PROBES;
}

static void bench_patterns(void)
{
    uint8_t *bytes = malloc(PATTERN);
    if (bytes == NULL)
        exit(1);
    struct random random = {4};
    for (size_t i = 0; i < PATTERN; i += 8) {
        uint64_t word = random_next(&random);
        memcpy(bytes + i, &word, 8);
    }
    must(patterns_new(store, 0, NULL, &patterns, &error));
    patterns_access_init(&access_to, patterns, 0, NULL);
    must(access_to.archive.save(access_to.archive.context, "pdb:bench", bytes, PATTERN, &error));
    free(bytes);
    double seconds = median_of(load_pattern);
    (void)printf("pattern database of %d MB, loaded and checked   %8.0f ms  %.1f GB/s\n", PATTERN >> 20,
                 1e3 * seconds, PATTERN / seconds / 1e9);
    must(access_to.archive.load(access_to.archive.context, "pdb:bench", &pattern, &pattern_length, &error));
    (void)printf("  a probe in memory (huge pages)                 %8.1f ns\n",
                 1e9 * median_of(probe_memory));
    access_to.archive.release(access_to.archive.context, pattern);
    must(table_view_open(store, "pdb:bench", &map_view, &error));
    (void)probe_map();
    (void)printf("  a probe in the map (4 KiB pages, by chunk)     %8.1f ns\n", 1e9 * median_of(probe_map));
    table_view_close(map_view);
    patterns_free(patterns);
}

static void bench_tables(void)
{
    double seconds = median_of(write_chunks);
    (void)printf("dense table of %d MB, written and synced        %8.2f s   %.0f MB/s\n", CHUNKS, seconds,
                 (double)CHUNK * CHUNKS / seconds / 1e6);
    seconds = median_of(write_runs);
    struct table_record table;
    must(store_table_find(store, "runs", &table, &error));
    (void)printf(
        "table of %d M states in runs, written and synced %8.2f s   %.1f M states/s, %.2f bytes a state\n",
        KEYS / 1000000, seconds, KEYS / seconds / 1e6, (double)table.bytes / KEYS);
    (void)printf("a random key looked up                          %8.2f us\n", 1e6 * median_of(look_up_keys));
    (void)printf("a view opened and closed                        %8.2f us\n", 1e6 * median_of(open_views));
}

int main(int argc, char **argv)
{
    store_begin(argc, argv);
    (void)printf("a durable commit alone                          %8.2f ms\n", 1e3 * median_of(add_durable));
    (void)printf("a job of %d written behind, in groups        %8.2f us\n", GROUPED,
                 1e6 * median_of(add_grouped));
    bench_tables();
    bench_patterns();
    return store_end();
}
