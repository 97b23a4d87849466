/* SPDX-License-Identifier: MIT */
#include "explore/ranked/runs/run_level.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run's words ---- */

static uint64_t place_of(const struct run_space *space, uint64_t run)
{
    assert(run < space->runs->outers && run_share_has(space->share, run));
    return run_share_place(space->share, run);
}

static _Atomic uint64_t *run_levels(const struct run_space *space, uint64_t place)
{
    return space->states->levels + place * space->shape.run_words;
}

static _Atomic uint64_t *run_marks(const struct run_space *space, uint32_t level, uint64_t place)
{
    return space->states->marks[level & 1] + place * run_mark_words(&space->shape);
}

/* A run's states, and its active bits of one level. */
struct run_words {
    _Atomic uint64_t *levels, *marks;
};

static struct run_words words_in_memory(const struct run_space *space, uint32_t level, uint64_t run)
{
    const uint64_t place = place_of(space, run);
    return (struct run_words){run_levels(space, place), run_marks(space, level, place)};
}

static struct run_words words_read(const struct run_space *space, uint64_t *words)
{
    _Atomic uint64_t *levels = (_Atomic uint64_t *)words;
    return (struct run_words){levels, levels + space->shape.run_words};
}

/* Returns the words of the run being made; on disk the held ones. */
static struct run_words own_words(const struct run_space *space, const struct run_member *member,
                                  uint32_t level, uint64_t run)
{
    assert(space->file == NULL || member->held == run);
    return space->file != NULL ? words_read(space, member->own) : words_in_memory(space, level, run);
}

/* Returns true if an earlier round has put states of the level being made into a run. */
static bool is_begun(const struct run_space *space, uint32_t level, uint64_t run)
{
    return space->again && space->found[level & 1][place_of(space, run)] > 0;
}

/* Reads the run to be made. */
static void hold(const struct run_space *space, struct run_member *member, uint32_t level, uint64_t run)
{
    if (space->file == NULL)
        return;
    if (is_begun(space, level, run))
        run_file_get_made(space->file, place_of(space, run), level, member->own, space->shape.run_words);
    else
        run_file_get(space->file, place_of(space, run), member->own, space->shape.run_words);
    member->held = run;
}

const _Atomic uint64_t *run_states(const struct run_space *space, struct run_member *member, uint64_t run)
{
    assert(!space->again);
    if (space->file != NULL && member->held != run)
        hold(space, member, 0, run);
    return own_words(space, member, 0, run).levels;
}

const uint64_t *run_last_states(const struct run_space *space, struct run_member *member, uint32_t last,
                                uint64_t run)
{
    if (space->file != NULL)
        run_file_get(space->file, place_of(space, run), member->source, space->shape.run_words);
    const struct run_words words =
        space->file != NULL ? words_read(space, member->source) : words_in_memory(space, last, run);
    run_marked(&space->shape, words.levels, words.marks, last % 3, member->left);
    return member->left;
}

static uint32_t count_states(const uint64_t *set, uint32_t words)
{
    uint64_t count = 0;
    for (uint32_t word = 0; word < words; word++)
        count += (uint64_t)__builtin_popcountll(set[word]);
    return (uint32_t)count;
}

/* Returns how many states of a place are in a level. Marked words may also hold states of three levels
 * before: they are counted and carried, too. */
static uint32_t count_level(const struct run_space *space, uint32_t level, uint64_t place, uint64_t *set)
{
    run_marked(&space->shape, run_levels(space, place), run_marks(space, level, place), level % 3, set);
    return count_states(set, space->shape.run_words);
}

