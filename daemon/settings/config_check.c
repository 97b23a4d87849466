/* SPDX-License-Identifier: MIT */
/* Checks for faults that would prevent a start or fail every job, and that no single value shows. */
#include "daemon/settings/config.h"
#include "protocol/lexer.h"
#include "protocol/listen_address.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>

enum {
    DATABASE_LEAST = 1 << 20,     /* bytes: an empty one, and a few small jobs */
    CLIENT_MEMORY_LEAST = 4 << 20 /* an exploration of 2x2 takes three quarters of it */
};

static enum pz_status check_address(const struct config *config, const char *key, const char *address,
                                    struct pz_error *error)
{
    struct listen_address parsed;
    struct pz_error own;
    if (*address == '\0' || *address == '/')
        return PZ_OK;
    if (address_parse(address, &parsed, &own) != PZ_OK)
        return config_fail(config, "daemon", key, error, "%s", own.text);
    if (!address_is_loopback(&parsed) && !config->allow_remote)
        return config_fail(config, "daemon", key, error,
                           "%.80s is not a loopback address, and whoever reaches it may use the daemon; "
                           "if that is meant, set allow-remote-clients-without-authentication = yes",
                           address);
    return PZ_OK;
}

/* A directory below /run may be made with the service, and that of a default by the daemon. */
static enum pz_status check_path(const struct config *config, const char *key, const char *path,
                                 struct pz_error *error)
{
    char directory[PATH_MAX];
    struct stat about;
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return config_fail(config, "daemon", key, error, "'%.80s' is no path from the root", path);
    if (strlen(path) >= sizeof((struct sockaddr_un *)0)->sun_path)
        return config_fail(config, "daemon", key, error, "the path is longer than %zu bytes: %.120s",
                           sizeof((struct sockaddr_un *)0)->sun_path - 1, path);
    (void)snprintf(directory, sizeof directory, "%.*s", (int)(slash - path), path);
    if (strncmp(path, "/run/", 5) != 0 && *directory != '\0' && stat(directory, &about) != 0 &&
        errno == ENOENT && config_is_from_file(config, "daemon", key))
        return config_fail(config, "daemon", key, error, "there is no directory %.120s", directory);
    return PZ_OK;
}

static enum pz_status check_sockets(const struct config *config, struct pz_error *error)
{
    enum pz_status status = check_path(config, "socket", config->socket, error);
    if (status == PZ_OK)
        status = check_address(config, "listen", config->listen, error);
    if (status == PZ_OK && *config->listen == '/')
        status = config_fail(config, "daemon", "listen", error, "a path is set with socket = %.80s",
                             config->listen);
    if (status == PZ_OK)
        status = check_address(config, "metrics-listen", config->metrics_listen, error);
    if (status == PZ_OK && *config->metrics_listen == '/')
        status = check_path(config, "metrics-listen", config->metrics_listen, error);
    return status;
}

static enum pz_status check_group(const struct config *config, struct pz_error *error)
{
    char buffer[4096];
    struct group group;
    struct group *found = NULL;
    if (*config->socket_group == '\0')
        return PZ_OK;
    const int failure = getgrnam_r(config->socket_group, &group, buffer, sizeof buffer, &found);
    if (found != NULL || failure == ERANGE) /* it is there, and large */
        return PZ_OK;
    return config_fail(config, "daemon", "socket-group", error, "there is no group '%.60s'",
                       config->socket_group);
}

static enum pz_status check_engines(const struct config *config, struct pz_error *error)
{
    struct pz_error own;
    const uint64_t stripes = config->stripes;
    if (*config->kernel != '\0' && explore_check_kernel(config->kernel, &own) != PZ_OK)
        return config_fail(config, "engine", "dense-kernel", error, "%s", own.text);
    if ((stripes & (stripes - 1)) != 0)
        return config_fail(config, "engine", "stripes", error,
                           "%lu is no power of two; 0 leaves the choice to the engine",
                           (unsigned long)stripes);
    return PZ_OK;
}

/* Reads the words of a launch line to its end. *found: one of them is the option. */
static enum lexed find_in_launch(const char *launch, const char *option, bool *found)
{
    const size_t length = strlen(option);
    char *words = strdup(launch);
    char *word;
    enum lexed lexed = LEXED_END;
    struct lexer lexer = {words, words != NULL ? words + strlen(words) : NULL, words};
    *found = false;
    while (words != NULL && (lexed = lexer_plain(&lexer, &word)) == LEXED_WORD)
        *found |= strncmp(word, option, length) == 0 &&
                  (word[length] == '\0' || (word[length] == '=' && *option == '-'));
    free(words);
    return lexed;
}

bool config_launch_has(const char *launch, const char *option)
{
    bool found = false;
    return find_in_launch(launch, option, &found) == LEXED_END && found;
}

static enum pz_status check_launch(const struct config *config, struct pz_error *error)
{
    bool found = false;
    if (find_in_launch(config->launch, CLUSTER_PROGRAM, &found) == LEXED_OPEN_QUOTE)
        return config_fail(config, "cluster", "launch", error, "a quote is never closed");
    if (*config->launch != '\0' && !found)
        return config_fail(config, "cluster", "launch", error,
                           "no {program} in it, which puzzled-ranks stands for");
    return PZ_OK;
}

static enum pz_status check_limits(const struct config *config, struct pz_error *error)
{
    if (config->database_size > 0 && config->database_size < DATABASE_LEAST)
        return config_fail(config, "store", "size", error, "less than %dM; 0 is for no limit",
                           DATABASE_LEAST >> 20);
    if (config->memory_per_client > 0 && config->memory_per_client < CLIENT_MEMORY_LEAST)
        return config_fail(config, "limits", "memory-per-client", error,
                           "less than %dM, with which no job could run; 0 is for no limit",
                           CLIENT_MEMORY_LEAST >> 20);
    return PZ_OK;
}

enum pz_status config_check(const struct config *config, struct pz_error *error)
{
    enum pz_status status = check_sockets(config, error);
    if (status == PZ_OK)
        status = check_group(config, error);
    if (status == PZ_OK)
        status = check_engines(config, error);
    if (status == PZ_OK)
        status = check_launch(config, error);
    return status == PZ_OK ? check_limits(config, error) : status;
}
