/* SPDX-License-Identifier: MIT */
/* Numbers, histograms, progress lines, tables and boards, as text. */
#include "client/jobs/progress.h"
#include "client/show/chart.h"
#include "client/show/frames.h"
#include "client/show/number.h"
#include "client/show/picture.h"
#include "client/show/svg_pieces.h"
#include "client/show/text_table.h"
#include "client_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(numbers_read_well)
{
    char out[NUMBER_TEXT_MAX];
    assert_string_equal(number_grouped(out, 0), "0");
    assert_string_equal(number_grouped(out, 999), "999");
    assert_string_equal(number_grouped(out, 239500800), "239,500,800");
    assert_string_equal(number_grouped(out, -1234), "-1,234");
    assert_string_equal(number_grouped(out, -123), "-123");
    assert_string_equal(number_grouped(out, INT64_MAX), "9,223,372,036,854,775,807");
    assert_string_equal(number_bytes(out, 512), "512");
    assert_string_equal(number_bytes(out, 6657199309.0), "6.2G");
    assert_string_equal(number_bytes(out, 1023.9 * 1024 * 1024), "1.0G");
    assert_string_equal(number_count(out, 12300000), "12.3M");
    assert_string_equal(number_count(out, 999999), "1.0M");
    assert_string_equal(number_count(out, 653837184000.0), "654G");
    assert_string_equal(number_seconds(out, 0.0021), "2.1 ms");
    assert_string_equal(number_seconds(out, 0.26), "0.26 s");
    assert_string_equal(number_seconds(out, 187), "3:07");
    assert_string_equal(number_seconds(out, 14940), "4:09:00");
}

TEST(histogram_scales_to_the_width)
{
    static const struct level levels[] = {{0, 1}, {1, 2}, {2, 4}, {10, 8}};
    struct text out = {0};
    histogram_draw(levels, 4, 25, true, &out);
    assert_string_equal(text_string(&out), "  0  1  ##\n"
                                           "  1  2  ####\n"
                                           "  2  4  ########\n"
                                           " 10  8  ################\n");
    text_clear(&out);
    histogram_draw(levels, 4, 25, false, &out);
    check_contains(out.data, " 10  8  ████████████████\n");
    text_free(&out);
}

TEST(no_histogram_line_is_wider_than_the_terminal)
{
    static const struct level levels[] = {{0, 1}, {31, 24047}, {32, 0}, {107, 1145948314}};
    for (unsigned width = 40; width <= 240; width += 7) {
        struct text out = {0};
        histogram_draw(levels, 4, width, width % 2 == 0, &out);
        for (char *line = strtok(out.data, "\n"); line != NULL; line = strtok(NULL, "\n"))
            assert_true(terminal_columns(line) <= width);
        text_free(&out);
    }
}

TEST(a_level_with_a_single_state_shows_and_an_empty_one_does_not)
{
    static const struct level levels[] = {{0, 1}, {1, 0}, {2, 1000000}};
    struct text out = {0};
    histogram_draw(levels, 3, 40, false, &out);
    check_contains(out.data, " 0          1  ▏\n 1          0  \n");
    text_free(&out);
    histogram_draw(levels, 0, 40, false, &out);
    assert_string_equal(text_string(&out), "");
    text_free(&out);
}

static struct reply event(const char *line)
{
    struct reply reply;
    struct pz_error error = {0};
    if (!reply_parse(&reply, line, strlen(line), &error))
        fail_msg("%s", error.text);
    return reply;
}

