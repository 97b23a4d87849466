/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_rules.h"
#include "space/text/psvn/psvn_space.h"
#include "space/text/psvn/psvn_tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

/* Adds a place that is read from one field and compared with, or copied to, another. first: where those that
 * it may join begin. Returns false without memory. */
static bool psvn_shifts_add(struct psvn_shifts *shifts, uint32_t first, const struct psvn_field *from,
                            const struct psvn_field *to)
{
    const uint8_t turn = (uint8_t)((to->shift - from->shift + 64) % 64);
    for (uint32_t i = first; i < shifts->count; i++) {
        struct psvn_shift *old = &shifts->item[i];
        if (old->from == from->word && old->to == to->word && old->turn == turn) {
            old->mask |= from->mask << from->shift;
            return true;
        }
    }
    if (shifts->count == shifts->room) {
        const uint32_t room = 2 * shifts->room + 64;
        struct psvn_shift *item = realloc(shifts->item, room * sizeof *item);
        if (item == NULL)
            return false;
        shifts->item = item;
        shifts->room = room;
    }
    shifts->item[shifts->count++] = (struct psvn_shift){
        .mask = from->mask << from->shift, .from = from->word, .to = to->word, .turn = turn};
    return true;
}

/* ---- patterns ---- */

/* The place where each name is found first. */
struct binding {
    const struct psvn_field *field[3 * PSVN_PLACES_MAX];
};

static bool make_pattern(struct psvn_kernel *kernel, const struct psvn_model *model,
                         const struct psvn_layout *layout, const psvn_cell *cells, struct binding *binding,
                         struct psvn_pattern *out)
{
    *out = (struct psvn_pattern){.same = kernel->same.count};
    bool fine = true;
    memset(binding, 0, sizeof *binding);
    for (uint32_t i = 0; i < model->places && fine; i++) {
        const struct psvn_field *field = &layout->field[i];
        if (cells[i] >= PSVN_NAME) {
            const struct psvn_field **bound = &binding->field[cells[i] - PSVN_NAME];
            if (*bound != NULL)
                fine = psvn_shifts_add(&kernel->same, out->same, *bound, field);
            else
                *bound = field;
        } else if (cells[i] != PSVN_OPEN) {
            out->mask[field->word] |= field->mask << field->shift;
            psvn_set(field, out->value, (uint32_t)cells[i]);
        }
    }
    out->same_end = kernel->same.count;
    return fine;
}

/* ---- moves ---- */

/* The values of the names that a rule does not bind, counted up like digits. */
struct digits {
    uint32_t value[3 * PSVN_PLACES_MAX], size[3 * PSVN_PLACES_MAX];
};

static bool count_up(struct digits *digits, const struct psvn_rule *rule)
{
    for (uint32_t name = rule->bound; name < rule->names; name++) {
        if (++digits->value[name] < digits->size[name])
            return true;
        digits->value[name] = 0;
    }
    return false;
}

/* Returns how many moves the rule stands for, at most PSVN_MOVES_MAX + 1. */
static uint64_t count_moves(const struct psvn_model *model, const struct psvn_rule *rule,
                            struct digits *digits)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < model->places; i++) {
        if (rule->right[i] < PSVN_NAME)
            continue;
        const uint32_t name = (uint32_t)(rule->right[i] - PSVN_NAME);
        digits->value[name] = 0;
        digits->size[name] = psvn_domain_of(model, i)->size;
    }
    for (uint32_t name = rule->bound; name < rule->names && count <= PSVN_MOVES_MAX; name++)
        count *= digits->size[name];
    return count <= PSVN_MOVES_MAX ? count : PSVN_MOVES_MAX + 1;
}

