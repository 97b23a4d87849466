/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_model.h"

#include <stdlib.h>

void psvn_model_free(struct psvn_model *model)
{
    if (model == NULL)
        return;
    for (uint32_t i = 0; i < model->domain_count; i++)
        free(model->domains[i].values);
    free(model->domains);
    free(model->domain_of);
    free(model->rules);
    free(model->cells);
    free(model->goals);
    free(model->remarks);
    free(model->text);
    free(model);
}

size_t psvn_model_bytes(const struct psvn_model *model)
{
    const size_t cells = 2 * (size_t)model->rule_count + model->goal_count;
    return PSVN_DOMAINS_MAX * sizeof *model->domains + model->rule_count * sizeof *model->rules +
           cells * model->places * sizeof *model->cells;
}

psvn_cell psvn_value_find(const struct psvn_domain *domain, const struct psvn_word *word)
{
    if (domain->values == NULL) {
        const bool plain = word->length == 1 || (word->length > 0 && word->text[0] != '0');
        const int64_t number = psvn_word_number(word, PSVN_NUMBERS_MAX);
        return plain && number >= domain->first && number < (int64_t)domain->first + domain->size
                   ? (psvn_cell)(number - domain->first)
                   : -1;
    }
    for (uint32_t i = 0; i < domain->size; i++)
        if (psvn_words_equal(&domain->values[i], word))
            return (psvn_cell)i;
    return -1;
}

size_t psvn_value_print(const struct psvn_domain *domain, uint32_t value, char out[PSVN_VALUE_TEXT])
{
    if (domain->values == NULL)
        return (size_t)snprintf(out, PSVN_VALUE_TEXT, "%u", value + domain->first);
    return (size_t)snprintf(out, PSVN_VALUE_TEXT, "%.*s", PSVN_SHOW(&domain->values[value]));
}

size_t psvn_label_print(const struct psvn_rule *rule, char out[PSVN_LABEL_TEXT])
{
    if (rule->label.length == 0)
        return (size_t)snprintf(out, PSVN_LABEL_TEXT, "rule_%u", rule->number);
    return (size_t)snprintf(out, PSVN_LABEL_TEXT, "%.*s", PSVN_SHOW(&rule->label));
}