TEST(progress_line_tells_level_states_rate_memory_and_time)
{
    char line[512];
    struct reply reply = event("EVENT seq=1 job=7 state=running phase=search level=21 frontier=9100000 "
                               "states=54200000 rate=12300000 bytes=650000000 done=0.42 seconds=4.41");
    progress_text(&reply, 120, line, sizeof line);
    assert_string_equal(line,
                        "job 7  running  level 21 42%  frontier 9.1M  54.2M states  12.3M/s  620M  4.41 s");
    progress_text(&reply, 30, line, sizeof line);
    assert_string_equal(line, "job 7  running  level 21 42%  ");
    reply_clear(&reply);
    reply = event("EVENT seq=2 job=7 state=running phase=store done=0.5");
    progress_text(&reply, 120, line, sizeof line);
    assert_string_equal(line, "job 7  running (store) 50%");
    reply_clear(&reply);
    reply = event("EVENT seq=3 job=7 state=running phase=search level=3 seconds=1.5 ranks=8 slowest=2");
    progress_text(&reply, 120, line, sizeof line);
    assert_string_equal(line, "job 7  running  level 3  1.50 s  8 ranks, slowest 2");
    reply_clear(&reply);
}

TEST(building_of_databases_is_explained_once_on_a_terminal)
{
    char bytes[512] = "";
    struct reply reply = event("EVENT seq=1 job=7 state=running phase=pdb level=3 seconds=5");
    struct progress_line progress;
    struct terminal terminal = {.err = fmemopen(bytes, sizeof bytes, "w"), .width = 80, .err_tty = true};
    progress_begin(&progress, &terminal, false);
    progress_show(&progress, &reply);
    progress_show(&progress, &reply);
    (void)fclose(terminal.err);
    assert_string_equal(
        bytes,
        "Pattern databases are built first, only this once: they are kept. For the 15- or 24-puzzle it\n"
        "takes some 5 s on two quiet cores, for the 3x3x3 cube a minute or two.\n"
        "\rjob 7  running (builds databases)  level 3  5.00 s\033[K"
        "\rjob 7  running (builds databases)  level 3  5.00 s\033[K");
    reply_clear(&reply);
    reply = event("EVENT seq=1 job=7 state=running phase=wait seconds=5");
    progress_text(&reply, 120, bytes, sizeof bytes);
    assert_string_equal(bytes, "job 7  running (waits for another job's databases)  5.00 s");
    reply_clear(&reply);
}

TEST(progress_is_rewritten_on_a_terminal_and_silent_elsewhere)
{
    char bytes[256] = "";
    struct reply reply = event("EVENT seq=1 job=7 state=running level=3 seconds=5");
    struct progress_line progress;
    struct terminal terminal = {.err = fmemopen(bytes, sizeof bytes, "w"), .width = 80, .err_tty = true};
    progress_begin(&progress, &terminal, false);
    progress_show(&progress, &reply);
    assert_string_equal(bytes, "\rjob 7  running  level 3  5.00 s\033[K");
    progress_wipe(&progress);
    assert_false(progress.shown);
    progress_begin(&progress, &terminal, true);
    assert_false(progress.enabled);
    struct reply fresh = event("EVENT seq=1 job=7 state=running level=1 seconds=0.1");
    progress_begin(&progress, &terminal, false);
    progress.begun += 1e6; /* however slow the machine is */
    progress_show(&progress, &fresh);
    assert_false(progress.shown);
    progress.begun = 0;
    progress_show(&progress, &fresh);
    assert_true(progress.shown);
    reply_clear(&fresh);
    terminal.err_tty = false;
    progress_begin(&progress, &terminal, false);
    progress_show(&progress, &reply);
    assert_false(progress.shown);
    (void)fclose(terminal.err);
    reply_clear(&reply);
}

TEST(wide_characters_count_twice)
{
    assert_int_equal(terminal_columns("abc"), 3);
    assert_int_equal(terminal_columns("横刀立马"), 8);
    assert_int_equal(terminal_columns("é█"), 2);
    assert_int_equal(terminal_columns(""), 0);
}

/* Adds a frame of a board in rows. */
static void add_frame(struct frames *frames, const char *caption, const char *rows)
{
    assert_true(frames_of_rows(rows, '|', frames));
    char **own = &frames->frames[frames->count - 1].caption;
    free(*own);
    *own = strdup(caption);
}

