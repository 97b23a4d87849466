/* SPDX-License-Identifier: MIT */
/* Puzzles that are texts: what is read, what is refused and where, and that twins of built-in ones are those.
 */
#include "plain_search.h"

#include "space/text/formats.h"
#include "space/text/library.h"
#include "space/text/psvn/psvn_space.h"

static char text_buffer[2 * DEFINITION_TEXT_MAX];

static enum pz_status try_define(const char *name, const char *text, size_t length, struct pz_error *error)
{
    struct definition *definition = NULL;
    (void)library_remove(name);
    enum pz_status status = definition_compile(DEFINITION_PSVN, name, text, length, &definition, error);
    if (status == PZ_OK)
        status = library_add(definition, NULL, error);
    definition_release(definition);
    return status;
}

static void define(const char *name, const char *text)
{
    struct pz_error error = {0};
    assert_ok(try_define(name, text, strlen(text), &error), error);
}

static void define_file(const char *name, const char *file)
{
    define(name, definition_text(text_of("%s.psvn", file)));
}

static void id_of(const char *name, char id[DEFINITION_ID_BYTES])
{
    const struct definition *definition = library_find(DEFINITION_FORMATS, name, strlen(name));
    assert_non_null(definition);
    (void)snprintf(id, DEFINITION_ID_BYTES, "%s", definition->id);
    definition_release(definition);
}

/* ---- twins ---- */

static void levels_of(const char *puzzle, const char *root, struct plain_search *search)
{
    uint64_t state[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open(puzzle, NULL, NULL, NULL, NULL);
    if (root != NULL)
        parse_state(space, root, state);
    else
        space->puzzle->goal(space, state);
    plain_explore(search, space, state, false);
    plain_free(search);
    space_close(space);
}

TEST(a_text_has_the_levels_of_the_built_in_puzzle_that_it_describes)
{
    static const char *const twins[][2] = {{"pancake8", "pancake:8"},
                                           {"topspin9", "topspin:9,4"},
                                           {"hanoi8", "hanoi:3,8"},
                                           {"slide3x3", "slide:3x3"}};
    for (size_t i = 0; i < 4; i++) {
        struct plain_search text, twin;
        define_file("twin", twins[i][0]);
        levels_of("twin", NULL, &text);
        levels_of(twins[i][1], NULL, &twin);
        assert_int_equal(text.levels, twin.levels);
        assert_memory_equal(text.level, twin.level, twin.levels * sizeof *twin.level);
    }
}

/* Lights Out 4 x 4: each of 4,096 reachable states 16 times by 2^16 sets of presses; 7 presses at most
 * (Wolfram MathWorld). n arrows: 2^(n-1) states. Blocks world: 6 blocks stand in 4,051 ways (OEIS A000262),
 * and with one of them in the hand, the others in 501 ways, 6 times. */
TEST(texts_have_the_states_that_are_published)
{
    struct plain_search search;
    define_file("lights", "lights4x4");
    levels_of("lights", NULL, &search);
    assert_int_equal(search.count, 4096);
    assert_int_equal(search.levels - 1, 7);
    define_file("arrow", "arrow12");
    levels_of("arrow", NULL, &search);
    assert_int_equal(search.count, 1 << 11);
    define_file("blocks", "blocks6");
    levels_of("blocks", NULL, &search);
    assert_int_equal(search.count, 4051 + 6 * 501);
}

TEST(the_vectors_of_a_small_space_have_numbers)
{
    define("wheel", "DOMAIN d 3 a b c 3 d 4 2N a X - => b X - b - - => a - - GOAL a 0 1");
    struct pz_space *space = plain_open("wheel", NULL, NULL, NULL, NULL);
    assert_int_equal(space_count(space), 24);
    for (uint64_t number = 0; number < 24; number++) {
        uint64_t at = UINT64_MAX;
        space->puzzle->unrank(space, number, &at);
        assert_true(space->puzzle->valid(space, &at));
        assert_int_equal(space->puzzle->rank(space, &at), number);
    }
    space_close(space);
    define_file("pancakes", "pancake8");
    space = plain_open("pancakes", NULL, NULL, NULL, NULL);
    assert_int_equal(space_count(space), 0); /* 8^8 vectors, of which 8! are reached */
    space_close(space);
}

/* ---- names ---- */

static const char small[] = "DOMAIN d 2 a b\n2 d d\na X => X - LABEL go # comment\nGOAL b b\n";

TEST(spaces_names_and_comments_make_no_other_puzzle)
{
    static const char *const same[] = {
        "domain other 2 a b 2 other other A q => Q - label go goal b b",
        "DOMAIN unused 2 x y DOMAIN d 2 a b 2 D D a X => X X LABEL go a X => a X GOAL b b"};
    static const char *const others[] = {"DOMAIN d 2 a c 2 d d a X => X - LABEL go GOAL c c",
                                         "DOMAIN d 2 a b 2 d d a X => X - LABEL gone GOAL b b",
                                         "DOMAIN d 2 a b 2 d d a X => X - LABEL go GOAL b -",
                                         "DOMAIN d 2 b a 2 d d a X => X - LABEL go GOAL b b"};
    char id[DEFINITION_ID_BYTES], other[DEFINITION_ID_BYTES];
    define("small", small);
    id_of("small", id);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        define("same", same[i]);
        id_of("same", other);
        assert_string_equal(id, other);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        define("other", others[i]);
        id_of("other", other);
        assert_string_not_equal(id, other);
    }
}

