/* SPDX-License-Identifier: MIT */
#include "space/rows.h"

#include <assert.h>
#include <string.h>

/* Returns true if one blank stands between each two cells of every row, and two cells are in some row. */
static bool rows_are_spaced(const char *text)
{
    bool spaced = false;
    for (const char *row = text;; row++) {
        const size_t width = strcspn(row, "/");
        for (size_t i = 0; i < width; i++)
            if ((row[i] == ' ') != (i % 2 == 1))
                return false;
        if (width % 2 == 0)
            return false;
        spaced |= width > 1;
        row += width;
        if (*row == '\0')
            return spaced;
    }
}

enum pz_status rows_read(struct rows *rows, const char *text, size_t cells_max, const char *empty,
                         struct pz_error *error)
{
    assert(cells_max <= ROWS_CELLS_MAX);
    const size_t step = rows_are_spaced(text) ? 2 : 1;
    const size_t columns = (strcspn(text, "/") + step - 1) / step;
    size_t cells = 0;
    *rows = (struct rows){.columns = (unsigned)columns, .empty = empty};
    for (const char *row = text;; row++) {
        const size_t width = strcspn(row, "/"), found = (width + step - 1) / step;
        if (found != columns || width == 0)
            return pz_fail(error, PZ_BAD_BOARD, "row %u has %zu cells, row 0 has %zu", rows->rows, found,
                           columns);
        rows->rows++;
        for (size_t i = 0; i < found; i++, cells++)
            if (cells < ROWS_CELLS_MAX)
                rows->cell[cells] = row[i * step];
        row += width;
        if (*row == '\0')
            break;
    }
    if (cells > cells_max)
        return pz_fail(error, PZ_TOO_LARGE, "%ux%zu has %zu cells, at most %zu fit", rows->rows, columns,
                       cells, cells_max);
    for (const char *sign = "*-0 "; *sign != '\0' && rows->other == 0; sign++)
        if (strpbrk(text, empty) == NULL && memchr(rows->cell, *sign, cells) != NULL)
            rows->other = *sign;
    return PZ_OK;
}

size_t rows_write(const char *cell, unsigned rows, unsigned columns, char *out)
{
    size_t length = 0;
    for (unsigned row = 0; row < rows; row++, cell += columns) {
        if (row > 0)
            out[length++] = '/';
        memcpy(out + length, cell, columns);
        length += columns;
    }
    out[length] = '\0';
    return length;
}

bool rows_is_empty(const struct rows *rows, char c)
{
    return (c == rows->other && c != '\0') || strchr(rows->empty, c) != NULL;
}

bool rows_is_name(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

enum pz_status rows_no_cell(const struct rows *rows, size_t cell, const char *names, struct pz_error *error)
{
    const char other[] = {rows->other, '\0'};
    return pz_fail(error, PZ_BAD_BOARD, "row %zu, column %zu: byte 0x%02X is no cell; %s, '%s' is empty",
                   cell / rows->columns, cell % rows->columns, (unsigned)(unsigned char)rows->cell[cell],
                   names, rows->other != 0 ? other : rows->empty);
}
