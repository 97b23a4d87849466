/* SPDX-License-Identifier: MIT */
/* DRAW: a board and the boards along a path, as text and in pieces. Any puzzle that describes its moves can
 * be drawn. */
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "space/path_words.h"
#include "space/reason.h"
#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- pieces ---- */

enum { ID_MAX = 40, WORD_MAX = 3 /* letters of a cell that is a word */ };

struct piece_writer {
    struct text words;
    char last[ID_MAX]; /* the id of the piece before */
    bool texted;       /* that piece has a text: no rectangle can follow */
};

/* Appends a word, with '_' for bytes that would end it. */
static void add_piece_word(struct text *out, const char *word, const char *without)
{
    for (; *word != '\0'; word++) {
        const bool ends = (unsigned char)*word <= ' ' || strchr(without, *word) != NULL;
        text_char(out, (char)(ends ? '_' : *word));
    }
}

static void add_rectangle(struct text *out, const struct pz_piece *piece)
{
    text_format(out, "%.5g,%.5g", piece->x, piece->y);
    if (piece->width < 1 || piece->width > 1 || piece->height < 1 || piece->height > 1)
        text_format(out, ",%.5g,%.5g", piece->width, piece->height);
}

/* Writes "kind:id:x,y[,width,height][;…][:text]". */
static void write_drawn_piece(void *taker, const struct pz_piece *piece)
{
    struct piece_writer *writer = taker;
    char id[ID_MAX];
    (void)snprintf(id, sizeof id, "%s", piece->id != NULL ? piece->id : "");
    if (!writer->texted && *id != '\0' && strcmp(id, writer->last) == 0) {
        text_char(&writer->words, ';');
    } else {
        text_char(&writer->words, ' ');
        add_piece_word(&writer->words, piece->kind != NULL ? piece->kind : "", ":");
        text_char(&writer->words, ':');
        add_piece_word(&writer->words, id, ":");
        text_char(&writer->words, ':');
    }
    add_rectangle(&writer->words, piece);
    writer->texted = piece->text != NULL && *piece->text != '\0';
    if (writer->texted) {
        text_char(&writer->words, ':');
        add_piece_word(&writer->words, piece->text, "");
    }
    memcpy(writer->last, id, sizeof id);
}

/* ---- boards of spaces that know no pieces: cell by cell ---- */

/* Returns the words of a row, parted by blanks and commas; 0 if one of them is too long for a cell. */
static unsigned words_in(const char *row, size_t length)
{
    unsigned words = 0;
    for (size_t at = 0, word = 0; at < length; at += word) {
        for (word = 0; at + word < length && row[at + word] != ' ' && row[at + word] != ','; word++)
            ;
        words += word > 0;
        if (word > WORD_MAX)
            return 0;
        word += word == 0;
    }
    return words;
}

/* Returns true if the rows are lists of equally many numbers or words: each is a cell then. */
static bool is_listed(const char *drawing)
{
    unsigned columns = 0;
    for (const char *row = drawing; *row != '\0';) {
        const size_t length = strcspn(row, "\n");
        const unsigned words = words_in(row, length);
        if (words < 2 || (columns != 0 && words != columns))
            return false;
        columns = words;
        row += length + (row[length] == '\n');
    }
    return columns != 0;
}

/* Returns the bytes of the UTF-8 character that begins here. */
static size_t character(const char *text)
{
    size_t bytes = 1;
    while (((unsigned char)text[bytes] & 0xC0) == 0x80)
        bytes++;
    return bytes;
}

/* Puts a row's words or characters, and returns how many columns it has. */
static unsigned put_row(const char *row, size_t length, unsigned number, bool listed,
                        struct piece_writer *writer)
{
    unsigned column = 0;
    for (size_t at = 0; at < length; column++) {
        size_t bytes = character(row + at);
        if (listed) {
            while (at < length && (row[at] == ' ' || row[at] == ','))
                at++;
            for (bytes = 0; at + bytes < length && row[at + bytes] != ' ' && row[at + bytes] != ','; bytes++)
                ;
        }
        char id[ID_MAX];
        char text[16];
        (void)snprintf(id, sizeof id, "%u.%u", number, column);
        (void)snprintf(text, sizeof text, "%.*s", (int)bytes, row + at);
        if (*text != ' ' && *text != '\0')
            write_drawn_piece(writer,
                              &(struct pz_piece){listed ? "cell" : "letter", id, text, column, number, 1, 1});
        else if (listed)
            break;
        at += bytes;
    }
    return column;
}

static struct pz_size draw_put_cells(const char *drawing, struct piece_writer *writer)
{
    const bool listed = is_listed(drawing);
    unsigned widest = 1;
    unsigned rows = 0;
    for (const char *row = drawing; *row != '\0'; rows++) {
        const size_t length = strcspn(row, "\n");
        const unsigned columns = put_row(row, length, rows, listed, writer);
        widest = columns > widest ? columns : widest;
        row += length + (row[length] == '\n');
    }
    return (struct pz_size){widest, rows};
}

