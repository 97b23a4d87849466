/* SPDX-License-Identifier: MIT */
/* The defaults: they depend on the user, the service manager and the machine. */
#include "base/team.h"
#include "daemon/settings/config.h"
#include "daemon/settings/machine.h"
#include "protocol/limits.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the one directory that systemd made for this service; NULL for none or several. */
static const char *service_directory(const char *variable)
{
    const char *directory = getenv(variable);
    return directory != NULL && *directory == '/' && strchr(directory, ':') == NULL ? directory : NULL;
}

/* Prints the socket's path: in the service's directory, /run, $XDG_RUNTIME_DIR, or the user's under /tmp. */
static int default_socket(char **out)
{
    const char *service = service_directory("RUNTIME_DIRECTORY");
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (service != NULL)
        return asprintf(out, "%s/%s", service, PROTOCOL_SOCKET_NAME);
    if (geteuid() == 0)
        return asprintf(out, "%s", PROTOCOL_SYSTEM_SOCKET);
    if (runtime != NULL && *runtime == '/')
        return asprintf(out, "%s/%s", runtime, PROTOCOL_SOCKET_NAME);
    return asprintf(out, "/tmp/puzzled-%u/%s", (unsigned)geteuid(), PROTOCOL_SOCKET_NAME);
}

static const char system_state[] = "/var/lib/puzzled";

/* Returns true for root and for the user of the system's service, whose home is its state directory. So a
 * backup by either, with the service's configuration, is one of the service's database. */
static bool is_system_user(void)
{
    char buffer[1024];
    struct passwd user;
    struct passwd *found = NULL;
    if (geteuid() == 0)
        return true;
    return getpwuid_r(geteuid(), &user, buffer, sizeof buffer, &found) == 0 && found != NULL &&
           strcmp(user.pw_dir, system_state) == 0;
}

static int default_state_directory(char **out)
{
    const char *service = service_directory("STATE_DIRECTORY");
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    if (service != NULL)
        return asprintf(out, "%s", service);
    if (is_system_user())
        return asprintf(out, "%s", system_state);
    if (state != NULL && *state == '/')
        return asprintf(out, "%s/puzzled", state);
    if (home != NULL && *home == '/')
        return asprintf(out, "%s/.local/state/puzzled", strcmp(home, "/") == 0 ? "" : home);
    return asprintf(out, "/tmp/puzzled-%u/state", (unsigned)geteuid());
}

bool config_state_is_default(const struct config *config)
{
    char *usual = NULL;
    if (default_state_directory(&usual) < 0)
        return false;
    bool same = strcmp(usual, config->state_directory) == 0;
    free(usual);
    return same;
}

enum pz_status config_defaults(struct config *config, struct pz_error *error)
{
    struct machine machine = machine_usable();
    bool shared = geteuid() == 0 || service_directory("RUNTIME_DIRECTORY") != NULL;
    *config = (struct config){
#define SETTING(kind, field, section, key, live, usual, ...) .field = usual,
#include "daemon/settings/config.inc"
    };
    bool whole = config_copy_texts(config);
    config->socket_mode = shared ? 0660 : 0600;
    config->threads = machine.processors < TEAM_MAX ? machine.processors : TEAM_MAX;
    config->memory = machine.memory / 2;
    if (whole && default_socket(&config->socket) >= 0 &&
        default_state_directory(&config->state_directory) >= 0)
        return PZ_OK;
    config_free(config);
    return pz_fail(error, PZ_MEMORY, "no memory for the configuration");
}
