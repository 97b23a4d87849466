/* SPDX-License-Identifier: MIT */
#include "space/guard.h"

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_EVERY =
        4096,       /* calls of a thread: one of so many is looked at more closely, and each of the first */
    SHOWN_MAX = 160 /* bytes of a state's text in a message */
};

enum verdict { VERDICT_NONE, VERDICT_BEING_WRITTEN, VERDICT_GIVEN };

/* The space's puzzle is the table here, in which some functions are the guard's. */
struct guard {
    struct pz_puzzle table; /* first */
    const struct pz_puzzle *plugin;
    uint64_t serial;         /* of all guards, from 1 */
    uint64_t count;          /* of the numbers; 0 for none */
    _Atomic uint32_t broken; /* enum verdict; whoever moves it from NONE writes text */
    char text[sizeof((struct pz_error *)0)->text];
};

static struct guard *guard_of(const struct pz_space *space)
{
    const uintptr_t table = (uintptr_t)space->puzzle;
    return (struct guard *)table; /* NOLINT(performance-no-int-to-ptr): the guard made it writable */
}

/* ---- broken promises ---- */

static bool is_broken(const struct guard *guard)
{
    return atomic_load_explicit(&guard->broken, memory_order_relaxed) != VERDICT_NONE;
}

/* Notes the first one. state is that which it was met with, NULL for none. */
__attribute__((format(printf, 3, 4))) static void break_promise(const struct pz_space *space,
                                                                const void *state, const char *format, ...)
{
    struct guard *guard = guard_of(space);
    char what[200];
    char shown[PZ_TEXT_MAX] = "";
    uint32_t none = VERDICT_NONE;
    va_list arguments;
    if (!atomic_compare_exchange_strong(&guard->broken, &none, VERDICT_BEING_WRITTEN))
        return;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (state != NULL)
        (void)guard->plugin->print(space, state, shown);
    (void)snprintf(guard->text, sizeof guard->text, "plugin %s: %s%s%.*s", guard->plugin->name, what,
                   state != NULL ? ", at the state " : "", SHOWN_MAX, shown);
    atomic_store_explicit(&guard->broken, VERDICT_GIVEN, memory_order_release);
}

enum pz_status guard_verdict(const struct pz_space *space, uint64_t states, struct pz_error *error)
{
    if (!guard_has(space))
        return PZ_OK;
    struct guard *guard = guard_of(space);
    if (guard->count > 0 && states > guard->count)
        break_promise(space, NULL, "%" PRIu64 " states were found, and count is %" PRIu64, states,
                      guard->count);
    if (!is_broken(guard))
        return PZ_OK;
    while (atomic_load_explicit(&guard->broken, memory_order_acquire) != VERDICT_GIVEN)
        ; /* another thread is writing the text */
    return pz_fail(error, PZ_BAD_PUZZLE, "%s", guard->text);
}

/* A thread's samples of the space that it worked on last, which are checked more closely. */
struct samples {
    uint64_t serial;
    unsigned states, numbers; /* calls */
};

static struct samples *own_samples(const struct pz_space *space)
{
    static _Thread_local struct samples samples;
    const uint64_t serial = guard_of(space)->serial;
    if (samples.serial != serial)
        samples = (struct samples){.serial = serial};
    return &samples;
}

static bool is_sample(unsigned *calls)
{
    const unsigned call = (*calls)++;
    return call < SAMPLE_EVERY || call % SAMPLE_EVERY == 0;
}

/* ---- successors ---- */

bool guard_reads_back(const struct pz_space *space, const void *state)
{
    char text[PZ_TEXT_MAX];
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    struct pz_error error;
    (void)space->puzzle->print(space, state, text);
    return space->puzzle->parse(space, text, again, &error) == PZ_OK &&
           memcmp(again, state, space->state_bytes) == 0;
}

static void check_text(const struct pz_space *space, const void *state)
{
    if (!guard_reads_back(space, state))
        break_promise(space, state, "parse does not read what print writes");
}

/* Returns count if it is no more than promised, else 0. */
static unsigned check_number(const struct pz_space *space, const void *state, const char *function,
                             unsigned count, unsigned states)
{
    if (count <= states * space->max_successors)
        return count;
    break_promise(space, state, "%s gave %u successors, and max_successors is %u", function, count / states,
                  space->max_successors);
    return 0;
}

