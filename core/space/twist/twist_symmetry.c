/* SPDX-License-Identifier: MIT */
#include "space/twist/twist_symmetry.h"

#include <stdlib.h>
#include <string.h>

enum { UNPLACED = 0xFF, STEPS_MAX = 1 << 18 /* pairs of moves looked at */ };
_Static_assert(TWIST_PLACES_MAX <= (int)UNPLACED && TWIST_MOVES_MAX <= (int)UNPLACED &&
                   TWIST_SETS_MAX <= (int)UNPLACED,
               "a number of none");

struct symmetry_search {
    const struct twist *twist;
    uint64_t *shape; /* of two moves after each other, by the first, then the second; then of each alone */
    bool used[TWIST_MOVES_MAX];
    uint64_t steps;
    struct twist_symmetry *out;
    unsigned count, most;
};

/* ---- shapes of moves: what a symmetry keeps ---- */

static uint64_t mix_cycle(unsigned length, unsigned turns, bool turned)
{
    uint64_t word = (length * 64u + turns * 2u + turned + 1) * UINT64_C(0x9E3779B97F4A7C15);
    word ^= word >> 29;
    return word * UINT64_C(0xBF58476D1CE4E5B9);
}

/* Returns a sum over the cycles of a move. */
static uint64_t shape_of(const struct twist *twist, const struct twist_move *move)
{
    bool seen[TWIST_PLACES_MAX] = {false};
    uint64_t shape = 0;
    for (unsigned first = 0; first < twist->places; first++) {
        unsigned length = 0, turned = 0;
        for (unsigned at = first; !seen[at]; at = move->from[at], length++) {
            seen[at] = true;
            turned += move->turn[at];
        }
        const unsigned turns = twist->set[twist->set_of[first]].turns;
        if (length > 0)
            shape += mix_cycle(length, turns, turned % turns != 0);
    }
    return shape;
}

static bool find_shapes(struct symmetry_search *search)
{
    const struct twist *twist = search->twist;
    const size_t moves = twist->moves;
    search->shape = malloc((moves + 1) * moves * sizeof *search->shape);
    for (size_t a = 0; search->shape != NULL && a < moves; a++) {
        search->shape[moves * moves + a] = shape_of(twist, &twist->move[a]);
        for (size_t b = 0; b < moves; b++) {
            struct twist_move both;
            twist_compose(twist, &twist->move[a], &twist->move[b], &both);
            search->shape[a * moves + b] = shape_of(twist, &both);
        }
    }
    return search->shape != NULL;
}

/* ---- from moves to places ---- */

static unsigned set_turns(const struct twist *twist, unsigned place)
{
    return twist->set[twist->set_of[place]].turns;
}

/* Follows the moves from a place whose image is chosen. Returns false where they disagree. */
static bool follow_places(const struct twist *twist, struct twist_symmetry *symmetry, unsigned first)
{
    uint8_t queue[TWIST_PLACES_MAX] = {(uint8_t)first};
    const unsigned turns = set_turns(twist, first), factor = symmetry->factor[first];
    for (unsigned at = 0, end = 1; at < end; at++) {
        const unsigned place = queue[at], image = symmetry->place[place];
        for (unsigned m = 0; m < twist->moves; m++) {
            const struct twist_move *move = &twist->move[m], *other = &twist->move[symmetry->move[m]];
            const unsigned from = move->from[place];
            const unsigned turn =
                (factor * move->turn[place] + symmetry->turn[place] + turns - other->turn[image]) % turns;
            if (symmetry->place[from] == UNPLACED) {
                symmetry->place[from] = other->from[image];
                symmetry->turn[from] = (uint8_t)turn;
                symmetry->factor[from] = (uint8_t)factor;
                queue[end++] = (uint8_t)from;
            } else if (symmetry->place[from] != other->from[image] || symmetry->turn[from] != turn) {
                return false;
            }
        }
    }
    return true;
}

/* Finds what becomes of the kinds that the solved state has in places with an image. Returns false where two
 * places disagree, or two images are one. */
