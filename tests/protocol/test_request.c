/* SPDX-License-Identifier: MIT */
/* Taking a request line apart. */
#include "protocol/request.h"
#include "protocol/text/text.h"
#include "protocol/text/utf8.h"
#include "specification.h"

#include <stdlib.h>
#include <string.h>

static struct request request;

static const char *value_of(const char *key)
{
    for (unsigned i = 0; i < request.key_count; i++)
        if (strcmp(request.key[i].key, key) == 0)
            return request.key[i].value;
    return NULL;
}

static enum pz_status parse(const char *line)
{
    struct pz_error error;
    return request_parse(&request, line, strlen(line), &error);
}

TEST(words_are_verb_arguments_and_keys)
{
    assert_int_equal(parse("  solve   3x3 Start=867254301  METHOD=bfs "), PZ_OK);
    assert_string_equal(request.word, "SOLVE");
    assert_int_equal(request.argument_count, 1);
    assert_string_equal(request.argument[0], "3x3");
    assert_int_equal(request.key_count, 2);
    assert_string_equal(value_of("start"), "867254301");
    assert_string_equal(value_of("method"), "bfs");
    assert_null(value_of("goal"));
    assert_null(request.tag);
}

TEST(quotes_keep_spaces_and_make_arguments)
{
    assert_int_equal(parse("DISTANCE 3x3 \"8 6 7 2 5 4 3 0 1\" goal=\"a \\\"b\\\" \\\\c\""), PZ_OK);
    assert_string_equal(request.argument[1], "8 6 7 2 5 4 3 0 1");
    assert_string_equal(value_of("goal"), "a \"b\" \\c");
    assert_int_equal(parse("PATH x \"a=b\""), PZ_OK);
    assert_int_equal(request.argument_count, 2);
    assert_string_equal(request.argument[1], "a=b");
    assert_int_equal(parse("PATH x=\"\" \"\""), PZ_OK);
    assert_string_equal(value_of("x"), "");
    assert_string_equal(request.argument[0], "");
    assert_int_equal(parse("PATH \"open"), PZ_BAD_REQUEST);
}

TEST(a_tag_is_kept_apart_also_of_a_wrong_request)
{
    assert_int_equal(parse("PING a=1 tag=t1 a=2"), PZ_BAD_REQUEST);
    assert_string_equal(request.tag, "t1");
    assert_int_equal(parse("PING a=1 a=2 tag=t2"), PZ_BAD_REQUEST);
    assert_string_equal(request.tag, "t2");
    assert_int_equal(request.key_count, 1);
}

TEST(text_with_other_letters_is_a_word_like_others)
{
    assert_int_equal(parse("EXPLORE klotski:横刀立马 root=é"), PZ_OK);
    assert_string_equal(request.argument[0], "klotski:横刀立马");
}

TEST(broken_utf8_is_found_where_it_begins)
{
    static const struct {
        const char *bytes;
        size_t at;
    } broken[] = {{"ab\x80", 2},
                  {"\xC0\x80", 0},
                  {"a\xE0\x9F\xBF", 1},
                  {"\xED\xA0\x80", 0},
                  {"\xF0\x8F\xBF\xBF", 0},
                  {"\xF4\x90\x80\x80", 0},
                  {"\xF5\x80\x80\x80", 0},
                  {"a\xE6\xA8", 1},
                  {"\xC3", 0},
                  {"a\tb", 1},
                  {"\xC2\x85", 0}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        assert_false(utf8_is_clean(broken[i].bytes, strlen(broken[i].bytes), &at));
        assert_int_equal(at, broken[i].at);
    }
    assert_true(utf8_is_clean("\xF4\x8F\xBF\xBF\xED\x9F\xBF\xEE\x80\x80\xC2\xA0", 12, &at));
}

TEST(the_longest_line_fits_and_words_beyond_count_are_refused)
{
    char line[PROTOCOL_LINE_MAX + 2];
    struct pz_error error;
    memset(line, 'a', sizeof line);
    assert_int_equal(request_parse(&request, line, PROTOCOL_LINE_MAX, &error), PZ_OK);
    assert_int_equal(strlen(request.word), PROTOCOL_LINE_MAX);
    assert_int_equal(request_parse(&request, line, PROTOCOL_LINE_MAX + 1, &error), PZ_BAD_REQUEST);
    for (size_t i = 1; i < sizeof line; i += 2)
        line[i] = ' ';
    assert_int_equal(request_parse(&request, line, PROTOCOL_LINE_MAX, &error), PZ_BAD_REQUEST);
    assert_int_equal(request.argument_count, PROTOCOL_ARGUMENTS_MAX);
}

