/* SPDX-License-Identifier: MIT */
#include "answer/verify/table_question.h"

#include "space/registry.h"
#include "store/record/question.h"
#include "store/store.h"

#include <string.h>

/* Cuts the name into the puzzle's text and the root's, which is returned; NULL if there is none. */
static char *cut_name(char *name, enum explore_from *from)
{
    *from = question_from(name);
    if (*from == FROM_GOALS)
        *strrchr(name, ' ') = '\0';
    char *root = strstr(name, " root=");
    if (root == NULL)
        return NULL;
    *root = '\0';
    return root + strlen(" root=");
}

enum pz_status table_question_open(const char *name, struct table_question *question, struct pz_error *error)
{
    char text[STORE_NAME_MAX];
    const struct pz_setup setup = {0};
    *question = (struct table_question){0};
    (void)snprintf(text, sizeof text, "%s", name);
    const char *root = cut_name(text, &question->from);
    if (root == NULL)
        return pz_fail(error, PZ_STORAGE, "the name of the table %.300s has no root", name);
    enum pz_status status = space_open(text, &setup, &question->space, error);
    if (status == PZ_OK)
        status = question->space->puzzle->parse(question->space, root, question->root, error);
    if (status != PZ_OK)
        table_question_clear(question);
    return status;
}

void table_question_clear(struct table_question *question)
{
    space_close(question->space);
    question->space = NULL;
}