/* They were made to share the 64 bits of XXH3 that ids once were: 5,942,325,208 hashes, two minutes. */
TEST(texts_that_were_made_to_share_a_short_hash_have_ids_of_their_own)
{
    char id[DEFINITION_ID_BYTES], other[DEFINITION_ID_BYTES];
    define("one", "1 2 0 => 1 LABEL l54477606bc74f692 GOAL 1");
    define("other", "1 2 0 => 1 LABEL l6fdfd8dc052e88d3 GOAL 1");
    id_of("one", id);
    id_of("other", other);
    assert_string_not_equal(id, other);
    assert_int_equal(strlen(id), DEFINITION_ID_BYTES - 1);
}

TEST(a_space_is_named_by_the_id_and_outlives_its_definition)
{
    char id[DEFINITION_ID_BYTES], name[PZ_SIZE_MAX + 64], expected[64], text[PZ_TEXT_MAX];
    uint64_t goal[PZ_STATE_MAX / 8];
    define("small", small);
    id_of("small", id);
    struct pz_space *space = plain_open("small", NULL, "b -", NULL, NULL);
    (void)space_name(space, name);
    (void)snprintf(expected, sizeof expected, "psvn:%s,goal:b:-", id);
    assert_string_equal(name, expected);
    struct pz_space *again = plain_open(name, NULL, NULL, NULL, NULL);
    assert_string_equal(again->size, space->size);
    space_close(again);
    again = plain_open("psvn:small", NULL, NULL, NULL, NULL);
    assert_true(library_remove("small"));
    again->puzzle->goal(again, goal);
    (void)again->puzzle->print(again, goal, text);
    assert_string_equal(text, "b,b");
    space_close(again);
    space_close(space);
    assert_false(library_remove("small"));
}

TEST(a_format_alone_names_no_definition)
{
    char *format = strdup("psvn");
    char name[DEFINITION_NAME_MAX];
    assert_int_equal(library_standing(format), LIBRARY_THERE);
    assert_int_equal(library_standing("psvn:"), LIBRARY_ABSENT);
    assert_false(library_name_of(format, name));
    free(format);
}

TEST(a_goal_has_one_name_however_it_is_written)
{
    define("small", small);
    struct pz_space *space = plain_open("small", NULL, "b,-", NULL, NULL);
    static const char *const spellings[] = {"B -", "b:-", " b , - "};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        struct pz_space *other = plain_open("small", NULL, spellings[i], NULL, NULL);
        assert_string_equal(other->size, space->size);
        space_close(other);
    }
    space_close(space);
    assert_true(library_remove("small"));
}

/* Values of 60 letters: a state of 16 has a name, but no option behind it; one of 17 has none. */
TEST(what_does_not_fit_into_a_name_is_refused)
{
    char value[61] = "", text[4096], goal[2048] = "";
    memset(value, 'a', 60);
    for (unsigned places = 16; places <= 17; places++) {
        size_t length = (size_t)snprintf(text, sizeof text, "DOMAIN d 2 b %s %u", value, places);
        for (unsigned i = 0; i < places; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, " d");
        for (unsigned i = 0; i < 2 * places; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s %s", i == places ? " =>" : "",
                                       i == 0        ? "b"
                                       : i == places ? value
                                                     : "-");
        define("long", text);
        for (size_t i = 0, at = 0; i < places; i++)
            at += (size_t)snprintf(goal + at, sizeof goal - at, "%s%s", i > 0 ? "," : "", value);
        plain_assert_refused(PZ_TOO_LARGE, places == 16 ? "backwards=" : "goal=", "long", NULL, goal,
                             "backwards", "yes");
    }
    assert_true(library_remove("long"));
}

