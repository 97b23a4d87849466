/* SPDX-License-Identifier: MIT */
#include "client/shell/puzzlectl.h"

#include "client/puzzles/define_file.h"
#include "client/session/command.h"
#include "client/session/shipped.h"
#include "client/session/suggest.h"
#include "client/shell/complete.h"
#include "client/shell/shell.h"
#include "client/show/sliding.h"
#include "protocol/text/boards.h"
#include "protocol/text/nearest.h"
#include "version.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum exit_code say_wrong(const struct terminal *terminal, const char *text, const char *see)
{
    (void)fprintf(terminal->err, "puzzlectl: usage: %s\n  see: puzzlectl%s%s --help\n", text,
                  *see == '\0' ? "" : " ", see);
    return EXIT_USAGE;
}

/* Replaces a puzzle's name that is written in Chinese, or as people say it. */
static void translate_puzzle(struct arguments *arguments)
{
    if (arguments->word_count > 0 &&
        infer_puzzle(arguments->words[0], arguments->puzzle, sizeof arguments->puzzle))
        arguments->words[0] = arguments->puzzle;
}

/* Defines the puzzle of a file that stands where a puzzle does, and puts its name there; also one that has
 * the name of a definition that comes with the program. */
static enum exit_code define_puzzle(struct session *session, const struct command *command,
                                    struct arguments *arguments)
{
    struct reply reply;
    char name[DEFINE_NAME_MAX];
    const bool of_job = command->takes.kinds == (WORD_JOB | WORD_PUZZLE); /* asked under that name */
    if ((!of_job && !command_of_puzzle(command)) || arguments->word_count == 0)
        return EXIT_FOUND;
    if (define_file_format(arguments->words[0]) == NULL)
        return of_job ? EXIT_FOUND : define_file_shipped(session, arguments->words[0]);
    define_file_name(arguments->words[0], name);
    enum exit_code code =
        of_job ? EXIT_FOUND : define_file_send(session, arguments->words[0], name, DEFINE_AGAIN, &reply);
    if (code != EXIT_FOUND)
        return code;
    if (!of_job)
        reply_clear(&reply);
    (void)snprintf(arguments->puzzle, sizeof arguments->puzzle, "%s", name);
    arguments->words[0] = arguments->puzzle;
    return EXIT_FOUND;
}

static bool takes_board(const struct command *command)
{
    return (command->takes.kinds & (WORD_START | WORD_BOARD)) != 0;
}

/* Puts the size in front of a board that shows it, and that stands alone or behind "slide". */
static void infer_board(const struct command *command, struct arguments *arguments)
{
    char size[INFER_SIZE_MAX] = "";
    const bool alone = arguments->word_count == 1;
    const bool no_size = arguments->word_count == 2 && strcmp(arguments->words[0], "slide") == 0;
    const bool takes_lines = (command->takes.kinds & WORD_START) != 0;
    if (!command_of_puzzle(command) || !takes_board(command) || !(alone || no_size))
        return;
    const char *board = arguments->words[alone ? 0 : 1];
    const bool from_input = alone && takes_lines && strcmp(board, "-") == 0;
    if (!from_input && !infer_size(board, size))
        return;
    (void)snprintf(arguments->puzzle, sizeof arguments->puzzle, "%s", size);
    arguments->words[1] = board;
    arguments->words[0] = arguments->puzzle;
    arguments->word_count = 2;
}

#define BOARD_MARK "\xEF\xBB\xBF" /* the reader of boards leaves it out */

/* Puts a mark before a board that begins with floor, as in "--###", so that it is no option. Returns the
 * marked text; NULL where nothing is to do. */
static char *mark_board(const char *argument)
{
    const char *first = argument + strspn(argument, "-");
    const bool level = first != argument && *first != '\0' && strpbrk(first, "#/|\r\n") != NULL;
    struct text marked = {0};
    if (!level || (isalpha((unsigned char)*first) != 0 && strpbrk(first, "\r\n") == NULL))
        return NULL;
    text_format(&marked, BOARD_MARK "%s", argument);
    return text_take(&marked);
}

static bool is_as_in_file(const char *board)
{
    return strpbrk(board, "\r\n") != NULL || strncmp(board, BOARD_MARK, strlen(BOARD_MARK)) == 0;
}

/* Reads a board, or a board behind a key, that stands in several lines, as a file's. Returns false with what
 * is wrong in *wrong. */
