/* SPDX-License-Identifier: MIT */
/* The subcommand play: a puzzle in the terminal, sliding ones by their arrows. */
#include "board/board.h"
#include "client/puzzles/play_moves.h"
#include "client/session/command.h"
#include "client/show/sliding.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

struct game {
    struct session *session;
    const char *puzzle;
    struct grid grid;
    struct board board;
    struct board goal;
    uint64_t seed;
    unsigned moves;
    bool solvable;
    char remark[64]; /* below the board */
};

/* Looks the board up with a verb. Returns false if no table answers. */
static bool look_up_board(struct game *game, const char *verb, struct reply *reply)
{
    struct text *request = session_request(game->session, verb, game->puzzle);
    char line[BOARD_TEXT_MAX];
    (void)board_format(&game->grid, &game->board, line);
    compose_word(request, line);
    return session_try_ask(game->session, request, reply) == EXIT_FOUND;
}

static bool is_solved(const struct game *game)
{
    return memcmp(game->board.tile, game->goal.tile, game->grid.cells) == 0;
}

static void draw(struct game *game)
{
    FILE *out = game->session->terminal->out;
    char drawing[4096];
    struct reply reply = {0};
    (void)board_draw(&game->grid, &game->board, drawing, sizeof drawing);
    (void)fprintf(out, "\033[H\033[J%s\n%s  move %u", game->puzzle, drawing, game->moves);
    if (!game->solvable)
        (void)fputs("  this board has no solution", out);
    else if (look_up_board(game, "DISTANCE", &reply) && reply_is(&reply, "solvable", "yes"))
        (void)fprintf(out, "  %s to go", reply_text(&reply, "moves"));
    (void)fprintf(out, "\n%s\n\narrows move the blank, h shows the best move, n a new board, q leaves\n",
                  is_solved(game) ? "solved!" : game->remark);
    (void)fflush(out);
    game->remark[0] = '\0';
    reply_clear(&reply);
}

static void hint(struct game *game)
{
    struct reply reply = {0};
    enum direction direction = DIRECTION_UP;
    const char *best = NULL;
    if (!game->solvable)
        return;
    if (!look_up_board(game, "PATH", &reply))
        (void)snprintf(game->remark, sizeof game->remark, "no table: puzzlectl explore %s makes one",
                       game->puzzle);
    else if ((best = sliding_direction(*reply_text(&reply, "path"), &direction)) != NULL)
        (void)snprintf(game->remark, sizeof game->remark, "best: %s", best);
    reply_clear(&reply);
}

/* Reads a key. Returns a letter, or 'A' … 'D' with bit 7 for an arrow, 0 for one with no meaning; -1 at the
 * end. */
static int read_key(int fd)
{
    unsigned char c[3] = {0};
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (read(fd, c, 1) != 1)
        return -1;
    if (c[0] != 0x1B)
        return c[0];
    /* An arrow's bytes arrive together; Escape alone means to leave. */
    for (unsigned i = 1; i < 3; i++)
        if (poll(&ready, 1, 50) != 1 || read(fd, c + i, 1) != 1)
            return i == 1 ? 'q' : 0;
    return c[2] | 0x80;
}

static void move(struct game *game, enum direction direction)
{
    if (board_move(&game->grid, &game->board, direction))
        game->moves++;
    else
        (void)snprintf(game->remark, sizeof game->remark, "the blank cannot go there");
}

static void play(struct game *game, int fd)
{
    for (;;) {
        draw(game);
        switch (read_key(fd)) {
        case 'A' | 0x80:
            move(game, DIRECTION_UP);
            break;
        case 'B' | 0x80:
            move(game, DIRECTION_DOWN);
            break;
        case 'C' | 0x80:
            move(game, DIRECTION_RIGHT);
            break;
        case 'D' | 0x80:
            move(game, DIRECTION_LEFT);
            break;
        case 'h':
        case 'H':
            hint(game);
            break;
        case 'n':
        case 'N':
            sliding_random(&game->grid, &game->seed, NULL, &game->board);
            game->moves = 0;
            game->solvable = true;
            break;
        case 'q':
        case 'Q':
        case CTRL('c'):
        case CTRL('d'):
        case -1:
            return;
        default:
            break;
        }
    }
}

/* Plays a sliding puzzle from a board, NULL for a random one, on a terminal that sends each key. */
static enum exit_code play_sliding(struct game *game, const char *board, int fd)
{
    struct pz_error error;
    game->seed = sliding_seed();
    board_default_goal(&game->grid, &game->goal);
    sliding_random(&game->grid, &game->seed, NULL, &game->board);
    if (board != NULL && board_parse(&game->grid, board, &game->board, &error) != PZ_OK)
        return command_usage(game->session, error.text);
    game->solvable = board_reach(&game->grid, &game->board, &game->goal) == BOARD_REACHED;
    play(game, fd);
    return is_solved(game) ? EXIT_FOUND : EXIT_NO_ANSWER;
}

