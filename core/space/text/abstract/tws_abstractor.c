/* SPDX-License-Identifier: MIT */
#include "space/text/abstract/tws_abstractor.h"
#include "space/text/tws/tws_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs make them at some hundred million moves a second. */
#define TWS_KEYS_MAX (UINT64_C(1) << 27)

/* ---- sizes ---- */

/* A set whose pieces are distinguished in part is one coordinate, which must be listed. */
static double set_size(const struct tws_abstractor *abstractor, uint64_t atoms, unsigned set)
{
    const struct twist_set *shape = &abstractor->rules->twist.set[set];
    unsigned count[TWIST_CODES + 1] = {0};
    unsigned kinds = 0, told = 0;
    for (unsigned i = 0; i < abstractor->base.atoms; i++) {
        if ((atoms >> i & 1) == 0 || abstractor->atom[i].set != set)
            continue;
        count[kinds++] = abstractor->pieces[i];
        told += abstractor->pieces[i];
    }
    const bool all = told == shape->places;
    count[kinds] = shape->places - told;
    double size = abstractor_arrangements(count, kinds + 1);
    for (unsigned i = 0; i < (all && told > 0 ? told - 1 : told); i++)
        size *= shape->turns;
    const bool listed = all || told == 0 || shape->turns == 1 ||
                        size * (abstractor->rules->twist.moves + 1) <= TWIST_LISTED_STEPS_MAX;
    return listed ? size : INFINITY;
}

static double tws_size(const struct abstractor *base, uint64_t atoms)
{
    const struct tws_abstractor *abstractor = tws_abstractor_of(base);
    double size = 1;
    for (unsigned set = 0; set < abstractor->rules->sets; set++)
        size *= set_size(abstractor, atoms, set);
    return size;
}

static bool moves_set(const struct tws_rules *rules, unsigned set, unsigned move)
{
    const struct twist_set *shape = &rules->twist.set[set];
    for (unsigned i = shape->first; i < (unsigned)shape->first + shape->places; i++)
        if (rules->twist.move[move].from[i] != i || rules->twist.move[move].turn[i] != 0)
            return true;
    return false;
}

static uint32_t sets_of(const struct tws_abstractor *abstractor, uint64_t atoms)
{
    uint32_t sets = 0;
    for (unsigned i = 0; i < abstractor->base.atoms; i++)
        if ((atoms >> i & 1) != 0)
            sets |= UINT32_C(1) << abstractor->atom[i].set;
    return sets;
}

static bool tws_share(const struct abstractor *base, uint64_t a, uint64_t b)
{
    const struct tws_abstractor *abstractor = tws_abstractor_of(base);
    const uint32_t sets_a = sets_of(abstractor, a), sets_b = sets_of(abstractor, b);
    for (unsigned move = 0; move < abstractor->rules->twist.moves; move++)
        if ((abstractor->moved[move] & sets_a) != 0 && (abstractor->moved[move] & sets_b) != 0)
            return true;
    return false;
}

/* ---- keys ---- */

static uint64_t tws_own_key(const struct abstraction *base, const void *state)
{
    uint8_t room[TWIST_PLACES_MAX];
    return twist_numbers_rank(tws_abstraction_of(base)->numbers, tws_codes(base->space, state, room));
}

void tws_abstract_codes(const struct tws_abstraction *abstraction, const uint8_t *codes,
                        uint8_t out[TWIST_PLACES_MAX])
{
    for (unsigned i = 0; i < abstraction->twist->places; i++)
        out[i] = abstraction->code[i][codes[i]];
}

/* Writes the codes of the abstract state. */
static void abstract_state(const struct tws_abstraction *abstraction, const void *state,
                           uint8_t out[TWIST_PLACES_MAX])
{
    uint8_t room[TWIST_PLACES_MAX];
    tws_abstract_codes(abstraction,
                       tws_layout_codes(abstraction->layout, abstraction->twist->places, state, room), out);
}