TEST(a_listing_leaves_out_no_definition_that_stays_while_others_go_and_come)
{
    const struct definition *definition = NULL;
    unsigned stayed = 0;
    define("row1", small);
    define("row2", small);
    define("row4", small);
    while ((definition = library_next(definition)) != NULL) {
        stayed += strcmp(definition->name, "row2") == 0 || strcmp(definition->name, "row4") == 0;
        if (strcmp(definition->name, "row1") == 0)
            assert_true(library_remove("row1"));
        if (strcmp(definition->name, "row2") == 0)
            define("row0", small);
    }
    assert_int_equal(stayed, 2);
    assert_true(library_remove("row0") && library_remove("row2") && library_remove("row4"));
}

/* ---- what a space says of itself ---- */

static uint32_t flags_of(const char *text)
{
    define("flags", text);
    struct pz_space *space = plain_open("flags", NULL, NULL, NULL, NULL);
    const uint32_t flags = space->flags;
    space_close(space);
    return flags;
}

TEST(moves_can_be_undone_where_the_rules_say_so)
{
    assert_int_equal(flags_of("2 2 2 0 1 => 1 0 1 0 => 0 1 GOAL 0 1"), PZ_REVERSIBLE | PZ_UNIQUE_GOAL);
    assert_int_equal(flags_of("2 2 2 0 1 => 1 0 GOAL 0 1"), PZ_UNIQUE_GOAL);
    assert_int_equal(flags_of("1 3 - => X"), PZ_REVERSIBLE | PZ_NO_GOAL);
    assert_int_equal(flags_of("1 3 - => 1 GOAL 1 GOAL 2"), 0);
    assert_int_equal(flags_of("3 3 3 3 X Y - => Y X - GOAL 1 - 2"), PZ_REVERSIBLE);
    assert_int_equal(flags_of("2 3 3 X X => X - X Y => Y X GOAL 1 X GOAL X X"), PZ_REVERSIBLE);
}

/* ---- refused ---- */

#define NUMBERS_4  "65536 65536 65536 65536 "
#define NUMBERS_32 NUMBERS_4 NUMBERS_4 NUMBERS_4 NUMBERS_4 NUMBERS_4 NUMBERS_4 NUMBERS_4 NUMBERS_4
#define WORDS_32   "32 " NUMBERS_32 /* 512 bits */
#define OPEN_31    "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - "

