/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of explorations, changed as if their seals were right. The first byte says which engine wrote
 * the checkpoint and the second at which level. The rest changes it: three bytes each, a place and what is
 * added there; a place beyond the end cuts the rest off. The exploration may refuse the checkpoint or go on
 * from it, but must end, and stay within its memory. An unchanged one ends with the right numbers. Of these
 * puzzles any bytes are states: 2x3, of which the dense engine keeps bits, and numbers, of which the striped
 * engine keeps the states.
 */
#include "fuzz.h"

#include "explore/explore.h"
#include "space/registry.h"
#include "unit/checkpoint_disk.h"
#include "unit/number_puzzle.h"

enum { DENSE, STRIPED, ENGINES };
enum { LEVELS = 12, LAST_NUMBER = 300 };
/* 2x3 as published; every number up to 300 by adding 1 and doubling, 255 being the farthest from 1. */
static const uint64_t states_of[ENGINES] = {360, 300};
static const uint32_t depth_of[ENGINES] = {21, 14};

struct scene {
    struct disk disk;
    struct control control;
    uint32_t stop_at;
};

static enum pz_status on_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct scene *scene = context;
    if (level == scene->stop_at) {
        atomic_store(&scene->control.keep, true);
        atomic_store(&scene->control.stop, true);
    }
    return PZ_OK;
}

static enum pz_status explore(struct scene *scene, unsigned engine, struct explore_result *result)
{
    static struct pz_space *slide;
    uint64_t root[PZ_STATE_MAX / 8] = {1};
    struct pz_error error;
    struct budget budget;
    const struct pz_setup setup = {0};
    const struct number_space numbers = number_space(1, false, LAST_NUMBER, 0);
    if (slide == NULL)
        FUZZ_REQUIRE(space_open("slide:2x3", &setup, &slide, &error) == PZ_OK);
    const struct pz_space *space = engine == DENSE ? slide : &numbers.base;
    if (engine == DENSE)
        FUZZ_REQUIRE(space->puzzle->root(space, root, &error) == PZ_OK);
    budget_init(&budget, NULL, UINT64_C(64) << 20);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = 1,
                                            .budget = &budget,
                                            .engine = engine == DENSE ? ENGINE_DENSE : ENGINE_STRIPED,
                                            .keep = KEEP_TABLE,
                                            .checkpoint = &scene->disk.calls};
    const struct explore_sink sink = {.context = scene, .level = on_level};
    scene->disk.control = &scene->control;
    atomic_store(&scene->control.stop, false);
    atomic_store(&scene->control.keep, false);
    enum pz_status status = explore_run(&request, &scene->control, &sink, result, &error);
    FUZZ_REQUIRE(atomic_load(&budget.used) == 0);
    return status;
}

/* Returns what an exploration that was told to stop at this level left. */
static const struct disk_parts *left_at(unsigned engine, unsigned level)
{
    static struct scene scenes[ENGINES][LEVELS];
    struct scene *scene = &scenes[engine][level];
    struct explore_result result;
    if (scene->disk.kept.count == 0) {
        disk_init(&scene->disk);
        scene->stop_at = level;
        FUZZ_REQUIRE(explore(scene, engine, &result) != PZ_OK);
        FUZZ_REQUIRE(scene->disk.kept.count > 0);
    }
    return &scene->disk.kept;
}

/* Makes a copy with the changes. Each part is cut to its length by an allocation of its own. Returns true
 * when it differs. */
static bool change(const struct disk_parts *left, const uint8_t *data, size_t size, struct disk_parts *out)
{
    bool changed = false;
    for (uint64_t i = 0; i < left->count; i++) {
        uint8_t copy[EXPLORE_PART_MAX];
        size_t length = left->length[i];
        memcpy(copy, left->part[i], length);
        for (size_t at = 0; at + 3 <= size; at += 3) {
            size_t place = data[at] | (size_t)data[at + 1] << 8;
            changed |= place >= length || data[at + 2] != 0;
            if (place < length)
                copy[place] = (uint8_t)(copy[place] + data[at + 2]);
            else
                length -= length > data[at + 2] ? data[at + 2] : 0;
        }
        out->part[i] = malloc(length);
        FUZZ_REQUIRE(out->part[i] != NULL);
        memcpy(out->part[i], copy, length);
        out->length[i] = length;
        out->count++;
    }
    return changed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scene scene = {.stop_at = UINT32_MAX};
    struct explore_result result = {0};
    if (size < 2)
        return 0;
    disk_init(&scene.disk);
    unsigned engine = data[0] % ENGINES;
    bool changed = change(left_at(engine, data[1] % LEVELS), data + 2, size - 2, &scene.disk.kept);
    enum pz_status status = explore(&scene, engine, &result);
    FUZZ_REQUIRE(changed ||
                 (status == PZ_OK && result.states == states_of[engine] && result.depth == depth_of[engine]));
    disk_clear(&scene.disk);
    return 0;
}
