/* SPDX-License-Identifier: MIT */
/*
 * Dumps with right checksums, whatever they say: each record of the input gets its seal again. Imported
 * through the door, a dump is refused, or everything in it can be used and nothing in it contradicts its
 * puzzle. Stored without the door it may say anything, and every answer is an error or a board.
 */
#include "fuzz.h"

#include "answer/answer.h"
#include "answer/verify/contents.h"
#include "daemon/maintenance/maintenance.h"
#include "protocol/reply.h"
#include "protocol/text/text.h"
#include "protocol/text/utf8.h"
#include "space/registry.h"
#include "store/maintenance/dump.h"
#include "store/maintenance/dump_record.h"

#include <unistd.h>

enum { HEAD = 8, LEVELS_LOOKED_AT = 40, BOARDS = 4 };

/* ---- the dump ---- */

static void copy_record(FILE *file, uint64_t number, uint8_t type, const uint8_t *payload, size_t length)
{
    struct encoder encoder;
    struct pz_error error;
    encoder_begin(&encoder);
    encode_bytes(&encoder, payload, length);
    struct dump_file dump = {file, number};
    FUZZ_REQUIRE(dump_record_put(&dump, (enum dump_type)type, &encoder, &error) == PZ_OK);
}

/* Writes the records of the input, whose seals and lengths need not be right. */
static void write_dump(FILE *file, const uint8_t *data, size_t size)
{
    const size_t mark = sizeof DUMP_MARK - 1;
    size_t at = size >= mark && memcmp(data, DUMP_MARK, mark) == 0 ? mark : 0;
    (void)fputs(DUMP_MARK, file);
    for (uint64_t number = 0; size - at >= HEAD + SEAL_BYTES; number++) {
        const uint8_t *head = data + at;
        const size_t left = size - at - HEAD;
        size_t length = bytes_u32(head + 4);
        if (length < SEAL_BYTES || length > left)
            length = left;
        copy_record(file, number, head[0], head + HEAD + SEAL_BYTES, length - SEAL_BYTES);
        at += HEAD + length;
    }
    FUZZ_REQUIRE(fflush(file) == 0);
}

/* ---- using what is stored ---- */

/* Prints states that an answer gave, and frees them. */
static void print_all(const struct pz_space *space, struct answer_states *states)
{
    char line[PZ_TEXT_MAX];
    for (unsigned i = 0; i < states->count; i++)
        (void)space->puzzle->print(space, (const uint8_t *)states->states + (size_t)i * space->state_bytes,
                                   line);
    free(states->states);
}

static void ask_table(struct answers *answers, const struct table_question *question, uint32_t depth)
{
    const struct pz_space *space = question->space;
    const enum answer_from from = (enum answer_from)question->from;
    struct pz_error error;
    struct answer answer = {0};
    struct answer_states states;
    struct answer_parts parts = {0};
    answers_begin(answers);
    if (answer_distance(answers, space, from, question->roots.states, true, &answer, &error) == PZ_OK)
        free(answer.path);
    for (uint32_t level = 0; level <= depth + 1 && level < LEVELS_LOOKED_AT; level++) {
        const struct answer_wanted wanted = {.depth = level, .count = BOARDS, .seed = level, .from = from};
        if (answer_sample(answers, space, &wanted, &states, &error) == PZ_OK)
            print_all(space, &states);
    }
    if (answer_deepest(answers, space, from, 0, &states, &error) == PZ_OK)
        print_all(space, &states);
    if (answer_deepest(answers, space, from, BOARDS, &states, &error) == PZ_OK)
        print_all(space, &states);
    if (answer_parts(answers, space, from, 0, BOARDS, &parts, &error) == PZ_OK)
        free(parts.parts);
    answers_end(answers);
}

static bool use_table(void *context, const struct table_record *table)
{
    struct table_question question;
    struct answers *answers;
    struct pz_error error;
    if (table_question_open(table->name, &question, &error) != PZ_OK)
        return true;
    FUZZ_REQUIRE(answers_new(context, &answers, &error) == PZ_OK);
    ask_table(answers, &question, table->depth < LEVELS_LOOKED_AT ? table->depth : LEVELS_LOOKED_AT);
    answers_free(answers);
    table_question_clear(&question);
    return true;
}

