/* SPDX-License-Identifier: MIT */
#include "web/api/json_answer.h"

#include <assert.h>

static int add_bytes(const char *bytes, size_t length, void *data)
{
    text_append(data, bytes, length);
    return 0;
}

/* Appends the value as text and releases it. */
static void add_value(struct json_answer *answer, json_t *value)
{
    if (value == NULL ||
        json_dump_callback(value, add_bytes, &answer->json, JSON_COMPACT | JSON_REAL_PRECISION(12)) != 0)
        answer->json.failed = true;
    json_decref(value);
}

/* Appends a value of a list. */
static void add_item(struct json_answer *answer, json_t *value)
{
    if (answer->follows)
        text_char(&answer->json, ',');
    answer->follows = true;
    add_value(answer, value);
}

/* Counts a reply that is whole. */
static void end_reply(struct json_answer *answer)
{
    assert(answer->wanted > 0);
    answer->wanted--;
    answer->follows = true;
    answer->taken++;
    if (answer->many && answer->wanted == 0)
        text_add(&answer->json, "]}");
}

/* Puts the errors of boards that were not asked in their places, up to the next that was. */
static void take_wrong(struct json_answer *answer)
{
    for (;;) {
        json_t *wrong = json_array_get(answer->wrong, answer->taken);
        if (!json_is_object(wrong))
            return;
        add_item(answer, json_incref(wrong));
        end_reply(answer);
    }
}

void answer_begin(struct json_answer *answer, const struct web_question *question)
{
    assert(question->verb < VERB_COUNT && (question->many || question->count == 1));
    *answer = (struct json_answer){.records = verb_row(question->verb)->records,
                                   .many = question->many,
                                   .wanted = question->count,
                                   .wrong = json_incref(question->wrong),
                                   .submits = question->submits,
                                   .status = 200};
    if (question->many)
        text_add(&answer->json, "{\"answers\":[");
    if (question->many && question->count == 0)
        text_add(&answer->json, "]}");
    take_wrong(answer);
}

/* Opens the first line's object again for the list of its records. */
static void open_list(struct json_answer *answer)
{
    struct text *json = &answer->json;
    if (json->failed || json->length == 0 || json->data[json->length - 1] != '}')
        return;
    text_cut(json, json->length - 1);
    text_format(json, "%s\"%s\":[", json->data[json->length - 1] == '{' ? "" : ",", answer->records);
    answer->follows = false;
}

/* Notes what the answer's headers report. */
static void note_head(struct json_answer *answer, const struct reply *reply)
{
    answer->open = reply_is(reply, "solvable", "unknown") || reply_is(reply, "complete", "no") ||
                   *reply_text(reply, "explored") != '\0';
    int64_t job = 0;
    if (!answer->submits || !reply_integer(reply, "job", &job))
        return;
    answer->made = reply_is(reply, "cached", "yes") ? 0 : job;
    if (answer->many)
        return;
    answer->job = job;
    if (answer->made != 0)
        answer->status = 201;
}

static void take_head(struct json_answer *answer, const struct reply *reply)
{
    note_head(answer, reply);
    add_item(answer, json_of_reply(reply));
    answer->in_list = answer->records != NULL;
    if (answer->in_list)
        open_list(answer);
    else
        end_reply(answer);
}

bool answer_take(struct json_answer *answer, const struct reply *reply)
{
    answer->made = 0;
    if (answer->in_list && reply->kind == REPLY_RECORD) {
        add_item(answer, json_of_reply(reply));
        return true;
    }
    if (answer->in_list) {
        answer->in_list = false;
        text_add(&answer->json, "]}");
        end_reply(answer);
        return reply->kind == REPLY_END;
    }
    if (reply->kind == REPLY_OK) {
        take_head(answer, reply);
        take_wrong(answer);
        return true;
    }
    if (reply->kind != REPLY_ERR)
        return false;
    if (!answer->many)
        answer->status = code_status(reply->code);
    /* Among many replies a refused one has its error in its place. */
    add_item(answer, json_of_refusal(reply));
    end_reply(answer);
    take_wrong(answer);
    return true;
}

bool answer_whole(const struct json_answer *answer)
{
    return answer->wanted == 0;
}

void answer_value(struct json_answer *answer, json_t *value)
{
    answer_clear(answer);
    answer->status = 200;
    add_value(answer, value);
}

void answer_fail(struct json_answer *answer, const struct refusal *refusal)
{
    answer_value(answer, json_of_error(refusal->code, code_retry(refusal->code), refusal->text));
    answer->status = code_status(refusal->code);
}

char *answer_text(struct json_answer *answer)
{
    text_char(&answer->json, '\n');
    return text_take(&answer->json);
}

void answer_clear(struct json_answer *answer)
{
    text_free(&answer->json);
    json_decref(answer->wrong);
    *answer = (struct json_answer){0};
}
