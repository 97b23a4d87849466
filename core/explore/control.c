/* SPDX-License-Identifier: MIT */
#include "explore/control.h"

#include "base/clock.h"

#include <stddef.h>

enum pz_status control_poll(const struct control *control)
{
    if (control == NULL)
        return PZ_OK;
    if (control_stopped(control))
        return PZ_CANCELLED;
    return control->deadline > 0 && clock_seconds() >= control->deadline ? PZ_LIMIT : PZ_OK;
}
