/* SPDX-License-Identifier: MIT */
/*
 * Functions that count bits in their inner loop exist twice on x86-64, whose base instruction set cannot
 * count bits. One body is inlined into a plain function and into one marked POPCOUNT_TARGET; POPCOUNT_PRESENT
 * chooses at run time.
 */
#ifndef PDB_POPCOUNT_H
#define PDB_POPCOUNT_H

#if defined(__x86_64__)
#define POPCOUNT_TARGET  __attribute__((target("popcnt")))
#define POPCOUNT_PRESENT (__builtin_cpu_supports("popcnt") != 0)
#else
#define POPCOUNT_TARGET
#define POPCOUNT_PRESENT false
#endif

#endif
