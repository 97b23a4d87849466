/* SPDX-License-Identifier: MIT */
/* A PSVN definition as a space. */
#include "space/text/psvn/psvn.h"

#include "space/options.h"
#include "space/text/library.h"
#include "space/text/psvn/psvn_rules.h"
#include "space/text/psvn/psvn_space.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts of states ---- */

/* Cuts the next value off a state's text: commas, colons or spaces between. Length 0 at the end. */
static struct psvn_word next_value(const char **rest)
{
    const char *text = *rest + strspn(*rest, " ");
    struct psvn_word word = {.text = text, .length = (uint32_t)strcspn(text, ",: ")};
    text += word.length;
    text += strspn(text, " ");
    *rest = text + (*text == ',' || *text == ':');
    return word;
}

/* Reads values; of a goal also '-' for any. */
static enum pz_status psvn_read_state(const struct psvn_meaning *meaning, const char *text, bool of_goal,
                                      struct psvn_pattern *out, struct pz_error *error)
{
    const struct psvn_model *model = meaning->model;
    const char *rest = text;
    for (uint32_t i = 0; i < model->places; i++) {
        const struct psvn_domain *domain = psvn_domain_of(model, i);
        const struct psvn_field *field = &meaning->layout.field[i];
        const struct psvn_word word = next_value(&rest);
        const psvn_cell cell = psvn_value_find(domain, &word);
        if (word.length == 0)
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': %u values given, the state has %u", text, i,
                           model->places);
        if (of_goal && psvn_word_is(&word, "-"))
            continue;
        if (cell < 0)
            return pz_fail(
                error, PZ_BAD_BOARD, "'%.40s': '%.*s' is no value of variable %u, which is of %.*s", text,
                (int)(word.length < 40 ? word.length : 40), word.text, i + 1, PSVN_SHOW(&domain->name));
        psvn_set(field, out->value, (uint32_t)cell);
        out->mask[field->word] |= field->mask << field->shift;
    }
    if (*rest != '\0')
        return pz_fail(error, PZ_BAD_BOARD, "'%.80s': more than %u values", text, model->places);
    return PZ_OK;
}

static enum pz_status psvn_parse(const struct pz_space *space, const char *text, void *state,
                                 struct pz_error *error)
{
    struct psvn_pattern read = {.same = 0};
    enum pz_status status = psvn_read_state(psvn_of(space)->meaning, text, false, &read, error);
    memcpy(state, read.value, space->state_bytes);
    return status;
}

/* Writes values; of a goal '-' where it has none. */
static size_t print_values(const struct psvn_meaning *meaning, const uint64_t *words,
                           const struct psvn_pattern *goal, char out[PZ_TEXT_MAX])
{
    size_t length = 0;
    for (uint32_t i = 0; i < meaning->model->places; i++) {
        const struct psvn_field *field = &meaning->layout.field[i];
        char value[PSVN_VALUE_TEXT] = "-";
        if (goal == NULL || psvn_has_value(goal, field))
            (void)psvn_value_print(psvn_domain_of(meaning->model, i), psvn_get(field, words), value);
        length += (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "%s%s", i > 0 ? "," : "", value);
    }
    return length;
}

static size_t psvn_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    return print_values(psvn_of(space)->meaning, state, NULL, out);
}

/* Returns true for "go~2": then a number always follows, so that no two moves have one word. */
static bool ends_in_number(const char *label, size_t length)
{
    size_t digits = 0;
    while (digits < length && label[length - 1 - digits] >= '0' && label[length - 1 - digits] <= '9')
        digits++;
    return digits > 0 && digits < length && label[length - 1 - digits] == '~';
}

/* Writes the word of a move: its rule's label, and which of the moves with this label it is. */
static size_t print_move(const struct psvn_model *model, const uint32_t *rules, unsigned move, char *out)
{
    char other[PSVN_LABEL_TEXT];
    const size_t length = psvn_label_print(&model->rules[rules[move]], out);
    unsigned number = 1;
    for (unsigned i = 0; i < move; i++)
        number += rules[i] == rules[move] || (psvn_label_print(&model->rules[rules[i]], other) == length &&
                                              memcmp(other, out, length) == 0);
    if (number == 1 && !ends_in_number(out, length))
        return length;
    return length + (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "~%u", number);
}

