/* SPDX-License-Identifier: MIT */
/* Levels made group by group: the index of groups, and the known levels from pieces in memory and on disk. */
#include "test_support.h"

#include "explore/dense/grouped.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS_MAX = 160 };

struct fixture {
    struct pz_error error;
    struct dense_geometry geometry;
    struct plan *plan;
    struct grouping grouping;
    struct team *team;
    struct budget budget;
    struct arena *arena;
    struct pieces *pieces;
    struct grouped *grouped;
    char directory[64]; /* "" for pieces in memory */
};

static void geometry_of(unsigned rows, unsigned columns, struct dense_geometry *geometry)
{
    struct grid grid;
    assert_int_equal(grid_init(&grid, rows, columns, NULL), PZ_OK);
    dense_geometry_init(geometry, &grid, rows * columns - 1);
}

/* ---- the index ---- */

/* Every class goes where the edge leads it, seen from both sides, and packets hold runs in one order. */
static void check_runs(const struct grouping *grouping, const struct group_crossing *crossing, bool upward,
                       uint32_t group)
{
    const struct group_packing *packing = &crossing->packing[upward];
    for (uint32_t number = 0; number < crossing->runs; number += 1 + crossing->runs / 97) {
        struct group_run target = {group, number};
        struct group_run source = group_source(grouping, crossing, upward, target);
        struct group_run back = group_source(grouping, crossing, !upward, source);
        assert_int_equal(back.group, target.group);
        assert_int_equal(back.run, target.run);
        assert_in_range(source.group, 0, grouping->groups - 1);
        /* A run's first and last class keep their distance. */
        uint64_t first = target.group * grouping->classes + number * crossing->run;
        for (uint64_t at = 0; at < crossing->run; at += crossing->run - 1) {
            struct dense_position position;
            dense_position_unrank(grouping->geometry, first + at, 0, &position);
            dense_unrotate(position.digit, &crossing->edge, upward);
            uint64_t reached = 0;
            for (unsigned k = 0; k + 2 < grouping->geometry->tiles; k++)
                reached += position.digit[k] * grouping->geometry->span[k + 1];
            assert_int_equal(reached, source.group * grouping->classes + source.run * crossing->run + at);
        }
        assert_in_range(packing->packet[source.run], 0, packing->packets - 1);
    }
}

/* The runs of a packet that come to a target come in the order in which they stand in the packet. */
static void check_order(const struct grouping *grouping, const struct group_crossing *crossing, bool upward,
                        uint32_t group)
{
    const struct group_packing *packing = &crossing->packing[upward];
    struct group_run *last = calloc(crossing->runs, sizeof *last);
    uint32_t known = 0;
    for (uint32_t run = 0; run < crossing->runs; run++) {
        struct group_run source = group_source(grouping, crossing, upward, (struct group_run){group, run});
        uint32_t packet = packing->packet[source.run];
        uint32_t i = 0;
        while (i < known && (last[i].group != source.group || packing->packet[last[i].run] != packet))
            i++;
        uint32_t due = i < known ? packing->at[last[i].run] + 1 : 0;
        assert_int_equal(packing->at[source.run], due);
        last[i] = source;
        known += i == known;
    }
    free(last);
}

static void runs_lead_where_the_edges_do_at_every_size(void **state)
{
    static const struct {
        unsigned rows, columns, most;
    } sizes[] = {{2, 6, 3}, {3, 4, 3}, {2, 7, 4}, {3, 5, 5}, {2, 8, 5}, {4, 4, 5}};
    (void)state;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct dense_geometry geometry;
        geometry_of(sizes[i].rows, sizes[i].columns, &geometry);
        for (unsigned digits = 1; digits <= sizes[i].most; digits++) {
            struct grouping grouping;
            struct pz_error error;
            if (!group_digits_fit(&geometry, digits))
                continue;
            assert_ok(grouping_init(&geometry, digits, &grouping, &error), error);
            for (unsigned j = 0; j < 8 * grouping.crossings; j++) {
                const struct group_crossing *crossing = &grouping.crossing[j / 8];
                uint32_t group = (uint32_t)((uint64_t)(grouping.groups - 1) * (j / 2 % 4) / 3);
                check_runs(&grouping, crossing, j % 2 != 0, group);
                if (crossing->runs <= 1320)
                    check_order(&grouping, crossing, j % 2 != 0, group);
            }
            grouping_clear(&grouping);
        }
    }
}

/* ---- levels ---- */

