/* SPDX-License-Identifier: MIT */
#include "client/puzzles/play_moves.h"

#include <stdlib.h>
#include <string.h>

enum { UNDO_MAX = 10000 };

/* Of the moves: those of the game are not among them. */
static const char move_keys[] = "123456789abcdefgijklmoprstvwxyz";

struct moves_game {
    struct session *session;
    const char *puzzle;
    char *boards[UNDO_MAX]; /* those so far, the last one is played on */
    unsigned moves;         /* that led there */
    struct records nodes;   /* GRAPH of it: itself, and what one move leads to */
    char remark[160];       /* below the board */
};

static const char *board_of(const struct moves_game *game)
{
    return game->boards[game->moves];
}

/* Begins a request about the board. */
static struct text *begin_question(const struct moves_game *game, const char *verb)
{
    struct text *request = session_request(game->session, verb, game->puzzle);
    compose_word(request, board_of(game));
    text_add(request, game->session->keys);
    return request;
}

/* Asks for the moves of the board; NULL is the puzzle's own start. */
static enum exit_code ask_moves(struct moves_game *game, const char *board)
{
    struct text *request = session_request(game->session, "GRAPH", game->puzzle);
    records_clear(&game->nodes);
    text_key(request, "root", board);
    text_add(request, " depth=1");
    text_add(request, game->session->keys);
    return session_list(game->session, request, &game->nodes);
}

static bool moves_game_is_solved(const struct moves_game *game)
{
    return game->nodes.count > 0 && reply_is(&game->nodes.records[0], "solved", "yes");
}

/* Writes the drawing of the board, whose rows DRAW parts by |. */
static void play_write_drawing(const struct moves_game *game, FILE *out)
{
    struct records frames;
    if (session_try_list(game->session, begin_question(game, "DRAW"), &frames) == EXIT_FOUND &&
        frames.count > 0)
        for (const char *c = reply_text(&frames.records[0], "drawing"); *c != '\0'; c++)
            (void)fputc(*c == '|' ? '\n' : *c, out);
    else
        (void)fputs(board_of(game), out);
    records_clear(&frames);
}

/* Asks a stored table with a verb. Returns false if none answers. */
static bool ask_table(const struct moves_game *game, const char *verb, struct reply *reply)
{
    return session_try_ask(game->session, begin_question(game, verb), reply) == EXIT_FOUND;
}

