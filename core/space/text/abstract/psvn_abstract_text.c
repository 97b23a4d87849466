/* SPDX-License-Identifier: MIT */
/* Writes abstractions of PSVN texts as texts. */
#include "space/text/abstract/psvn_abstractor.h"

#include <stdlib.h>
#include <string.h>

/* The replacement of the name that a rule carries. */
enum { AS_IT_IS = -1 };

enum { LINES_BYTES_MAX = 16 << 20 /* before lines that are the same become one */ };

struct scribe {
    const struct psvn_model *model;
    uint64_t atoms;
    const struct psvn_classes *classes; /* NULL: variables are left out */
    char **rules;                       /* malloc'd lines */
    size_t count, room, bytes;
    bool failed;
};

static bool scribe_keeps(const struct scribe *scribe, uint32_t place)
{
    return scribe->classes != NULL || psvn_keeps(scribe->atoms, place);
}

static void put_cell_value(const struct scribe *scribe, FILE *out, psvn_cell cell, int carried)
{
    if (cell == PSVN_OPEN)
        (void)fputs("- ", out);
    else if (cell >= PSVN_NAME && carried != AS_IT_IS)
        (void)fprintf(out, "%d ", carried);
    else if (cell >= PSVN_NAME)
        (void)fprintf(out, "x%d ", (int)(cell - PSVN_NAME));
    else
        (void)fprintf(out, "%d ", scribe->classes != NULL ? scribe->classes->of[cell] : (int)cell);
}

static void put_side(const struct scribe *scribe, FILE *out, const psvn_cell *cells, int carried)
{
    for (uint32_t i = 0; i < scribe->model->places; i++)
        if (scribe_keeps(scribe, i))
            put_cell_value(scribe, out, cells[i], carried);
}

static void add_line(struct scribe *scribe, FILE *out, char **line, bool begun)
{
    scribe->bytes += begun && fflush(out) == 0 ? strlen(*line) : 0;
    scribe->failed |= scribe->bytes > LINES_BYTES_MAX;
    if (scribe->count == scribe->room && !scribe->failed) {
        const size_t room = 2 * scribe->room + 64;
        char **rules = realloc(scribe->rules, room * sizeof *rules);
        scribe->failed = rules == NULL;
        if (rules != NULL) {
            scribe->rules = rules;
            scribe->room = room;
        }
    }
    if (!begun || fclose(out) != 0)
        scribe->failed = true;
    if (scribe->failed)
        free(*line);
    else
        scribe->rules[scribe->count++] = *line;
}

/* Writes the values that all but the last variable have in the one goal of the abstraction. */
static void put_zeros(const struct scribe *scribe, FILE *out)
{
    for (uint32_t i = 0; i < scribe->model->places; i++)
        if (scribe_keeps(scribe, i))
            (void)fputs("0 ", out);
}

/* Adds a rule; right: NULL for that goal. carried: the class in place of the name that the rule carries, or
 * AS_IT_IS. */
static void add_rule(struct scribe *scribe, const psvn_cell *left, const psvn_cell *right, int carried,
                     uint32_t cost)
{
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    if (out != NULL) {
        put_side(scribe, out, left, carried);
        (void)fputs("0 => ", out);
        if (right != NULL)
            put_side(scribe, out, right, carried);
        else
            put_zeros(scribe, out);
        (void)fprintf(out, "%s COST %u\n", right != NULL ? "-" : "1", cost);
    }
    add_line(scribe, out, &line, out != NULL);
}

static bool writes_something(const struct scribe *scribe, const struct psvn_rule *rule)
{
    for (uint32_t i = 0; i < scribe->model->places; i++)
        if (scribe_keeps(scribe, i) && rule->right[i] != PSVN_OPEN)
            return true;
    return false;
}

/* Adds a rule for each class that it may carry; it costs where that is an atom's. */
static void add_rule_by_class(struct scribe *scribe, const struct psvn_rule *rule)
{
    const struct psvn_classes *classes = scribe->classes;
    for (unsigned class = 0; class < classes->classes; class ++)
        if (classes->count[class] > 0)
            add_rule(scribe, rule->left, rule->right, (int)class,
                     class > 0 && class < classes->first_named ? rule->cost : 0);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_header(const struct scribe *scribe, FILE *out)
{
    unsigned places = 1;
    for (uint32_t i = 0; i < scribe->model->places; i++)
        places += scribe_keeps(scribe, i);
    (void)fprintf(out, "%u\n", places);
    for (uint32_t i = 0; i < scribe->model->places; i++)
        if (scribe_keeps(scribe, i))
            (void)fprintf(out, "%u ",
                          scribe->classes != NULL ? scribe->classes->classes
                                                  : psvn_domain_of(scribe->model, i)->size);
    (void)fputs("2\n", out);
}

/* Writes each rule once. */
static char *put_text(const struct scribe *scribe, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out == NULL)
        return NULL;
    put_header(scribe, out);
    for (size_t i = 0; i < scribe->count; i++)
        if (i == 0 || strcmp(scribe->rules[i - 1], scribe->rules[i]) != 0)
            (void)fputs(scribe->rules[i], out);
    (void)fputs("GOAL ", out);
    put_zeros(scribe, out);
    (void)fputs("1\n", out);
    const bool sound = ferror(out) == 0;
    if (fclose(out) == 0 && sound)
        return text;
    free(text);
    return NULL;
}

char *psvn_abstraction_text(const struct psvn_abstractor *abstractor, uint64_t atoms,
                            const struct psvn_classes *classes, size_t *length)
{
    struct scribe scribe = {.model = abstractor->meaning->model, .atoms = atoms, .classes = classes};
    for (uint32_t i = 0; i < scribe.model->rule_count && !scribe.failed; i++) {
        const struct psvn_rule *rule = &scribe.model->rules[i];
        if (classes != NULL && abstractor->tokens.one_a_rule)
            add_rule_by_class(&scribe, rule);
        else if (writes_something(&scribe, rule))
            add_rule(&scribe, rule->left, rule->right, AS_IT_IS, rule->cost);
    }
    for (uint32_t i = 0; i < abstractor->goal_count; i++)
        add_rule(&scribe, abstractor->goals + (size_t)i * scribe.model->places, NULL, AS_IT_IS, 1);
    if (scribe.count > 1)
        qsort(scribe.rules, scribe.count, sizeof *scribe.rules, by_text);
    char *text = scribe.failed ? NULL : put_text(&scribe, length);
    for (size_t i = 0; i < scribe.count; i++)
        free(scribe.rules[i]);
    free(scribe.rules);
    return text;
}
