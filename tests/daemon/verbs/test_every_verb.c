/* SPDX-License-Identifier: MIT */
/*
 * Every verb of the vocabulary with every key, of those that it takes and those that it does not, and with
 * draws of several: whatever a line says, it has one reply, and the daemon goes on.
 */
#include "harness.h"

#include "protocol/reply.h"
#include "protocol/request.h"

enum { DRAWS = 1000 };

/* Of few states, so that jobs stay small whatever the other keys say; each with boards, and names that are
 * wrong. */
static const struct {
    const char *name;
    const char *boards[3];
} puzzles[] = {
    {"2x2", {"1,2/0,3", "1,2/3,0", "3,2/1,0"}},
    {"2x3", {"123450", "123405", "213450"}},
    {"3x3", {"867254301", "123456708", "1,2,3/4,5,6/7,8,0"}},
    {"hanoi:3,4", {"1,1,1,1", "3,3,3,3", "1,2,1,2"}},
    {"jugs:3,5,goal:4", {"0,0", "3,5", "0,4"}},
    {"klotski:横刀立马", {"HAAI/HAAI/JBBK/JNOK/P@@Q", "x", "HAAI/HAAI/J@@K/JNOK/PBBQ"}},
    {"pancake:5", {"2,1,3,4,5", "5,4,3,2,1", "1,2,3,4,5"}},
    {"topspin:5,2", {"2,1,3,4,5", "5,4,3,2,1", "1,2,3,4,5"}},
    {"bits", {"0 0", "1 1", "0 1"}},
    {"sokoban", {"#####/#@$.#/#####", "#####/#.$@#/#####", "x"}},
    {"nothing", {"x", "0", "1"}},
    {"\"\"", {"0", "x", "1"}},
};
enum { PUZZLES = sizeof puzzles / sizeof *puzzles };
static const char *const others[] = {
    "99999999999999999999",          "-1", "\"\"", "bits", "x", "DEEPEST", "pancake",
    "\"slide:2x3 root=1,2,3/4,5,0\""};
static const char *const names[] = {"x", "bits", "7-8", "RDLU", "\"slide:2x3 root=1,2,3/4,5,0\""};

static uint64_t seed = 1;

static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

#define DRAWN(list) (list)[draw(sizeof(list) / sizeof *(list))]

static bool seldom(void)
{
    return draw(12) == 0;
}

static void add_board(unsigned puzzle, struct text *line)
{
    text_quoted(line, puzzles[puzzle].boards[draw(3)]);
}

static void add_number(const struct key_row *key, struct text *line)
{
    const int64_t most = key->most != 0 ? key->most : INT64_MAX;
    const int64_t ends[] = {most, key->least, key->least - 1, most < INT64_MAX ? most + 1 : 0, -1};
    const int64_t number = key->least > 0 ? key->least + draw(4) : (int64_t)draw(8);
    text_format(line, "%jd", (intmax_t)(draw(4) == 0 ? DRAWN(ends) : number));
}

static void add_value(const struct key_row *key, unsigned puzzle, struct text *line)
{
    static const char *const flags[] = {"yes", "no"};
    static const char *const bytes[] = {"64M", "100M", "1", "16E"};
    static const char *const durations[] = {"1s", "10ms", "0", "99999999h"};
    if (seldom())
        text_add(line, "\"\"");
    else if (key->type == VALUE_BOARD)
        add_board(puzzle, line);
    else if (key->type == VALUE_WORD)
        text_add(line, key->words[draw(key->word_count)]);
    else if (key_is_flag(key))
        text_add(line, DRAWN(flags));
    else if (key->type == VALUE_NUMBER || key->type == VALUE_COUNT)
        add_number(key, line);
    else if (key->type == VALUE_BYTES)
        text_add(line, DRAWN(bytes));
    else if (key->type == VALUE_DURATION)
        text_add(line, DRAWN(durations));
    else
        text_add(line, DRAWN(names));
}

static void add_drawn_key(unsigned number, unsigned puzzle, struct text *line)
{
    text_format(line, " %s=", key_row(number)->word);
    add_value(key_row(number), puzzle, line);
}

/* Writes the verb with arguments, as many as it takes or, seldom, another number. Jobs are those up to
 * latest. */
