/* SPDX-License-Identifier: MIT */
#include "explore/dense/kernel/kernel.h"

#include <string.h>

const struct kernel *const dense_kernels[] = {
#if defined(__x86_64__)
    &kernel_avx512,
    &kernel_avx2,
#endif
    &kernel_portable,
    NULL,
};

enum pz_status kernel_find(const char *name, const struct kernel **out, struct pz_error *error)
{
    for (const struct kernel *const *kernel = dense_kernels; *kernel != NULL; kernel++) {
        bool wanted = name == NULL || strcmp(name, (*kernel)->name) == 0;
        if (wanted && (*kernel)->runs_here()) {
            *out = *kernel;
            return PZ_OK;
        }
        if (wanted && name != NULL)
            return pz_fail(error, PZ_UNSUPPORTED, "this processor cannot run the kernel %s", name);
    }
    return pz_fail(error, PZ_BAD_REQUEST, "no kernel '%.20s': there are portable, avx2 and avx512", name);
}
