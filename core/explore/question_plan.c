/* SPDX-License-Identifier: MIT */
#include "explore/question_plan.h"

#include "base/size_text.h"
#include "explore/advice.h"
#include "explore/striped/striped.h"
#include "space/registry.h"
#include "space/slide/slide.h"
#include "space/text/tws/tws.h"

#include <assert.h>
#include <string.h>

const struct plan_offer plan_offer_any = {.threads = 1, .memory = UINT64_MAX, .share = UINT64_MAX};

/* ---- the space ---- */

/* Turns a search from all goals into a search with the goal as root, if there is one goal and moves can be
 * undone. */
static void set_root(struct question_plan *plan, const struct explore_request *asked, const void **root)
{
    *root = asked->root;
    if (asked->from != FROM_GOALS || !space_has_one_end(asked->space))
        return;
    asked->space->puzzle->goal(asked->space, plan->root);
    plan->request.from = FROM_ROOT;
    plan->request.roots = 1;
    *root = plan->root;
}

static enum pz_status make_canonical(struct question_plan *plan, const struct explore_request *asked,
                                     struct pz_error *error)
{
    struct pz_canon canon;
    const void *root;
    set_root(plan, asked, &root);
    if (tws_stands_for(asked->space, root) > 1 || (plan->request.roots > 1 && tws_has_classes(asked->space)))
        return pz_fail(
            error, PZ_BAD_REQUEST,
            "symmetry=yes: explorations begin from one state that all symmetries keep, as the goal");
    if (plan->request.roots > 1) { /* each would have another canonical space */
        memcpy(plan->root, root, asked->space->state_bytes);
        return PZ_OK;
    }
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

static void plan_set_memory(struct question_plan *plan, uint64_t memory, const struct plan_offer *offer)
{
    plan->memory = plan_memory(offer, memory, plan->request.threads);
    /* Planes in pieces fill all memory that they are given, and so does a search that sorts on disk. Runs on
     * disk leave memory to the page cache. */
    const enum explore_planes planes = explore_planes_within(&plan->estimate, plan->memory, UINT64_MAX);
    const enum engine engine = planes == PLANES_DISK ? plan->estimate.engine : ENGINE_AUTO;
    const bool fills =
        engine == ENGINE_STRIPED || (memory > 0 && (planes == PLANES_CODED || engine == ENGINE_DENSE));
    plan->need = engine == ENGINE_RANKED ? plan->estimate.cost[PLANES_DISK].memory : plan->estimate.bytes;
    plan->reserve = plan->need > 0 && plan->need < plan->memory && !fills ? plan->need : plan->memory;
}

uint64_t plan_room(const struct explore_request *request, uint64_t disk)
{
    if (request->disk > 0)
        return disk == 0 || request->disk < disk ? request->disk : disk;
    const bool table = request->engine == ENGINE_STRIPED && request->keep == KEEP_TABLE;
    return table ? disk / 2 : disk;
}

/* Returns true if it is not known how much of its room a search will take. */
static bool takes_all_room(const struct question_plan *plan, enum explore_planes planes)
{
    if (planes == PLANES_DISK)
        return plan->request.engine == ENGINE_STRIPED && plan->estimate.states == 0;
    return planes == PLANES_AUTO && explore_moves_to_disk(&plan->estimate, plan->memory);
}

static void set_disk(struct question_plan *plan, const struct plan_offer *offer)
{
    const enum explore_planes planes = explore_planes_within(&plan->estimate, plan->memory, UINT64_MAX);
    const uint64_t asked = plan->request.disk;
    plan->room = plan_room(&plan->request, offer->disk);
    if (takes_all_room(plan, planes))
        plan->disk = plan->room;
    if (planes != PLANES_DISK || plan->disk > 0)
        return;
    const uint64_t need = explore_disk_within(&plan->estimate.cost[PLANES_DISK], plan->memory);
    plan->disk = asked > 0 && asked < need ? asked : need;
    /* This engine goes as far as its room lasts; the request may not need more. */
    if (plan->request.engine == ENGINE_STRIPED && plan->room > 0 && plan->room < plan->disk)
        plan->disk = plan->room;
}

/* Ranks have memory of their own; here the job takes little. */
static void set_resources(struct question_plan *plan, uint64_t memory, const struct plan_offer *offer)
{
    if (plan->request.cluster) {
        plan->memory = plan->need = plan->reserve = PLAN_RANKS_BYTES;
        return;
    }
    plan_set_memory(plan, memory, offer);
    set_disk(plan, offer);
}

/* ---- the engine ---- */

static enum engine engine_wanted(const struct explore_request *asked, const struct plan_offer *offer)
{
    if (asked->engine != ENGINE_AUTO || (asked->space->flags & PZ_COSTS) != 0)
        return asked->engine;
    return asked->cluster && offer->engine == ENGINE_RANKED ? ENGINE_AUTO : offer->engine;
}

/* ---- life ---- */

enum pz_status question_plan_init(struct question_plan *plan, const struct explore_request *asked,
                                  uint64_t memory, const struct plan_offer *offer, struct pz_error *error)
{
    assert(offer->threads > 0);
    *plan = (struct question_plan){.request = *asked};
    plan->request.engine = plan->wanted = engine_wanted(asked, offer);
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

void question_plan_estimate_depth(struct question_plan *plan)
{
    struct explore_estimate *estimate = &plan->estimate;
    if (plan->request.depth == EXPLORE_NO_LIMIT || estimate->engine == ENGINE_COSTS ||
        plan->request.from == FROM_GOALS || plan->request.roots > 1) /* levels of costs, or around many */
        return;
    const uint64_t within = advice_states_within(&plan->request);
    if (within == 0 || (estimate->states > 0 && within >= estimate->states))
        return;
    estimate->states = within;
    if (estimate->engine == ENGINE_STRIPED && plan->request.planes != PLANES_DISK)
        striped_estimate_of(&plan->request, within, estimate);
}

void question_plan_clear(struct question_plan *plan)
{
    space_close(plan->canonical);
    *plan = (struct question_plan){0};
}

/* ---- what does not fit ---- */

/* Returns true if the search is known to fit the scratch space, or its room is not known. */
static bool fits_scratch(const struct question_plan *plan)
{
    const struct explore_cost *cost = &plan->estimate.cost[PLANES_DISK];
    return cost->memory > 0 && cost->memory - cost->movable <= plan->memory &&
           (plan->room == 0 || explore_disk_within(cost, plan->memory) <= plan->room);
}

/* Says how much memory (0: enough of it) and scratch space is needed, and how much there is. */
static enum pz_status plan_refuse(const struct question_plan *plan, uint64_t bytes, struct pz_error *error)
{
    char need[SIZE_TEXT];
    char have[SIZE_TEXT];
    char disk[SIZE_TEXT];
    char room[SIZE_TEXT];
    const struct explore_cost *cost = &plan->estimate.cost[PLANES_DISK];
    (void)size_text(bytes, need);
    (void)size_text(plan->memory, have);
    (void)size_text(explore_disk_within(cost, plan->memory), disk);
    (void)size_text(plan->room, room);
    if (cost->memory == 0 || plan->room == 0)
        return pz_fail(error, PZ_TOO_LARGE, "needs %s, limit %s", need, have);
    if (bytes == 0)
        return pz_fail(error, PZ_TOO_LARGE, "needs %s of scratch space, limit %s", disk, room);
    return pz_fail(error, PZ_TOO_LARGE, "needs %s, limit %s, or %s of scratch space, limit %s", need, have,
                   disk, room);
}

/* Refuses a request for all states of a space that is known not to fit. A request that names its engine is
 * not refused: it goes as far as it can. */
static enum pz_status check_whole_fits(const struct question_plan *plan, struct pz_error *error)
{
    char have[SIZE_TEXT];
    const struct explore_estimate *estimate = &plan->estimate;
    const bool levels = plan->request.keep == KEEP_LEVELS;
    const bool disk = plan->request.planes == PLANES_DISK;
    const uint64_t bytes = levels ? estimate->bytes_levels_only : estimate->bytes;
    if (plan->wanted != ENGINE_AUTO || plan->request.engine != ENGINE_STRIPED)
        return PZ_OK;
    if (slide_is_endless(plan->request.space))
        return pz_fail(error, PZ_TOO_LARGE, "more than 2^64 states, limit %s", size_text(plan->memory, have));
    if (estimate->states == 0 || (!disk && bytes <= plan->memory) || fits_scratch(plan))
        return PZ_OK;
    return plan_refuse(plan, disk ? 0 : bytes, error);
}

/* Refuses a table that is stored only when it is complete, if the scratch space cannot hold its search. */
static enum pz_status check_table_fits(const struct question_plan *plan, struct pz_error *error)
{
    const struct explore_request *request = &plan->request;
    const bool whole = request->engine == ENGINE_DENSE || request->engine == ENGINE_RANKED;
    if (!whole || request->planes != PLANES_DISK || request->keep != KEEP_TABLE || fits_scratch(plan))
        return PZ_OK;
    return plan_refuse(plan, 0, error);
}

/* Refuses more states than any number of ranks can hold. */
static enum pz_status check_ranks(const struct question_plan *plan, struct pz_error *error)
{
    if (plan->wanted != ENGINE_AUTO || !slide_is_endless(plan->request.space))
        return PZ_OK;
    return pz_fail(error, PZ_TOO_LARGE, "more than 2^64 states: depth= says how far to go");
}

static enum pz_status check_fit(const struct question_plan *plan, struct pz_error *error)
{
    if (plan->request.depth != EXPLORE_NO_LIMIT)
        return PZ_OK;
    if (plan->request.cluster)
        return check_ranks(plan, error);
    const enum pz_status status = check_whole_fits(plan, error);
    return status == PZ_OK ? check_table_fits(plan, error) : status;
}

void question_plan_advise(const struct question_plan *plan, uint64_t memory, uint64_t room,
                          struct pz_error *error)
{
    char advice[ADVICE_TEXT];
    const struct pz_error refusal = *error;
    struct explore_request request = plan->request;
    request.engine = plan->wanted;
    request.cluster = false;
    advice_write(&request, memory, room, advice);
    if (*advice != '\0')
        (void)pz_fail(error, refusal.code, "%.270s; %s", refusal.text, advice);
}

enum pz_status question_plan_check(const struct question_plan *plan, struct pz_error *error)
{
    struct explore_request request = plan->request;
    struct pz_error refusal;
    request.disk = plan->room;
    enum pz_status status = PZ_OK;
    if (!request.cluster) /* the resources of ranks are not known here */
        status = explore_check_memory(&request, plan->memory, &refusal);
    if (status == PZ_OK)
        status = check_fit(plan, &refusal);
    if (status == PZ_OK)
        return PZ_OK;
    if (status == PZ_TOO_LARGE && !request.cluster)
        question_plan_advise(plan, plan->memory, plan->room, &refusal);
    return pz_fail(error, status, "%s", refusal.text);
}
