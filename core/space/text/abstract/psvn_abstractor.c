/* SPDX-License-Identifier: MIT */
#include "space/text/abstract/psvn_abstractor.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Made in some seconds by the striped engine, and by the one for costs. */
enum { PSVN_KEYS_MAX = 8 << 20, PSVN_COST_KEYS_MAX = 1 << 20 };

/* ---- texts whose rules only carry values to other places ---- */

static int by_cell(const void *a, const void *b)
{
    const psvn_cell left = *(const psvn_cell *)a, right = *(const psvn_cell *)b;
    return (left > right) - (left < right);
}

/* Returns true if a rule writes exactly what it found at the places that it writes to. */
static bool only_carries(const struct psvn_model *model, const struct psvn_rule *rule)
{
    psvn_cell found[PSVN_PLACES_MAX] = {0}, written[PSVN_PLACES_MAX] = {0};
    unsigned count = 0;
    for (uint32_t i = 0; i < model->places; i++) {
        if (rule->right[i] == PSVN_OPEN)
            continue;
        found[count] = rule->left[i];
        written[count++] = rule->right[i];
        if (rule->left[i] == PSVN_OPEN)
            return false;
    }
    qsort(found, count, sizeof *found, by_cell);
    qsort(written, count, sizeof *written, by_cell);
    return memcmp(found, written, count * sizeof *found) == 0;
}

/* Returns how many places a rule writes that have no value of its own. */
static unsigned count_carried(const struct psvn_model *model, const struct psvn_rule *rule)
{
    unsigned carried = 0;
    for (uint32_t i = 0; i < model->places; i++)
        carried += rule->right[i] >= PSVN_NAME;
    return carried;
}

static void note_named(struct psvn_tokens *tokens, psvn_cell cell)
{
    if (cell >= 0 && cell < TOKEN_VALUES_MAX) /* a value, no name or open place */
        tokens->is_named[cell] = true;
}

/* Finds out if a text's values are only carried about. */
static bool find_tokens(const struct psvn_model *model, const psvn_cell *goal, struct psvn_tokens *tokens)
{
    const uint32_t size = psvn_domain_of(model, 0)->size;
    *tokens = (struct psvn_tokens){.values = size, .one_a_rule = true};
    if (size >= TOKEN_VALUES_MAX) /* and a class beside those of the values */
        return false;
    for (uint32_t i = 0; i < model->places; i++) {
        if (model->domain_of[i] != model->domain_of[0] || goal[i] < 0 || goal[i] >= TOKEN_VALUES_MAX)
            return false;
        tokens->count[goal[i]]++;
    }
    for (uint32_t i = 0; i < model->rule_count; i++) {
        const struct psvn_rule *rule = &model->rules[i];
        if (!only_carries(model, rule))
            return false;
        tokens->one_a_rule &= rule->names == 1 && count_carried(model, rule) == 1;
        for (uint32_t k = 0; k < model->places; k++) {
            note_named(tokens, rule->left[k]);
            note_named(tokens, rule->right[k]);
        }
    }
    return true;
}

static void make_classes(const struct psvn_abstractor *abstractor, uint64_t atoms,
                         struct psvn_classes *classes)
{
    const struct psvn_tokens *tokens = &abstractor->tokens;
    assert(abstractor->has_tokens && tokens->values < TOKEN_VALUES_MAX);
    *classes = (struct psvn_classes){.classes = 1};
    for (unsigned i = 0; i < abstractor->base.atoms; i++)
        if ((atoms >> i & 1) != 0)
            classes->of[abstractor->atom[i]] = (uint8_t)classes->classes++;
    classes->first_named = classes->classes;
    for (unsigned value = 0; value < tokens->values; value++)
        if (tokens->is_named[value])
            classes->of[value] = (uint8_t)classes->classes++;
    assert(classes->classes <= TOKEN_VALUES_MAX);
    for (unsigned value = 0; value < tokens->values; value++)
        classes->count[classes->of[value]] += tokens->count[value];
}

