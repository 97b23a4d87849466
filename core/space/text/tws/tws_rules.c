/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws_rules.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- kinds ---- */

/* Numbers the kinds of a set by the pieces' numbers, '?' last. */
static void find_kinds(const struct tws_file *file, const struct tws_set *set, uint32_t *label,
                       unsigned *kinds)
{
    *kinds = 0;
    for (unsigned i = set->first; i < set->first + set->places; i++) {
        unsigned at = 0;
        while (at < *kinds && label[at] < file->piece[i])
            at++;
        if (at < *kinds && label[at] == file->piece[i])
            continue;
        memmove(label + at + 1, label + at, (*kinds - at) * sizeof *label);
        label[at] = file->piece[i];
        ++*kinds;
    }
}

static unsigned piece_kind(const uint32_t *label, uint32_t piece)
{
    unsigned kind = 0;
    while (label[kind] != piece)
        kind++;
    return kind;
}

static enum pz_status check_blind(const struct tws_file *file, const struct tws_set *set,
                                  struct pz_error *error)
{
    for (unsigned i = set->first; i < set->first + set->places; i++)
        for (unsigned k = set->first; k < i; k++)
            if (file->piece[i] == file->piece[k] && file->piece[i] != TWS_ANY &&
                (file->turn[i] == TWS_ANY) != (file->turn[k] == TWS_ANY))
                return pz_fail(error, PZ_BAD_PUZZLE,
                               "line 1, column 1: piece %u of %s is turned by '?' in one place only",
                               file->piece[i], set->name);
    return PZ_OK;
}

static enum pz_status make_set(const struct tws_file *file, unsigned number, struct tws_rules *rules,
                               struct pz_error *error)
{
    const struct tws_set *set = &file->set[number];
    uint32_t *label = rules->label[number];
    struct twist_set *to = &rules->twist.set[number];
    unsigned kinds = 0;
    find_kinds(file, set, label, &kinds);
    if (kinds * set->turns > TWIST_CODES)
        return pz_fail(error, PZ_BAD_PUZZLE, "line 1, column 1: %u kinds of %s in %u turns are more than %d",
                       kinds, set->name, set->turns, TWIST_CODES);
    *to = (struct twist_set){.first = (uint8_t)set->first,
                             .places = (uint8_t)set->places,
                             .turns = (uint8_t)set->turns,
                             .kinds = (uint8_t)kinds};
    for (unsigned i = set->first; i < set->first + set->places; i++) {
        const unsigned kind = piece_kind(label, file->piece[i]);
        to->blind[kind] = file->turn[i] == TWS_ANY || file->piece[i] == TWS_ANY;
        rules->twist.solved[i] = (uint8_t)(kind * set->turns + (to->blind[kind] ? 0 : file->turn[i]));
    }
    return check_blind(file, set, error);
}

/* ---- moves ---- */

static bool is_rotation(const char *name)
{
    const size_t length = strlen(name);
    return strcmp(name, "x") == 0 || strcmp(name, "y") == 0 || strcmp(name, "z") == 0 ||
           (*name >= 'A' && *name <= 'Z' && length > 1 && name[length - 1] == 'v');
}

/* Says turns of the place that a piece comes to. */
static void turn_at_place(const struct tws_file *file, const struct twist_move *listed,
                          struct twist_move *out)
{
    *out = *listed;
    for (unsigned i = 0; i < file->places; i++)
        out->turn[i] = listed->turn[listed->from[i]];
}

static unsigned order_of(const struct twist *twist, const struct twist_move *move)
{
    struct twist_move power = *move, next;
    unsigned order = 1;
    for (; order <= TWS_ORDER_MAX && !twist_is_identity(twist, &power); order++) {
        twist_compose(twist, &power, move, &next);
        power = next;
    }
    return order;
}

static void name_power(const char *name, unsigned power, unsigned order, char word[TWS_WORD_MAX])
{
    const bool back = 2 * power > order;
    const unsigned times = back ? order - power : power;
    if (times == 1)
        (void)snprintf(word, TWS_WORD_MAX, "%s%s", name, back ? "'" : "");
    else
        (void)snprintf(word, TWS_WORD_MAX, "%s%u%s", name, times, back ? "'" : "");
}

