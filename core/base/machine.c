/* SPDX-License-Identifier: MIT */
#include "base/machine.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* Reads up to two numbers from the file DIRECTORY/NAME. Returns how many it has: 0 for "max" and no file. */
static int machine_read_numbers(const char *directory, const char *name, int64_t numbers[2])
{
    char path[PATH_BYTES + 64];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    /* NOLINTNEXTLINE(cert-err34-c): the kernel writes these, and found counts */
    int found = fscanf(file, "%" SCNd64 " %" SCNd64, &numbers[0], &numbers[1]);
    (void)fclose(file);
    return found > 0 ? found : 0;
}

static void lower_memory(struct machine *machine, const char *directory, const char *name)
{
    int64_t bytes[2];
    if (machine_read_numbers(directory, name, bytes) >= 1 && bytes[0] > 0 &&
        (uint64_t)bytes[0] < machine->memory)
        machine->memory = (uint64_t)bytes[0];
}

static void lower_processors(struct machine *machine, int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0) /* v1 writes -1 for no limit */
        return;
    uint64_t processors = (uint64_t)((quota - 1) / period + 1);
    if (processors < machine->processors)
        machine->processors = processors;
}

static void limit_by_group(struct machine *machine, const char *directory)
{
    int64_t numbers[2], period[2];
    lower_memory(machine, directory, "memory.max");
    lower_memory(machine, directory, "memory.limit_in_bytes");
    if (machine_read_numbers(directory, "cpu.max", numbers) == 2)
        lower_processors(machine, numbers[0], numbers[1]);
    if (machine_read_numbers(directory, "cpu.cfs_quota_us", numbers) >= 1 &&
        machine_read_numbers(directory, "cpu.cfs_period_us", period) >= 1)
        lower_processors(machine, numbers[0], period[0]);
}

/* Applies the limits of a group and of all groups around it. In a container the path may be the host's; then
 * only the mount point itself can be read. */
static void limit_upwards(struct machine *machine, const char *mount, const char *group)
{
    char directory[PATH_BYTES];
    int length = snprintf(directory, sizeof directory, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof directory)
        return;
    for (;;) {
        limit_by_group(machine, directory);
        char *end = strrchr(directory + strlen(mount), '/');
        if (end == NULL)
            return;
        *end = '\0';
    }
}

void machine_limit(struct machine *machine, const char *memberships, const char *root)
{
    char line[PATH_BYTES], mount[PATH_BYTES];
    FILE *file = fopen(memberships, "re");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) { /* NUMBER:CONTROLLERS:GROUP, v2 without controllers */
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL)
            continue;
        *group++ = '\0';
        bool unified = controllers[1] == '\0';
        (void)snprintf(mount, sizeof mount, "%s%s%s", root, unified ? "" : "/", controllers + 1);
        limit_upwards(machine, mount, group);
    }
    (void)fclose(file);
}

struct machine machine_usable(void)
{
    struct machine machine = {.processors = 1, .memory = (uint64_t)2 << 30};
    struct sysinfo info;
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sysinfo(&info) == 0)
        machine.memory = (uint64_t)info.totalram * info.mem_unit;
    if (sched_getaffinity(0, sizeof set, &set) == 0) /* fails beyond 1024 processors */
        machine.processors = (uint64_t)CPU_COUNT(&set);
    else if (online > 1)
        machine.processors = (uint64_t)online;
    machine_limit(&machine, "/proc/self/cgroup", "/sys/fs/cgroup");
    return machine;
}
