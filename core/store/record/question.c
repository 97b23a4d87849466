/* SPDX-License-Identifier: MIT */
#include "store/record/question.h"

#include <string.h>

size_t question_table_length(const char *question)
{
    static const char *const others[] = {" depth=", " keep=levels", " edges=yes", " parts=yes"};
    size_t length = strlen(question);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *found = strstr(question, others[i]);
        if (found != NULL && (size_t)(found - question) < length)
            length = (size_t)(found - question);
    }
    return length;
}

enum explore_from question_from(const char *question)
{
    static const char goals[] = " from=goals";
    const size_t length = question_table_length(question);
    const size_t own = sizeof goals - 1;
    return length > own && strncmp(question + length - own, goals, own) == 0 ? FROM_GOALS : FROM_ROOT;
}

bool question_asks_table(const char *question, const char *table)
{
    static const char verb[] = "explore ";
    const size_t length = strlen(table);
    return strncmp(question, verb, sizeof verb - 1) == 0 &&
           question_table_length(question) == sizeof verb - 1 + length &&
           strncmp(question + sizeof verb - 1, table, length) == 0;
}
