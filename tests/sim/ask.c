/* SPDX-License-Identifier: MIT */
#include "visitor.h"

#include "reply.h"
#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[NAMES] = {"north", "south", "west"};

/* A board of a sliding puzzle, and its distance from the goal. */
static const struct lookup {
    const char *words;
    int64_t moves;
} lookups[] = {{"2x2 1,2/0,3", 1},         {"2x2 0,2/1,3", 2},         {"2x3 1,2,3/4,0,5", 1},
               {"2x3 1,0,3/4,2,5", 2},     {"2x3 2,1,3/4,5,0", -1},    {"3x2 1,2/3,4/0,5", 1},
               {"2x4 1,2,3,4/5,6,0,7", 1}, {"2x4 1,2,3,4/5,0,6,7", 2}, {"3x3 1,2,3/4,5,6/7,0,8", 1}};
enum { LOOKUPS = sizeof lookups / sizeof lookups[0] };

/* ---- asking ---- */

static void write_text(unsigned text, char *out, size_t size)
{
    const unsigned states = text_states(text);
    size_t length = (size_t)snprintf(out, size, "1 %u", states);
    for (unsigned i = 0; i + 1 < states; i++)
        length += (size_t)snprintf(out + length, size - length, " %u => %u LABEL u %u => %u LABEL d", i,
                                   i + 1, i + 1, i);
    (void)snprintf(out + length, size - length, " GOAL %u", states - 1);
}

static void ask_define(struct visitor *visitor)
{
    char text[3800], line[4096];
    struct ask ask = {.kind = ASK_DEFINE, .name = (int)world_below(NAMES), .slot = -1, .moves = -1};
    const struct name_op op = {.text = (unsigned)world_below(NAME_TEXTS), .owner = visitor->user};
    write_text(op.text, text, sizeof text);
    ask.slot = name_model_start((unsigned)ask.name, &op);
    if (ask.slot < 0)
        return;
    const size_t half = world_once_in(3) ? strlen(text) / 2 : 0;
    if (half > 0) {
        const struct ask part = {.kind = ASK_PART, .name = -1, .slot = -1, .moves = -1};
        (void)snprintf(line, sizeof line, "DEFINE name=%s format=psvn more=yes text=\"%.*s\"",
                       names[ask.name], (int)half, text);
        (void)visitor_ask(visitor, &part, line);
    }
    (void)snprintf(line, sizeof line, "DEFINE name=%s format=psvn at=%zu text=\"%s\"", names[ask.name], half,
                   text + half);
    (void)visitor_ask(visitor, &ask, line);
    visitors_note_names();
}

static void ask_undefine(struct visitor *visitor)
{
    char line[64];
    struct ask ask = {.kind = ASK_UNDEFINE, .name = (int)world_below(NAMES), .slot = -1, .moves = -1};
    const struct name_op op = {.removes = true, .owner = visitor->user};
    ask.slot = name_model_start((unsigned)ask.name, &op);
    if (ask.slot < 0)
        return;
    (void)snprintf(line, sizeof line, "UNDEFINE %s", names[ask.name]);
    (void)visitor_ask(visitor, &ask, line);
    visitors_note_names();
}

static void ask_submit(struct visitor *visitor)
{
    char line[128];
    struct ask ask = {
        .kind = ASK_SUBMIT, .slot = -1, .moves = -1, .question = (unsigned)world_below(QUESTIONS)};
    const struct question *question = question_at(ask.question);
    ask.name = question->name;
    /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of our own */
    int length = snprintf(line, sizeof line, question->request, ask.name >= 0 ? names[ask.name] : "");
    if (world_once_in(8))
        (void)snprintf(line + length, sizeof line - (size_t)length, " time=%ums",
                       1 + (unsigned)world_below(20));
    (void)visitor_ask(visitor, &ask, line);
}

static void ask_distance(struct visitor *visitor, unsigned number, bool probe)
{
    char line[128];
    struct ask ask = {.kind = ASK_DISTANCE, .slot = -1, .moves = -1, .name = -1, .probe = probe};
    if (number < LOOKUPS) {
        (void)snprintf(line, sizeof line, "DISTANCE %s", lookups[number].words);
        ask.moves = lookups[number].moves;
    } else {
        ask.name = (int)(number - LOOKUPS) % NAMES;
        (void)snprintf(line, sizeof line, "DISTANCE %s 0", names[ask.name]);
    }
    (void)visitor_ask(visitor, &ask, line);
}

