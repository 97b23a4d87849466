/* SPDX-License-Identifier: MIT */
/* Addresses for TCP: 127.0.0.1:7845, [::1]:7845; port 0 leaves the choice to the system. Names are refused:
 * there is no resolver. */
#ifndef PROTOCOL_LISTEN_ADDRESS_H
#define PROTOCOL_LISTEN_ADDRESS_H

#include "puzzled/status.h"

#include <sys/socket.h>

struct listen_address {
    struct sockaddr_storage storage;
    socklen_t length;
};

/* Returns PZ_BAD_REQUEST if the text is no address. */
enum pz_status address_parse(const char *text, struct listen_address *out, struct pz_error *error);
/* Returns true if only this machine can reach the address. */
bool address_is_loopback(const struct listen_address *address);
unsigned address_port(const struct sockaddr_storage *storage);

#endif
