/* SPDX-License-Identifier: MIT */
/* Levels whose planes are coded group by group (docs/engines/planes.md), in memory or on disk. */
#ifndef EXPLORE_DENSE_CODED_H
#define EXPLORE_DENSE_CODED_H

#include "explore/dense/level/dense_levels.h"

extern const struct levels_kind coded_kind;
extern const struct levels_kind coded_disk_kind;

#endif
