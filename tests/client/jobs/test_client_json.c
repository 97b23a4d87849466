/* SPDX-License-Identifier: MIT */
/* The promise of docs/json.md: each key has the type that the page says, whatever its value looks like. */
#include "client_run.h"
#include "protocol/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *value_of(const char *key, const char *value)
{
    struct reply reply;
    struct pz_error error = {0};
    const char *line = text_of("OK %s=%s", key, value);
    if (!reply_parse(&reply, line, strlen(line), &error))
        fail_msg("%s: %s", line, error.text);
    json_t *object = json_of_reply(&reply);
    json_t *found = json_incref(json_object_get(object, key));
    json_decref(object);
    reply_clear(&reply);
    return found;
}

/* Calls check for each key of the page's table row "| type | `key key …` |"; returns how many there were. */
static unsigned each_documented(const char *type, void (*check)(const char *key))
{
    char line[4096];
    unsigned count = 0;
    FILE *page = fopen(DOCS "/json.md", "r");
    assert_non_null(page);
    const char *begin = text_of("| %s | `", type);
    while (fgets(line, sizeof line, page) != NULL) {
        if (strncmp(line, begin, strlen(begin)) != 0)
            continue;
        char *keys = line + strlen(begin);
        keys[strcspn(keys, "`")] = '\0';
        char *rest = NULL;
        for (char *key = strtok_r(keys, " ", &rest); key != NULL; key = strtok_r(NULL, " ", &rest), count++)
            check(key);
    }
    (void)fclose(page);
    return count;
}

static void check_integer(const char *key)
{
    json_t *value = value_of(key, "7");
    if (!json_is_integer(value))
        fail_msg("%s is documented as an integer", key);
    json_decref(value);
}

static void check_real(const char *key)
{
    json_t *value = value_of(key, "7");
    if (!json_is_real(value))
        fail_msg("%s is documented as a real number", key);
    json_decref(value);
}

static void check_boolean(const char *key)
{
    json_t *value = value_of(key, "no");
    if (!json_is_false(value))
        fail_msg("%s is documented as a boolean", key);
    json_decref(value);
}

TEST(documented_keys_have_their_types)
{
    assert_true(each_documented("integer", check_integer) > 40);
    assert_true(each_documented("real", check_real) >= 5);
    assert_true(each_documented("boolean", check_boolean) >= 8);
}

static void check_text(const char *key, const char *value, const char *expected)
{
    json_t *found = value_of(key, value);
    assert_true(json_is_string(found));
    assert_string_equal(json_string_value(found), expected);
    json_decref(found);
}

TEST(unknown_keys_and_odd_values_are_strings)
{
    check_text("path", "123", "123");
    check_text("solvable", "yes", "yes");
    check_text("brand_new", "7", "7");
    check_text("states", "unknown", "unknown");
    check_text("states", "9999999999999999999x", "9999999999999999999x");
    check_text("complete", "perhaps", "perhaps");
    check_text("text", "\"a \\\"b\\\"\"", "a \"b\"");
    check_text("text", "\xff", "(not UTF-8)");
}

TEST(a_whole_number_of_more_than_63_bits_is_a_number)
{
    static const char *const large[] = {"9223372036854775808", "18446744073709551615",
                                        "-9223372036854775809"};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        json_t *found = value_of("states", large[i]);
        assert_true(json_is_real(found));
        assert_true(json_real_value(found) == strtod(large[i], NULL));
        json_decref(found);
    }
    json_t *largest = value_of("states", "9223372036854775807");
    assert_true(json_is_integer(largest));
    assert_true(json_integer_value(largest) == INT64_MAX);
    json_decref(largest);
}

TEST(the_first_of_two_equal_keys_counts)
{
    struct reply reply;
    struct pz_error error;
    assert_true(reply_parse(&reply, "OK moves=1 moves=2", 18, &error));
    json_t *object = json_of_reply(&reply);
    assert_int_equal(json_integer_value(json_object_get(object, "moves")), 1);
    assert_string_equal(reply_text(&reply, "moves"), "1");
    json_decref(object);
    reply_clear(&reply);
}

TEST(what_cannot_be_written_is_told)
{
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    (void)setvbuf(full, NULL, _IONBF, 0);
    assert_false(json_write(json_of_error("busy", true, "later"), full));
    json_t *error = json_of_error("usage", false, "no file \xff\xfe.txt");
    assert_non_null(error);
    assert_string_equal(json_string_value(json_object_get(json_object_get(error, "error"), "text")),
                        "no file ??.txt");
    json_decref(error);
    assert_false(json_write(NULL, full));
    (void)fclose(full);
}
