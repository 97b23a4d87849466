/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/orbit_sample.h"

#include <assert.h>

/* Levels of more orbits are sampled in every STRIDE-th class. */
enum { SAMPLE_MOST = 1 << 20, STRIDE = 61 };

bool orbit_sample_init(struct orbit_sample *sample)
{
    return bottom_k_init(&sample->reached, EXPLORE_DEEPEST_MAX) &&
           bottom_k_init(&sample->rest, EXPLORE_DEEPEST_MAX);
}

void orbit_sample_clear(struct orbit_sample *sample)
{
    bottom_k_clear(&sample->reached);
    bottom_k_clear(&sample->rest);
}

void orbit_sample_add(struct orbit_sample *sample, const struct orbit_examples *examples, uint64_t number,
                      unsigned line, unsigned columns)
{
    const uint64_t key[2] = {number << 8 | line, columns};
    const uint64_t hash = bottom_k_hash(key, examples->seed, 1);
    assert(columns != 0 && columns >> examples->geometry->width == 0);
    bottom_k_offer(&sample->reached, hash, key, 2);
    if (columns + 1 < 1u << examples->geometry->width)
        bottom_k_offer(&sample->rest, hash, key, 2);
}

bool orbit_examples_init(struct orbit_examples *examples, const struct dense_geometry *geometry,
                         uint64_t seed)
{
    examples->geometry = geometry;
    examples->seed = seed;
    examples->stride = 1;
    return orbit_sample_init(&examples->made[0]) && orbit_sample_init(&examples->made[1]);
}

void orbit_examples_clear(struct orbit_examples *examples)
{
    orbit_sample_clear(&examples->made[0]);
    orbit_sample_clear(&examples->made[1]);
}

/* ---- choosing ---- */

/* A choice of states by the smallest hashes. Lines count that were sampled in both levels. */
struct orbit_choice {
    const struct orbit_examples *examples;
    struct bottom_k *states;
    uint64_t worst;
    uint32_t stride;
};

static void add_states(const struct orbit_choice *choice, const struct bottom_k *lines, bool others)
{
    const unsigned width = choice->examples->geometry->width;
    for (unsigned i = 0; i < lines->count; i++) {
        const struct bottom_k_entry *entry = &lines->entries[i];
        const uint64_t number = entry->key[0] >> 8;
        const unsigned columns = (unsigned)entry->key[1] ^ (others ? (1u << width) - 1 : 0);
        if (entry->hash > choice->worst || number % choice->stride != 0)
            continue;
        for (unsigned column = 0; column < width; column++) {
            const unsigned line = (unsigned)(entry->key[0] & 0xFF);
            const uint64_t key[2] = {number, dense_place(choice->examples->geometry, line, column)};
            if ((columns >> column & 1u) != 0)
                bottom_k_offer(choice->states, bottom_k_hash(key, choice->examples->seed + 1, 2), key, 2);
        }
    }
}

void orbit_examples_take(struct orbit_examples *examples, uint32_t level, struct orbit_sample *sample)
{
    bottom_k_merge(&examples->made[level % 2].reached, &sample->reached, 2);
    bottom_k_merge(&examples->made[level % 2].rest, &sample->rest, 2);
    bottom_k_empty(&sample->reached);
    bottom_k_empty(&sample->rest);
}

void orbit_examples_choose(struct orbit_examples *examples, uint32_t level, uint64_t orbits)
{
    const struct orbit_sample *own = &examples->made[level % 2];
    struct orbit_sample *before = &examples->made[1 - level % 2];
    examples->strides[level % 2] = examples->stride;
    examples->stride = orbits > SAMPLE_MOST ? STRIDE : 1;
    struct bottom_k states;
    examples->count[level % 2] = 0;
    if (!bottom_k_init(&states, EXPLORE_DEEPEST_MAX))
        return; /* this level shows none */
    const uint64_t worst = before->rest.worst;
    const struct orbit_choice choice = {
        .examples = examples,
        .states = &states,
        .worst = level > 0 && worst < own->reached.worst ? worst : own->reached.worst,
        .stride = examples->strides[0] > examples->strides[1] ? examples->strides[0] : examples->strides[1]};
    add_states(&choice, &own->reached, false);
    if (level > 0)
        add_states(&choice, &before->rest, true);
    bottom_k_sort(&states);
    examples->count[level % 2] = states.count;
    for (unsigned i = 0; i < states.count; i++)
        examples->chosen[level % 2][i] =
            (struct examples_place){states.entries[i].key[0], (uint8_t)states.entries[i].key[1]};
    bottom_k_clear(&states);
    bottom_k_empty(&before->reached);
    bottom_k_empty(&before->rest);
}

/* ---- checkpoints ---- */

struct orbit_saved {
    uint32_t chosen, rest, stride, strides;
    uint64_t worst;
};

void orbit_examples_save(const struct orbit_examples *examples, uint32_t level,
                         struct checkpointer *checkpointer)
{
    const unsigned i = level % 2;
    const struct bottom_k *rest = &examples->made[i].rest;
    const struct orbit_saved saved = {examples->count[i], rest->count, examples->stride, examples->strides[i],
                                      rest->worst};
    if (checkpointer_put(checkpointer, &saved, sizeof saved) &&
        checkpointer_put(checkpointer, examples->chosen[i], saved.chosen * sizeof *examples->chosen[i]))
        (void)checkpointer_put(checkpointer, rest->entries, saved.rest * sizeof *rest->entries);
}

static bool is_sound(const struct orbit_examples *examples, unsigned i)
{
    const struct dense_geometry *geometry = examples->geometry;
    const struct bottom_k *rest = &examples->made[i].rest;
    bool sound = true;
    for (unsigned k = 0; k < examples->count[i]; k++)
        sound = sound && examples->chosen[i][k].number < geometry->classes &&
                examples->chosen[i][k].place < geometry->places;
    for (unsigned k = 0; k < rest->count; k++)
        sound = sound && rest->entries[k].key[0] >> 8 < geometry->classes &&
                (rest->entries[k].key[0] & 0xFF) < dense_lines(geometry) &&
                rest->entries[k].key[1] >> geometry->width == 0;
    return sound;
}

bool orbit_examples_load(struct orbit_examples *examples, uint32_t level, struct checkpointer *checkpointer)
{
    const unsigned i = level % 2;
    struct bottom_k *rest = &examples->made[i].rest;
    struct orbit_saved saved;
    if (!checkpointer_get(checkpointer, &saved, sizeof saved) || saved.chosen > EXPLORE_DEEPEST_MAX ||
        saved.rest > rest->limit || saved.stride == 0 || saved.strides == 0 ||
        !checkpointer_get(checkpointer, examples->chosen[i], saved.chosen * sizeof *examples->chosen[i]) ||
        !checkpointer_get(checkpointer, rest->entries, saved.rest * sizeof *rest->entries))
        return false;
    examples->count[i] = saved.chosen;
    rest->count = saved.rest;
    rest->worst = saved.worst;
    examples->stride = saved.stride;
    examples->strides[i] = saved.strides;
    return is_sound(examples, i);
}
