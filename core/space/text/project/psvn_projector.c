/* SPDX-License-Identifier: MIT */
#include "space/text/project/psvn_projector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Made in some seconds by the striped engine, and by the one for costs. */
enum { PSVN_KEYS_MAX = 8 << 20, PSVN_COST_KEYS_MAX = 1 << 20 };

struct psvn_projection {
    struct projection base;             /* first */
    const struct psvn_meaning *meaning; /* of the projected space */
    const struct psvn_meaning *own;
    bool has_tokens;
    struct psvn_classes classes;
    uint32_t places; /* that are distinguished */
    uint16_t place[PROJECTION_ATOMS_MAX];
    uint64_t weight[PROJECTION_ATOMS_MAX];
};

static const struct psvn_projector *projector_of(const struct projector *projector)
{
    return (const struct psvn_projector *)projector;
}

static const struct psvn_projection *projection_of(const struct projection *projection)
{
    return (const struct psvn_projection *)projection;
}

/* ---- sizes ---- */

/* Returns how many goal states an abstraction on variables has. The moves back from its one goal lead to all.
 */
static double goal_states(const struct psvn_projector *projector, uint64_t atoms)
{
    const struct psvn_model *model = projector->meaning->model;
    double states = 0;
    for (uint32_t goal = 0; goal < projector->goal_count; goal++) {
        double open = 1;
        for (uint32_t i = 0; i < model->places; i++)
            if (psvn_keeps(atoms, i) && projector->goals[(size_t)goal * model->places + i] == PSVN_OPEN)
                open *= psvn_domain_of(model, i)->size;
        states += open;
    }
    return states;
}

static double psvn_size(const struct projector *base, uint64_t atoms)
{
    const struct psvn_projector *projector = projector_of(base);
    const struct psvn_model *model = projector->meaning->model;
    double size = 1;
    if (projector->has_tokens) {
        struct psvn_classes classes;
        psvn_classes_make(projector, atoms, &classes);
        return projector_arrangements(classes.count, classes.classes);
    }
    for (uint32_t i = 0; i < model->places; i++)
        size *= psvn_keeps(atoms, i) ? psvn_domain_of(model, i)->size : 1;
    return goal_states(projector, atoms) <= PZ_SUCCESSORS_MAX ? size : INFINITY;
}

static bool psvn_share(const struct projector *base, uint64_t a, uint64_t b)
{
    const struct psvn_projector *projector = projector_of(base);
    const struct psvn_model *model = projector->meaning->model;
    if (projector->has_tokens)
        return !projector->tokens.one_a_rule || (a & b) != 0;
    for (uint32_t i = 0; i < model->rule_count; i++)
        if ((projector->written[i] & a) != 0 && (projector->written[i] & b) != 0)
            return true;
    return false;
}

/* ---- keys ---- */

/* Numbers the arrangement of classes among all that have as many of each. */
static uint64_t rank_classes(const struct psvn_projection *projection, const uint8_t *cells, unsigned count)
{
    const struct psvn_classes *classes = &projection->classes;
    uint8_t left[TOKEN_VALUES_MAX] = {0};
    uint64_t ways = projection->base.keys, rank = 0;
    unsigned told = count - classes->count[0]; /* what is left is all alike when these are gone */
    for (unsigned i = 0; i < classes->classes; i++)
        left[i] = (uint8_t)classes->count[i];
    for (unsigned i = 0; i < count && told > 0; i++) {
        const unsigned cell = cells[i];
        unsigned lower = 0;
        if (left[cell] == 0)
            return PROJECTION_NO_KEY;
        for (unsigned class = 0; class < cell; class ++)
            lower += left[class];
        rank += ways * lower / (count - i);
        ways = ways * left[cell] / (count - i);
        left[cell]--;
        told -= cell != 0;
    }
    return rank;
}

static uint64_t psvn_key(const struct projection *base, const void *state)
{
    const struct psvn_projection *projection = projection_of(base);
    const struct psvn_field *field = projection->meaning->layout.field;
    uint64_t key = 0;
    if (projection->has_tokens) {
        const uint32_t places = projection->meaning->model->places;
        uint8_t cells[PSVN_PLACES_MAX] = {0};
        for (uint32_t i = 0; i < places; i++)
            cells[i] = projection->classes.of[psvn_get(&field[i], state)];
        return rank_classes(projection, cells, places);
    }
    for (uint32_t i = 0; i < projection->places; i++)
        key += projection->weight[i] * psvn_get(&field[projection->place[i]], state);
    return key;
}

/* The last variable is 1 in the goal of the abstraction, which is no projected state. */
static uint64_t psvn_own_key(const struct projection *base, const void *state)
{
    const struct psvn_projection *projection = projection_of(base);
    const struct psvn_field *field = projection->own->layout.field;
    const uint32_t places = projection->own->model->places - 1;
    uint64_t key = 0;
    if (psvn_get(&field[places], state) != 0)
        return PROJECTION_NO_KEY;
    if (projection->has_tokens) {
        uint8_t cells[PSVN_PLACES_MAX] = {0};
        for (uint32_t i = 0; i < places; i++)
            cells[i] = (uint8_t)psvn_get(&field[i], state);
        return rank_classes(projection, cells, places);
    }
    for (uint32_t i = 0; i < places; i++)
        key += projection->weight[i] * psvn_get(&field[i], state);
    return key;
}

/* ---- making one ---- */

static void psvn_projection_close(struct projection *base)
{
    if (base->space != NULL)
        base->space->puzzle->close(base->space);
    free(base);
}

