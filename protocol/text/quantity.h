/* SPDX-License-Identifier: MIT */
/* Numbers as people write them, in the configuration, on the command line and in requests. A refusal
 * (PZ_BAD_REQUEST) says what the text was and what is allowed. */
#ifndef PROTOCOL_QUANTITY_H
#define PROTOCOL_QUANTITY_H

#include "puzzled/status.h"

#include <stddef.h>
#include <stdint.h>

/* Reads a whole number in decimal, least … most. */
enum pz_status quantity_count(const char *text, uint64_t least, uint64_t most, uint64_t *out,
                              struct pz_error *error);
/* Reads bytes: 4096, 512K, 8G, 2T (powers of 1024). */
enum pz_status quantity_bytes(const char *text, uint64_t *out, struct pz_error *error);
/* Reads seconds: 30 or 30s, 500ms, 5m, 2h, 7d. */
enum pz_status quantity_seconds(const char *text, double *out, struct pz_error *error);
/* Reads yes or no (also true/false, on/off, 1/0). */
enum pz_status quantity_flag(const char *text, bool *out, struct pz_error *error);

#endif