/* Appends " pieces=…" of a state, as docs/protocol.md says under DRAW. drawing: the board's rows, with LF
 * between them; the pieces are made from it if the space describes none. path: NULL, or a solution to draw on
 * the board. Returns false if it is not a solution. */
static bool draw_pieces(const struct pz_space *space, const void *state, const char *path,
                        const char *drawing, struct text *out)
{
    struct piece_writer writer = {0};
    const struct pz_size size = space->puzzle->pieces != NULL
                                    ? space->puzzle->pieces(space, state, path, write_drawn_piece, &writer)
                                    : draw_put_cells(drawing, &writer);
    if (size.columns > 0) {
        struct text whole = {0};
        text_format(&whole, "%.5gx%.5g", size.columns, size.rows);
        text_join(&whole, &writer.words);
        text_add(out, " pieces=");
        text_quoted(out, whole.data != NULL ? whole.data : "");
        text_free(&whole);
    }
    text_free(&writer.words);
    return size.columns > 0;
}

/* ---- drawings ---- */

/* A walk along a path: the state reached so far, and buffers. */
struct drawn_path {
    const struct pz_space *space;
    uint64_t state[PZ_STATE_MAX / 8];
    struct path_walked walked;
    const char *rest; /* of the path: the moves to come */
    size_t frame;     /* the number of the board */
    char *successors;
    char *text;  /* PZ_TEXT_MAX bytes for words and drawings */
    bool pieces; /* are wanted */
};

/* Appends the drawing with its rows parted by '|', which is no part of any row, and the pieces. path: see
 * draw_pieces. Returns false if the path is none. */
static bool draw_write_drawing(struct drawn_path *walk, const char *path, struct text *out)
{
    struct text pieces = {0};
    bool drawn = true;
    const struct pz_puzzle *puzzle = walk->space->puzzle;
    size_t length =
        (puzzle->draw != NULL ? puzzle->draw : puzzle->print)(walk->space, walk->state, walk->text);
    while (length > 0 && walk->text[length - 1] == '\n')
        walk->text[--length] = '\0';
    if (walk->pieces || path != NULL)
        drawn = draw_pieces(walk->space, walk->state, path, walk->text, &pieces);
    for (char *c = walk->text; *c != '\0'; c++)
        if (*c == '|' || *c == '\n')
            *c = *c == '|' ? '!' : '|';
    text_add(out, " drawing=");
    text_quoted(out, walk->text);
    if (walk->pieces)
        text_join(out, &pieces);
    text_free(&pieces);
    return drawn;
}

static void write_frame(struct drawn_path *walk, const char *move, size_t length, struct text *out)
{
    const struct pz_puzzle *puzzle = walk->space->puzzle;
    text_format(out, "frame=%zu", walk->frame);
    if (length > 0)
        text_format(out, " move=%.*s", (int)length, move);
    (void)puzzle->print(walk->space, walk->state, walk->text);
    text_key(out, "board", walk->text);
    const bool has_goal = (walk->space->flags & PZ_NO_GOAL) == 0 && puzzle->is_goal != NULL;
    text_key(out, "solved", has_goal && puzzle->is_goal(walk->space, walk->state) ? "yes" : "no");
    if ((walk->space->flags & PZ_COSTS) != 0)
        text_format(out, " cost=%" PRIu64, walk->walked.cost);
    (void)draw_write_drawing(walk, NULL, out);
    reply_line_end(out);
}

/* Writes a second frame: the board of a puzzle that solves itself, with its solution on it. */
static enum pz_status write_drawn_solution(struct drawn_path *walk, struct text *out, struct pz_error *error)
{
    const char *path = walk->rest;
    text_format(out, "frame=1");
    text_key(out, "move", path);
    (void)walk->space->puzzle->print(walk->space, walk->state, walk->text);
    text_key(out, "board", walk->text);
    text_key(out, "solved", "yes");
    if (!draw_write_drawing(walk, path, out))
        return pz_fail(error, PZ_BAD_REQUEST, "path=%.80s: no solution of this board", path);
    reply_line_end(out);
    walk->rest = "";
    return PZ_OK;
}

/* Fails: the move cannot be made, or (PZ_UNSUPPORTED) moves are not written so. */
static enum pz_status cannot_be_made(struct drawn_path *walk, const char *word, size_t length,
                                     struct pz_error *error)
{
    const int shown = length > 40 ? 40 : (int)length;
    if (path_words_alike(walk->space, word, length, walk->successors, walk->state, walk->text))
        return pz_fail(error, PZ_BAD_REQUEST, "path=: move %zu, '%.*s', cannot be made", walk->frame, shown,
                       word);
    return pz_fail(error, PZ_UNSUPPORTED,
                   "path=: move %zu, '%.*s', is not written as moves are, like '%.40s'", walk->frame, shown,
                   word, walk->text);
}

