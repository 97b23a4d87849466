/* SPDX-License-Identifier: MIT */
/* How much of its machine a process may use. */
#include "test_support.h"

#include "base/machine.h"

#include <sched.h>
#include <sys/stat.h>

static char root[64];
static char memberships[96];

static void make(const char *name, const char *text)
{
    const char *path = text_of("%s/%s", root, name);
    if (text == NULL)
        assert_int_equal(mkdir(path, 0700), 0);
    else
        write_text(path, text);
}

static void make_root(void)
{
    (void)snprintf(root, sizeof root, "/tmp/puzzled-machine-XXXXXX");
    assert_non_null(mkdtemp(root));
    (void)snprintf(memberships, sizeof memberships, "%s/memberships", root);
}

/* Control groups, as files below root, and what is left of 16 processors and 64 GiB. */
static const struct {
    const char *of;
    const char *files[12][2]; /* a name and its text; a directory has none */
    uint64_t processors, mib;
} machines[] = {
    {"no control groups: all is usable", {{NULL}}, 16, 64 << 10},
    {"groups without limits",
     {{"memberships", "0::/service\n"},
      {"service"},
      {"service/memory.max", "max\n"},
      {"service/cpu.max", "max 100000\n"}},
     16,
     64 << 10},
    {"a group limits processors and memory; two and a half processors are three",
     {{"memberships", "0::/service\n"},
      {"service"},
      {"service/memory.max", "1073741824\n"},
      {"service/cpu.max", "250000 100000\n"}},
     3,
     1 << 10},
    {"the narrowest group around counts",
     {{"memberships", "0::/slice/service\n"},
      {"slice"},
      {"slice/service"},
      {"slice/memory.max", "536870912\n"},
      {"slice/service/memory.max", "1073741824\n"},
      {"slice/service/cpu.max", "50000 100000\n"}},
     1,
     512},
    {"in a container the mount point is the group",
     {{"memberships", "0::/machine/of/the/outside\n"}, {"memory.max", "2147483648\n"}},
     16,
     2 << 10},
    {"groups of version 1",
     {{"memberships", "5:memory:/a\n4:cpu,cpuacct:/a\n"},
      {"memory"},
      {"memory/a"},
      {"cpu,cpuacct"},
      {"cpu,cpuacct/a"},
      {"memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"memory/a/memory.limit_in_bytes", "3221225472\n"},
      {"cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
      {"cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
      {"cpu,cpuacct/a/cpu.cfs_quota_us", "400000\n"},
      {"cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
     4,
     3 << 10},
};

TEST(control_groups_limit_processors_and_memory)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine machine = {.processors = 16, .memory = (uint64_t)64 << 30};
        make_root();
        for (unsigned k = 0; machines[i].files[k][0] != NULL; k++)
            make(machines[i].files[k][0], machines[i].files[k][1]);
        machine_limit(&machine, memberships, root);
        if (machine.processors != machines[i].processors || machine.memory != machines[i].mib << 20)
            fail_msg("%s: %u processors, %ju bytes", machines[i].of, (unsigned)machine.processors,
                     (uintmax_t)machine.memory);
        run_command(text_of("rm -rf %s", root));
    }
}

TEST(processors_are_those_of_the_affinity)
{
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (unsigned i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(machine_usable().processors, 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}