bool run_space_count(struct run_space *space, uint32_t level, uint64_t done)
{
    const struct run_shape *shape = &space->shape;
    uint64_t *set = malloc(shape->run_words * sizeof *set);
    const uint64_t own = run_share_count(space->share, space->runs->outers);
    for (uint64_t at = 0; set != NULL && at < own; at++) {
        const uint64_t place = run_share_place(space->share, run_space_at(space, at));
        run_unreached(shape, run_levels(space, place), set);
        space->left[place] = count_states(set, shape->run_words);
        space->found[level & 1][place] = count_level(space, level, place, set);
        space->found[(level + 1) & 1][place] = at < done ? count_level(space, level + 1, place, set)
                                                         : UINT32_MAX; /* active bits to be cleared */
    }
    free(set);
    return set != NULL;
}

/* ---- where new states come from ---- */

/* The sources from which a run can be made. */
struct run_sources {
    uint64_t all;     /* states of the last level in them, by move */
    uint64_t carried; /* those of them that are carried one by one */
    unsigned changed; /* moves with such states that change the columns */
};

/* Returns how many states of the last level a run has that must be carried in this round. */
static uint32_t states_in(const struct run_space *space, uint32_t last, uint64_t run)
{
    if (!run_share_has(space->share, run))
        return foreign_runs_found(space->foreign, run);
    return space->again ? 0 : space->found[last & 1][place_of(space, run)];
}

static struct run_sources find_sources(const struct run_space *space, struct run_member *member,
                                       uint32_t last, uint64_t run)
{
    const struct pz_runs *runs = space->runs;
    struct run_sources sources = {0};
    for (unsigned move = 0; move < runs->moves; move++) {
        struct pz_edge *edge = &member->forward[move];
        runs->edge(runs, move, run, edge);
        const uint32_t found = edge->outer != PZ_NO_RUN ? states_in(space, last, edge->outer) : 0;
        if (found == 0)
            edge->outer = PZ_NO_RUN;
        sources.all += found;
        sources.carried += edge->columns != NULL ? found : 0;
        sources.changed += edge->columns != NULL && found > 0;
    }
    return sources;
}

/* Announces the runs that will be read soon. */
static void read_ahead(const struct run_space *space, const struct run_member *member)
{
    for (unsigned move = 0; space->file != NULL && move < space->runs->moves; move++) {
        const uint64_t run = member->forward[move].outer;
        if (run != PZ_NO_RUN && run_share_has(space->share, run))
            run_file_ahead(space->file, place_of(space, run));
    }
}

/* Returns the source by a move. On disk it is valid until the next call. */
static struct run_source source_of(const struct run_space *space, const struct run_member *member,
                                   uint32_t last, uint64_t run)
{
    if (!run_share_has(space->share, run))
        return foreign_runs_source(space->foreign, run);
    const bool reads = space->file != NULL && run != member->held;
    if (reads)
        run_file_get(space->file, place_of(space, run), member->source, space->shape.run_words);
    const struct run_words words =
        reads ? words_read(space, member->source) : own_words(space, member, last, run);
    return (struct run_source){.levels = words.levels, .marks = words.marks, .last = last % 3};
}

/* With other ranks, and where runs are not in order, there are no siblings: each run would need a set of its
 * own.
 */
static bool leads_to_kin(const struct run_space *space, const struct pz_edge *edge)
{
    return space->together > 1 && space->foreign == NULL && run_kin_joins(edge);
}

/* Returns the states of the last level in a run and its siblings; NULL if it has none that have some. */
static const uint64_t *kin_of(const struct run_space *space, struct run_member *member, uint32_t last,
                              uint64_t run)
{
    static const struct pz_edge same = {0};
    struct run_kin *kin = &member->kin;
    unsigned count = 0;
    for (unsigned move = 0; move < space->runs->moves; move++)
        if (leads_to_kin(space, &member->forward[move]))
            kin->found[count++] = member->forward[move].outer;
    assert(count <= space->runs->moves); /* and one more in found */
    if (count == 0)
        return NULL;
    if (states_in(space, last, run) > 0)
        kin->found[count++] = run;
    if (run_kin_begin(kin, last, count)) {
        for (unsigned i = 0; i < count; i++) {
            const struct run_source source = source_of(space, member, last, kin->runs[i]);
            run_scatter(&space->shape, &source, &same, &member->list, kin->set);
        }
    }
    return kin->set;
}

