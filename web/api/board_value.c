/* SPDX-License-Identifier: MIT */
#include "web/api/board_value.h"

#include "protocol/json.h"
#include "protocol/text/boards.h"

#include <string.h>

/* Appends the texts or numbers of a list, with this between them. Returns false if others are in it. */
static bool join_list(struct text *out, const json_t *list, const char *between)
{
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(list, i, value)
    {
        text_add(out, i > 0 ? between : "");
        if (json_is_string(value))
            text_add(out, json_string_value(value));
        else if (json_is_integer(value))
            text_format(out, "%lld", (long long)json_integer_value(value));
        else
            return false;
    }
    return true;
}

/* Returns true if each cell of the rows is one byte, as a text or a number: such cells stand side by side. */
static bool cells_are_signs(const json_t *rows)
{
    size_t i = 0;
    size_t j = 0;
    json_t *row = NULL;
    json_t *cell = NULL;
    json_array_foreach(rows, i, row)
    {
        json_array_foreach(row, j, cell)
        {
            const json_int_t number = json_is_integer(cell) ? json_integer_value(cell) : -1;
            if (json_string_length(cell) != 1 && (number < 0 || number > 9))
                return false;
        }
    }
    return true;
}

/* Writes a list: of rows, which are texts or lists of texts and numbers, or of numbers. */
static bool write_list(struct text *out, const char *name, const json_t *list, struct refusal *refusal)
{
    const json_t *first = json_array_get(list, 0);
    const char *between = cells_are_signs(list) ? "" : ",";
    bool plain = true;
    if (!json_is_array(first))
        plain = join_list(out, list, json_is_string(first) ? "/" : ",");
    for (size_t i = 0; json_is_array(first) && i < json_array_size(list) && plain; i++) {
        text_add(out, i > 0 ? "/" : "");
        plain = json_is_array(json_array_get(list, i)) && join_list(out, json_array_get(list, i), between);
    }
    return plain || refuse(refusal, "bad-request", "%s is a list of unlike values", name);
}

bool board_value_write(struct text *out, const char *name, const json_t *value, const char *puzzle,
                       struct refusal *refusal)
{
    struct text wrong = {0};
    bool good = true;
    text_clear(out);
    if (json_is_array(value))
        return write_list(out, name, value, refusal);
    const char *text = json_string_value(value);
    if (strlen(text) != json_string_length(value))
        return refuse(refusal, "bad-request", "%s has a NUL in it", name);
    if (puzzle == NULL || text[strcspn(text, "\r\n")] == '\0')
        text_add(out, text);
    else if (!boards_one(puzzle, text, false, out, &wrong))
        good = refuse(refusal, "bad-board", "%s: %s", name, text_string(&wrong));
    text_free(&wrong);
    return good;
}

static json_t *value_of_board(const struct board_text *board)
{
    json_t *value = json_pack("{s:i,s:s}", "line", (int)board->line, "board", board->board);
    if (value != NULL && board->title != NULL)
        (void)json_object_set_new(value, "title", json_string(board->title));
    if (value != NULL && board->goal != NULL)
        (void)json_object_set_new(value, "goal", json_string(board->goal));
    json_t *error = board->wrong != NULL ? json_of_error("bad-board", false, board->wrong) : NULL;
    if (value != NULL && error != NULL)
        (void)json_object_update(value, error);
    json_decref(error);
    return value;
}

/* Reads all boards of the text into the list. Returns false with the reason if it cannot. */
static bool read_boards(struct boards *boards, size_t most, json_t *list, struct refusal *refusal)
{
    struct board_text board;
    enum lines_answer answer;
    while ((answer = boards_next(boards, &board)) == LINES_LINE) {
        const bool fits = json_array_size(list) < most ||
                          refuse(refusal, "too-large", "more than %zu boards in one text", most);
        if (fits)
            (void)json_array_append_new(list, value_of_board(&board));
        board_text_clear(&board);
        if (!fits)
            return false;
    }
    return answer == LINES_END ||
           refuse(refusal, answer == LINES_FAILED ? "bad-board" : "memory", "%s", boards->lines.failure);
}

json_t *board_values(const json_t *arguments, size_t most, struct refusal *refusal)
{
    const char *puzzle = json_string_value(json_object_get(arguments, "puzzle"));
    const json_t *text = json_object_get(arguments, "text");
    struct boards boards;
    if (puzzle == NULL || !json_is_string(text)) {
        (void)refuse(refusal, "bad-request", "puzzle and text are wanted, two texts");
        return NULL;
    }
    json_t *list = json_array();
    boards_begin(&boards, puzzle);
    lines_feed(&boards.lines, json_string_value(text), json_string_length(text));
    lines_end(&boards.lines);
    const bool good = read_boards(&boards, most, list, refusal);
    boards_clear(&boards);
    if (good)
        return json_pack("{s:o}", "boards", list);
    json_decref(list);
    return NULL;
}
