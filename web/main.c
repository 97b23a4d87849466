/* SPDX-License-Identifier: MIT */
#include "protocol/text/standard_descriptors.h"
#include "web/http/web_server.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct settings settings;
    struct refusal refusal;
    standard_descriptors_fill();
    switch (settings_read(&settings, argc, argv)) {
    case SETTINGS_LEAVE:
        return 0;
    case SETTINGS_WRONG:
        return 2;
    case SETTINGS_RUN:
        break;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    struct web_server *server = server_new(&settings, &refusal);
    if (server == NULL) {
        (void)fprintf(stderr, "puzzled-web: %s\n", refusal.text);
        return 1;
    }
    const char *colon = strrchr(settings.listen_text, ':');
    (void)printf("http://%.*s:%u/\n", (int)(colon - settings.listen_text), settings.listen_text,
                 server_port(server));
    (void)fflush(stdout);
    server_run(server);
    server_free(server);
    return 0;
}