TEST(path_is_drawn_board_by_board_in_rows_of_the_width)
{
    struct text out = {0};
    struct frames frames = {0};
    add_frame(&frames, "start", " 1 2 3| 4 . 5");
    add_frame(&frames, "1 right", " 1 2 3| 4 5 .");
    frames_draw(&frames, 20, &out);
    assert_string_equal(text_string(&out), "start\n 1 2 3\n 4 . 5\n\n1 right\n 1 2 3\n 4 5 .\n\n");
    add_frame(&frames, "2 left", " 1 2 3| 4 . 5");
    text_clear(&out);
    frames_draw(&frames, 44, &out);
    assert_string_equal(text_string(&out), "start         1 right       2 left\n"
                                           " 1 2 3         1 2 3         1 2 3\n"
                                           " 4 . 5         4 5 .         4 . 5\n\n");
    frames_free(&frames);
    text_free(&out);
}

TEST(boards_stand_side_by_side_without_captions)
{
    struct text out = {0};
    struct frames frames = {0};
    add_frame(&frames, "", " . 1| 2 3");
    add_frame(&frames, "", " 3 2| 1 .");
    frames_draw(&frames, 80, &out);
    assert_string_equal(text_string(&out), " . 1           3 2\n 2 3           1 .\n\n");
    frames_free(&frames);
    assert_true(frames_of_rows("A--A/|..|", '/', &frames));
    text_clear(&out);
    frames_draw(&frames, 80, &out);
    assert_string_equal(text_string(&out), "A--A\n|..|\n\n");
    frames_free(&frames);
    text_free(&out);
}

TEST(pictures_are_whole_and_escape_what_they_hold)
{
    struct text out = {0};
    struct frames frames = {0};
    add_frame(&frames, "start", " 1 2 3| 4 . 5");
    assert_true(frames_of_rows("<&>", '/', &frames));
    picture_svg(&frames, "a <title>", &out);
    check_contains(out.data, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    check_contains(out.data, "a &lt;title&gt;");
    check_contains(out.data, " 1 2 3</text>"); /* in letters, where pieces are not known */
    check_contains(out.data, "&lt;&amp;&gt;");
    assert_string_equal(out.data + out.length - strlen("</svg>\n"), "</svg>\n");
    text_clear(&out);
    picture_html(&frames, "t", &out);
    check_contains(out.data, "ArrowRight");
    assert_null(strstr(out.data, "http"));
    frames_free(&frames);
    text_free(&out);
}

/* Whatever a server sends as pieces: what cannot be read ends the drawing, what is odd is escaped. */
TEST(pieces_are_shapes_with_texts)
{
    static const struct {
        const char *pieces, *shown;
    } boards[] = {
        {"1x1 tile:a:0,0:12",
         "<g class=\"piece tile\"><rect class=\"shape\" x=\"0.4\" y=\"0.4\" width=\"9.2\" "
         "height=\"9.2\" rx=\"1\"/><text x=\"5\" y=\"5\" dy=\".35em\">12</text></g>"},
        {"2x1 tile:a:1,0:a:b", "<text x=\"15\" y=\"5\" dy=\".35em\" class=\"long\">a:b</text>"},
        {"2x1 tile:a:1,0:<&", "&lt;&amp;</text>"},
        {"2x1 tile\"onload=x:a:1,0", "piece tile&quot;onload=x\""},
        {"2x1 player:a:1,0", "<path class=\"shape\" d=\"M10.4 5C"},
        {"1x1 box:b:0,0", "<path class=\"drawn\""},
        {"3x1 block2-car:B:0,0,2,1", "class=\"glass\""},
        {"3x1 block2-car:B:0,0,2,1", "<text x=\"2.2\" y=\"2.4\" dy=\".35em\" class=\"tag\">B</text>"},
        {"2x2 chief-caocao:A:0,0,2,2",
         ">曹操</text><g><text x=\"10\" y=\"8.7\" dy=\".35em\" class=\"caption\">Cao</text>"},
        {"1x2 block2-zhangfei:H:0,0,1,2", "systemLanguage=\"zh, "},
        {"2x1 gate:gate:2,0,0,1 exit:exit:0,0,2,1 chief-car:A:0,0,2,1", "translate(20.6 5) rotate(0)"},
        {"2x1 a:a:0,0;1,0", "<rect class=\"shape\" x=\"5\" y=\"0.4\" width=\"10\" height=\"9.2\" rx=\"0\"/>"},
        {"2x1 water:a:0,0.5,1,0.01", "height=\"0\""},
        {"2x1 jug:a:0,0.5,1,0.5", "d=\"M0.4 5.4L0.4 9.6L9.6 9.6L9.6 5.4\""}, /* it has no lid */
        {"2x1 line:a:0,0 x", "piece line"}};
    static const char *const wrong[] = {"2x1 a",
                                        "2x1 a:b",
                                        "2x1 a:b:",
                                        "2x1 a:b:1",
                                        "2x1 a:b:1,2,3",
                                        "2x1 a:b:1,2,3,4,5",
                                        "2x1 a:b:x,y",
                                        "2x1 a:b:1,2x",
                                        "2x1  ",
                                        "0x1 a:b:1,1",
                                        "x",
                                        "-1x9 a:b:1,1",
                                        "2"};
    struct text out = {0};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        text_clear(&out);
        pieces_svg(boards[i].pieces, &out);
        check_contains(out.data, boards[i].shown);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text_clear(&out);
        pieces_svg(wrong[i], &out);
        assert_null(strstr(text_string(&out), "class=\"piece"));
    }
    /* A line of link-up may have as many pieces as the board has cells. */
    struct text line = {0};
    text_add(&line, "99x1 line:a:");
    for (int x = 0; x < 99; x++)
        text_format(&line, "%s%d,0", x > 0 ? ";" : "", x);
    text_clear(&out);
    pieces_svg(text_string(&line), &out);
    check_contains(out.data, "x=\"980.4\"");
    /* The same cells again and again, as no daemon says them, do not make a square of their number. */
    text_clear(&line);
    text_clear(&out);
    text_add(&line, "2x1 line:a:0,0");
    for (int i = 0; i < 1000; i++)
        text_format(&line, ";%d,0", i % 2);
    pieces_svg(text_string(&line), &out);
    assert_in_range(out.length, 1000, 1000000);
    text_free(&line);
    text_free(&out);
    check_contains(pieces_style(), ".piece.wall .shape { fill: #");
    assert_null(strstr(pieces_style(), "var("));
}