static uint64_t tws_key(const struct abstraction *base, const void *state)
{
    const struct tws_abstraction *abstraction = tws_abstraction_of(base);
    uint8_t own[TWIST_PLACES_MAX];
    abstract_state(abstraction, state, own);
    return twist_numbers_rank(abstraction->numbers, own);
}

/* ---- making one ---- */

/* Returns the file in which all but the atoms are '?'; NULL without memory. */
static struct tws_file *leave_atoms(const struct tws_abstractor *abstractor, uint64_t atoms)
{
    const struct tws_rules *rules = abstractor->rules;
    struct tws_file *file = malloc(sizeof *file);
    if (file == NULL)
        return NULL;
    *file = *abstractor->file;
    for (unsigned place = 0; place < file->places; place++) {
        bool told = false;
        for (unsigned i = 0; i < abstractor->base.atoms; i++)
            told |= (atoms >> i & 1) != 0 && rules->twist.set_of[place] == abstractor->atom[i].set &&
                    rules->label[abstractor->atom[i].set][abstractor->atom[i].kind] == file->piece[place];
        if (!told)
            file->piece[place] = file->turn[place] = TWS_ANY;
    }
    return file;
}

static void map_codes(struct tws_abstraction *abstraction, const struct tws_abstractor *abstractor,
                      unsigned set, const void *context)
{
    const struct tws_rules *rules = abstractor->rules;
    const struct tws_rules *own = &tws_of(abstraction->base.space)->variant->rules;
    const struct twist_set *from = &rules->twist.set[set], *to = &own->twist.set[set];
    (void)context;
    for (unsigned code = 0; code < (unsigned)from->kinds * from->turns; code++) {
        const uint32_t label = rules->label[set][code / from->turns];
        unsigned kind = 0;
        while (kind + 1 < to->kinds && own->label[set][kind] != label)
            kind++; /* '?' is the last one */
        const unsigned turn = to->blind[kind] ? 0 : code % from->turns;
        for (unsigned place = from->first; place < (unsigned)from->first + from->places; place++)
            abstraction->code[place][code] = (uint8_t)(kind * to->turns + turn);
    }
}

static enum pz_status finish(struct tws_abstraction *abstraction, const struct tws_abstractor *abstractor,
                             tws_map_codes *map, const void *context, struct pz_error *error)
{
    const struct pz_space *own = abstraction->base.space;
    uint64_t goal[PZ_STATE_MAX / 8] = {0};
    uint8_t codes[TWIST_PLACES_MAX];
    abstraction->twist = &abstractor->rules->twist;
    abstraction->layout = &tws_of(abstractor->base.space)->variant->layout;
    abstraction->numbers = twist_lazy_numbers(tws_of(own)->variant->lazy);
    if (abstraction->numbers == NULL)
        return pz_fail(error, PZ_TOO_LARGE, "this abstraction has no ranking function");
    abstraction->base.keys = twist_numbers_count(abstraction->numbers);
    for (unsigned set = 0; set < abstractor->rules->sets; set++)
        map(abstraction, abstractor, set, context);
    abstractor->base.space->puzzle->goal(abstractor->base.space, goal);
    abstract_state(abstraction, goal, codes);
    tws_pack(own, codes, abstraction->base.root);
    if (tws_own_key(&abstraction->base, abstraction->base.root) == UINT64_MAX)
        return pz_fail(error, PZ_UNSUPPORTED, "the moves do not lead from the solved state to this goal");
    return PZ_OK;
}

