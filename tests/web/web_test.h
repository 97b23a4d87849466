/* SPDX-License-Identifier: MIT */
/* What the tests of puzzled-web's parts include. */
#ifndef WEB_TEST_H
#define WEB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#endif
