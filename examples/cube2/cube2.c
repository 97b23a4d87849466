/* SPDX-License-Identifier: MIT */
/*
 * The 2×2×2 cube as a plugin of puzzled: a complete example of a puzzle of one's own.
 *
 *   EXPLORE cube2                   3,674,160 states, 14 quarter turns deep
 *   EXPLORE cube2 metric=half       … 11 half turns deep
 *   SOLVE cube2 start=2413765.0010212
 *
 * The corner at the back, bottom left stays where it is, which turns the whole cube into one of its 24
 * positions; three faces are left to turn: right, up, front. The other seven corners are numbered 1 … 7, and
 * so are their places:
 *
 *        3-------2        the back, bottom left corner is the one
 *       /|      /|        that does not move
 *      4-------1 |
 *      | *-----|-6
 *      |/      |/         up is the face 1 2 3 4, right 1 2 6 5,
 *      7-------5          front 1 4 7 5
 *
 * A state is a byte for each place: which corner is there (0 … 6), and in bits 3 and 4 how it is twisted, 0
 * … 2. Its text is the corners and the twists, place by place: 1234567.0000000 is the solved cube.
 */
#include <puzzled/space.h>

#include <stdlib.h>
#include <string.h>

enum { PLACES = 7, FACES = 3, TURNS = 9, TWIST_SHIFT = 3, CORNER_MASK = 7, CODES = 32 };

struct cube2 {
    struct pz_space base; /* first: a cube2 is a pz_space */
    unsigned turns;       /* 6 or 9 of the table below */
    uint8_t start[8];
};

/* One turn: what stands afterwards in a place came from there, and is twisted more by so much. */
struct turn {
    const char *word;
    uint8_t face;
    uint8_t from[PLACES];
    uint8_t twist[PLACES];
};

/* Quarter turns first, half turns after them. */
static const struct turn turns[TURNS] = {
    {"U", 0, {1, 2, 3, 0, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 0}},
    {"U'", 0, {3, 0, 1, 2, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 0}},
    {"R", 1, {4, 0, 2, 3, 5, 1, 6}, {2, 1, 0, 0, 1, 2, 0}},
    {"R'", 1, {1, 5, 2, 3, 0, 4, 6}, {2, 1, 0, 0, 1, 2, 0}},
    {"F", 2, {3, 1, 2, 6, 0, 5, 4}, {1, 0, 0, 2, 2, 0, 1}},
    {"F'", 2, {4, 1, 2, 0, 6, 5, 3}, {1, 0, 0, 2, 2, 0, 1}},
    {"U2", 0, {2, 3, 0, 1, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 0}},
    {"R2", 1, {5, 4, 2, 3, 1, 0, 6}, {0, 0, 0, 0, 0, 0, 0}},
    {"F2", 2, {6, 1, 2, 4, 3, 5, 0}, {0, 0, 0, 0, 0, 0, 0}},
};

/* A corner's code, 0 … 31, after a twist: the sum of both, modulo 3. Codes 24 … 31 never occur. */
static uint8_t twisted[3][CODES];

static void fill_twisted(void)
{
    for (unsigned twist = 0; twist < 3; twist++)
        for (unsigned code = 0; code < CODES; code++)
            twisted[twist][code] =
                (uint8_t)((code & CORNER_MASK) | ((code >> TWIST_SHIFT) + twist) % 3 << TWIST_SHIFT);
}

static const struct cube2 *cube2_of(const struct pz_space *space)
{
    return (const struct cube2 *)space;
}

static const uint8_t solved[8] = {0, 1, 2, 3, 4, 5, 6, 0};

static void apply(const struct turn *turn, const uint8_t *state, uint8_t *out)
{
    for (unsigned place = 0; place < PLACES; place++)
        out[place] = twisted[turn->twist[place]][state[turn->from[place]]];
    out[PLACES] = 0;
}

/* ---- the search's view ---- */

/* A token is the number of the turn. After it, in the quarter metric its inverse is left out, in the half
 * metric every turn of the same face: what they lead to was one turn away before. */
static unsigned cube2_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                             void *successors, uint8_t *tokens)
{
    const struct cube2 *cube2 = cube2_of(space);
    uint8_t *out = successors;
    unsigned count = 0;
    for (unsigned i = 0; i < cube2->turns; i++) {
        if (came_by < TURNS &&
            (cube2->turns == TURNS ? turns[i].face == turns[came_by].face : i == (came_by ^ 1u)))
            continue;
        apply(&turns[i], state, out);
        out += sizeof(uint64_t);
        tokens[count++] = (uint8_t)i;
    }
    return count;
}

