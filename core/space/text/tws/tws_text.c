/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws_space.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* Of a random walk: so many, or more by places; times that where some cannot be made. */
enum { RANDOM_MOVES = 100, RANDOM_MOVES_A_PLACE = 5, RANDOM_TIMES_ILLEGAL = 24 };

/* ---- reading ---- */

/* Reads a number or '?', and moves behind it. */
static bool read_tws_value(const char **text, uint32_t *value)
{
    const char *at = *text;
    *value = TWS_ANY;
    if (*at == '?') {
        *text = at + 1;
        return true;
    }
    uint32_t number = 0;
    while (*at >= '0' && *at <= '9' && number <= TWS_NUMBER_MAX)
        number = number * 10 + (uint32_t)(*at++ - '0');
    *value = number;
    const bool sound = at > *text && number <= TWS_NUMBER_MAX;
    *text = at;
    return sound;
}

static bool tws_read_values(const char **text, unsigned count, uint32_t *values)
{
    for (unsigned i = 0; i < count; i++) {
        if (i > 0 && **text != ',' && **text != ':')
            return false;
        *text += i > 0;
        if (!read_tws_value(text, &values[i]))
            return false;
    }
    return true;
}

/* Puts the pieces of a set into a state. */
static enum pz_status take_pieces(const struct tws_rules *rules, unsigned number, const uint32_t *pieces,
                                  const uint32_t *turns, uint8_t *state, struct pz_error *error)
{
    const struct tws_set *set = &rules->set[number];
    const struct twist_set *twist = &rules->twist.set[number];
    for (unsigned i = 0; i < set->places; i++) {
        unsigned kind = 0;
        while (kind < twist->kinds && rules->label[number][kind] != pieces[i])
            kind++;
        if (kind == twist->kinds)
            return pz_fail(error, PZ_BAD_BOARD, "place %u of %s: there is no such piece", i + 1, set->name);
        if (turns[i] >= set->turns && !(twist->blind[kind] && turns[i] == TWS_ANY))
            return pz_fail(error, PZ_BAD_BOARD, "place %u of %s: a turn is 0 to %u", i + 1, set->name,
                           set->turns - 1);
        state[set->first + i] = (uint8_t)(kind * set->turns + (twist->blind[kind] ? 0 : turns[i]));
    }
    return PZ_OK;
}

/* Counts codes of a kind; returns false if one is none of the set's. */
static bool count_kinds(const struct twist *twist, unsigned number, const uint8_t *state, unsigned *count)
{
    const struct twist_set *set = &twist->set[number];
    memset(count, 0, TWIST_CODES * sizeof *count);
    for (unsigned i = set->first; i < set->first + set->places; i++) {
        const unsigned kind = state[i] / set->turns;
        if (kind >= set->kinds || (set->blind[kind] && state[i] % set->turns != 0))
            return false;
        count[kind]++;
    }
    return true;
}

static bool set_is_valid(const struct twist *twist, unsigned number, const uint8_t *state)
{
    unsigned given[TWIST_CODES], wanted[TWIST_CODES];
    return count_kinds(twist, number, state, given) && count_kinds(twist, number, twist->solved, wanted) &&
           memcmp(given, wanted, sizeof given) == 0;
}

/* Returns a place whose piece no move carries or turns, and which has another one, or one that is turned
 * otherwise, than in the solved state; places if there is none. */
static unsigned find_moved(const struct tws_rules *rules, const uint8_t *state)
{
    unsigned place = 0;
    for (; place < rules->twist.places; place++) {
        const unsigned turns = rules->twist.set[rules->twist.set_of[place]].turns;
        const unsigned code = state[place], solved = rules->twist.solved[place];
        if ((rules->stays[place] && code / turns != solved / turns) ||
            (rules->unturned[place] && code != solved))
            break;
    }
    return place;
}

/* No move leads from such a position to the solved one or back. */
static enum pz_status check_still(const struct tws_rules *rules, const char *text, const uint8_t *state,
                                  struct pz_error *error)
{
    const unsigned place = find_moved(rules, state);
    if (place == rules->twist.places)
        return PZ_OK;
    const struct tws_set *set = &rules->set[rules->twist.set_of[place]];
    return pz_fail(error, PZ_BAD_BOARD,
                   "'%.80s': no move %s the piece in place %u of %s: it must be there as in the solved state",
                   text, rules->unturned[place] ? "carries or turns" : "carries", place - set->first + 1,
                   set->name);
}

bool tws_valid(const struct pz_space *space, const void *state)
{
    const struct tws_rules *rules = &tws_of(space)->variant->rules;
    uint8_t room[TWIST_PLACES_MAX];
    uint64_t again[PZ_STATE_MAX / 8];
    const uint8_t *codes = tws_codes(space, state, room);
    for (unsigned number = 0; number < rules->sets; number++)
        if (!set_is_valid(&rules->twist, number, codes))
            return false;
    tws_pack(space, codes, again);
    tws_classes_least(space, again);
    return memcmp(again, state, space->state_bytes) == 0 && find_moved(rules, codes) == rules->twist.places &&
           tws_rules_legal(rules, codes);
}

