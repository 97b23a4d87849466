/* SPDX-License-Identifier: MIT */
/*
 * Lists abstractions by orbits, and chooses the one by which a search takes least time. That is guessed from
 * its levels: the first are made, and the later ones taken to grow as the last of these did.
 */
#include "base/table/state_table.h"
#include "space/guard.h"
#include "space/text/abstract/tws_abstractor.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUBSETS_MAX = 1 << 16, /* of moves' powers that are looked at … */
    LOOKS_MAX = 1 << 20,   /* … with what is dropped in them: of many sets there are too many ways */
    TRIED_MAX = 8,         /* abstractions of which levels are made */
    LEVEL_KEYS = 1 << 15,  /* in those levels */
    LEVELS_GUESSED = 250,  /* at most: of some puzzles they do not grow */
    REMEMBERED_MAX = 16,
    SETS_TRIED_MAX = 4 /* with more sets nothing is dropped in part */
};
/* Measured on the 3x3x3 cube: so many questions, as a power of them, would say as much if none knew anything
 * of another's answer; and what a node takes beside its questions, in questions. */
static const double questions_alone = 0.6, node_questions = 5.5;

struct orbit_candidate {
    struct orbit_choice choice;
    double size;
    unsigned keepers; /* moves that keep the goal */
};

struct orbit_list {
    const struct tws_abstractor *abstractor;
    double most;
    unsigned looks, count;
    struct orbit_candidate best[TRIED_MAX]; /* by size, the largest first */
    uint64_t seen[SUBSETS_MAX];             /* hashes of classes */
};

/* ---- candidates ---- */

/* Notes a candidate unless one of that size is there that keeps as many moves: that is its image by a
 * symmetry, most of the time. */
static void note_candidate(struct orbit_list *list, const struct orbit_choice *choice,
                           const struct orbit_classes *classes)
{
    const struct tws_rules *rules = list->abstractor->rules;
    struct orbit_candidate next = {.choice = *choice, .size = orbit_classes_size(rules, classes)};
    if (next.size > list->most || next.size < 2)
        return;
    for (unsigned m = 0; m < rules->twist.moves; m++)
        next.keepers += orbit_classes_keep(rules, classes, &rules->twist.move[m]);
    unsigned at = 0;
    while (at < list->count && list->best[at].size > next.size)
        at++;
    for (unsigned i = at; i < list->count && list->best[i].size == next.size; i++)
        if (list->best[i].keepers == next.keepers)
            return;
    if (at == TRIED_MAX)
        return;
    list->count += list->count < TRIED_MAX;
    memmove(&list->best[at + 1], &list->best[at], (list->count - at - 1) * sizeof next);
    list->best[at] = next;
}

/* Returns false if these classes were looked at before. */
static bool is_new(struct orbit_list *list, const struct orbit_classes *classes)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < sizeof classes->of + sizeof classes->sightless; i++)
        hash = (hash ^ ((const uint8_t *)classes)[i]) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 31);
    for (unsigned set = 0; set < TWIST_SETS_MAX; set++)
        hash = (hash ^ classes->blind[set]) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 31);
    uint64_t *slot = &list->seen[hash % SUBSETS_MAX];
    const bool fresh = *slot != hash; /* another one in its place: looked at again */
    *slot = hash;
    return fresh;
}

/* Returns false once enough was looked at, or when the choice is not wanted any more. */
static bool may_look(struct orbit_list *list)
{
    return list->looks < LOOKS_MAX && wanted_still();
}

/* Drops what sets have in all ways. */
static void try_ways(struct orbit_list *list, struct orbit_choice *choice)
{
    const unsigned sets = list->abstractor->rules->sets;
    const bool few = sets <= SETS_TRIED_MAX;
    struct orbit_classes classes;
    orbit_classes_make(list->abstractor->rules, choice, &classes);
    if (!is_new(list, &classes))
        return;
    for (uint64_t way = 0; way < UINT64_C(1) << (few ? 2 * sets : sets) && may_look(list); way++) {
        for (unsigned set = 0; set < sets; set++)
            choice->dropped[set] = (uint8_t)(few ? way >> 2 * set & 3 : (way >> set & 1) * 3);
        orbit_classes_make(list->abstractor->rules, choice, &classes);
        note_candidate(list, choice, &classes);
        list->looks++;
    }
    memset(choice->dropped, 0, sizeof choice->dropped);
}

