/* SPDX-License-Identifier: MIT */
#include "answer/answer.h"