/* Returns the successors of a state, malloc'd, and behind them the rule of each; NULL without memory. */
static uint64_t *moves_of(const struct pz_space *space, const void *from, uint32_t **rules, unsigned *count)
{
    uint64_t *successors =
        malloc((size_t)space->max_successors * (space->state_bytes + sizeof(uint32_t) + 1));
    if (successors == NULL)
        return NULL;
    *rules = (uint32_t *)(void *)(successors + space->state_bytes / 8 * space->max_successors);
    uint8_t *tokens = (uint8_t *)(*rules + space->max_successors);
    *count = psvn_kernel_expand(psvn_of(space)->kernel, from, PZ_NO_TOKEN, successors, tokens, *rules);
    return successors;
}

bool psvn_move(const struct pz_space *space, const void *from, const char *word, size_t length, void *out,
               uint64_t *cost)
{
    const struct psvn_model *model = psvn_of(space)->rules;
    char other[PZ_TEXT_MAX];
    uint32_t *rules;
    unsigned count, move = 0;
    uint64_t *successors = moves_of(space, from, &rules, &count);
    if (successors == NULL)
        return false;
    while (move < count &&
           (print_move(model, rules, move, other) != length || memcmp(other, word, length) != 0))
        move++;
    if (move < count) {
        memcpy(out, successors + space->state_bytes / 8 * move, space->state_bytes);
        *cost = model->rules[rules[move]].cost;
    }
    free(successors);
    return move < count;
}

/* A move is named by the first rule that makes it at the least cost. */
static size_t psvn_describe(const struct pz_space *space, const void *from, const void *to,
                            char out[PZ_TEXT_MAX])
{
    const struct psvn_space *psvn = psvn_of(space);
    const struct psvn_rule *all = psvn->rules->rules;
    const size_t words = space->state_bytes / 8;
    uint32_t *rules;
    unsigned count;
    uint64_t *successors = moves_of(space, from, &rules, &count);
    if (successors == NULL)
        return (size_t)snprintf(out, PZ_TEXT_MAX, "?");
    unsigned best = count;
    for (unsigned i = 0; i < count; i++)
        if (memcmp(successors + i * words, to, space->state_bytes) == 0 &&
            (best == count || all[rules[i]].cost < all[rules[best]].cost))
            best = i;
    const size_t length =
        best < count ? print_move(psvn->rules, rules, best, out) : (size_t)snprintf(out, PZ_TEXT_MAX, "?");
    free(successors);
    return length;
}

/* ---- the search's view ---- */

/* Each variable has one of its values, and the other bits are 0. */
static bool psvn_valid(const struct pz_space *space, const void *state)
{
    const struct psvn_meaning *meaning = psvn_of(space)->meaning;
    uint64_t words[PSVN_STATE_WORDS], again[PSVN_STATE_WORDS] = {0};
    memcpy(words, state, space->state_bytes);
    for (uint32_t i = 0; i < meaning->model->places; i++) {
        const struct psvn_field *field = &meaning->layout.field[i];
        if (psvn_get(field, words) >= psvn_domain_of(meaning->model, i)->size)
            return false;
        psvn_set(field, again, psvn_get(field, words));
    }
    return memcmp(words, again, space->state_bytes) == 0;
}

/* ---- numbers: a digit for each variable ---- */

static uint64_t psvn_count(const struct pz_space *space)
{
    return psvn_of(space)->meaning->count;
}

static uint64_t psvn_rank(const struct pz_space *space, const void *state)
{
    const struct psvn_meaning *meaning = psvn_of(space)->meaning;
    uint64_t number = 0;
    for (uint32_t i = 0; i < meaning->model->places; i++)
        number =
            number * psvn_domain_of(meaning->model, i)->size + psvn_get(&meaning->layout.field[i], state);
    return number;
}

static void psvn_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    const struct psvn_meaning *meaning = psvn_of(space)->meaning;
    memset(state, 0, space->state_bytes);
    for (uint32_t i = meaning->model->places; i-- > 0;) {
        const uint32_t size = psvn_domain_of(meaning->model, i)->size;
        psvn_set(&meaning->layout.field[i], state, (uint32_t)(number % size));
        number /= size;
    }
}