/* Room where a plugin writes: as much as any space may promise. */
struct room {
    _Alignas(PZ_STATE_MAX) uint8_t states[PZ_SUCCESSORS_MAX * PZ_STATE_MAX];
    uint8_t tokens[PZ_SUCCESSORS_MAX];
};

/* Not on the stack, whose pages would be touched at each call. The second one is for what the guard asks on
 * its own account. */
static _Thread_local struct room own_room, own_second_room;

/* Returns how many successors of a state are now in the second room, 0 for more than promised. */
static unsigned expand_again(const struct pz_space *space, const void *state)
{
    struct room *room = &own_second_room;
    const unsigned count =
        guard_of(space)->plugin->expand(space, state, PZ_NO_TOKEN, room->states, room->tokens);
    return check_number(space, state, "expand", count, 1);
}

/* A search forgets older levels where every move can be undone: it would not end where that is not so. */
static void check_way_back(const struct pz_space *space, const void *state)
{
    uint64_t next[PZ_STATE_MAX / 8];
    const size_t bytes = space->state_bytes;
    unsigned count = 0;
    if ((space->flags & PZ_REVERSIBLE) == 0 || (count = expand_again(space, state)) == 0)
        return;
    assert(count <= space->max_successors && bytes <= sizeof next);
    memcpy(next, own_second_room.states + (count - 1) * bytes, bytes);
    count = expand_again(space, next);
    for (unsigned i = 0; i < count; i++)
        if (memcmp(own_second_room.states + i * bytes, state, bytes) == 0)
            return;
    break_promise(space, next, "PZ_REVERSIBLE: a move that led to it cannot be undone by one move");
}

static void check_sample(const struct pz_space *space, const void *state)
{
    check_text(space, state);
    check_way_back(space, state);
}

static void hand_over(const struct pz_space *space, const struct room *room, unsigned count, void *successors,
                      uint8_t *tokens)
{
    memcpy(successors, room->states, (size_t)count * space->state_bytes);
    memcpy(tokens, room->tokens, count);
}

typedef unsigned expand_function(const struct pz_space *space, const void *state, uint8_t came_by,
                                 void *successors, uint8_t *tokens);

static unsigned guard_take_successors(const struct pz_space *space, expand_function *expand,
                                      const char *function, const void *state, uint8_t came_by,
                                      void *successors, uint8_t *tokens)
{
    struct room *room = &own_room;
    if (is_broken(guard_of(space)))
        return 0;
    if (is_sample(&own_samples(space)->states))
        check_sample(space, state);
    unsigned count = expand(space, state, came_by, room->states, room->tokens);
    count = check_number(space, state, function, count, 1);
    hand_over(space, room, count, successors, tokens);
    return count;
}

static unsigned guarded_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                               void *successors, uint8_t *tokens)
{
    return guard_take_successors(space, guard_of(space)->plugin->expand, "expand", state, came_by, successors,
                                 tokens);
}

static unsigned guarded_expand_needed(const struct pz_space *space, const void *state, uint8_t came_by,
                                      void *successors, uint8_t *tokens)
{
    return guard_take_successors(space, guard_of(space)->plugin->expand_needed, "expand_needed", state,
                                 came_by, successors, tokens);
}

/* A few states at a time, as the room allows. */
static unsigned guarded_expand_many(const struct pz_space *space, const void *states, const uint8_t *came_by,
                                    unsigned count, void *successors, uint8_t *tokens)
{
    const unsigned fit = PZ_SUCCESSORS_MAX / (space->max_successors + 1);
    const uint8_t *from = states;
    uint8_t *into = successors;
    struct room *room = &own_room;
    unsigned made = 0;
    for (unsigned i = 0; i < count && !is_broken(guard_of(space)); i += fit > 0 ? fit : 1) {
        const unsigned share = fit == 0 ? 1 : count - i < fit ? count - i : fit;
        const uint8_t *state = from + (size_t)i * space->state_bytes;
        if (is_sample(&own_samples(space)->states))
            check_sample(space, state);
        unsigned more = guard_of(space)->plugin->expand_many(space, state, came_by + i, share, room->states,
                                                             room->tokens);
        more = check_number(space, state, "expand_many", more, share);
        hand_over(space, room, more, into + (size_t)made * space->state_bytes, tokens + made);
        made += more;
    }
    return made;
}

