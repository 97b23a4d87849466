/* SPDX-License-Identifier: MIT */
/* How much of its machine a process may use. */
#include "test_support.h"

#include "daemon/settings/machine.h"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];
static char memberships[96];

static void write_file(const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make_group(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int make_root(void **state)
{
    (void)snprintf(root, sizeof root, "/tmp/puzzled-machine-XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    (void)snprintf(memberships, sizeof memberships, "%s/memberships", root);
    return 0;
}

static int remove_root(void **state)
{
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command); /* NOLINT(cert-env33-c): a path of this test's own */
}

static struct machine limited(void)
{
    struct machine machine = {.processors = 16, .memory = (uint64_t)64 << 30};
    machine_limit(&machine, memberships, root);
    return machine;
}

static void expect(uint64_t processors, uint64_t memory)
{
    struct machine machine = limited();
    assert_int_equal(machine.processors, processors);
    assert_int_equal(machine.memory, memory);
}

static void without_control_groups_all_is_usable(void **state)
{
    expect(16, (uint64_t)64 << 30);
}

static void groups_without_limits_limit_nothing(void **state)
{
    write_file("memberships", "0::/service\n");
    make_group("service");
    write_file("service/memory.max", "max\n");
    write_file("service/cpu.max", "max 100000\n");
    expect(16, (uint64_t)64 << 30);
}

static void a_group_limits_processors_and_memory(void **state)
{
    write_file("memberships", "0::/service\n");
    make_group("service");
    write_file("service/memory.max", "1073741824\n");
    write_file("service/cpu.max", "250000 100000\n");
    expect(3, (uint64_t)1 << 30); /* two and a half processors */
}

static void the_narrowest_group_around_counts(void **state)
{
    write_file("memberships", "0::/slice/service\n");
    make_group("slice");
    make_group("slice/service");
    write_file("slice/memory.max", "536870912\n");
    write_file("slice/service/memory.max", "1073741824\n");
    write_file("slice/service/cpu.max", "50000 100000\n");
    expect(1, (uint64_t)512 << 20);
}

static void in_a_container_the_mount_point_is_the_group(void **state)
{
    write_file("memberships", "0::/machine/of/the/outside\n");
    write_file("memory.max", "2147483648\n");
    expect(16, (uint64_t)2 << 30);
}

static void groups_of_version_1_count_too(void **state)
{
    write_file("memberships", "5:memory:/a\n4:cpu,cpuacct:/a\n");
    make_group("memory");
    make_group("memory/a");
    make_group("cpu,cpuacct");
    make_group("cpu,cpuacct/a");
    write_file("memory/memory.limit_in_bytes", "9223372036854771712\n");
    write_file("memory/a/memory.limit_in_bytes", "3221225472\n");
    write_file("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    write_file("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    write_file("cpu,cpuacct/a/cpu.cfs_quota_us", "400000\n");
    write_file("cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    expect(4, (uint64_t)3 << 30);
}

static void processors_are_those_of_the_affinity(void **state)
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

#define SPECIFICATION(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPECIFICATION(without_control_groups_all_is_usable),
        SPECIFICATION(groups_without_limits_limit_nothing),
        SPECIFICATION(a_group_limits_processors_and_memory),
        SPECIFICATION(the_narrowest_group_around_counts),
        SPECIFICATION(in_a_container_the_mount_point_is_the_group),
        SPECIFICATION(groups_of_version_1_count_too),
        SPECIFICATION(processors_are_those_of_the_affinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