static bool match_kinds(const struct twist *twist, struct twist_symmetry *symmetry)
{
    bool taken[TWIST_PLACES_MAX] = {false};
    memset(symmetry->kind, UNPLACED, sizeof symmetry->kind);
    memset(symmetry->set, UNPLACED, sizeof symmetry->set);
    for (unsigned place = 0; place < twist->places; place++) {
        const unsigned image = symmetry->place[place], set = twist->set_of[place];
        if (image == UNPLACED)
            continue;
        const unsigned other = twist->set_of[image], turns = twist->set[set].turns;
        const unsigned kind = twist->solved[place] / turns, becomes = twist->solved[image] / turns;
        const unsigned back = (symmetry->factor[place] * (twist->solved[place] % turns) +
                               symmetry->turn[place] + turns - twist->solved[image] % turns) %
                              turns;
        const bool is_new = symmetry->kind[set][kind] == UNPLACED;
        const bool blind = twist->set[set].blind[kind];
        if (taken[image] || twist->set[other].turns != turns ||
            twist->set[other].kinds != twist->set[set].kinds || twist->set[other].blind[becomes] != blind ||
            (symmetry->set[set] != UNPLACED && symmetry->set[set] != other) ||
            (!is_new &&
             (symmetry->kind[set][kind] != becomes || (!blind && symmetry->back[set][kind] != back))))
            return false;
        taken[image] = true;
        symmetry->set[set] = (uint8_t)other;
        symmetry->kind[set][kind] = (uint8_t)becomes;
        symmetry->back[set][kind] = (uint8_t)back;
    }
    return true;
}

/* Finds images for a place and all that the moves carry there. */
static bool place_orbit(const struct twist *twist, struct twist_symmetry *symmetry, unsigned first)
{
    const struct twist_symmetry before = *symmetry;
    const unsigned turns = set_turns(twist, first);
    for (unsigned image = 0; image < twist->places; image++) {
        for (unsigned way = 0; way < (turns > 2 ? 2 : 1) && set_turns(twist, image) == turns; way++) {
            *symmetry = before;
            symmetry->place[first] = (uint8_t)image;
            symmetry->factor[first] = (uint8_t)(way == 0 ? 1 : turns - 1);
            if (follow_places(twist, symmetry, first) && match_kinds(twist, symmetry))
                return true;
        }
    }
    return false;
}

/* All moves have an image: finds those of the places, if there are any. */
static void twist_take_symmetry(struct symmetry_search *search)
{
    const struct twist *twist = search->twist;
    struct twist_symmetry *symmetry = &search->out[search->count];
    memset(symmetry->place, UNPLACED, sizeof symmetry->place);
    memset(symmetry->turn, 0, sizeof symmetry->turn);
    for (unsigned place = 0; place < twist->places; place++)
        if (symmetry->place[place] == UNPLACED && !place_orbit(twist, symmetry, place))
            return;
    if (++search->count < search->most)
        search->out[search->count] = *symmetry;
}

static bool fits_images(const struct symmetry_search *search, const uint8_t *image, size_t move, size_t to)
{
    const size_t moves = search->twist->moves;
    const uint64_t *shape = search->shape;
    if (search->used[to] || shape[moves * moves + move] != shape[moves * moves + to])
        return false;
    for (size_t i = 0; i < move; i++)
        if (shape[i * moves + move] != shape[image[i] * moves + to] ||
            shape[move * moves + i] != shape[to * moves + image[i]])
            return false;
    return true;
}

/* Chooses the images of the moves, one after the other. */
static void choose_images(struct symmetry_search *search)
{
    const unsigned moves = search->twist->moves;
    unsigned next[TWIST_MOVES_MAX + 1] = {0}, move = 0;
    for (;;) {
        if (move == moves)
            twist_take_symmetry(search);
        unsigned to = move < moves ? next[move] : moves;
        if (search->count == search->most || search->steps > STEPS_MAX)
            return;
        uint8_t *image = search->out[search->count].move;
        while (to < moves && !fits_images(search, image, move, to))
            to++;
        search->steps += moves;
        if (to < moves) {
            image[move] = (uint8_t)to;
            search->used[to] = true;
            next[move++] = to + 1;
            next[move] = 0;
        } else if (move-- == 0) {
            return;
        } else {
            search->used[image[move]] = false;
        }
    }
}

unsigned twist_symmetries(const struct twist *twist, struct twist_symmetry *out, unsigned most)
{
    struct symmetry_search search = {.twist = twist, .out = out, .most = most};
    if (most == 0 || !find_shapes(&search))
        return 0;
    choose_images(&search);
    free(search.shape);
    return search.count;
}

uint8_t twist_symmetry_code(const struct twist *twist, const struct twist_symmetry *symmetry, unsigned place,
                            uint8_t code)
{
    const unsigned set = twist->set_of[place], turns = twist->set[set].turns;
    const unsigned kind = code / turns, becomes = symmetry->kind[set][kind];
    const unsigned turn = (symmetry->factor[place] * (code % turns) + symmetry->turn[place] + turns -
                           symmetry->back[set][kind]) %
                          turns;
    const bool blind = twist->set[symmetry->set[set]].blind[becomes];
    return (uint8_t)(becomes * turns + (blind ? 0 : turn));
}

void twist_symmetry_apply(const struct twist *twist, const struct twist_symmetry *symmetry,
                          const uint8_t *state, uint8_t *out)
{
    for (unsigned place = 0; place < twist->places; place++)
        out[symmetry->place[place]] = twist_symmetry_code(twist, symmetry, place, state[place]);
}
