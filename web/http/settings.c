/* SPDX-License-Identifier: MIT */
#include "web/http/settings.h"

#include "version.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum flag {
    OPTION_SOCKET = 256,
    OPTION_LISTEN,
    OPTION_PAGES,
    OPTION_ORIGIN,
    OPTION_FRAME,
    OPTION_RATE,
    OPTION_READ_ONLY,
    OPTION_PUBLIC,
    OPTION_BEHIND_PROXY,
    OPTION_ALLOW_REMOTE,
    OPTION_VERSION,
    OPTION_HELP
};

static const struct option options[] = {
    {"socket", required_argument, NULL, OPTION_SOCKET},
    {"listen", required_argument, NULL, OPTION_LISTEN},
    {"pages", required_argument, NULL, OPTION_PAGES},
    {"origin", required_argument, NULL, OPTION_ORIGIN},
    {"frame", required_argument, NULL, OPTION_FRAME},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"read-only", no_argument, NULL, OPTION_READ_ONLY},
    {"public", no_argument, NULL, OPTION_PUBLIC},
    {"behind-proxy", no_argument, NULL, OPTION_BEHIND_PROXY},
    {"allow-remote", no_argument, NULL, OPTION_ALLOW_REMOTE},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

static const char help[] =
    "puzzled-web: a page in the browser for the puzzle explorer puzzled\n"
    "\n"
    "  --socket PATH          the daemon's Unix socket\n"
    "  --listen ADDRESS:PORT  where to answer (default 127.0.0.1:8372)\n"
    "  --read-only            nobody starts, cancels or forgets jobs; each client has limits\n"
    "  --public               read-only, and pages of every other site may read the API\n"
    "  --rate N               requests a second of one client (0: no limit; read-only: 20)\n"
    "  --origin URL           where a proxy shows the page, https://puzzles.example.org; may come 8 times\n"
    "  --frame URL            a site whose pages may show ours in a frame; may come 8 times\n"
    "  --behind-proxy         tell clients apart by the proxy's X-Forwarded-For\n"
    "  --allow-remote         listen on an address that other machines reach\n"
    "  --pages DIRECTORY      the files of the page (default: those that belong to the program)\n"
    "  --version, --help\n";

static bool read_port(const char *text, in_port_t *port)
{
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);
    *port = htons((uint16_t)number);
    return *text >= '0' && *text <= '9' && *end == '\0' && number <= 65535;
}

/* Reads "127.0.0.1:8372" or "[::1]:8372". */
static bool read_listen(struct settings *settings, const char *text, struct refusal *refusal)
{
    char host[INET6_ADDRSTRLEN + 2];
    const char *colon = strrchr(text, ':');
    struct sockaddr_in *four = (struct sockaddr_in *)&settings->listen;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&settings->listen;
    settings->listen = (struct sockaddr_storage){0};
    (void)snprintf(settings->listen_text, sizeof settings->listen_text, "%s", text);
    if (colon != NULL && (size_t)(colon - text) < sizeof host) {
        size_t bracket = *text == '[' && colon[-1] == ']' ? 1 : 0;
        (void)snprintf(host, sizeof host, "%.*s", (int)((size_t)(colon - text) - 2 * bracket),
                       text + bracket);
        if (bracket == 0 && read_port(colon + 1, &four->sin_port) &&
            inet_pton(AF_INET, host, &four->sin_addr) == 1) {
            settings->listen.ss_family = AF_INET;
            return true;
        }
        if (bracket == 1 && read_port(colon + 1, &six->sin6_port) &&
            inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
            settings->listen.ss_family = AF_INET6;
            return true;
        }
    }
    return refuse(refusal, "bad-request",
                  "--listen wants ADDRESS:PORT, such as 127.0.0.1:8372 or [::1]:8372, not %s", text);
}

