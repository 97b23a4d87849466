/* SPDX-License-Identifier: MIT */
/*
 * How small and how fast the codes of pieces are, on real planes.
 *
 *     bench_codec [SIZE [THREADS [LEVEL…]]]
 *
 * Searches in memory (2x7: 6.2 GB) up to each level and codes 256 chunks of its plane, evenly spread, by each
 * code: mask (ours), zstd -1 and lz4 where they were there to build with, and a plain copy. Prints the coded
 * size as a share of the bytes, and GB of plane coded and decoded a second on one thread, the median of five.
 */
#include "measuring.h"

#include "explore/dense/level/dense_level.h"
#include "explore/dense/pieces/codec/codec.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4.h>
#endif

enum { CHUNKS = 256, RUNS = 5, LEVELS_MAX = 16 };

/* Codes bytes into out (CODEC_ROOM) and returns the length; decodes them again. */
struct coder {
    const char *name;
    size_t (*encode)(const uint8_t *in, size_t bytes, uint8_t *out);
    void (*decode)(const uint8_t *in, size_t length, uint8_t *out, size_t bytes);
};

static uint8_t places; /* of the current level: a bit each */

static struct codec_row row_of(size_t bytes)
{
    return (struct codec_row){.present = &places, .blocks = 1, .block = (uint32_t)bytes};
}

static size_t encode_mask(const uint8_t *in, size_t bytes, uint8_t *out)
{
    const struct codec_row row = row_of(bytes);
    return codec_kernel()->encode(in, &row, out);
}

static void decode_mask(const uint8_t *in, size_t length, uint8_t *out, size_t bytes)
{
    const struct codec_row row = row_of(bytes);
    (void)codec_decode(length > 0 ? CODE_MASK : CODE_EMPTY, in, length, &row, out);
}

#ifdef HAVE_ZSTD
static size_t encode_zstd(const uint8_t *in, size_t bytes, uint8_t *out)
{
    return ZSTD_compress(out, CODEC_ROOM, in, bytes, 1);
}

static void decode_zstd(const uint8_t *in, size_t length, uint8_t *out, size_t bytes)
{
    (void)ZSTD_decompress(out, bytes, in, length);
}
#endif

#ifdef HAVE_LZ4
static size_t encode_lz4(const uint8_t *in, size_t bytes, uint8_t *out)
{
    return (size_t)LZ4_compress_default((const char *)in, (char *)out, (int)bytes, CODEC_ROOM);
}

static void decode_lz4(const uint8_t *in, size_t length, uint8_t *out, size_t bytes)
{
    (void)LZ4_decompress_safe((const char *)in, (char *)out, (int)length, (int)bytes);
}
#endif

static size_t encode_copy(const uint8_t *in, size_t bytes, uint8_t *out)
{
    memcpy(out, in, bytes);
    return bytes;
}

static void decode_copy(const uint8_t *in, size_t length, uint8_t *out, size_t bytes)
{
    (void)bytes;
    memcpy(out, in, length);
}

static const struct coder coders[] = {
    {"mask", encode_mask, decode_mask},
#ifdef HAVE_ZSTD
    {"zstd -1", encode_zstd, decode_zstd},
#endif
#ifdef HAVE_LZ4
    {"lz4", encode_lz4, decode_lz4},
#endif
    {"copy", encode_copy, decode_copy},
};

/* The chunks of one level, and room for what becomes of them. */
struct sample {
    size_t bytes; /* of each */
    uint8_t *chunk[CHUNKS];
    uint8_t *coded;   /* CODEC_ROOM for each */
    uint8_t *decoded; /* of one */
    size_t length[CHUNKS];
};

static void measure(const struct coder *coder, struct sample *sample)
{
    double encode[RUNS];
    double decode[RUNS];
    double all = (double)sample->bytes * CHUNKS;
    double coded = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        double began = clock_seconds();
        for (size_t i = 0; i < CHUNKS; i++)
            sample->length[i] =
                coder->encode(sample->chunk[i], sample->bytes, sample->coded + i * CODEC_ROOM);
        double middle = clock_seconds();
        for (size_t i = 0; i < CHUNKS; i++)
            coder->decode(sample->coded + i * CODEC_ROOM, sample->length[i], sample->decoded, sample->bytes);
        encode[run] = all / (middle - began) / 1e9;
        decode[run] = all / (clock_seconds() - middle) / 1e9;
    }
    for (size_t i = 0; i < CHUNKS; i++)
        coded += (double)sample->length[i];
    printf("  %-8s %6.3f %8.2f %8.2f\n", coder->name, coded / all, median(encode, RUNS),
           median(decode, RUNS));
}

