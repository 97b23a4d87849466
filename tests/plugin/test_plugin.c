/* SPDX-License-Identifier: MIT */
#include "explore_trial.h"
#include "names.h"

#include "space/plugin.h"
#include "space/registry.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CUBE_STATES = 3674160 };

/* ---- a directory of plugins ---- */

struct directory {
    char path[64];
};

static int make_directory(void **state)
{
    static struct directory directory;
    (void)snprintf(directory.path, sizeof directory.path, "/tmp/puzzled-plugins-XXXXXX");
    *state = &directory;
    return mkdtemp(directory.path) != NULL ? 0 : -1;
}

static int remove_directory(void **state)
{
    const struct directory *directory = *state;
    run_command(text_of("rm -rf %s", directory->path));
    return 0;
}

static void put_file(const struct directory *directory, const char *from, const char *name, unsigned mode)
{
    run_command(text_of("install -m %o %s %s/%s", mode, from, directory->path, name));
}

/* plugins_load's words about one file. */
struct told {
    unsigned files;
    char file[64];
    const struct pz_puzzle *puzzle;
    struct pz_error error;
};

static void hear_load(void *context, const char *file, const struct pz_puzzle *puzzle,
                      const struct pz_error *error)
{
    struct told *heard = context;
    heard->files++;
    (void)snprintf(heard->file, sizeof heard->file, "%.63s", file);
    heard->puzzle = puzzle;
    heard->error = *error;
}

static struct told load(const struct directory *directory)
{
    struct told heard = {0};
    struct pz_error error = {0};
    assert_ok(plugins_load(directory->path, hear_load, &heard, &error), error);
    return heard;
}

static void assert_variant_refused(const struct directory *directory, const char *variant, const char *words)
{
    put_file(directory, text_of("%s/%s.so", TEST_VARIANTS, variant), "variant.so", 0644);
    struct told heard = load(directory);
    assert_int_equal(heard.files, 1);
    assert_null(heard.puzzle);
    if (strstr(heard.error.text, words) == NULL)
        fail_msg("%s: '%s', expected '%s'", variant, heard.error.text, words);
}

/* ---- tests ---- */

TEST_WITH(a_foreign_abi_is_refused_with_both_numbers, make_directory, remove_directory)
{
    assert_variant_refused(*state, "foreign_abi", "ABI");
    assert_variant_refused(*state, "foreign_abi",
                           text_of("ABI %u, this puzzled speaks ABI %u", PZ_SPACE_ABI - 1, PZ_SPACE_ABI));
}

TEST_WITH(a_plugin_that_is_not_whole_is_refused, make_directory, remove_directory)
{
    assert_variant_refused(*state, "no_symbol", "no function pz_plugin");
    assert_variant_refused(*state, "no_puzzle", "returned no puzzle");
    assert_variant_refused(*state, "no_expand", "lacks expand");
    assert_variant_refused(*state, "half_canon", "lacks canon_in or canon_out");
    assert_variant_refused(*state, "bad_name", "name");
}

TEST_WITH(what_is_no_shared_object_is_refused_and_other_names_are_left_alone, make_directory,
          remove_directory)
{
    const struct directory *directory = *state;
    put_file(directory, TEST_DATA "/README.md", "README.md", 0644);
    assert_int_equal(load(directory).files, 0);
    put_file(directory, TEST_DATA "/README.md", "text.so", 0644);
    struct told heard = load(directory);
    assert_int_equal(heard.files, 1);
    assert_null(heard.puzzle);
    assert_true(heard.error.text[0] != '\0');
}

/* In a child, which alone sees an empty /proc. Returns 77 where that is not permitted. */
static int load_without_proc(const struct directory *directory)
{
    struct pz_error error = {0};
    const struct pz_puzzle *puzzle = NULL;
    const char *path = text_of("%s/unseen.so", directory->path);
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "/proc", "tmpfs", 0, NULL) != 0)
        return 77;
    const bool refused = plugin_load(path, &puzzle, &error) == PZ_UNSUPPORTED;
    return refused && strstr(error.text, "mount /proc") != NULL ? 0 : 1;
}

TEST_WITH(without_proc_a_plugin_is_refused_with_the_reason, make_directory, remove_directory)
{
    put_file(*state, TEST_VARIANTS "/whole.so", "unseen.so", 0644);
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        _exit(load_without_proc(*state));
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_WITH(a_directory_that_others_may_write_to_is_refused, make_directory, remove_directory)
{
    const struct directory *directory = *state;
    struct told heard = {0};
    struct pz_error error = {0};
    static const unsigned modes[] = {0770, 0707, 01777};
    put_file(directory, TEST_EXAMPLE, "cube2.so", 0644);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(directory->path, modes[i]), 0);
        assert_int_equal(plugins_load(directory->path, hear_load, &heard, &error), PZ_UNSUPPORTED);
        assert_non_null(strstr(error.text, "written by others"));
    }
    assert_int_equal(chmod(directory->path, 0700), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(directory->path, 12345, 12345), 0);
        assert_int_equal(plugins_load(directory->path, hear_load, &heard, &error), PZ_UNSUPPORTED);
        assert_non_null(strstr(error.text, "user 12345"));
    }
    assert_int_equal(heard.files, 0);
    assert_int_equal(plugins_load("/nonexistent", hear_load, &heard, &error), PZ_STORAGE);
}