static void weigh_variable(struct psvn_projection *projection, uint64_t atoms)
{
    const struct psvn_model *model = projection->meaning->model;
    uint64_t weight = 1;
    for (uint32_t i = 0; i < model->places; i++) {
        if (!psvn_keeps(atoms, i))
            continue;
        projection->place[projection->places] = (uint16_t)i;
        projection->weight[projection->places++] = weight;
        weight *= psvn_domain_of(model, i)->size;
    }
}

static enum pz_status psvn_project(const struct projector *base, uint64_t atoms, struct projection **out,
                                   struct pz_error *error)
{
    static const struct pz_key backwards = {"backwards", "yes"};
    const struct psvn_projector *projector = projector_of(base);
    const double size = psvn_size(base, atoms);
    if (size > (double)UINT32_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "an abstraction of %g states; %u at most", size, UINT32_MAX);
    struct psvn_projection *projection = calloc(1, sizeof *projection);
    if (projection == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for an abstraction");
    size_t length = 0;
    projection->meaning = projector->meaning;
    projection->has_tokens = projector->has_tokens;
    if (projector->has_tokens)
        psvn_classes_make(projector, atoms, &projection->classes);
    else
        weigh_variable(projection, atoms);
    projection->base.ops = base->ops;
    projection->base.keys = (uint64_t)(size + 0.5);
    projection->base.more = 1; /* the rule that leads from goals */
    char *text =
        psvn_projection_text(projector, atoms, projector->has_tokens ? &projection->classes : NULL, &length);
    enum pz_status status =
        projection_compile(base, text, length, &backwards, 1, &projection->base.space, error);
    if (status == PZ_OK)
        status = projection->base.space->puzzle->root(projection->base.space, projection->base.root, error);
    if (status != PZ_OK) {
        psvn_projection_close(&projection->base);
        return status;
    }
    projection->own = psvn_of(projection->base.space)->meaning;
    *out = &projection->base;
    return PZ_OK;
}

/* ---- the projector ---- */

static void psvn_projector_free(struct projector *base)
{
    free(((struct psvn_projector *)base)->goals);
    free(((struct psvn_projector *)base)->written);
    free(base);
}

static const struct projector_ops psvn_ops = {
    .size = psvn_size,
    .share = psvn_share,
    .project = psvn_project,
    .free = psvn_projector_free,
    .key = psvn_key,
    .own_key = psvn_own_key,
    .close = psvn_projection_close,
};

/* The goals of the text, or the one that was given. */
static bool take_goals(struct psvn_projector *projector, const struct psvn_space *psvn)
{
    const struct psvn_model *model = projector->meaning->model;
    projector->goal_count = psvn->has_goal ? 1 : model->goal_count;
    const size_t cells = (size_t)projector->goal_count * model->places;
    projector->goals = malloc((cells + 1) * sizeof *projector->goals);
    if (projector->goals == NULL)
        return false;
    if (!psvn->has_goal)
        memcpy(projector->goals, model->goals, cells * sizeof *projector->goals);
    for (uint32_t i = 0; psvn->has_goal && i < model->places; i++) {
        const struct psvn_field *field = &projector->meaning->layout.field[i];
        const uint64_t told = psvn->goal.mask[field->word] >> field->shift & field->mask;
        projector->goals[i] = told == field->mask ? (psvn_cell)psvn_get(field, psvn->goal.value) : PSVN_OPEN;
    }
    return true;
}

static bool note_written(struct psvn_projector *projector)
{
    const struct psvn_model *model = projector->meaning->model;
    projector->written = calloc(model->rule_count, sizeof *projector->written);
    for (uint32_t i = 0; projector->written != NULL && i < model->rule_count; i++)
        for (uint32_t k = 0; k < model->places && k < PROJECTION_ATOMS_MAX; k++)
            if (model->rules[i].right[k] != PSVN_OPEN)
                projector->written[i] |= UINT64_C(1) << k;
    return projector->written != NULL;
}

static void choose_atoms(struct psvn_projector *projector)
{
    const struct psvn_model *model = projector->meaning->model;
    unsigned atoms = 0;
    projector->has_tokens =
        projector->goal_count == 1 && psvn_tokens_find(model, projector->goals, &projector->tokens);
    for (unsigned value = 0; projector->has_tokens && value < projector->tokens.values; value++)
        if (projector->tokens.count[value] > 0 && !projector->tokens.is_named[value] &&
            atoms < PROJECTION_ATOMS_MAX)
            projector->atom[atoms++] = (uint8_t)value;
    projector->has_tokens = atoms > 1;
    projector->base.atoms = projector->has_tokens                  ? atoms
                            : model->places < PROJECTION_ATOMS_MAX ? model->places
                                                                   : PROJECTION_ATOMS_MAX;
}

enum pz_status psvn_projector_new(const struct pz_space *space, struct projector **out,
                                  struct pz_error *error)
{
    const struct psvn_space *psvn = psvn_of(space);
    if (psvn->backward_kernel != NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "backwards=yes has no projections");
    struct psvn_projector *projector = calloc(1, sizeof *projector);
    if (projector == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a projector");
    projector->base = (struct projector){
        .ops = &psvn_ops, .format = DEFINITION_PSVN, .space = space, .most = PSVN_KEYS_MAX};
    projector->meaning = psvn->meaning;
    if (!take_goals(projector, psvn) || !note_written(projector)) {
        psvn_projector_free(&projector->base);
        return pz_fail(error, PZ_MEMORY, "no memory for a projector");
    }
    choose_atoms(projector);
    if ((space->flags & PZ_COSTS) != 0 || (projector->has_tokens && projector->tokens.one_a_rule))
        projector->base.most = PSVN_COST_KEYS_MAX;
    *out = &projector->base;
    return PZ_OK;
}