/* Returns the number of the move that does the same, or how many moves there are. */
static unsigned find_move(const struct twist *twist, const struct twist_move *move)
{
    unsigned i = 0;
    while (i < twist->moves && !twist_same_move(twist, &twist->move[i], move))
        i++;
    return i;
}

/* Adds a move unless there is one that does the same. */
static bool add_move(struct tws_rules *rules, unsigned listed, const struct twist_move *move,
                     const char *word)
{
    struct twist *twist = &rules->twist;
    if (find_move(twist, move) < twist->moves)
        return true;
    if (twist->moves == TWIST_MOVES_MAX)
        return false;
    twist->move[twist->moves] = *move;
    rules->name[twist->moves].listed = (uint8_t)listed;
    (void)snprintf(rules->name[twist->moves].word, TWS_WORD_MAX, "%s", word);
    twist->moves++;
    return true;
}

static enum pz_status check_order(const struct tws_listed_move *listed, unsigned order,
                                  struct pz_error *error)
{
    if (order <= TWS_ORDER_MAX)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: move %s has more than %d powers", listed->line,
                   listed->name, TWS_ORDER_MAX);
}

static bool counts_as_move(const struct tws_rules *rules, unsigned power, unsigned order)
{
    return rules->metric == TWS_TURN || power == 1 || power + 1 == order;
}

static enum pz_status add_powers(struct tws_rules *rules, unsigned listed, struct pz_error *error)
{
    const struct tws_listed_move *from = &rules->listed[listed];
    const unsigned order = rules->order[listed];
    struct twist_move power = from->carried, next;
    for (unsigned i = 1; i < order; i++) {
        char word[TWS_WORD_MAX];
        name_power(from->name, i, order, word);
        if (counts_as_move(rules, i, order) && !add_move(rules, listed, &power, word))
            return pz_fail(error, PZ_BAD_PUZZLE,
                           "line %u, column 1: with the powers of %s more than %d moves", from->line,
                           from->name, TWIST_MOVES_MAX);
        twist_compose(&rules->twist, &power, &from->carried, &next);
        power = next;
    }
    return PZ_OK;
}

static enum pz_status check_rule_words(const struct tws_rules *rules, struct pz_error *error)
{
    for (unsigned i = 0; i < rules->twist.moves; i++)
        for (unsigned k = 0; k < i; k++)
            if (strcmp(rules->name[i].word, rules->name[k].word) == 0)
                return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: two moves are called %s",
                               rules->listed[rules->name[i].listed].line, rules->name[i].word);
    return PZ_OK;
}

static void note_what_stays(struct tws_rules *rules)
{
    const struct twist *twist = &rules->twist;
    for (unsigned i = 0; i < twist->places; i++) {
        rules->stays[i] = rules->unturned[i] = true;
        for (unsigned move = 0; move < twist->moves; move++) {
            rules->stays[i] &= twist->move[move].from[i] == i;
            rules->unturned[i] &= twist->move[move].turn[i] == 0;
        }
        rules->unturned[i] &= rules->stays[i];
    }
}

/* Takes pieces that are illegal in a place; the solved state must be legal. */
static enum pz_status take_illegal(const struct tws_file *file, struct tws_rules *rules,
                                   struct pz_error *error)
{
    for (unsigned i = 0; i < file->illegals; i++) {
        const struct tws_illegal *illegal = &file->illegal[i];
        const unsigned number = rules->twist.set_of[illegal->place];
        unsigned kind = 0;
        while (kind < rules->twist.set[number].kinds && rules->label[number][kind] != illegal->piece)
            kind++;
        if (kind == rules->twist.set[number].kinds)
            return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: there is no piece %u in %s",
                           illegal->line, illegal->piece, rules->set[number].name);
        rules->illegal[i].place = (uint8_t)illegal->place;
        rules->illegal[i].kind = (uint8_t)kind;
        rules->illegals++;
        if (!tws_rules_legal(rules, rules->twist.solved))
            return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: the solved state is illegal",
                           illegal->line);
    }
    return PZ_OK;
}

void tws_rules_list(const struct tws_file *file, struct tws_rules *rules)
{
    const unsigned number = rules->listed_moves++;
    struct tws_listed_move *listed = &rules->listed[number];
    *listed = file->move[number];
    turn_at_place(file, &file->move[number].carried, &listed->carried);
    if (is_rotation(listed->name))
        listed->turned = listed->carried;
    else if (listed->words == NULL)
        twist_identity(&rules->twist, &listed->turned);
    rules->order[number] = order_of(&rules->twist, &listed->carried);
}

