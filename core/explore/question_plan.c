/* SPDX-License-Identifier: MIT */
#include "explore/question_plan.h"

#include "space/registry.h"

#include <assert.h>
#include <string.h>

const struct plan_offer plan_offer_any = {.threads = 1, .memory = UINT64_MAX, .share = UINT64_MAX};

/* ---- the space ---- */

/* From all goals, where there is one and moves can be undone, is from that goal. */
static void set_root(struct question_plan *plan, const struct explore_request *asked, const void **root)
{
    *root = asked->root;
    if (asked->from != FROM_GOALS || !space_has_one_end(asked->space))
        return;
    asked->space->puzzle->goal(asked->space, plan->root);
    plan->request.from = FROM_ROOT;
    *root = plan->root;
}

static enum pz_status make_canonical(struct question_plan *plan, const struct explore_request *asked,
                                     struct pz_error *error)
{
    struct pz_canon canon;
    const void *root;
    set_root(plan, asked, &root);
    enum pz_status status = space_canonical(asked->space, root, &canon, &plan->canonical, error);
    memcpy(plan->root, canon.root, sizeof plan->root);
    plan->request.root = plan->root;
    if (plan->canonical != NULL)
        plan->request.space = plan->canonical;
    return status;
}

/* ---- what it takes ---- */

unsigned plan_threads(const struct plan_offer *offer, unsigned asked)
{
    return asked > 0 && asked < offer->threads ? asked : offer->threads;
}

uint64_t plan_memory(const struct plan_offer *offer, uint64_t asked, unsigned threads)
{
    const uint64_t part = threads < offer->threads ? offer->memory / offer->threads * threads : offer->memory;
    return asked > 0 ? asked : part < offer->share ? part : offer->share;
}

static void set_memory(struct question_plan *plan, uint64_t memory, const struct plan_offer *offer)
{
    plan->memory = plan_memory(offer, memory, plan->request.threads);
    plan->need = plan->estimate.bytes;
    /* Planes in pieces fill the memory that was given to them. */
    const enum explore_planes planes = explore_planes_within(&plan->estimate, plan->memory, UINT64_MAX);
    const bool fills = memory > 0 && (planes == PLANES_CODED || planes == PLANES_DISK);
    plan->reserve = plan->need > 0 && plan->need < plan->memory && !fills ? plan->need : plan->memory;
}

static void set_disk(struct question_plan *plan, const struct plan_offer *offer)
{
    const uint64_t asked = plan->request.disk;
    plan->room = asked > 0 && (offer->disk == 0 || asked < offer->disk) ? asked : offer->disk;
    if (explore_planes_within(&plan->estimate, plan->memory, UINT64_MAX) != PLANES_DISK)
        return;
    const uint64_t need = explore_disk_within(&plan->estimate.cost[PLANES_DISK], plan->memory);
    plan->disk = asked > 0 && asked < need ? asked : need;
}

/* Ranks take their memory elsewhere. */
static void set_resources(struct question_plan *plan, uint64_t memory, const struct plan_offer *offer)
{
    if (plan->request.cluster) {
        plan->memory = plan->need = plan->reserve = PLAN_RANKS_BYTES;
        return;
    }
    set_memory(plan, memory, offer);
    set_disk(plan, offer);
}

/* ---- the engine ---- */

static enum engine engine_wanted(const struct explore_request *asked, const struct plan_offer *offer)
{
    if (asked->engine != ENGINE_AUTO)
        return asked->engine;
    return asked->cluster && offer->engine == ENGINE_RANKED ? ENGINE_AUTO : offer->engine;
}

/* ---- life ---- */

enum pz_status question_plan_init(struct question_plan *plan, const struct explore_request *asked,
                                  uint64_t memory, const struct plan_offer *offer, struct pz_error *error)
{
    assert(offer->threads > 0);
    *plan = (struct question_plan){.request = *asked};
    plan->request.engine = engine_wanted(asked, offer);
    plan->request.threads = asked->cluster ? 1 : plan_threads(offer, asked->threads);
    enum pz_status status = make_canonical(plan, asked, error);
    if (status == PZ_OK)
        status = explore_plan_ahead(&plan->request, &plan->estimate, error);
    if (status != PZ_OK) {
        question_plan_clear(plan);
        return status;
    }
    plan->request.engine = plan->estimate.engine;
    set_resources(plan, memory, offer);
    assert(plan->request.engine != ENGINE_AUTO && plan->reserve <= plan->memory);
    return PZ_OK;
}

void question_plan_clear(struct question_plan *plan)
{
    space_close(plan->canonical);
    *plan = (struct question_plan){0};
}

enum pz_status question_plan_check(const struct question_plan *plan, struct pz_error *error)
{
    struct explore_request request = plan->request;
    request.disk = plan->room;
    return explore_check_memory(&request, plan->memory, error);
}
