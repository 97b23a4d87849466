/* SPDX-License-Identifier: MIT */
#include "client/session/suggest.h"

#include "protocol/text/nearest.h"
#include "protocol/vocabulary.h"

#include <string.h>
#include <unistd.h>

enum { WORD_MAX = 64 };

/* Nothing is said of a word that is right: then something else is wrong. */
static void say(const struct session *session, const struct nearest *nearest)
{
    if (nearest->best != NULL && strcmp(nearest->best, nearest->written) != 0)
        (void)fprintf(session->terminal->err, "  did you mean '%s'?\n", nearest->best);
}

/* unknown: the daemon has no puzzle of that name. */
static void suggest_puzzle(struct session *session, const char *request, const struct records *puzzles,
                           bool unknown)
{
    char written[WORD_MAX] = "";
    const char *word = strchr(request, ' ');
    if (word == NULL)
        return;
    word += 1 + (word[1] == '"');
    (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(word, " :\"\n"), word);
    if (strpbrk(written, "[,/") != NULL) {
        (void)fprintf(session->terminal->err, "  a board alone has rows of one length, as 8,6,7/2,5,4/3,0,1; "
                                              "else name its puzzle first, as 3x3\n");
        return;
    }
    struct nearest nearest = {.written = written};
    for (size_t i = 0; i < puzzles->count; i++)
        nearest_offer(&nearest, reply_text(&puzzles->records[i], "puzzle"));
    say(session, &nearest);
    if (nearest.best == NULL && unknown)
        (void)fprintf(session->terminal->err,
                      "  others are plugins: the daemon loads them from its --plugin-directory\n");
}

/* Boards in a file come through the standard input. */
static void suggest_input(struct session *session, const char *request)
{
    char written[256] = "";
    const char *word = strstr(request, " start=");
    if (word != NULL)
        word += strlen(" start=");
    else if ((word = strchr(request, ' ')) != NULL && (word = strchr(word + 1, ' ')) != NULL)
        word++;
    if (word == NULL)
        return;
    (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(word, " \"\n"), word);
    if (strstr(request, " klotski") != NULL && ((unsigned char)*written & 0x80u) != 0)
        (void)fprintf(session->terminal->err, "  a layout is named with its puzzle: klotski:%s\n", written);
    if (access(written, F_OK) == 0)
        (void)fprintf(session->terminal->err, "  boards in a file are read so: - < %s\n", written);
}

/* Offers the keys of the request's verb and those of the puzzles. */
static void suggest_key(struct session *session, const char *request, const char *key,
                        const struct records *puzzles)
{
    char written[WORD_MAX] = "";
    char best[WORD_MAX] = "";
    (void)snprintf(written, sizeof written, "%.*s", (int)strcspn(key, "'"), key);
    struct nearest nearest = {.written = written};
    enum verb verb = verb_find(request, strcspn(request, " \n"));
    for (unsigned i = 0; verb < VERB_COUNT && i < KEYS_TAKEN; i++)
        if ((key_row(i)->taken & VERB_BIT(verb)) != 0)
            nearest_offer(&nearest, key_row(i)->word);
    for (size_t i = 0; i < puzzles->count; i++) {
        const char *at = reply_text(&puzzles->records[i], "keys");
        for (size_t length = 0; *at != '\0'; at += length + (at[length] == ' ')) {
            char word[WORD_MAX];
            length = strcspn(at, " ");
            (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
            nearest_offer(&nearest, word);
            if (nearest.best != word)
                continue;
            memcpy(best, word, sizeof best);
            nearest.best = best;
        }
    }
    say(session, &nearest);
}

void suggest(struct session *session, const char *request, const struct reply *refusal)
{
    static const char unknown[] = "unknown key '";
    struct text list = {0};
    struct records puzzles;
    const bool puzzle = strcmp(refusal->code, "bad-puzzle") == 0;
    if (strcmp(refusal->code, "bad-board") == 0)
        suggest_input(session, request);
    if (strstr(refusal->text, "SOLVE needs start=") == refusal->text)
        (void)fprintf(session->terminal->err,
                      "  the board goes behind its puzzle; - reads boards from the standard input\n");
    const bool key = strncmp(refusal->text, unknown, strlen(unknown)) == 0;
    if (!puzzle && !key)
        return;
    compose_begin(&list, "PUZZLES");
    if (session_try_list(session, &list, &puzzles) == EXIT_FOUND) {
        if (puzzle)
            suggest_puzzle(session, request, &puzzles, strncmp(refusal->text, "no puzzle ", 10) == 0);
        else
            suggest_key(session, request, refusal->text + strlen(unknown), &puzzles);
        records_clear(&puzzles);
    }
    text_free(&list);
}
