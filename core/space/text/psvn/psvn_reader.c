/* SPDX-License-Identifier: MIT */
/* The grammar of docs/texts.md, one function for each of its lines. */
#include "space/text/psvn/psvn_model.h"
#include "space/text/psvn/psvn_remarks.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct psvn_words words;
    struct psvn_model *model;
    uint32_t rule_room; /* rules that the arrays have room for */
    uint32_t goal_room;
    uint32_t name_count; /* of the rule that is being read */
    struct psvn_name names[2 * PSVN_PLACES_MAX];
    struct psvn_remarks remarks;
    struct pz_error *error;
};

static const struct psvn_word *present(const struct reader *reader)
{
    return &reader->words.word;
}

static enum pz_status reader_next(struct reader *reader)
{
    return psvn_words_next(&reader->words, reader->error);
}

static enum pz_status reader_no_memory(struct reader *reader)
{
    return pz_fail(reader->error, PZ_MEMORY, "no memory for a definition");
}

/* Refuses the end of the text and the words that begin something else. */
static enum pz_status expect(struct reader *reader, const char *what)
{
    static const char *const reserved[] = {"DOMAIN", "GOAL", "LABEL", "COST", "=>"};
    if (present(reader)->length == 0)
        return psvn_fail_at(reader->error, present(reader), "the text ends, %s is missing", what);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (psvn_word_is(present(reader), reserved[i]))
            return psvn_fail_at(reader->error, present(reader), "'%s' stands where %s is missing",
                                reserved[i], what);
    return PZ_OK;
}

/* ---- domains ---- */

/* Reads "3" or "3N". Returns false for another word. */
static bool read_number_domain(const struct psvn_word *word, struct psvn_domain *domain)
{
    struct psvn_word digits = *word;
    const bool from_one = word->length > 1 && (word->text[word->length - 1] | 0x20) == 'n';
    digits.length -= from_one;
    const int64_t size = psvn_word_number(&digits, PSVN_NUMBERS_MAX);
    if (size < 1 || (digits.length > 1 && digits.text[0] == '0'))
        return false;
    *domain = (struct psvn_domain){.name = *word, .size = (uint32_t)size, .first = from_one};
    return true;
}

static uint32_t domain_find(const struct psvn_model *model, const struct psvn_word *name)
{
    uint32_t i = 0;
    while (i < model->domain_count && !psvn_words_equal(&model->domains[i].name, name))
        i++;
    return i;
}

static enum pz_status add_domain(struct reader *reader, const struct psvn_domain *domain)
{
    if (reader->model->domain_count == PSVN_DOMAINS_MAX)
        return psvn_fail_at(reader->error, &domain->name, "more than %d domains", PSVN_DOMAINS_MAX);
    reader->model->domains[reader->model->domain_count++] = *domain;
    return PZ_OK;
}

static enum pz_status reader_read_value(struct reader *reader, struct psvn_domain *domain)
{
    enum pz_status status = expect(reader, "a value of the domain");
    if (status != PZ_OK)
        return status;
    if (psvn_word_is(present(reader), "-"))
        return psvn_fail_at(reader->error, present(reader), "'-' cannot be a value: it means any");
    if (psvn_value_find(domain, present(reader)) >= 0)
        return psvn_fail_at(reader->error, present(reader), "'%.*s' is a value of %.*s already",
                            PSVN_SHOW(present(reader)), PSVN_SHOW(&domain->name));
    domain->values[domain->size++] = *present(reader);
    return reader_next(reader);
}

/* Reads the name and the size behind DOMAIN. */
static enum pz_status read_domain_head(struct reader *reader, struct psvn_domain *domain, int64_t *size)
{
    enum pz_status status = reader_next(reader);
    if (status == PZ_OK)
        status = expect(reader, "the name of the domain");
    if (status != PZ_OK)
        return status;
    if (read_number_domain(present(reader), domain))
        return psvn_fail_at(reader->error, present(reader), "'%.*s' is a domain of numbers already",
                            PSVN_SHOW(present(reader)));
    if (domain_find(reader->model, present(reader)) < reader->model->domain_count)
        return psvn_fail_at(reader->error, present(reader), "a domain '%.*s' is already there",
                            PSVN_SHOW(present(reader)));
    *domain = (struct psvn_domain){.name = *present(reader)};
    status = reader_next(reader);
    *size = status == PZ_OK ? psvn_word_number(present(reader), PSVN_NAMED_MAX) : 0;
    if (status == PZ_OK && *size < 1)
        return psvn_fail_at(reader->error, present(reader), "'%.*s' values in domain %.*s; 1 to %d",
                            PSVN_SHOW(present(reader)), PSVN_SHOW(&domain->name), PSVN_NAMED_MAX);
    return status == PZ_OK ? reader_next(reader) : status;
}

