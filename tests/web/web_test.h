/* SPDX-License-Identifier: MIT */
/* Included by the tests of puzzled-web's parts. */
#ifndef WEB_TEST_H
#define WEB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#endif