static void begin_line(enum verb verb, unsigned puzzle, unsigned latest, struct text *line)
{
    const struct verb_row *row = verb_row(verb);
    const unsigned right = row->least + draw(row->most - row->least + 1);
    const unsigned count = seldom() ? draw(PROTOCOL_ARGUMENTS_MAX + 2) : right;
    text_cut(line, 0);
    text_add(line, row->word);
    for (unsigned i = 0; i < count; i++) {
        text_char(line, ' ');
        if (row->takes_puzzle && i == 0)
            text_add(line, puzzles[puzzle].name);
        else if (row->takes_puzzle)
            add_board(puzzle, line);
        else if (strcmp(row->arguments, "id") == 0 && !seldom())
            text_format(line, "%u", latest - draw(latest < 30 ? latest : 30));
        else
            text_add(line, DRAWN(others));
    }
}

/* Asks, and reads all of the reply. Returns the job that it names, or 0. */
static unsigned ask_for_a_reply(struct client *client, enum verb verb, const char *line)
{
    struct reply reply;
    struct pz_error error;
    client_send(client, line);
    const char *first = client_line(client);
    if (first == NULL)
        fail_msg("%s: the daemon closed the connection", line);
    if (!reply_parse(&reply, first, strlen(first), &error) ||
        (reply.kind != REPLY_OK && reply.kind != REPLY_ERR))
        fail_msg("%s: '%s'", line, first);
    const bool answered = reply.kind == REPLY_OK;
    int64_t job = 0;
    (void)reply_integer(&reply, "job", &job);
    reply_clear(&reply);
    if (answered && verb == VERB_WATCH) {
        client_send(client, "PING tag=behind");
        while (strncmp(client_next(client), "OK tag=behind", 13) != 0)
            continue;
    }
    if (answered && verb_row(verb)->records != NULL)
        (void)client_skip_list(client);
    return (unsigned)job;
}

/* Jobs and tables that lines can be about; a definition, too. */
static void make_some(struct client *client)
{
    client_expect(client,
                  "DEFINE name=bits format=psvn text=\"DOMAIN b 2%0A0 1%0A2%0Ab b%0A0 - => 1 -%0A- 0 => - "
                  "1%0AGOAL 1 1%0A\"",
                  "OK name=bits");
    client_done(client, "EXPLORE 2x3");
    client_done(client, "EXPLORE 3x3 depth=4 keep=levels");
    client_done(client, "SOLVE 3x3 start=867254301");
    client_done(client, "GRADE 2x3 start=123405");
}

/* Draws a line with this verb, with one key or, KEYS_TAKEN, some that it takes. Returns the latest job. */
static unsigned draw_and_ask(struct client *client, enum verb verb, unsigned key, unsigned latest)
{
    struct text line = {0};
    const unsigned puzzle = draw(PUZZLES);
    begin_line(verb, puzzle, latest, &line);
    if (key < KEYS_TAKEN)
        add_drawn_key(key, puzzle, &line);
    for (unsigned own = 0; own < KEYS_TAKEN && key == KEYS_TAKEN; own++)
        if ((key_row(own)->taken & VERB_BIT(verb)) != 0 &&
            ((key_row(own)->needed & VERB_BIT(verb)) != 0 || draw(6) == 0))
            add_drawn_key(own, puzzle, &line);
    const unsigned job = ask_for_a_reply(client, verb, text_string(&line));
    text_free(&line);
    return job > latest ? job : latest;
}

/* The limits that it is shipped with, so that lookups explore; memory that malloc gives has no old requests.
 */
static int every_verb_setup(void **state)
{
    const char *const words[] = {"--threads", "2", "--memory", "1G", NULL};
    (void)setenv("MALLOC_PERTURB_", "165", 1);
    if (daemon_setup(state) != 0)
        return -1;
    struct daemon *daemon = *state;
    daemon->own_limits = true;
    daemon_restart(daemon, words);
    return 0;
}

TEST_WITH(every_verb_answers_whatever_keys_it_is_given, every_verb_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    unsigned latest = 4;
    make_some(client);
    for (enum verb verb = 0; verb < VERB_QUIT; verb++)
        for (unsigned key = 0; key < KEYS_TAKEN; key++)
            latest = draw_and_ask(client, verb, key, latest);
    for (unsigned i = 0; i < DRAWS; i++)
        latest = draw_and_ask(client, draw(VERB_QUIT), KEYS_TAKEN, latest);
    client_expect(client, "QUIT", "OK bye=yes");
}
