/* SPDX-License-Identifier: MIT */
/* peak_bytes of RESULT, held against what the system saw of the process. */
#include "harness.h"

/* Returns a figure of /proc/PID/status in bytes. */
static double memory_of(const struct daemon *daemon, const char *name)
{
    char line[256];
    double bytes = 0;
    FILE *file = fopen(text_of("/proc/%d/status", (int)daemon->pid), "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            bytes = strtod(line + strlen(name), NULL) * 1024;
    (void)fclose(file);
    assert_true(bytes > 0);
    return bytes;
}

/* Lets the highest resident size begin again at the present one. */
static void forget_peak(const struct daemon *daemon)
{
    write_text(text_of("/proc/%d/clear_refs", (int)daemon->pid), "5");
}

static void expect_peak(struct daemon *daemon, struct client *client, const char *line)
{
    forget_peak(daemon);
    const double before = memory_of(daemon, "VmRSS:");
    const unsigned long job = client_done(client, line);
    const double told = strtod(value_of(client_result(client, job), "peak_bytes"), NULL);
    const double grew = memory_of(daemon, "VmHWM:") - before;
    print_message("%s: %.0f told, %.0f seen\n", line, told, grew);
    assert_true(told > 0.95 * grew && told < 1.05 * grew);
}

/* The second table is written while nothing in the daemon is new any more. */
SPECIFICATION(the_memory_told_is_the_memory_taken_within_5_percent)
{
    if (SANITIZED) /* shadow memory and queues of freed blocks are resident too */
        skip();
    struct client *client = client_new(*state);
    expect_peak(*state, client, "EXPLORE 2x6 keep=table");
    expect_peak(*state, client, "EXPLORE 3x4 keep=table");
    expect_peak(*state, client, "EXPLORE hanoi:4,10 keep=table engine=striped");
}
