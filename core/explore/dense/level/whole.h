/* SPDX-License-Identifier: MIT */
/* Levels whose planes lie in memory as they are. */
#ifndef EXPLORE_DENSE_WHOLE_H
#define EXPLORE_DENSE_WHOLE_H

#include "explore/dense/level/dense_levels.h"

extern const struct levels_kind whole_kind;

#endif
