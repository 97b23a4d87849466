/* SPDX-License-Identifier: MIT */
#include "daemon/verbs/draw_pieces.h"

#include "space/registry.h"

#include <string.h>

enum { ID_MAX = 40, WORD_MAX = 3 /* letters of a cell that is a word */ };

struct piece_writer {
    struct text words;
    char last[ID_MAX]; /* the id of the piece before */
    bool texted;       /* that piece has a text: no rectangle can follow */
};

/* Appends a word, with '_' for bytes that would end it. */
static void add_word(struct text *out, const char *word, const char *without)
{
    for (; *word != '\0'; word++) {
        const bool ends = (unsigned char)*word <= ' ' || strchr(without, *word) != NULL;
        if (ends)
            text_char(out, '_');
        else
            text_char(out, *word);
    }
}

static void add_rectangle(struct text *out, const struct pz_piece *piece)
{
    text_format(out, "%.5g,%.5g", piece->x, piece->y);
    if (piece->width < 1 || piece->width > 1 || piece->height < 1 || piece->height > 1)
        text_format(out, ",%.5g,%.5g", piece->width, piece->height);
}

/* Writes "kind:id:x,y[,width,height][;…][:text]". */
static void write_piece(void *taker, const struct pz_piece *piece)
{
    struct piece_writer *writer = taker;
    char id[ID_MAX];
    (void)snprintf(id, sizeof id, "%s", piece->id != NULL ? piece->id : "");
    if (!writer->texted && *id != '\0' && strcmp(id, writer->last) == 0) {
        text_char(&writer->words, ';');
    } else {
        text_char(&writer->words, ' ');
        add_word(&writer->words, piece->kind != NULL ? piece->kind : "", ":");
        text_char(&writer->words, ':');
        add_word(&writer->words, id, ":");
        text_char(&writer->words, ':');
    }
    add_rectangle(&writer->words, piece);
    writer->texted = piece->text != NULL && *piece->text != '\0';
    if (writer->texted) {
        text_char(&writer->words, ':');
        add_word(&writer->words, piece->text, "");
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
            write_piece(writer,
                        &(struct pz_piece){listed ? "cell" : "letter", id, text, column, number, 1, 1});
        else if (listed)
            break;
        at += bytes;
    }
    return column;
}

static struct pz_size put_cells(const char *drawing, struct piece_writer *writer)
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

bool draw_pieces(const struct pz_space *space, const void *state, const char *path, const char *drawing,
                 struct text *out)
{
    struct piece_writer writer = {0};
    const struct pz_size size = space_has_pieces(space)
                                    ? space->puzzle->pieces(space, state, path, write_piece, &writer)
                                    : put_cells(drawing, &writer);
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