static bool makes_moves(const struct tws_rules *rules, unsigned listed)
{
    for (unsigned m = 0; m < rules->twist.moves; m++)
        if (rules->name[m].listed == listed)
            return true;
    return false;
}

/* Goes to the next subset: each listed move by itself, by a power that divides its order, or not at all. */
static bool next_subset(const struct tws_rules *rules, bool whole, struct orbit_choice *choice)
{
    for (unsigned i = 0; i < rules->listed_moves; i++) {
        const unsigned order = rules->order[i];
        if (!makes_moves(rules, i))
            continue;
        unsigned power = choice->power[i] + 1u;
        while (power < order && order % power != 0)
            power++;
        choice->power[i] = (uint8_t)(power < order && (!whole || power == 1) ? power : 0);
        if (choice->power[i] > 0)
            return true;
    }
    return false;
}

static double subsets_of(const struct tws_rules *rules)
{
    double count = 1;
    for (unsigned i = 0; i < rules->listed_moves; i++) {
        unsigned ways = 1;
        for (unsigned power = 1; power < rules->order[i]; power++)
            ways += rules->order[i] % power == 0;
        count *= makes_moves(rules, i) ? ways : 1;
    }
    return count;
}

static void list_candidates(struct orbit_list *list)
{
    const struct tws_rules *rules = list->abstractor->rules;
    const bool whole = subsets_of(rules) > SUBSETS_MAX;
    struct orbit_choice choice = {.power = {0}};
    unsigned looked = 0;
    do
        try_ways(list, &choice);
    while (++looked < SUBSETS_MAX && may_look(list) && next_subset(rules, whole, &choice));
}

/* ---- efforts ---- */

/* Adds those for which there is room. */
static void add_successors(const struct orbit_walk *walk, struct state_table *table, uint64_t key)
{
    for (unsigned m = 0; m < walk->moves && table->count < LEVEL_KEYS; m++) {
        uint64_t next = 0;
        for (unsigned i = 0; i < walk->parts; i++) {
            const struct twist_part *part = &walk->part[i];
            next += part->next[m * (size_t)part->count + key / part->weight % part->count] * part->weight;
        }
        (void)state_table_add(table, &next);
    }
}

/* Guesses how long a search takes, next to other ones: a state that is so many moves away at least saves what
 * grows in so many, so the near ones count most, and of several questions each leaves fewer of these. */
static double guess_effort(const struct orbit_walk *walk, struct state_table *table)
{
    const double keys = (double)walk->abstraction->keys, growth = fmax(orbit_walk_growth(walk), 1.5);
    double level = 1, left = keys, grows = 1, nearer = 0, nodes = 0;
    unsigned first = 0;
    const uint64_t goal = orbit_walk_key(walk, walk->goal);
    (void)state_table_add(table, &goal);
    for (int depth = 0; level >= 0.5 && depth < LEVELS_GUESSED; depth++) {
        const unsigned end = table->count;
        const bool room = end < LEVEL_KEYS;
        left = fmax(left - level, 0);
        const double near = pow(1 - left / keys, pow(walk->questions, questions_alone));
        nodes += (near - nearer) * pow(growth, -depth);
        nearer = near;
        for (; room && first < end; first++)
            add_successors(walk, table, *(const uint64_t *)state_table_at(table, first));
        if (room && table->count < LEVEL_KEYS) {
            grows = (table->count - end) / level * keys / left; /* were all new that it leads to */
            level = table->count - end;
        } else {
            level = left * (1 - exp(-level * grows / keys));
        }
    }
    return nodes * (walk->questions + node_questions);
}