/* Makes the next move. */
static enum pz_status follow(struct drawn_path *walk, const char **word, size_t *length,
                             struct pz_error *error)
{
    *word = walk->rest;
    *length = path_words_next(walk->space, &walk->rest);
    if (walk->frame++ == PROTOCOL_FRAMES_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "path=: more than %d moves", PROTOCOL_FRAMES_MAX);
    if (walk->walked.looked >= PATH_LOOKED_MOST)
        return pz_fail(error, PZ_TOO_LARGE, "path=: its %zu moves pass states with too many moves",
                       walk->frame);
    return path_words_move(walk->space, *word, *length, walk->successors, walk->state, &walk->walked)
               ? PZ_OK
               : cannot_be_made(walk, *word, *length, error);
}

/* Makes moves without drawing, up to a frame. */
static enum pz_status follow_to(struct drawn_path *walk, size_t frame, struct pz_error *error)
{
    const char *word;
    size_t length;
    enum pz_status status = PZ_OK;
    while (status == PZ_OK && walk->frame < frame && *walk->rest != '\0')
        status = follow(walk, &word, &length, error);
    return status;
}

/* Writes the head and the first frame. The whole path is followed, so that the reply fails before it begins.
 */
static enum pz_status begin_drawing(struct drawn_path *walk, const struct request *request, bool itself,
                                    struct text *out, struct pz_error *error)
{
    struct drawn_path ahead = *walk;
    const enum pz_status status = itself ? PZ_OK : follow_to(&ahead, SIZE_MAX, error);
    if (status != PZ_OK)
        return status;
    reply_list(out, request->tag, itself ? 2 : ahead.frame + 1);
    reply_line_end(out);
    write_frame(walk, "", 0, out);
    return itself ? write_drawn_solution(walk, out, error) : PZ_OK;
}

/* Writes frames until the piece is full. */
static enum pz_status write_frames(struct drawn_path *walk, struct text *out, struct pz_error *error)
{
    const char *word;
    size_t length;
    enum pz_status status = PZ_OK;
    while (status == PZ_OK && *walk->rest != '\0' && out->length < REPLY_PIECE) {
        status = follow(walk, &word, &length, error);
        if (status == PZ_OK)
            write_frame(walk, word, length, out);
    }
    return status;
}

/* Ends the reply, or notes the frame that it has come to. The next piece follows the path again: another
 * worker opens the puzzle, and a name may stand for another definition then. */
static enum pz_status leave_drawing(const struct drawn_path *walk, struct reply_rest *rest, struct text *out,
                                    struct pz_error *error)
{
    if (*walk->rest == '\0') {
        reply_list_end(out);
        reply_rest_free(rest);
        return PZ_OK;
    }
    if (rest->state == NULL)
        *rest = (struct reply_rest){malloc(sizeof walk->frame), free};
    if (rest->state == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a drawing");
    memcpy(rest->state, &walk->frame, sizeof walk->frame);
    return PZ_OK;
}

enum pz_status command_draw(struct lookup_worker *worker, const struct request *request, struct text *out,
                            struct pz_error *error)
{
    struct drawn_path walk = {.pieces = request_number(request, KEY_PIECES, 0) != 0};
    struct reply_rest *rest = lookup_worker_rest(worker);
    const char *path = request_text(request, KEY_PATH);
    char *pushes = NULL;
    enum pz_status status = lookup_worker_open(worker, request, &walk.space, walk.state, error);
    if (status == PZ_OK && path != NULL)
        status = space_read_lurd(walk.space, request->argument_count > 1 ? request->argument[1] : NULL, path,
                                 &pushes, error);
    if (status != PZ_OK)
        return status;
    path = pushes != NULL ? pushes : path;
    const bool itself = path != NULL && walk.space->puzzle->expand == NULL;
    if (itself && walk.space->puzzle->pieces == NULL) /* no Sokoban: pushes is NULL */
        return pz_fail(error, PZ_UNSUPPORTED, "puzzle %s has no moves to draw", walk.space->puzzle->name);
    walk.successors = malloc(path_words_room(walk.space));
    walk.text = malloc(PZ_TEXT_MAX);
    walk.rest = path != NULL ? path : "";
    if (walk.successors == NULL || walk.text == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for a drawing");
    else if (rest->state != NULL)
        status = follow_to(&walk, *(const size_t *)rest->state, error);
    else
        status = begin_drawing(&walk, request, itself, out, error);
    if (status == PZ_OK)
        status = write_frames(&walk, out, error);
    if (status == PZ_OK)
        status = leave_drawing(&walk, rest, out, error);
    free(walk.successors);
    free(walk.text);
    free(pushes);
    return status;
}
