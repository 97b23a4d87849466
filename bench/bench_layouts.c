/* SPDX-License-Identifier: MIT */
/*
 * Looks for collections of layouts (core/solve/pdb/partition.c): ways to divide the tiles into patterns, of
 * which the best counts.
 *
 *   bench_layouts RxC SIZES [shapes=N] [layouts=N] [patterns=N] [boards=N] [seed=N]
 *
 * SIZES are those of the patterns, as 7-6-6, or several such, between commas. The candidates are all
 * divisions into connected patterns, of each size the N most compact shapes up to a symmetry of the grid.
 * Layouts are chosen one by one, then exchanged one by one, for the mean bound of random boards. Reflections,
 * which double the lookups of square grids, are not counted.
 */
#include "base/random.h"
#include "board/board.h"
#include "random_board.h"
#include "solve/pdb/pdb.h"
#include "solving.h"

#include <assert.h>

enum { PARTS_MAX = 8, LAYOUTS_MAX = 16 };

/* A pattern: its goal cells, and its values on the boards. */
struct shape {
    uint64_t cells;
    unsigned spread, table;
    uint8_t *value;
};

/* A candidate, by the numbers of its shapes, and its sums on the boards. */
struct division {
    uint16_t part[PARTS_MAX];
    unsigned parts;
    uint8_t *sum;
};

struct layouts {
    struct grid grid;
    unsigned blank;
    unsigned sizes[PDB_TILES_MAX + 1]; /* patterns of each that a division still lacks */
    unsigned layouts_most, patterns_most, boards;
    struct board *board;
    struct shape *shape;
    unsigned shapes, tables;
    struct division *division;
    size_t divisions, room;
    size_t chosen[LAYOUTS_MAX];
    unsigned count; /* of the chosen ones */
};

static void *more(void *array, size_t count, size_t size)
{
    void *larger = realloc(array, count * size);
    if (larger == NULL)
        die_of("bench_layouts");
    return larger;
}

/* ---- shapes ---- */

static unsigned spread_of(const struct grid *grid, uint64_t cells)
{
    unsigned sum = 0;
    for (uint64_t a = cells; a != 0; a &= a - 1)
        for (uint64_t b = a & (a - 1); b != 0; b &= b - 1) {
            const int from = __builtin_ctzll(a), to = __builtin_ctzll(b);
            sum += (unsigned)(abs(from / grid->columns - to / grid->columns) +
                              abs(from % grid->columns - to % grid->columns));
        }
    return sum;
}

static int by_spread(const void *a, const void *b)
{
    const struct shape *left = a, *right = b;
    if (left->spread != right->spread)
        return left->spread < right->spread ? -1 : 1;
    return (left->cells > right->cells) - (left->cells < right->cells);
}

/* Adds all connected patterns of a size, each once. */
static void grow(struct layouts *all, uint64_t cells, uint64_t closed, unsigned left)
{
    if (left == 0) {
        all->shape = more(all->shape, all->shapes + 1, sizeof *all->shape);
        all->shape[all->shapes++] =
            (struct shape){.cells = cells, .spread = spread_of(&all->grid, cells), .table = UINT32_MAX};
        return;
    }
    uint64_t edge = 0;
    for (uint64_t rest = cells; rest != 0; rest &= rest - 1)
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            const unsigned next = all->grid.neighbour[__builtin_ctzll(rest)][d];
            edge |= next != GRID_NO_CELL ? (uint64_t)1 << next : 0;
        }
    for (edge &= ~(cells | closed); edge != 0; edge &= edge - 1) {
        const uint64_t next = edge & -edge;
        grow(all, cells | next, closed, left - 1);
        closed |= next;
    }
}

/* Opens the table of a shape, and looks all its images up on all boards. */
static void look_up(struct layouts *all, struct shape *from, size_t count, unsigned table)
{
    struct partition partition = {.layouts = 1, .layout = {1}, .text = "shape"};
    uint8_t *value[PARTITION_PATTERNS_MAX] = {0};
    struct partition_shape wanted, shape, canonical;
    struct budget budget;
    struct pdb *pdb = NULL;
    struct pz_error error;
    partition_shape_of(&all->grid, all->blank, from->cells, &shape);
    (void)shape_canonical(&all->grid, &shape, &wanted);
    for (unsigned i = 0; i < count; i++) {
        partition_shape_of(&all->grid, all->blank, from[i].cells, &shape);
        (void)shape_canonical(&all->grid, &shape, &canonical);
        if (canonical.cells != wanted.cells || canonical.region != wanted.region)
            continue;
        from[i].table = table;
        from[i].value = value[partition.patterns] = more(NULL, all->boards, 1);
        partition.cells[partition.patterns++] = from[i].cells;
    }
    budget_init(&budget, NULL, (uint64_t)3 << 30);
    const struct pdb_request request = {
        .grid = &all->grid, .blank = all->blank, .patterns = &partition, .threads = 1, .budget = &budget};
    if (pdb_open(&request, &pdb, &error) != PZ_OK)
        die(&error);
    for (unsigned b = 0; b < all->boards; b++) {
        struct pdb_state state;
        pdb_state_init(pdb, &all->board[b], &state);
        for (unsigned i = 0; i < partition.patterns && value[i] != NULL; i++)
            value[i][b] = state.value[i];
    }
    pdb_close(pdb);
}

