/* SPDX-License-Identifier: MIT */
#include "explore/dense/table/dense_table.h"

struct dense_layout dense_table_layout(const struct dense_geometry *geometry)
{
    const unsigned each = geometry->multi ? 4 : 2;
    const uint64_t bytes = geometry->classes * each;
    return (struct dense_layout){.classes = geometry->classes,
                                 .class_bytes = each,
                                 .chunks = (bytes + DENSE_CHUNK_BYTES - 1) / DENSE_CHUNK_BYTES,
                                 .bytes = bytes};
}

void dense_table_join(const uint8_t *restrict even, const uint8_t *restrict odd, size_t count,
                      uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = even[i];
        out[2 * i + 1] = odd[i];
    }
}

size_t dense_table_encode(const struct dense_layout *layout, const uint8_t *const marks[4], uint64_t number,
                          uint8_t *chunk)
{
    const uint64_t most = DENSE_CHUNK_BYTES / layout->class_bytes;
    const uint64_t first = number * most;
    const uint64_t left = layout->classes - first;
    const size_t count = (size_t)(left < most ? left : most);
    if (layout->class_bytes == 2)
        dense_table_join(marks[0] + first, marks[1] + first, count, chunk);
    for (size_t i = 0; layout->class_bytes == 4 && i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            chunk[4 * i + k] = marks[k][first + i];
    return layout->class_bytes * count;
}
