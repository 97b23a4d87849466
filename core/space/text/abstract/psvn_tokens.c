/* SPDX-License-Identifier: MIT */
/* Texts whose rules only carry values to other places. */
#include "space/text/abstract/psvn_abstractor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

bool psvn_tokens_find(const struct psvn_model *model, const psvn_cell *goal, struct psvn_tokens *tokens)
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

void psvn_classes_make(const struct psvn_abstractor *abstractor, uint64_t atoms, struct psvn_classes *classes)
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
