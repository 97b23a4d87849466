/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_rules.h"

#include "base/table/state_table.h"

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
    for (uint32_t i = 0; i < model->rule_count; i++)
        if (simplify(model, &model->rules[i]))
            model->rules[kept++] = model->rules[i];
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

/* Makes a model without rules that has room for as many as another one. Returns NULL without memory. */
static struct psvn_model *model_like(const struct psvn_model *model)
{
    struct psvn_model *made = calloc(1, sizeof *made);
    const size_t cells = (size_t)model->rule_count * 2 * model->places;
    if (made == NULL)
        return NULL;
    made->places = model->places;
    made->rules = malloc(model->rule_count * sizeof *made->rules);
    made->cells = malloc(cells * sizeof *made->cells);
    made->domain_of = malloc(model->places * sizeof *made->domain_of);
    made->domains = malloc(model->domain_count * sizeof *made->domains);
    if (made->rules == NULL || made->cells == NULL || made->domain_of == NULL || made->domains == NULL) {
        psvn_model_free(made);
        return NULL;
    }
    memcpy(made->domain_of, model->domain_of, model->places * sizeof *made->domain_of);
    made->domain_count = model->domain_count;
    for (uint32_t i = 0; i < model->domain_count; i++) {
        made->domains[i] = model->domains[i];
        made->domains[i].values = NULL;
    }
    return made;
}

/* Appends a rule; its cells are to be filled. */
static struct psvn_rule *append_rule(struct psvn_model *made, const struct psvn_rule *rule)
{
    struct psvn_rule *copy = &made->rules[made->rule_count];
    *copy = *rule;
    copy->left = made->cells + (size_t)made->rule_count++ * 2 * made->places;
    copy->right = copy->left + made->places;
    return copy;
}