static enum pz_status cube2_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)space;
    (void)error;
    memcpy(state, solved, sizeof solved);
    return PZ_OK;
}

static void cube2_goal(const struct pz_space *space, void *state)
{
    (void)space;
    memcpy(state, solved, sizeof solved);
}

static bool cube2_is_goal(const struct pz_space *space, const void *state)
{
    (void)space;
    return memcmp(state, solved, sizeof solved) == 0;
}

/* ---- numbers: 7! orders of the corners, and 3^6 twists, of which the last follows from the others ---- */

static uint64_t cube2_count(const struct pz_space *space)
{
    (void)space;
    return UINT64_C(5040) * 729;
}

static uint64_t cube2_rank(const struct pz_space *space, const void *state)
{
    const uint8_t *bytes = state;
    uint64_t number = 0;
    (void)space;
    for (unsigned place = 0; place < PLACES; place++) {
        unsigned smaller = 0;
        for (unsigned later = place + 1; later < PLACES; later++)
            smaller += (bytes[later] & CORNER_MASK) < (bytes[place] & CORNER_MASK);
        number = number * (PLACES - place) + smaller;
    }
    for (unsigned place = 0; place + 1 < PLACES; place++)
        number = number * 3 + (bytes[place] >> TWIST_SHIFT);
    return number;
}

static void cube2_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    uint8_t *bytes = state;
    unsigned twists = 0;
    (void)space;
    memset(bytes, 0, PLACES + 1);
    for (unsigned place = PLACES - 1; place-- > 0; number /= 3) {
        bytes[place] = (uint8_t)(number % 3 << TWIST_SHIFT);
        twists += (unsigned)(number % 3);
    }
    bytes[PLACES - 1] = (uint8_t)((3 - twists % 3) % 3 << TWIST_SHIFT);
    for (unsigned place = PLACES; place-- > 0; number /= PLACES - place) {
        /* The corner is the one that so many of those behind it are smaller than. */
        const unsigned corner = (unsigned)(number % (PLACES - place));
        for (unsigned later = place + 1; later < PLACES; later++)
            bytes[later] = (uint8_t)(bytes[later] + ((bytes[later] & CORNER_MASK) >= corner));
        bytes[place] = (uint8_t)(bytes[place] | corner);
    }
}

/* ---- texts ---- */

static enum pz_status cube2_parse(const struct pz_space *space, const char *text, void *state,
                                  struct pz_error *error)
{
    uint8_t *bytes = state;
    unsigned seen = 0;
    unsigned twists = 0;
    (void)space;
    if (strlen(text) != 2 * PLACES + 1 || text[PLACES] != '.')
        return pz_fail(error, PZ_BAD_BOARD, "'%.20s': seven corners, a point, seven twists: 1234567.0000000",
                       text);
    for (unsigned place = 0; place < PLACES; place++) {
        char corner = text[place];
        char twist = text[PLACES + 1 + place];
        if (corner < '1' || corner > '7' || (seen >> (corner - '1') & 1) != 0)
            return pz_fail(error, PZ_BAD_BOARD, "corner '%c' in place %u: each of 1 to 7 is there once",
                           corner, place + 1);
        if (twist < '0' || twist > '2')
            return pz_fail(error, PZ_BAD_BOARD, "twist '%c' in place %u: it is 0, 1 or 2", twist, place + 1);
        seen |= 1u << (corner - '1');
        twists += (unsigned)(twist - '0');
        bytes[place] = (uint8_t)((corner - '1') | (twist - '0') << TWIST_SHIFT);
    }
    bytes[PLACES] = 0;
    if (twists % 3 != 0)
        return pz_fail(error, PZ_BAD_BOARD,
                       "the twists add up to %u: no turn leads there, the sum is a multiple of 3", twists);
    return PZ_OK;
}

static size_t cube2_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const uint8_t *bytes = state;
    (void)space;
    for (unsigned place = 0; place < PLACES; place++) {
        out[place] = (char)('1' + (bytes[place] & CORNER_MASK));
        out[PLACES + 1 + place] = (char)('0' + (bytes[place] >> TWIST_SHIFT));
    }
    out[PLACES] = '.';
    out[2 * PLACES + 1] = '\0';
    return 2 * PLACES + 1;
}