static enum pz_status read_domain(struct reader *reader)
{
    struct psvn_domain domain = {0};
    int64_t size = 0;
    enum pz_status status = read_domain_head(reader, &domain, &size);
    if (status != PZ_OK)
        return status;
    domain.values = calloc((size_t)size + 1, sizeof *domain.values);
    if (domain.values == NULL)
        return reader_no_memory(reader);
    while (status == PZ_OK && domain.size < (uint32_t)size)
        status = reader_read_value(reader, &domain);
    if (status == PZ_OK)
        status = add_domain(reader, &domain);
    if (status != PZ_OK)
        free(domain.values);
    return status;
}

/* ---- variables of the state ---- */

static enum pz_status read_variable(struct reader *reader, uint32_t place)
{
    struct psvn_model *model = reader->model;
    struct psvn_domain domain;
    enum pz_status status = expect(reader, "the domain of a variable");
    if (status != PZ_OK)
        return status;
    const uint32_t found = domain_find(model, present(reader));
    if (found == model->domain_count) {
        if (!read_number_domain(present(reader), &domain))
            return psvn_fail_at(
                reader->error, present(reader),
                "'%.*s' is no domain: DOMAIN defines one, and 1 to %d, with or without N, are "
                "domains of numbers",
                PSVN_SHOW(present(reader)), PSVN_NUMBERS_MAX);
        status = add_domain(reader, &domain);
    }
    model->domain_of[place] = (uint16_t)found;
    return status == PZ_OK ? reader_next(reader) : status;
}

static enum pz_status read_places(struct reader *reader)
{
    struct psvn_model *model = reader->model;
    enum pz_status status = expect(reader, "the number of variables");
    if (status != PZ_OK)
        return status;
    const int64_t places = psvn_word_number(present(reader), PSVN_PLACES_MAX);
    if (places < 1)
        return psvn_fail_at(reader->error, present(reader), "'%.*s' variables; 1 to %d",
                            PSVN_SHOW(present(reader)), PSVN_PLACES_MAX);
    model->places = (uint32_t)places;
    model->domain_of = calloc((size_t)places, sizeof *model->domain_of);
    if (model->domain_of == NULL)
        return reader_no_memory(reader);
    status = reader_next(reader);
    for (uint32_t i = 0; i < model->places && status == PZ_OK; i++)
        status = read_variable(reader, i);
    return status;
}

/* ---- rules and goals ---- */

/* Returns the cell of a name at a place, a new one where it was not yet there. */
static psvn_cell name_cell(struct reader *reader, uint32_t place)
{
    const uint16_t domain = reader->model->domain_of[place];
    uint32_t i = 0;
    while (i < reader->name_count &&
           (reader->names[i].domain != domain || !psvn_words_equal(&reader->names[i].word, present(reader))))
        i++;
    if (i == reader->name_count) {
        reader->names[i] = (struct psvn_name){.word = *present(reader), .domain = domain};
        reader->name_count++;
    }
    reader->names[i].uses++;
    return PSVN_NAME + (psvn_cell)i;
}

/* Reads one side of a rule, or a goal. */
static enum pz_status read_cells(struct reader *reader, psvn_cell *cells, const char *what)
{
    enum pz_status status = PZ_OK;
    for (uint32_t i = 0; i < reader->model->places && status == PZ_OK; i++) {
        char missing[64];
        (void)snprintf(missing, sizeof missing, "variable %u of %u of %s", i + 1, reader->model->places,
                       what);
        status = expect(reader, missing);
        if (status != PZ_OK)
            return status;
        cells[i] = psvn_value_find(psvn_domain_of(reader->model, i), present(reader));
        if (psvn_word_is(present(reader), "-"))
            cells[i] = PSVN_OPEN;
        else if (cells[i] < 0)
            cells[i] = name_cell(reader, i);
        status = reader_next(reader);
    }
    return status;
}

static enum pz_status read_label(struct reader *reader, struct psvn_rule *rule)
{
    enum pz_status status = PZ_OK;
    if (!psvn_word_is(present(reader), "LABEL"))
        return PZ_OK;
    status = reader_next(reader);
    if (status == PZ_OK)
        status = expect(reader, "a label");
    rule->label = *present(reader);
    return status == PZ_OK ? reader_next(reader) : status;
}

static enum pz_status read_cost(struct reader *reader, struct psvn_rule *rule)
{
    enum pz_status status = PZ_OK;
    rule->cost = 1;
    if (!psvn_word_is(present(reader), "COST"))
        return PZ_OK;
    status = reader_next(reader);
    if (status != PZ_OK)
        return status;
    const int64_t cost = psvn_word_number(present(reader), PSVN_COST_MAX);
    if (cost < 0)
        return psvn_fail_at(reader->error, present(reader), "'%.*s' is no cost; 0 to %d",
                            PSVN_SHOW(present(reader)), PSVN_COST_MAX);
    rule->cost = (uint32_t)cost;
    return reader_next(reader);
}