static void ask_about_job(struct visitor *visitor)
{
    static const struct {
        enum ask_kind kind;
        const char *verb;
        bool list;
    } verbs[] = {{ASK_JOB, "STATUS", false},    {ASK_JOB, "RESULT", false},    {ASK_WAIT, "WAIT", false},
                 {ASK_WAIT, "WAIT", false},     {ASK_WATCH, "WATCH", true},    {ASK_CANCEL, "CANCEL", false},
                 {ASK_CANCEL, "CANCEL", false}, {ASK_FORGET, "FORGET", false}, {ASK_OTHER, "LEVELS", true}};
    char line[128];
    const unsigned most = world->jobs.most;
    const unsigned verb = (unsigned)world_below(sizeof verbs / sizeof verbs[0]);
    if (most == 0)
        return;
    const unsigned job = most - (unsigned)world_below(most < 6 ? most : 6);
    struct ask ask = {
        .kind = verbs[verb].kind, .list = verbs[verb].list, .job = job, .name = -1, .slot = -1, .moves = -1};
    if (!world->jobs.job[job].told)
        return;
    int length = snprintf(line, sizeof line, "%s %u", verbs[verb].verb, job);
    if (ask.kind == ASK_WAIT && world_once_in(2)) {
        const unsigned ms = 1 + (unsigned)world_below(2000);
        ask.timeout_ns = (uint64_t)ms * 1000000;
        (void)snprintf(line + length, sizeof line - (size_t)length, " timeout=%ums", ms);
    }
    if (ask.kind == ASK_FORGET)
        job_model_dropping(job);
    (void)visitor_ask(visitor, &ask, line);
}

static void ask_whole(struct visitor *visitor, enum ask_kind kind, const char *line, bool list, bool probe)
{
    const struct ask ask = {.kind = kind, .list = list, .name = -1, .slot = -1, .moves = -1, .probe = probe};
    (void)visitor_ask(visitor, &ask, line);
}

static void ask_other(struct visitor *visitor)
{
    static const struct {
        const char *line;
        enum ask_kind kind;
        bool list;
    } others[] = {
        {"JOBS tools=yes limit=1000", ASK_JOBS, true},
        {"DEFINITIONS", ASK_DEFINITIONS, true},
        {"FSCK", ASK_FSCK, true},
        {"TABLES", ASK_OTHER, true},
        {"STATS", ASK_OTHER, false},
        {"PING", ASK_OTHER, false},
        {"PUZZLES", ASK_OTHER, true},
        {"SAMPLE 2x3 depth=4 count=3", ASK_OTHER, true},
        {"DEEPEST 2x2", ASK_OTHER, true},
        {"PATH 2x3 1,0,3/4,2,5", ASK_OTHER, false},
        {"", ASK_NONSENSE, false},
        {"WHAT IS THIS", ASK_NONSENSE, false},
        {"SOLVE 2x3 start=nothing", ASK_NONSENSE, false},
    };
    const unsigned lot = (unsigned)world_below(sizeof others / sizeof others[0]);
    ask_whole(visitor, others[lot].kind, others[lot].line, others[lot].list, false);
}

void ask_something(struct visitor *visitor)
{
    const uint64_t lot = world_below(20);
    if (lot < 4)
        ask_define(visitor);
    else if (lot < 6)
        ask_undefine(visitor);
    else if (lot < 9)
        ask_submit(visitor);
    else if (lot < 12)
        ask_distance(visitor, (unsigned)world_below(LOOKUPS + NAMES), false);
    else if (lot < 17)
        ask_about_job(visitor);
    else
        ask_other(visitor);
}

bool ask_probe(struct visitor *visitor, unsigned number)
{
    static const enum ask_kind kinds[] = {ASK_DEFINITIONS, ASK_JOBS, ASK_FSCK};
    static const char *const lines[] = {"DEFINITIONS", "JOBS tools=yes limit=1000", "FSCK"};
    enum { WHOLE = sizeof kinds / sizeof kinds[0] };
    char line[32];
    if (number < WHOLE) {
        ask_whole(visitor, kinds[number], lines[number], true, true);
    } else if (number < WHOLE + LOOKUPS + NAMES) {
        ask_distance(visitor, number - WHOLE, true);
    } else {
        struct ask ask = {.kind = ASK_JOB, .name = -1, .slot = -1, .moves = -1};
        ask.job = number - (WHOLE + LOOKUPS + NAMES) + 1;
        if (ask.job > world->jobs.most)
            return false;
        (void)snprintf(line, sizeof line, "RESULT %u", ask.job);
        (void)visitor_ask(visitor, &ask, line);
    }
    return true;
}

