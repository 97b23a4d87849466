/* SPDX-License-Identifier: MIT */
#include "space/text/abstract/tws_abstractor.h"
#include "space/twist/twist_symmetry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SYMMETRIES_MAX = 64 };

/* What a question tells apart: two of one print would be answered alike. */
struct question_print {
    bool keeps[TWIST_MOVES_MAX];     /* the goal */
    uint8_t alike[TWIST_PLACES_MAX]; /* the first place whose solved piece looks as that of this place */
    bool turned[TWIST_PLACES_MAX];   /* a turn of it is seen */
};

static bool part_keeps_goal(const struct orbit_walk *walk, unsigned move)
{
    for (unsigned i = 0; i < walk->parts; i++)
        if (walk->part[i].next[(size_t)move * walk->part[i].count + walk->goal[i]] != walk->goal[i])
            return false;
    return true;
}

static void make_print(const struct orbit_walk *walk, const struct twist_symmetry *symmetry,
                       struct question_print *print)
{
    const struct tws_abstraction *abstraction = tws_abstraction_of(walk->abstraction);
    const struct twist *own = tws_twist(walk->abstraction->space);
    memset(print, 0, sizeof *print);
    for (unsigned m = 0; m < walk->moves; m++)
        print->keeps[m] = part_keeps_goal(walk, symmetry->move[m]);
    for (unsigned i = 0; i < walk->twist->places; i++) {
        const unsigned image = symmetry->place[i], set = own->set_of[image], turns = own->set[set].turns;
        const unsigned kind = abstraction->code[image][walk->twist->solved[image]] / turns;
        unsigned first = 0;
        for (;; first++) {
            const unsigned other = symmetry->place[first];
            if (own->set_of[other] == set &&
                abstraction->code[other][walk->twist->solved[other]] / turns == kind)
                break;
        }
        print->alike[i] = (uint8_t)first;
        print->turned[i] = turns > 1 && !own->set[set].blind[kind];
    }
}

/* Keeps one symmetry for each question that is answered in its own way. */
static bool choose_questions(struct orbit_walk *walk)
{
    struct twist_symmetry *all = walk->known = malloc(SYMMETRIES_MAX * sizeof *all);
    struct question_print *prints = malloc((ORBITS_QUESTIONS_MAX + 1) * sizeof *prints);
    walk->symmetry = malloc(ORBITS_QUESTIONS_MAX * sizeof *walk->symmetry);
    const bool made = all != NULL && prints != NULL && walk->symmetry != NULL;
    const unsigned count = walk->known_count = made ? twist_symmetries(walk->twist, all, SYMMETRIES_MAX) : 0;
    for (unsigned i = 0; i < count && walk->questions < ORBITS_QUESTIONS_MAX; i++) {
        struct question_print *print = &prints[walk->questions];
        make_print(walk, &all[i], print);
        unsigned same = 0;
        while (memcmp(&prints[same], print, sizeof *print) != 0)
            same++;
        if (same < walk->questions)
            continue;
        for (unsigned m = 0; m < walk->moves; m++)
            walk->keepers[m] |= (uint32_t)print->keeps[m] << walk->questions;
        memcpy(walk->move[walk->questions], all[i].move, sizeof all[i].move);
        walk->symmetry[walk->questions++] = all[i];
    }
    free(prints);
    return walk->questions > 0;
}

/* ---- which moves may follow which ---- */

struct move_pair {
    struct twist_move both;
    uint16_t number; /* first × moves + second */
};

static int by_both(const void *a, const void *b)
{
    const struct move_pair *one = a, *other = b;
    const int order = memcmp(&one->both, &other->both, sizeof one->both);
    return order != 0 ? order : (one->number > other->number) - (one->number < other->number);
}

/* Of all pairs that do the same only the first is walked, and none that one move or none does as well: of the
 * shortest ways to a state, the first in the order of moves has only such pairs. */
static bool find_follows(struct orbit_walk *walk)
{
    const unsigned moves = walk->moves;
    struct move_pair *pairs = calloc((size_t)moves * moves + moves + 1, sizeof *pairs);
    if (pairs == NULL)
        return false;
    size_t count = 0;
    twist_identity(walk->twist, &pairs[count++].both);
    for (unsigned a = 0; a < moves; a++)
        twist_compose(walk->twist, &pairs[0].both, &walk->twist->move[a], &pairs[count++].both);
    for (unsigned a = 0; a < moves; a++)
        for (unsigned b = 0; b < moves; b++) {
            pairs[count].number = (uint16_t)(a * moves + b + 1);
            twist_compose(walk->twist, &walk->twist->move[a], &walk->twist->move[b], &pairs[count++].both);
        }
    qsort(pairs, count, sizeof *pairs, by_both);
    for (size_t i = 0; i < count; i++) {
        const bool first = i == 0 || memcmp(&pairs[i].both, &pairs[i - 1].both, sizeof pairs->both) != 0;
        if (first && moves > 0 && pairs[i].number > 0)
            walk->follows[(pairs[i].number - 1u) / moves][(pairs[i].number - 1u) % moves] = true;
    }
    for (unsigned a = 0; a < moves; a++)
        walk->follows[moves][a] = true;
    free(pairs);
    return true;
}

