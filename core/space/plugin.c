/* SPDX-License-Identifier: MIT */
#include "space/plugin.h"

#include "base/own_files.h"
#include "base/status_word.h"
#include "space/registry.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fails if the puzzle lacks a function or text that it must have, or cannot be named in a puzzle text. */
static enum pz_status check_table(const struct pz_puzzle *puzzle, struct pz_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    if (puzzle->name == NULL || *puzzle->name < 'a' || *puzzle->name > 'z' || strlen(puzzle->name) > 32 ||
        strspn(puzzle->name, letters) != strlen(puzzle->name))
        return pz_fail(error, PZ_BAD_PUZZLE,
                       "its name is no word of at most 32 lower case letters and digits, a letter first");
    if (puzzle->summary == NULL || puzzle->example == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "puzzle %s lacks its summary or its example", puzzle->name);
    if (puzzle->open == NULL || puzzle->close == NULL || puzzle->parse == NULL || puzzle->print == NULL ||
        puzzle->root == NULL || puzzle->is_goal == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE,
                       "puzzle %s lacks one of open, close, parse, print, root, is_goal", puzzle->name);
    if (puzzle->solve == NULL && (puzzle->expand == NULL || puzzle->describe == NULL))
        return pz_fail(error, PZ_BAD_PUZZLE, "puzzle %s lacks expand and describe, or solve", puzzle->name);
    if (puzzle->count != NULL && (puzzle->rank == NULL || puzzle->unrank == NULL))
        return pz_fail(error, PZ_BAD_PUZZLE, "puzzle %s has count, but lacks rank or unrank", puzzle->name);
    if (puzzle->canon != NULL && (puzzle->canon_in == NULL || puzzle->canon_out == NULL))
        return pz_fail(error, PZ_BAD_PUZZLE, "puzzle %s has canon, but lacks canon_in or canon_out",
                       puzzle->name);
    return PZ_OK;
}

/* Takes the puzzle out of an open shared object. Reads nothing else of the table before its ABI. */
static enum pz_status take_puzzle(void *handle, const struct pz_puzzle **out, struct pz_error *error)
{
    pz_plugin_function *function = NULL;
    /* dlsym returns functions as data pointers; POSIX advises to copy the bits. */
    void *symbol = dlsym(handle, PZ_PLUGIN_SYMBOL);
    if (symbol == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "it has no function " PZ_PLUGIN_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    const struct pz_puzzle *puzzle = function();
    if (puzzle == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "its " PZ_PLUGIN_SYMBOL " returned no puzzle");
    enum pz_status status = puzzle->abi == PZ_SPACE_ABI ? check_table(puzzle, error) : PZ_OK;
    if (status == PZ_OK)
        status = registry_add(puzzle, error); /* refuses a foreign ABI with both numbers */
    if (status == PZ_OK)
        *out = puzzle;
    return status;
}

/* By way of it a file of the directory that was checked is loaded, whatever the path leads to now. */
static const char own_files[] = "/proc/self/fd";

static enum pz_status load_file(int directory, const char *file, const struct pz_puzzle **out,
                                struct pz_error *error)
{
    struct stat about;
    char path[64 + NAME_MAX];
    if (fstatat(directory, file, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return status_from_errno(error, errno, file);
    if (!S_ISREG(about.st_mode))
        return pz_fail(error, PZ_UNSUPPORTED, "%.200s is no regular file", file);
    enum pz_status status = own_check(&about, file, OWN_OR_ROOT, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(path, sizeof path, "%s/%d/%s", own_files, directory, file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror(); /* NOLINT(concurrency-mt-unsafe): only one thread loads */
        if (access(own_files, X_OK) != 0)
            return pz_fail(error, PZ_UNSUPPORTED,
                           "plugins are loaded by way of %s, which is not there: mount /proc", own_files);
        return pz_fail(error, PZ_BAD_PUZZLE, "%.400s", reason != NULL ? reason : "it cannot be loaded");
    }
    status = take_puzzle(handle, out, error);
    if (status != PZ_OK)
        (void)dlclose(handle);
    return status;
}

enum pz_status plugin_load(const char *path, const struct pz_puzzle **out, struct pz_error *error)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const int length = slash != NULL ? (int)(slash - path) + 1 : 2;
    (void)snprintf(folder, sizeof folder, "%.*s", length, slash != NULL ? path : "./");
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return status_from_errno(error, errno, folder);
    enum pz_status status = load_file(directory, slash != NULL ? slash + 1 : path, out, error);
    (void)close(directory);
    return status;
}

static int is_shared_object(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

enum pz_status plugins_load(const char *directory, plugin_report *report, void *context,
                            struct pz_error *error)
{
    int fd = -1;
    struct dirent **files = NULL;
    enum pz_status status = own_directory_open(directory, OWN_OR_ROOT | OWN_BY_LINK, &fd, error);
    if (status != PZ_OK)
        return status;
    int count = scandirat(fd, ".", &files, is_shared_object, alphasort);
    if (count < 0)
        status = status_from_errno(error, errno, directory);
    for (int i = 0; i < count; i++) {
        struct pz_error own = {0};
        const struct pz_puzzle *puzzle = NULL;
        (void)load_file(fd, files[i]->d_name, &puzzle, &own);
        if (report != NULL)
            report(context, files[i]->d_name, puzzle, &own);
        free(files[i]);
    }
    free(files);
    (void)close(fd);
    return status;
}
