/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws.h"

#include "space/options.h"
#include "space/text/library.h"
#include "space/text/tws/tws_space.h"
#include "space/twist/twist_numbers.h"

#include <stdlib.h>
#include <string.h>

struct tws_meaning {
    struct definition_meaning base; /* first: a tws_meaning is a definition_meaning */
    struct tws_variant *variant[TWS_METRICS];
    struct tws_net *net; /* NULL without */
    char remark[NET_REMARK_MAX];
};

/* ---- the search's view ---- */

/* A token is the number of the move. After it the other powers of the same move lead to states that were one
 * move away before; with TWS_QUARTER or moves= only the way back does. */
static unsigned tws_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                           uint8_t *tokens)
{
    const struct tws_space *tws = tws_of(space);
    const struct tws_rules *rules = &tws->variant->rules;
    const struct twist *twist = &rules->twist;
    const bool packed = tws->variant->layout.packed;
    uint8_t room[TWIST_PLACES_MAX], moved[TWIST_PLACES_MAX];
    const uint8_t *codes = tws_codes(space, state, room);
    uint8_t *out = successors;
    unsigned count = 0;
    for (unsigned move = 0; move < twist->moves; move++) {
        if (came_by < twist->moves && (tws->metric == TWS_TURN && tws->own == NULL
                                           ? rules->name[move].listed == rules->name[came_by].listed
                                           : move == twist->inverse[came_by]))
            continue;
        uint8_t *next = packed ? moved : out;
        if (!packed)
            memset(out, 0, space->state_bytes);
        twist_apply(twist, move, codes, next);
        if (!tws_rules_legal(rules, next))
            continue;
        if (packed)
            tws_pack(space, moved, out);
        out += space->state_bytes;
        tokens[count++] = (uint8_t)move;
    }
    return count;
}

/* Writes the state that a move leads to. */
static void make_move(const struct pz_space *space, const uint8_t *codes, unsigned move, void *next)
{
    uint8_t moved[TWIST_PLACES_MAX];
    memset(next, 0, space->state_bytes);
    twist_apply(&tws_of(space)->variant->rules.twist, move, codes, moved);
    tws_pack(space, moved, next);
    tws_classes_least(space, next);
}

bool tws_move(const struct pz_space *space, const void *from, const char *word, size_t length, void *out)
{
    const struct tws_rules *rules = &tws_of(space)->variant->rules;
    uint8_t room[TWIST_PLACES_MAX];
    unsigned move = 0;
    while (move < rules->twist.moves &&
           (strncmp(rules->name[move].word, word, length) != 0 || rules->name[move].word[length] != '\0'))
        move++;
    if (move == rules->twist.moves)
        return false;
    make_move(space, tws_codes(space, from, room), move, out);
    return true;
}

/* Writes the word of the move that leads to the other state, or to one of its class. */
static size_t tws_describe(const struct pz_space *space, const void *from, const void *to,
                           char out[PZ_TEXT_MAX])
{
    const struct tws_rules *rules = &tws_of(space)->variant->rules;
    uint8_t room[TWIST_PLACES_MAX];
    const uint8_t *codes = tws_codes(space, from, room);
    for (unsigned move = 0; move < rules->twist.moves; move++) {
        uint64_t next[PZ_STATE_MAX / 8];
        make_move(space, codes, move, next);
        if (memcmp(next, to, space->state_bytes) == 0)
            return (size_t)snprintf(out, PZ_TEXT_MAX, "%s", rules->name[move].word);
    }
    out[0] = '\0';
    return 0;
}

/* ---- numbers ---- */

/* Where states are illegal the numbers have gaps, and moves do not carry whole runs. */
static uint64_t tws_count(const struct pz_space *space)
{
    const struct tws_variant *variant = tws_of(space)->variant;
    return variant->rules.illegals > 0 ? 0 : twist_lazy_count(variant->lazy);
}

static uint64_t tws_rank(const struct pz_space *space, const void *state)
{
    uint8_t room[TWIST_PLACES_MAX];
    return twist_numbers_rank(twist_lazy_numbers(tws_of(space)->variant->lazy),
                              tws_codes(space, state, room));
}

static void tws_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    uint8_t codes[TWIST_PLACES_MAX];
    twist_numbers_unrank(twist_lazy_numbers(tws_of(space)->variant->lazy), number, codes);
    tws_pack(space, codes, state);
}

