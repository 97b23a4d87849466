/* SPDX-License-Identifier: MIT */
/* PSVN, production system vector notation: a vector of variables, rules and goals. */
#ifndef TEXT_PSVN_H
#define TEXT_PSVN_H

#include "space/text/definition.h"

definition_compiler psvn_compile;
extern const struct pz_puzzle psvn_puzzle;

#endif