/* Writes the right side of a rule with the values of its unbound names. */
static bool make_right(struct psvn_kernel *kernel, const struct psvn_model *model,
                       const struct psvn_layout *layout, const struct psvn_rule *rule,
                       const struct binding *binding, const struct digits *digits, struct psvn_move *move)
{
    bool fine = true;
    move->copy = kernel->copy.count;
    memset(move->keep, 0xFF, sizeof move->keep);
    for (uint32_t i = 0; i < model->places && fine; i++) {
        const struct psvn_field *field = &layout->field[i];
        const psvn_cell cell = rule->right[i];
        if (cell == PSVN_OPEN)
            continue;
        move->keep[field->word] &= ~(field->mask << field->shift);
        if (cell < PSVN_NAME)
            psvn_set(field, move->set, (uint32_t)cell);
        else if ((uint32_t)(cell - PSVN_NAME) >= rule->bound)
            psvn_set(field, move->set, digits->value[cell - PSVN_NAME]);
        else
            fine = psvn_shifts_add(&kernel->copy, move->copy, binding->field[cell - PSVN_NAME], field);
    }
    move->copy_end = kernel->copy.count;
    return fine;
}

static bool moves_of_rule(struct psvn_kernel *kernel, const struct psvn_model *model,
                          const struct psvn_layout *layout, uint32_t number, struct digits *digits)
{
    const struct psvn_rule *rule = &model->rules[number];
    struct binding binding;
    struct psvn_pattern left;
    if (!make_pattern(kernel, model, layout, rule->left, &binding, &left))
        return false;
    bool more = true;
    while (more) {
        struct psvn_move *move = &kernel->moves[kernel->move_count++];
        *move = (struct psvn_move){
            .left = left, .compares = left.same != left.same_end, .rule = number, .undone_by = PSVN_NO_MOVE};
        if (!make_right(kernel, model, layout, rule, &binding, digits, move))
            return false;
        more = count_up(digits, rule);
    }
    return true;
}

static enum pz_status check_moves(const struct psvn_model *model, struct digits *digits, uint32_t *out,
                                  struct pz_error *error)
{
    uint64_t moves = 0;
    for (uint32_t i = 0; i < model->rule_count; i++) {
        const struct psvn_rule *rule = &model->rules[i];
        moves += count_moves(model, rule, digits);
        if (moves > PSVN_MOVES_MAX)
            return pz_fail(
                error, PZ_TOO_LARGE,
                "line %u: with the values of the names that left sides do not bind, the rules up to "
                "here stand for more than %d moves",
                rule->line, PSVN_MOVES_MAX);
    }
    *out = (uint32_t)moves;
    return PZ_OK;
}

/* With tokens: finds the move that undoes each. Rules that undo each other bind all names: one move each. */
static void link_undoing(struct psvn_kernel *kernel, const struct psvn_model *model, const uint32_t *undo)
{
    if (undo == NULL || kernel->move_count != model->rule_count || kernel->move_count >= PZ_NO_TOKEN)
        return;
    kernel->has_tokens = true;
    for (uint32_t i = 0; i < kernel->move_count; i++)
        kernel->moves[i].undone_by = undo[i] == PSVN_NO_RULE ? PSVN_NO_MOVE : undo[i];
}

static bool make_goal_states(struct psvn_kernel *kernel, const struct psvn_model *model,
                             const struct psvn_layout *layout)
{
    struct binding binding;
    bool fine = true;
    kernel->goals = calloc(model->goal_count + 1, sizeof *kernel->goals);
    if (kernel->goals == NULL)
        return false;
    for (; kernel->goal_count < model->goal_count && fine; kernel->goal_count++)
        fine = make_pattern(kernel, model, layout, model->goals + (size_t)kernel->goal_count * model->places,
                            &binding, &kernel->goals[kernel->goal_count]);
    return fine;
}

