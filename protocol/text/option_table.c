/* SPDX-License-Identifier: MIT */
#include "protocol/text/option_table.h"

#include "protocol/text/nearest.h"
#include "protocol/text/text.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void option_table_add(struct option_table *table, const struct option_row *rows)
{
    for (; rows != NULL && rows->name != NULL && table->count < OPTION_ROWS_MAX; rows++)
        table->rows[table->count++] = *rows;
}

const struct option_row *option_table_find(const struct option_table *table, const char *name)
{
    for (unsigned i = 0; i < table->count; i++)
        if (strcmp(table->rows[i].name, name) == 0)
            return &table->rows[i];
    return NULL;
}

void option_words(const struct option_row *row, bool (*take)(void *context, const char *word), void *context)
{
    const char *at = row->value != NULL && strchr(row->value, '|') != NULL ? row->value : "";
    for (bool more = true; *at != '\0' && more;) {
        char word[16];
        size_t length = strcspn(at, "|");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
        more = take(context, word);
        at += length + (at[length] == '|');
    }
}

/* The arguments of getopt_long. Values from LONG_BASE on are row numbers. */
enum { LONG_BASE = 256 };

struct getopt_tables {
    struct option longs[OPTION_ROWS_MAX + 1];
    char shorts[2 * OPTION_ROWS_MAX + 4];
};

static void make_getopt(const struct option_table *table, enum option_rest rest,
                        struct getopt_tables *getopts)
{
    char *shorts = getopts->shorts;
    if (rest == OPTION_REST_STOPS)
        *shorts++ = '+';
    *shorts++ = ':';
    for (unsigned i = 0; i < table->count; i++) {
        const struct option_row *row = &table->rows[i];
        getopts->longs[i] = (struct option){.name = row->name,
                                            .has_arg = row->value == NULL ? no_argument : required_argument,
                                            .val = LONG_BASE + (int)i};
        if (row->letter == '\0')
            continue;
        *shorts++ = row->letter;
        if (row->value != NULL)
            *shorts++ = ':';
    }
}

static const struct option_row *option_row_of(const struct option_table *table, int found)
{
    if (found >= LONG_BASE)
        return &table->rows[found - LONG_BASE];
    for (unsigned i = 0; i < table->count; i++)
        if (table->rows[i].letter == found)
            return &table->rows[i];
    return NULL;
}

static bool fail_option(struct pz_error *error, const char *what, const char *name)
{
    (void)pz_fail(error, PZ_BAD_REQUEST, "%s%s", what, name);
    return false;
}

static bool add_pair(struct arguments *arguments, const char *key, const char *value, struct pz_error *error)
{
    if (arguments->pair_count == OPTION_PAIRS_MAX)
        return fail_option(error, "too many keys, the last is ", key);
    arguments->pairs[arguments->pair_count++] = (struct pz_key){key, value};
    return true;
}

static bool add_option(struct arguments *arguments, const struct option_row *row, const char *value,
                       struct pz_error *error)
{
    if (row->key != NULL)
        return add_pair(arguments, row->name, value == NULL ? "yes" : value, error);
    if (arguments->own_count == OPTION_ROWS_MAX)
        return fail_option(error, "too many options, the last is --", row->name);
    arguments->own[arguments->own_count].row = row;
    arguments->own[arguments->own_count++].value = value == NULL ? "" : value;
    return true;
}

/* Adds a word, or a pair if it begins like metric=, as board texts never do. */
static bool option_add_word(struct arguments *arguments, char *word, struct pz_error *error)
{
    infer_narrow(word);
    size_t key = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (key > 0 && word[key] == '=') {
        word[key] = '\0';
        return add_pair(arguments, word, word + key + 1, error);
    }
    if (arguments->word_count == OPTION_WORDS_MAX)
        return fail_option(error, "too many arguments, the last is ", word);
    arguments->words[arguments->word_count++] = word;
    return true;
}

