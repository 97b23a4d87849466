/* SPDX-License-Identifier: MIT */
#include "daemon/care/maintenance.h"

#include "daemon/settings/places.h"

#include "store/care/backup.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static void print_progress(void *context, enum backup_phase phase, uint64_t done, uint64_t total)
{
    static const char *const words[] = {[BACKUP_COPY] = "copying", [BACKUP_CHECK] = "checking"};
    const bool *terminal = context;
    if (*terminal)
        (void)fprintf(stderr, "\r%s: %" PRIu64 " of at most %" PRIu64 " MB \033[K", words[phase], done >> 20,
                      total >> 20);
}

static void print_fault(void *context, const char *text)
{
    (void)context;
    (void)fprintf(stderr, "puzzled: %s\n", text);
}

static void print_result(const char *done, const char *what, const struct backup_result *result)
{
    (void)printf("%s %s: %" PRIu64 " bytes, %" PRIu64 " values, all of them checked\n", done, what,
                 result->bytes, result->values);
}

enum pz_status maintenance_backup(const struct config *config, const char *file, struct pz_error *error)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    const struct backup_calls calls = {print_progress, print_fault, &terminal};
    struct backup_result result;
    enum pz_status status = store_backup(config->state_directory, file, &calls, &result, error);
    if (terminal)
        (void)fputs("\r\033[K", stderr);
    if (status == PZ_OK)
        print_result("backed up to", file, &result);
    return status;
}

enum pz_status maintenance_restore(const struct config *config, const char *file, struct pz_error *error)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    const struct backup_calls calls = {print_progress, print_fault, &terminal};
    struct backup_result result = {0};
    enum pz_status status = places_make_state(config, error);
    if (status == PZ_OK)
        status = store_restore(file, config->state_directory, &calls, &result, error);
    if (terminal)
        (void)fputs("\r\033[K", stderr);
    if (status == PZ_OK)
        print_result("restored to", config->state_directory, &result);
    return status;
}
