/* SPDX-License-Identifier: MIT */
/* Bits that flip in the file while nobody has it open: never a wrong answer, never a crash. */
#include "store_tables.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { JOBS = 120, RUN_KEYS = 30000, CHUNKS = 12, CHUNK = 20000 };
static const uint64_t run_step = UINT64_MAX / RUN_KEYS;
static const struct small_table dense = {
    .name = "dense", .job = 2, .chunks = CHUNKS, .length = CHUNK, .seed = 4};

/* A child's finding. */
enum finding { REFUSED, NAMED, NOTHING_NOTICED, WRONG, FINDINGS };

static void text_of_job(uint64_t id, char text[64])
{
    (void)snprintf(text, 64, "question number %llu", (unsigned long long)id);
}

/* Jobs, levels, two tables, and pages that are free again. */
static void fill(struct fixture *fixture)
{
    struct small_table gone = {.name = "gone", .chunks = 9, .length = 30000, .seed = 5};
    fixture_open(fixture);
    small_table_store(fixture, &gone);
    for (uint64_t id = 1; id <= JOBS; id++) {
        char text[64];
        text_of_job(id, text);
        struct job_record job = job_of("slide:3x3", text);
        fixture_ok(store_job_add_async(fixture->store, &job, NULL, &fixture->error));
        for (uint32_t level = 0; level < 8; level++)
            fixture_ok(store_level_put(fixture->store, id, level, id * 100 + level, &fixture->error));
        job_record_clear(&job);
    }
    small_table_store(fixture, &dense);
    small_runs_store(fixture, "runs", RUN_KEYS, run_step);
    fixture_ok(table_remove(fixture->store, "gone", 0, &fixture->error));
    for (int i = 0; i < 10; i++)
        fixture_ok(store_flush(fixture->store, &fixture->error));
    fixture_close(fixture);
}

/* ---- in the child: no cmocka here ---- */

struct look {
    struct fixture *fixture;
    bool wrong;   /* an answer that is not true */
    bool missing; /* something is said not to be there; a check has to say why */
    bool named;   /* something was refused as damaged */
};

static void judge(struct look *look, enum pz_status status, bool right)
{
    if (status == PZ_OK)
        look->wrong |= !right;
    else if (status == PZ_NO_SUCH_JOB || status == PZ_NO_TABLE)
        look->missing = true;
    else
        look->named = true;
}

static void look_at_jobs(struct look *look)
{
    for (uint64_t id = 1; id <= JOBS; id++) {
        char text[64];
        struct job_record job;
        struct store_level *levels = NULL;
        uint32_t count = 0;
        text_of_job(id, text);
        enum pz_status status = store_job_get(look->fixture->store, id, &job, NULL);
        judge(look, status, status == PZ_OK && strcmp(job.question, text) == 0);
        if (status == PZ_OK)
            job_record_clear(&job);
        uint64_t found = store_question(look->fixture->store, text);
        look->missing |= found == 0;
        look->wrong |= found != 0 && found != id;
        status = store_levels(look->fixture->store, id, &levels, &count, NULL);
        bool right = true;
        for (uint32_t level = 0; status == PZ_OK && level < count; level++)
            right &= levels[level].states == id * 100 + levels[level].level;
        judge(look, status, right);
        look->missing |= status == PZ_OK && count != 8;
        free(levels);
    }
}

static void look_at_chunks(struct look *look)
{
    struct table_view *view;
    enum pz_status status = table_view_open(look->fixture->store, "dense", &view, NULL);
    judge(look, status, true);
    if (status != PZ_OK)
        return;
    for (uint64_t number = 0; number < CHUNKS; number++) {
        static uint8_t expected[CHUNK];
        const uint8_t *bytes;
        size_t length;
        small_chunk(&dense, number, expected);
        status = table_view_chunk(view, number, &bytes, &length, NULL);
        judge(look, status, status == PZ_OK && length == CHUNK && memcmp(bytes, expected, CHUNK) == 0);
    }
    table_view_close(view);
}

static void look_at_runs(struct look *look)
{
    struct table_view *view;
    enum pz_status status = table_view_open(look->fixture->store, "runs", &view, NULL);
    judge(look, status, true);
    if (status != PZ_OK)
        return;
    for (uint64_t i = 0; i < RUN_KEYS; i += 13) {
        uint64_t key = i * run_step + 1;
        uint32_t distance = 0;
        status = table_view_key(view, &key, 1, &distance, NULL);
        look->wrong |= status == PZ_NO_TABLE;
        judge(look, status, distance == i % 50);
        key++;
        status = table_view_key(view, &key, 1, &distance, NULL);
        look->wrong |= status == PZ_OK;
        look->named |= status == PZ_STORAGE;
    }
    table_view_close(view);
}

static void ignore_fault(void *context, const char *fault)
{
}

