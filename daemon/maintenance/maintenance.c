/* SPDX-License-Identifier: MIT */
#include "daemon/maintenance/maintenance.h"

#include "answer/verify/contents.h"
#include "base/own_files.h"
#include "base/status_word.h"
#include "daemon/define/definitions.h"
#include "daemon/maintenance/import_check.h"
#include "daemon/settings/places.h"
#include "protocol/text/utf8.h"
#include "store/maintenance/backup.h"
#include "store/maintenance/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_progress(void *context, enum backup_phase phase, uint64_t done, uint64_t total)
{
    static const char *const words[] = {[BACKUP_COPY] = "copying", [BACKUP_CHECK] = "checking"};
    const bool *terminal = context;
    if (*terminal)
        (void)fprintf(stderr, "\r%s: %" PRIu64 " of at most %" PRIu64 " MB \033[K", words[phase], done >> 20,
                      total >> 20);
}

/* Prints a fault, which may quote bytes of a dump. */
static void print_fault(void *context, const char *text)
{
    struct pz_error clean;
    (void)context;
    (void)snprintf(clean.text, sizeof clean.text, "%s", text);
    utf8_scrub(clean.text, strlen(clean.text));
    (void)fprintf(stderr, "puzzled: %s\n", clean.text);
}

enum pz_status maintenance_copy(const struct config *config, const char *file, bool restores,
                                struct pz_error *error)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    const char *directory = config->state_directory;
    const struct backup_calls calls = {print_progress, print_fault, &terminal};
    struct backup_result result = {0};
    enum pz_status status = restores ? places_make_state(config, error) : PZ_OK;
    if (status == PZ_OK)
        status = restores ? store_restore(file, directory, &calls, &result, error)
                          : store_backup(directory, file, &calls, &result, error);
    if (terminal)
        (void)fputs("\r\033[K", stderr);
    if (status == PZ_OK)
        (void)printf("%s %s: %" PRIu64 " bytes, %" PRIu64 " values, all of them checked\n",
                     restores ? "restored to" : "backed up to", restores ? directory : file, result.bytes,
                     result.values);
    return status;
}

/* ---- dump ---- */

static enum pz_status dump_to(const struct config *config, const char *path, const uint64_t *jobs,
                              size_t count, struct dump_counts *counts, struct pz_error *error)
{
    const struct store_options options = {.read_only = true};
    struct store *store;
    enum pz_status status = store_open(config->state_directory, &options, &store, error);
    if (status != PZ_OK)
        return status;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file == NULL) {
        status = status_from_errno(error, errno, path);
        if (descriptor >= 0)
            (void)close(descriptor);
        store_close(store);
        return status;
    }
    status = store_dump(store, jobs, count, file, counts, error);
    if (status == PZ_OK && (fflush(file) != 0 || fsync(descriptor) != 0))
        status = status_from_errno(error, errno, path);
    (void)fclose(file);
    store_close(store);
    const int code = status == PZ_OK ? directory_sync(path) : 0;
    if (code != 0)
        status = status_from_errno(error, code, path);
    if (status != PZ_OK)
        (void)unlink(path);
    return status;
}

enum pz_status transfer_dump(const struct config *config, const char *file, const uint64_t *jobs,
                             size_t count, struct pz_error *error)
{
    struct dump_counts counts = {0};
    enum pz_status status = dump_to(config, file, jobs, count, &counts, error);
    if (status == PZ_OK)
        (void)printf("dumped to %s: %" PRIu64 " jobs, %" PRIu64 " tables\n", file, counts.jobs,
                     counts.tables);
    return status;
}

/* ---- checking a dump in a database of its own ---- */

static void remove_quarantine(const char *directory)
{
    static const char *const files[] = {"data.mdb", "lock.mdb", "owner"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (snprintf(path, sizeof path, "%s/%s", directory, files[i]) < (int)sizeof path)
            (void)unlink(path);
    (void)rmdir(directory);
}

void maintenance_sweep(const char *directory)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/data.mdb.part", directory) < (int)sizeof path)
        (void)unlink(path);
    if (snprintf(path, sizeof path, "%s/import", directory) < (int)sizeof path)
        remove_quarantine(path);
}

struct verifying {
    struct store *store;
    enum pz_status status;
    struct pz_error *error;
};

static bool verify_table(void *context, const struct table_record *table)
{
    struct verifying *verifying = context;
    verifying->status = table_verify(verifying->store, table, verifying->error);
    return verifying->status == PZ_OK;
}