/* ---- judging ---- */

static void check_code(const struct ask *ask, const char *head)
{
    const bool disk = reply_failed(head, "storage") || reply_failed(head, "storage-full");
    if (reply_failed(head, "internal") || (disk && !world->has_failed) ||
        (reply_failed(head, "memory") && !world->has_failed))
        world_violate("'%s': %s", ask->line, head);
}

static enum name_outcome outcome_of(const struct ask *ask, const char *head)
{
    if (strncmp(head, "OK", 2) == 0)
        return ask->kind == ASK_DEFINE && reply_has(head, "cached", "yes") ? NAME_KNOWN : NAME_CHANGED;
    if (reply_failed(head, "bad-request") || reply_failed(head, "bad-puzzle") || reply_failed(head, "denied"))
        return NAME_REFUSED;
    if (reply_failed(head, "busy") || reply_failed(head, "limit"))
        return NAME_UNTOLD;
    return NAME_FAILED;
}

static void judge_naming(const struct ask *ask, const char *head)
{
    if (!name_model_end((unsigned)ask->name, (unsigned)ask->slot, outcome_of(ask, head)))
        world_violate("no order of the requests explains the reply to '%.40s': %s", ask->line, head);
    visitors_note_names();
}

static void judge_read(const struct ask *ask, unsigned name, name_set shown, const char *reply)
{
    if (!name_model_read(name, ask->seen[name], shown, ask->sent))
        world_violate("%s cannot mean this: '%s': %s", names[name], ask->line, reply);
    visitors_note_names();
}

/* What a record of DEFINITIONS shows: the length tells the text. */
static name_set shown_by(const char *record)
{
    int64_t bytes;
    char text[4096], owner[32];
    name_set set = 0;
    for (unsigned i = 0; i < NAME_TEXTS; i++) {
        write_text(i, text, sizeof text);
        if (reply_number(record, "bytes", &bytes) && bytes == (int64_t)strlen(text))
            set |= name_model_of_text(i);
    }
    name_set owned = 0;
    for (unsigned user = 0; user < NAME_OWNERS; user++) {
        (void)snprintf(owner, sizeof owner, "uid:%u", user == 0 ? 0 : 1000 + user);
        for (unsigned i = 0; reply_has(record, "submitter", owner) && i < NAME_TEXTS; i++)
            owned |= (name_set)(1u << (1 + i * NAME_OWNERS + user));
    }
    return set & owned;
}

static void judge_definitions(const struct ask *ask, const char *records)
{
    for (unsigned name = 0; name < NAMES; name++) {
        name_set shown = NAME_ABSENT;
        char line[512] = "absent";
        for (const char *at = records; *at != '\0'; at = strchr(at, '\n') + 1) {
            char whole[512];
            (void)snprintf(whole, sizeof whole, "%.*s", (int)strcspn(at, "\n"), at);
            if (!reply_has(whole, "name", names[name]))
                continue;
            shown = shown_by(whole);
            (void)snprintf(line, sizeof line, "%s", whole);
        }
        world_remark("shown: %s", line);
        judge_read(ask, name, shown, line);
    }
}

static void judge_distance(const struct ask *ask, const char *head)
{
    int64_t moves;
    const bool ok = strncmp(head, "OK", 2) == 0;
    if (ok && reply_has(head, "solvable", "unknown")) /* an exploration that was bounded has a table */
        return;
    if (ok && ask->name < 0 && (!reply_number(head, "moves", &moves) || moves != ask->moves))
        world_violate("%" PRId64 " moves would be right for '%s': %s", ask->moves, ask->line, head);
    if (!ok && ask->name < 0 && reply_failed(head, "bad-puzzle"))
        world_violate("'%s': %s", ask->line, head);
    if (ask->name >= 0 && ok && reply_number(head, "moves", &moves)) {
        name_set shown = 0;
        for (unsigned i = 0; i < NAME_TEXTS; i++)
            if (moves + 1 == (int64_t)text_states(i))
                shown |= name_model_of_text(i);
        judge_read(ask, (unsigned)ask->name, shown, head);
    }
    if (ask->name >= 0 && reply_failed(head, "bad-puzzle"))
        judge_read(ask, (unsigned)ask->name, NAME_ABSENT, head);
    if (!ok && ask->probe && !world->has_failed && !reply_failed(head, "bad-puzzle"))
        world_violate("nothing else is going on, and '%s': %s", ask->line, head);
}

