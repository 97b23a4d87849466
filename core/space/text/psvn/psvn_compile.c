/* SPDX-License-Identifier: MIT */
/* Makes the meaning of a PSVN text. */
#include "space/text/psvn/psvn.h"
#include "space/text/psvn/psvn_rules.h"
#include "space/text/psvn/psvn_space.h"

#include <stdlib.h>

static void meaning_free(struct definition_meaning *base)
{
    struct psvn_meaning *meaning = (struct psvn_meaning *)base;
    if (meaning == NULL)
        return;
    psvn_kernel_free(meaning->kernel);
    psvn_model_free(meaning->model);
    free(meaning->base.canonical);
    free(meaning);
}

/* A state must fit into replies, and into names of tables. */
static enum pz_status check_printed(const struct psvn_model *model, struct pz_error *error)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < model->places; i++) {
        const struct psvn_domain *domain = psvn_domain_of(model, i);
        char text[PSVN_VALUE_TEXT];
        size_t most = domain->values == NULL ? psvn_value_print(domain, domain->size - 1, text) : 0;
        for (uint32_t j = 0; domain->values != NULL && j < domain->size; j++)
            most = domain->values[j].length > most ? domain->values[j].length : most;
        longest += most + 1;
    }
    if (longest > PSVN_PRINTED_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "the text of a state may take %zu bytes; %d at most", longest,
                       PSVN_PRINTED_MAX);
    return PZ_OK;
}

static uint8_t place_width(uint32_t size)
{
    uint8_t width = 0;
    while (size > 1u << width)
        width++;
    return width;
}

/* Variables lie in the order of the text; none lies in two words. */
static enum pz_status lay_out_places(const struct psvn_model *model, struct psvn_layout *out,
                                     struct pz_error *error)
{
    unsigned word = 0, used = 0, bits = 0;
    for (uint32_t i = 0; i < model->places; i++) {
        const uint8_t width = place_width(psvn_domain_of(model, i)->size);
        bits += width;
        if (used + width > 64) {
            word++;
            used = 0;
        }
        if (word == PSVN_STATE_WORDS)
            return pz_fail(
                error, PZ_TOO_LARGE,
                "variable %u makes it %u bits a state; %d at most, and a variable lies in one word "
                "of 64",
                i + 1, bits, PSVN_BITS_MAX);
        out->field[i] = (struct psvn_field){
            .mask = (1ull << width) - 1, .word = (uint8_t)word, .shift = (uint8_t)(used < 64 ? used : 0)};
        used += width;
    }
    out->words = word == 0 ? 1 : word == 1 ? 2 : word < 4 ? 4 : 8;
    return PZ_OK;
}

/* Numbers the vectors of a small space: those that cannot be reached must not be many. */
static uint64_t count_vectors(const struct psvn_model *model)
{
    enum { NUMBERED_MAX = 1 << 22 };
    uint64_t count = 1;
    for (uint32_t i = 0; i < model->places && count <= NUMBERED_MAX; i++)
        count *= psvn_domain_of(model, i)->size;
    return count <= NUMBERED_MAX ? count : 0;
}

enum pz_status psvn_rules_compile(const struct psvn_model *model, const struct psvn_layout *layout,
                                  struct psvn_kernel **kernel, uint32_t *flags, struct pz_error *error)
{
    bool all = false;
    uint32_t *undo = malloc(model->rule_count * sizeof *undo);
    enum pz_status status = undo != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for the rules");
    if (status == PZ_OK)
        status = psvn_rules_undo(model, undo, &all, error);
    if (status == PZ_OK)
        status = psvn_kernel_new(model, layout, all ? undo : NULL, kernel, error);
    *flags = all ? PZ_REVERSIBLE : 0u;
    for (uint32_t i = 0; i < model->rule_count; i++)
        *flags |= model->rules[i].cost != 1 ? PZ_COSTS : 0u;
    free(undo);
    return status;
}

enum pz_status psvn_compile(const char *text, size_t length, struct definition_meaning **out,
                            struct pz_error *error)
{
    struct psvn_meaning *meaning = calloc(1, sizeof *meaning);
    if (meaning == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    meaning->base = (struct definition_meaning){.open = psvn_space_open, .free = meaning_free};
    enum pz_status status = psvn_read(text, length, &meaning->model, error);
    if (status == PZ_OK)
        status = psvn_rules_simplify(meaning->model, error);
    if (status == PZ_OK)
        status = check_printed(meaning->model, error);
    if (status == PZ_OK)
        status = lay_out_places(meaning->model, &meaning->layout, error);
    if (status == PZ_OK)
        status =
            psvn_rules_compile(meaning->model, &meaning->layout, &meaning->kernel, &meaning->flags, error);
    if (status == PZ_OK)
        meaning->count = count_vectors(meaning->model);
    if (status == PZ_OK)
        status =
            psvn_canonical(meaning->model, &meaning->base.canonical, &meaning->base.canonical_length, error);
    if (status == PZ_OK) {
        meaning->base.bytes = psvn_kernel_bytes(meaning->kernel) + psvn_model_bytes(meaning->model);
        meaning->base.remarks = meaning->model->remarks;
        *out = &meaning->base;
    } else {
        meaning_free(&meaning->base);
    }
    return status;
}