static void write_something(struct look *look)
{
    struct store *store = look->fixture->store;
    static const uint8_t bytes[100000];
    struct job_record job = {.kind = JOB_SOLVE};
    struct table_record about = {.kind = TABLE_DENSE, .chunk_bytes = sizeof bytes, .name = "new"};
    struct table_writer *writer;
    about.table_bytes = 10 * sizeof bytes;
    (void)store_job_add(store, &job, NULL);
    (void)table_remove(store, "dense", 0, NULL);
    for (int i = 0; i < 5; i++)
        (void)store_flush(store, NULL);
    if (table_writer_new(store, &about, &writer, NULL) != PZ_OK)
        return;
    for (uint64_t number = 0; number < 10; number++)
        (void)table_writer_chunk(writer, number, bytes, sizeof bytes, NULL);
    (void)table_writer_finish(writer, &about, NULL);
}

static int look_at_everything(struct fixture *fixture)
{
    struct look look = {.fixture = fixture};
    struct store_check check = {0};
    if (store_open(fixture->directory, &fixture->options, &fixture->store, NULL) != PZ_OK)
        return REFUSED;
    look_at_jobs(&look);
    look_at_chunks(&look);
    look_at_runs(&look);
    enum pz_status status = store_fsck(fixture->store, ignore_fault, NULL, &check, NULL);
    bool found = status != PZ_OK || check.faults > 0;
    if (look.wrong || ((look.missing || look.named) && !found))
        return WRONG;
    /* Writing on must not make it worse. */
    write_something(&look);
    look_at_jobs(&look);
    look_at_chunks(&look);
    look_at_runs(&look);
    store_close(fixture->store);
    if (look.wrong)
        return WRONG;
    return found ? NAMED : NOTHING_NOTICED;
}

/* ---- the rounds ---- */

static uint8_t *read_whole(const char *path, size_t *length)
{
    struct stat status = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0 && fstat(file, &status) == 0);
    *length = (size_t)status.st_size;
    uint8_t *bytes = malloc(*length + 1);
    assert_non_null(bytes);
    assert_int_equal(read(file, bytes, *length), *length);
    (void)close(file);
    return bytes;
}

static void write_whole(const char *path, const uint8_t *bytes, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, length), length);
    (void)close(file);
}

static int one_round(struct fixture *fixture)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(look_at_everything(fixture));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Flips bits anywhere, or only where pages begin. */
static void flip_rounds(struct fixture *fixture, unsigned rounds, unsigned flips, uint64_t seed,
                        bool small_pages)
{
    size_t length;
    unsigned findings[FINDINGS] = {0};
    struct random random = {seed};
    const char *path = text_of("%s/data.mdb", fixture->directory);
    fill(fixture);
    uint8_t *whole = read_whole(path, &length);
    if (length == 0)
        abort();
    assert_int_equal(one_round(fixture), NOTHING_NOTICED);
    for (unsigned round = 0; round < rounds; round++) {
        uint8_t *flipped = malloc(length + 1);
        assert_non_null(flipped);
        memcpy(flipped, whole, length);
        size_t byte = 0;
        unsigned bit = 0;
        for (unsigned i = 0; i < flips; i++) {
            byte = (size_t)random_below(&random, length);
            /* The heads of pages, and the offsets and nodes after them, which LMDB trusts. */
            if (small_pages)
                byte = byte / 4096 * 4096 + (size_t)random_below(&random, 64);
            bit = (unsigned)random_below(&random, 8);
            flipped[byte] ^= (uint8_t)(1u << bit);
        }
        write_whole(path, flipped, length);
        free(flipped);
        int found = one_round(fixture);
        if (found < 0 || found >= FINDINGS || found == WRONG)
            fail_msg("round %u: flipping bit %u of byte %zu ended with %d", round, bit, byte, found);
        findings[found]++;
    }
    print_message("%u rounds: %u refused, %u named, %u without effect\n", rounds, findings[REFUSED],
                  findings[NAMED], findings[NOTHING_NOTICED]);
    assert_true(findings[REFUSED] + findings[NAMED] > rounds / 4);
    write_whole(path, whole, length);
    free(whole);
    fixture_open(fixture);
}

static unsigned flips(void)
{
#ifdef __SANITIZE_THREAD__
    return 12;
#else
    return SANITIZED ? 40 : is_brief() ? 60 : 150;
#endif
}

#define closed_test(function) TEST_WITH(function, fixture_make, fixture_tear_down)

closed_test(a_flipped_bit_is_never_a_wrong_answer_and_never_a_crash)
{
    flip_rounds(*state, flips(), 1, 1, false);
}

closed_test(a_flipped_bit_in_the_trees_is_never_a_wrong_answer_and_never_a_crash)
{
    flip_rounds(*state, flips(), 1, 2, true);
}

closed_test(many_flipped_bits_are_never_a_wrong_answer_and_never_a_crash)
{
    flip_rounds(*state, flips() / 4, 40, 3, false);
}