enum pz_status tws_rules_begin(const struct tws_file *file, struct tws_rules *rules, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    memset(rules, 0, sizeof *rules);
    rules->sets = rules->twist.sets = file->sets;
    rules->twist.places = file->places;
    memcpy(rules->set, file->set, sizeof rules->set);
    for (unsigned i = 0; status == PZ_OK && i < file->sets; i++)
        status = make_set(file, i, rules, error);
    if (status != PZ_OK)
        return status;
    twist_finish(&rules->twist);
    while (rules->listed_moves < file->moves)
        tws_rules_list(file, rules);
    return take_illegal(file, rules, error);
}

enum pz_status tws_rules_make(const struct tws_file *file, enum tws_metric metric, struct tws_rules *rules,
                              struct pz_error *error)
{
    enum pz_status status = tws_rules_begin(file, rules, error);
    rules->metric = metric;
    for (unsigned i = 0; status == PZ_OK && i < file->moves; i++) {
        rules->moves[i] = !is_rotation(file->move[i].name) && file->move[i].words == NULL;
        status = check_order(&rules->listed[i], rules->order[i], error);
        if (status == PZ_OK && rules->moves[i])
            status = add_powers(rules, i, error);
    }
    if (status == PZ_OK && rules->twist.moves == 0)
        status = pz_fail(error, PZ_BAD_PUZZLE, "line 1, column 1: no move moves a piece");
    if (status == PZ_OK)
        status = check_rule_words(rules, error);
    if (status == PZ_OK && !twist_find_inverses(&rules->twist))
        status = pz_fail(error, PZ_INTERNAL, "a move has no inverse");
    note_what_stays(rules);
    return status;
}

/* ---- some of the moves ---- */

static bool has_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* Marks the powers of a listed move, or the one that has this word, and their inverses: also those that do
 * the same as a power of an earlier one and have its word. Returns false if there are none. */
static bool mark_powers(const struct tws_rules *rules, unsigned listed, const char *word, size_t length,
                        bool kept[TWIST_MOVES_MAX])
{
    const struct tws_listed_move *from = &rules->listed[listed];
    const unsigned order = rules->moves[listed] ? rules->order[listed] : 0;
    struct twist_move power = from->carried, next;
    bool found = false;
    for (unsigned i = 1; i < order; i++) {
        char name[TWS_WORD_MAX];
        name_power(from->name, i, order, name);
        if (counts_as_move(rules, i, order) && (word == NULL || has_word(name, word, length))) {
            const unsigned move = find_move(&rules->twist, &power);
            assert(move < rules->twist.moves);
            found = kept[move] = kept[rules->twist.inverse[move]] = true;
        }
        twist_compose(&rules->twist, &power, &from->carried, &next);
        power = next;
    }
    return found;
}

/* Marks what a word keeps. Returns false if it is no move. */
static bool mark_kept(const struct tws_rules *rules, const char *word, size_t length,
                      bool kept[TWIST_MOVES_MAX])
{
    bool found = false;
    for (unsigned i = 0; i < rules->listed_moves; i++)
        if (has_word(rules->listed[i].name, word, length) && mark_powers(rules, i, NULL, 0, kept))
            return true;
    for (unsigned i = 0; i < rules->twist.moves; i++)
        if (has_word(rules->name[i].word, word, length))
            found = kept[i] = kept[rules->twist.inverse[i]] = true;
    for (unsigned i = 0; !found && i < rules->listed_moves; i++)
        found = mark_powers(rules, i, word, length, kept);
    return found;
}

static enum pz_status mark_list(const struct tws_rules *rules, const char *list, bool kept[TWIST_MOVES_MAX],
                                struct pz_error *error)
{
    static const char between[] = ",: ";
    memset(kept, 0, TWIST_MOVES_MAX * sizeof *kept);
    for (const char *word = list + strspn(list, between); *word != '\0'; word += strspn(word, between)) {
        const size_t bytes = strcspn(word, between);
        if (!mark_kept(rules, word, bytes, kept))
            return pz_fail(error, PZ_BAD_REQUEST, "moves=%.40s: '%.*s' is no move", list,
                           bytes < 40 ? (int)bytes : 40, word);
        word += bytes;
    }
    return PZ_OK;
}