enum pz_status tws_abstraction_make(const struct tws_abstractor *abstractor, struct tws_file *file,
                                    tws_map_codes *map, const void *context, struct abstraction **out,
                                    struct pz_error *error)
{
    static const struct pz_key quarter = {"metric", "quarter"};
    struct tws_abstraction *abstraction = calloc(1, sizeof *abstraction);
    if (abstraction == NULL || file == NULL) {
        free(abstraction);
        free(file);
        return pz_fail(error, PZ_MEMORY, "no memory for an abstraction");
    }
    size_t length = 0;
    char *text = NULL;
    (void)tws_write(file, &text, &length);
    free(file);
    abstraction->base.ops = abstractor->base.ops;
    enum pz_status status = abstraction_compile(&abstractor->base, text, length, &quarter,
                                                tws_of(abstractor->base.space)->metric == TWS_QUARTER,
                                                &abstraction->base.space, error);
    if (status == PZ_OK)
        status = finish(abstraction, abstractor, map, context, error);
    if (status == PZ_OK)
        *out = &abstraction->base;
    else
        abstraction_close(&abstraction->base);
    return status;
}

static enum pz_status tws_abstract(const struct abstractor *base, uint64_t atoms, struct abstraction **out,
                                   struct pz_error *error)
{
    const struct tws_abstractor *abstractor = tws_abstractor_of(base);
    return tws_abstraction_make(abstractor, leave_atoms(abstractor, atoms), map_codes, NULL, out, error);
}

/* ---- the abstractor ---- */

static void tws_abstractor_free(struct abstractor *base)
{
    free(((struct tws_abstractor *)base)->file);
    free(base);
}

static const struct abstractor_ops tws_ops = {
    .size = tws_size,
    .share = tws_share,
    .abstract = tws_abstract,
    .free = tws_abstractor_free,
    .key = tws_key,
    .own_key = tws_own_key,
};

static void choose_kinds(struct tws_abstractor *abstractor)
{
    const struct tws_rules *rules = abstractor->rules;
    for (unsigned set = 0; set < rules->sets; set++) {
        const struct twist_set *shape = &rules->twist.set[set];
        if (abstractor->base.atoms < ABSTRACTION_ATOMS_MAX)
            abstractor->base.firsts |= UINT64_C(1) << abstractor->base.atoms;
        for (unsigned kind = 0; kind < shape->kinds; kind++) {
            if (rules->label[set][kind] == TWS_ANY || abstractor->base.atoms == ABSTRACTION_ATOMS_MAX)
                continue;
            const unsigned atom = abstractor->base.atoms++;
            abstractor->atom[atom] = (struct tws_atom){(uint8_t)set, (uint8_t)kind};
            for (unsigned i = shape->first; i < (unsigned)shape->first + shape->places; i++)
                abstractor->pieces[atom] += rules->twist.solved[i] / shape->turns == kind;
        }
    }
}

enum pz_status tws_abstractor_new(const struct pz_space *space, struct abstractor **out,
                                  struct pz_error *error)
{
    const struct definition *definition = tws_of(space)->definition;
    struct tws_abstractor *abstractor = calloc(1, sizeof *abstractor);
    if (abstractor != NULL)
        abstractor->file = malloc(sizeof *abstractor->file);
    if (abstractor == NULL || abstractor->file == NULL) {
        free(abstractor);
        return pz_fail(error, PZ_MEMORY, "no memory for an abstractor");
    }
    abstractor->base =
        (struct abstractor){.ops = &tws_ops, .format = DEFINITION_TWS, .space = space, .most = TWS_KEYS_MAX};
    abstractor->rules = &tws_of(space)->variant->rules;
    enum pz_status status = tws_read_whole(definition->text, definition->length, abstractor->file, error);
    abstractor->file->illegals = 0; /* the less is forbidden, the lower are distances */
    if (status != PZ_OK) {
        tws_abstractor_free(&abstractor->base);
        return status;
    }
    choose_kinds(abstractor);
    for (unsigned move = 0; move < abstractor->rules->twist.moves; move++)
        for (unsigned set = 0; set < abstractor->rules->sets; set++)
            if (moves_set(abstractor->rules, set, move))
                abstractor->moved[move] |= UINT32_C(1) << set;
    *out = &abstractor->base;
    return PZ_OK;
}