/* ---- numbers ---- */

/* Returns the number if there is such a one, else 0. state is NULL if only the number is known. */
static uint64_t check_rank(const struct pz_space *space, const void *state, const char *function,
                           uint64_t number)
{
    const uint64_t count = guard_of(space)->count;
    if (number < count)
        return number;
    break_promise(space, state, "%s gave the number %" PRIu64 ", and count is %" PRIu64, function, number,
                  count);
    return 0;
}

static void check_unrank(const struct pz_space *space, const void *state, uint64_t number)
{
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    guard_of(space)->plugin->unrank(space, number, again);
    if (memcmp(again, state, space->state_bytes) != 0)
        break_promise(space, state, "unrank gives another state for the number %" PRIu64 " that rank gave",
                      number);
}

static uint64_t guarded_rank(const struct pz_space *space, const void *state)
{
    uint64_t number = check_rank(space, state, "rank", guard_of(space)->plugin->rank(space, state));
    if (is_sample(&own_samples(space)->numbers) && !is_broken(guard_of(space)))
        check_unrank(space, state, number);
    return number;
}

static void guarded_step(const struct pz_space *space, unsigned move, const uint64_t *numbers, unsigned count,
                         uint64_t *out)
{
    guard_of(space)->plugin->step(space, move, numbers, count, out);
    for (unsigned i = 0; i < count; i++)
        out[i] = check_rank(space, NULL, "step", out[i]);
}

/* ---- failures ---- */

/* Passes a failure on, with words where the plugin wrote none: its reply would be an error without a text. */
static enum pz_status pass_failure(enum pz_status status, const struct pz_error *own, const char *function,
                                   struct pz_error *error)
{
    if (status == PZ_OK)
        return status;
    return own->text[0] != '\0' ? pz_fail(error, status, "%s", own->text)
                                : pz_fail(error, status, "%s failed, and wrote no reason", function);
}

static enum pz_status guarded_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    struct pz_error own = {0};
    return pass_failure(guard_of(space)->plugin->root(space, state, &own), &own, "root", error);
}

static enum pz_status guarded_parse(const struct pz_space *space, const char *text, void *state,
                                    struct pz_error *error)
{
    struct pz_error own = {0};
    return pass_failure(guard_of(space)->plugin->parse(space, text, state, &own), &own, "parse", error);
}

/* ---- texts ---- */

/* Returns the length of the text: readers go by it. */
static size_t check_length(const struct pz_space *space, const char *function, size_t length,
                           char out[PZ_TEXT_MAX])
{
    if (strnlen(out, PZ_TEXT_MAX) == length && length < PZ_TEXT_MAX)
        return length;
    break_promise(space, NULL, "%s returned %zu, which is not the length of its text", function, length);
    out[PZ_TEXT_MAX - 1] = '\0';
    return strlen(out);
}

static size_t guarded_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    return check_length(space, "print", guard_of(space)->plugin->print(space, state, out), out);
}

static size_t guarded_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    return check_length(space, "draw", guard_of(space)->plugin->draw(space, state, out), out);
}

static size_t guarded_describe(const struct pz_space *space, const void *from, const void *to,
                               char out[PZ_TEXT_MAX])
{
    return check_length(space, "describe", guard_of(space)->plugin->describe(space, from, to, out), out);
}

/* ---- life ---- */

static void guarded_close(struct pz_space *space)
{
    if (space == NULL)
        return;
    struct guard *guard = guard_of(space);
    space->puzzle = guard->plugin;
    guard->plugin->close(space);
    free(guard);
}

bool guard_has(const struct pz_space *space)
{
    return space->puzzle->close == guarded_close;
}

