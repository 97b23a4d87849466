/* SPDX-License-Identifier: MIT */
#include "space/rows.h"

#include <string.h>

enum pz_status rows_measure(const char *text, size_t cells_max, struct rows *out, struct pz_error *error)
{
    size_t columns = strcspn(text, "/");
    size_t rows = 0;
    for (const char *row = text;; row += columns + 1) {
        size_t width = strcspn(row, "/");
        rows++;
        if (width != columns || width == 0)
            return pz_fail(error, PZ_BAD_BOARD, "row %zu has %zu cells, the first has %zu", rows, width,
                           columns);
        if (row[width] == '\0')
            break;
    }
    if (rows * columns > cells_max)
        return pz_fail(error, PZ_TOO_LARGE, "%zux%zu has %zu cells, at most %zu fit", rows, columns,
                       rows * columns, cells_max);
    *out = (struct rows){(unsigned)rows, (unsigned)columns};
    return PZ_OK;
}

bool rows_is_name(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
