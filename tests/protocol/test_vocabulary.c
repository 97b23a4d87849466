/* SPDX-License-Identifier: MIT */
/* The vocabulary is whole, and the pages in docs/ name exactly what it has. */
#include "protocol/request.h"
#include "protocol/vocabulary.h"
#include "specification.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A page as a string, without the backslashes that tables need before |. */
static char *read_page(const char *path)
{
    struct text text = {0};
    FILE *page = fopen(path, "r");
    assert_non_null(page);
    for (int c = fgetc(page); c != EOF; c = fgetc(page)) {
        int next = c == '\\' ? fgetc(page) : c;
        if (next != '|' && next != c)
            text_char(&text, (char)c);
        if (next != EOF)
            text_char(&text, (char)next);
    }
    (void)fclose(page);
    return text_take(&text);
}

TEST(every_key_is_taken_or_carried_and_no_word_is_there_twice)
{
    const struct key_row *row = NULL;
    for (unsigned i = 0; (row = key_row(i)) != NULL; i++) {
        if (key_find(row->word) != row)
            fail_msg("%s has two rows", row->word);
        if ((row->taken | row->carried) == 0)
            fail_msg("%s is of no use", row->word);
        assert_int_equal(i < KEYS_TAKEN, row->taken != 0);
        assert_int_equal(row->taken != 0, row->help != NULL);
        assert_int_equal(row->needed & ~row->taken, 0);
        assert_int_equal(row->type == VALUE_WORD, row->word_count > 0);
    }
}

/* In a command's help a letter stands for one option. */
TEST(letters_of_a_verb_differ)
{
    for (unsigned verb = 0; verb < VERB_COUNT; verb++) {
        bool used[128] = {false};
        for (unsigned i = 0; i < KEYS_TAKEN; i++) {
            const struct key_row *row = key_row(i);
            if ((row->taken & VERB_BIT(verb)) == 0 || row->letter == 0)
                continue;
            assert_false(used[(unsigned char)row->letter]);
            used[(unsigned char)row->letter] = true;
        }
    }
}

TEST(a_usage_is_a_request_that_is_understood)
{
    static struct request request;
    struct pz_error error;
    assert_int_equal(request_parse(&request, "sample 3x3 Depth=20", 19, &error), PZ_OK);
    assert_int_equal(request_understand(&request, &error), PZ_OK);
    assert_int_equal(request.verb, VERB_SAMPLE);
    assert_int_equal(request_number(&request, KEY_DEPTH, 0), 20);
    assert_int_equal(request_number(&request, KEY_COUNT, 1), 1);
    struct text usage = {0};
    verb_usage(VERB_SAMPLE, &usage);
    assert_string_equal(text_string(&usage),
                        "puzzle [root=BOARD] depth=N [count=N] [seed=N] [goal=BOARD] [from=root|goals]");
    text_free(&usage);
}

static void check_error(const char *line, const char *expected)
{
    static struct request request;
    struct pz_error error = {0};
    if (request_parse(&request, line, strlen(line), &error) == PZ_OK)
        assert_int_equal(request_understand(&request, &error), PZ_BAD_REQUEST);
    if (strstr(error.text, expected) == NULL)
        fail_msg("%s: '%s' lacks '%s'", line, error.text, expected);
}

TEST(what_was_meant_is_offered)
{
    check_error("SLOVE 3x3", "no verb 'SLOVE'; did you mean 'SOLVE'?; there are: EXPLORE");
    check_error("JOBS stat=done",
                "unknown key 'stat='; did you mean 'state'?; JOBS takes state after before limit");
    check_error("PING x=1", "unknown key 'x='; PING takes no keys");
    check_error("SOLVE 3x3 method=bsf",
                "method=: 'bsf' is not one of auto, table, bfs, bidirectional, astar, "
                "idastar; did you mean 'bfs'?");
    check_error("SOLVE 3x3 method=parity", "is not one of auto");
    check_error("SOLVE 3x3 priority=20", "priority=: '20' is not a whole number from -20 to 19");
    check_error("SOLVE 3x3 priority=-", "is not a whole number");
    check_error("SOLVE 3x3 memory=0", "memory=: 0 is too little");
    check_error("SAMPLE 3x3", "missing=depth SAMPLE needs depth=N");
    check_error("SAMPLE", "0 arguments given; write: SAMPLE puzzle [root=BOARD] depth=N");
    check_error("HEURISTIC 3x3", "1 argument given; write: HEURISTIC puzzle board");
    check_error("SOLVE 3x3 867254301", "2 arguments given: a board goes with start=; write: SOLVE puzzle");
    check_error("LEVELS 1 examples=17", "from 0 to 16");
}

