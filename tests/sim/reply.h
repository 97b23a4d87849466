/* SPDX-License-Identifier: MIT */
/* Lines that the daemon answers with, read without any of its code. */
#ifndef SIM_REPLY_H
#define SIM_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies the value of a key, without quotes. Returns false if the line has no such key. */
bool reply_value(const char *line, const char *key, char *value, size_t size);
bool reply_has(const char *line, const char *key, const char *value);
bool reply_number(const char *line, const char *key, int64_t *number);
/* The error's code is this one. */
bool reply_failed(const char *line, const char *code);

#endif