static bool join_board_lines(struct arguments *arguments, struct text *board, struct text *wrong)
{
    const char **place = arguments->word_count > 1 ? &arguments->words[1] : NULL;
    for (size_t i = 0; i < arguments->pair_count && arguments->word_count > 0; i++)
        if (strcasecmp(arguments->pairs[i].key, "start") == 0 && is_as_in_file(arguments->pairs[i].value))
            place = &arguments->pairs[i].value;
    if (place == NULL || !is_as_in_file(*place))
        return true;
    if (!boards_one(arguments->words[0], *place, arguments_pair(arguments, "goal") != NULL, board, wrong))
        return false;
    *place = text_string(board);
    return true;
}

/* Appends the boards of a file, with + between. Writes what is wrong with one, or that there is none. */
static void join_file(const char *puzzle, FILE *file, const char *name, struct text *out, struct text *wrong)
{
    struct boards reader;
    struct board_text board;
    char bytes[4096];
    boards_begin(&reader, puzzle);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        lines_feed(&reader.lines, bytes, got);
    lines_end(&reader.lines);
    while (wrong->length == 0 && boards_next(&reader, &board) == LINES_LINE) {
        if (board.wrong != NULL || board.goal != NULL)
            text_format(wrong, "%s, %s", name,
                        board.wrong != NULL ? board.wrong : "a goal line: give the goal as goal=BOARD");
        text_format(out, "%s%s", out->length > 0 ? "+" : "", board.board);
        board_text_clear(&board);
    }
    if (wrong->length == 0 && (ferror(file) != 0 || out->length == 0 || *reader.lines.failure != '\0'))
        text_format(wrong, "%s: %s", name,
                    *reader.lines.failure != '\0' ? reader.lines.failure : "no board in this file");
    boards_clear(&reader);
}

/* Replaces root=@FILE, or start=@FILE, by the boards of the file. A board may begin with an @ itself: where
 * there is no such file, it is one. Returns false with what is wrong in *wrong. */
static bool read_root_file(struct arguments *arguments, struct text *boards, struct text *wrong)
{
    const char **place = NULL;
    for (size_t i = 0; i < arguments->pair_count; i++)
        if (arguments->pairs[i].value[0] == '@' && (strcasecmp(arguments->pairs[i].key, "root") == 0 ||
                                                    strcasecmp(arguments->pairs[i].key, "start") == 0))
            place = &arguments->pairs[i].value;
    FILE *file = place != NULL && arguments->word_count > 0 ? fopen(*place + 1, "re") : NULL;
    if (file == NULL)
        return true;
    join_file(arguments->words[0], file, *place + 1, boards, wrong);
    (void)fclose(file);
    *place = text_string(boards);
    return wrong->length == 0;
}

/* Adds the keys that say which question of a puzzle is asked: its goal, its root, and those that only the
 * puzzle knows. */
static void add_own_keys(const struct command *command, const struct arguments *arguments,
                         struct session *session, struct text *out)
{
    for (size_t i = 0; i < arguments->pair_count; i++) {
        const struct pz_key *pair = &arguments->pairs[i];
        const char *quote = strchr(pair->value, ' ') != NULL ? "\"" : "";
        const bool is_root = strcasecmp(pair->key, "root") == 0;
        session->by_table |=
            is_root || (strcasecmp(pair->key, "symmetry") == 0 && strcasecmp(pair->value, "yes") == 0);
        if (strcasecmp(pair->key, "goal") == 0 || is_root ||
            key_taken(command->verb, pair->key) == KEYS_TAKEN)
            text_format(out, " %s=%s%s%s", pair->key, quote, pair->value, quote);
    }
}

/* Tells whether a command takes so many words, and keys: those of a verb do, and some others. */
static bool words_fit(const struct command *command, const struct arguments *arguments)
{
    const bool keys = command->verb != VERB_COUNT || command->takes_pairs;
    return arguments->word_count >= command->takes.least && arguments->word_count <= command->takes.most &&
           (keys || arguments->pair_count == 0);
}

/* Reports "explore takes PUZZLE: unexpected argument '4x4'". */
static enum exit_code wrong_words(const struct terminal *terminal, const struct command *command,
                                  const struct arguments *arguments)
{
    struct pz_error error;
    if (arguments->word_count > command->takes.most)
        (void)pz_fail(&error, PZ_BAD_REQUEST, "unexpected argument '%s'%s",
                      arguments->words[command->takes.most],
                      takes_board(command) ? " (a board with spaces needs quotes)" : "");
    else if (arguments->word_count >= command->takes.least)
        (void)pz_fail(&error, PZ_BAD_REQUEST, "unexpected '%s=%s': %s takes no keys, only options",
                      arguments->pairs[0].key, arguments->pairs[0].value, command->name);
    else
        (void)pz_fail(&error, PZ_BAD_REQUEST, "missing argument: %s %s", command->name, command->takes.text);
    return say_wrong(terminal, error.text, command->name);
}