TEST(what_a_reply_quotes_a_request_reads_back)
{
    struct text text = {0};
    text_add(&text, "SOLVE");
    text_key(&text, "a", "with space");
    text_key(&text, "b", "with \"quotes\" and \\");
    text_key(&text, "c", "");
    text_key(&text, "d", "bare");
    assert_int_equal(parse(text.data), PZ_OK);
    assert_string_equal(value_of("a"), "with space");
    assert_string_equal(value_of("b"), "with \"quotes\" and \\");
    assert_string_equal(value_of("c"), "");
    assert_string_equal(value_of("d"), "bare");
    text_free(&text);
}

TEST(a_puzzle_may_have_its_chinese_name_and_full_width_signs)
{
    static const char *const pairs[][2] = {
        {"SOLVE 华容道：横刀立马", "klotski:横刀立马"},
        {"EXPLORE 数字华容道:3×4", "slide:3x4"},
        {"EXPLORE ３ｘ４", "3x4"},
        {"PUZZLES 華容道", "klotski"},
        {"DISTANCE 塞车:BCC BCC", "rushhour:BCC"},
        {"DISTANCE 汉诺塔：3，4 1,1,1,1", "hanoi:3,4"},
        {"GRAPH 煎饼:4", "pancake:4"},
        {"SOLVE 魔方 start=solved", "cube3"},
        {"EXPLORE 二阶魔方", "cube2"},
        {"DISTANCE klotski:x @", "klotski:x"},
        {"HELP 华容道", "华容道"}, /* no puzzle is asked for */
    };
    struct pz_error error;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(parse(pairs[i][0]), PZ_OK);
        (void)request_understand(&request, &error);
        assert_string_equal(request.argument[0], pairs[i][1]);
    }
}

TEST(a_request_of_the_daemons_own_is_understood_like_a_line)
{
    struct pz_error error;
    static char long_word[PROTOCOL_LINE_MAX];
    request_begin(&request, VERB_EXPLORE);
    assert_true(request_add(&request, NULL, "jugs:3,5") && request_add(&request, "goal", "a \"b\" \\c"));
    assert_true(request_add(&request, "root", NULL) && request_add(&request, "time", "2s"));
    assert_true(request_add(&request, "tap", "no"));
    assert_false(request_add(&request, "time", "3s")); /* twice */
    assert_int_equal(request_understand(&request, &error), PZ_OK);
    assert_string_equal(request_text(&request, KEY_GOAL), "a \"b\" \\c");
    assert_null(request_text(&request, KEY_ROOT));
    assert_true(request_seconds(&request, KEY_TIME, 0) == 2);
    assert_int_equal(request.puzzle_key_count, 1);
    memset(long_word, 'x', sizeof long_word - 1);
    assert_false(request_add(&request, "root", long_word));
}

TEST(a_board_in_lines_is_read_as_a_files)
{
    struct pz_error error;
    assert_int_equal(parse("PATH sokoban \"; One%0A#####%0A#@$.#%0A#####%0A\" goal=x"), PZ_OK);
    assert_int_equal(request_understand(&request, &error), PZ_OK);
    assert_string_equal(request.argument[1], "#####/#@$.#/#####");
    assert_int_equal(parse("SOLVE 3x3 start=\"3%0A6 7 3 # row%0A1 0 4%0A8 2 5\""), PZ_OK);
    assert_int_equal(request_understand(&request, &error), PZ_OK);
    assert_string_equal(request_text(&request, KEY_START), "6 7 3/1 0 4/8 2 5");
    assert_int_equal(parse("SOLVE klotski start=\"AAB%0AA?B\""), PZ_OK);
    assert_int_equal(request_understand(&request, &error), PZ_BAD_BOARD);
    assert_string_equal(error.text,
                        "line 2, column 2: '?' cannot be in a row; cells are letters or digits, # a wall, . "
                        "or @ empty");
}
