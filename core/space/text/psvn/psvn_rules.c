/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 3 * PSVN_PLACES_MAX };

/* ---- plain form ---- */

/* Opens names that are there once on the left side and nowhere on the right one. */
static void open_idle_names(const struct psvn_model *model, struct psvn_rule *rule)
{
    uint16_t uses[NAMES_MAX] = {0};
    for (uint32_t i = 0; i < model->places; i++) {
        if (rule->left[i] >= PSVN_NAME)
            uses[rule->left[i] - PSVN_NAME]++;
        if (rule->right[i] >= PSVN_NAME)
            uses[rule->right[i] - PSVN_NAME]++;
    }
    for (uint32_t i = 0; i < model->places; i++)
        if (rule->left[i] >= PSVN_NAME && uses[rule->left[i] - PSVN_NAME] == 1)
            rule->left[i] = PSVN_OPEN;
}

static void renumber(uint16_t numbers[NAMES_MAX], uint32_t *count, psvn_cell *cell)
{
    if (*cell < PSVN_NAME)
        return;
    uint16_t *number = &numbers[*cell - PSVN_NAME];
    if (*number == 0)
        *number = (uint16_t)(*count += 1);
    *cell = PSVN_NAME + *number - 1;
}

/* Returns false if the rule changes nothing. */
static bool simplify(const struct psvn_model *model, struct psvn_rule *rule)
{
    uint16_t numbers[NAMES_MAX] = {0};
    bool changes = false;
    for (uint32_t i = 0; i < model->places; i++) {
        if (rule->right[i] == rule->left[i] || rule->right[i] == PSVN_OPEN)
            rule->right[i] = PSVN_OPEN;
        changes |= rule->right[i] != PSVN_OPEN;
    }
    open_idle_names(model, rule);
    rule->names = 0;
    for (uint32_t i = 0; i < model->places; i++)
        renumber(numbers, &rule->names, &rule->left[i]);
    rule->bound = rule->names;
    for (uint32_t i = 0; i < model->places; i++)
        renumber(numbers, &rule->names, &rule->right[i]);
    return changes;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): simplify() writes through the rule */
static void simplify_goal(const struct psvn_model *model, psvn_cell *goal)
{
    psvn_cell nothing[PSVN_PLACES_MAX];
    for (uint32_t i = 0; i < model->places; i++)
        nothing[i] = PSVN_OPEN;
    struct psvn_rule rule = {.left = goal, .right = nothing};
    (void)simplify(model, &rule);
}

enum pz_status psvn_rules_simplify(struct psvn_model *model, struct pz_error *error)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < model->rule_count; i++) {
        if (simplify(model, &model->rules[i]))
            model->rules[kept++] = model->rules[i];
    }
    model->rule_count = kept;
    for (uint32_t i = 0; i < model->goal_count; i++)
        simplify_goal(model, model->goals + (size_t)i * model->places);
    return kept > 0 ? PZ_OK : pz_fail(error, PZ_BAD_PUZZLE, "no rule of the text changes anything");
}

/* ---- backwards ---- */

/* Writes the inverse of a rule in plain form into the cells of *out. */
static void invert(const struct psvn_model *model, const struct psvn_rule *rule, struct psvn_rule *out)
{
    psvn_cell fresh = PSVN_NAME + (psvn_cell)rule->names;
    for (uint32_t i = 0; i < model->places; i++) {
        const bool written = rule->right[i] != PSVN_OPEN;
        out->left[i] = written ? rule->right[i] : rule->left[i];
        out->right[i] = !written ? PSVN_OPEN : rule->left[i] == PSVN_OPEN ? fresh++ : rule->left[i];
    }
    (void)simplify(model, out);
}

