/* SPDX-License-Identifier: MIT */
#include "web/http/settings.h"

#include "protocol/text/option_table.h"
#include "protocol/text/quantity.h"
#include "version.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LISTEN_DEFAULT "127.0.0.1:8372"

static const struct option_row web_options[] = {
    {"socket", 0, "PATH", "the daemon's Unix socket", NULL},
    {"listen", 0, "ADDRESS:PORT", "where to answer (default " LISTEN_DEFAULT ")", NULL},
    {"read-only", 0, NULL, "nobody starts, cancels or forgets jobs; each client has limits", NULL},
    {"public", 0, NULL, "read-only, and pages of every other site may read the API", NULL},
    {"class", 0, "TIME,MEMORY", "for a class: searches up to these limits, 10s,256M, and no management",
     NULL},
    {"rate", 0, "N", "requests a second of one client (0: no limit; read-only: 20)", NULL},
    {"origin", 0, "URL", "where a proxy shows the page, https://puzzles.example.org; may come 8 times", NULL},
    {"frame", 0, "URL", "a site whose pages may show ours in a frame; may come 8 times", NULL},
    {"behind-proxy", 0, NULL, "distinguish clients by the proxy's X-Forwarded-For", NULL},
    {"allow-remote", 0, NULL, "listen on an address that other machines reach", NULL},
    {"pages", 0, "DIRECTORY", "the files of the page (default: those that belong to the program)", NULL},
    {0},
};

static const struct program web_program = {
    .name = "puzzled-web",
    .version = PUZZLED_VERSION,
    .usage = "puzzled-web [OPTION]…",
    .about = "A page in the browser for the puzzle explorer puzzled.\n",
    .options = web_options,
    .rest = OPTION_REST_LEFT,
};

static bool take_listen(struct settings *settings, const char *text, struct refusal *refusal)
{
    (void)snprintf(settings->listen_text, sizeof settings->listen_text, "%s", text);
    return address_parse(text, &settings->listen, NULL) == PZ_OK ||
           refuse(refusal, "bad-request",
                  "--listen wants ADDRESS:PORT, such as 127.0.0.1:8372 or [::1]:8372, not %s", text);
}

/* Takes every value of an option, "origin". What separates parts of a header may not stand in the host. */
static bool take_origins(const struct arguments *given, const char *option, struct origins *origins,
                         struct refusal *refusal)
{
    for (size_t i = 0; i < given->own_count; i++) {
        const char *text = given->own[i].value;
        const char *host = strstr(text, "://");
        if (strcmp(given->own[i].row->name, option) != 0)
            continue;
        if (origins->count == ORIGINS_MAX)
            return refuse(refusal, "bad-request", "more than %d times --%s", ORIGINS_MAX, option);
        if ((strncmp(text, "http://", 7) != 0 && strncmp(text, "https://", 8) != 0) || host[3] == '\0' ||
            strpbrk(host + 3, "/ ;,'\"") != NULL || strlen(text) > ORIGIN_LENGTH_MAX)
            return refuse(
                refusal, "bad-request",
                "--%s wants a scheme and a host without a path, https://puzzles.example.org, not %s", option,
                text);
        origins->text[origins->count++] = text;
    }
    return true;
}

static bool take_rate(struct settings *settings, const char *text, struct refusal *refusal)
{
    char *end = NULL;
    unsigned long rate = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || rate > 1000000)
        return refuse(refusal, "bad-request", "--rate wants a number from 0 to 1000000, not %s", text);
    settings->rate = (unsigned)rate;
    return true;
}

