/* SPDX-License-Identifier: MIT */
#include "solve/pdb/partition.h"

#include "board/board.h"
#include "solve/pdb/rank.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Layouts that the literature measured, a letter for the pattern of each goal cell: the 7-8 and 6-6-6-6 of
 * Korf and Felner (AIJ 134, 2002), turned by 180 degrees since the blank is last here; the 6-6-3 of Felner,
 * Korf and Hanan (JAIR 22, 2004).
 */
static const struct known_layout {
    uint8_t rows, columns, blank;
    const char *text;
    const char *letters;
} known_layouts[] = {
    {4, 4, 15, "7-8", "bbbbbbbbaaaaaaa."},
    {4, 4, 15, "6-6-3", "acccaabbaabbabb."},
    {5, 5, 24, "6-6-6-6", "dddccdddccbbaccbbaaabbaa."},
};

/* Layouts of which the best counts; the blank is first here. For 5x5 they are "small" of R. Clausecker's
 * 24puzzle; for 4x4, which takes a megabyte, our own; the others are what bench_layouts found. They are the
 * usual choice but on 4x4, where 7-8 bounds better. */
static const struct known_collection {
    uint8_t rows, columns, blank;
    bool usual;
    const char *text;
    const char *letters[PARTITION_LAYOUTS_MAX]; /* NULL after the last */
} known_collections[] = {
    {3,
     6,
     17,
     true,
     "small",
     {".ccbaaccbbaaccbbaa", ".cbbbaccbbaaccbaaa", ".ccaaaccbbbaccbbba", ".bbcccbbbcccbaaaaa",
      ".cbbaaccbbbacccbaa"}},
    {4,
     5,
     19,
     true,
     "small",
     {".bdddbbdddbbaaacbaaa", ".ddccdddccbbbccbbbaa", ".cddacccaaccbaabbbba", ".ccddcccaabbbaabbbaa",
      ".cdddcccddccaaabbaaa"}},
    {5, 6, 29, true, "small", {".eddcceeddcceeddccbbbaaabbbaaa", ".eedddeeedddccbbaaccbbaaccbbaa"}},
    {4,
     4,
     15,
     false,
     "small",
     {".aabaabbacbbcccc", ".aaabbaabbbccccc", ".aabaabbaccbcccb", ".bbbabbcaaccaacc"}},
    {5,
     5,
     24,
     true,
     "small",
     {".abbbaabbbaaaccdddccdddcc", ".aabbaabbbaabccdddccdddcc", ".abbbaabbbaaaccccccdddddd",
      ".aabbaabbbaabccccccdddddd", ".abbbaabbbaccddaccddaccdd", ".aabbaaccbaaccbdddcbdddcb",
      ".abbbaabbbacccdacccdadddd"}},
};

struct sizes {
    unsigned count;
    unsigned size[PARTITION_PATTERNS_MAX];
};

/* ---- layouts ---- */

static bool known_layout(const struct grid *grid, unsigned blank, struct partition *partition)
{
    for (size_t i = 0; i < sizeof known_layouts / sizeof *known_layouts; i++) {
        const struct known_layout *known = &known_layouts[i];
        if (known->rows != grid->rows || known->columns != grid->columns || known->blank != blank ||
            strcmp(known->text, partition->text) != 0)
            continue;
        for (unsigned cell = 0; cell < grid->cells; cell++)
            if (cell != blank)
                partition->cells[known->letters[cell] - 'a'] |= (uint64_t)1 << cell;
        return true;
    }
    return false;
}

static const struct known_collection *collection_of(const struct grid *grid, unsigned blank)
{
    for (size_t i = 0; i < sizeof known_collections / sizeof *known_collections; i++) {
        const struct known_collection *known = &known_collections[i];
        if (known->rows == grid->rows && known->columns == grid->columns && known->blank == blank)
            return known;
    }
    return NULL;
}

/* Adds the patterns of one layout, those that are new. */
static void add_layout(const struct grid *grid, const char *letters, struct partition *partition)
{
    uint64_t cells[PARTITION_PATTERNS_MAX] = {0};
    for (unsigned i = 1; i < grid->cells; i++)
        cells[letters[i] - 'a'] |= (uint64_t)1 << (grid->cells - 1 - i);
    for (unsigned i = 0; i < PARTITION_PATTERNS_MAX && cells[i] != 0; i++) {
        unsigned same = 0;
        while (same < partition->patterns && partition->cells[same] != cells[i])
            same++;
        assert(same < PARTITION_PATTERNS_MAX);
        partition->cells[same] = cells[i];
        partition->patterns += same == partition->patterns;
        partition->layout[partition->layouts] |= (uint16_t)(1u << same);
    }
    partition->layouts++;
}