/* Reads the format of a list. Returns false after a usage error. */
static bool take_format(struct session *session, const struct arguments *arguments)
{
    bool csv = arguments_option(arguments, "csv") != NULL;
    for (size_t i = 0; i < arguments->own_count; i++) {
        const struct option_row *row = arguments->own[i].row;
        if (strcmp(row->name, "format") != 0 || strcmp(row->value, LIST_FORMATS) != 0)
            continue;
        const int choice = command_choice(session, row, arguments->own[i].value);
        if (choice < 0)
            return false;
        session->json |= choice == 2;
        csv |= choice == 1;
    }
    session->csv = csv && !session->json;
    return true;
}

/* Writes a random board: of a sliding puzzle itself, of another one as a definition takes it. */
static const char *make_random(const struct session *session, const char *puzzle, char board[BOARD_TEXT_MAX])
{
    struct grid grid;
    struct board tiles;
    uint64_t seed = sliding_seed();
    if (sliding_shuffles(puzzle, &grid)) {
        sliding_random(&grid, &seed, NULL, &tiles);
        (void)board_format(&grid, &tiles, board);
    } else
        (void)snprintf(board, BOARD_TEXT_MAX, "random:%" PRIu64, seed);
    (void)fprintf(session->terminal->err, "start  %s\n", board);
    return board;
}

/* Takes --scramble or --random as the board, the last word. Returns false if there is one already. */
static bool take_scramble(const struct session *session, const struct command *command,
                          struct arguments *arguments, char random[BOARD_TEXT_MAX])
{
    const char *scramble = arguments_option(arguments, "scramble");
    const bool is_random = arguments_option(arguments, "random") != NULL;
    if ((scramble == NULL && !is_random) || arguments->word_count == 0)
        return true;
    if (arguments->word_count >= command->takes.most || (scramble != NULL && is_random))
        return false;
    if (is_random)
        scramble = make_random(session, arguments->words[0], random);
    arguments->words[arguments->word_count++] = scramble;
    return true;
}

static enum exit_code run_command(const struct terminal *terminal, const struct command *command,
                                  struct arguments *arguments)
{
    struct session session = {.terminal = terminal, .verb = command->verb, .without = command->without};
    struct pz_error error;
    struct text keys = {0}, board = {0}, boards = {0}, wrong = {0};
    char random[BOARD_TEXT_MAX];
    if (arguments_option(arguments, "help") != NULL) {
        command_help(command, terminal->out);
        return EXIT_FOUND;
    }
    translate_puzzle(arguments);
    infer_board(command, arguments);
    if (!take_scramble(&session, command, arguments, random))
        return say_wrong(terminal, "a board or --scramble, not both, and no --random then", command->name);
    if (!words_fit(command, arguments))
        return wrong_words(terminal, command, arguments);
    enum exit_code code;
    if (!join_board_lines(arguments, &board, &wrong) || !read_root_file(arguments, &boards, &wrong))
        code = say_wrong(terminal, text_string(&wrong), command->name);
    else if (!command_prepare(&session, arguments, &error))
        code = say_wrong(terminal, error.text, command->name);
    else
        code = take_format(&session, arguments) ? define_puzzle(&session, command, arguments) : EXIT_USAGE;
    if (arguments->word_count > 0 && (command->takes.kinds & WORD_PUZZLE) != 0 &&
        strchr(arguments->words[0], ' ') == NULL)
        session.puzzle = arguments->words[0];
    add_own_keys(command, arguments, &session, &keys);
    session.keys = text_string(&keys);
    if (code == EXIT_FOUND)
        code = command->run(&session, arguments);
    session_close(&session);
    text_free(&keys);
    text_free(&board);
    text_free(&boards);
    text_free(&wrong);
    return code;
}