TEST(each_error_says_where_and_what_would_be_right)
{
    static const char *const faults[][2] = {
        {"", "line 1, column 1: the text ends, the number of variables is missing"},
        {"2 3 3\n0 - = 1 -", "line 2, column 5: '=' stands where => is missing"},
        {"2 3 3\n0 - => 1", "line 2, column 9: the text ends, variable 2 of 2 of the right side is missing"},
        {"2 3 3\n0 - => 1 LABEL x", "'LABEL' stands where variable 2 of 2 of the right side is missing"},
        {"2 3 kind\n0 - => 1 -", "line 1, column 5: 'kind' is no domain"},
        {"DOMAIN k 2 a A 1 k", "line 1, column 14: 'A' is a value of k already"},
        {"DOMAIN k 2 a - 1 k", "line 1, column 14: '-' cannot be a value: it means any"},
        {"DOMAIN 3N 2 a b 1 k", "line 1, column 8: '3N' is a domain of numbers already"},
        {"DOMAIN k 2 a b DOMAIN K 2 a b", "line 1, column 23: a domain 'K' is already there"},
        {"DOMAIN k 257", "line 1, column 10: '257' values in domain k; 1 to 256"},
        {"257", "line 1, column 1: '257' variables; 1 to 256"},
        {"1 65537", "'65537' is no domain"},
        {"1 3 0 => 1 COST 1000000000", "line 1, column 17: '1000000000' is no cost; 0 to 999999999"},
        {"1 3 0 => 1 COST -1", "line 1, column 17: '-1' is no cost"},
        {"1 3 GOAL 0", "line 1, column 11: the text ends without a rule"},
        {"1 3 1 => 1", "no rule of the text changes anything"},
        {"1 3\n0 => 1 LABEL a,b", "line 2, column 15: byte 0x2C in a word"},
        {"1 3\n\n 0 => \xC3", "line 3, column 7: byte 0xC3 in a word"},
        {"1 65536 - => X", "a state may have 65536 moves; 4096 at most"},
        {"3 99 99 99 - - - => X Y Z", "line 1: with the values of the names that left sides do not bind"},
        {WORDS_32 "0 " OPEN_31 "=> 1 " OPEN_31, NULL},
        {"33 " NUMBERS_32 "2 0 - " OPEN_31 "=> 1 - " OPEN_31,
         "variable 33 makes it 513 bits a state; 512 at most"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct pz_error error = {0};
        enum pz_status status = try_define("fault", faults[i][0], strlen(faults[i][0]), &error);
        if (faults[i][1] == NULL)
            assert_ok(status, error);
        else if (status == PZ_OK || strstr(error.text, faults[i][1]) == NULL)
            fail_msg("%s: '%s', not '%s'", faults[i][0], error.text, faults[i][1]);
    }
    (void)library_remove("fault");
}

TEST(a_name_that_may_be_a_misspelt_value_is_remarked_on)
{
    static const char *const remarks[][2] = {
        {"DOMAIN s 2 on off 2 s s\nonn - => off -\n- X => - X GOAL on on",
         "line 2, column 1: 'onn' is no value, and stands here only: it means any, as - does: is 'on' "
         "meant?"},
        {"DOMAIN s 2 on off 2 s s\non - => of -",
         "line 2, column 9: 'of' is no value: it stands for each of them: is 'off' meant?"},
        {"DOMAIN s 2 on off 2 s s\non - => off - GOAL on ofF", NULL},
        {"DOMAIN s 2 on off 2 s s\non - => off - GOAL on oof",
         "line 2, column 23: 'oof' is no value, and stands here only: it means any, as - does: is 'off' "
         "meant?"},
        {"DOMAIN s 3 table floor none 2 s s\nplace - => - plaice",
         "line 2, column 14: 'plaice' is no value: it stands for each of them: is 'place' meant?"},
        {"2 3 3 0 - => 7 - GOAL 0 0", "line 1, column 14: '7' is no value: it stands for each of them"},
        {"2 3 3 7 - => 7 1 GOAL 0 0", "line 1, column 7: '7' is no value: it stands for each of them"},
        {"2 3N 3N 1 - => 2 - GOAL 0 3", "line 1, column 25: '0' is no value, and stands here only"},
        {"2 3 3 X Y => A B LABEL go GOAL 0 0",
         "line 1, column 7: 'X' is no value, and stands here only: it means any, as - does; "
         "line 1, column 9: 'Y' is no value, and stands here only: it means any, as - does"},
        {"2 3 3 X X => 0 - Y - => Y Y GOAL Z Z", NULL},
        {"3 2 2 2 X Y 0 => Y X -\nX - 0 => - - X\nX - 1 => - 0 -", NULL}, /* X is a name elsewhere */
        {"1 9 - => X - => Y - => Z", NULL},
        {"1 9 A => 1 B => 2 C => 3 D => 4 E => 5 F => 6 G => 7 H => 8 I => 0 K => 1",
         "as - does; and 2 more"}};
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        struct definition *definition = definition_of(DEFINITION_PSVN, "remarks", remarks[i][0]);
        const char *given = definition->meaning->remarks;
        if ((given == NULL) != (remarks[i][1] == NULL) ||
            (given != NULL && strstr(given, remarks[i][1]) == NULL))
            fail_msg("%s: '%s'", remarks[i][0], given != NULL ? given : "");
        definition_release(definition);
    }
}

/* The texts that come with puzzled mean what they say. */
TEST(there_is_no_remark_on_a_text_of_ours)
{
    static const char *const names[] = {"arrow12",  "blocks6",  "gripper6", "hanoi8",       "lights4x4",
                                        "pancake8", "topspin9", "slide3x3", "slide3x3costs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        define_file("ours", names[i]);
        const struct definition *definition = library_find(DEFINITION_PSVN, "ours", 4);
        if (definition->meaning->remarks != NULL)
            fail_msg("%s: %s", names[i], definition->meaning->remarks);
        definition_release(definition);
    }
    assert_true(library_remove("ours"));
}