/* What LEVELS does. */
static void use_levels(struct store *store, const struct job_record *job)
{
    const struct pz_setup setup = {0};
    struct pz_space *space = NULL;
    struct pz_error error;
    uint32_t levels = 0;
    if (job->kind != JOB_EXPLORE || space_open(job->puzzle, &setup, &space, &error) != PZ_OK)
        return;
    (void)store_levels(store, job->id, NULL, &levels, &error);
    for (uint32_t level = 0; level < levels && level < LEVELS_LOOKED_AT; level++) {
        struct store_examples examples;
        char line[PZ_TEXT_MAX];
        if (level_examples(store, space, job->id, level, &examples, &error) != PZ_OK)
            continue;
        for (unsigned i = 0; i < examples.count; i++)
            (void)space->puzzle->print(
                space, (const uint8_t *)examples.states + (size_t)i * space->state_bytes, line);
        free(examples.states);
    }
    space_close(space);
}

static bool use_job(void *context, const struct job_record *job)
{
    use_levels(context, job);
    return true;
}

/* A job that came through the door: its texts make a reply. */
static bool use_checked_job(void *context, const struct job_record *job)
{
    struct text line = {0};
    struct reply reply;
    size_t at;
    text_format(&line, "OK job=%llu kind=%s", (unsigned long long)job->id, job_kind_word(job->kind));
    text_key(&line, "puzzle", job->puzzle);
    text_add(&line, job->result);
    FUZZ_REQUIRE(utf8_is_clean(line.data, line.length, &at));
    FUZZ_REQUIRE(reply_parse(&reply, line.data, line.length, NULL));
    reply_clear(&reply);
    text_free(&line);
    FUZZ_REQUIRE(utf8_is_clean(job->request, strlen(job->request), &at));
    use_levels(context, job);
    return true;
}

static void count_fault(void *context, const char *fault)
{
    ++*(unsigned *)context;
}

/* Returns the faults that the check finds. */
static unsigned use_store(struct store *store, bool (*use)(void *context, const struct job_record *job))
{
    struct pz_error error;
    uint64_t faults = 0;
    unsigned reported = 0;
    struct store_check check;
    FUZZ_REQUIRE(store_jobs(store, 0, use, store, &error) == PZ_OK);
    FUZZ_REQUIRE(store_tables(store, use_table, store, NULL, &error) == PZ_OK);
    FUZZ_REQUIRE(store_fsck(store, count_fault, &reported, &check, &error) == PZ_OK);
    FUZZ_REQUIRE(contents_check(store, count_fault, &reported, &faults, &error) == PZ_OK);
    return reported;
}

/* ---- a directory for each input ---- */

static char directory[64];

static const char *path_of(const char *file)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", directory, file);
    return path;
}

static void empty_directory(void)
{
    static const char *const files[] = {"data.mdb", "lock.mdb", "owner", "dump"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        (void)unlink(path_of(files[i]));
}

static void remove_directory(void)
{
    empty_directory();
    (void)rmdir(directory);
}

static struct store *open_here(void)
{
    const struct store_options options = {.map_bytes = 64 << 20};
    struct store *store;
    struct pz_error error;
    FUZZ_REQUIRE(store_open(directory, &options, &store, &error) == PZ_OK);
    return store;
}

static void without_the_door(FILE *file)
{
    struct dump_counts counts;
    struct pz_error error;
    struct store *store = open_here();
    rewind(file);
    (void)store_import(store, file, &(const struct import_calls){0}, &counts, &error);
    (void)use_store(store, use_job);
    store_close(store);
    (void)unlink(path_of("data.mdb"));
}

static void through_the_door(void)
{
    struct config config = {0};
    struct pz_error error;
    FUZZ_REQUIRE(config_defaults(&config, &error) == PZ_OK);
    FUZZ_REQUIRE(config_set(&config, "daemon", "state-directory", directory, &error) == PZ_OK);
    FUZZ_REQUIRE(config_set(&config, "daemon", "plugin-directory", "", &error) == PZ_OK);
    const enum pz_status status = transfer_import(&config, path_of("dump"), &error);
    config_free(&config);
    struct store *store = open_here();
    struct store_stats stats;
    FUZZ_REQUIRE(store_stats(store, &stats, &error) == PZ_OK);
    FUZZ_REQUIRE(status == PZ_OK || stats.jobs == 0);
    FUZZ_REQUIRE(use_store(store, use_checked_job) == 0);
    store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (*directory == '\0') {
        (void)snprintf(directory, sizeof directory, "%s/puzzled-fuzz-XXXXXX",
                       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        FUZZ_REQUIRE(mkdtemp(directory) != NULL);
        (void)atexit(remove_directory);
        FUZZ_REQUIRE(freopen("/dev/null", "w", stdout) != NULL); /* imports tell what they do */
    }
    FILE *file = fopen(path_of("dump"), "w+");
    FUZZ_REQUIRE(file != NULL);
    write_dump(file, data, size);
    without_the_door(file);
    through_the_door();
    (void)fclose(file);
    empty_directory();
    return 0;
}