static unsigned psvn_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                            void *successors, uint8_t *tokens)
{
    return psvn_kernel_expand(psvn_of(space)->kernel, state, came_by, successors, tokens, NULL);
}

static unsigned psvn_expand_costs(const struct pz_space *space, const void *state, uint8_t came_by,
                                  void *successors, uint8_t *tokens, uint32_t *costs)
{
    const struct psvn_space *psvn = psvn_of(space);
    uint32_t rules[PZ_SUCCESSORS_MAX];
    const unsigned count = psvn_kernel_expand(psvn->kernel, state, came_by, successors, tokens, rules);
    for (unsigned i = 0; i < count; i++)
        costs[i] = psvn->rules->rules[rules[i]].cost;
    return count;
}

static bool psvn_is_goal(const struct pz_space *space, const void *state)
{
    const struct psvn_space *psvn = psvn_of(space);
    const uint64_t *words = state;
    uint64_t differ = 0;
    if (!psvn->has_goal)
        return psvn_kernel_is_goal(psvn->meaning->kernel, state);
    for (unsigned i = 0; i < psvn->meaning->layout.words; i++)
        differ |= (words[i] & psvn->goal.mask[i]) ^ psvn->goal.value[i];
    return differ == 0;
}

static void psvn_goal(const struct pz_space *space, void *state)
{
    memcpy(state, psvn_of(space)->root, space->state_bytes);
}

static enum pz_status psvn_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    if (!psvn_of(space)->has_root)
        return pz_fail(
            error, PZ_BAD_REQUEST,
            "definition %s has no goal without open places to begin at: give a goal= without, or root= "
            "or start= where the verb has them",
            psvn_of(space)->definition->name);
    psvn_goal(space, state);
    return PZ_OK;
}

/* ---- making one ---- */

static const char *const psvn_keys[] = {"backwards", "moves", NULL};

static void psvn_close(struct pz_space *space)
{
    struct psvn_space *psvn = (struct psvn_space *)space;
    if (psvn == NULL)
        return;
    psvn_kernel_free(psvn->picked.kernel);
    psvn_model_free(psvn->picked.rules);
    psvn_kernel_free(psvn->backward.kernel);
    psvn_model_free(psvn->backward.rules);
    definition_release(psvn->definition);
    free(psvn);
}

/* Returns true if all places of the pattern have values. */
static bool is_state(const struct psvn_layout *layout, uint32_t places, const struct psvn_pattern *pattern)
{
    for (uint32_t i = 0; i < places; i++)
        if (!psvn_has_value(pattern, &layout->field[i]))
            return false;
    return true;
}

/* Finds out about the goals of the text: which one is a state, and that it is the only goal. */
static void take_text_goals(struct psvn_space *psvn)
{
    const struct psvn_model *model = psvn->meaning->model;
    for (uint32_t i = 0; i < model->goal_count && !psvn->has_root; i++) {
        const psvn_cell *goal = model->goals + (size_t)i * model->places;
        uint32_t place = 0;
        memset(psvn->root, 0, sizeof psvn->root);
        for (; place < model->places && goal[place] >= 0 && goal[place] < PSVN_NAME; place++)
            psvn_set(&psvn->meaning->layout.field[place], psvn->root, (uint32_t)goal[place]);
        psvn->has_root = place == model->places;
    }
    if (model->goal_count == 0)
        psvn->base.flags |= PZ_NO_GOAL;
    if (model->goal_count == 1 && psvn->has_root)
        psvn->base.flags |= PZ_UNIQUE_GOAL;
}

static enum pz_status psvn_take_goal(struct psvn_space *psvn, const char *given, struct pz_error *error)
{
    char text[PZ_TEXT_MAX];
    enum pz_status status = psvn_read_state(psvn->meaning, given, true, &psvn->goal, error);
    if (status != PZ_OK)
        return status;
    psvn->has_goal = true;
    psvn->has_root = is_state(&psvn->meaning->layout, psvn->meaning->model->places, &psvn->goal);
    memcpy(psvn->root, psvn->goal.value, sizeof psvn->root);
    psvn->base.flags |= psvn->has_root ? PZ_UNIQUE_GOAL : 0u;
    (void)print_values(psvn->meaning, psvn->goal.value, &psvn->goal, text);
    return space_size_add(psvn->base.size, "goal", text, error);
}

