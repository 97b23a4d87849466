/* SPDX-License-Identifier: MIT */
#include "plain_search.h"

#include "base/random.h"
#include "space/sokoban/sokoban.h"

enum { TOGETHER = 8, GUARD = 64 };

static size_t compared_bytes;

static int compare_states(const void *a, const void *b)
{
    return memcmp(a, b, compared_bytes);
}

/* Expands some states by one kernel, and brings the successors into order. It must write nothing beyond. */
static unsigned expand_by(unsigned kernel, const struct pz_space *space, const uint8_t *states,
                          unsigned count, sokoban_boxes movable, uint8_t *out)
{
    const size_t room = (size_t)count * space->max_successors * space->state_bytes;
    memset(out, 0xA5, room + GUARD);
    const unsigned found =
        sokoban_kernel_at(kernel)((const struct sokoban *)space, states, count, movable, out);
    assert_true(found <= count * space->max_successors);
    for (size_t i = found * space->state_bytes; i < room + GUARD; i++)
        assert_int_equal(out[i], 0xA5);
    compared_bytes = space->state_bytes;
    qsort(out, found, space->state_bytes, compare_states);
    return found;
}

/* The plain kernel, a state at a time, is what all of them have to agree with. */
static unsigned expand_plainly(const struct pz_space *space, const uint8_t *states, unsigned count,
                               sokoban_boxes movable, uint8_t *out)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++)
        found += sokoban_kernel_at(0)((const struct sokoban *)space, states + i * space->state_bytes, 1,
                                      movable, out + found * space->state_bytes);
    compared_bytes = space->state_bytes;
    qsort(out, found, space->state_bytes, compare_states);
    return found;
}

static void check_states(const struct pz_space *space, const uint8_t *states, unsigned count,
                         sokoban_boxes movable)
{
    const size_t room = (size_t)TOGETHER * space->max_successors * space->state_bytes + GUARD;
    uint8_t *expected = malloc(room), *out = malloc(room);
    assert_true(expected != NULL && out != NULL);
    const unsigned wanted = expand_plainly(space, states, count, movable, expected);
    for (unsigned kernel = 0; sokoban_kernel_at(kernel) != NULL; kernel++) {
        assert_int_equal(expand_by(kernel, space, states, count, movable, out), wanted);
        assert_memory_equal(out, expected, wanted * space->state_bytes);
    }
    free(expected);
    free(out);
}

/* One to eight states at a time, with all boxes and with some; at most so many groups. */
static void check_level(const char *level, size_t state_bytes, unsigned words)
{
    enum { GROUPS = 600 };
    struct plain_search search;
    struct random random = {7};
    uint64_t root[PZ_STATE_MAX / 8];
    size_t at = 0;
    struct pz_space *space = plain_open("sokoban", level, NULL, NULL, NULL);
    assert_int_equal(space->state_bytes, state_bytes);
    assert_int_equal(((const struct sokoban *)space)->raster.words, words);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    plain_explore(&search, space, root, false);
    for (unsigned group = 0; group < GROUPS && at < search.count; group++) {
        const size_t left = search.count - at,
                     count = left < group % TOGETHER + 1 ? left : group % TOGETHER + 1;
        check_states(space, plain_state(&search, at), (unsigned)count,
                     group % 3 == 0 ? random_next(&random) : SOKOBAN_ALL_BOXES);
        at += count;
    }
    plain_free(&search);
    space_close(space);
}

/* With and without parts that the player cannot walk to. */
TEST(all_kernels_agree_on_sets_of_one_word)
{
    check_level("#######/#.---.#/#-$@$-#/#-----#/#######", 8, 1);
    check_level("#########/#.#---#.#/#-$-#-$-#/#@--$--.#/#########", 8, 1);
    check_level("---#####/####---#/#..*$--#/#-$-#@-#/#--###-#/##-$--##/-#.#-##-/-#----#-/-#----#-/-######-",
                8, 1);
}

TEST(all_kernels_agree_on_sets_of_two_words)
{
    check_level("###############/#-------------#/#-#-$-#-#-#-#-#/#----$-@---..-#/#-#-#-#-#-#-#-#/"
                "#-------------#/###############",
                8, 2);
}

/* Boxes in a row along the wall never move. */
TEST(all_kernels_agree_on_states_of_more_words)
{
    check_level("##########/#********#/#--$-----#/#-@---.--#/#---$--.-#/##########", 16, 1);
    check_level("##########/#********#/#---#--.-#/#-@$--$--#/#---#----#/###-####-#/#--.-----#/#---#----#/"
                "#-----#--#/##########",
                16, 2);
    check_level("##############/#************#/#-#-$#-#-#-.-#/#--@----$----#/#-#-#-#-#-#.-#/#************#/"
                "##############",
                32, 2);
    check_level(
        "###################/#*****************#/#*****************#/#--$----$----$----#/#--@--------.-.-.#/"
        "###################",
        64, 2);
}

TEST(all_kernels_agree_on_sets_of_many_words)
{
    check_level("###############/#-------------#/#-#-#-#-#-#-#-#/#-----$---@-.-#/#-#-#-#-#-#-#-#/"
                "#-------------#/#-#-#-#-#-#-#-#/#----$------.-#/#-#-#-#-#-#-#-#/#-------------#/"
                "#-#-#-#-#-#-#-#/#-------------#/###############",
                8, 3);
}

/* Cells below another lie 70 bits apart. */
TEST(all_kernels_agree_where_a_row_is_longer_than_a_word)
{
    char wall[72], row[72], level[4 * sizeof wall];
    memset(wall, '#', sizeof wall - 1);
    memset(row, '-', sizeof row - 1);
    wall[sizeof wall - 1] = row[sizeof row - 1] = '\0';
    row[0] = row[sizeof row - 2] = '#';
    (void)snprintf(level, sizeof level, "%s/%s/%s/%s", wall, row, row, wall);
    char *first = level + sizeof wall;
    first[20] = first[22] = '$';
    first[21] = '@';
    first[60] = first[61] = '.';
    check_level(level, 8, 3);
}