/* Blocks that hold nothing may have old bytes: they count as zeros. */
static void take_sample(const struct planes *planes, unsigned colour, struct sample *sample)
{
    uint32_t chunks = planes->blocks / planes->range_blocks;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        uint32_t first = (uint32_t)((uint64_t)chunks * i / CHUNKS) * planes->range_blocks;
        for (uint32_t block = 0; block < planes->range_blocks; block++) {
            uint8_t *to = sample->chunk[i] + (size_t)block * planes->block;
            const uint8_t *from = planes->bytes[colour] + (uint64_t)(first + block) * planes->block;
            if (planes->present[colour][first + block] != 0)
                memcpy(to, from, planes->block);
            else
                memset(to, 0, planes->block);
        }
    }
}

static void measure_level(const struct planes *planes, unsigned colour, uint32_t level, uint64_t states,
                          struct sample *sample)
{
    uint64_t bits = (uint64_t)planes->blocks * planes->block * 8;
    take_sample(planes, colour, sample);
    places = 0;
    for (uint32_t block = 0; block < planes->blocks; block++)
        places |= planes->present[colour][block];
    printf("level %" PRIu32 ", %" PRIu64 " states, %.2f%% of the bits\n", level, states,
           100 * (double)states / (double)bits);
    for (size_t i = 0; i < sizeof coders / sizeof coders[0]; i++)
        measure(&coders[i], sample);
    (void)fflush(stdout);
}

static bool sample_new(const struct planes *planes, struct sample *sample)
{
    sample->bytes = (size_t)planes->range_blocks * planes->block;
    sample->coded = malloc((size_t)(CHUNKS + 1) * CODEC_ROOM);
    sample->decoded = malloc(sample->bytes + CODEC_PAD);
    bool whole = sample->coded != NULL && sample->decoded != NULL;
    for (unsigned i = 0; i < CHUNKS; i++) {
        sample->chunk[i] = calloc(1, sample->bytes + CODEC_PAD);
        whole = whole && sample->chunk[i] != NULL;
    }
    return whole;
}

static void sample_free(struct sample *sample)
{
    for (unsigned i = 0; i < CHUNKS; i++)
        free(sample->chunk[i]);
    free(sample->coded);
    free(sample->decoded);
}

static enum pz_status search(const struct plan *plan, struct team *team, const uint32_t *levels,
                             unsigned count, struct pz_error *error)
{
    const struct kernel *kernel = NULL;
    struct planes *planes = NULL;
    struct level_runner *runner = NULL;
    struct sample sample = {0};
    unsigned colour = plan->geometry->root_place % 2;
    uint64_t states = 1;
    enum pz_status status = kernel_find(NULL, &kernel, error);
    if (status == PZ_OK)
        status = planes_new(plan, false, true, &planes, error);
    if (status != PZ_OK)
        return status;
    const struct level_parts parts = {.plan = plan, .planes = planes, .kernel = kernel, .team = team};
    status = level_runner_new(&parts, &runner, error);
    if (status == PZ_OK && !sample_new(planes, &sample))
        status = pz_fail(error, PZ_MEMORY, "no memory for a sample");
    if (status == PZ_OK)
        planes_put(planes, 0, plan->geometry->root_place);
    unsigned done = 0;
    for (uint32_t level = 0; status == PZ_OK && states > 0 && done < count; level++) {
        if (level == levels[done]) {
            measure_level(planes, colour, level, states, &sample);
            done++;
        }
        colour = 1 - colour;
        (void)level_run(runner, &(struct level_task){.target = colour, .width = states}, &states);
    }
    sample_free(&sample);
    level_runner_free(runner);
    planes_free(planes);
    return status;
}

int main(int argc, char **argv)
{
    uint32_t levels[LEVELS_MAX] = {30, 40, 52, 66, 85}; /* ascending */
    unsigned count = 5;
    struct grid grid;
    struct dense_geometry geometry;
    struct plan *plan = NULL;
    struct team *team = NULL;
    struct pz_error error = {0};
    const char *size = argc > 1 ? argv[1] : "2x7";
    unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    if (argc > 3)
        for (count = 0; count < LEVELS_MAX && count + 3 < (unsigned)argc; count++)
            levels[count] = (uint32_t)strtoul(argv[count + 3], NULL, 10);
    enum pz_status status = grid_parse(&grid, size, &error);
    if (status == PZ_OK && (!dense_grid_fits(&grid) || grid.rows > grid.columns || grid.cells < 12))
        status = pz_fail(&error, PZ_BAD_REQUEST, "%s: from 12 to 16 cells, the shorter side first", size);
    if (status == PZ_OK) {
        dense_geometry_init(&geometry, &grid, grid.cells - 1u);
        status = plan_new(&geometry, &plan, &error);
    }
    if (status == PZ_OK)
        status = team_new(threads, &team, &error);
    if (status == PZ_OK) {
        printf("           share   GB/s in  GB/s out   (%s, %s)\n", size, codec_kernel()->name);
        status = search(plan, team, levels, count, &error);
    }
    if (status != PZ_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    team_free(team);
    plan_free(plan);
    return status == PZ_OK ? 0 : 1;
}