/* Reads "10s,256M". */
static bool take_class(struct settings *settings, const char *text, struct refusal *refusal)
{
    struct pz_error error;
    double seconds = 0;
    uint64_t bytes = 0;
    const size_t time = strcspn(text, ",");
    const char *memory = text + time + (text[time] == ',');
    if (time >= sizeof settings->class_time || strlen(memory) >= sizeof settings->class_memory)
        return refuse(refusal, "bad-request", "--class wants a time and a memory, 10s,256M, not %.60s", text);
    (void)snprintf(settings->class_time, sizeof settings->class_time, "%.*s", (int)time, text);
    (void)snprintf(settings->class_memory, sizeof settings->class_memory, "%s", memory);
    if (quantity_seconds(settings->class_time, &seconds, &error) != PZ_OK ||
        quantity_bytes(settings->class_memory, &bytes, &error) != PZ_OK)
        return refuse(refusal, "bad-request", "--class wants a time and a memory, 10s,256M: %s", error.text);
    if (bytes < (1u << 20))
        return refuse(refusal, "bad-request", "--class wants 1M of memory or more, 10s,256M, not %.60s",
                      text);
    return seconds > 0 ||
           refuse(refusal, "bad-request", "--class wants a time above 0, 10s,256M, not %.60s", text);
}

static bool take_options(struct settings *settings, const struct arguments *given, struct refusal *refusal)
{
    struct pz_error error;
    const char *socket = arguments_option(given, "socket");
    const char *listen = arguments_option(given, "listen");
    const char *rate = arguments_option(given, "rate");
    settings->pages = arguments_option(given, "pages");
    settings->open_to_all = arguments_option(given, "public") != NULL;
    settings->read_only = settings->open_to_all || arguments_option(given, "read-only") != NULL;
    settings->behind_proxy = arguments_option(given, "behind-proxy") != NULL;
    settings->allow_remote = arguments_option(given, "allow-remote") != NULL;
    const char *limits = arguments_option(given, "class");
    settings->rate = settings->read_only || limits != NULL ? READ_ONLY_RATE : 0;
    if (socket != NULL && !address_socket(&settings->daemon, socket, &error))
        return refuse(refusal, "bad-request", "%s", error.text);
    return take_listen(settings, listen != NULL ? listen : LISTEN_DEFAULT, refusal) &&
           take_origins(given, "origin", &settings->origins, refusal) &&
           take_origins(given, "frame", &settings->frames, refusal) &&
           (limits == NULL || take_class(settings, limits, refusal)) &&
           (rate == NULL || take_rate(settings, rate, refusal));
}

static bool check_settings(struct settings *settings, struct refusal *refusal)
{
    struct pz_error error;
    if (settings->daemon.path[0] == '\0' && !address_default(&settings->daemon, &error))
        return refuse(refusal, "bad-request", "%s", error.text);
    if (!address_is_loopback(&settings->listen) && !settings->allow_remote)
        return refuse(
            refusal, "bad-request",
            "%s can be reached from other machines, and there is no authentication: --allow-remote allows it",
            settings->listen_text);
    return true;
}

enum settings_found settings_read(struct settings *settings, int argc, char **argv)
{
    struct refusal refusal = {0};
    struct program_line line;
    struct pz_error error;
    *settings = (struct settings){0};
    bool good = program_read(&web_program, argc, argv, &line, &error) ||
                refuse(&refusal, "bad-request", "%s", error.text);
    if (good && program_tells(&web_program, &line))
        return SETTINGS_LEAVE;
    if (good && line.arguments.next < argc)
        good = refuse(&refusal, "bad-request", "unexpected argument '%s'", argv[line.arguments.next]);
    if (good && take_options(settings, &line.arguments, &refusal) && check_settings(settings, &refusal))
        return SETTINGS_RUN;
    program_refuse(&web_program, refusal.text);
    return SETTINGS_WRONG;
}

void settings_pages(const struct settings *settings, char *out, size_t room)
{
    char directory[PATH_MAX]; /* /usr/sbin */
    program_directory(directory);
    char *slash = strrchr(directory, '/');
    if (slash != NULL)
        *slash = '\0';
    (void)snprintf(out, room, "%s/share/puzzled-web", directory);
    if (settings->pages != NULL || access(out, R_OK) != 0)
        (void)snprintf(out, room, "%s", settings->pages != NULL ? settings->pages : WEB_PAGES);
}