static enum pz_status check_stored(struct store *store, struct pz_error *error)
{
    struct store_check check;
    enum pz_status status = store_fsck(store, print_fault, NULL, &check, error);
    if (status == PZ_OK && check.faults == 0)
        status = contents_check(store, print_fault, NULL, &check.faults, error);
    if (status == PZ_OK && check.faults > 0)
        return pz_fail(error, PZ_STORAGE, "the dump has %" PRIu64 " faults", check.faults);
    if (status == PZ_OK)
        status = import_check_found(store, error);
    struct verifying verifying = {.store = store, .status = PZ_OK, .error = error};
    if (status == PZ_OK)
        status = store_tables(store, verify_table, &verifying, NULL, error);
    return verifying.status != PZ_OK ? verifying.status : status;
}

static enum pz_status define(void *context, struct store *store, const struct definition_record *record,
                             struct pz_error *error)
{
    (void)context;
    return definitions_import(store, record, error);
}

/* Adds the jobs of a dump, each held against its request, and waits until they are on the disk. */
static enum pz_status import_checked(struct store *store, FILE *file, import_tell *tell,
                                     struct dump_counts *counts, struct pz_error *error)
{
    const struct import_calls calls = {.tell = tell, .check = import_check_job, .define = define};
    enum pz_status status = store_import(store, file, &calls, counts, error);
    return status == PZ_OK ? store_flush(store, error) : status;
}

static enum pz_status check_dump(const char *directory, FILE *file, struct pz_error *error)
{
    char quarantine[PATH_MAX];
    const struct store_options options = {0};
    struct store *store;
    struct dump_counts counts;
    if (snprintf(quarantine, sizeof quarantine, "%s/import", directory) >= (int)sizeof quarantine)
        return pz_fail(error, PZ_STORAGE, "the path is too long: %.200s", directory);
    remove_quarantine(quarantine);
    enum pz_status status = directory_make(quarantine, 0700, false, error);
    if (status == PZ_OK)
        status = store_open(quarantine, &options, &store, error);
    if (status == PZ_OK) {
        status = import_checked(store, file, NULL, &counts, error);
        if (status == PZ_OK)
            status = check_stored(store, error);
        store_close(store);
    }
    remove_quarantine(quarantine);
    return status;
}

/* ---- import ---- */

static void report_imported(void *context, uint64_t was, uint64_t is, const struct job_record *job)
{
    (void)context;
    const char *puzzle = job->puzzle != NULL ? job->puzzle : "";
    if (is == 0)
        (void)printf("job %" PRIu64 " (%s %s) is left out: its question is answered here\n", was,
                     job_kind_word(job->kind), puzzle);
    else
        (void)printf("job %" PRIu64 " (%s %s) is job %" PRIu64 " now\n", was, job_kind_word(job->kind),
                     puzzle, is);
}

/* Becomes, as root, the owner of the directory, so that the database stays that user's. */
static enum pz_status become_owner(const char *directory, struct pz_error *error)
{
    struct stat about;
    if (geteuid() != 0)
        return PZ_OK;
    if (stat(directory, &about) != 0 || setgid(about.st_gid) != 0 || setuid(about.st_uid) != 0)
        return status_from_errno(error, errno, directory);
    return PZ_OK;
}

static enum pz_status import_from(const struct config *config, FILE *file, struct pz_error *error)
{
    const struct store_options options = {.size_limit = config->database_size};
    struct dump_counts counts;
    struct store *store;
    enum pz_status status = store_open(config->state_directory, &options, &store, error);
    if (status != PZ_OK)
        return status;
    status = definitions_load(config, store, error);
    if (status == PZ_OK)
        status = check_dump(config->state_directory, file, error);
    if (status == PZ_OK && fseeko(file, 0, SEEK_SET) != 0)
        status = status_from_errno(error, errno, "the dump");
    if (status == PZ_OK)
        status = import_checked(store, file, report_imported, &counts, error);
    store_close(store);
    definitions_close();
    if (status == PZ_OK)
        (void)printf("%" PRIu64 " records, all of them checked\n", counts.records);
    return status;
}

enum pz_status transfer_import(const struct config *config, const char *file, struct pz_error *error)
{
    struct stat about;
    if (stat(file, &about) == 0 && !S_ISREG(about.st_mode)) /* it is read twice */
        return pz_fail(error, PZ_BAD_REQUEST, "%.400s is no regular file", file);
    FILE *stream = fopen(file, "re");
    if (stream == NULL)
        return status_from_errno(error, errno, file);
    enum pz_status status = places_make_state(config, error);
    if (status == PZ_OK)
        status = become_owner(config->state_directory, error);
    if (status == PZ_OK)
        status = plugins_of_config(config, error);
    if (status == PZ_OK)
        status = import_from(config, stream, error);
    (void)fclose(stream);
    if (status != PZ_OK)
        utf8_scrub(error->text, strlen(error->text)); /* it may quote bytes of the dump */
    return status;
}
