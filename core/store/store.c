/* SPDX-License-Identifier: MIT */
#include "store/store.h"
