/* SPDX-License-Identifier: MIT */
/* The first failure of a search on disk ends the work of all members. */
#include "explore/striped/disk/bin_search.h"

#include <errno.h>
#include <inttypes.h>

void bin_search_failed(struct bin_search *search, enum pz_status status, const char *why)
{
    (void)pthread_mutex_lock(&search->lock);
    if (search->failed == PZ_OK)
        search->failed = pz_fail(&search->error, status, "%s", why);
    (void)pthread_mutex_unlock(&search->lock);
    turns_end(&search->turns, status);
}

void bin_search_disk_failed(struct bin_search *search, int failure, const char *what)
{
    struct pz_error error = {0};
    enum pz_status status;
    if (failure == ENOMEM)
        status = pz_fail(&error, PZ_MEMORY, "no memory for the index of a level on disk");
    else if (failure == EDQUOT && search->store.disk_most < UINT64_MAX)
        status = pz_fail(&error, PZ_STORAGE_FULL, "scratch space: %" PRIu64 " bytes are not enough",
                         search->store.disk_most);
    else
        status = disk_failed(failure, what, &error);
    bin_search_failed(search, status, error.text);
}
