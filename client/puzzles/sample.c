/* SPDX-License-Identifier: MIT */
#include "client/puzzles/sample.h"

#include "client/session/command.h"
#include "protocol/limits.h"
#include "protocol/text/quantity.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* After so many replies in a row without a new board a level counts as exhausted. */
enum { IN_VAIN = 20 };

enum pz_status sample_count(const struct arguments *arguments, uint64_t *count, struct pz_error *error)
{
    const char *text = arguments_pair(arguments, "count");
    *count = 1;
    if (text == NULL || quantity_count(text, 1, UINT32_MAX, count, error) == PZ_OK)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "--count: '%.40s' is not a whole number from 1 on", text);
}

static int compare_boards(const void *a, const void *b)
{
    return strcmp(a, b);
}

static enum exit_code ask_sample(struct session *session, const struct arguments *arguments, uint64_t seed,
                                 struct records *records)
{
    struct text request = {0};
    compose_begin(&request, "SAMPLE");
    compose_word(&request, arguments->words[0]);
    if (arguments->word_count > 1)
        text_key(&request, "depth", arguments->words[1]);
    for (size_t i = 0; i < arguments->pair_count; i++)
        if (strcasecmp(arguments->pairs[i].key, "count") != 0 &&
            strcasecmp(arguments->pairs[i].key, "seed") != 0)
            text_key(&request, arguments->pairs[i].key, arguments->pairs[i].value);
    text_format(&request, " count=%d seed=%" PRIu64, PROTOCOL_SAMPLE_MAX, seed);
    enum exit_code code = session_list(session, &request, records);
    text_free(&request);
    return code;
}

/* Moves the records whose boards are not in the set to *all. Returns how many, -1 without memory. */
static int take_new(struct records *records, void **set, uint64_t count, struct records *all)
{
    int taken = 0;
    const size_t bytes = (all->count + records->count + 1) * sizeof *all->records;
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): all->records is what the last call of realloc returned */
    struct reply *room = realloc(all->records, bytes);
    if (room == NULL)
        return -1;
    all->records = room;
    for (size_t i = 0; i < records->count && all->count < count; i++) {
        const char *board = reply_text(&records->records[i], "board");
        const char *const *entry = tsearch(board, set, compare_boards);
        if (entry == NULL)
            return -1;
        if (*entry != board)
            continue; /* it was there */
        all->records[all->count++] = records->records[i];
        records->records[i] = (struct reply){0};
        taken++;
    }
    return taken;
}

static void keep(void *board)
{
    (void)board; /* the reply owns it */
}

/* Puts the number of boards of all replies into the head. */
static void count_in_head(struct records *boards)
{
    struct text line = {0};
    struct reply head = {0};
    struct pz_error error;
    text_format(&line, "OK count=%zu", boards->count);
    for (size_t i = 0; i < boards->head.count; i++)
        if (strcmp(boards->head.fields[i].key, "count") != 0)
            text_key(&line, boards->head.fields[i].key, boards->head.fields[i].value);
    if (reply_parse(&head, text_string(&line), line.length, &error)) {
        reply_clear(&boards->head);
        boards->head = head;
    }
    text_free(&line);
}

enum exit_code sample_many(struct session *session, const struct arguments *arguments, struct records *boards)
{
    uint64_t seed = 0;
    uint64_t count = 0;
    struct pz_error error;
    void *set = NULL;
    const char *given = arguments_pair(arguments, "seed");
    enum exit_code code = EXIT_FOUND;
    *boards = (struct records){0};
    if (sample_count(arguments, &count, &error) != PZ_OK)
        return command_usage(session, error.text);
    if (given != NULL && quantity_count(given, 0, UINT64_MAX, &seed, &error) != PZ_OK)
        return command_usage(session, error.text);
    bool more = true;
    for (unsigned in_vain = 0; more && code == EXIT_FOUND && boards->count < count && in_vain < IN_VAIN;
         seed++) {
        struct records records;
        code = ask_sample(session, arguments, seed, &records);
        if (code != EXIT_FOUND)
            break;
        int taken = take_new(&records, &set, count, boards);
        more = taken >= 0 && records.count == PROTOCOL_SAMPLE_MAX; /* else that was the whole level */
        in_vain = taken == 0 ? in_vain + 1 : 0;
        if (taken < 0)
            code = session_fail(session, EXIT_TROUBLE, "memory", "no memory for the boards");
        reply_clear(&boards->head);
        boards->head = records.head;
        records.head = (struct reply){0};
        records_clear(&records);
    }
    tdestroy(set, keep);
    count_in_head(boards);
    if (code != EXIT_FOUND)
        records_clear(boards);
    return code;
}
