/* SPDX-License-Identifier: MIT */
/* The canonical text: the domains in use, numbered; the rules in plain form, each with its label; the goals.
 */
#include "space/text/psvn/psvn_rules.h"

#include <stdlib.h>
#include <string.h>

struct canonical_writer {
    const struct psvn_model *model;
    char *text;
    size_t length, room;
    bool failed;
    unsigned marks;                    /* question marks before a name, so that it is no value */
    uint16_t number[PSVN_DOMAINS_MAX]; /* of a named domain that is used, from 1 */
};

__attribute__((format(printf, 2, 3))) static void write_canonical(struct canonical_writer *writer,
                                                                  const char *format, ...)
{
    enum { PIECE_MAX = 2 * PSVN_WORD_MAX + 16 };
    if (writer->room - writer->length < PIECE_MAX && !writer->failed) {
        const size_t room = 2 * writer->room + 4096;
        char *text = realloc(writer->text, room);
        writer->failed = text == NULL;
        if (text != NULL) {
            writer->text = text;
            writer->room = room;
        }
    }
    if (writer->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    writer->length += (size_t)vsnprintf(writer->text + writer->length, PIECE_MAX, format, arguments);
    va_end(arguments);
}

static void put_domain(struct canonical_writer *writer, const struct psvn_domain *domain, unsigned number)
{
    write_canonical(writer, "DOMAIN D%u %u", number, domain->size);
    for (uint32_t i = 0; i < domain->size; i++)
        write_canonical(writer, " %.*s", PSVN_SHOW(&domain->values[i]));
    write_canonical(writer, "\n");
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
    write_canonical(writer, "%u\n", model->places);
    for (uint32_t i = 0; i < model->places; i++) {
        const struct psvn_domain *domain = psvn_domain_of(model, i);
        if (domain->values == NULL)
            write_canonical(writer, "%u%s ", domain->size, domain->first == 1 ? "N" : "");
        else
            write_canonical(writer, "D%u ", writer->number[model->domain_of[i]]);
    }
    write_canonical(writer, "\n");
}

static void put_cells(struct canonical_writer *writer, const psvn_cell *cells)
{
    char value[PSVN_VALUE_TEXT];
    for (uint32_t i = 0; i < writer->model->places; i++) {
        if (cells[i] == PSVN_OPEN) {
            write_canonical(writer, "- ");
        } else if (cells[i] >= PSVN_NAME) {
            for (unsigned mark = 0; mark < writer->marks; mark++)
                write_canonical(writer, "?");
            write_canonical(writer, "%d ", (int)(cells[i] - PSVN_NAME));
        } else {
            (void)psvn_value_print(psvn_domain_of(writer->model, i), (uint32_t)cells[i], value);
            write_canonical(writer, "%s ", value);
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
    struct canonical_writer *writer = calloc(1, sizeof *writer);
    char label[PSVN_LABEL_TEXT];
    if (writer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    writer->model = model;
    writer->marks = count_marks(model);
    put_domains(writer);
    for (uint32_t i = 0; i < model->rule_count && !writer->failed; i++) {
        put_cells(writer, model->rules[i].left);
        write_canonical(writer, "=> ");
        put_cells(writer, model->rules[i].right);
        (void)psvn_label_print(&model->rules[i], label);
        write_canonical(writer, "LABEL %s", label);
        if (model->rules[i].cost != 1)
            write_canonical(writer, " COST %u", model->rules[i].cost);
        write_canonical(writer, "\n");
    }
    for (uint32_t i = 0; i < model->goal_count && !writer->failed; i++) {
        write_canonical(writer, "GOAL ");
        put_cells(writer, model->goals + (size_t)i * model->places);
        write_canonical(writer, "\n");
    }
    *out = writer->text;
    *length = writer->length;
    const bool failed = writer->failed;
    if (failed)
        free(writer->text);
    free(writer);
    return failed ? pz_fail(error, PZ_MEMORY, "no memory for a definition") : PZ_OK;
}
