/* SPDX-License-Identifier: MIT */
#include "web/api/answer.h"

#include <stdlib.h>
#include <string.h>

void answer_begin(struct answer *answer, const struct question *question)
{
    *answer = (struct answer){.records = verb_row(question->verb)->records,
                              .many = question->many,
                              .wanted = question->count,
                              .status = 200};
    if (question->many) {
        answer->value = json_pack("{s:[]}", "answers");
        answer->answers = json_object_get(answer->value, "answers");
    }
}

/* Keeps the value of a whole reply. Among many replies a failed one has its error in its place. */
static void keep(struct answer *answer, json_t *value)
{
    if (!answer->many)
        answer->value = value;
    else
        (void)json_array_append_new(answer->answers, value);
}

static void take_head(struct answer *answer, const struct reply *reply)
{
    json_t *value = json_of_reply(reply);
    if (answer->records != NULL && value != NULL) {
        answer->list = json_array();
        (void)json_object_set_new(value, answer->records, answer->list);
    }
    if (answer->list == NULL)
        answer->wanted--;
    keep(answer, value);
}

bool answer_take(struct answer *answer, const struct reply *reply)
{
    if (answer->list != NULL) {
        if (reply->kind == REPLY_RECORD)
            return json_array_append_new(answer->list, json_of_reply(reply)) == 0;
        answer->list = NULL;
        answer->wanted--;
        return reply->kind == REPLY_END;
    }
    if (reply->kind == REPLY_OK) {
        take_head(answer, reply);
        return true;
    }
    if (reply->kind != REPLY_ERR)
        return false;
    answer->wanted--;
    if (!answer->many)
        answer->status = code_status(reply->code);
    keep(answer, json_of_error(reply->code, reply->retry, reply->text));
    return true;
}

bool answer_whole(const struct answer *answer)
{
    return answer->wanted == 0;
}

void answer_fail(struct answer *answer, const struct refusal *refusal)
{
    answer_clear(answer);
    answer->status = code_status(refusal->code);
    answer->value = json_of_error(refusal->code, code_retry(refusal->code), refusal->text);
}

char *answer_text(const struct answer *answer)
{
    char *text =
        answer->value == NULL ? NULL : json_dumps(answer->value, JSON_COMPACT | JSON_REAL_PRECISION(12));
    size_t length = text == NULL ? 0 : strlen(text);
    char *longer = text == NULL ? NULL : realloc(text, length + 2);
    if (longer == NULL) {
        free(text);
        return NULL;
    }
    memcpy(longer + length, "\n", 2);
    return longer;
}

void answer_clear(struct answer *answer)
{
    json_decref(answer->value);
    *answer = (struct answer){0};
}