/* Three discs in a row: one way round, and the way back. */
TEST(moves_chooses_rules_by_their_labels)
{
    static const char wheel[] =
        "1 5 0 => 1 LABEL on 1 => 2 LABEL on 2 => 3 LABEL on 3 => 4 LABEL on 4 => 0 LABEL on "
        "1 => 0 LABEL off 2 => 1 LABEL off 3 => 2 LABEL off 4 => 3 LABEL off 0 => 4 LABEL off "
        "0 => 2 LABEL leap GOAL 0";
    static const struct {
        const char *moves, *name;
        unsigned levels;
        bool back;
    } picks[] = {
        {"on", ",moves:on", 5, false}, {"off,on", ",moves:on:off", 3, true}, {"on leap off", "", 3, false}};
    define("wheel", wheel);
    for (size_t i = 0; i < sizeof picks / sizeof *picks; i++) {
        struct plain_search search;
        struct pz_space *space = plain_open("wheel", NULL, NULL, "moves", picks[i].moves);
        assert_string_equal(space->size + strcspn(space->size, ","), picks[i].name);
        assert_int_equal((space->flags & PZ_REVERSIBLE) != 0, picks[i].back);
        plain_explore_own(&search, space);
        assert_int_equal(search.count, 5);
        assert_int_equal(search.levels, picks[i].levels);
        plain_free(&search);
        space_close(space);
    }
    plain_assert_refused(PZ_BAD_REQUEST, "moves=onn: no rule is called 'onn'", "wheel", NULL, NULL, "moves",
                         "onn");
    plain_assert_refused(PZ_BAD_REQUEST, "no rule is left", "wheel", NULL, NULL, "moves", ",");
    assert_true(library_remove("wheel"));
}

/* Labels of 60 digits: as some of the rules, they would make too long a name. */
TEST(all_moves_may_be_chosen_by_a_list_of_any_length)
{
    char text[2048] = "1 20", moves[2048] = "";
    for (unsigned i = 0, at = 4, list = 0; i < 20; i++) {
        at += (unsigned)snprintf(text + at, sizeof text - at, " %u => %u LABEL %060u", i, (i + 1) % 20, i);
        list += (unsigned)snprintf(moves + list, sizeof moves - list, "%060u,", i);
    }
    define("long", text);
    struct pz_space *space = plain_open("long", NULL, NULL, "moves", moves);
    assert_null(strstr(space->size, "moves"));
    space_close(space);
    plain_assert_refused(PZ_BAD_REQUEST, "too long", "long", NULL, NULL, "moves", moves + 61);
    assert_true(library_remove("long"));
}

/* Each variable has a domain of its own. */
TEST(some_rules_are_followed_backwards)
{
    static const char cans[] = "3 5 7 9 0 - - => 1 - - LABEL a - 0 - => - 1 - LABEL b - - 0 => - - 1 LABEL c "
                               "1 - - => 2 - - LABEL a - - 1 => - - 2 LABEL c 0 0 0 => 4 6 8 LABEL d "
                               "GOAL 2 0 2";
    const struct pz_key keys[] = {{.key = "moves", .value = "a,c"}, {.key = "backwards", .value = "yes"}};
    const struct pz_setup setup = {.keys = keys, .key_count = 2};
    struct plain_search search;
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    define("cans", cans);
    assert_ok(space_open("cans", &setup, &space, &error), error);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(psvn_domain_of(psvn_of(space)->backward.rules, i)->size, 5 + 2 * i);
    plain_explore_own(&search, space);
    assert_int_equal(search.count, 9);
    assert_int_equal(search.levels, 5);
    plain_free(&search);
    space_close(space);
    assert_true(library_remove("cans"));
}

TEST(a_name_is_short_and_plain)
{
    static const char *const names[] = {
        "", "Hanoi", "3x4", "a b", "a,b", "a:b", "abcdefghijklmnopqrstuvwxyz012345"};
    struct pz_error error = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(try_define(names[i], small, strlen(small), &error), PZ_BAD_REQUEST);
    define("abcdefghijklmnopqrstuvwxyz-_345", small);
    assert_true(library_remove("abcdefghijklmnopqrstuvwxyz-_345"));
}