static bool is_loopback(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    if (address->ss_family == AF_INET)
        return (ntohl(four->sin_addr.s_addr) >> 24) == 127;
    return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* option is "--origin". What separates parts of a header may not stand in the host. */
static bool take_origin(struct origins *origins, const char *option, const char *text,
                        struct refusal *refusal)
{
    if (origins->count == ORIGINS_MAX)
        return refuse(refusal, "bad-request", "more than %d times %s", ORIGINS_MAX, option);
    const char *host = strstr(text, "://");
    if ((strncmp(text, "http://", 7) != 0 && strncmp(text, "https://", 8) != 0) || host[3] == '\0' ||
        strpbrk(host + 3, "/ ;,'\"") != NULL || strlen(text) > ORIGIN_LENGTH_MAX)
        return refuse(refusal, "bad-request",
                      "%s wants a scheme and a host without a path, https://puzzles.example.org, not %s",
                      option, text);
    origins->text[origins->count++] = text;
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

static bool take_option(struct settings *settings, int option, struct refusal *refusal)
{
    struct pz_error error;
    switch (option) {
    case OPTION_SOCKET:
        return address_socket(&settings->daemon, optarg, &error) ||
               refuse(refusal, "bad-request", "%s", error.text);
    case OPTION_LISTEN:
        return read_listen(settings, optarg, refusal);
    case OPTION_PAGES:
        settings->pages = optarg;
        return true;
    case OPTION_ORIGIN:
        return take_origin(&settings->origins, "--origin", optarg, refusal);
    case OPTION_FRAME:
        return take_origin(&settings->frames, "--frame", optarg, refusal);
    case OPTION_RATE:
        return take_rate(settings, optarg, refusal);
    case OPTION_READ_ONLY:
        settings->read_only = true;
        return true;
    case OPTION_PUBLIC:
        settings->open_to_all = true;
        settings->read_only = true;
        return true;
    case OPTION_BEHIND_PROXY:
        settings->behind_proxy = true;
        return true;
    case OPTION_ALLOW_REMOTE:
        settings->allow_remote = true;
        return true;
    default:
        return false;
    }
}

static bool check(struct settings *settings, bool rate_given, struct refusal *refusal)
{
    struct pz_error error;
    if (settings->read_only && !rate_given)
        settings->rate = READ_ONLY_RATE;
    if (settings->daemon.path[0] == '\0' && !address_default(&settings->daemon, &error))
        return refuse(refusal, "bad-request", "%s", error.text);
    if (!is_loopback(&settings->listen) && !settings->allow_remote)
        return refuse(
            refusal, "bad-request",
            "%s can be reached from other machines, and there is no authentication: --allow-remote allows it",
            settings->listen_text);
    return true;
}

enum settings_found settings_read(struct settings *settings, int argc, char **argv)
{
    struct refusal refusal = {.text = "puzzled-web --help lists the options"};
    bool rate_given = false;
    int option = 0;
    *settings = (struct settings){0};
    bool good = read_listen(settings, "127.0.0.1:8372", &refusal);
    while (good &&
           (option = getopt_long(argc, argv, "", options, NULL)) >= 0) { /* NOLINT(concurrency-mt-unsafe) */
        if (option == OPTION_HELP || option == OPTION_VERSION) {
            (void)fputs(option == OPTION_HELP ? help : "puzzled-web " PUZZLED_VERSION "\n", stdout);
            return SETTINGS_LEAVE;
        }
        rate_given = rate_given || option == OPTION_RATE;
        good = take_option(settings, option, &refusal);
    }
    if (good && optind < argc)
        good = refuse(&refusal, "bad-request", "unexpected argument '%s'", argv[optind]);
    if (good && check(settings, rate_given, &refusal))
        return SETTINGS_RUN;
    (void)fprintf(stderr, "puzzled-web: %s\n", refusal.text);
    return SETTINGS_WRONG;
}

void settings_pages(const struct settings *settings, char *out, size_t room)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (unsigned up = 0; up < 2; up++) { /* /usr/sbin/puzzled-web: /usr */
        char *slash = strrchr(program, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    (void)snprintf(out, room, "%s/share/puzzled-web", program);
    if (settings->pages != NULL || access(out, R_OK) != 0)
        (void)snprintf(out, room, "%s", settings->pages != NULL ? settings->pages : WEB_PAGES);
}