/* Makes room for one more rule. The cells move: rules point into them only when all are there. */
static enum pz_status rule_room(struct reader *reader)
{
    struct psvn_model *model = reader->model;
    if (model->rule_count == PSVN_RULES_MAX)
        return psvn_fail_at(reader->error, present(reader), "more than %d rules", PSVN_RULES_MAX);
    if (model->rule_count < reader->rule_room)
        return PZ_OK;
    const uint32_t room = reader->rule_room == 0 ? 64 : 2 * reader->rule_room;
    struct psvn_rule *rules = realloc(model->rules, room * sizeof *rules);
    if (rules != NULL)
        model->rules = rules;
    psvn_cell *cells = realloc(model->cells, (size_t)room * 2 * model->places * sizeof *cells);
    if (cells != NULL)
        model->cells = cells;
    if (rules == NULL || cells == NULL)
        return reader_no_memory(reader);
    reader->rule_room = room;
    return PZ_OK;
}

static enum pz_status read_rule(struct reader *reader)
{
    struct psvn_model *model = reader->model;
    enum pz_status status = rule_room(reader);
    if (status != PZ_OK)
        return status;
    struct psvn_rule *rule = &model->rules[model->rule_count];
    psvn_cell *left = model->cells + (size_t)model->rule_count * 2 * model->places;
    *rule = (struct psvn_rule){.number = model->rule_count + 1, .line = present(reader)->line};
    reader->name_count = 0;
    status = read_cells(reader, left, "the left side");
    rule->bound = reader->name_count;
    if (status == PZ_OK && !psvn_word_is(present(reader), "=>"))
        return psvn_fail_at(reader->error, present(reader), "'%.*s' stands where => is missing",
                            PSVN_SHOW(present(reader)));
    if (status == PZ_OK)
        status = reader_next(reader);
    if (status == PZ_OK)
        status = read_cells(reader, left + model->places, "the right side");
    rule->names = reader->name_count;
    psvn_remark_on_names(&reader->remarks, model->domains, reader->names, rule->names, rule->bound);
    if (status == PZ_OK)
        status = read_label(reader, rule);
    if (status == PZ_OK)
        status = read_cost(reader, rule);
    model->rule_count++;
    return status;
}

static enum pz_status read_goal(struct reader *reader)
{
    struct psvn_model *model = reader->model;
    enum pz_status status = reader_next(reader);
    if (status != PZ_OK)
        return status;
    if (model->goal_count == PSVN_GOALS_MAX)
        return psvn_fail_at(reader->error, present(reader), "more than %d goals", PSVN_GOALS_MAX);
    if (model->goal_count == reader->goal_room) {
        const uint32_t room = reader->goal_room == 0 ? 8 : 2 * reader->goal_room;
        psvn_cell *goals = realloc(model->goals, (size_t)room * model->places * sizeof *goals);
        if (goals == NULL)
            return reader_no_memory(reader);
        model->goals = goals;
        reader->goal_room = room;
    }
    reader->name_count = 0;
    status = read_cells(reader, model->goals + (size_t)model->goal_count++ * model->places, "the goal");
    psvn_remark_on_names(&reader->remarks, model->domains, reader->names, reader->name_count,
                         reader->name_count);
    return status;
}

static enum pz_status reader_read_file(struct reader *reader)
{
    enum pz_status status = PZ_OK;
    while (status == PZ_OK && psvn_word_is(present(reader), "DOMAIN"))
        status = read_domain(reader);
    if (status == PZ_OK)
        status = read_places(reader);
    while (status == PZ_OK && present(reader)->length > 0)
        status = psvn_word_is(present(reader), "GOAL") ? read_goal(reader) : read_rule(reader);
    struct psvn_model *model = reader->model;
    if (status == PZ_OK && model->rule_count == 0)
        return psvn_fail_at(reader->error, present(reader), "the text ends without a rule");
    for (uint32_t i = 0; status == PZ_OK && i < model->rule_count; i++) {
        model->rules[i].left = model->cells + (size_t)i * 2 * model->places;
        model->rules[i].right = model->rules[i].left + model->places;
    }
    if (status == PZ_OK)
        model->remarks = psvn_remarks_text(&reader->remarks);
    return status;
}

enum pz_status psvn_read(const char *text, size_t length, struct psvn_model **out, struct pz_error *error)
{
    struct reader *reader = calloc(1, sizeof *reader);
    struct psvn_model *model = calloc(1, sizeof *model);
    enum pz_status status = PZ_OK;
    if (model != NULL) {
        model->text = malloc(length + 1);
        model->domains = calloc(PSVN_DOMAINS_MAX, sizeof *model->domains);
    }
    if (reader == NULL || model == NULL || model->text == NULL || model->domains == NULL ||
        !state_table_init_alone(&reader->remarks.known, PSVN_WELL_KNOWN_MAX, sizeof(uint64_t), 1)) {
        status = pz_fail(error, PZ_MEMORY, "no memory for a definition");
    } else {
        memcpy(model->text, text, length);
        reader->model = model;
        reader->error = error;
        status = psvn_words_begin(&reader->words, model->text, length, error);
        if (status == PZ_OK)
            status = reader_read_file(reader);
    }
    if (reader != NULL)
        state_table_clear(&reader->remarks.known);
    free(reader);
    *out = status == PZ_OK ? model : NULL;
    if (status != PZ_OK)
        psvn_model_free(model);
    return status;
}