/* Makes the most compact shapes of a size. */
static void make_shapes(struct layouts *all, unsigned size, unsigned most)
{
    assert(all->blank < all->grid.cells);
    const unsigned begin = all->shapes;
    uint64_t closed = (uint64_t)1 << all->blank;
    for (unsigned cell = 0; cell < all->grid.cells; cell++) {
        if (cell != all->blank)
            grow(all, (uint64_t)1 << cell, closed, size - 1);
        closed |= (uint64_t)1 << cell;
    }
    const unsigned count = all->shapes - begin;
    qsort(all->shape + begin, count, sizeof *all->shape, by_spread);
    unsigned tables = 0;
    for (unsigned i = begin; i < all->shapes && tables < most; i++)
        if (all->shape[i].value == NULL)
            look_up(all, &all->shape[i], all->shapes - i, all->tables + tables++);
    all->tables += tables;
    unsigned kept = begin;
    for (unsigned i = begin; i < all->shapes; i++)
        if (all->shape[i].value != NULL)
            all->shape[kept++] = all->shape[i];
    all->shapes = kept;
    (void)printf("size %u: %u connected patterns, %u kept in %u tables\n", size, count, kept - begin, tables);
    (void)fflush(stdout);
}

/* ---- divisions ---- */

static void add_division(struct layouts *all, const uint16_t *part, unsigned parts)
{
    if (all->divisions == all->room) {
        all->room = all->room * 2 + 64;
        all->division = more(all->division, all->room, sizeof *all->division);
    }
    struct division *division = &all->division[all->divisions++];
    memcpy(division->part, part, sizeof division->part);
    division->parts = parts;
    division->sum = more(NULL, all->boards, 1);
    for (unsigned b = 0; b < all->boards; b++) {
        division->sum[b] = 0;
        for (unsigned i = 0; i < parts; i++)
            division->sum[b] = (uint8_t)(division->sum[b] + all->shape[part[i]].value[b]);
    }
}

static void divide(struct layouts *all, uint64_t open, uint16_t *part, unsigned count)
{
    if (open == 0) {
        add_division(all, part, count);
        return;
    }
    for (unsigned i = 0; i < all->shapes; i++) {
        const uint64_t cells = all->shape[i].cells;
        const unsigned size = (unsigned)__builtin_popcountll(cells);
        if ((cells & ~open) != 0 || (cells & open & -open) == 0 || all->sizes[size] == 0)
            continue;
        all->sizes[size]--;
        part[count] = (uint16_t)i;
        divide(all, open & ~cells, part, count + 1);
        all->sizes[size]++;
    }
}

/* ---- choice ---- */

/* Returns the patterns, or the tables, that the chosen layouts and one more need. */
static unsigned needed(const struct layouts *all, size_t candidate, bool tables)
{
    unsigned seen[(LAYOUTS_MAX + 1) * PARTS_MAX];
    unsigned count = 0;
    for (unsigned l = 0; l <= all->count; l++) {
        const struct division *division = &all->division[l < all->count ? all->chosen[l] : candidate];
        for (unsigned i = 0; i < division->parts; i++) {
            const uint16_t part = division->part[i];
            const unsigned it = tables ? all->shape[part].table : part;
            unsigned same = 0;
            while (same < count && seen[same] != it)
                same++;
            seen[same] = it;
            count += same == count;
        }
    }
    return count;
}

/* Returns the sum of the bounds by the chosen layouts and one more. */
static uint64_t total(const struct layouts *all, const uint8_t *best, size_t candidate)
{
    const uint8_t *sum = all->division[candidate].sum;
    uint64_t bounds = 0;
    for (unsigned b = 0; b < all->boards; b++)
        bounds += best[b] > sum[b] ? best[b] : sum[b];
    return bounds;
}

