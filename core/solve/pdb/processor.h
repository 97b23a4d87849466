/* SPDX-License-Identifier: MIT */
/*
 * Inner loops exist twice on x86-64. One body is inlined into a plain function, and into one marked V3_TARGET
 * for processors of the level x86-64-v3, which count bits and copy whole nodes in few instructions.
 * V3_PRESENT chooses at run time.
 */
#ifndef PDB_PROCESSOR_H
#define PDB_PROCESSOR_H

/* For such bodies: compiled for the processor level of the caller. */
#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define V3_TARGET __attribute__((target("popcnt,bmi,bmi2,avx2")))
#define V3_PRESENT                                                                                           \
    (__builtin_cpu_supports("popcnt") != 0 && __builtin_cpu_supports("bmi") != 0 &&                          \
     __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("avx2") != 0)
#else
#define V3_TARGET
#define V3_PRESENT false
#endif

#endif