/* ---- abstractions ---- */

struct psvn_abstraction {
    struct abstraction base;            /* first */
    const struct psvn_meaning *meaning; /* of the abstraction */
    const struct psvn_meaning *own;
    bool has_tokens;
    struct psvn_classes classes;
    uint32_t places; /* that are distinguished */
    uint16_t place[ABSTRACTION_ATOMS_MAX];
    uint64_t weight[ABSTRACTION_ATOMS_MAX];
};

static const struct psvn_abstractor *abstractor_of(const struct abstractor *abstractor)
{
    return (const struct psvn_abstractor *)abstractor;
}

static const struct psvn_abstraction *abstraction_of(const struct abstraction *abstraction)
{
    return (const struct psvn_abstraction *)abstraction;
}

/* ---- sizes ---- */

/* Returns how many goal states an abstraction on variables has. The moves back from its one goal lead to all.
 */
static double goal_states(const struct psvn_abstractor *abstractor, uint64_t atoms)
{
    const struct psvn_model *model = abstractor->meaning->model;
    double states = 0;
    for (uint32_t goal = 0; goal < abstractor->goal_count; goal++) {
        double open = 1;
        for (uint32_t i = 0; i < model->places; i++)
            if (psvn_keeps(atoms, i) && abstractor->goals[(size_t)goal * model->places + i] == PSVN_OPEN)
                open *= psvn_domain_of(model, i)->size;
        states += open;
    }
    return states;
}

static double psvn_size(const struct abstractor *base, uint64_t atoms)
{
    const struct psvn_abstractor *abstractor = abstractor_of(base);
    const struct psvn_model *model = abstractor->meaning->model;
    double size = 1;
    if (abstractor->has_tokens) {
        struct psvn_classes classes;
        make_classes(abstractor, atoms, &classes);
        return abstractor_arrangements(classes.count, classes.classes);
    }
    for (uint32_t i = 0; i < model->places; i++)
        size *= psvn_keeps(atoms, i) ? psvn_domain_of(model, i)->size : 1;
    return goal_states(abstractor, atoms) <= PZ_SUCCESSORS_MAX ? size : INFINITY;
}

static bool psvn_share(const struct abstractor *base, uint64_t a, uint64_t b)
{
    const struct psvn_abstractor *abstractor = abstractor_of(base);
    const struct psvn_model *model = abstractor->meaning->model;
    if (abstractor->has_tokens)
        return !abstractor->tokens.one_a_rule || (a & b) != 0;
    for (uint32_t i = 0; i < model->rule_count; i++)
        if ((abstractor->written[i] & a) != 0 && (abstractor->written[i] & b) != 0)
            return true;
    return false;
}

/* ---- keys ---- */

/* Numbers the arrangement of classes among all that have as many of each. */
static uint64_t rank_classes(const struct psvn_abstraction *abstraction, const uint8_t *cells, unsigned count)
{
    const struct psvn_classes *classes = &abstraction->classes;
    uint8_t left[TOKEN_VALUES_MAX] = {0};
    uint64_t ways = abstraction->base.keys, rank = 0;
    unsigned told = count - classes->count[0]; /* what is left is all alike when these are gone */
    for (unsigned i = 0; i < classes->classes; i++)
        left[i] = (uint8_t)classes->count[i];
    for (unsigned i = 0; i < count && told > 0; i++) {
        const unsigned cell = cells[i];
        unsigned lower = 0;
        if (left[cell] == 0)
            return ABSTRACTION_NO_KEY;
        for (unsigned class = 0; class < cell; class ++)
            lower += left[class];
        rank += ways * lower / (count - i);
        ways = ways * left[cell] / (count - i);
        left[cell]--;
        told -= cell != 0;
    }
    return rank;
}

