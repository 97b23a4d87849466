/* SPDX-License-Identifier: MIT */
#include "explore/dense/kernel/kernel.h"

#include <string.h>

static const struct kernel *const kernels[] = {
#if defined(__x86_64__)
    &kernel_avx512,
    &kernel_avx2,
#endif
    &kernel_portable,
};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

const struct kernel *kernel_number(unsigned number)
{
    return number < KERNELS ? kernels[number] : NULL;
}

enum pz_status kernel_find(const char *name, const struct kernel **out, struct pz_error *error)
{
    for (unsigned i = 0; i < KERNELS; i++) {
        bool wanted = name == NULL || strcmp(name, kernels[i]->name) == 0;
        if (wanted && kernels[i]->runs_here()) {
            *out = kernels[i];
            return PZ_OK;
        }
        if (wanted && name != NULL)
            return pz_fail(error, PZ_UNSUPPORTED, "this processor cannot run the kernel %s", name);
    }
    return pz_fail(error, PZ_BAD_REQUEST, "no kernel '%.20s': there are portable, avx2 and avx512", name);
}
