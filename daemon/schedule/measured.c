/* SPDX-License-Identifier: MIT */
#include "daemon/schedule/measured.h"

#include "protocol/lexer.h"

#include <stdlib.h>
#include <string.h>

#define STATES_LEAST 1e8

/* The figures of an exploration in its result. */
struct past_run {
    bool complete;
    double states, seconds;
    enum explore_planes planes;
};

static void take_word(const struct word *word, struct past_run *past)
{
    static const char *const kinds[] = {PLANES_WORDS};
    if (strcmp(word->key, "complete") == 0)
        past->complete = strcmp(word->value, "yes") == 0;
    else if (strcmp(word->key, "states") == 0)
        past->states = strtod(word->value, NULL);
    else if (strcmp(word->key, "seconds") == 0)
        past->seconds = strtod(word->value, NULL);
    else if (strcmp(word->key, "planes") == 0)
        for (enum explore_planes planes = PLANES_AUTO; planes < PLANES_COUNT; planes++)
            if (strcmp(word->value, kinds[planes]) == 0)
                past->planes = planes;
}

static struct past_run read_result(const char *text)
{
    struct past_run past = {.planes = PLANES_AUTO};
    char *result = strdup(text);
    if (result == NULL)
        return past;
    struct lexer lexer = {result, result + strlen(result), result};
    struct word word;
    while (lexer_next(&lexer, &word) == LEXED_WORD)
        if (word.key != NULL)
            take_word(&word, &past);
    free(result);
    return past;
}

void measured_find(const struct jobs *jobs, struct measured *out)
{
    double largest[PLANES_COUNT] = {0};
    *out = (struct measured){0};
    for (const struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id)) {
        if (job->record.kind != JOB_EXPLORE || job->record.state != JOB_DONE || job->record.result == NULL ||
            strstr(job->record.result, " planes=") == NULL)
            continue;
        const struct past_run past = read_result(job->record.result);
        if (!past.complete || past.states < STATES_LEAST || past.states < largest[past.planes])
            continue;
        largest[past.planes] = past.states;
        out->seconds[past.planes] = past.seconds / past.states;
    }
}