static void carry(const struct run_space *space, struct run_member *member, uint32_t last, uint64_t run)
{
    const struct pz_runs *runs = space->runs;
    const size_t bytes = space->shape.run_words * sizeof *member->next;
    const uint64_t *kin = kin_of(space, member, last, run);
    if (kin != NULL)
        memcpy(member->next, kin, bytes);
    else
        memset(member->next, 0, bytes);
    for (unsigned move = 0; move < runs->moves; move++) {
        if (member->forward[move].outer == PZ_NO_RUN || leads_to_kin(space, &member->forward[move]))
            continue;
        struct pz_edge back;
        const struct run_source source = source_of(space, member, last, member->forward[move].outer);
        runs->edge(runs, runs->inverse(runs, move), member->forward[move].outer, &back);
        assert(back.outer == run);
        run_scatter(&space->shape, &source, &back, &member->list, member->next);
    }
    run_trim(&space->shape, member->next);
}

/* Looks by the moves that change columns, or by those that keep them, while states are left. */
static void look_by(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                    uint32_t last, bool changed, uint64_t *left)
{
    const unsigned moves = space->runs->moves;
    for (unsigned move = 0; move < moves; move++) {
        const struct pz_edge *edge = &member->forward[move];
        if (*left == 0 || edge->outer == PZ_NO_RUN || (edge->columns != NULL) != changed ||
            leads_to_kin(space, edge))
            continue;
        const struct run_source source = source_of(space, member, last, edge->outer);
        sink->generated += *left;
        const uint64_t found = changed ? run_gather(&space->shape, &source, edge, &member->list)
                                       : run_gather_words(&space->shape, &source, edge, member->left);
        /* A run that could not be read is empty: more may be found. The level fails then. */
        *left -= found < *left ? found : *left;
    }
}

/* Looks among the run's siblings. */
static void look_at_kin(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                        uint32_t last, uint64_t run, uint64_t *left)
{
    const uint64_t *kin = kin_of(space, member, last, run);
    if (kin == NULL)
        return;
    uint64_t found = 0;
    for (uint32_t word = 0; word < space->shape.run_words; word++) {
        found += states_in_word(member->left[word] & kin[word]);
        member->left[word] &= ~kin[word];
    }
    sink->generated += *left;
    *left -= found < *left ? found : *left;
}

/* Looks for neighbours of the states left. Begins with moves that keep the columns: those compare whole
 * words. */
static void look(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                 uint32_t last, uint64_t run)
{
    const struct run_shape *shape = &space->shape;
    uint64_t left = space->left[place_of(space, run)];
    run_unreached(shape, own_words(space, member, last, run).levels, member->left);
    memcpy(member->next, member->left, shape->run_words * sizeof *member->next);
    look_at_kin(space, member, sink, last, run, &left);
    look_by(space, member, sink, last, false, &left);
    run_list(shape, member->left, &member->list);
    look_by(space, member, sink, last, true, &left);
    run_unlist(shape, &member->list, member->next);
}

/* Returns true if looking costs less than carrying. If one state in n is in the last level, a state that is
 * left needs about n looks. */
static bool looking_is_less(const struct run_space *space, const struct run_sources *sources, uint64_t left)
{
    const double states = (double)space->shape.rows * space->shape.columns;
    double looks = sources->changed;
    if (sources->carried > 0 && looks * states / (double)sources->carried < looks)
        looks = looks * states / (double)sources->carried;
    return (double)left * looks < (double)sources->carried;
}

/* ---- keeping them ---- */