static struct pz_runs *tws_runs(const struct pz_space *space)
{
    return twist_lazy_runs(tws_of(space)->variant->lazy);
}

/* All reached states have numbers. */
static enum pz_answer tws_solvable(const struct pz_space *space, const void *start)
{
    const struct twist_numbers *numbers = twist_lazy_numbers(tws_of(space)->variant->lazy);
    uint8_t room[TWIST_PLACES_MAX] = {0}, other[TWIST_PLACES_MAX];
    if (numbers == NULL)
        return twist_separates(tws_twist(space), tws_codes(space, start, room),
                               tws_codes(space, tws_of(space)->ends.goal, other))
                   ? PZ_NO
                   : PZ_UNKNOWN;
    const bool start_has = twist_numbers_rank(numbers, tws_codes(space, start, room)) != UINT64_MAX;
    const bool goal_has =
        twist_numbers_rank(numbers, tws_codes(space, tws_of(space)->ends.goal, room)) != UINT64_MAX;
    return start_has != goal_has ? PZ_NO : PZ_UNKNOWN;
}

/* ---- making a space ---- */

static const char *const tws_keys[] = {"metric", "moves", "symmetry", NULL};

static void free_variant(struct tws_variant *variant)
{
    if (variant == NULL)
        return;
    twist_lazy_free(variant->lazy);
    free(variant);
}

static void describe_twist(const void *context, struct twist *twist)
{
    *twist = ((const struct tws_rules *)context)->twist;
}

static void tws_close(struct pz_space *space)
{
    struct tws_space *tws = (struct tws_space *)space;
    if (tws == NULL)
        return;
    free_variant(tws->own);
    free(tws->classes);
    definition_release(tws->definition);
    free(tws);
}