/* Returns the command that does what a word of other programs says; NULL if there is none. */
static const char *translate_command(const char *word)
{
    static const char *const known[][2] = {
        {"list", "jobs"},     {"ls", "jobs"},       {"ps", "jobs"},        {"delete", "forget"},
        {"remove", "forget"}, {"rm", "forget"},     {"stop", "cancel"},    {"kill", "cancel"},
        {"abort", "cancel"},  {"show", "result"},   {"get", "result"},     {"info", "status"},
        {"run", "explore"},   {"start", "explore"}, {"search", "explore"}, {"check", "fsck"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(word, known[i][0]) == 0)
            return known[i][1];
    return NULL;
}

static enum exit_code no_command(const struct terminal *terminal, const char *word)
{
    struct text text = {0};
    struct nearest nearest = {.written = word, .best = translate_command(word)};
    for (unsigned i = 0; command_name(i) != NULL; i++)
        nearest_offer(&nearest, command_name(i));
    text_format(&text, "unknown command '%s'", word);
    if (*word == '[' || (*word >= '0' && *word <= '9'))
        text_add(&text, ", and no puzzle or board: 3x3 and 8,6,7/2,5,4/3,0,1 are some");
    else
        nearest_say(&nearest, &text);
    enum exit_code code = say_wrong(terminal, text_string(&text), "");
    text_free(&text);
    return code;
}

/* Returns the command that is meant where a board or a puzzle stands in its place; NULL if none does. */
static const struct command *meant_by(const char *word)
{
    char puzzle[PZ_SIZE_MAX], path[PATH_MAX];
    char size[INFER_SIZE_MAX];
    (void)snprintf(puzzle, sizeof puzzle, "%s", word);
    infer_narrow(puzzle);
    if (infer_size(puzzle, size))
        return &command_solve;
    return infer_is_puzzle(puzzle) || shipped_definition(puzzle, path) || define_file_format(word) != NULL
               ? &command_about
               : NULL;
}

/* Runs a command. argv[0] is its name; arguments has the options before it. */
static enum exit_code dispatch_command(int argc, char **argv, const struct terminal *terminal,
                                       struct arguments *arguments)
{
    struct pz_error error;
    struct option_table options;
    const struct command *command = command_find(argv[0]);
    const struct command *meant = command == NULL ? meant_by(argv[0]) : command;
    char *words[OPTION_WORDS_MAX + 1] = {argv[0]};
    if (meant == NULL || (command == NULL && argc >= OPTION_WORDS_MAX))
        return no_command(terminal, argv[0]);
    for (int i = 0; command == NULL && i < argc; i++)
        words[i + 1] = argv[i];
    char *marked = NULL;
    for (int i = 1; i < argc && marked == NULL && strcmp(argv[i], "--") != 0; i++)
        if ((marked = mark_board(argv[i])) != NULL)
            argv[i] = marked;
    command_options(meant, &options);
    if (!options_parse(argc + (command == NULL), command == NULL ? words : argv, &options, OPTION_REST_READ,
                       arguments, &error)) {
        free(marked);
        return say_wrong(terminal, error.text, meant->name);
    }
    const char *short_for = command != NULL ? command_alias_option(argv[0]) : NULL;
    if (short_for != NULL && arguments->own_count < OPTION_ROWS_MAX) {
        arguments->own[arguments->own_count].row = option_table_find(&options, short_for);
        arguments->own[arguments->own_count++].value = "";
    }
    const enum exit_code code = run_command(terminal, meant, arguments);
    free(marked);
    return code;
}

static enum exit_code dispatch(int argc, char **argv, const struct terminal *terminal)
{
    struct arguments arguments = {0};
    struct pz_error error;
    struct option_table options;
    if (argc >= 2 && strcmp(argv[1], "--complete") == 0)
        return complete_print(terminal, argc - 2, argv + 2);
    command_options(NULL, &options);
    if (!options_parse(argc, argv, &options, OPTION_REST_STOPS, &arguments, &error))
        return say_wrong(terminal, error.text, "");
    if (arguments_option(&arguments, "version") != NULL) {
        (void)fprintf(terminal->out, "puzzlectl %s\n", PUZZLED_VERSION);
        return EXIT_FOUND;
    }
    int at = arguments.next;
    bool help = arguments_option(&arguments, "help") != NULL;
    if (at < argc && strcmp(argv[at], "help") == 0) {
        help = true;
        at++;
    }
    if (at >= argc && !help && terminal->in_tty && terminal->out_tty)
        return shell_run(puzzlectl, terminal, argc, argv);
    if (at >= argc && !help)
        return say_wrong(terminal, "a command is missing", "");
    if (at >= argc) {
        commands_help(terminal->out);
        return EXIT_FOUND;
    }
    const struct command *command = help ? command_find(argv[at]) : NULL;
    if (command == NULL)
        return dispatch_command(argc - at, argv + at, terminal, &arguments);
    command_help(command, terminal->out);
    return EXIT_FOUND;
}

enum exit_code puzzlectl(int argc, char **argv, const struct terminal *terminal)
{
    enum exit_code code = dispatch(argc, argv, terminal);
    if (fflush(terminal->out) != 0 || ferror(terminal->out)) {
        (void)fputs("puzzlectl: the output cannot be written\n", terminal->err);
        return EXIT_TROUBLE;
    }
    return code;
}
