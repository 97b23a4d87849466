/* SPDX-License-Identifier: MIT */
#include "explore/dense/table/dense_table.h"

enum { CHUNK_CLASSES = DENSE_CHUNK_BYTES / 2 };

struct dense_layout dense_table_layout(const struct dense_geometry *geometry)
{
    uint64_t classes = geometry->classes;
    return (struct dense_layout){
        .classes = classes, .chunks = (classes + CHUNK_CLASSES - 1) / CHUNK_CLASSES, .bytes = classes * 2};
}

void dense_table_join(const uint8_t *restrict even, const uint8_t *restrict odd, size_t count,
                      uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = even[i];
        out[2 * i + 1] = odd[i];
    }
}

size_t dense_table_encode(const struct dense_layout *layout, const uint8_t *const marks[2], uint64_t number,
                          uint8_t *chunk)
{
    uint64_t first = number * CHUNK_CLASSES;
    uint64_t left = layout->classes - first;
    size_t count = left < CHUNK_CLASSES ? (size_t)left : CHUNK_CLASSES;
    dense_table_join(marks[0] + first, marks[1] + first, count, chunk);
    return 2 * count;
}