enum pz_status psvn_rules_invert(const struct psvn_model *model, struct psvn_model **out,
                                 struct pz_error *error)
{
    struct psvn_model *made = model_like(model);
    if (made == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the inverse rules");
    for (uint32_t i = 0; i < model->rule_count; i++)
        invert(model, &model->rules[i], append_rule(made, &model->rules[i]));
    *out = made;
    return PZ_OK;
}

/* ---- some of the rules ---- */

static const char between_labels[] = ",: ";

/* Returns true if a list has a label. */
static bool list_has(const char *list, const char *label)
{
    for (const char *at = list + strspn(list, between_labels); *at != '\0';
         at += strspn(at, between_labels)) {
        const size_t length = strcspn(at, between_labels);
        if (strlen(label) == length && memcmp(at, label, length) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Fails if a word of the list is no rule's label. */
static enum pz_status check_labels(const struct psvn_model *model, const char *list, struct pz_error *error)
{
    for (const char *at = list + strspn(list, between_labels); *at != '\0';
         at += strspn(at, between_labels)) {
        const size_t length = strcspn(at, between_labels);
        char label[PSVN_LABEL_TEXT];
        uint32_t i = 0;
        while (i < model->rule_count &&
               (psvn_label_print(&model->rules[i], label) != length || memcmp(label, at, length) != 0))
            i++;
        if (i == model->rule_count)
            return pz_fail(error, PZ_BAD_REQUEST, "moves=%.40s: no rule is called '%.*s'", list,
                           length < 40 ? (int)length : 40, at);
        at += length;
    }
    return PZ_OK;
}

enum pz_status psvn_rules_pick(const struct psvn_model *model, const char *list, struct psvn_model **out,
                               char labels[PZ_SIZE_MAX], struct pz_error *error)
{
    size_t used = 0;
    labels[0] = '\0';
    enum pz_status status = check_labels(model, list, error);
    struct psvn_model *made = status == PZ_OK ? model_like(model) : NULL;
    if (made == NULL)
        return status != PZ_OK ? status : pz_fail(error, PZ_MEMORY, "no memory for the rules");
    for (uint32_t i = 0; i < model->rule_count; i++) {
        char label[PSVN_LABEL_TEXT];
        (void)psvn_label_print(&model->rules[i], label);
        if (!list_has(list, label))
            continue;
        struct psvn_rule *rule = append_rule(made, &model->rules[i]);
        memcpy(rule->left, model->rules[i].left, 2 * (size_t)model->places * sizeof *rule->left);
        if (!list_has(labels, label) && used < PZ_SIZE_MAX)
            used += (size_t)snprintf(labels + used, PZ_SIZE_MAX - used, "%s%s", used > 0 ? "," : "", label);
    }
    const bool all = made->rule_count == model->rule_count; /* which need no name */
    if (made->rule_count == 0 || (!all && used >= PZ_SIZE_MAX / 2))
        status = pz_fail(error, PZ_BAD_REQUEST, "moves=%.40s: %s", list,
                         used > 0 ? "too long to be part of a name" : "no rule is left");
    if (all)
        labels[0] = '\0';
    *out = status == PZ_OK ? made : NULL;
    if (status != PZ_OK)
        psvn_model_free(made);
    return status;
}

/* ---- rules that undo each other ---- */

/* Numbers the rules by both sides, which lie side by side. Of own: the cheapest of equal ones. */
static bool index_rules(struct state_table *index, const struct psvn_model *model)
{
    bool made = state_table_init_alone(index, model->rule_count + 1,
                                       2 * (size_t)model->places * sizeof(psvn_cell), sizeof(uint32_t));
    uint32_t *cheapest = (uint32_t *)(void *)index->own;
    for (uint32_t i = 0; made && i < model->rule_count; i++) {
        const uint32_t before = index->count, number = state_table_add(index, model->rules[i].left);
        made = number != STATE_TABLE_NONE;
        if (made && (number == before || model->rules[i].cost < model->rules[cheapest[number]].cost))
            cheapest[number] = i;
    }
    return made;
}

enum pz_status psvn_rules_undo(const struct psvn_model *model, uint32_t *undo, bool *all,
                               struct pz_error *error)
{
    struct psvn_model *inverse = NULL;
    struct state_table index;
    enum pz_status status = psvn_rules_invert(model, &inverse, error);
    if (status != PZ_OK || inverse == NULL)
        return status;
    if (!index_rules(&index, model))
        status = pz_fail(error, PZ_MEMORY, "no memory for the inverse rules");
    *all = true;
    for (uint32_t i = 0; status == PZ_OK && i < model->rule_count; i++) {
        const uint32_t found = state_table_find(&index, inverse->rules[i].left);
        undo[i] =
            found != STATE_TABLE_NONE ? ((const uint32_t *)(const void *)index.own)[found] : PSVN_NO_RULE;
        if (undo[i] != PSVN_NO_RULE && model->rules[undo[i]].cost != model->rules[i].cost)
            undo[i] = PSVN_NO_RULE;
        *all &= undo[i] != PSVN_NO_RULE;
    }
    state_table_clear(&index);
    psvn_model_free(inverse);
    return status;
}

/* ---- the canonical text: the domains in use; the rules in plain form, with labels; the goals ---- */

struct canonical_writer {
    const struct psvn_model *model;
    FILE *out;
    unsigned marks;                    /* question marks before a name, so that it is no value */
    uint16_t number[PSVN_DOMAINS_MAX]; /* of a named domain that is used, from 1 */
};

static void put_domain(struct canonical_writer *writer, const struct psvn_domain *domain, unsigned number)
{
    (void)fprintf(writer->out, "DOMAIN D%u %u", number, domain->size);
    for (uint32_t i = 0; i < domain->size; i++)
        (void)fprintf(writer->out, " %.*s", PSVN_SHOW(&domain->values[i]));
    (void)fputc('\n', writer->out);
}

/* Writes the named domains in the order of their first use. */
static void put_domains(struct canonical_writer *writer)
{
    const struct psvn_model *model = writer->model;
    unsigned count = 0;
    for (uint32_t i = 0; i < model->places; i++) {
        const struct psvn_domain *domain = psvn_domain_of(model, i);
        uint16_t *number = &writer->number[model->domain_of[i]];
        if (domain->values == NULL || *number != 0)
            continue;
        *number = (uint16_t)++count;
        put_domain(writer, domain, count);
    }
    (void)fprintf(writer->out, "%u\n", model->places);
    for (uint32_t i = 0; i < model->places; i++) {
        const struct psvn_domain *domain = psvn_domain_of(model, i);
        if (domain->values == NULL)
            (void)fprintf(writer->out, "%u%s ", domain->size, domain->first == 1 ? "N" : "");
        else
            (void)fprintf(writer->out, "D%u ", writer->number[model->domain_of[i]]);
    }
    (void)fputc('\n', writer->out);
}

static void psvn_put_cells(struct canonical_writer *writer, const psvn_cell *cells)
{
    char value[PSVN_VALUE_TEXT];
    for (uint32_t i = 0; i < writer->model->places; i++) {
        if (cells[i] == PSVN_OPEN) {
            (void)fputs("- ", writer->out);
        } else if (cells[i] >= PSVN_NAME) {
            for (unsigned mark = 0; mark < writer->marks; mark++)
                (void)fputc('?', writer->out);
            (void)fprintf(writer->out, "%d ", (int)(cells[i] - PSVN_NAME));
        } else {
            (void)psvn_value_print(psvn_domain_of(writer->model, i), (uint32_t)cells[i], value);
            (void)fprintf(writer->out, "%s ", value);
        }
    }
}

/* Counts the question marks that no value begins with. */
static unsigned count_marks(const struct psvn_model *model)
{
    unsigned most = 0;
    for (uint32_t i = 0; i < model->places; i++) {
        const struct psvn_domain *domain = psvn_domain_of(model, i);
        for (uint32_t j = 0; domain->values != NULL && j < domain->size; j++) {
            unsigned marks = 0;
            while (marks < domain->values[j].length && domain->values[j].text[marks] == '?')
                marks++;
            most = marks > most ? marks : most;
        }
    }
    return most + 1;
}

enum pz_status psvn_canonical(const struct psvn_model *model, char **out, size_t *length,
                              struct pz_error *error)
{
    char *text = NULL, label[PSVN_LABEL_TEXT];
    struct canonical_writer writer = {
        .model = model, .out = open_memstream(&text, length), .marks = count_marks(model)};
    if (writer.out == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    put_domains(&writer);
    for (uint32_t i = 0; i < model->rule_count; i++) {
        psvn_put_cells(&writer, model->rules[i].left);
        (void)fputs("=> ", writer.out);
        psvn_put_cells(&writer, model->rules[i].right);
        (void)psvn_label_print(&model->rules[i], label);
        (void)fprintf(writer.out, "LABEL %s", label);
        if (model->rules[i].cost != 1)
            (void)fprintf(writer.out, " COST %u", model->rules[i].cost);
        (void)fputc('\n', writer.out);
    }
    for (uint32_t i = 0; i < model->goal_count; i++) {
        (void)fputs("GOAL ", writer.out);
        psvn_put_cells(&writer, model->goals + (size_t)i * model->places);
        (void)fputc('\n', writer.out);
    }
    const bool sound = ferror(writer.out) == 0;
    if (fclose(writer.out) == 0 && sound) {
        *out = text;
        return PZ_OK;
    }
    free(text);
    return pz_fail(error, PZ_MEMORY, "no memory for a definition");
}
