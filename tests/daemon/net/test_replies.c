/* SPDX-License-Identifier: MIT */
/* Every key of every reply is in the vocabulary, as one that this verb's replies carry. */
#include "harness.h"

#include "protocol/reply.h"
#include "protocol/vocabulary.h"

/* Returns the kind of the line. */
static enum reply_kind check_line(const char *request, const char *line, uint64_t carrier)
{
    struct reply reply;
    struct pz_error error;
    if (!reply_parse(&reply, line, strlen(line), &error))
        fail_msg("%s: '%s': %s", request, line, error.text);
    enum reply_kind kind = reply.kind;
    carrier = kind == REPLY_EVENT ? LINE_EVENT : kind == REPLY_LOST ? LINE_LOST : carrier;
    for (size_t i = 0; i < reply.count; i++) {
        const struct key_row *row = key_find(reply.fields[i].key);
        if (row == NULL || (row->carried & carrier) == 0)
            fail_msg("%s: the vocabulary does not say that its replies carry %s=", request,
                     reply.fields[i].key);
    }
    reply_clear(&reply);
    return kind;
}

/* Asks, and checks all lines of the reply. */
static void check_request(struct client *client, const char *request)
{
    enum verb verb = verb_find(request, strcspn(request, " "));
    const char *line = client_ask(client, request);
    if (strncmp(line, "OK", 2) != 0)
        fail_msg("%s: %s", request, line);
    (void)check_line(request, line, VERB_BIT(verb));
    if (verb == VERB_WATCH) /* until the job's end is told */
        for (bool ended = false; !ended;)
            ended = check_line(request, line = client_next(client), 0) == REPLY_EVENT &&
                    strcmp(value_of(line, "state"), "running") != 0 &&
                    strcmp(value_of(line, "state"), "queued") != 0;
    if (verb_row(verb)->records != NULL)
        while (check_line(request, client_next(client), VERB_BIT(verb)) != REPLY_END)
            continue;
}

SPECIFICATION(every_reply_has_only_keys_of_the_vocabulary)
{
    static const char *const jobs[] = {
        "EXPLORE 3x3",
        "EXPLORE 3x3 depth=5 goal=8,7,6/5,4,3/2,1,0",
        "EXPLORE klotski:横刀立马 from=goals",
        "EXPLORE 2x5 keep=levels planes=coded",
        "SOLVE 3x3 start=867254301",
        "SOLVE 3x3 start=213456780",
        "SOLVE 4x4 start=5,1,2,4/9,6,3,8/13,10,7,11/0,14,15,12",
        "SOLVE linkup start=BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC from=4,2 to=4,5 border=yes",
        "SOLVE 3x3 start=1,2,3/4,5,6/7,0,8 all=yes count=2",
        "PDB 3x3"};
    static const char *const requests[] = {"EXPLORE 3x4 estimate=yes",
                                           "JOBS",
                                           "DISTANCE 3x3 867254301",
                                           "PATH 3x3 867254301",
                                           "SAMPLE 3x3 depth=9 count=3",
                                           "DEEPEST 3x3",
                                           "DEEPEST klotski:横刀立马 dead=2",
                                           "DRAW 2x2 1,2/0,3 path=R",
                                           "GRAPH 2x2",
                                           "EXPORT 2x3",
                                           "HEURISTIC 3x3 867254301",
                                           "TABLES",
                                           "FSCK",
                                           "PUZZLES",
                                           "PUZZLES klotski",
                                           "PING",
                                           "VERSION",
                                           "HELP",
                                           "HELP SOLVE",
                                           "STATS",
                                           "SOLVE 3x3 start=867254301"};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        unsigned long job = client_submit(client, jobs[i]);
        static const char *const about[] = {"WATCH", "WAIT", "STATUS", "RESULT"};
        for (size_t k = 0; k < sizeof about / sizeof *about; k++)
            check_request(client, text_of("%s %lu", about[k], job));
    }
    check_request(client, "LEVELS 1 examples=2");
    client_done(client, "EXPLORE 2x3");
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        check_request(client, requests[i]);
    check_request(client, "PIN \"slide:2x3 root=1,2,3/4,5,0\"");
    check_request(client, "CANCEL 1");
    check_request(client, "FORGET 1");
    check_request(client, "QUIT");
}