TEST(words_and_numbers_are_read_in_any_case_and_to_their_bounds)
{
    static struct request request;
    struct pz_error error;
    const char *line = "SOLVE 3x3 METHOD=BFS priority=-20 seed=1 time=500ms";
    assert_int_equal(request_parse(&request, line, strlen(line), &error), PZ_OK);
    assert_int_equal(request_understand(&request, &error), PZ_OK);
    assert_string_equal(key_row(KEY_METHOD)->words[request_number(&request, KEY_METHOD, 0)], "bfs");
    assert_int_equal(request_number(&request, KEY_PRIORITY, 0), -20);
    assert_true(request_seconds(&request, KEY_TIME, 0) == 0.5);
    assert_int_equal(request.puzzle_key_count, 1);
    assert_string_equal(request.puzzle_key[0].key, "seed");
    line = "SAMPLE 3x3 depth=0 seed=18446744073709551615";
    assert_int_equal(request_parse(&request, line, strlen(line), &error), PZ_OK);
    assert_int_equal(request_understand(&request, &error), PZ_OK);
    assert_true((uint64_t)request_number(&request, KEY_SEED, 0) == UINT64_MAX);
}

/* Each verb's row begins with exactly its usage, and no row is of another verb. */
TEST(the_protocol_page_has_every_verb_with_its_usage)
{
    char *page = read_page(DOCS "/protocol.md");
    for (unsigned verb = 0; verb < VERB_COUNT; verb++) {
        struct text usage = {0};
        struct text cell = {0};
        verb_usage((enum verb)verb, &usage);
        text_format(&cell, "`%s%s%s`", verb_row((enum verb)verb)->word, usage.length > 0 ? " " : "",
                    text_string(&usage));
        if (strstr(page, text_string(&cell)) == NULL)
            fail_msg("docs/protocol.md lacks %s", text_string(&cell));
        text_free(&usage);
        text_free(&cell);
    }
    for (const char *at = strstr(page, "\n| `"); at != NULL; at = strstr(at, "\n| `")) {
        at += strlen("\n| `");
        size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (length > 1 && verb_find(at, length) == VERB_COUNT)
            fail_msg("docs/protocol.md has a verb '%.*s'", (int)length, at);
    }
    free(page);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The page names key= or `key`. */
static bool names_key(const char *page, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = page; (at = strstr(at, key)) != NULL; at += length)
        if (!is_word(at[-1]) && (at[length] == '=' || (at[-1] == '`' && at[length] == '`')))
            return true;
    return false;
}

TEST(the_protocol_page_names_every_key_and_no_other)
{
    /* Keys of puzzles, which this table does not have, and tag=, which stands for itself. */
    static const char *const others[] = {"tag", "key", "metric", "border", "from", "to", "symmetry"};
    char *page = read_page(DOCS "/protocol.md");
    const struct key_row *row = NULL;
    for (unsigned i = 0; (row = key_row(i)) != NULL; i++)
        if (!names_key(page, row->word))
            fail_msg("docs/protocol.md does not name %s", row->word);
    for (const char *at = page; (at = strchr(at, '=')) != NULL; at++) {
        const char *begin = at;
        char word[32] = "";
        while (begin > page && is_word(begin[-1]))
            begin--;
        if (begin == at || at - begin >= (ptrdiff_t)sizeof word)
            continue;
        memcpy(word, begin, (size_t)(at - begin));
        bool known = key_find(word) != NULL;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            known |= strcmp(word, others[i]) == 0;
        if (!known)
            fail_msg("docs/protocol.md names %s=, which no request or reply has", word);
    }
    free(page);
}

static bool is_integer(enum value_type type)
{
    return type == VALUE_NUMBER || type == VALUE_COUNT || type == VALUE_COUNTED || type == VALUE_BYTES ||
           type == VALUE_TIME;
}

static bool is_real(enum value_type type)
{
    return type == VALUE_DURATION || type == VALUE_RATE || type == VALUE_SHARE || type == VALUE_REAL;
}

static bool is_flag(enum value_type type)
{
    return type == VALUE_FLAG;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Checks that a row of docs/json.md lists exactly the keys of replies with such a type, in order. */
static void check_types(const char *page, const char *title, bool (*fits)(enum value_type))
{
    const char *words[256];
    size_t count = 0;
    const struct key_row *row = NULL;
    for (unsigned i = 0; (row = key_row(i)) != NULL; i++)
        if (row->carried != 0 && fits(row->type))
            words[count++] = row->word;
    qsort(words, count, sizeof *words, compare_words);
    struct text line = {0};
    text_format(&line, "| %s | `", title);
    for (size_t i = 0; i < count; i++)
        text_format(&line, "%s%s", i > 0 ? " " : "", words[i]);
    text_add(&line, "` |\n");
    if (strstr(page, text_string(&line)) == NULL)
        fail_msg("docs/json.md lacks %s", text_string(&line));
    text_free(&line);
}

TEST(the_json_page_has_the_types)
{
    char *page = read_page(DOCS "/json.md");
    check_types(page, "integer", is_integer);
    check_types(page, "real", is_real);
    check_types(page, "boolean", is_flag);
    free(page);
}
