/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <getopt.h>
#include <string.h>

/* What getopt_long wants, made from two tables. Values from LONG_BASE on are row numbers. */
enum { LONG_BASE = 256 };

struct getopt_tables {
    const struct option_row *rows[2 * OPTION_ROWS_MAX];
    struct option longs[2 * OPTION_ROWS_MAX + 1];
    char shorts[4 * OPTION_ROWS_MAX + 4];
    int count;
};

static void add_rows(struct getopt_tables *tables, const struct option_row *rows)
{
    size_t used = strlen(tables->shorts);
    for (; rows != NULL && rows->name != NULL && tables->count < 2 * OPTION_ROWS_MAX; rows++) {
        tables->rows[tables->count] = rows;
        tables->longs[tables->count] = (struct option){
            .name = rows->name,
            .has_arg = rows->value == NULL ? no_argument : required_argument,
            .val = LONG_BASE + tables->count,
        };
        tables->count++;
        if (rows->letter == '\0')
            continue;
        tables->shorts[used++] = rows->letter;
        if (rows->value != NULL)
            tables->shorts[used++] = ':';
    }
}

static const struct option_row *row_of(const struct getopt_tables *tables, int found)
{
    if (found >= LONG_BASE)
        return tables->rows[found - LONG_BASE];
    for (int i = 0; i < tables->count; i++)
        if (tables->rows[i]->letter == found)
            return tables->rows[i];
    return NULL;
}

static bool fail(struct pz_error *error, const char *what, const char *name)
{
    (void)pz_fail(error, PZ_BAD_REQUEST, "%s%s", what, name);
    return false;
}

static bool add_pair(struct arguments *arguments, const char *key, const char *value, struct pz_error *error)
{
    if (arguments->pair_count == OPTION_PAIRS_MAX)
        return fail(error, "too many keys, the last is ", key);
    arguments->pairs[arguments->pair_count++] = (struct field){key, value};
    return true;
}

static bool add_option(struct arguments *arguments, const struct option_row *row, const char *value,
                       struct pz_error *error)
{
    if (row->key != NULL)
        return add_pair(arguments, row->key, value == NULL ? "yes" : value, error);
    if (arguments->own_count == OPTION_ROWS_MAX)
        return fail(error, "too many options, the last is --", row->name);
    arguments->own[arguments->own_count].row = row;
    arguments->own[arguments->own_count++].value = value == NULL ? "" : value;
    return true;
}

/* A word that begins like metric= is a pair; board texts never do. */
static bool add_word(struct arguments *arguments, char *word, struct pz_error *error)
{
    size_t key = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (key > 0 && word[key] == '=') {
        word[key] = '\0';
        return add_pair(arguments, word, word + key + 1, error);
    }
    if (arguments->word_count == OPTION_WORDS_MAX)
        return fail(error, "too many arguments (a board with spaces wants quotes), the last is ", word);
    arguments->words[arguments->word_count++] = word;
    return true;
}

static bool refuse_option(int found, char **argv, struct pz_error *error)
{
    char letter[] = {'-', (char)optopt, '\0'};
    const char *name = optopt > 0 && optopt < LONG_BASE ? letter : argv[optind - 1];
    return fail(error, found == ':' ? "no value for " : "no such option, or not so written: ", name);
}

bool options_parse(int argc, char **argv, const struct option_row *common, const struct option_row *rows,
                   bool stop_at_word, struct arguments *arguments, struct pz_error *error)
{
    struct getopt_tables tables = {0};
    (void)snprintf(tables.shorts, sizeof tables.shorts, "%s:", stop_at_word ? "+" : "");
    add_rows(&tables, common);
    add_rows(&tables, rows);
    opterr = 0;
    optind = 0; /* getopt begins anew */
    for (;;) {
        int found =
            getopt_long(argc, argv, tables.shorts, tables.longs, NULL); /* NOLINT(concurrency-mt-unsafe) */
        if (found == -1)
            break;
        const struct option_row *row = found == '?' || found == ':' ? NULL : row_of(&tables, found);
        if (row == NULL)
            return refuse_option(found, argv, error);
        if (!add_option(arguments, row, optarg, error))
            return false;
    }
    arguments->next = optind;
    for (int i = optind; i < argc && !stop_at_word; i++)
        if (!add_word(arguments, argv[i], error))
            return false;
    return true;
}

const char *arguments_option(const struct arguments *arguments, const char *name)
{
    for (size_t i = arguments->own_count; i > 0; i--)
        if (strcmp(arguments->own[i - 1].row->name, name) == 0)
            return arguments->own[i - 1].value;
    return NULL;
}

const char *arguments_pair(const struct arguments *arguments, const char *key)
{
    for (size_t i = 0; i < arguments->pair_count; i++)
        if (strcasecmp(arguments->pairs[i].key, key) == 0)
            return arguments->pairs[i].value;
    return NULL;
}

void options_help(const struct option_row *rows, FILE *out)
{
    for (; rows != NULL && rows->name != NULL; rows++) {
        char left[64];
        (void)snprintf(left, sizeof left, "%s%s%s", rows->name, rows->value == NULL ? "" : " ",
                       rows->value == NULL ? "" : rows->value);
        if (rows->letter != '\0')
            (void)fprintf(out, "  -%c, --%-22s %s\n", rows->letter, left, rows->help);
        else
            (void)fprintf(out, "      --%-22s %s\n", left, rows->help);
    }
}
