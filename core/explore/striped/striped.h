/* SPDX-License-Identifier: MIT */
/* The striped engine: any space, as deep as memory allows. Called by explore_run only. */
#ifndef STRIPED_STRIPED_H
#define STRIPED_STRIPED_H

#include "explore/explore.h"

/* As explore_run; *result is zeroed. */
enum pz_status striped_run(const struct explore_request *request, struct control *control,
                           const struct explore_sink *sink, struct explore_result *result,
                           struct pz_error *error);

/* What that would take, as far as it can be known. */
void striped_plan_ahead(const struct explore_request *request, struct explore_estimate *estimate);

#endif