TEST_WITH(a_file_that_others_may_change_is_refused, make_directory, remove_directory)
{
    const struct directory *directory = *state;
    put_file(directory, TEST_EXAMPLE, "cube2.so", 0664);
    struct told heard = load(directory);
    assert_null(heard.puzzle);
    assert_non_null(strstr(heard.error.text, "written by others"));
    const char *path = text_of("%s/cube2.so", directory->path);
    const char *target = text_of("%s/elsewhere", directory->path);
    assert_int_equal(rename(path, target), 0);
    assert_int_equal(symlink(target, path), 0);
    heard = load(directory);
    assert_null(heard.puzzle);
    assert_non_null(strstr(heard.error.text, "no regular file"));
}

static void check_cube(const char *metric, unsigned threads, const uint64_t *expected, unsigned depth)
{
    uint64_t states = 0;
    for (unsigned level = 0; level <= depth; level++)
        states += expected[level];
    struct pz_space *space = plain_open("cube2", NULL, NULL, "metric", metric);
    struct trial *trial = lived(trial_in(
        space, (struct explore_request){
                   .depth = states == CUBE_STATES ? 0 : depth, .threads = threads, .keep = KEEP_LEVELS}));
    assert_true(trial->result.complete == (states == CUBE_STATES));
    assert_int_equal(trial->result.states, states);
    assert_int_equal(trial->result.depth, depth);
    assert_memory_equal(trial->heard.levels, expected, (depth + 1) * sizeof *expected);
    trial_free(trial);
    space_close(space);
}

/* The published counts (en.wikipedia.org/wiki/Pocket_Cube). */
TEST_WITH(the_example_is_loaded_and_explored, make_directory, remove_directory)
{
    static const uint64_t quarter[] = {1,      6,      27,     120,     534,    2256,  8969, 33058,
                                       114149, 360508, 930588, 1350852, 782536, 90280, 276};
    static const uint64_t half[] = {1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644};
    const struct directory *directory = *state;
    put_file(directory, TEST_EXAMPLE, "cube2.so", 0644);
    struct told heard = load(directory);
    if (heard.puzzle == NULL)
        fail_msg("%s", heard.error.text);
    assert_string_equal(heard.puzzle->name, "cube2");
    assert_non_null(registry_find("slide", 5)); /* beside it */
#ifdef PUZZLED_SANITIZED
    check_cube("quarter", 2, quarter, 8);
    check_cube("half", 2, half, 6);
#else
    check_cube("quarter", 1, quarter, 14);
    check_cube("quarter", 2, quarter, 14);
    check_cube("quarter", 8, quarter, 14);
    check_cube("half", 2, half, 11);
#endif
    /* A name is refused the second time. */
    heard = load(directory);
    assert_null(heard.puzzle);
    assert_non_null(strstr(heard.error.text, "already there"));
}

TEST(the_example_reads_prints_and_describes)
{
    struct pz_error error = {0};
    uint64_t at[1];
    uint64_t successors[9];
    uint8_t tokens[9];
    char text[PZ_TEXT_MAX];
    struct pz_space *space = plain_open("cube2", NULL, NULL, NULL, NULL);
    parse_state(space, "1234567.0000000", at);
    assert_true(space->puzzle->is_goal(space, at));
    unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
    assert_int_equal(count, 6);
    (void)space->puzzle->describe(space, at, &successors[2], text);
    assert_string_equal(text, "R");
    (void)space->puzzle->print(space, &successors[2], text);
    assert_string_equal(text, "5134627.2100120");
    assert_int_equal(space->puzzle->parse(space, "1234567.1000000", at, &error), PZ_BAD_BOARD);
    assert_int_equal(space->puzzle->parse(space, "1134567.0000000", at, &error), PZ_BAD_BOARD);
    assert_int_equal(space->puzzle->parse(space, "1234567", at, &error), PZ_BAD_BOARD);
    space_close(space);
}

TEST(whatever_the_example_prints_reads_back)
{
    struct random dice = {1};
    static const char *const metrics[] = {"quarter", "half"};
    for (size_t i = 0; i < 2; i++) {
        struct pz_space *space = plain_open("cube2", NULL, NULL, "metric", metrics[i]);
        names_check(space, &dice);
        space_close(space);
    }
}