enum pz_status orbit_walk_new(const struct abstraction *abstraction, struct orbit_walk **out,
                              struct pz_error *error)
{
    const struct tws_abstraction *tws = tws_abstraction_of(abstraction);
    struct orbit_walk *walk = calloc(1, sizeof *walk);
    if (walk == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a walk");
    walk->abstraction = abstraction;
    walk->twist = tws->twist;
    walk->moves = tws->twist->moves;
    walk->parts = twist_numbers_parts(tws->numbers, walk->part);
    const uint64_t root = abstraction_own_key(abstraction, abstraction->root);
    for (unsigned i = 0; i < walk->parts; i++)
        walk->goal[i] = (uint32_t)(root / walk->part[i].weight % walk->part[i].count);
    if (choose_questions(walk) && find_follows(walk)) {
        *out = walk;
        return PZ_OK;
    }
    orbit_walk_free(walk);
    return pz_fail(error, PZ_MEMORY, "no memory for a walk");
}

void orbit_walk_free(struct orbit_walk *walk)
{
    if (walk != NULL) {
        free(walk->symmetry);
        free(walk->known);
    }
    free(walk);
}

bool orbit_walk_begin(const struct orbit_walk *walk, unsigned question, const void *state,
                      uint32_t value[TWIST_PARTS_MAX])
{
    const struct tws_abstraction *tws = tws_abstraction_of(walk->abstraction);
    uint8_t room[TWIST_PLACES_MAX], image[TWIST_PLACES_MAX], own[TWIST_PLACES_MAX];
    twist_symmetry_apply(walk->twist, &walk->symmetry[question],
                         tws_layout_codes(tws->layout, walk->twist->places, state, room), image);
    tws_abstract_codes(tws, image, own);
    const uint64_t key = twist_numbers_rank(tws->numbers, own);
    for (unsigned i = 0; i < walk->parts && key != ABSTRACTION_NO_KEY; i++)
        value[i] = (uint32_t)(key / walk->part[i].weight % walk->part[i].count);
    return key != ABSTRACTION_NO_KEY;
}

void orbit_walk_step(const struct orbit_walk *walk, const void *state, unsigned move, void *out)
{
    const struct tws_layout *layout = tws_abstraction_of(walk->abstraction)->layout;
    uint8_t room[TWIST_PLACES_MAX], moved[TWIST_PLACES_MAX];
    memset(out, 0, layout->state_bytes);
    twist_apply(walk->twist, move, tws_layout_codes(layout, walk->twist->places, state, room), moved);
    tws_layout_pack(layout, walk->twist->places, moved, out);
}

/* A symmetry makes of a solution another one. A solution that begins with the least move of all has only
 * pairs that may follow each other: an equal pair that is earlier would begin with a lesser one. */
void orbit_walk_firsts(const struct orbit_walk *walk, const void *state, bool first[TWIST_MOVES_MAX])
{
    const struct twist *twist = walk->twist;
    const struct tws_layout *layout = tws_abstraction_of(walk->abstraction)->layout;
    uint8_t room[TWIST_PLACES_MAX], image[TWIST_PLACES_MAX];
    const uint8_t *codes = tws_layout_codes(layout, twist->places, state, room);
    memset(first, true, walk->moves * sizeof *first);
    for (unsigned i = 0; i < walk->known_count; i++) {
        twist_symmetry_apply(twist, &walk->known[i], codes, image);
        for (unsigned m = 0; m < walk->moves && memcmp(image, codes, twist->places) == 0; m++)
            first[m] = first[m] && walk->known[i].move[m] >= m;
    }
}

/* Returns the logarithm of the number of arrangements, whether or not they can be reached. */
static double log_arrangements(const struct twist *twist)
{
    double sum = 0;
    for (unsigned set = 0; set < twist->sets; set++) {
        const struct twist_set *shape = &twist->set[set];
        unsigned count[TWIST_CODES] = {0}, seen = 0;
        for (unsigned i = shape->first; i < (unsigned)shape->first + shape->places; i++) {
            const unsigned kind = twist->solved[i] / shape->turns;
            sum += log(shape->places - (i - shape->first)) - log(++count[kind]);
            seen += shape->turns > 1 && !shape->blind[kind];
        }
        sum += log(shape->turns) * (seen > 0 && twist_keeps_sum(twist, set) ? seen - 1 : seen);
    }
    return sum;
}

double orbit_walk_growth(const struct orbit_walk *walk)
{
    double pairs = 0;
    for (unsigned a = 0; a < walk->moves; a++)
        for (unsigned b = 0; b < walk->moves; b++)
            pairs += walk->follows[a][b];
    return pairs / walk->moves;
}

double orbit_walk_effort(const struct orbit_walk *walk, unsigned bound, double nodes)
{
    const double growth = log(orbit_walk_growth(walk)), length = log_arrangements(walk->twist) / growth;
    return (log(nodes) + growth * fmax(0, length - bound)) / log(10);
}