static bool is_within(const bool some[TWIST_MOVES_MAX], const bool kept[TWIST_MOVES_MAX])
{
    for (unsigned i = 0; i < TWIST_MOVES_MAX; i++)
        if (some[i] && !kept[i])
            return false;
    return true;
}

/* Returns a word that keeps a marked move, and no other than marked ones: a listed name keeps all powers. */
static const char *kept_word(const struct tws_rules *rules, unsigned move, const bool kept[TWIST_MOVES_MAX])
{
    const char *word = rules->name[move].word;
    bool some[TWIST_MOVES_MAX] = {false};
    return mark_kept(rules, word, strlen(word), some) && some[move] && is_within(some, kept)
               ? word
               : rules->name[rules->twist.inverse[move]].word;
}

/* Appends the words that keep the marked moves which have their words from a listed move. */
static size_t write_kept(const struct tws_rules *rules, unsigned listed, const bool kept[TWIST_MOVES_MAX],
                         char *out, size_t room)
{
    bool any = false, all[TWIST_MOVES_MAX] = {false};
    size_t length = 0;
    for (unsigned i = 0; i < rules->twist.moves; i++)
        any |= rules->name[i].listed == listed && kept[i];
    if (any && mark_powers(rules, listed, NULL, 0, all) && is_within(all, kept))
        return (size_t)snprintf(out, room, ",%s", rules->listed[listed].name);
    for (unsigned i = 0; any && i < rules->twist.moves && length < room; i++)
        if (rules->name[i].listed == listed && kept[i] && i <= rules->twist.inverse[i])
            length += (size_t)snprintf(out + length, room - length, ",%s", kept_word(rules, i, kept));
    return length;
}

/* Writes the list that keeps the marked moves, as the given list does. */
static enum pz_status write_list(const struct tws_rules *rules, const char *list,
                                 const bool kept[TWIST_MOVES_MAX], char out[PZ_SIZE_MAX],
                                 struct pz_error *error)
{
    bool again[TWIST_MOVES_MAX];
    size_t length = 0;
    for (unsigned i = 0; i < rules->listed_moves && length < PZ_SIZE_MAX; i++)
        length += write_kept(rules, i, kept, out + length, PZ_SIZE_MAX - length);
    if (length >= PZ_SIZE_MAX / 2)
        return pz_fail(error, PZ_TOO_LARGE, "moves= is too long to be part of a name");
    memmove(out, out + 1, length); /* the first comma */
    const enum pz_status status = mark_list(rules, out, again, error);
    if (status == PZ_OK && memcmp(again, kept, sizeof again) != 0) /* U2 and U2' are listed, too */
        return pz_fail(error, PZ_UNSUPPORTED, "moves=%.40s: a name cannot say these moves and no others",
                       list);
    return status;
}

static void drop_others(struct tws_rules *rules, const bool kept[TWIST_MOVES_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < rules->twist.moves; i++) {
        if (!kept[i])
            continue;
        rules->twist.move[count] = rules->twist.move[i];
        rules->name[count++] = rules->name[i];
    }
    rules->twist.moves = count;
    note_what_stays(rules);
}

enum pz_status tws_rules_keep(struct tws_rules *rules, const char *list, char out[PZ_SIZE_MAX],
                              struct pz_error *error)
{
    bool kept[TWIST_MOVES_MAX];
    unsigned count = 0;
    enum pz_status status = mark_list(rules, list, kept, error);
    if (status != PZ_OK)
        return status;
    for (unsigned i = 0; i < rules->twist.moves; i++)
        count += kept[i];
    if (count == 0)
        return pz_fail(error, PZ_BAD_REQUEST, "moves=%.40s: no move is left", list);
    *out = '\0';
    if (count == rules->twist.moves)
        return PZ_OK;
    status = write_list(rules, list, kept, out, error);
    if (status != PZ_OK)
        return status;
    drop_others(rules, kept);
    return twist_find_inverses(&rules->twist) ? PZ_OK : pz_fail(error, PZ_INTERNAL, "a move has no inverse");
}