/* Returns true for a pair that is the board itself. */
static bool is_play_board(const struct pz_key *pair)
{
    return strcasecmp(pair->key, "start") == 0 || strcasecmp(pair->key, "root") == 0;
}

/* Finds the board that is given, as a word or behind a key, NULL for none, and the keys of the puzzle: those
 * of the session but the board. */
static const char *play_board(const struct arguments *arguments, struct text *keys)
{
    const char *board = arguments->word_count > 1 ? arguments->words[1] : NULL;
    for (size_t i = 0; i < arguments->pair_count; i++) {
        if (!is_play_board(&arguments->pairs[i]))
            text_key(keys, arguments->pairs[i].key, arguments->pairs[i].value);
        else if (board == NULL)
            board = arguments->pairs[i].value;
    }
    return board;
}

/* Writes a random board from which a goal can be reached, NULL for the usual one. */
static void play_random_board(const struct grid *grid, const char *goal, char text[BOARD_TEXT_MAX])
{
    struct board board, wanted;
    struct pz_error ignored;
    uint64_t seed = sliding_seed();
    const bool is_board = goal != NULL && board_parse_loose(grid, goal, &wanted, &ignored) == PZ_OK;
    sliding_random(grid, &seed, is_board ? &wanted : NULL, &board);
    (void)board_format(grid, &board, text);
}

/* Returns the example of a puzzle that was named without a size or a board, "rushhour:IBBxoo…"; malloc'd,
 * NULL if the name says enough, or none is known. */
static char *play_example(struct session *session, const struct arguments *arguments, const char *board)
{
    const char *puzzle = arguments->words[0];
    struct records puzzles;
    char *example = NULL;
    if (board != NULL || strchr(puzzle, ':') != NULL)
        return NULL;
    if (session_try_list(session, session_request(session, "PUZZLES", NULL), &puzzles) == EXIT_FOUND) {
        for (size_t i = 0; i < puzzles.count && example == NULL; i++)
            if (reply_is(&puzzles.records[i], "puzzle", puzzle) &&
                reply_get(&puzzles.records[i], "example") != NULL)
                example = strdup(reply_text(&puzzles.records[i], "example"));
        records_clear(&puzzles);
    }
    return example;
}

static enum exit_code run_play(struct session *session, const struct arguments *arguments)
{
    struct game game = {.session = session, .puzzle = arguments->words[0]};
    struct termios usual;
    struct text keys = {0};
    char tiles[BOARD_TEXT_MAX];
    const int fd = fileno(session->terminal->in);
    const bool slides = sliding_grid(game.puzzle, &game.grid) && game.grid.rows > 1 && game.grid.columns > 1;
    if (tcgetattr(fd, &usual) != 0 || !session->terminal->out_tty)
        return command_usage(session, "play needs a terminal");
    const char *board = play_board(arguments, &keys);
    const bool arrows = slides && keys.length == 0; /* what keys change, only the daemon knows */
    char *example = slides ? NULL : play_example(session, arguments, board);
    if (example != NULL)
        game.puzzle = example;
    if (slides && !arrows && board == NULL) {
        play_random_board(&game.grid, arguments_pair(arguments, "goal"), tiles);
        board = tiles;
    }
    session->keys = text_string(&keys);
    struct termios raw = usual;
    raw.c_lflag &=
        ~(tcflag_t)(ICANON | ECHO | ISIG); /* Ctrl-C is a key, and the terminal is put right after it */
    (void)tcsetattr(fd, TCSANOW, &raw);
    const enum exit_code code =
        arrows ? play_sliding(&game, board, fd) : play_moves(session, game.puzzle, board, fd, read_key);
    (void)tcsetattr(fd, TCSANOW, &usual);
    free(example);
    session->keys = NULL;
    text_free(&keys);
    return code;
}

static const struct option_row play_options[] = {
    SCRAMBLE_OPTIONS,
    {0},
};

const struct command command_play = {
    .name = "play",
    .takes = {"PUZZLE [BOARD]", 1, 2, WORD_PUZZLE | WORD_BOARD},
    .summary = "Play a puzzle in the terminal",
    .help =
        "The arrows move the blank of a sliding puzzle; of other puzzles, and with keys (goal=), each move "
        "is listed\n"
        "with its key. h shows the best move, and the distance is shown, where a table of the puzzle is "
        "stored.\n"
        "Without a board a random one of a sliding puzzle is played, else the puzzle's own start, or its "
        "example's.\n"
        "Ends with status 0 when the board is solved.\n",
    .example = "  $ puzzlectl play 3x3\n"
               "  $ puzzlectl play jugs:3,5 goal=4\n",
    .options = play_options,
    .verb = VERB_COUNT,
    .takes_pairs = true,
    .run = run_play,
};
