/* SPDX-License-Identifier: MIT */
/* The subcommand play: a puzzle in the terminal, sliding ones by their arrows. */
#include "board/board.h"
#include "client/puzzles/play_moves.h"
#include "client/session/command.h"
#include "client/show/sliding.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

struct game {
    struct session *session;
    const char *puzzle;
    struct grid grid;
    struct board board;
    struct board goal;
    unsigned moves;
    bool solvable;
    char remark[64]; /* below the board */
};

/* Looks the board up with a verb. Returns false if no table answers. */
static bool look_up(struct game *game, const char *verb, struct reply *reply)
{
    struct text request = {0};
    char line[BOARD_TEXT_MAX];
    (void)board_format(&game->grid, &game->board, line);
    compose_begin(&request, verb);
    compose_word(&request, game->puzzle);
    compose_word(&request, line);
    game->session->trying = true;
    enum exit_code code = session_ask(game->session, &request, reply);
    game->session->trying = false;
    text_free(&request);
    return code == EXIT_FOUND;
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
    else if (look_up(game, "DISTANCE", &reply) && reply_is(&reply, "solvable", "yes"))
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
    if (!look_up(game, "PATH", &reply))
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
    uint64_t seed = (uint64_t)time(NULL);
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
            sliding_random(&game->grid, &seed, &game->board);
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
    uint64_t seed = (uint64_t)time(NULL);
    board_default_goal(&game->grid, &game->goal);
    sliding_random(&game->grid, &seed, &game->board);
    if (board != NULL && board_parse(&game->grid, board, &game->board, &error) != PZ_OK)
        return command_usage(game->session, error.text);
    game->solvable = parity_solvable(&game->grid, &game->board, &game->goal);
    play(game, fd);
    return is_solved(game) ? EXIT_FOUND : EXIT_NO_ANSWER;
}

/* Returns the example of a puzzle that was named without a size or a board, "rushhour:IBBxoo…"; malloc'd,
 * NULL if the name says enough, or none is known. */
static char *play_example(struct session *session, const struct arguments *arguments)
{
    const char *puzzle = arguments->words[0];
    struct text request = {0};
    struct records puzzles;
    char *example = NULL;
    if (arguments->word_count > 1 || strchr(puzzle, ':') != NULL ||
        arguments_pair(arguments, "start") != NULL || arguments_pair(arguments, "root") != NULL)
        return NULL;
    compose_begin(&request, "PUZZLES");
    if (session_try_list(session, &request, &puzzles) == EXIT_FOUND) {
        for (size_t i = 0; i < puzzles.count && example == NULL; i++)
            if (reply_is(&puzzles.records[i], "puzzle", puzzle) &&
                reply_get(&puzzles.records[i], "example") != NULL)
                example = strdup(reply_text(&puzzles.records[i], "example"));
        records_clear(&puzzles);
    }
    text_free(&request);
    return example;
}

static enum exit_code run_play(struct session *session, const struct arguments *arguments)
{
    struct game game = {.session = session, .puzzle = arguments->words[0]};
    struct termios usual;
    const char *board = arguments->word_count > 1 ? arguments->words[1] : NULL;
    const int fd = fileno(session->terminal->in);
    const bool slides = sliding_grid(game.puzzle, &game.grid) && game.grid.rows > 1 && game.grid.columns > 1;
    if (tcgetattr(fd, &usual) != 0 || !session->terminal->out_tty)
        return command_usage(session, "play needs a terminal");
    char *example = slides ? NULL : play_example(session, arguments);
    if (example != NULL)
        game.puzzle = example;
    struct termios raw = usual;
    raw.c_lflag &=
        ~(tcflag_t)(ICANON | ECHO | ISIG); /* Ctrl-C is a key, and the terminal is put right after it */
    (void)tcsetattr(fd, TCSANOW, &raw);
    const enum exit_code code =
        slides ? play_sliding(&game, board, fd) : play_moves(session, game.puzzle, board, fd, read_key);
    (void)tcsetattr(fd, TCSANOW, &usual);
    free(example);
    return code;
}

static const struct option_row play_options[] = {
    SCRAMBLE_OPTIONS,
    {0},
};

const struct command command_play = {
    .name = "play",
    .words = "PUZZLE [BOARD]",
    .summary = "Play a puzzle in the terminal",
    .help = "The arrows move the blank of a sliding puzzle; of other puzzles each move is listed with its "
            "key. h shows the "
            "best\n"
            "move, and the distance is shown, where a table of the puzzle is stored. Without a board a "
            "random one of a "
            "sliding\n"
            "puzzle is played, else the puzzle's own start, or its example's. Ends with status 0 when the "
            "board is solved.\n",
    .example = "  $ puzzlectl play 3x3\n"
               "  $ puzzlectl play jugs:3,5 goal=4\n",
    .options = play_options,
    .verb = VERB_COUNT,
    .least = 1,
    .most = 2,
    .run = run_play,
};
