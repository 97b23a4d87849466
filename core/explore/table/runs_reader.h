/* SPDX-License-Identifier: MIT */
/* Tables of runs: mixed states in order, each with its distance. The store reads them by key. */
#ifndef EXPLORE_TABLE_RUNS_READER_H
#define EXPLORE_TABLE_RUNS_READER_H

#include "explore/table/table_reader.h"

extern const struct table_format runs_format;

#endif