static void lay_out_collection(const struct grid *grid, const struct known_collection *known,
                               struct partition *partition)
{
    memset(partition, 0, sizeof *partition);
    (void)snprintf(partition->text, sizeof partition->text, "%s", known->text);
    for (unsigned i = 0; i < PARTITION_LAYOUTS_MAX && known->letters[i] != NULL; i++)
        add_layout(grid, known->letters[i], partition);
}

/* Returns the sum of the distances from a cell to all the cells of a pattern. */
static unsigned spread_cells(const struct grid *grid, unsigned cell, uint64_t pattern)
{
    unsigned sum = 0;
    for (; pattern != 0; pattern &= pattern - 1)
        sum += grid_distance(grid, cell, (unsigned)__builtin_ctzll(pattern));
    return sum;
}

/* Exchanges two cells of different patterns if that makes both together more compact. */
static bool exchange_pays(const struct grid *grid, struct partition *partition, const uint8_t *owner,
                          unsigned a, unsigned b)
{
    uint64_t *mine = &partition->cells[owner[a]];
    uint64_t *other = &partition->cells[owner[b]];
    uint64_t bit_a = (uint64_t)1 << a;
    uint64_t bit_b = (uint64_t)1 << b;
    unsigned before = spread_cells(grid, a, *mine) + spread_cells(grid, b, *other);
    unsigned after = spread_cells(grid, b, *mine ^ bit_a) + spread_cells(grid, a, *other ^ bit_b);
    if (after >= before)
        return false;
    *mine ^= bit_a | bit_b;
    *other ^= bit_a | bit_b;
    return true;
}

/* Lays the patterns out along the rows, then exchanges cells while that makes them more compact. Compact
 * patterns catch most of how tiles hinder each other. */
static void compact_layout(const struct grid *grid, unsigned blank, const struct sizes *sizes,
                           struct partition *partition)
{
    uint8_t owner[GRID_CELLS_MAX];
    unsigned pattern = 0;
    unsigned left = sizes->size[0];
    for (unsigned cell = 0; cell < grid->cells; cell++) {
        owner[cell] = (uint8_t)pattern;
        if (cell == blank)
            continue;
        if (left == 0)
            left = sizes->size[++pattern];
        owner[cell] = (uint8_t)pattern;
        partition->cells[pattern] |= (uint64_t)1 << cell;
        left--;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned a = 0; a < grid->cells; a++) {
            for (unsigned b = a + 1; b < grid->cells; b++) {
                if (a == blank || b == blank || owner[a] == owner[b] ||
                    !exchange_pays(grid, partition, owner, a, b))
                    continue;
                uint8_t swap = owner[a];
                owner[a] = owner[b];
                owner[b] = swap;
                changed = true;
            }
        }
    }
}

static void write_partition_text(const struct sizes *sizes, struct partition *partition)
{
    size_t length = 0;
    for (unsigned i = 0; i < sizes->count; i++)
        length += (size_t)snprintf(partition->text + length, sizeof partition->text - length,
                                   i == 0 ? "%u" : "-%u", sizes->size[i]);
}

static void lay_partition_out(const struct grid *grid, unsigned blank, const struct sizes *sizes,
                              struct partition *partition)
{
    memset(partition, 0, sizeof *partition);
    partition->patterns = sizes->count;
    partition->layouts = 1;
    partition->layout[0] = (uint16_t)((1u << sizes->count) - 1);
    write_partition_text(sizes, partition);
    if (!known_layout(grid, blank, partition))
        compact_layout(grid, blank, sizes, partition);
}

/* ---- choices ---- */

/* Patterns of nearly equal size, the small ones first, as in 7-8. */
static void even_sizes(unsigned tiles, unsigned patterns, struct sizes *sizes)
{
    sizes->count = patterns;
    for (unsigned i = 0; i < patterns; i++)
        sizes->size[i] = (tiles + i) / patterns;
}

/* Patterns of one size and a smaller rest, as in 6-6-3. Returns false when there is no rest. */
static bool uneven_sizes(unsigned tiles, unsigned patterns, unsigned size, struct sizes *sizes)
{
    if (size * (patterns - 1) >= tiles)
        return false;
    sizes->count = patterns;
    for (unsigned i = 0; i + 1 < patterns; i++)
        sizes->size[i] = size;
    sizes->size[patterns - 1] = tiles - size * (patterns - 1);
    return true;
}

