/* SPDX-License-Identifier: MIT */
#include "solve/solve.h"
