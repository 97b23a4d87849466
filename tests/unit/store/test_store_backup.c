/* SPDX-License-Identifier: MIT */
/* Copies of a database that is in use, and their restore. */
#include "store_tables.h"

#include "store/lmdb/value_codec.h"
#include "store/maintenance/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

struct backup {
    struct fixture *fixture; /* the database */
    char file[96];           /* the copy */
    unsigned reports, faults;
    struct backup_calls calls;
    struct backup_result result;
};

static void note_progress(void *context, enum backup_phase phase, uint64_t done, uint64_t total)
{
    ((struct backup *)context)->reports++;
}

static void note_fault(void *context, const char *text)
{
    print_message("%s\n", text);
    ((struct backup *)context)->faults++;
}

static int set_up(void **state)
{
    struct backup *backup = calloc(1, sizeof *backup);
    if (backup == NULL)
        return -1;
    if (fixture_make((void **)&backup->fixture) != 0) {
        free(backup);
        return -1;
    }
    (void)snprintf(backup->file, sizeof backup->file, "%s.backup", backup->fixture->directory);
    backup->calls = (struct backup_calls){note_progress, note_fault, backup};
    *state = backup;
    return 0;
}

static int tear_down(void **state)
{
    struct backup *backup = *state;
    void *fixture = backup->fixture;
    (void)unlink(backup->file);
    free(backup);
    return fixture_tear_down(&fixture);
}

static enum pz_status back_up(struct backup *backup)
{
    return store_backup(backup->fixture->directory, backup->file, &backup->calls, &backup->result,
                        &backup->fixture->error);
}

static enum pz_status restore(struct backup *backup)
{
    return store_restore(backup->file, backup->fixture->directory, &backup->calls, &backup->result,
                         &backup->fixture->error);
}

static const struct small_table table = {.name = "t", .chunks = 20, .length = 100000, .seed = 7};

static void add_job(struct fixture *fixture)
{
    (void)fixture_add_job(fixture, "");
}

/* A job, a table, and free pages. */
static void fill(struct fixture *fixture)
{
    struct small_table other = {.name = "other", .chunks = 20, .length = 100000, .seed = 8};
    fixture_open(fixture);
    add_job(fixture);
    small_table_store(fixture, &other);
    small_table_store(fixture, &table);
    fixture_ok(table_remove(fixture->store, "other", 0, &fixture->error));
    struct store_stats stats;
    do {
        fixture_ok(store_flush(fixture->store, &fixture->error));
        fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    } while (stats.bytes_used > 3000000);
    fixture_close(fixture);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool no_directory_syncs; /* the system refuses to sync any */

int fsync(int fd)
{
    struct stat about;
    if (!no_directory_syncs || fstat(fd, &about) != 0 || !S_ISDIR(about.st_mode))
        return (int)syscall(SYS_fsync, fd);
    errno = EIO;
    return -1;
}

#define backup_test(name) TEST_WITH(name, set_up, tear_down)

backup_test(a_backup_comes_back_with_everything)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    struct stat file;
    fill(fixture);
    fixture_ok(back_up(backup));
    assert_true(backup->reports > 0);
    assert_int_equal(stat(backup->file, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    assert_int_equal(file.st_size, backup->result.bytes);
    fixture_open(fixture);
    fixture_ok(table_remove(fixture->store, "t", 0, &fixture->error));
    fixture_ok(forget_job(fixture->store, 1, &fixture->error));
    fixture_close(fixture);
    fixture_ok(restore(backup));
    assert_int_equal(stat(text_of("%s/data.mdb", fixture->directory), &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    fixture_open(fixture);
    assert_int_equal(small_table_read(fixture, &table), PZ_OK);
    struct job_record job;
    fixture_ok(store_job_get(fixture->store, 1, &job, &fixture->error));
    job_record_clear(&job);
    add_job(fixture);
}

backup_test(a_whole_copy_whose_name_cannot_be_synced_stays_and_is_told_so)
{
    struct backup *backup = *state;
    fill(backup->fixture);
    no_directory_syncs = true;
    assert_int_equal(back_up(backup), PZ_STORAGE);
    assert_non_null(strstr(backup->fixture->error.text, "is whole and in its place, but"));
    assert_int_equal(restore(backup), PZ_STORAGE);
    assert_non_null(strstr(backup->fixture->error.text, "is whole and in its place, but"));
    no_directory_syncs = false;
    fixture_open(backup->fixture);
    assert_int_equal(small_table_read(backup->fixture, &table), PZ_OK);
}

backup_test(a_backup_leaves_free_pages_out)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    fill(fixture);
    fixture_ok(back_up(backup));
    assert_true(backup->result.bytes < 3000000); /* one table of 2 MB, not two */
}

/* In a process of its own, as LMDB wants it. Returns the child's exit status. */
static int back_up_elsewhere(struct backup *backup, int go)
{
    char byte;
    if (read(go, &byte, 1) != 1)
        return 2;
    return back_up(backup) == PZ_OK ? 0 : 1;
}

backup_test(a_backup_of_a_database_that_is_cut_short_is_refused_with_its_page)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    fill(fixture);
    assert_int_equal(truncate(text_of("%s/data.mdb", fixture->directory), 20000), 0);
    assert_int_equal(back_up(backup), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "data.mdb is damaged: page"));
    assert_false(is_there(backup->file));
}

backup_test(a_backup_beside_writes_is_one_moment)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    int ends[2];
    int status = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(back_up_elsewhere(backup, ends[0]));
    assert_true(child > 0);
    fixture_open(fixture);
    small_table_store(fixture, &table);
    assert_int_equal(write(ends[1], "g", 1), 1);
    while (waitpid(child, &status, WNOHANG) == 0) {
        small_table_store(fixture, &table);
        add_job(fixture);
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    fixture_close(fixture);
    fixture_ok(restore(backup));
    fixture_open(fixture);
    assert_int_equal(small_table_read(fixture, &table), PZ_OK);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

backup_test(a_file_that_is_there_is_not_overwritten)
{
    struct backup *backup = *state;
    fill(backup->fixture);
    write_text(backup->file, "");
    assert_int_equal(back_up(backup), PZ_STORAGE);
    assert_non_null(strstr(backup->fixture->error.text, "is there already"));
}

static void flip(const char *path, off_t at, uint8_t bits)
{
    uint8_t byte;
    int file = open(path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= bits;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    (void)close(file);
}

backup_test(a_damaged_backup_is_refused_and_what_was_there_stays)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    fill(fixture);
    fixture_ok(back_up(backup));
    flip(backup->file, (off_t)backup->result.bytes / 2, 0x40);
    assert_int_equal(restore(backup), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, backup->file)); /* not only the copy's own name */
    assert_false(is_there(text_of("%s/data.mdb.part", fixture->directory)));
    fixture_open(fixture);
    assert_int_equal(small_table_read(fixture, &table), PZ_OK);
}

/* In the records and the seal of the two first pages, then in every part of every page. */
backup_test(a_backup_with_a_flipped_bit_anywhere_is_refused)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    fixture_open(fixture);
    add_job(fixture);
    small_table_store(fixture, &(struct small_table){.name = "s", .chunks = 5, .length = 3000});
    fixture_close(fixture);
    fixture_ok(back_up(backup));
    const off_t bytes = (off_t)backup->result.bytes;
    for (off_t at = 0; at < bytes; at += at % 4096 < 300 && at < 8192 ? 3 : 231) {
        const uint8_t bits = (uint8_t)(1 << at % 8);
        flip(backup->file, at, bits);
        if (restore(backup) == PZ_OK)
            fail_msg("a wrong bit in byte %lld of %lld is accepted", (long long)at, (long long)bytes);
        flip(backup->file, at, bits);
    }
    fixture_ok(restore(backup));
}

