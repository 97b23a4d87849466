/* SPDX-License-Identifier: MIT */
#include "daemon/settings/config.h"

#include "base/machine.h"
#include "base/team.h"
#include "protocol/limits.h"
#include "protocol/text/quantity.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind {
    KIND_TEXT,
    KIND_BYTES,
    KIND_SECONDS,
    KIND_COUNT,
    KIND_FLAG,
    KIND_MODE,
    KIND_LEVEL,
    KIND_ENGINE,
    KIND_OTHERS
};

struct setting {
    const char *section;
    const char *key;
    enum kind kind;
    bool live;            /* a reload may change it */
    size_t offset, size;  /* of its field */
    uint64_t least, most; /* of numbers */
};

static const struct setting settings[CONFIG_SETTINGS] = {
#define LIVE    true
#define RESTART false
#define SETTING(kind, field, section, key, live, usual, ...)                                                 \
    {section,    key, KIND_##kind, live, offsetof(struct config, field), sizeof((struct config){0}.field),   \
     __VA_ARGS__},
#include "daemon/settings/config.inc"
};
#undef SETTING

static void *config_field(struct config *config, const struct setting *setting)
{
    return (char *)config + setting->offset;
}

static const void *config_field_of(const struct config *config, const struct setting *setting)
{
    return (const char *)config + setting->offset;
}

/* Returns the number of a setting; CONFIG_SETTINGS for an unknown one. */
static unsigned find_setting(const char *section, const char *key)
{
    unsigned number = 0;
    while (number < CONFIG_SETTINGS &&
           (strcmp(settings[number].section, section) != 0 || strcmp(settings[number].key, key) != 0))
        number++;
    return number;
}

/* ---- values ---- */

static enum pz_status set_text_value(char **target, const char *value, struct pz_error *error)
{
    char *copy = strdup(value);
    if (copy == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory");
    free(*target);
    *target = copy;
    return PZ_OK;
}

static enum pz_status config_set_bytes(const struct setting *setting, uint64_t *target, const char *value,
                                       struct pz_error *error)
{
    uint64_t bytes = 0;
    enum pz_status status = quantity_bytes(value, &bytes, error);
    if (status != PZ_OK)
        return status;
    if (bytes < setting->least)
        return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is too little: at least %" PRIu64 "M", value,
                       setting->least >> 20);
    *target = bytes;
    return PZ_OK;
}

static enum pz_status set_mode(const struct setting *setting, unsigned *target, const char *value,
                               struct pz_error *error)
{
    char *end = NULL;
    unsigned long mode = strtoul(value, &end, 8);
    if (*value < '0' || *value > '7' || *end != '\0' || mode > setting->most)
        return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is no permission mode: octal, 0 to 0777, as in 0660",
                       value);
    *target = (unsigned)mode;
    return PZ_OK;
}

static enum pz_status set_level(enum log_level *target, const char *value, struct pz_error *error)
{
    static const struct {
        const char *word;
        enum log_level level;
    } levels[] = {{"error", LOG_LEVEL_ERROR},
                  {"warning", LOG_LEVEL_WARNING},
                  {"info", LOG_LEVEL_INFO},
                  {"debug", LOG_LEVEL_DEBUG}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(value, levels[i].word) == 0) {
            *target = levels[i].level;
            return PZ_OK;
        }
    }
    return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is not one of error, warning, info, debug", value);
}

/* Stores the index of a value among words. */
static enum pz_status set_word(unsigned *target, const char *value, const char *const *words, unsigned count,
                               struct pz_error *error)
{
    char names[128] = "";
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *target = i;
            return PZ_OK;
        }
        const size_t length = strlen(names);
        (void)snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is not one of %s", value, names);
}

static enum pz_status set_engine(unsigned *target, const char *value, struct pz_error *error)
{
    static const char *const words[] = {ENGINE_WORDS};
    return set_word(target, value, words, sizeof words / sizeof words[0], error);
}

static enum pz_status set_others(unsigned *target, const char *value, struct pz_error *error)
{
    static const char *const words[] = {
        [CANCEL_OWN] = "no", [CANCEL_GROUP] = "group", [CANCEL_ANYBODY] = "yes"};
    return set_word(target, value, words, sizeof words / sizeof words[0], error);
}

static enum pz_status set_value(const struct setting *setting, void *target, const char *value,
                                struct pz_error *error)
{
    switch (setting->kind) {
    case KIND_TEXT:
        return set_text_value(target, value, error);
    case KIND_BYTES:
        return config_set_bytes(setting, target, value, error);
    case KIND_SECONDS:
        return quantity_seconds(value, target, error);
    case KIND_COUNT:
        return quantity_count(value, setting->least, setting->most, target, error);
    case KIND_FLAG:
        return quantity_flag(value, target, error);
    case KIND_MODE:
        return set_mode(setting, target, value, error);
    case KIND_LEVEL:
        return set_level(target, value, error);
    case KIND_ENGINE:
        return set_engine(target, value, error);
    case KIND_OTHERS:
        return set_others(target, value, error);
    }
    return pz_fail(error, PZ_INTERNAL, "a setting of no kind");
}