TEST(a_frame_that_is_open_shows_no_exit)
{
    struct text out = {0};
    pieces_svg("2x1 exit:exit:0,0,1,1", &out);
    check_contains(out.data, "piece exit");
    text_clear(&out);
    pieces_svg("2x1 gate:gate:0,0,0,1 exit:exit:0,0,1,1", &out);
    assert_null(strstr(out.data, "piece exit"));
    text_free(&out);
}

static struct play_frame frame_of(const char *pieces, const char *move)
{
    return (struct play_frame){.caption = strdup(""),
                               .board = strdup(""),
                               .drawing = strdup(""),
                               .pieces = strdup(pieces),
                               .move = move != NULL ? strdup(move) : NULL};
}

static void drop_frames(struct play_frame *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].caption);
        free(list[i].board);
        free(list[i].drawing);
        free(list[i].pieces);
        free(list[i].move);
    }
}

/* As DRAW tells the boards: two equal blocks have exchanged their letters in the second one. */
TEST(blocks_keep_their_letters_along_a_path_and_moves_name_them)
{
    struct play_frame list[] = {frame_of("2x2 block1:N:0,0 block1:O:0,1", NULL),
                                frame_of("2x2 block1:N:1,0 block1:O:0,1", "0.0:R"),
                                frame_of("2x2 block1:N:0,0 block1:O:1,0", "1.0:U"),
                                frame_of("2x2 block1:N:0,0 block1:O:0,1", "0.1:DL")};
    struct frames frames = {list, 4, 4, false};
    assert_true(frames_name(&frames, 0));
    assert_string_equal(list[1].caption, "1. N→");
    assert_string_equal(list[2].caption, "2. O↑");
    assert_string_equal(list[2].pieces, "2x2 block1:O:0,0 block1:N:1,0");
    assert_string_equal(list[3].move, "N↓←");
    assert_string_equal(list[3].pieces, "2x2 block1:O:0,0 block1:N:0,1");
    drop_frames(list, 4);
}

