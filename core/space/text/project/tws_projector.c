/* SPDX-License-Identifier: MIT */
#include "space/text/project/tws_projector.h"
#include "space/text/definition.h"
#include "space/text/tws/tws_sequences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs make them at some hundred million moves a second. */
#define TWS_KEYS_MAX (UINT64_C(1) << 27)

/* ---- sizes ---- */

/* A set whose pieces are distinguished in part is one coordinate, which must be listed. */
static double set_size(const struct tws_projector *projector, uint64_t atoms, unsigned set)
{
    const struct twist_set *shape = &projector->rules->twist.set[set];
    unsigned count[TWIST_CODES + 1] = {0};
    unsigned kinds = 0, told = 0;
    for (unsigned i = 0; i < projector->base.atoms; i++) {
        if ((atoms >> i & 1) == 0 || projector->atom[i].set != set)
            continue;
        count[kinds++] = projector->pieces[i];
        told += projector->pieces[i];
    }
    const bool all = told == shape->places;
    count[kinds] = shape->places - told;
    double size = projector_arrangements(count, kinds + 1);
    for (unsigned i = 0; i < (all && told > 0 ? told - 1 : told); i++)
        size *= shape->turns;
    const bool listed = all || told == 0 || shape->turns == 1 ||
                        size * (projector->rules->twist.moves + 1) <= TWIST_LISTED_STEPS_MAX;
    return listed ? size : INFINITY;
}

