/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws_sequences.h"

#include "space/text/tws/tws_rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char between[] = ", \t\r";

/* Does the words one after the other. Returns false if one is no move yet: *word is it, *length long. */
static bool do_words(const struct tws_rules *rules, const struct tws_sequence *sequence,
                     struct twist_move *move, const char **word, size_t *length)
{
    const char *end = sequence->words + sequence->length;
    twist_identity(&rules->twist, move);
    for (*word = sequence->words; *word < end; *word += *length) {
        struct twist_move next = {.from = {0}};
        const struct twist_move before = *move;
        *length = 0;
        while (*word + *length < end && strchr(between, (*word)[*length]) == NULL)
            ++*length;
        if (*length == 0) {
            *length = 1;
            continue;
        }
        if (!tws_rules_word(rules, *word, *length, &next))
            return false;
        twist_compose(&rules->twist, &before, &next, move);
    }
    return true;
}

/* Lists a move as the file has it: turns are said of the place that a piece leaves. */
static void list_move(struct tws_file *file, const struct tws_sequence *sequence,
                      const struct twist_move *move)
{
    assert(file->moves < TWS_MOVES_MAX);
    struct tws_listed_move *listed = &file->move[file->moves++];
    *listed = (struct tws_listed_move){.line = sequence->line, .carried = *move};
    memcpy(listed->name, sequence->name, sizeof listed->name);
    for (unsigned i = 0; i < file->places; i++)
        listed->carried.turn[move->from[i]] = move->turn[i];
}

static enum pz_status take_sequence(struct tws_file *file, unsigned number, const struct twist_move *move,
                                    struct tws_rules *rules, struct pz_error *error)
{
    const struct tws_sequence sequence = file->sequence[number];
    if (file->moves == TWS_MOVES_MAX)
        return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: more than %d moves", sequence.line,
                       TWS_MOVES_MAX);
    list_move(file, &sequence, move);
    memmove(&file->sequence[number], &file->sequence[number + 1],
            (--file->sequences - number) * sizeof file->sequence[0]);
    return tws_rules_begin(file, rules, error);
}

/* Takes the first sequence all of whose words are moves. Fails if there is none. */
static enum pz_status take_any(struct tws_file *file, struct tws_rules *rules, struct pz_error *error)
{
    const char *word = NULL, *missing = NULL;
    size_t length = 0, missing_length = 0;
    struct twist_move move;
    for (unsigned i = 0; i < file->sequences; i++) {
        if (do_words(rules, &file->sequence[i], &move, &word, &length))
            return take_sequence(file, i, &move, rules, error);
        missing = missing != NULL ? missing : word;
        missing_length = missing_length > 0 ? missing_length : length;
    }
    return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: '%.*s' of %s is no move", file->sequence[0].line,
                   missing_length < 40 ? (int)missing_length : 40, missing, file->sequence[0].name);
}

enum pz_status tws_read_whole(const char *text, size_t length, struct tws_file *file, struct pz_error *error)
{
    enum pz_status status = tws_read(text, length, file, error);
    if (status != PZ_OK || file->sequences == 0)
        return status;
    struct tws_rules *rules = malloc(sizeof *rules);
    if (rules == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    status = tws_rules_begin(file, rules, error);
    while (status == PZ_OK && file->sequences > 0)
        status = take_any(file, rules, error);
    free(rules);
    return status;
}