static enum pz_status fill_moves(struct psvn_kernel *kernel, const struct psvn_model *model,
                                 const struct psvn_layout *layout, struct digits *digits,
                                 struct pz_error *error)
{
    uint32_t moves = 0;
    enum pz_status status = check_moves(model, digits, &moves, error);
    if (status != PZ_OK)
        return status;
    kernel->moves = calloc((size_t)moves + 1, sizeof *kernel->moves);
    bool fine = kernel->moves != NULL;
    for (uint32_t i = 0; i < model->rule_count && fine; i++) {
        (void)count_moves(model, &model->rules[i], digits);
        fine = moves_of_rule(kernel, model, layout, i, digits);
    }
    if (!fine || !make_goal_states(kernel, model, layout))
        return pz_fail(error, PZ_MEMORY, "no memory for the rules");
    status = psvn_tree_make(model, layout, kernel->moves, moves, &kernel->tree, error);
    if (status == PZ_OK && kernel->tree.most > PZ_SUCCESSORS_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "a state may have %u moves; %d at most", kernel->tree.most,
                       PZ_SUCCESSORS_MAX);
    return status;
}

enum pz_status psvn_kernel_new(const struct psvn_model *model, const struct psvn_layout *layout,
                               const uint32_t *undo, struct psvn_kernel **out, struct pz_error *error)
{
    struct digits *digits = calloc(1, sizeof *digits);
    struct psvn_kernel *kernel = calloc(1, sizeof *kernel);
    enum pz_status status = pz_fail(error, PZ_MEMORY, "no memory for the rules");
    if (digits != NULL && kernel != NULL) {
        kernel->words = layout->words;
        status = fill_moves(kernel, model, layout, digits, error);
        if (status == PZ_OK)
            link_undoing(kernel, model, undo);
    }
    free(digits);
    *out = status == PZ_OK ? kernel : NULL;
    if (status != PZ_OK)
        psvn_kernel_free(kernel);
    return status;
}

void psvn_kernel_free(struct psvn_kernel *kernel)
{
    if (kernel == NULL)
        return;
    psvn_tree_clear(&kernel->tree);
    free(kernel->moves);
    free(kernel->same.item);
    free(kernel->copy.item);
    free(kernel->goals);
    free(kernel);
}

size_t psvn_kernel_bytes(const struct psvn_kernel *kernel)
{
    const struct psvn_tree *tree = &kernel->tree;
    const size_t entry = sizeof *tree->moves + kernel->words * (sizeof *tree->mask + sizeof *tree->value);
    return kernel->move_count * sizeof *kernel->moves + tree->entry_count * entry +
           tree->node_count * sizeof *tree->nodes + tree->leaf_count * sizeof *tree->leaves +
           (kernel->same.room + kernel->copy.room) * sizeof *kernel->copy.item;
}

uint32_t psvn_kernel_most(const struct psvn_kernel *kernel)
{
    return kernel->tree.most;
}

/* ---- the hot path: from a state to its successors ---- */

/* Word counts are constants where these are called, so that the loops over words vanish. */
#define PSVN_INLINE __attribute__((always_inline)) static inline

static uint64_t turned(uint64_t word, unsigned turn)
{
    return word << turn | word >> (-turn & 63);
}

static bool all_same(const struct psvn_kernel *kernel, const struct psvn_pattern *pattern,
                     const uint64_t *state)
{
    uint64_t differ = 0;
    for (uint32_t i = pattern->same; i < pattern->same_end; i++) {
        const struct psvn_shift *same = &kernel->same.item[i];
        differ |= turned(state[same->from] & same->mask, same->turn) ^
                  (state[same->to] & turned(same->mask, same->turn));
    }
    return differ == 0;
}

static const struct psvn_leaf *find_leaf(const struct psvn_tree *tree, const uint64_t *state)
{
    const struct psvn_node *node = tree->nodes;
    while (node->mask != 0)
        node = &tree->nodes[node->first + (state[node->word] >> node->shift & node->mask)];
    return &tree->leaves[node->first];
}

/* Writes the moves of a leaf whose values match; returns their number. Writes without asking, as no processor
 * foretells which moves match. */