enum pz_status psvn_rules_invert(const struct psvn_model *model, struct psvn_model **out,
                                 struct pz_error *error)
{
    struct psvn_model *made = malloc(sizeof *made);
    const size_t cells = (size_t)model->rule_count * 2 * model->places;
    if (made != NULL) {
        *made = (struct psvn_model){.places = model->places, .rule_count = model->rule_count};
        made->rules = malloc(model->rule_count * sizeof *made->rules);
        made->cells = malloc(cells * sizeof *made->cells);
        made->domain_of = malloc(model->places * sizeof *made->domain_of);
        made->domains = malloc(model->domain_count * sizeof *made->domains);
    }
    if (made == NULL || made->rules == NULL || made->cells == NULL || made->domain_of == NULL ||
        made->domains == NULL) {
        psvn_model_free(made);
        return pz_fail(error, PZ_MEMORY, "no memory for the inverse rules");
    }
    memcpy(made->domain_of, model->domain_of, model->places * sizeof *made->domain_of);
    for (uint32_t i = 0; i < model->domain_count; i++) {
        made->domains[i] = model->domains[i];
        made->domains[i].values = NULL;
    }
    for (uint32_t i = 0; i < model->rule_count; i++) {
        made->rules[i] = model->rules[i];
        made->rules[i].left = made->cells + (size_t)i * 2 * model->places;
        made->rules[i].right = made->rules[i].left + model->places;
        invert(model, &model->rules[i], &made->rules[i]);
    }
    *out = made;
    return PZ_OK;
}

/* ---- rules that undo each other ---- */

static uint64_t hash_of(const psvn_cell *cells, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ (uint32_t)cells[i]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The rules by the hash of both sides, which lie side by side in the cells. */
struct rule_index {
    uint32_t *slots; /* rule + 1; 0 for none */
    uint64_t mask;
};

/* Returns the slot of the rule that has these cells, or the free one where it would go. */
static uint32_t *index_place(const struct rule_index *index, const struct psvn_model *model,
                             const psvn_cell *cells)
{
    const size_t count = 2 * (size_t)model->places;
    uint64_t at = hash_of(cells, count) & index->mask;
    while (index->slots[at] != 0 &&
           memcmp(model->rules[index->slots[at] - 1].left, cells, count * sizeof *cells) != 0)
        at = (at + 1) & index->mask;
    return &index->slots[at];
}

static uint32_t index_find(const struct rule_index *index, const struct psvn_model *model,
                           const psvn_cell *cells)
{
    const uint32_t slot = *index_place(index, model, cells);
    return slot != 0 ? slot - 1 : PSVN_NO_RULE;
}

/* Of rules with equal cells the cheapest is found. */
static bool index_make(struct rule_index *index, const struct psvn_model *model)
{
    uint64_t room = 16;
    while (room < 2 * (uint64_t)model->rule_count)
        room *= 2;
    *index = (struct rule_index){.slots = calloc(room, sizeof *index->slots), .mask = room - 1};
    for (uint32_t i = 0; index->slots != NULL && i < model->rule_count; i++) {
        uint32_t *slot = index_place(index, model, model->rules[i].left);
        if (*slot == 0 || model->rules[i].cost < model->rules[*slot - 1].cost)
            *slot = i + 1;
    }
    return index->slots != NULL;
}

enum pz_status psvn_rules_undo(const struct psvn_model *model, uint32_t *undo, bool *all,
                               struct pz_error *error)
{
    struct psvn_model *inverse = NULL;
    struct rule_index index;
    enum pz_status status = psvn_rules_invert(model, &inverse, error);
    if (status != PZ_OK || inverse == NULL)
        return status;
    if (!index_make(&index, model)) {
        psvn_model_free(inverse);
        return pz_fail(error, PZ_MEMORY, "no memory for the inverse rules");
    }
    *all = true;
    for (uint32_t i = 0; i < model->rule_count; i++) {
        undo[i] = index_find(&index, model, inverse->rules[i].left);
        if (undo[i] != PSVN_NO_RULE && model->rules[undo[i]].cost != model->rules[i].cost)
            undo[i] = PSVN_NO_RULE;
        *all &= undo[i] != PSVN_NO_RULE;
    }
    free(index.slots);
    psvn_model_free(inverse);
    return PZ_OK;
}