static enum pz_status make_pieces(struct fixture *fixture, bool disk)
{
    struct pieces_size size = grouped_pieces(fixture->plan, &fixture->grouping);
    if (!disk)
        return pieces_memory_new(&size, fixture->arena, &fixture->pieces, &fixture->error);
    (void)snprintf(fixture->directory, sizeof fixture->directory, "/tmp/test_dense_groups.XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    /* Files so small that each level has several. */
    const struct pieces_disk options = {
        .directory = fixture->directory, .limit = UINT64_MAX, .ahead = 2, .behind = 2, .file_bytes = 1 << 20};
    return pieces_disk_new(&size, &options, &fixture->pieces, &fixture->error);
}

static struct fixture *fixture_new(unsigned rows, unsigned columns, unsigned digits, unsigned threads,
                                   bool disk)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const struct kernel *kernel = NULL;
    geometry_of(rows, columns, &fixture->geometry);
    assert_true(group_digits_fit(&fixture->geometry, digits));
    budget_init(&fixture->budget, NULL, UINT64_MAX);
    assert_ok(kernel_find(NULL, &kernel, &fixture->error), fixture->error);
    assert_ok(plan_new(&fixture->geometry, &fixture->plan, &fixture->error), fixture->error);
    assert_ok(grouping_init(&fixture->geometry, digits, &fixture->grouping, &fixture->error), fixture->error);
    assert_ok(team_new(threads, &fixture->team, &fixture->error), fixture->error);
    assert_ok(arena_new(&fixture->budget, UINT64_C(4000000000), &fixture->arena, &fixture->error),
              fixture->error);
    assert_ok(make_pieces(fixture, disk), fixture->error);
    const struct grouped_parts parts = {.plan = fixture->plan,
                                        .grouping = &fixture->grouping,
                                        .kernel = kernel,
                                        .team = fixture->team,
                                        .arena = fixture->arena,
                                        .pieces = fixture->pieces};
    assert_ok(grouped_new(&parts, &fixture->grouped, &fixture->error), fixture->error);
    assert_ok(grouped_begin(fixture->grouped, &fixture->error), fixture->error);
    return fixture;
}

static void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        (void)unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory != NULL)
        (void)closedir(directory);
    (void)rmdir(path);
}

static void fixture_free(struct fixture *fixture)
{
    grouped_free(fixture->grouped);
    fixture->pieces->ops->free(fixture->pieces);
    arena_free(fixture->arena);
    team_free(fixture->team);
    grouping_clear(&fixture->grouping);
    plan_free(fixture->plan);
    if (fixture->directory[0] != '\0')
        remove_directory(fixture->directory);
    assert_int_equal(atomic_load(&fixture->budget.used), 0);
    free(fixture);
}

static void check_levels(unsigned rows, unsigned columns, unsigned digits, unsigned threads, bool disk)
{
    uint64_t known[LEVELS_MAX];
    char name[16];
    (void)snprintf(name, sizeof name, "%ux%u", rows, columns);
    unsigned levels = test_data_levels(name, known, LEVELS_MAX);
    struct fixture *fixture = fixture_new(rows, columns, digits, threads, disk);
    uint64_t states = 1;
    for (unsigned level = 0; level < levels; level++) {
        assert_int_equal(states, known[level]);
        assert_ok(grouped_level(fixture->grouped, NULL, NULL, &states, &fixture->error), fixture->error);
    }
    assert_int_equal(states, 0);
    fixture_free(fixture);
}

static void pieces_in_memory_give_the_known_levels(void **state)
{
    (void)state;
#ifndef PUZZLED_SANITIZED
    check_levels(3, 4, 1, 2, false);
    check_levels(3, 4, 2, 8, false);
    check_levels(3, 4, 3, 1, false);
    check_levels(2, 6, 1, 8, false);
    check_levels(2, 6, 2, 1, false);
    check_levels(2, 6, 3, 2, false);
#else
    check_levels(3, 4, 2, 2, false);
#endif
}

static void pieces_on_disk_give_the_known_levels(void **state)
{
    (void)state;
#ifndef PUZZLED_SANITIZED
    check_levels(3, 4, 1, 2, true);
    check_levels(2, 6, 1, 1, true);
    check_levels(2, 6, 2, 8, true);
#else
    check_levels(3, 4, 1, 2, true);
#endif
}

/* ---- damage ---- */

/* Turns one bit of each file of the directory over. */
static unsigned flip_bits(const char *path)
{
    unsigned flipped = 0;
    DIR *directory = opendir(path);
    const struct dirent *entry;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        int file =
            strstr(entry->d_name, ".pieces") != NULL ? openat(dirfd(directory), entry->d_name, O_RDWR) : -1;
        uint8_t byte;
        if (file < 0)
            continue;
        assert_int_equal(pread(file, &byte, 1, 3000), 1);
        byte ^= 16;
        assert_int_equal(pwrite(file, &byte, 1, 3000), 1);
        (void)close(file);
        flipped++;
    }
    (void)closedir(directory);
    return flipped;
}

static void a_bit_that_is_wrong_on_the_disk_is_found(void **state)
{
    (void)state;
    struct fixture *fixture = fixture_new(3, 4, 1, 2, true);
    uint64_t states = 1;
    for (unsigned level = 0; level < 30; level++)
        assert_ok(grouped_level(fixture->grouped, NULL, NULL, &states, &fixture->error), fixture->error);
    assert_true(flip_bits(fixture->directory) > 2);
    assert_int_equal(grouped_level(fixture->grouped, NULL, NULL, &states, &fixture->error), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "damaged"));
    fixture_free(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_lead_where_the_edges_do_at_every_size),
        cmocka_unit_test(pieces_in_memory_give_the_known_levels),
        cmocka_unit_test(pieces_on_disk_give_the_known_levels),
        cmocka_unit_test(a_bit_that_is_wrong_on_the_disk_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
