/* SPDX-License-Identifier: MIT */
/* Reads files of known answers, checks statuses and asks fewer questions where time is short, for several
 * tests. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include "specification.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first of a test's numbers of threads, which begin with 1: ThreadSanitizer learns nothing from one
 * thread. */
#ifdef __SANITIZE_THREAD__
enum { FIRST_THREADS = 1 };
#else
enum { FIRST_THREADS = 0 };
#endif

/* Under the sanitizers tests ask smaller questions. */
#ifdef PUZZLED_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Returns true if long tests ask fewer questions: the check of a change sets PUZZLED_BRIEF. */
static inline bool is_brief(void)
{
    return SANITIZED || getenv("PUZZLED_BRIEF") != NULL;
}

/* A status with its text, so that a failure says why. */
#define assert_ok(call, error)                                                                               \
    do {                                                                                                     \
        if ((call) != PZ_OK)                                                                                 \
            fail_msg("%s: %s", #call, (error).text);                                                         \
    } while (0)

/* Runs a command of a test's own, which must succeed. */
static inline void run_command(const char *command)
{
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): with paths of the test's making */
}

/* Opens a file of known answers; the test fails when it is not there. The caller closes it. */
static inline FILE *test_data(const char *name)
{
    const char *path = text_of("%s/%s", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("no test data %s", path);
    return file;
}

/* The next line that is no comment and does not begin with a letter (a header), without its LF. */
static inline bool test_data_line(FILE *file, char *line, size_t size)
{
    while (fgets(line, (int)size, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        bool letter = (line[0] >= 'a' && line[0] <= 'z') || (line[0] >= 'A' && line[0] <= 'Z');
        if (line[0] != '#' && line[0] != '\0' && !letter)
            return true;
    }
    return false;
}

/* Cuts a line of comma-separated values at its commas; returns how many there are, room at most. */
static inline unsigned test_fields(char *line, char **fields, unsigned room)
{
    unsigned count = 0;
    for (char *at = line; at != NULL && count < room;) {
        fields[count++] = at;
        at = strchr(at, ',');
        if (at != NULL)
            *at++ = '\0';
    }
    return count;
}

static inline long test_number(const char *text)
{
    return strtol(text, NULL, 10);
}

/* Known answers row by row. Remarks and the heading are passed over. */
struct test_rows {
    FILE *file;
    char line[1024];
    char *field[12];
    unsigned count; /* of the rows so far */
};

/* The heading must begin so, as the columns are known by their places. */
static inline void test_rows_open(struct test_rows *rows, const char *name, const char *heading)
{
    rows->file = test_data(name);
    rows->count = 0;
    do
        assert_non_null(fgets(rows->line, sizeof rows->line, rows->file));
    while (rows->line[0] == '#');
    if (strncmp(rows->line, heading, strlen(heading)) != 0)
        fail_msg("%s has not the heading %s", name, heading);
}

/* Cuts the next row into that many fields. Returns false at the end. */
static inline bool test_rows_next(struct test_rows *rows, unsigned fields)
{
    do
        if (fgets(rows->line, sizeof rows->line, rows->file) == NULL)
            return false;
    while (rows->line[0] == '#' || rows->line[0] == '\n');
    rows->line[strcspn(rows->line, "\r\n")] = '\0';
    assert_int_equal(test_fields(rows->line, rows->field, fields), fields);
    rows->count++;
    return true;
}

/* There must have been so many rows. */
static inline void test_rows_close(struct test_rows *rows, unsigned count)
{
    (void)fclose(rows->file);
    assert_int_equal(rows->count, count);
}

/* Reads levels/<name>.csv into counts; returns the number of levels. */
static inline unsigned test_data_levels(const char *name, uint64_t *counts, unsigned room)
{
    char line[256];
    unsigned levels = 0;
    FILE *file = test_data(text_of("levels/%s.csv", name));
    while (test_data_line(file, line, sizeof line)) {
        char *end;
        unsigned long level = strtoul(line, &end, 10);
        assert_int_equal(level, levels);
        assert_true(levels < room);
        counts[levels++] = strtoull(end + 1, NULL, 10);
    }
    (void)fclose(file);
    assert_true(levels > 0);
    return levels;
}

#endif
