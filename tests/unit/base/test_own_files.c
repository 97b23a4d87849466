/* SPDX-License-Identifier: MIT */
/* Directories that are nobody else's, and files that are opened in them. */
#include "remove_directory.h"
#include "test_support.h"

#include "base/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

static char folder[] = "/tmp/test_own_files.XXXXXX";

static int make_folder(void **state)
{
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    return remove_directory(folder);
}

static int open_folder(void)
{
    int directory;
    struct pz_error error;
    assert_ok(own_directory_open(folder, 0, &directory, &error), error);
    return directory;
}

TEST(a_directory_that_others_may_write_to_is_refused_with_its_mode)
{
    static const mode_t modes[] = {01777, 0777, 0770, 0702};
    int directory;
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct pz_error error = {0};
        const char *mode = text_of("(mode %04o)", (unsigned)modes[i]);
        assert_int_equal(chmod(folder, modes[i]), 0);
        assert_int_equal(own_directory_open(folder, OWN_BY_LINK | OWN_OR_ROOT, &directory, &error),
                         PZ_UNSUPPORTED);
        assert_int_equal(directory, -1);
        assert_non_null(strstr(error.text, mode));
    }
    assert_int_equal(chmod(folder, 0755), 0);
    (void)close(open_folder());
    assert_int_equal(chmod(folder, 0700), 0);
}

TEST(what_belongs_to_another_user_is_refused)
{
    struct pz_error error;
    struct stat about = {.st_uid = geteuid() + 1, .st_mode = S_IFDIR | 0700};
    assert_int_equal(own_check(&about, "there", 0, &error), PZ_UNSUPPORTED);
    assert_non_null(strstr(error.text, "there belongs to user "));
    about.st_uid = 0;
    assert_ok(own_check(&about, "there", OWN_OR_ROOT, &error), error);
}

TEST(a_link_to_a_directory_is_followed_only_where_it_was_chosen)
{
    int directory;
    struct pz_error error;
    const char *path = text_of("%s/link", folder);
    assert_int_equal(symlink(folder, path), 0);
    assert_int_not_equal(own_directory_open(path, 0, &directory, &error), PZ_OK);
    assert_ok(own_directory_open(path, OWN_BY_LINK, &directory, &error), error);
    (void)close(directory);
    assert_int_equal(unlink(path), 0);
}

TEST(only_plain_files_are_opened_and_others_stay_as_they_are)
{
    const int directory = open_folder();
    struct stat about;
    const int file = own_file_open(directory, "precious", O_RDWR | O_CREAT | O_TRUNC);
    assert_true(file >= 0);
    assert_int_equal(fstat(file, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(write(file, "keep", 4), 4);
    assert_int_equal(symlinkat("precious", directory, "link"), 0);
    assert_int_equal(symlinkat("nothing", directory, "dangling"), 0);
    assert_int_equal(mkfifoat(directory, "pipe", 0600), 0);
    assert_int_equal(mkdirat(directory, "directory", 0700), 0);
    static const struct {
        const char *name;
        int flags, why;
    } cases[] = {{"link", O_RDWR | O_CREAT | O_TRUNC, ELOOP}, {"link", O_RDONLY, ELOOP},
                 {"dangling", O_RDWR | O_CREAT, ELOOP},       {"pipe", O_RDONLY, EPERM},
                 {"pipe", O_RDWR | O_CREAT | O_TRUNC, EPERM}, {"directory", O_RDONLY, EISDIR}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(own_file_open(directory, cases[i].name, cases[i].flags), -1);
        assert_int_equal(errno, cases[i].why);
    }
    assert_int_equal(linkat(directory, "precious", directory, "second", 0), 0);
    assert_int_equal(own_file_open(directory, "second", O_RDWR | O_TRUNC), -1);
    assert_int_equal(fstat(file, &about), 0);
    assert_int_equal(about.st_size, 4);
    assert_int_equal(faccessat(directory, "nothing", F_OK, 0), -1);
    assert_int_equal(unlinkat(directory, "directory", AT_REMOVEDIR), 0);
    (void)close(file);
    (void)close(directory);
}

TEST(an_own_directory_is_removed_with_its_files_and_a_link_without_those_it_leads_to)
{
    const int directory = open_folder();
    assert_int_equal(mkdirat(directory, "job", 0700), 0);
    const int job = openat(directory, "job", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)close(own_file_open(job, "one", O_WRONLY | O_CREAT));
    (void)close(own_file_open(job, ".two", O_WRONLY | O_CREAT));
    assert_int_equal(symlinkat("job", directory, "way"), 0);
    own_directory_remove(text_of("%s/way", folder));
    assert_int_equal(faccessat(directory, "way", F_OK, AT_SYMLINK_NOFOLLOW), -1);
    assert_int_equal(faccessat(job, "one", F_OK, 0), 0);
    const char *path = text_of("%s/job", folder);
    assert_int_equal(fchmod(job, 0777), 0);
    own_directory_remove(path);
    assert_int_equal(faccessat(job, "one", F_OK, 0), 0);
    assert_int_equal(fchmod(job, 0700), 0);
    own_directory_remove(path);
    assert_int_equal(faccessat(directory, "job", F_OK, 0), -1);
    own_directory_remove(path); /* what is not there */
    (void)close(job);
    (void)close(directory);
}

const struct test_surroundings test_surroundings = {make_folder, remove_folder};
