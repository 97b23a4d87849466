/* SPDX-License-Identifier: MIT */
#include "explore/explore.h"