static uint64_t psvn_key(const struct abstraction *base, const void *state)
{
    const struct psvn_abstraction *abstraction = abstraction_of(base);
    const struct psvn_field *field = abstraction->meaning->layout.field;
    uint64_t key = 0;
    if (abstraction->has_tokens) {
        const uint32_t places = abstraction->meaning->model->places;
        uint8_t cells[PSVN_PLACES_MAX] = {0};
        for (uint32_t i = 0; i < places; i++)
            cells[i] = abstraction->classes.of[psvn_get(&field[i], state)];
        return rank_classes(abstraction, cells, places);
    }
    for (uint32_t i = 0; i < abstraction->places; i++)
        key += abstraction->weight[i] * psvn_get(&field[abstraction->place[i]], state);
    return key;
}

/* The last variable is 1 in the goal of the abstraction, which is no state of the puzzle itself. */
static uint64_t psvn_own_key(const struct abstraction *base, const void *state)
{
    const struct psvn_abstraction *abstraction = abstraction_of(base);
    const struct psvn_field *field = abstraction->own->layout.field;
    const uint32_t places = abstraction->own->model->places - 1;
    uint64_t key = 0;
    if (psvn_get(&field[places], state) != 0)
        return ABSTRACTION_NO_KEY;
    if (abstraction->has_tokens) {
        uint8_t cells[PSVN_PLACES_MAX] = {0};
        for (uint32_t i = 0; i < places; i++)
            cells[i] = (uint8_t)psvn_get(&field[i], state);
        return rank_classes(abstraction, cells, places);
    }
    for (uint32_t i = 0; i < places; i++)
        key += abstraction->weight[i] * psvn_get(&field[i], state);
    return key;
}

/* ---- making one ---- */

static void weigh_variable(struct psvn_abstraction *abstraction, uint64_t atoms)
{
    const struct psvn_model *model = abstraction->meaning->model;
    uint64_t weight = 1;
    for (uint32_t i = 0; i < model->places; i++) {
        if (!psvn_keeps(atoms, i))
            continue;
        abstraction->place[abstraction->places] = (uint16_t)i;
        abstraction->weight[abstraction->places++] = weight;
        weight *= psvn_domain_of(model, i)->size;
    }
}