static void replace_functions(struct pz_puzzle *table)
{
    table->close = guarded_close;
    table->root = guarded_root;
    table->parse = guarded_parse;
    table->print = guarded_print;
    table->draw = table->draw != NULL ? guarded_draw : NULL;
    table->describe = table->describe != NULL ? guarded_describe : NULL;
    table->expand = table->expand != NULL ? guarded_expand : NULL;
    table->expand_many = table->expand_many != NULL ? guarded_expand_many : NULL;
    table->expand_needed = table->expand_needed != NULL ? guarded_expand_needed : NULL;
    table->rank = table->rank != NULL ? guarded_rank : NULL;
    table->step = table->step != NULL ? guarded_step : NULL;
    table->runs = NULL; /* tables without a guard */
    table->expand_leaps = NULL;
    table->between = NULL;
    table->expand_costs = NULL;
}

static bool is_size(const char size[PZ_SIZE_MAX])
{
    size_t length = strnlen(size, PZ_SIZE_MAX);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)size[i] <= ' ' || size[i] == 0x7f)
            return false;
    return length < PZ_SIZE_MAX;
}

/* Holds what open() made against what every search relies on. */
static enum pz_status check_head(const struct pz_puzzle *puzzle, const struct pz_space *space,
                                 struct pz_error *error)
{
    if (space == NULL || space->puzzle != puzzle)
        return pz_fail(error, PZ_BAD_PUZZLE,
                       "plugin %s: open made no space, or one whose puzzle is not this one's table",
                       puzzle->name);
    const uint32_t bytes = space->state_bytes, most = space->max_successors;
    if (bytes != 8 && bytes != 16 && bytes != 32 && bytes != 64)
        return pz_fail(error, PZ_BAD_PUZZLE, "plugin %s: state_bytes is %u; 8, 16, 32 and 64 are possible",
                       puzzle->name, bytes);
    if (most == 0 || most > PZ_SUCCESSORS_MAX)
        return pz_fail(error, PZ_BAD_PUZZLE, "plugin %s: max_successors is %u; 1 to %d are possible",
                       puzzle->name, most, PZ_SUCCESSORS_MAX);
    if (!is_size(space->size))
        return pz_fail(error, PZ_BAD_PUZZLE, "plugin %s: size has a blank or control character, or no end",
                       puzzle->name);
    if ((space->flags & PZ_UNIQUE_GOAL) != 0 && puzzle->goal == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "plugin %s: PZ_UNIQUE_GOAL, and no function goal", puzzle->name);
    if ((space->flags & PZ_COSTS) != 0)
        return pz_fail(error, PZ_BAD_PUZZLE, "plugin %s: PZ_COSTS: plugins are not asked for costs yet",
                       puzzle->name);
    return PZ_OK;
}

enum pz_status guard_open(const struct pz_puzzle *puzzle, const struct pz_setup *setup, struct pz_space **out,
                          struct pz_error *error)
{
    struct pz_error own = {0};
    struct pz_space *space = NULL;
    enum pz_status status = puzzle->open(setup, &space, &own);
    if (status != PZ_OK)
        return pass_failure(status, &own, "open", error);
    status = check_head(puzzle, space, error);
    if (status == PZ_OK)
        *out = space;
    else
        puzzle->close(space);
    return status;
}

static _Atomic uint64_t serials;

enum pz_status guard_space(const struct pz_puzzle *puzzle, const struct pz_setup *setup,
                           struct pz_space **out, struct pz_error *error)
{
    enum pz_status status = guard_open(puzzle, setup, out, error);
    if (status != PZ_OK)
        return status;
    struct pz_space *space = *out;
    assert(space != NULL);
    struct guard *guard = calloc(1, sizeof *guard);
    if (guard == NULL) {
        puzzle->close(space);
        return pz_fail(error, PZ_MEMORY, "no memory for a plugin's space");
    }
    guard->plugin = puzzle;
    guard->serial = atomic_fetch_add_explicit(&serials, 1, memory_order_relaxed) + 1;
    guard->table = *guard->plugin;
    replace_functions(&guard->table);
    guard->count = guard->table.count != NULL ? guard->table.count(space) : 0;
    space->puzzle = &guard->table;
    return PZ_OK;
}

/* ---- is the work still wanted? ---- */

static _Thread_local const struct wanted *wanted_asked;

const struct wanted *wanted_set(const struct wanted *wanted)
{
    const struct wanted *before = wanted_asked;
    wanted_asked = wanted;
    return before;
}

bool wanted_still(void)
{
    return wanted_asked == NULL || wanted_asked->still(wanted_asked->context);
}