/* Makes a variant of its own with some of the moves, unless these are all. */
static enum pz_status tws_take_moves(struct tws_space *tws, const char *moves, struct pz_error *error)
{
    char list[PZ_SIZE_MAX] = "";
    struct tws_variant *own = malloc(sizeof *own);
    if (own == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a space");
    *own = *tws->variant;
    own->lazy = twist_lazy_new(describe_twist, &own->rules);
    enum pz_status status = own->lazy != NULL ? tws_rules_keep(&own->rules, moves, list, error)
                                              : pz_fail(error, PZ_MEMORY, "no memory for a space");
    if (status != PZ_OK || *list == '\0') {
        free_variant(own);
        return status;
    }
    tws->own = tws->variant = own;
    tws->ends.base.max_successors = own->rules.twist.moves;
    return space_size_add(tws->ends.base.size, "moves", list, error);
}

/* Makes the states classes. Where a position is illegal its images may not be. */
static enum pz_status tws_take_symmetry(struct tws_space *tws, struct pz_error *error)
{
    uint8_t room[TWIST_PLACES_MAX];
    if (tws->variant->rules.illegals > 0)
        return pz_fail(error, PZ_UNSUPPORTED, "symmetry=yes is for texts without illegal states");
    const enum pz_status status = space_size_add(tws->ends.base.size, "symmetry", "yes", error);
    if (status != PZ_OK)
        return status;
    tws->ends.base.puzzle = &tws_classes_puzzle;
    return tws_classes_new(tws_twist(&tws->ends.base), tws_codes(&tws->ends.base, tws->ends.goal, room),
                           &tws->classes, error);
}

static enum pz_status open_meaning(const struct definition *definition, const struct pz_setup *setup,
                                   struct pz_space **out, struct pz_error *error)
{
    const struct tws_meaning *meaning = (const struct tws_meaning *)definition->meaning;
    struct space_options options;
    bool quarter = false, symmetry = false;
    enum pz_status status = space_options_read(&options, setup, tws_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "metric", "turn", "quarter", &quarter, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "symmetry", "no", "yes", &symmetry, error);
    if (status != PZ_OK)
        return status;
    struct tws_space *tws = calloc(1, sizeof *tws);
    if (tws == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a space");
    tws->metric = quarter ? TWS_QUARTER : TWS_TURN;
    tws->variant = meaning->variant[tws->metric];
    tws->definition = definition_retain(definition);
    tws->net = meaning->net;
    tws->ends.base = (struct pz_space){.puzzle = &tws_puzzle,
                                       .state_bytes = tws->variant->layout.state_bytes,
                                       .max_successors = tws->variant->rules.twist.moves,
                                       .flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL};
    memcpy(tws->ends.base.size, definition->id, sizeof definition->id);
    if (quarter)
        (void)space_size_add(tws->ends.base.size, "metric", "quarter", NULL);
    const char *moves = space_option(&options, "moves");
    if (moves != NULL)
        status = tws_take_moves(tws, moves, error);
    tws_pack(&tws->ends.base, tws_twist(&tws->ends.base)->solved, tws->ends.goal);
    if (status == PZ_OK)
        status = goal_space_take(&tws->ends, space_option(&options, "goal"), error);
    if (status == PZ_OK && symmetry)
        status = tws_take_symmetry(tws, error);
    if (status == PZ_OK)
        *out = &tws->ends.base;
    else
        tws_close(&tws->ends.base);
    return status;
}

static enum pz_status tws_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return library_open(DEFINITION_TWS, setup, out, error);
}

#define TWS_COMMON                                                                                           \
    .abi = PZ_SPACE_ABI, .name = "tws", .example = "tws:NAME", .keys = tws_keys, .open = tws_open,           \
    .close = tws_close, .parse = tws_parse, .print = tws_print, .draw = tws_draw, .pieces = tws_pieces,      \
    .describe = tws_describe, .separator = ",", .root = goal_space_root, .goal = goal_space_goal,            \
    .is_goal = goal_space_is_goal, .solvable = tws_solvable, .valid = tws_valid

const struct pz_puzzle tws_puzzle = {
    TWS_COMMON,           .summary = "permutation puzzles by definition",
    .expand = tws_expand, .count = tws_count,
    .rank = tws_rank,     .unrank = tws_unrank,
    .runs = tws_runs,
};

/* With symmetry=yes. Classes have no numbers. */
const struct pz_puzzle tws_classes_puzzle = {
    TWS_COMMON,
    .summary = "permutation puzzles by definition, states by class",
    .expand = tws_classes_expand,
};

/* ---- compiling ---- */

static void free_meaning(struct definition_meaning *base)
{
    struct tws_meaning *meaning = (struct tws_meaning *)base;
    for (unsigned i = 0; i < TWS_METRICS; i++)
        free_variant(meaning->variant[i]);
    free(meaning->net);
    free(meaning->base.canonical);
    free(meaning);
}

static enum pz_status make_variant(const struct tws_file *file, enum tws_metric metric,
                                   struct tws_variant **out, struct pz_error *error)
{
    struct tws_variant *variant = *out = calloc(1, sizeof *variant);
    if (variant == NULL || (variant->lazy = twist_lazy_new(describe_twist, &variant->rules)) == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    const enum pz_status status = tws_rules_make(file, metric, &variant->rules, error);
    return status == PZ_OK ? tws_layout_make(&variant->rules.twist, &variant->layout, error) : status;
}

static enum pz_status compile_file(const struct tws_file *file, struct definition_meaning **out,
                                   struct pz_error *error)
{
    struct tws_meaning *meaning = calloc(1, sizeof *meaning);
    if (meaning == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    meaning->base.open = open_meaning;
    meaning->base.free = free_meaning;
    meaning->base.bytes = sizeof *meaning + TWS_METRICS * sizeof(struct tws_variant);
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; status == PZ_OK && i < TWS_METRICS; i++)
        status = make_variant(file, (enum tws_metric)i, &meaning->variant[i], error);
    if (status == PZ_OK && !tws_write(file, &meaning->base.canonical, &meaning->base.canonical_length))
        status = pz_fail(error, PZ_MEMORY, "no memory for a definition");
    if (status == PZ_OK)
        *out = &meaning->base;
    else
        free_meaning(&meaning->base);
    return status;
}

static void take_net(const char *text, size_t length, struct tws_meaning *meaning)
{
    meaning->net = tws_net_read(text, length, &meaning->variant[TWS_TURN]->rules, meaning->remark);
    if (meaning->net != NULL)
        meaning->base.bytes += sizeof *meaning->net;
    if (*meaning->remark != '\0')
        meaning->base.remarks = meaning->remark;
}

enum pz_status tws_compile(const char *text, size_t length, struct definition_meaning **out,
                           struct pz_error *error)
{
    struct tws_file *file = malloc(sizeof *file);
    if (file == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a definition");
    enum pz_status status = tws_read_whole(text, length, file, error);
    if (status == PZ_OK)
        status = compile_file(file, out, error);
    free(file);
    if (status == PZ_OK)
        take_net(text, length, (struct tws_meaning *)*out);
    return status;
}