TEST(blocks_of_a_board_whose_sides_round_up_to_too_many_cells_keep_their_names)
{
    struct play_frame list[] = {frame_of("10.5x6 block1:N:0,0", NULL),
                                frame_of("10.5x6 block1:O:1,0", "0.0:R")};
    struct frames frames = {list, 2, 2, false};
    assert_true(frames_name(&frames, 0));
    assert_string_equal(list[1].pieces, "10.5x6 block1:O:1,0");
    drop_frames(list, 2);
}

TEST(a_move_of_a_tile_names_the_tile)
{
    struct play_frame list[] = {frame_of("2x1 tile:8-1:0,0:8", NULL), frame_of("2x1 tile:8-1:1,0:8", "L")};
    struct frames frames = {list, 2, 2, false};
    assert_true(frames_name(&frames, 0));
    assert_string_equal(list[1].caption, "1. 8→");
    drop_frames(list, 2);
}

TEST(where_a_move_of_several_tiles_has_no_name_all_moves_stay_as_they_are)
{
    struct play_frame list[] = {frame_of("3x2 tile:4:0,0:4 tile:5:0,1:5", NULL),
                                frame_of("3x2 tile:4:1,0:4 tile:5:0,1:5", "L"),
                                frame_of("3x2 tile:4:2,0:4 tile:5:1,1:5", "R2")};
    struct frames frames = {list, 3, 3, false};
    assert_true(frames_name(&frames, 0));
    assert_string_equal(list[1].move, "L");
    assert_string_equal(list[2].move, "R2");
    drop_frames(list, 3);
}

TEST(tables_align_and_leave_empty_columns_out)
{
    static const struct table_column columns[] = {
        {"name", "name"}, {"none", "nothing"}, {"n", "n"}, {"last", "last"}, {0}};
    struct reply records[] = {event("name=a n=12345 last=x"), event("name=longer n=7 last=y")};
    struct text out = {0};
    table_draw(records, 2, columns, &(struct terminal){.width = 80}, &out);
    assert_string_equal(text_string(&out), "name         n  last\n"
                                           "a       12,345  x\n"
                                           "longer       7  y\n");
    text_clear(&out);
    table_block(&records[0], columns, 0, &out);
    assert_string_equal(text_string(&out), "name  a\nn     12,345\nlast  x\n");
    text_free(&out);
    reply_clear(&records[0]);
    reply_clear(&records[1]);
}

/* "what it is" is cut first, then columns are left out, then the puzzle's name is cut. */
TEST(a_narrow_table_cuts_what_identifies_last)
{
    static const struct table_column columns[] = {
        {"job", "job"}, {"puzzle", "puzzle"}, {"request", "asked"}, {"state", "state"}, {0}};
    struct reply record =
        event("job=1 puzzle=klotski:AAB/CC@ request=a-long-text-that-can-be-cut state=done");
    static const struct {
        unsigned width;
        const char *shown;
    } rows[] = {
        {80, "job  puzzle           asked                        state\n  1  klotski:AAB/CC@  "
             "a-long-text-that-can-be-cut  done\n"},
        {45, "job  puzzle           asked             state\n  1  klotski:AAB/CC@  a-long-text-tha…  done\n"},
        {36, "job  puzzle           asked\n  1  klotski:AAB/CC@  a-long-text…\n"},
        {22, "job  puzzle\n  1  klotski:AAB/C…\n"},
        {18, "job  puzzle\n  1  klotski:AAB…\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text out = {0};
        table_draw(&record, 1, columns, &(struct terminal){.width = rows[i].width, .out_tty = true}, &out);
        assert_string_equal(text_string(&out), rows[i].shown);
        text_free(&out);
    }
    reply_clear(&record);
}
