/* SPDX-License-Identifier: MIT */
/* Split edges as 64-byte shuffles, for kernels that have them: which units a unit is put together from. */
#ifndef EXPLORE_DENSE_SHUFFLE_H
#define EXPLORE_DENSE_SHUFFLE_H

#include "explore/dense/index/plan.h"

/* Fills units and shuffles from source[]. On failure (PZ_MEMORY) what was made is freed with the plan. */
enum pz_status shuffle_compile(struct plan_split_edge *edge, uint32_t unit, struct pz_error *error);

#endif