static void judge_submit(const struct ask *ask, const char *head)
{
    int64_t job = 0;
    name_set meaning = 0; /* whoever's the text was */
    for (unsigned i = 0; i < NAME_TEXTS; i++)
        if (ask->name < 0 || (ask->seen[ask->name] & name_model_of_text(i)) != 0)
            meaning |= name_model_of_text(i);
    if (reply_number(head, "job", &job))
        job_model_told((unsigned)job, ask->question, meaning, head, ask->sent);
    else if (reply_failed(head, "bad-puzzle") && ask->name >= 0)
        judge_read(ask, (unsigned)ask->name, NAME_ABSENT, head);
    else if (reply_failed(head, "bad-puzzle"))
        world_violate("'%s': %s", ask->line, head);
}

static bool has_ended(const char *line)
{
    static const char *const words[] = {"done", "stopped", "failed", "cancelled"};
    bool ended = false;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        ended |= reply_has(line, "state", words[i]);
    return ended;
}

static void judge_about_job(const struct ask *ask, const char *head)
{
    if (strncmp(head, "OK", 2) == 0)
        job_model_shown(ask->job, head, ask->sent);
    else if (reply_failed(head, "no-such-job"))
        job_model_absent(ask->job);
    else if (ask->kind == ASK_FORGET && (reply_failed(head, "denied") || reply_failed(head, "not-finished")))
        job_model_kept(ask->job);
    if (strncmp(head, "OK", 2) != 0)
        return;
    if (ask->kind == ASK_FORGET)
        job_model_dropped(ask->job);
    if ((ask->kind == ASK_WAIT || ask->kind == ASK_CANCEL) && reply_has(head, "state", "done"))
        job_model_ended(ask->job);
    if (ask->kind == ASK_CANCEL && !has_ended(head))
        world_violate("'%s' left it so: %s", ask->line, head);
    if (ask->kind == ASK_WAIT && !has_ended(head) &&
        (ask->timeout_ns == 0 || world->now_ns - ask->sent < ask->timeout_ns))
        world_violate("'%s' did not wait: %s", ask->line, head);
}

static void judge_jobs(const struct ask *ask, const char *records)
{
    static bool listed[JOBS_MAX];
    memset(listed, 0, sizeof listed);
    for (const char *at = records; *at != '\0'; at = strchr(at, '\n') + 1) {
        char line[4096];
        int64_t job = 0;
        (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (!reply_number(line, "job", &job) || job <= 0 || job >= JOBS_MAX)
            world_violate("a record without a job: %s", line);
        listed[job] = true;
        job_model_shown((unsigned)job, line, ask->sent);
    }
    for (unsigned job = 1; job <= world->jobs.most; job++)
        if (!listed[job] && world->jobs.job[job].told_at < ask->sent)
            job_model_absent(job);
}

void ask_judge(const struct ask *ask, const char *head, const char *records)
{
    const bool ok = strncmp(head, "OK", 2) == 0;
    check_code(ask, head);
    if (ask->kind == ASK_NONSENSE && ok)
        world_violate("'%s' is taken for a request: %s", ask->line, head);
    if (reply_failed(head, "shutting-down") && ask->slot < 0)
        return;
    if (ask->kind == ASK_DEFINE || ask->kind == ASK_UNDEFINE)
        judge_naming(ask, head);
    else if (ask->kind == ASK_DISTANCE)
        judge_distance(ask, head);
    else if (ask->kind == ASK_SUBMIT)
        judge_submit(ask, head);
    else if (ask->kind >= ASK_JOB && ask->kind <= ASK_FORGET)
        judge_about_job(ask, head);
    else if (ask->kind == ASK_JOBS && ok)
        judge_jobs(ask, records);
    else if (ask->kind == ASK_DEFINITIONS && ok)
        judge_definitions(ask, records);
    else if (ask->kind == ASK_FSCK && ok && !reply_has(head, "count", "0") && !world->has_failed)
        world_violate("a healthy database is accused: %s %.300s", head, records);
}