static size_t cube2_describe(const struct pz_space *space, const void *from, const void *to,
                             char out[PZ_TEXT_MAX])
{
    uint8_t turned[8];
    (void)space;
    for (unsigned i = 0; i < TURNS; i++) {
        apply(&turns[i], from, turned);
        if (memcmp(turned, to, sizeof turned) == 0)
            return (size_t)snprintf(out, PZ_TEXT_MAX, "%s", turns[i].word);
    }
    out[0] = '\0';
    return 0;
}

/* Draws the corners where the picture above has their places, in a colour for each twist. */
static struct pz_size cube2_pieces(const struct pz_space *space, const void *state, const char *path,
                                   pz_put_piece *put, void *taker)
{
    static const char *const kinds[] = {"tile", "block1", "block2"};
    static const struct {
        double x, y;
    } at[PLACES] = {{2.5, 1.2}, {4, 0}, {1.5, 0}, {0, 1.2}, {2.5, 3.7}, {4, 2.5}, {0, 3.7}};
    const uint8_t *bytes = state;
    (void)space;
    (void)path;
    for (unsigned place = 0; place < PLACES; place++) {
        const char corner[2] = {(char)('1' + (bytes[place] & CORNER_MASK)), '\0'};
        const char *kind = kinds[bytes[place] >> TWIST_SHIFT];
        put(taker, &(struct pz_piece){kind, corner, corner, at[place].x, at[place].y, 1, 1});
    }
    return (struct pz_size){5, 4.7};
}

/* ---- making one ---- */

static const char *const cube2_keys[] = {"metric", NULL};
static const struct pz_puzzle cube2_puzzle;

/* The metric is named by the key or, in a name that was printed before, by what follows the colon. */
static enum pz_status read_metric(const struct pz_setup *setup, bool *half, struct pz_error *error)
{
    const char *metric = *setup->size != '\0' ? setup->size : "quarter";
    for (size_t i = 0; i < setup->key_count; i++)
        if (strcmp(setup->keys[i].key, "metric") == 0)
            metric = setup->keys[i].value;
    *half = strcmp(metric, "half") == 0;
    if (*half || strcmp(metric, "quarter") == 0)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "metric '%.40s': it is quarter or half", metric);
}

static enum pz_status cube2_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    bool half = false;
    enum pz_status status = read_metric(setup, &half, error);
    if (status != PZ_OK)
        return status;
    if (setup->goal != NULL && strcmp(setup->goal, "1234567.0000000") != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "goal=: cube2 has one goal, 1234567.0000000");
    struct cube2 *cube2 = calloc(1, sizeof *cube2);
    if (cube2 == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a cube");
    cube2->turns = half ? TURNS : 6;
    cube2->base.puzzle = &cube2_puzzle;
    cube2->base.state_bytes = sizeof(uint64_t);
    cube2->base.max_successors = cube2->turns;
    /* A quarter turn is an odd permutation of the corners, a half turn an even one. */
    cube2->base.flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | (half ? 0u : (uint32_t)PZ_BIPARTITE);
    (void)snprintf(cube2->base.size, sizeof cube2->base.size, "%s", half ? "half" : "quarter");
    *out = &cube2->base;
    return PZ_OK;
}

static void cube2_close(struct pz_space *space)
{
    free(space);
}

static const struct pz_puzzle cube2_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "cube2",
    .summary = "the 2x2x2 cube, by quarter or half turns",
    .example = "cube2",
    .keys = cube2_keys,
    .open = cube2_open,
    .close = cube2_close,
    .parse = cube2_parse,
    .print = cube2_print,
    .describe = cube2_describe,
    .pieces = cube2_pieces,
    .separator = ",",
    .root = cube2_root,
    .goal = cube2_goal,
    .is_goal = cube2_is_goal,
    .expand = cube2_expand,
    .count = cube2_count,
    .rank = cube2_rank,
    .unrank = cube2_unrank,
};

/* puzzled calls this once, after it has loaded the file. */
__attribute__((visibility("default"))) const struct pz_puzzle *pz_plugin(void)
{
    fill_twisted();
    return &cube2_puzzle;
}