/* Fails with the keys of a section, or with the sections if that one does not exist. */
static enum pz_status unknown_setting(const char *section, const char *key, struct pz_error *error)
{
    char names[320] = "";
    size_t length = 0;
    for (size_t i = 0; i < CONFIG_SETTINGS; i++)
        if (strcmp(settings[i].section, section) == 0 && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "",
                                       settings[i].key);
    if (length == 0)
        return pz_fail(
            error, PZ_BAD_REQUEST,
            "no section [%.40s]; there are: [daemon], [limits], [engine], [cluster], [store], [log]",
            section);
    return pz_fail(error, PZ_BAD_REQUEST, "[%s] has no key '%.40s'; it has: %s", section, key, names);
}

/* ---- where a value stands ---- */

bool config_is_from_file(const struct config *config, const char *section, const char *key)
{
    const unsigned number = find_setting(section, key);
    return number < CONFIG_SETTINGS && config->lines[number] != 0;
}

enum pz_status config_note_line(struct config *config, const char *section, const char *key, unsigned line,
                                struct pz_error *error)
{
    const unsigned number = find_setting(section, key);
    assert(number < CONFIG_SETTINGS); /* it was set just before */
    if (line != 0 && config->lines[number] != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "[%s] %s: line %u sets it already", section, key,
                       config->lines[number]);
    config->lines[number] = line;
    return PZ_OK;
}

enum pz_status config_fail(const struct config *config, const char *section, const char *key,
                           struct pz_error *error, const char *format, ...)
{
    const unsigned number = find_setting(section, key);
    char text[sizeof error->text];
    char where[160] = "";
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (number < CONFIG_SETTINGS && config->lines[number] != 0 && config->file != NULL)
        (void)snprintf(where, sizeof where, "%.120s:%u: ", config->file, config->lines[number]);
    return pz_fail(error, PZ_BAD_REQUEST, "%s[%s] %s: %s", where, section, key, text);
}

enum pz_status config_set(struct config *config, const char *section, const char *key, const char *value,
                          struct pz_error *error)
{
    const unsigned number = find_setting(section, key);
    struct pz_error own;
    if (number == CONFIG_SETTINGS)
        return unknown_setting(section, key, error);
    const enum pz_status status =
        set_value(&settings[number], config_field(config, &settings[number]), value, &own);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "[%s] %s: %s", section, key, own.text);
}

/* ---- the whole ---- */

/* Replaces each text by a copy of its own. Returns false without memory. */
static bool config_copy_texts(struct config *config)
{
    bool whole = true;
    for (size_t i = 0; i < CONFIG_SETTINGS; i++) {
        char **text = config_field(config, &settings[i]);
        if (settings[i].kind == KIND_TEXT && *text != NULL)
            whole = (*text = strdup(*text)) != NULL && whole;
    }
    return whole;
}

void config_free(struct config *config)
{
    for (size_t i = 0; i < CONFIG_SETTINGS; i++)
        if (settings[i].kind == KIND_TEXT)
            free(*(char **)config_field(config, &settings[i]));
    free(config->file);
    *config = (struct config){0};
}

uint64_t config_disk_of_job(const struct config *config)
{
    const uint64_t own = config->disk_per_client;
    return config->disk == 0 || (own > 0 && own < config->disk) ? own : config->disk;
}

static bool same_value(const struct setting *setting, const void *a, const void *b)
{
    return setting->kind == KIND_TEXT ? strcmp(*(char *const *)a, *(char *const *)b) == 0
                                      : memcmp(a, b, setting->size) == 0;
}

static void take_over(const struct setting *setting, void *target, const void *fresh)
{
    if (setting->kind == KIND_TEXT)
        (void)set_text_value(target, *(char *const *)fresh, NULL); /* without memory the old value stays */
    else
        memcpy(target, fresh, setting->size);
}

void config_reload(struct config *config, const struct config *fresh, char *needs_restart, size_t size)
{
    size_t length = 0;
    needs_restart[0] = '\0';
    for (size_t i = 0; i < CONFIG_SETTINGS; i++) {
        const struct setting *setting = &settings[i];
        if (same_value(setting, config_field_of(config, setting), config_field_of(fresh, setting)))
            continue;
        if (setting->live)
            take_over(setting, config_field(config, setting), config_field_of(fresh, setting));
        else if (length < size)
            length += (size_t)snprintf(needs_restart + length, size - length, "%s%s", length > 0 ? "," : "",
                                       setting->key);
    }
}

/* The defaults: they depend on the user, the service manager and the machine. */

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