/* Goes by rules and a kernel of its own, and says in the size which these are. */
static enum pz_status psvn_take_own(struct psvn_space *psvn, const struct psvn_own *own, const char *key,
                                    const char *value, struct pz_error *error)
{
    psvn->kernel = own->kernel;
    psvn->rules = own->rules;
    return space_size_add(psvn->base.size, key, value, error);
}

static enum pz_status psvn_take_moves(struct psvn_space *psvn, const char *moves, struct pz_error *error)
{
    char labels[PZ_SIZE_MAX] = "";
    enum pz_status status = psvn_rules_pick(psvn->rules, moves, &psvn->picked.rules, labels, error);
    if (status != PZ_OK || *labels == '\0')
        return status;
    status = psvn_rules_compile(psvn->picked.rules, &psvn->meaning->layout, &psvn->picked.kernel,
                                &psvn->base.flags, error);
    return status == PZ_OK ? psvn_take_own(psvn, &psvn->picked, "moves", labels, error) : status;
}

static enum pz_status take_backwards(struct psvn_space *psvn, struct pz_error *error)
{
    enum pz_status status = psvn_rules_invert(psvn->rules, &psvn->backward.rules, error);
    if (status == PZ_OK)
        status = psvn_kernel_new(psvn->backward.rules, &psvn->meaning->layout, NULL, &psvn->backward.kernel,
                                 error);
    return status == PZ_OK ? psvn_take_own(psvn, &psvn->backward, "backwards", "yes", error) : status;
}

static struct psvn_space *space_new(const struct definition *definition)
{
    const struct psvn_meaning *meaning = (const struct psvn_meaning *)definition->meaning;
    struct psvn_space *psvn = calloc(1, sizeof *psvn);
    if (psvn == NULL)
        return NULL;
    psvn->base = (struct pz_space){
        .puzzle = &psvn_puzzle, .state_bytes = meaning->layout.words * 8, .flags = meaning->flags};
    psvn->definition = definition_retain(definition);
    psvn->meaning = meaning;
    psvn->kernel = meaning->kernel;
    psvn->rules = meaning->model;
    memcpy(psvn->base.size, definition->id, sizeof definition->id);
    return psvn;
}

enum pz_status psvn_space_open(const struct definition *definition, const struct pz_setup *setup,
                               struct pz_space **out, struct pz_error *error)
{
    struct space_options options;
    bool backwards = false;
    enum pz_status status = space_options_read(&options, setup, psvn_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "backwards", "no", "yes", &backwards, error);
    struct psvn_space *psvn = status == PZ_OK ? space_new(definition) : NULL;
    if (psvn == NULL)
        return status != PZ_OK ? status : pz_fail(error, PZ_MEMORY, "no memory for a space");
    const char *goal = space_option(&options, "goal"), *moves = space_option(&options, "moves");
    if (moves != NULL)
        status = psvn_take_moves(psvn, moves, error);
    if (status == PZ_OK && goal != NULL)
        status = psvn_take_goal(psvn, goal, error);
    else if (status == PZ_OK)
        take_text_goals(psvn);
    if (status == PZ_OK && backwards)
        status = take_backwards(psvn, error);
    psvn->base.max_successors = psvn_kernel_most(psvn->kernel);
    if (status == PZ_OK)
        *out = &psvn->base;
    else
        psvn_close(&psvn->base);
    return status;
}

static enum pz_status psvn_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return library_open(DEFINITION_PSVN, setup, out, error);
}

const struct pz_puzzle psvn_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "psvn",
    .summary = "vectors of variables with rules, by definition",
    .example = "psvn:NAME",
    .keys = psvn_keys,
    .open = psvn_open,
    .close = psvn_close,
    .parse = psvn_parse,
    .print = psvn_print,
    .describe = psvn_describe,
    .separator = ",",
    .root = psvn_root,
    .goal = psvn_goal,
    .is_goal = psvn_is_goal,
    .expand = psvn_expand,
    .valid = psvn_valid,
    .count = psvn_count,
    .rank = psvn_rank,
    .unrank = psvn_unrank,
    .expand_costs = psvn_expand_costs,
};