static enum pz_status psvn_abstract(const struct abstractor *base, uint64_t atoms, struct abstraction **out,
                                    struct pz_error *error)
{
    static const struct pz_key backwards = {"backwards", "yes"};
    const struct psvn_abstractor *abstractor = abstractor_of(base);
    const double size = psvn_size(base, atoms);
    if (size > (double)UINT32_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "an abstraction of more than %u states, or than %d goals",
                       UINT32_MAX, PZ_SUCCESSORS_MAX);
    struct psvn_abstraction *abstraction = calloc(1, sizeof *abstraction);
    if (abstraction == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for an abstraction");
    size_t length = 0;
    abstraction->meaning = abstractor->meaning;
    abstraction->has_tokens = abstractor->has_tokens;
    if (abstractor->has_tokens)
        make_classes(abstractor, atoms, &abstraction->classes);
    else
        weigh_variable(abstraction, atoms);
    abstraction->base.ops = base->ops;
    abstraction->base.keys = (uint64_t)(size + 0.5);
    abstraction->base.more = 1; /* the rule that leads from goals */
    char *text = psvn_abstraction_text(abstractor, atoms,
                                       abstractor->has_tokens ? &abstraction->classes : NULL, &length);
    enum pz_status status =
        abstraction_compile(base, text, length, &backwards, 1, &abstraction->base.space, error);
    if (status == PZ_OK)
        status =
            abstraction->base.space->puzzle->root(abstraction->base.space, abstraction->base.root, error);
    if (status != PZ_OK) {
        abstraction_close(&abstraction->base);
        return status;
    }
    abstraction->own = psvn_of(abstraction->base.space)->meaning;
    *out = &abstraction->base;
    return PZ_OK;
}

/* ---- the abstractor ---- */

static void psvn_abstractor_free(struct abstractor *base)
{
    free(((struct psvn_abstractor *)base)->goals);
    free(((struct psvn_abstractor *)base)->written);
    free(base);
}

static const struct abstractor_ops psvn_ops = {
    .size = psvn_size,
    .share = psvn_share,
    .abstract = psvn_abstract,
    .free = psvn_abstractor_free,
    .key = psvn_key,
    .own_key = psvn_own_key,
};

/* The goals of the text, or the one that was given. */
static bool take_goals(struct psvn_abstractor *abstractor, const struct psvn_space *psvn)
{
    const struct psvn_model *model = abstractor->meaning->model;
    abstractor->goal_count = psvn->has_goal ? 1 : model->goal_count;
    const size_t cells = (size_t)abstractor->goal_count * model->places;
    abstractor->goals = malloc((cells + 1) * sizeof *abstractor->goals);
    if (abstractor->goals == NULL)
        return false;
    if (!psvn->has_goal)
        memcpy(abstractor->goals, model->goals, cells * sizeof *abstractor->goals);
    for (uint32_t i = 0; psvn->has_goal && i < model->places; i++) {
        const struct psvn_field *field = &abstractor->meaning->layout.field[i];
        abstractor->goals[i] =
            psvn_has_value(&psvn->goal, field) ? (psvn_cell)psvn_get(field, psvn->goal.value) : PSVN_OPEN;
    }
    return true;
}

static bool note_written(struct psvn_abstractor *abstractor)
{
    const struct psvn_model *model = abstractor->meaning->model;
    abstractor->written = calloc(model->rule_count, sizeof *abstractor->written);
    for (uint32_t i = 0; abstractor->written != NULL && i < model->rule_count; i++)
        for (uint32_t k = 0; k < model->places && k < ABSTRACTION_ATOMS_MAX; k++)
            if (model->rules[i].right[k] != PSVN_OPEN)
                abstractor->written[i] |= UINT64_C(1) << k;
    return abstractor->written != NULL;
}

static void choose_atoms(struct psvn_abstractor *abstractor)
{
    const struct psvn_model *model = abstractor->meaning->model;
    unsigned atoms = 0;
    abstractor->has_tokens =
        abstractor->goal_count == 1 && find_tokens(model, abstractor->goals, &abstractor->tokens);
    for (unsigned value = 0; abstractor->has_tokens && value < abstractor->tokens.values; value++)
        if (abstractor->tokens.count[value] > 0 && !abstractor->tokens.is_named[value] &&
            atoms < ABSTRACTION_ATOMS_MAX)
            abstractor->atom[atoms++] = (uint8_t)value;
    abstractor->has_tokens = atoms > 1;
    abstractor->base.atoms = abstractor->has_tokens                  ? atoms
                             : model->places < ABSTRACTION_ATOMS_MAX ? model->places
                                                                     : ABSTRACTION_ATOMS_MAX;
}

enum pz_status psvn_abstractor_new(const struct pz_space *space, struct abstractor **out,
                                   struct pz_error *error)
{
    const struct psvn_space *psvn = psvn_of(space);
    if (psvn->backward.kernel != NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "backwards=yes has no abstractions");
    struct psvn_abstractor *abstractor = calloc(1, sizeof *abstractor);
    if (abstractor == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for an abstractor");
    abstractor->base = (struct abstractor){
        .ops = &psvn_ops, .format = DEFINITION_PSVN, .space = space, .most = PSVN_KEYS_MAX};
    abstractor->meaning = psvn->meaning;
    if (!take_goals(abstractor, psvn) || !note_written(abstractor)) {
        psvn_abstractor_free(&abstractor->base);
        return pz_fail(error, PZ_MEMORY, "no memory for an abstractor");
    }
    choose_atoms(abstractor);
    if ((space->flags & PZ_COSTS) != 0 || (abstractor->has_tokens && abstractor->tokens.one_a_rule))
        abstractor->base.most = PSVN_COST_KEYS_MAX;
    *out = &abstractor->base;
    return PZ_OK;
}
