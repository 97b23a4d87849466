/* SPDX-License-Identifier: MIT */
/*
 * The connected components of a space with a ranking function: which states reach each other, how many they
 * are, and which of them is farthest from the nearest goal. Four bytes a state while the levels are made. In
 * the stored table the components follow the states, from the next chunk on, the largest first.
 */
#ifndef EXPLORE_RANKED_RANKED_COMPONENTS_H
#define EXPLORE_RANKED_RANKED_COMPONENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget;

/* A component of a stored table: 32 bytes, little-endian. */
struct ranked_component {
    uint64_t states;
    uint64_t first; /* its lowest number */
    uint64_t
        deepest;    /* the lowest number of those farthest from the goals; first if there is no goal in it */
    uint32_t depth; /* of deepest; COMPONENT_DEAD if no goal is in the component */
    uint32_t unused;
};
#define COMPONENT_DEAD UINT32_MAX

/* Zeroed memory is valid and holds no components. */
struct ranked_components {
    _Atomic uint32_t
        *of; /* of each state a lower one of its component, or itself; then the number of its component */
    uint64_t states;
    uint64_t count;               /* of components */
    struct ranked_component *all; /* by first; sorted by ranked_components_sort */
    _Atomic uint64_t
        *farthest; /* of each component: level + 1, and the lowest number of it; workers write it */
    struct budget *budget;
    uint64_t bytes; /* taken from it */
};

/* Returns false without memory, or with 2^32 states or more. */
bool ranked_components_init(struct ranked_components *parts, uint64_t states, struct budget *budget);
void ranked_components_clear(struct ranked_components *parts);
/* Joins the components of two states. By any worker. */
void ranked_components_join(struct ranked_components *parts, uint64_t a, uint64_t b);
/* Numbers and counts the components, when all are joined. Returns false without memory. */
bool ranked_components_number(struct ranked_components *parts);
/* Records that a state is at a level. By any worker. */
void ranked_components_note(struct ranked_components *parts, uint64_t number, uint32_t level);
/* Fills in what ranked_components_note recorded, and puts the largest component first. */
void ranked_components_sort(struct ranked_components *parts);

#endif