static bool refuse_option(int found, char **argv, const struct option_table *table, struct pz_error *error)
{
    char letter[] = {'-', (char)optopt, '\0'};
    bool is_letter = optopt > 0 && optopt < LONG_BASE;
    const char *name = is_letter ? letter : argv[optind - 1];
    if (found == ':')
        return fail_option(error, "no value for ", name);
    char written[64] = "";
    if (!is_letter && strncmp(name, "--", 2) == 0)
        (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(name + 2, "="), name + 2);
    struct nearest nearest = {.written = written};
    bool keys = false;
    for (unsigned i = 0; i < table->count; i++) {
        nearest_offer(&nearest, table->rows[i].name);
        keys |= table->rows[i].key != NULL;
    }
    struct text text = {0};
    text_format(&text, "unknown option '%s'", name);
    if (nearest.best != NULL)
        text_format(&text, "; did you mean '--%s'?", nearest.best);
    else if (keys && *written != '\0')
        text_format(&text, "; a key of the puzzle has no dashes: %s=…", written);
    (void)fail_option(error, text_string(&text), "");
    text_free(&text);
    return false;
}

bool options_parse(int argc, char **argv, const struct option_table *table, enum option_rest rest,
                   struct arguments *arguments, struct pz_error *error)
{
    struct getopt_tables getopts = {0};
    make_getopt(table, rest, &getopts);
    opterr = 0;
    optind = 0; /* getopt starts over */
    for (;;) {
        int found =
            getopt_long(argc, argv, getopts.shorts, getopts.longs, NULL); /* NOLINT(concurrency-mt-unsafe) */
        if (found == -1)
            break;
        const struct option_row *row = found == '?' || found == ':' ? NULL : option_row_of(table, found);
        if (row == NULL)
            return refuse_option(found, argv, table, error);
        if (optarg != NULL && row->key != NULL)
            infer_narrow(optarg);
        if (!add_option(arguments, row, optarg, error))
            return false;
    }
    arguments->next = optind;
    for (int i = optind; i < argc && rest == OPTION_REST_READ; i++)
        if (!option_add_word(arguments, argv[i], error))
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

void option_help(const struct option_row *row, const char *text, FILE *out)
{
    char left[64];
    const bool flag = row->value == NULL;
    (void)snprintf(left, sizeof left, "%s%s%s", row->name, flag ? "" : " ", flag ? "" : row->value);
    if (row->letter != '\0')
        (void)fprintf(out, "  -%c, --%-22s %s\n", row->letter, left, text);
    else
        (void)fprintf(out, "      --%-22s %s\n", left, text);
}

/* ---- programs without commands ---- */

bool program_read(const struct program *program, int argc, char **argv, struct program_line *line,
                  struct pz_error *error)
{
    static const struct option_row every[] = {{"version", 0, NULL, "print the version and leave", NULL},
                                              {"help", 0, NULL, "print this and leave", NULL},
                                              {0}};
    *line = (struct program_line){0};
    option_table_add(&line->table, program->options);
    option_table_add(&line->table, every);
    return options_parse(argc, argv, &line->table, program->rest, &line->arguments, error);
}

bool program_tells(const struct program *program, const struct program_line *line)
{
    const bool help = arguments_option(&line->arguments, "help") != NULL;
    if (help) {
        (void)printf("Usage: %s\n%s\n", program->usage, program->about);
        for (unsigned i = 0; i < line->table.count; i++)
            if (line->table.rows[i].help != NULL)
                option_help(&line->table.rows[i], line->table.rows[i].help, stdout);
        (void)printf("%s%s", program->more != NULL ? "\n" : "", program->more != NULL ? program->more : "");
    } else if (arguments_option(&line->arguments, "version") != NULL) {
        (void)printf("%s %s\n", program->name, program->version);
    } else {
        return false;
    }
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return true;
    (void)fprintf(stderr, "%s: standard output: %s\n", program->name, strerrordesc_np(errno));
    exit(EXIT_FAILURE); // NOLINT(concurrency-mt-unsafe): no other thread runs yet
}

void program_refuse(const struct program *program, const char *text)
{
    (void)fprintf(stderr, "%s: %s\nTry: %s --help\n", program->name, text, program->name);
}

void program_directory(char directory[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
    directory[length > 0 ? length : 0] = '\0';
    char *name = strrchr(directory, '/');
    if (name != NULL)
        *name = '\0';
}

void program_beside(const char *name, char path[PATH_MAX])
{
    char directory[PATH_MAX];
    program_directory(directory);
    const int length = snprintf(path, PATH_MAX, "%s/%s", directory, name);
    if (length >= PATH_MAX || access(path, X_OK) != 0)
        (void)snprintf(path, PATH_MAX, "%s", name);
}