static enum pz_status parse_pieces(const struct tws_rules *rules, const char *text, uint8_t *state,
                                   struct pz_error *error)
{
    const char *rest = text;
    for (unsigned number = 0; number < rules->sets; number++) {
        const struct tws_set *set = &rules->set[number];
        uint32_t pieces[TWIST_PLACES_MAX], turns[TWIST_PLACES_MAX] = {0};
        if (number > 0 && *rest++ != '/')
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': %u sets, slashes between", text, rules->sets);
        bool sound = tws_read_values(&rest, set->places, pieces);
        if (sound && *rest == '.') {
            rest++;
            sound = tws_read_values(&rest, set->places, turns);
        }
        if (!sound || (*rest != '\0' && *rest != '/'))
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': %s has %u pieces, commas between%s", text,
                           set->name, set->places, set->turns > 1 ? ", then a point and as many turns" : "");
        enum pz_status status = take_pieces(rules, number, pieces, turns, state, error);
        if (status != PZ_OK)
            return status;
        if (!set_is_valid(&rules->twist, number, state))
            return pz_fail(error, PZ_BAD_BOARD, "'%.80s': %s has other pieces, or not as many of each", text,
                           set->name);
    }
    return *rest == '\0' ? PZ_OK : pz_fail(error, PZ_BAD_BOARD, "'%.80s': %u sets", text, rules->sets);
}

/* ---- scrambles ---- */

static void do_move(const struct twist *twist, const struct twist_move *move, uint8_t *state)
{
    uint8_t before[TWIST_PLACES_MAX];
    memcpy(before, state, twist->places);
    for (unsigned i = 0; i < twist->places; i++)
        state[i] = twist->turned[twist->set_of[i]][move->turn[i]][before[move->from[i]]];
}

/* Undoes what a scramble has turned the puzzle as a whole: it is solved where it is solved as it lies. */
static void turn_back(const struct twist *twist, const struct twist_move *turned, uint8_t *state)
{
    struct twist_move back;
    for (unsigned i = 0; i < twist->places; i++) {
        const unsigned from = turned->from[i], turns = twist->set[twist->set_of[i]].turns;
        back.from[from] = (uint8_t)i;
        back.turn[from] = (uint8_t)((turns - turned->turn[i]) % turns);
    }
    do_move(twist, &back, state);
}

static enum pz_status no_move(const struct tws_rules *rules, const char *word, size_t length,
                              struct pz_error *error)
{
    char moves[160] = "";
    size_t used = 0;
    for (unsigned i = 0; i < rules->listed_moves; i++) {
        const char *name = rules->listed[i].name;
        if (used + strlen(name) + sizeof "  …" > sizeof moves) {
            (void)snprintf(moves + used, sizeof moves - used, " …");
            break;
        }
        used += (size_t)snprintf(moves + used, sizeof moves - used, " %s", name);
    }
    return pz_fail(error, PZ_BAD_BOARD, "'%.*s' is no move; there are:%s", length < 40 ? (int)length : 40,
                   word, moves);
}

/* Walks from the solved state by the seed of "random:SEED". A move that cannot be made is a step that stays:
 * so in the long run all positions are as likely. Returns false for another text. */
static bool walk_randomly(const struct tws_rules *rules, const char *text, uint8_t *state)
{
    static const char word[] = "random:";
    const unsigned by_places = RANDOM_MOVES_A_PLACE * rules->twist.places;
    char *end;
    if (strncmp(text, word, strlen(word)) != 0 || text[strlen(word)] < '0' || text[strlen(word)] > '9')
        return false;
    struct random random = {.state = strtoull(text + strlen(word), &end, 10)};
    if (*end != '\0')
        return false;
    unsigned moves = (by_places > RANDOM_MOVES ? by_places : RANDOM_MOVES) *
                     (rules->illegals > 0 ? RANDOM_TIMES_ILLEGAL : 1);
    moves += (unsigned)random_below(&random, 2); /* or quarters keep the parity */
    for (unsigned i = 0; i < moves; i++) {
        uint8_t next[TWIST_PLACES_MAX];
        twist_apply(&rules->twist, (unsigned)random_below(&random, rules->twist.moves), state, next);
        if (tws_rules_legal(rules, next))
            memcpy(state, next, rules->twist.places);
    }
    return true;
}

