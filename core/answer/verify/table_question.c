/* SPDX-License-Identifier: MIT */
#include "answer/verify/table_question.h"

#include "space/registry.h"
#include "store/store.h"

#include <string.h>

/* Cuts a last word off the name. Returns its text behind a key, "root="; NULL if the last word has another
 * key. */
static char *cut_word(char *name, const char *key)
{
    char *word = strrchr(name, ' ');
    if (word == NULL || strncmp(word + 1, key, strlen(key)) != 0)
        return NULL;
    *word = '\0';
    return word + 1 + strlen(key);
}

/* Cuts the name into the puzzle's text and the root's, which is returned; NULL if there is none. */
static char *cut_name(char *name, enum explore_from *from)
{
    *from = cut_word(name, "from=") != NULL ? FROM_GOALS : FROM_ROOT;
    return cut_word(name, "root=");
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