PSVN_INLINE unsigned find_hits(const struct psvn_tree *tree, const struct psvn_leaf *leaf,
                               const uint64_t *state, uint32_t *hits, unsigned words)
{
    const uint64_t *mask = tree->mask + leaf->first;
    const uint64_t *value = tree->value + leaf->first;
    const uint32_t *moves = tree->moves + leaf->first;
    unsigned count = 0;
    for (uint32_t i = 0; i < leaf->count; i++) {
        uint64_t differ = (state[0] & mask[i]) ^ value[i];
        for (unsigned word = 1; word < words; word++)
            differ |=
                (state[word] & mask[word * tree->entry_count + i]) ^ value[word * tree->entry_count + i];
        hits[count] = moves[i];
        count += differ == 0;
    }
    return count;
}

/* Writes the successor by a move; returns false where it is the state itself. */
PSVN_INLINE bool psvn_make_move(const struct psvn_kernel *kernel, const struct psvn_move *move,
                                const uint64_t *state, uint64_t *out, unsigned words)
{
    uint64_t made[PSVN_STATE_WORDS], changed = 0;
    for (unsigned word = 0; word < words; word++)
        made[word] = (state[word] & move->keep[word]) | move->set[word];
    for (uint32_t i = move->copy; i < move->copy_end; i++) {
        const struct psvn_shift *copy = &kernel->copy.item[i];
        made[words == 1 ? 0 : copy->to] |=
            turned(state[words == 1 ? 0 : copy->from] & copy->mask, copy->turn);
    }
    for (unsigned word = 0; word < words; word++) {
        changed |= made[word] ^ state[word];
        out[word] = made[word];
    }
    return changed != 0;
}

PSVN_INLINE unsigned expand_vector(const struct psvn_kernel *kernel, const uint64_t *state, uint8_t came_by,
                                   uint64_t *out, uint8_t *tokens, uint32_t *rules, unsigned words)
{
    uint32_t hits[PZ_SUCCESSORS_MAX + 1];
    const unsigned found = find_hits(&kernel->tree, find_leaf(&kernel->tree, state), state, hits, words);
    /* Another rank's token may be any number. */
    const uint32_t back = came_by < kernel->move_count ? kernel->moves[came_by].undone_by : PSVN_NO_MOVE;
    unsigned count = 0;
    for (unsigned i = 0; i < found; i++) {
        const struct psvn_move *move = &kernel->moves[hits[i]];
        if (hits[i] == back || (move->compares && !all_same(kernel, &move->left, state)) ||
            !psvn_make_move(kernel, move, state, out + (size_t)count * words, words))
            continue;
        tokens[count] = kernel->has_tokens ? (uint8_t)hits[i] : PZ_NO_TOKEN;
        if (rules != NULL)
            rules[count] = move->rule;
        count++;
    }
    return count;
}

unsigned psvn_kernel_expand(const struct psvn_kernel *kernel, const uint64_t *state, uint8_t came_by,
                            uint64_t *successors, uint8_t *tokens, uint32_t *rules)
{
    if (kernel->words == 1)
        return expand_vector(kernel, state, came_by, successors, tokens, rules, 1);
    if (kernel->words == 2)
        return expand_vector(kernel, state, came_by, successors, tokens, rules, 2);
    if (kernel->words == 4)
        return expand_vector(kernel, state, came_by, successors, tokens, rules, 4);
    return expand_vector(kernel, state, came_by, successors, tokens, rules, 8);
}

bool psvn_kernel_is_goal(const struct psvn_kernel *kernel, const uint64_t *state)
{
    for (uint32_t i = 0; i < kernel->goal_count; i++) {
        const struct psvn_pattern *goal = &kernel->goals[i];
        uint64_t differ = 0;
        for (unsigned word = 0; word < kernel->words; word++)
            differ |= (state[word] & goal->mask[word]) ^ goal->value[word];
        if (differ == 0 && all_same(kernel, goal, state))
            return true;
    }
    return false;
}