bool partition_choice(const struct grid *grid, unsigned blank, unsigned attempt, struct partition *partition)
{
    assert(blank < grid->cells);
    enum { LARGEST_TABLE = 600000000 }; /* entries: above that, building takes minutes for little gain */
    const struct known_collection *known = collection_of(grid, blank);
    unsigned tiles = grid->cells - 1u;
    if (known != NULL && known->usual && attempt-- == 0) {
        lay_out_collection(grid, known, partition);
        return true;
    }
    for (unsigned patterns = 1; patterns <= PARTITION_PATTERNS_MAX && patterns <= tiles; patterns++) {
        unsigned even = (tiles + patterns - 1) / patterns;
        unsigned most = patterns > 2 ? PDB_TILES_MAX : even; /* 5-6 bounds better than 8-3 */
        for (unsigned largest = most; largest >= even; largest--) {
            struct sizes sizes = {0};
            if (largest == even)
                even_sizes(tiles, patterns, &sizes);
            else if (!uneven_sizes(tiles, patterns, largest, &sizes))
                continue;
            if (largest > PDB_TILES_MAX || rank_count(grid->cells, largest) > LARGEST_TABLE || attempt-- > 0)
                continue;
            lay_partition_out(grid, blank, &sizes, partition);
            return true;
        }
    }
    return false;
}

static enum pz_status bad_partition(const struct grid *grid, unsigned blank, const char *text,
                                    const char *what, struct pz_error *error)
{
    struct partition good = {.text = "1-1"};
    (void)partition_choice(grid, blank, 0, &good);
    return pz_fail(
        error, PZ_BAD_REQUEST,
        "partition '%.40s' %s: a %ux%u has %u tiles to share out in patterns of 1 to %d, such as %s", text,
        what, grid->rows, grid->columns, grid->cells - 1u, PDB_TILES_MAX, good.text);
}

static enum pz_status read_sizes(const struct grid *grid, unsigned blank, const char *text,
                                 struct sizes *sizes, struct pz_error *error)
{
    unsigned sum = 0;
    const char *rest = text;
    for (;;) {
        if (*rest < '1' || *rest > '0' + PDB_TILES_MAX || sizes->count == PARTITION_PATTERNS_MAX)
            return bad_partition(grid, blank, text, "cannot be read", error);
        sizes->size[sizes->count++] = (unsigned)(*rest - '0');
        sum += (unsigned)(*rest - '0');
        rest++;
        if (*rest == '\0')
            break;
        if (*rest++ != '-')
            return bad_partition(grid, blank, text, "cannot be read", error);
    }
    if (sum != grid->cells - 1u)
        return bad_partition(grid, blank, text, "does not fit the board", error);
    return PZ_OK;
}

enum pz_status partition_parse(const struct grid *grid, unsigned blank, const char *text,
                               struct partition *partition, struct pz_error *error)
{
    assert(blank < grid->cells && text != NULL);
    const struct known_collection *known = collection_of(grid, blank);
    const bool named = known != NULL && strcmp(known->text, text) == 0;
    struct sizes sizes = {0};
    enum pz_status status = named ? PZ_OK : read_sizes(grid, blank, text, &sizes, error);
    if (status != PZ_OK || partition == NULL)
        return status;
    if (named)
        lay_out_collection(grid, known, partition);
    else
        lay_partition_out(grid, blank, &sizes, partition);
    return PZ_OK;
}

/* ---- shapes ---- */

uint64_t mask_region(const struct grid *grid, uint64_t open, unsigned cell)
{
    assert((open >> cell & 1) != 0);
    uint64_t region = 0;
    for (uint64_t edge = (uint64_t)1 << cell; edge != 0;) {
        unsigned next = (unsigned)__builtin_ctzll(edge);
        region |= (uint64_t)1 << next;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (grid->neighbour[next][d] != GRID_NO_CELL)
                edge |= (uint64_t)1 << grid->neighbour[next][d];
        edge &= open & ~region;
    }
    return region;
}

uint64_t mask_odd_cells(const struct grid *grid)
{
    uint64_t odd = 0;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        if ((cell / grid->columns + cell % grid->columns) % 2 == 1)
            odd |= (uint64_t)1 << cell;
    return odd;
}

uint64_t mask_map(uint64_t mask, const uint8_t *map)
{
    uint64_t image = 0;
    for (; mask != 0; mask &= mask - 1)
        image |= (uint64_t)1 << map[__builtin_ctzll(mask)];
    return image;
}

void partition_shape_of(const struct grid *grid, unsigned blank, uint64_t cells,
                        struct partition_shape *shape)
{
    assert((cells >> blank & 1) == 0);
    uint64_t all = ((uint64_t)1 << grid->cells) - 1;
    shape->cells = cells;
    shape->region = mask_region(grid, all & ~cells, blank);
}

unsigned shape_canonical(const struct grid *grid, const struct partition_shape *shape,
                         struct partition_shape *canonical)
{
    uint8_t maps[8][GRID_CELLS_MAX];
    unsigned count = symmetry_maps(grid, maps);
    unsigned best = 0;
    *canonical = *shape;
    for (unsigned i = 1; i < count; i++) {
        struct partition_shape image = {mask_map(shape->cells, maps[i]), mask_map(shape->region, maps[i])};
        if (image.cells < canonical->cells ||
            (image.cells == canonical->cells && image.region < canonical->region)) {
            *canonical = image;
            best = i;
        }
    }
    return best;
}
