/* SPDX-License-Identifier: MIT */
/*
 * States by class: states that symmetries of the moves carry to each other are one, written as the least of
 * them. A symmetry is a table for each place: which place its piece comes from, and what its code becomes.
 */
#include "space/text/tws/tws.h"
#include "space/text/tws/tws_space.h"
#include "space/twist/twist_symmetry.h"

#include <assert.h>
#include <stdlib.h>

enum { CLASS_SYMMETRIES_MAX = 64 };

struct class_table {
    uint8_t from[TWIST_PLACES_MAX];
    uint8_t code[TWIST_PLACES_MAX][TWIST_CODES];
};

struct tws_classes {
    unsigned count, places; /* the first symmetry changes nothing */
    struct class_table table[];
};

static void fill_class_table(const struct twist *twist, const struct twist_symmetry *symmetry,
                             struct class_table *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned place = 0; place < twist->places; place++) {
        const struct twist_set *set = &twist->set[twist->set_of[place]];
        const unsigned to = symmetry->place[place];
        out->from[to] = (uint8_t)place;
        for (unsigned code = 0; code < (unsigned)set->kinds * set->turns; code++)
            out->code[to][code] = twist_symmetry_code(twist, symmetry, place, (uint8_t)code);
    }
}

/* Makes the table that does one after the other. */
static void join_class_tables(const struct twist *twist, const struct class_table *first,
                              const struct class_table *second, struct class_table *both)
{
    memset(both, 0, sizeof *both);
    for (unsigned place = 0; place < twist->places; place++) {
        const unsigned between = second->from[place], from = first->from[between];
        const struct twist_set *set = &twist->set[twist->set_of[from]];
        both->from[place] = (uint8_t)from;
        for (unsigned code = 0; code < (unsigned)set->kinds * set->turns; code++)
            both->code[place][code] = second->code[place][first->code[between][code]];
    }
}

/* Takes the table behind the last one, unless there is one like it, as where only turns that nobody sees
 * differ. Returns true if it is new. */
static bool take_class_table(struct tws_classes *classes)
{
    unsigned same = 0;
    while (memcmp(&classes->table[same], &classes->table[classes->count], sizeof *classes->table) != 0)
        same++;
    const bool is_new = same == classes->count;
    classes->count += is_new;
    return is_new;
}

/* Adds what several together do: then a class is the same whichever of its states it is made from. Of a
 * puzzle with very many symmetries not all were found. Returns false if they are too many. */
static bool close_group(const struct twist *twist, struct tws_classes *classes)
{
    for (unsigned pair = 0; pair < classes->count * classes->count; pair++) {
        join_class_tables(twist, &classes->table[pair / classes->count],
                          &classes->table[pair % classes->count], &classes->table[classes->count]);
        if (!take_class_table(classes))
            continue;
        if (classes->count > CLASS_SYMMETRIES_MAX)
            return false;
        pair = 0; /* pairs have other numbers now */
    }
    return true;
}

enum pz_status tws_classes_new(const struct twist *twist, const uint8_t *goal, struct tws_classes **out,
                               struct pz_error *error)
{
    struct twist_symmetry *all = malloc(CLASS_SYMMETRIES_MAX * sizeof *all);
    struct tws_classes *classes =
        malloc(sizeof *classes + (CLASS_SYMMETRIES_MAX + 2) * sizeof(struct class_table));
    const unsigned found =
        all != NULL && classes != NULL ? twist_symmetries(twist, all, CLASS_SYMMETRIES_MAX) : 0;
    if (found > 0)
        *classes = (struct tws_classes){.places = twist->places};
    for (unsigned i = 0; i < found; i++) {
        uint8_t image[TWIST_PLACES_MAX];
        twist_symmetry_apply(twist, &all[i], goal, image);
        if (memcmp(image, goal, twist->places) != 0)
            continue;
        fill_class_table(twist, &all[i], &classes->table[classes->count]);
        (void)take_class_table(classes);
    }
    free(all);
    *out = classes;
    if (found == 0)
        return pz_fail(error, PZ_MEMORY, "no memory for symmetries");
    return close_group(twist, classes)
               ? PZ_OK
               : pz_fail(error, PZ_UNSUPPORTED, "symmetry=yes: there are more than %d symmetries",
                         CLASS_SYMMETRIES_MAX);
}

/* Writes the least image of a state. Returns for how many states it stands. */
static unsigned least_image(const struct tws_classes *classes, const uint8_t *codes, uint8_t *out)
{
    unsigned same = 1;
    memcpy(out, codes, classes->places);
    for (unsigned i = 1; i < classes->count; i++) {
        const struct class_table *table = &classes->table[i];
        unsigned place = 0;
        uint8_t code = 0;
        for (; place < classes->places; place++) {
            code = table->code[place][codes[table->from[place]]];
            if (code != out[place])
                break;
        }
        same += place == classes->places;
        if (place == classes->places || code > out[place])
            continue;
        same = 1;
        for (; place < classes->places; place++)
            out[place] = table->code[place][codes[table->from[place]]];
    }
    assert(classes->count % same == 0); /* those that keep a state are a subgroup */
    return classes->count / same;
}

/* ---- the space's functions ---- */

void tws_classes_least(const struct pz_space *space, void *state)
{
    uint8_t room[TWIST_PLACES_MAX], least[TWIST_PLACES_MAX];
    if (!tws_has_classes(space))
        return;
    (void)least_image(tws_of(space)->classes, tws_codes(space, state, room), least);
    memset(state, 0, space->state_bytes);
    tws_pack(space, least, state);
}

bool tws_has_classes(const struct pz_space *space)
{
    return space->puzzle == &tws_classes_puzzle;
}

uint64_t tws_stands_for(const struct pz_space *space, const void *state)
{
    uint8_t room[TWIST_PLACES_MAX], least[TWIST_PLACES_MAX];
    if (!tws_has_classes(space))
        return 1;
    return least_image(tws_of(space)->classes, tws_codes(space, state, room), least);
}

/* Without tokens: what a move after the image of another one undoes is not looked for. */
unsigned tws_classes_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                            void *successors, uint8_t *tokens)
{
    const unsigned count = tws_puzzle.expand(space, state, PZ_NO_TOKEN, successors, tokens);
    (void)came_by;
    for (unsigned i = 0; i < count; i++) {
        tws_classes_least(space, (uint8_t *)successors + (size_t)i * space->state_bytes);
        tokens[i] = PZ_NO_TOKEN;
    }
    return count;
}