/* Fills the buffer with copies of a piece behind a head; returns its length. */
static size_t repeat(const char *head, const char *piece, size_t copies)
{
    size_t length = (size_t)snprintf(text_buffer, sizeof text_buffer, "%s", head);
    for (size_t i = 0; i < copies && length + strlen(piece) < sizeof text_buffer; i++) {
        /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): the caller ends it */
        memcpy(text_buffer + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return length;
}

TEST(a_hostile_text_costs_its_sender_an_error)
{
    static const struct {
        const char *head, *piece;
        size_t copies;
        const char *error;
    } bombs[] = {
        {"1 3 ", "0=>1 ", 200000, "'0=>1' stands where"},
        {"1 3\n", "0 => 1\n", 149000, "line 32770, column 1: more than 32768 rules"},
        {"1 3\n0 => 1\n", "GOAL 1\n", 140000, "more than 1024 goals"},
        {"1 3\n0 => 1 LABEL ", "x", 1000000,
         "'xxxxxxxxxxxxxxxxxxxx…' is too long for a word; 64 bytes at most"},
        {"", "DOMAIN d 1 a ", 300, "a domain 'd' is already there"},
        {"256 ", "2 ", 256, "the text ends without a rule"},
        {"", "# comment\n", 100000, "the number of variables is missing"},
        {"", "x", DEFINITION_TEXT_MAX + 1, "a definition of 1048577 bytes; 1048576 at most"},
        {"2 256 256\n", "- - => X Y\n", 8, "line 3: with the values"},
        {"2 64 64\n", "- - => X Y\n", 2, "a state may have 8192 moves; 4096 at most"},
        {"1 3\n0 => 1 ", "\x01", 1, "byte 0x01"},
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        struct pz_error error = {0};
        const size_t length = repeat(bombs[i].head, bombs[i].piece, bombs[i].copies);
        assert_int_not_equal(try_define("bomb", text_buffer, length, &error), PZ_OK);
        if (strstr(error.text, bombs[i].error) == NULL)
            fail_msg("bomb %zu: '%s', not '%s'", i, error.text, bombs[i].error);
    }
}

/* 16 domains of numbers and 32,768 rules: as large as a text may be, and it is compiled. */
TEST(the_largest_text_is_compiled)
{
    size_t length = (size_t)snprintf(text_buffer, sizeof text_buffer, "3 256 256 256\n");
    struct pz_error error = {0};
    for (unsigned i = 0; i < 32768; i++)
        length += (size_t)snprintf(text_buffer + length, sizeof text_buffer - length, "%u %u - => - - %u\n",
                                   i % 256, i / 256, i % 251);
    assert_ok(try_define("largest", text_buffer, length, &error), error);
    struct pz_space *space = plain_open("largest", NULL, NULL, NULL, NULL);
    assert_true(space->max_successors < 600);
    space_close(space);
    assert_true(library_remove("largest"));
}

TEST(a_state_that_is_none_is_refused_with_words)
{
    static const char *const boards[][2] = {{"a", "'a': 1 values given, the state has 2"},
                                            {"a,b,a", "'a,b,a': more than 2 values"},
                                            {"a c", "'a c': 'c' is no value of variable 2, which is of d"},
                                            {"a -", "'a -': '-' is no value of variable 2, which is of d"}};
    uint64_t at[PZ_STATE_MAX / 8];
    define("small", small);
    struct pz_space *space = plain_open("small", NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < 4; i++) {
        struct pz_error error = {0};
        assert_int_equal(space->puzzle->parse(space, boards[i][0], at, &error), PZ_BAD_BOARD);
        assert_string_equal(error.text, boards[i][1]);
    }
    space_close(space);
    assert_true(library_remove("small"));
}

/* Of two bits for three values and one spare bit for one of two, only the values that have names. */
TEST(bytes_beyond_the_values_of_a_variable_are_no_state)
{
    define("few", "2 3 2 0 - => 1 - 1 - => 0 - 1 1 => 2 0 GOAL 0 0");
    struct pz_space *space = plain_open("few", NULL, NULL, NULL, NULL);
    unsigned valid = 0;
    for (uint64_t bytes = 0; bytes < 4096; bytes++)
        valid += space->puzzle->valid(space, &bytes);
    assert_int_equal(valid, 6);
    const uint64_t high = UINT64_C(1) << 63;
    assert_false(space->puzzle->valid(space, &high));
    space_close(space);
    assert_true(library_remove("few"));
}