static enum pz_status parse_scramble(const struct tws_rules *rules, const char *text, uint8_t *state,
                                     struct pz_error *error)
{
    static const char between[] = ", \t\r\n()[]";
    struct twist_move turned, turn;
    twist_identity(&rules->twist, &turned);
    memcpy(state, rules->twist.solved, rules->twist.places);
    if (strcmp(text, "solved") == 0 || walk_randomly(rules, text, state))
        return PZ_OK;
    for (const char *word = text + strspn(text, between); *word != '\0';) {
        const size_t length = strcspn(word, between);
        struct twist_move move = {.from = {0}};
        if (!tws_rules_word(rules, word, length, &move, &turn))
            return no_move(rules, word, length, error);
        const struct twist_move before = turned;
        twist_compose(&rules->twist, &before, &turn, &turned);
        do_move(&rules->twist, &move, state);
        if (!tws_rules_legal(rules, state))
            return pz_fail(error, PZ_BAD_BOARD,
                           "'%.80s': '%.*s' cannot be done there: the text calls what it leads to "
                           "illegal",
                           text, length < 40 ? (int)length : 40, word);
        word += length;
        word += strspn(word, between);
    }
    turn_back(&rules->twist, &turned, state);
    return PZ_OK;
}

enum pz_status tws_parse(const struct pz_space *space, const char *text, void *state, struct pz_error *error)
{
    const struct tws_rules *rules = &tws_of(space)->variant->rules;
    const bool is_state = strspn(text, "0123456789,:./?") == strlen(text);
    uint8_t codes[TWIST_PLACES_MAX] = {0};
    memset(state, 0, space->state_bytes);
    const enum pz_status status =
        is_state ? parse_pieces(rules, text, codes, error) : parse_scramble(rules, text, codes, error);
    if (status != PZ_OK)
        return status;
    tws_pack(space, codes, state);
    if (!tws_rules_legal(rules, codes))
        return pz_fail(error, PZ_BAD_BOARD, "'%.80s': the text calls this position illegal", text);
    tws_classes_least(space, state);
    return check_still(rules, text, codes, error);
}

/* ---- writing ---- */

struct tws_line {
    char *text;
    size_t length;
};

static void put_value(struct tws_line *line, uint32_t value, const char *before)
{
    const size_t room = PZ_TEXT_MAX - line->length;
    const int written = value == TWS_ANY ? snprintf(line->text + line->length, room, "%s?", before)
                                         : snprintf(line->text + line->length, room, "%s%u", before, value);
    line->length += (size_t)written;
}

static void put_pieces(struct tws_line *line, const struct tws_rules *rules, unsigned number,
                       const uint8_t *state, const char *between)
{
    const struct tws_set *set = &rules->set[number];
    for (unsigned i = 0; i < set->places; i++)
        put_value(line, rules->label[number][state[set->first + i] / set->turns], i > 0 ? between : "");
}

static void put_turns(struct tws_line *line, const struct tws_rules *rules, unsigned number,
                      const uint8_t *state, const char *first, const char *between)
{
    const struct tws_set *set = &rules->set[number];
    for (unsigned i = 0; i < set->places; i++) {
        const unsigned code = state[set->first + i];
        const bool blind = rules->twist.set[number].blind[code / set->turns];
        put_value(line, blind ? TWS_ANY : code % set->turns, i > 0 ? between : first);
    }
}

/* 128 places with numbers of five digits and turns of two stay below PZ_TEXT_MAX. */
size_t tws_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct tws_rules *rules = &tws_of(space)->variant->rules;
    struct tws_line line = {.text = out};
    uint8_t room[TWIST_PLACES_MAX];
    const uint8_t *codes = tws_codes(space, state, room);
    for (unsigned number = 0; number < rules->sets; number++) {
        if (number > 0)
            out[line.length++] = '/';
        put_pieces(&line, rules, number, codes, ",");
        if (rules->set[number].turns > 1)
            put_turns(&line, rules, number, codes, ".", ",");
    }
    out[line.length] = '\0';
    return line.length;
}

size_t tws_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct tws_rules *rules = &tws_of(space)->variant->rules;
    struct tws_line line = {.text = out};
    uint8_t room[TWIST_PLACES_MAX];
    const uint8_t *codes = tws_codes(space, state, room);
    const struct tws_net *net = tws_of(space)->net;
    if (net != NULL) {
        uint16_t seen[NET_STICKERS_MAX];
        uint8_t colour[NET_STICKERS_MAX];
        tws_net_see(net, rules, codes, seen, colour);
        return tws_net_draw(net, colour, out);
    }
    for (unsigned number = 0; number < rules->sets; number++) {
        line.length +=
            (size_t)snprintf(out + line.length, PZ_TEXT_MAX - line.length, "%s\n", rules->set[number].name);
        put_pieces(&line, rules, number, codes, " ");
        out[line.length++] = '\n';
        if (rules->set[number].turns > 1) {
            put_turns(&line, rules, number, codes, "", " ");
            out[line.length++] = '\n';
        }
    }
    out[line.length] = '\0';
    return line.length;
}