/* *effort becomes INFINITY for an abstraction that cannot be made. Returns PZ_MEMORY without memory. */
static enum pz_status effort_by(const struct abstractor *abstractor, const char *text, double *effort,
                                struct pz_error *error)
{
    struct abstraction *abstraction = NULL;
    struct orbit_walk *walk = NULL;
    struct state_table table = {0};
    *effort = INFINITY;
    enum pz_status status = orbits_open(abstractor, text, &abstraction, error);
    if (status == PZ_OK)
        status = orbit_walk_new(abstraction, &walk, error);
    if (status == PZ_OK && !state_table_init_alone(&table, LEVEL_KEYS, sizeof(uint64_t), 1))
        status = pz_fail(error, PZ_MEMORY, "no memory to judge abstractions");
    if (status == PZ_OK)
        *effort = guess_effort(walk, &table);
    state_table_clear(&table);
    orbit_walk_free(walk);
    abstraction_close(abstraction);
    return status == PZ_MEMORY ? status : PZ_OK;
}

/* ---- the choice ---- */

/* Choices made lately, by the space's name: a choice takes some tenths of a second. */
static struct {
    char size[PZ_SIZE_MAX];
    double keys;
    char text[ORBITS_TEXT_MAX]; /* "" for none */
} remembered[REMEMBERED_MAX];
static unsigned remember_next;
static pthread_mutex_t remember_lock = PTHREAD_MUTEX_INITIALIZER;

static bool recall_choice(const struct pz_space *space, double keys, char text[ORBITS_TEXT_MAX])
{
    bool found = false;
    (void)pthread_mutex_lock(&remember_lock);
    for (unsigned i = 0; i < REMEMBERED_MAX && !found; i++) {
        found = remembered[i].keys == keys && strcmp(remembered[i].size, space->size) == 0;
        if (found)
            memcpy(text, remembered[i].text, ORBITS_TEXT_MAX);
    }
    (void)pthread_mutex_unlock(&remember_lock);
    return found;
}

static void remember_choice(const struct pz_space *space, double keys, const char text[ORBITS_TEXT_MAX])
{
    (void)pthread_mutex_lock(&remember_lock);
    const unsigned at = remember_next++ % REMEMBERED_MAX;
    memcpy(remembered[at].size, space->size, PZ_SIZE_MAX);
    memcpy(remembered[at].text, text, ORBITS_TEXT_MAX);
    remembered[at].keys = keys;
    (void)pthread_mutex_unlock(&remember_lock);
}

static enum pz_status make_choice(const struct abstractor *base, double keys, char text[ORBITS_TEXT_MAX],
                                  struct pz_error *error)
{
    const struct tws_abstractor *abstractor = tws_abstractor_of(base);
    enum pz_status status = PZ_OK;
    double best = INFINITY;
    struct orbit_list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to list abstractions");
    list->abstractor = abstractor;
    list->most = keys;
    list_candidates(list);
    for (unsigned i = 0; i < list->count && status == PZ_OK && wanted_still(); i++) {
        char next[ORBITS_TEXT_MAX];
        double effort = INFINITY;
        if (orbits_print(abstractor, &list->best[i].choice, next))
            status = effort_by(base, next, &effort, error);
        if (effort >= best)
            continue;
        best = effort;
        memcpy(text, next, ORBITS_TEXT_MAX);
    }
    free(list);
    return status == PZ_OK && !wanted_still() ? pz_fail(error, PZ_CANCELLED, "the choice is not wanted")
                                              : status;
}

enum pz_status orbits_choose(const struct abstractor *base, double keys, char text[ORBITS_TEXT_MAX],
                             struct pz_error *error)
{
    enum pz_status status = orbits_fit(base, error);
    memset(text, 0, ORBITS_TEXT_MAX);
    if (status == PZ_OK && !recall_choice(base->space, keys, text)) {
        status = make_choice(base, keys, text, error);
        if (status == PZ_OK)
            remember_choice(base->space, keys, text);
    }
    return status == PZ_OK && *text == '\0'
               ? pz_fail(error, PZ_UNSUPPORTED, "no abstraction by orbits is small enough")
               : status;
}