/* Adds the layout that raises the mean most. Returns the sum of the bounds. */
static uint64_t choose(struct layouts *all)
{
    uint8_t *best = calloc(all->boards, 1);
    uint64_t most = 0;
    size_t at = 0;
    if (best == NULL)
        die_of("bench_layouts");
    for (unsigned l = 0; l < all->count; l++)
        for (unsigned b = 0; b < all->boards; b++) {
            const uint8_t sum = all->division[all->chosen[l]].sum[b];
            best[b] = sum > best[b] ? sum : best[b];
        }
    for (size_t i = 0; i < all->divisions; i++) {
        if (needed(all, i, false) > all->patterns_most)
            continue;
        const uint64_t bounds = total(all, best, i);
        at = bounds > most ? i : at;
        most = bounds > most ? bounds : most;
    }
    free(best);
    all->chosen[all->count++] = at;
    return most;
}

/* Gives up one layout after another for a better one, as long as that helps. */
static uint64_t exchange(struct layouts *all, uint64_t most)
{
    for (unsigned failed = 0; failed < all->count;) {
        const size_t first = all->chosen[0];
        memmove(all->chosen, all->chosen + 1, --all->count * sizeof *all->chosen);
        const uint64_t bounds = choose(all);
        failed = bounds > most ? 0 : failed + 1;
        if (bounds > most)
            most = bounds;
        else
            all->chosen[all->count - 1] = first;
    }
    return most;
}

static void show(const struct layouts *all, uint64_t most)
{
    (void)printf("layouts=%u patterns=%u tables=%u mean-bound=%.3f", all->count,
                 needed(all, all->chosen[0], false), needed(all, all->chosen[0], true),
                 (double)most / all->boards);
    for (unsigned l = 0; l < all->count; l++) {
        const struct division *division = &all->division[all->chosen[l]];
        (void)printf("\n  \"");
        for (unsigned cell = all->grid.cells; cell-- > 0;) {
            char letter = '.';
            for (unsigned i = 0; i < division->parts; i++)
                if ((all->shape[division->part[i]].cells >> cell & 1) != 0)
                    letter = (char)('a' + (int)i);
            (void)putchar(letter);
        }
        (void)printf("\"");
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    struct layouts all = {.layouts_most = number_of(argc, argv, "layouts=", PARTITION_LAYOUTS_MAX),
                          .patterns_most = number_of(argc, argv, "patterns=", PARTITION_PATTERNS_MAX),
                          .boards = number_of(argc, argv, "boards=", 2000)};
    struct random random = {number_of(argc, argv, "seed=", 25)};
    struct board goal;
    struct pz_error error;
    char *rest = NULL;
    const unsigned rows = argc < 3 ? 0 : (unsigned)strtoul(argv[1], &rest, 10);
    if (argc < 3 || *rest != 'x' || all.layouts_most > LAYOUTS_MAX ||
        argv[2][strspn(argv[2], "12345678-,")] != '\0' ||
        grid_init(&all.grid, rows, (unsigned)strtoul(rest + 1, NULL, 10), &error) != PZ_OK ||
        all.grid.cells == 0) {
        (void)fprintf(
            stderr,
            "usage: bench_layouts RxC SIZES [shapes=N] [layouts=N] [patterns=N] [boards=N] [seed=N]\n");
        return 2;
    }
    all.blank = all.grid.cells - 1u;
    board_ordered(&all.grid, all.blank, &goal);
    all.board = more(NULL, all.boards, sizeof *all.board);
    for (unsigned i = 0; i < all.boards; i++)
        random_board(&all.grid, &goal, &random, &all.board[i]);
    for (unsigned size = PDB_TILES_MAX, most = number_of(argc, argv, "shapes=", 40); size > 0; size--) {
        if (strchr(argv[2], '0' + (int)size) == NULL)
            continue;
        make_shapes(&all, size, most);
        most *= 2;
    }
    for (const char *sizes = argv[2]; *sizes != '\0'; sizes += *sizes == ',') {
        for (; *sizes != '\0' && *sizes != ','; sizes++)
            if (*sizes != '-')
                all.sizes[*sizes - '0']++;
        uint16_t part[PARTS_MAX] = {0};
        divide(&all, (((uint64_t)1 << all.grid.cells) - 1) & ~((uint64_t)1 << all.blank), part, 0);
        memset(all.sizes, 0, sizeof all.sizes);
    }
    (void)printf("%zu divisions\n", all.divisions);
    if (all.divisions == 0)
        return 1;
    uint64_t most = 0;
    for (uint64_t before = UINT64_MAX; most != before && all.count < all.layouts_most;) {
        before = most;
        most = exchange(&all, choose(&all));
        show(&all, most);
    }
    return 0;
}