backup_test(a_backup_that_was_written_to_or_copied_by_hand_is_accepted)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    fill(fixture);
    fixture_ok(back_up(backup));
    fixture_ok(restore(backup));
    fixture_open(fixture);
    add_job(fixture);
    fixture_close(fixture);
    (void)unlink(backup->file);
    assert_int_equal(rename(text_of("%s/data.mdb", fixture->directory), backup->file), 0);
    fixture_ok(restore(backup));
    fixture_open(fixture);
    assert_int_equal(small_table_read(fixture, &table), PZ_OK);
}

backup_test(a_directory_in_use_is_not_restored_into)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    fill(fixture);
    fixture_ok(back_up(backup));
    fixture_open(fixture);
    assert_int_equal(restore(backup), PZ_BUSY);
    assert_int_equal(small_table_read(fixture, &table), PZ_OK);
}

static void write_format(const char *file, uint32_t format)
{
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi meta;
    uint8_t sealed[SEAL_BYTES + 4] = {0};
    struct key key = {0};
    key_add_bytes(&key, "format", 6);
    sealed[SEAL_BYTES + 3] = (uint8_t)format;
    seal_write(sealed, 4, DATABASE_META, &key);
    MDB_val name = {.mv_size = key.length, .mv_data = key.bytes};
    MDB_val value = {.mv_size = sizeof sealed, .mv_data = sealed};
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_set_maxdbs(env, 8), 0);
    assert_int_equal(mdb_env_set_mapsize(env, 64 << 20), 0);
    assert_int_equal(mdb_env_open(env, file, MDB_NOSUBDIR | MDB_NOLOCK, 0600), 0);
    assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
    assert_int_equal(mdb_dbi_open(txn, "meta", 0, &meta), 0);
    assert_int_equal(mdb_put(txn, meta, &name, &value, 0), 0);
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
}

backup_test(a_backup_of_a_newer_format_is_refused)
{
    struct backup *backup = *state;
    struct fixture *fixture = backup->fixture;
    fill(fixture);
    fixture_ok(back_up(backup));
    write_format(backup->file, 99);
    assert_int_equal(restore(backup), PZ_UNSUPPORTED);
    assert_non_null(strstr(fixture->error.text, "format 99"));
    fixture_open(fixture);
    assert_int_equal(small_table_read(fixture, &table), PZ_OK);
}

/* Expects a restore of the file to fail with a text that begins with its name and has these words, and no
 * word of the copy that is gone by then. */
static void expect_refusal(struct backup *backup, const char *file, const char *words)
{
    const char *text = backup->fixture->error.text;
    assert_int_not_equal(store_restore(file, backup->fixture->directory, &backup->calls, &backup->result,
                                       &backup->fixture->error),
                         PZ_OK);
    if (strncmp(text, file, strlen(file)) != 0 || strstr(text, words) == NULL ||
        strstr(text, ".part") != NULL)
        fail_msg("'%s' is not of %s, or does not say '%s'", text, file, words);
}

backup_test(a_refused_restore_names_the_file_that_it_was_given)
{
    struct backup *backup = *state;
    fill(backup->fixture);
    expect_refusal(backup, backup->fixture->directory, "Is a directory");
    expect_refusal(backup, "/dev/zero", "is a device");
    write_text(backup->file, "");
    expect_refusal(backup, backup->file, "is empty");
    expect_refusal(backup, "/nowhere/at/all", "No such file");
    write_text(backup->file, text_of("%08000d", 0)); /* more than a page */
    expect_refusal(backup, backup->file, "is damaged: page 0");
    assert_null(strstr(backup->fixture->error.text, "restore it"));
}