/* Finds the word number `at` of words between blanks. Returns its length, 0 beyond the last. */
static size_t word_at(const char *words, unsigned at, const char **word)
{
    for (; at > 0 && *words != '\0'; at--) {
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    *word = words;
    return strcspn(words, " ");
}

static void draw_moves_game(struct moves_game *game)
{
    FILE *out = game->session->terminal->out;
    struct reply reply = {0};
    const char *word = NULL;
    size_t length = 0;
    unsigned keyed = 0, more = 0;
    const char *steps = game->nodes.count > 0 ? reply_text(&game->nodes.records[0], "steps") : "";
    (void)fprintf(out, "\033[H\033[J%s\n", game->puzzle);
    play_write_drawing(game, out);
    (void)fprintf(out, "\nmove %u", game->moves);
    if (ask_table(game, "DISTANCE", &reply) && reply_is(&reply, "solvable", "yes") &&
        !reply_is(&reply, "from", "root")) /* where there is no goal */
        (void)fprintf(out, reply_get(&reply, "cost") != NULL ? "  a cost of %s to go" : "  %s to go",
                      reply_text(&reply, reply_get(&reply, "cost") != NULL ? "cost" : "moves"));
    reply_clear(&reply);
    (void)fprintf(out, "\n%s\n\n", moves_game_is_solved(game) ? "solved!" : game->remark);
    for (; move_keys[keyed] != '\0' && (length = word_at(steps, keyed, &word)) > 0; keyed++)
        (void)fprintf(out, "%c  %.*s\n", move_keys[keyed], (int)length, word);
    while (word_at(steps, keyed + more, &word) > 0)
        more++;
    if (more > 0)
        (void)fprintf(out, "(%u more have no key)\n", more);
    (void)fputs("\nu takes a move back, h shows the best one, n begins again, q leaves\n", out);
    (void)fflush(out);
    game->remark[0] = '\0';
}

/* Notes why no table has a path: there is none, or it is one of costs, or of no goal. */
static void note_no_path(struct moves_game *game)
{
    struct reply reply = {0};
    if (ask_table(game, "DISTANCE", &reply))
        (void)snprintf(game->remark, sizeof game->remark, "%.*s", (int)sizeof game->remark - 1,
                       game->session->refusal);
    else
        (void)snprintf(game->remark, sizeof game->remark, "no table: puzzlectl explore %.80s makes one",
                       game->puzzle);
    reply_clear(&reply);
}

static void moves_game_hint(struct moves_game *game)
{
    struct reply reply = {0};
    const bool found = ask_table(game, "PATH", &reply);
    const char *path = reply_text(&reply, "path");
    size_t length = strcspn(path, ",");
    if (path[length] == '\0' && !reply_is(&reply, "moves", "1")) /* words of a letter stand together */
        length = length > 0 ? 1 : 0;
    if (!found)
        note_no_path(game);
    else if (length > 0)
        (void)snprintf(game->remark, sizeof game->remark, "best: %.*s", (int)length, path);
    else
        (void)snprintf(game->remark, sizeof game->remark, "from here no goal can be reached");
    reply_clear(&reply);
}

/* Makes the move of a key. */
static void play_make_move(struct moves_game *game, int key)
{
    const char *at = key > 0 ? strchr(move_keys, key) : NULL;
    const char *word = NULL;
    if (at == NULL || game->nodes.count == 0 || game->moves + 1 == UNDO_MAX)
        return;
    const struct reply *here = &game->nodes.records[0];
    if (word_at(reply_text(here, "next"), (unsigned)(at - move_keys), &word) == 0)
        return;
    const unsigned long node = strtoul(word, NULL, 10);
    char *board = node < game->nodes.count ? strdup(reply_text(&game->nodes.records[node], "board")) : NULL;
    if (board != NULL)
        game->boards[++game->moves] = board;
}

/* Takes back all moves but the first `moves`. */
static void go_back(struct moves_game *game, unsigned moves)
{
    while (game->moves > moves)
        free(game->boards[game->moves--]);
}

/* Returns false if the game is left. */
static bool play_take_key(struct moves_game *game, int key)
{
    switch (key) {
    case 'q':
    case 'Q':
    case -1:
    case 'c' & 0x1F: /* Ctrl-C and Ctrl-D */
    case 'd' & 0x1F:
        return false;
    case 'h':
        moves_game_hint(game);
        return true;
    case 'u':
        go_back(game, game->moves > 0 ? game->moves - 1 : 0);
        return true;
    case 'n':
        go_back(game, 0);
        return true;
    default:
        play_make_move(game, key);
        return true;
    }
}

enum exit_code play_moves(struct session *session, const char *puzzle, const char *board, int fd,
                          int (*read_key)(int fd))
{
    struct moves_game *game = calloc(1, sizeof *game);
    if (game == NULL)
        return session_fail(session, EXIT_TROUBLE, "memory", "no memory for a game");
    game->session = session;
    game->puzzle = puzzle;
    enum exit_code code = ask_moves(game, board);
    if (code == EXIT_FOUND && game->nodes.count > 0)
        game->boards[0] = strdup(reply_text(&game->nodes.records[0], "board"));
    while (code == EXIT_FOUND && game->boards[0] != NULL) {
        code = ask_moves(game, board_of(game));
        if (code != EXIT_FOUND)
            break;
        draw_moves_game(game);
        if (!play_take_key(game, read_key(fd)))
            break;
    }
    if (code == EXIT_FOUND && !moves_game_is_solved(game))
        code = EXIT_NO_ANSWER;
    go_back(game, 0);
    free(game->boards[0]);
    records_clear(&game->nodes);
    free(game);
    return code;
}
