/* SPDX-License-Identifier: MIT */
#include "client/session/command.h"

#include "client/session/suggest.h"

bool command_prepare(struct session *session, const struct arguments *arguments, struct pz_error *error)
{
    const char *socket = arguments_option(arguments, "socket");
    const char *host = arguments_option(arguments, "host");
    session->json = arguments_option(arguments, "json") != NULL;
    session->suggest = suggest;
    session->quiet = arguments_option(arguments, "quiet") != NULL;
    if (socket != NULL && host != NULL) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "--socket or --host, not both");
        return false;
    }
    if (socket != NULL)
        return address_socket(&session->address, socket, error);
    if (host != NULL)
        return address_host(&session->address, host, error);
    return address_default(&session->address, error);
}