static void note_word(const struct run_space *space, struct run_sink *sink, uint32_t level, uint64_t word,
                      uint64_t states)
{
    const uint64_t key[2] = {word, states};
    bottom_k_offer(sink->examples, bottom_k_hash(key, space->seed, 1), key, 2);
    for (; sink->parts != NULL && states != 0; states &= states - 1) {
        const uint64_t position = word * WORD_STATES + (unsigned)__builtin_ctzll(states) / 2;
        ranked_parts_note(sink->parts, run_number(space, position), level);
    }
}

/* Reaches the new states of `next`, and marks them. */
static void settle(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                   uint32_t level, uint64_t run)
{
    const uint32_t words = space->shape.run_words;
    const uint64_t cleared = UNREACHED ^ level % 3;
    const struct run_words own = own_words(space, member, level, run);
    const uint64_t place = place_of(space, run);
    const bool begun = is_begun(space, level, run);
    _Atomic uint64_t *levels = own.levels, *marks = own.marks;
    uint64_t mark = 0;
    uint32_t count = 0;
    for (uint32_t word = 0; word < words; word++) {
        if (member->next[word] != 0) {
            const uint64_t old = atomic_load_explicit(&levels[word], memory_order_relaxed);
            const uint64_t states = member->next[word] & states_with(old, UNREACHED);
            if (states != 0) {
                atomic_store_explicit(&levels[word], old & ~(states * cleared), memory_order_relaxed);
                mark |= (uint64_t)((uint32_t)states != 0) << word % 32 * 2;
                mark |= (uint64_t)(states >> 32 != 0) << (word % 32 * 2 + 1);
                count += states_in_word(states);
                note_word(space, sink, level, run * words + word, states);
            }
        }
        if (word % 32 == 31) {
            mark |= begun ? atomic_load_explicit(&marks[word / 32], memory_order_relaxed) : 0;
            atomic_store_explicit(&marks[word / 32], mark, memory_order_relaxed);
            mark = 0;
        }
    }
    space->found[level & 1][place] = count + (begun ? space->found[level & 1][place] : 0);
    space->left[place] -= count;
    sink->found += count;
    if (space->file != NULL && count > 0)
        run_file_put(space->file, place, level, member->own);
    member->held = UINT64_MAX;
}

/* Records that a run has no new states. */
static void settle_none(const struct run_space *space, uint32_t level, uint64_t place)
{
    if (space->again)
        return;
    if (space->file == NULL && space->found[level & 1][place] != 0)
        memset((void *)run_marks(space, level, place), 0, run_mark_words(&space->shape) * sizeof(uint64_t));
    space->found[level & 1][place] = 0;
}

void run_level_make(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                    uint32_t level, uint64_t run)
{
    const uint64_t place = place_of(space, run);
    const struct run_sources sources =
        space->left[place] > 0 ? find_sources(space, member, level - 1, run) : (struct run_sources){0};
    if (sources.all == 0) {
        settle_none(space, level, place);
        return;
    }
    read_ahead(space, member);
    hold(space, member, level, run);
    if (looking_is_less(space, &sources, space->left[place])) {
        look(space, member, sink, level - 1, run);
    } else {
        carry(space, member, level - 1, run);
        sink->generated += sources.all;
    }
    settle(space, member, sink, level, run);
}

void run_level_choose(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                      uint64_t run, bool (*is_chosen)(const void *context, uint64_t number),
                      const void *context)
{
    const struct run_shape *shape = &space->shape;
    const uint64_t first = run * shape->run_words * WORD_STATES;
    memset(member->next, 0, shape->run_words * sizeof *member->next);
    for (uint32_t row = 0; row < shape->rows; row++) {
        for (uint32_t column = 0; column < shape->columns; column++) {
            const uint32_t at = row * shape->row_words * WORD_STATES + column;
            if (is_chosen(context, run_number(space, first + at)))
                member->next[at / WORD_STATES] |= UINT64_C(1) << at % WORD_STATES * 2;
        }
    }
    hold(space, member, 0, run);
    settle(space, member, sink, 0, run);
}
