/* SPDX-License-Identifier: MIT */
#include "daemon/host/journal_log.h"

#include "base/log.h"
#include "daemon/host/service.h"

#ifdef HAVE_SYSTEMD

/* An administrator has no use for the source line that logged a message. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

static void write_entry(enum log_level level, unsigned long job, const char *line)
{
    if (job == 0)
        (void)sd_journal_send("MESSAGE=%s", line, "PRIORITY=%d", (int)level, NULL);
    else
        (void)sd_journal_send("MESSAGE=%s job=%lu", line, job, "PRIORITY=%d", (int)level, "PUZZLED_JOB=%lu",
                              job, NULL);
}

bool journal_log_install(void)
{
    if (!service_reads_stderr())
        return false;
    log_set_writer(write_entry);
    return true;
}

#else

bool journal_log_install(void)
{
    return false;
}

#endif
