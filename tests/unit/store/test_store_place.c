/* SPDX-License-Identifier: MIT */
/* The state directory is moved away, removed or replaced while the store is open. */
#include "store_tables.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void path_in(char path[128], const char *directory, const char *file)
{
    (void)snprintf(path, 128, "%s/%s", directory, file);
}

static enum pz_status add(struct fixture *fixture)
{
    struct job_record job = job_of("slide:2x2", "");
    enum pz_status status = store_job_add(fixture->store, &job, &fixture->error);
    job_record_clear(&job);
    return status;
}

store_test(nothing_is_acknowledged_while_the_directory_is_away)
{
    struct fixture *fixture = *state;
    const char *away = text_of("%s-away", fixture->directory);
    fixture_ok(add(fixture));
    assert_int_equal(rename(fixture->directory, away), 0);
    assert_int_equal(add(fixture), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "removed or replaced"));
    struct job_record read;
    fixture_ok(store_job_get(fixture->store, 1, &read, &fixture->error));
    job_record_clear(&read);
    assert_int_equal(rename(away, fixture->directory), 0);
    fixture_ok(add(fixture));
}

store_test(nothing_is_acknowledged_into_a_file_that_was_replaced)
{
    struct fixture *fixture = *state;
    char path[128], aside[128];
    path_in(path, fixture->directory, "data.mdb");
    path_in(aside, fixture->directory, "aside");
    fixture_ok(add(fixture));
    assert_int_equal(rename(path, aside), 0);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fclose(file);
    assert_int_equal(add(fixture), PZ_STORAGE);
    assert_int_equal(rename(aside, path), 0);
    fixture_ok(add(fixture));
}

/* The job reserves numbers, so its first commit is urgent though nobody waits for it. */
store_test(a_job_written_behind_is_tried_again_when_the_directory_is_back)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", ""), read;
    const char *away = text_of("%s-away", fixture->directory);
    assert_int_equal(rename(fixture->directory, away), 0);
    fixture_ok(store_job_add_async(fixture->store, &job, NULL, &fixture->error));
    assert_int_equal(add(fixture), PZ_STORAGE);
    assert_int_equal(rename(away, fixture->directory), 0);
    fixture_ok(add(fixture));
    fixture_reopen(fixture);
    fixture_ok(store_job_get(fixture->store, job.id, &read, &fixture->error));
    job_record_clear(&read);
    job_record_clear(&job);
}

static uint32_t levels_of(struct fixture *fixture, uint64_t job)
{
    uint32_t count = 0;
    fixture_ok(store_levels(fixture->store, job, NULL, &count, &fixture->error));
    return count;
}

/* The levels wait for their next try when the removal fails, which would have replaced them. */
store_test(a_removal_that_failed_takes_no_waiting_write_along)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "");
    struct awaited forgotten;
    const char *away = text_of("%s-away", fixture->directory);
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    assert_int_equal(rename(fixture->directory, away), 0);
    for (uint32_t level = 0; level < 3; level++)
        fixture_ok(store_level_put(fixture->store, job.id, level, level + 1, &fixture->error));
    assert_int_equal(store_flush(fixture->store, &fixture->error), PZ_STORAGE);
    awaited_begin(&forgotten);
    fixture_ok(store_job_forget_async(fixture->store, job.id, 0, false, &forgotten.ack, &fixture->error));
    assert_int_equal(awaited_end(&forgotten, PZ_OK, &fixture->error), PZ_STORAGE);
    assert_int_equal(levels_of(fixture, job.id), 3);
    assert_int_equal(rename(away, fixture->directory), 0);
    fixture_ok(store_flush(fixture->store, &fixture->error));
    fixture_reopen(fixture);
    assert_int_equal(levels_of(fixture, job.id), 3);
    job_record_clear(&job);
}

/* Moves the directory away on the writer's thread, before it collects what it has just removed. */
static void move_away(void *context, enum pz_status status, const struct pz_error *error)
{
    struct fixture *fixture = context;
    char away[128];
    (void)snprintf(away, sizeof away, "%s-away", fixture->directory);
    assert_ok(status, *error);
    assert_int_equal(rename(fixture->directory, away), 0);
}

store_test(garbage_that_cannot_be_collected_now_is_not_forgotten)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "t");
    struct small_table table = {.name = "t", .chunks = 10, .length = 500000, .seed = 1};
    const struct store_ack ack = {move_away, fixture};
    struct store_stats before, after;
    const char *away = text_of("%s-away", fixture->directory);
    fixture->options.size_limit = 64 << 20;
    fixture_reopen(fixture);
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    table.job = job.id;
    fixture_ok(store_stats(fixture->store, &before, &fixture->error));
    small_table_store(fixture, &table);
    fixture_ok(store_job_forget_async(fixture->store, job.id, 0, false, &ack, &fixture->error));
    while (store_flush(fixture->store, &fixture->error) == PZ_OK)
        ;
    assert_int_equal(store_flush(fixture->store, &fixture->error), PZ_STORAGE);
    assert_int_equal(rename(away, fixture->directory), 0);
    fixture_ok(store_stats(fixture->store, &after, &fixture->error));
    assert_true(after.bytes_room + (1 << 20) > before.bytes_room); /* what is garbage counts as room */
    job_record_clear(&job);
}

/* Who may write to the directory could have another user's file overwritten, where a process of root opens
 * it. */
store_test(links_in_the_place_of_the_database_s_files_are_not_followed)
{
    static const char *const names[] = {"owner", "data.mdb", "lock.mdb"};
    struct fixture *fixture = *state;
    struct stat about;
    fixture_close(fixture);
    const char *precious = text_of("%s.precious", fixture->directory);
    write_text(precious, "keep");
    for (unsigned i = 0; i < 3; i++) {
        const char *path = text_of("%s/%s", fixture->directory, names[i]);
        const char *aside = text_of("%s.aside", fixture->directory);
        assert_int_equal(rename(path, aside), 0);
        assert_int_equal(symlink(precious, path), 0);
        assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                         PZ_STORAGE);
        assert_non_null(strstr(fixture->error.text, "no link to one"));
        assert_int_equal(rename(aside, path), 0);
        assert_int_equal(stat(precious, &about), 0);
        assert_int_equal(about.st_size, 4);
    }
    (void)unlink(precious);
    fixture_open(fixture);
}

/* As an administrator leaves it who puts a copy there as root. As root this becomes another user, for whom
 * rights count. */
store_test(a_file_that_may_not_be_written_to_is_named)
{
    static const char *const names[] = {"owner", "data.mdb", "lock.mdb"};
    struct fixture *fixture = *state;
    const uid_t self = geteuid(), user = self == 0 ? 65534 : self;
    char path[128];
    fixture_close(fixture);
    for (unsigned i = 0; i < 3; i++) {
        path_in(path, fixture->directory, names[i]);
        assert_int_equal(chown(path, user, (gid_t)-1), 0);
    }
    assert_int_equal(chown(fixture->directory, user, (gid_t)-1), 0);
    for (unsigned i = 0; i < 3; i++) {
        path_in(path, fixture->directory, names[i]);
        const char *words = text_of("%s: Permission denied", path);
        assert_int_equal(chmod(path, 0400), 0);
        assert_int_equal(seteuid(user), 0);
        const enum pz_status status =
            store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error);
        assert_int_equal(seteuid(self), 0);
        assert_int_equal(status, PZ_STORAGE);
        assert_string_equal(fixture->error.text, words);
        assert_int_equal(chmod(path, 0600), 0);
    }
    fixture_open(fixture);
}
