/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws_rules.h"
#include "space/text/tws/tws_space.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char between[] = ", \t\r";

/* Returns the length of the next word. */
static size_t word_length(const struct tws_sequence *sequence)
{
    size_t end = sequence->read;
    while (end < sequence->length && strchr(between, sequence->words[end]) == NULL)
        end++;
    return end - sequence->read;
}

/* Does the words one after the other, each once. Returns false if the next one is no move yet: it is *length
 * long. */
static bool do_words(const struct tws_rules *rules, struct tws_sequence *sequence, size_t *length)
{
    for (; sequence->read < sequence->length; sequence->read += *length + (*length == 0)) {
        struct twist_move next = {.from = {0}}, turn = {.from = {0}};
        const struct twist_move done = sequence->done, turned = sequence->turned;
        *length = word_length(sequence);
        if (*length == 0)
            continue;
        if (!tws_rules_word(rules, sequence->words + sequence->read, *length, &next, &turn))
            return false;
        twist_compose(&rules->twist, &done, &next, &sequence->done);
        twist_compose(&rules->twist, &turned, &turn, &sequence->turned);
    }
    return true;
}

/* Lists a move as the file has it: turns are said of the place that a piece leaves. */
static void list_move(struct tws_file *file, const struct tws_rules *rules,
                      const struct tws_sequence *sequence)
{
    const struct twist_move *move = &sequence->done;
    const bool several = strcspn(sequence->words, between) < sequence->length;
    struct twist_move still;
    twist_identity(&rules->twist, &still);
    assert(file->moves < TWS_MOVES_MAX);
    struct tws_listed_move *listed = &file->move[file->moves++];
    *listed = (struct tws_listed_move){.line = sequence->line, .carried = *move, .turned = sequence->turned};
    if (sequence->alias && (several || !twist_same_move(&rules->twist, &still, &sequence->turned))) {
        listed->words = sequence->words;
        listed->length = sequence->length;
    }
    memcpy(listed->name, sequence->name, sizeof listed->name);
    for (unsigned i = 0; i < file->places; i++)
        listed->carried.turn[move->from[i]] = move->turn[i];
}

static enum pz_status take_sequence(struct tws_file *file, unsigned number, struct tws_rules *rules,
                                    struct pz_error *error)
{
    const struct tws_sequence sequence = file->sequence[number];
    if (file->moves == TWS_MOVES_MAX)
        return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: more than %d moves", sequence.line,
                       TWS_MOVES_MAX);
    list_move(file, rules, &sequence);
    tws_rules_list(file, rules);
    memmove(&file->sequence[number], &file->sequence[number + 1],
            (--file->sequences - number) * sizeof file->sequence[0]);
    return PZ_OK;
}

/* Takes the first sequence all of whose words are moves. Fails if there is none. */
static enum pz_status take_any(struct tws_file *file, struct tws_rules *rules, struct pz_error *error)
{
    size_t length = 0, missing = 0;
    for (unsigned i = 0; i < file->sequences; i++) {
        if (do_words(rules, &file->sequence[i], &length))
            return take_sequence(file, i, rules, error);
        missing = i == 0 ? length : missing;
    }
    return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: '%.*s' of %s is no move", file->sequence[0].line,
                   missing < 40 ? (int)missing : 40, file->sequence[0].words + file->sequence[0].read,
                   file->sequence[0].name);
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
    for (unsigned i = 0; i < file->sequences; i++) {
        twist_identity(&rules->twist, &file->sequence[i].done);
        twist_identity(&rules->twist, &file->sequence[i].turned);
    }
    while (status == PZ_OK && file->sequences > 0)
        status = take_any(file, rules, error);
    free(rules);
    return status;
}