static double tws_size(const struct projector *base, uint64_t atoms)
{
    const struct tws_projector *projector = tws_projector_of(base);
    double size = 1;
    for (unsigned set = 0; set < projector->rules->sets; set++)
        size *= set_size(projector, atoms, set);
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

static uint32_t sets_of(const struct tws_projector *projector, uint64_t atoms)
{
    uint32_t sets = 0;
    for (unsigned i = 0; i < projector->base.atoms; i++)
        if ((atoms >> i & 1) != 0)
            sets |= UINT32_C(1) << projector->atom[i].set;
    return sets;
}

static bool tws_share(const struct projector *base, uint64_t a, uint64_t b)
{
    const struct tws_projector *projector = tws_projector_of(base);
    const uint32_t sets_a = sets_of(projector, a), sets_b = sets_of(projector, b);
    for (unsigned move = 0; move < projector->rules->twist.moves; move++)
        if ((projector->moved[move] & sets_a) != 0 && (projector->moved[move] & sets_b) != 0)
            return true;
    return false;
}

/* ---- keys ---- */

static uint64_t tws_own_key(const struct projection *base, const void *state)
{
    uint8_t room[TWIST_PLACES_MAX];
    return twist_numbers_rank(tws_projection_of(base)->numbers, tws_codes(base->space, state, room));
}

void tws_project_codes(const struct tws_projection *projection, const uint8_t *codes,
                       uint8_t out[TWIST_PLACES_MAX])
{
    for (unsigned i = 0; i < projection->twist->places; i++)
        out[i] = projection->code[i][codes[i]];
}

/* Writes the codes of the projected state. */
static void project_state(const struct tws_projection *projection, const void *state,
                          uint8_t out[TWIST_PLACES_MAX])
{
    uint8_t room[TWIST_PLACES_MAX];
    tws_project_codes(projection,
                      tws_layout_codes(projection->layout, projection->twist->places, state, room), out);
}

static uint64_t tws_key(const struct projection *base, const void *state)
{
    const struct tws_projection *projection = tws_projection_of(base);
    uint8_t own[TWIST_PLACES_MAX];
    project_state(projection, state, own);
    return twist_numbers_rank(projection->numbers, own);
}

/* ---- making one ---- */

static void tws_projection_close(struct projection *base)
{
    if (base->space != NULL)
        base->space->puzzle->close(base->space);
    free(base);
}

/* Returns the file in which all but the atoms are '?'; NULL without memory. */
static struct tws_file *leave_atoms(const struct tws_projector *projector, uint64_t atoms)
{
    const struct tws_rules *rules = projector->rules;
    struct tws_file *file = malloc(sizeof *file);
    if (file == NULL)
        return NULL;
    *file = *projector->file;
    for (unsigned place = 0; place < file->places; place++) {
        bool told = false;
        for (unsigned i = 0; i < projector->base.atoms; i++)
            told |= (atoms >> i & 1) != 0 && rules->twist.set_of[place] == projector->atom[i].set &&
                    rules->label[projector->atom[i].set][projector->atom[i].kind] == file->piece[place];
        if (!told)
            file->piece[place] = file->turn[place] = TWS_ANY;
    }
    return file;
}

static void map_codes(struct tws_projection *projection, const struct tws_projector *projector, unsigned set,
                      const void *context)
{
    const struct tws_rules *rules = projector->rules;
    const struct tws_rules *own = &tws_of(projection->base.space)->variant->rules;
    const struct twist_set *from = &rules->twist.set[set], *to = &own->twist.set[set];
    (void)context;
    for (unsigned code = 0; code < (unsigned)from->kinds * from->turns; code++) {
        const uint32_t label = rules->label[set][code / from->turns];
        unsigned kind = 0;
        while (kind + 1 < to->kinds && own->label[set][kind] != label)
            kind++; /* '?' is the last one */
        const unsigned turn = to->blind[kind] ? 0 : code % from->turns;
        for (unsigned place = from->first; place < (unsigned)from->first + from->places; place++)
            projection->code[place][code] = (uint8_t)(kind * to->turns + turn);
    }
}

static enum pz_status finish(struct tws_projection *projection, const struct tws_projector *projector,
                             tws_map_codes *map, const void *context, struct pz_error *error)
{
    const struct pz_space *own = projection->base.space;
    uint64_t goal[PZ_STATE_MAX / 8] = {0};
    uint8_t codes[TWIST_PLACES_MAX];
    projection->twist = &projector->rules->twist;
    projection->layout = &tws_of(projector->base.space)->variant->layout;
    projection->numbers = twist_lazy_numbers(tws_of(own)->variant->lazy);
    if (projection->numbers == NULL)
        return pz_fail(error, PZ_TOO_LARGE, "this abstraction has no ranking function");
    projection->base.keys = twist_numbers_count(projection->numbers);
    for (unsigned set = 0; set < projector->rules->sets; set++)
        map(projection, projector, set, context);
    projector->base.space->puzzle->goal(projector->base.space, goal);
    project_state(projection, goal, codes);
    tws_pack(own, codes, projection->base.root);
    if (tws_own_key(&projection->base, projection->base.root) == UINT64_MAX)
        return pz_fail(error, PZ_UNSUPPORTED, "the moves do not lead from the solved state to this goal");
    return PZ_OK;
}

enum pz_status tws_projection_make(const struct tws_projector *projector, struct tws_file *file,
                                   tws_map_codes *map, const void *context, struct projection **out,
                                   struct pz_error *error)
{
    static const struct pz_key quarter = {"metric", "quarter"};
    struct tws_projection *projection = calloc(1, sizeof *projection);
    if (projection == NULL || file == NULL) {
        free(projection);
        free(file);
        return pz_fail(error, PZ_MEMORY, "no memory for an abstraction");
    }
    size_t length = 0;
    char *text = NULL;
    (void)tws_write(file, &text, &length);
    free(file);
    projection->base.ops = projector->base.ops;
    enum pz_status status = projection_compile(&projector->base, text, length, &quarter,
                                               tws_of(projector->base.space)->metric == TWS_QUARTER,
                                               &projection->base.space, error);
    if (status == PZ_OK)
        status = finish(projection, projector, map, context, error);
    if (status == PZ_OK)
        *out = &projection->base;
    else
        tws_projection_close(&projection->base);
    return status;
}

static enum pz_status tws_project(const struct projector *base, uint64_t atoms, struct projection **out,
                                  struct pz_error *error)
{
    const struct tws_projector *projector = tws_projector_of(base);
    return tws_projection_make(projector, leave_atoms(projector, atoms), map_codes, NULL, out, error);
}

/* ---- the projector ---- */

static void tws_projector_free(struct projector *base)
{
    free(((struct tws_projector *)base)->file);
    free(base);
}

static const struct projector_ops tws_ops = {
    .size = tws_size,
    .share = tws_share,
    .project = tws_project,
    .free = tws_projector_free,
    .key = tws_key,
    .own_key = tws_own_key,
    .close = tws_projection_close,
};

static void choose_kinds(struct tws_projector *projector)
{
    const struct tws_rules *rules = projector->rules;
    for (unsigned set = 0; set < rules->sets; set++) {
        const struct twist_set *shape = &rules->twist.set[set];
        if (projector->base.atoms < PROJECTION_ATOMS_MAX)
            projector->base.firsts |= UINT64_C(1) << projector->base.atoms;
        for (unsigned kind = 0; kind < shape->kinds; kind++) {
            if (rules->label[set][kind] == TWS_ANY || projector->base.atoms == PROJECTION_ATOMS_MAX)
                continue;
            const unsigned atom = projector->base.atoms++;
            projector->atom[atom] = (struct tws_atom){(uint8_t)set, (uint8_t)kind};
            for (unsigned i = shape->first; i < (unsigned)shape->first + shape->places; i++)
                projector->pieces[atom] += rules->twist.solved[i] / shape->turns == kind;
        }
    }
}

enum pz_status tws_projector_new(const struct pz_space *space, struct projector **out, struct pz_error *error)
{
    const struct definition *definition = tws_of(space)->definition;
    struct tws_projector *projector = calloc(1, sizeof *projector);
    if (projector != NULL)
        projector->file = malloc(sizeof *projector->file);
    if (projector == NULL || projector->file == NULL) {
        free(projector);
        return pz_fail(error, PZ_MEMORY, "no memory for a projector");
    }
    projector->base =
        (struct projector){.ops = &tws_ops, .format = DEFINITION_TWS, .space = space, .most = TWS_KEYS_MAX};
    projector->rules = &tws_of(space)->variant->rules;
    enum pz_status status = tws_read_whole(definition->text, definition->length, projector->file, error);
    projector->file->illegals = 0; /* the less is forbidden, the lower are distances */
    if (status != PZ_OK) {
        tws_projector_free(&projector->base);
        return status;
    }
    choose_kinds(projector);
    for (unsigned move = 0; move < projector->rules->twist.moves; move++)
        for (unsigned set = 0; set < projector->rules->sets; set++)
            if (moves_set(projector->rules, set, move))
                projector->moved[move] |= UINT32_C(1) << set;
    *out = &projector->base;
    return PZ_OK;
}
