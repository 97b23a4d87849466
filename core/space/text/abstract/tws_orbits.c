/* SPDX-License-Identifier: MIT */
#include "space/text/abstract/tws_abstractor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which pieces are alike ---- */

static void power_of(const struct tws_rules *rules, unsigned listed, unsigned power, struct twist_move *out)
{
    *out = rules->listed[listed].carried;
    for (; power > 1; power--) {
        const struct twist_move before = *out;
        twist_compose(&rules->twist, &before, &rules->listed[listed].carried, out);
    }
}

static unsigned solved_kind(const struct twist *twist, unsigned place)
{
    return twist->solved[place] / twist->set[twist->set_of[place]].turns;
}

/* Makes two kinds look alike. */
static void join_kinds(struct orbit_classes *classes, unsigned set, unsigned kinds, unsigned a, unsigned b)
{
    const uint8_t one = classes->of[set][a], other = classes->of[set][b];
    for (unsigned kind = 0; kind < kinds; kind++)
        if (classes->of[set][kind] == one || classes->of[set][kind] == other)
            classes->of[set][kind] = one < other ? one : other;
}

/* Counts turns anew along the cycles of a generator. Returns false when nothing is new. */
static bool spread_gauge(const struct twist *twist, const struct twist_move *move,
                         struct orbit_classes *classes, bool known[TWIST_PLACES_MAX])
{
    bool grown = false;
    for (unsigned i = 0; i < twist->places; i++) {
        const unsigned from = move->from[i], set = twist->set_of[i], turns = twist->set[set].turns;
        if (known[i] && known[from] &&
            (move->turn[i] + classes->gauge[i] + turns - classes->gauge[from]) % turns != 0)
            classes->blind[set] = true; /* the generators themselves turn pieces */
        if (known[i] == known[from])
            continue;
        const unsigned turn =
            known[i] ? classes->gauge[i] + move->turn[i] : classes->gauge[from] + turns - move->turn[i];
        classes->gauge[known[i] ? from : i] = (uint8_t)(turn % turns);
        known[i] = known[from] = grown = true;
    }
    return grown;
}

static void find_gauge(const struct twist *twist, const struct twist_move *generators, unsigned count,
                       struct orbit_classes *classes)
{
    bool known[TWIST_PLACES_MAX] = {false};
    for (unsigned first = 0; first < twist->places; first++) {
        if (known[first])
            continue;
        known[first] = true;
        for (bool grown = true; grown;) {
            grown = false;
            for (unsigned i = 0; i < count; i++)
                grown |= spread_gauge(twist, &generators[i], classes, known);
        }
    }
}

/* Notes what is not seen of the classes, and how far each kind was turned where it was solved. */
static void look_at_kinds(const struct tws_rules *rules, struct orbit_classes *classes)
{
    const struct twist *twist = &rules->twist;
    bool seen[TWIST_SETS_MAX][TWIST_CODES] = {{false}};
    for (unsigned i = 0; i < twist->places; i++) {
        const unsigned set = twist->set_of[i], turns = twist->set[set].turns, kind = solved_kind(twist, i);
        const unsigned back = (twist->solved[i] + classes->gauge[i]) % turns;
        if (twist->set[set].blind[kind])
            classes->sightless[set][classes->of[set][kind]] = true;
        else if (seen[set][kind] && classes->back[set][kind] != back)
            classes->blind[set] = true;
        if (rules->label[set][kind] == TWS_ANY)
            classes->any[set][classes->of[set][kind]] = true;
        seen[set][kind] = true;
        classes->back[set][kind] = (uint8_t)back;
    }
}

void orbit_classes_make(const struct tws_rules *rules, const struct orbit_choice *choice,
                        struct orbit_classes *classes)
{
    const struct twist *twist = &rules->twist;
    struct twist_move generators[TWS_MOVES_MAX];
    unsigned count = 0;
    memset(classes, 0, sizeof *classes);
    for (unsigned i = 0; i < rules->listed_moves; i++)
        if (choice->power[i] > 0)
            power_of(rules, i, choice->power[i], &generators[count++]);
    for (unsigned set = 0; set < twist->sets; set++) {
        classes->blind[set] = (choice->dropped[set] & ORBIT_TURNS) != 0 || twist->set[set].turns == 1;
        for (unsigned kind = 0; kind < twist->set[set].kinds; kind++)
            classes->of[set][kind] = (choice->dropped[set] & ORBIT_PIECES) != 0 ? 0 : (uint8_t)kind;
    }
    for (unsigned g = 0; g < count; g++)
        for (unsigned i = 0; i < twist->places; i++)
            join_kinds(classes, twist->set_of[i], twist->set[twist->set_of[i]].kinds, solved_kind(twist, i),
                       solved_kind(twist, generators[g].from[i]));
    find_gauge(twist, generators, count, classes);
    look_at_kinds(rules, classes);
}

bool orbit_classes_keep(const struct tws_rules *rules, const struct orbit_classes *classes,
                        const struct twist_move *move)
{
    const struct twist *twist = &rules->twist;
    for (unsigned i = 0; i < twist->places; i++) {
        const unsigned from = move->from[i], set = twist->set_of[i], turns = twist->set[set].turns;
        const uint8_t class = classes->of[set][solved_kind(twist, i)];
        const bool blind = classes->blind[set] || classes->sightless[set][class];
        const unsigned turn = move->turn[i] + classes->gauge[i] + turns - classes->gauge[from];
        if (classes->of[set][solved_kind(twist, from)] != class || (!blind && turn % turns != 0))
            return false;
    }
    return true;
}

/* ---- sizes ---- */

double orbit_classes_size(const struct tws_rules *rules, const struct orbit_classes *classes)
{
    const struct twist *twist = &rules->twist;
    const double most = (double)TWIST_LISTED_STEPS_MAX / (twist->moves + 1);
    double size = 1;
    for (unsigned set = 0; set < twist->sets; set++) {
        const struct twist_set *shape = &twist->set[set];
        unsigned count[TWIST_CODES] = {0}, seen = 0;
        for (unsigned i = shape->first; i < (unsigned)shape->first + shape->places; i++) {
            const uint8_t class = classes->of[set][solved_kind(twist, i)];
            count[class]++;
            seen += !classes->blind[set] && !classes->sightless[set][class];
        }
        const double kinds = abstractor_arrangements(count, shape->kinds);
        const bool whole = seen == shape->places && twist_keeps_sum(twist, set);
        const double turns = pow(shape->turns, seen > 0 && whole ? seen - 1 : seen);
        if (kinds > UINT16_MAX || turns > most || (seen > 0 && seen < shape->places && kinds * turns > most))
            return INFINITY;
        size *= kinds * turns;
    }
    return size;
}

/* ---- texts ---- */

bool orbits_is(const char *text)
{
    return strncmp(text, ORBITS_WORD, strlen(ORBITS_WORD)) == 0;
}

const char *orbits_end(const char *text)
{
    const char *end = text + strcspn(text, ORBITS_AND); /* may be part of a name */
    while (*end != '\0' && !orbits_is(end + 1))
        end += 1 + strcspn(end + 1, ORBITS_AND);
    return end;
}

bool orbits_print(const struct tws_abstractor *abstractor, const struct orbit_choice *choice,
                  char text[ORBITS_TEXT_MAX])
{
    static const char *const ways[ORBIT_WAYS] = {"", ",pieces", ",turns", ""};
    const struct tws_rules *rules = abstractor->rules;
    size_t length = (size_t)snprintf(text, ORBITS_TEXT_MAX, "%s", ORBITS_WORD);
    const char *between = "";
    for (unsigned i = 0; i < rules->listed_moves && length < ORBITS_TEXT_MAX; i++) {
        if (choice->power[i] == 0)
            continue;
        char times[4] = "";
        if (choice->power[i] > 1)
            (void)snprintf(times, sizeof times, "%u", choice->power[i]);
        length += (size_t)snprintf(text + length, ORBITS_TEXT_MAX - length, "%s%s%s", between,
                                   rules->listed[i].name, times);
        between = ",";
    }
    for (unsigned set = 0; set < rules->sets && length < ORBITS_TEXT_MAX; set++)
        if (choice->dropped[set] != 0)
            length += (size_t)snprintf(text + length, ORBITS_TEXT_MAX - length, "/%s%s", rules->set[set].name,
                                       ways[choice->dropped[set]]);
    return length < ORBITS_TEXT_MAX;
}

/* Takes a move, or its power, as orbits_print writes it. */
static bool take_power(const struct tws_rules *rules, const char *word, size_t length,
                       struct orbit_choice *choice)
{
    unsigned found = rules->listed_moves;
    unsigned long power = 1;
    for (unsigned i = 0; i < rules->listed_moves; i++) {
        const size_t name = strlen(rules->listed[i].name);
        char *end = NULL;
        if (length < name || memcmp(word, rules->listed[i].name, name) != 0)
            continue;
        const unsigned long times = length > name ? strtoul(word + name, &end, 10) : 1;
        const bool is_power = length > name && word[name] >= '1' && word[name] <= '9' && end == word + length;
        if (length > name && (!is_power || found < rules->listed_moves))
            continue; /* U2 may be listed beside U */
        found = i;
        power = times;
    }
    if (found == rules->listed_moves || rules->order[found] > TWS_ORDER_MAX || power >= rules->order[found])
        return false;
    choice->power[found] = (uint8_t)power;
    return true;
}

static bool take_set(const struct tws_rules *rules, const char *word, size_t length,
                     struct orbit_choice *choice)
{
    for (unsigned set = 0; set < rules->sets; set++) {
        const size_t name = strlen(rules->set[set].name);
        if (length < name || memcmp(word, rules->set[set].name, name) != 0)
            continue;
        const char *way = word + name;
        const size_t left = length - name;
        const unsigned dropped = left == 0                                        ? ORBIT_PIECES | ORBIT_TURNS
                                 : left == 7 && memcmp(way, ",pieces", left) == 0 ? ORBIT_PIECES
                                 : left == 6 && memcmp(way, ",turns", left) == 0  ? ORBIT_TURNS
                                                                                  : 0;
        choice->dropped[set] |= (uint8_t)dropped;
        if (dropped != 0)
            return true;
    }
    return false;
}

static bool read_choice(const struct tws_rules *rules, const char *text, struct orbit_choice *choice)
{
    *choice = (struct orbit_choice){.power = {0}};
    if (!orbits_is(text))
        return false;
    const char *at = text + strlen(ORBITS_WORD);
    while (*at != '\0' && *at != '/') {
        const size_t length = strcspn(at, ",/");
        if (!take_power(rules, at, length, choice))
            return false;
        at += length;
        if (*at == ',' && (*++at == '\0' || *at == '/'))
            return false;
    }
    while (*at == '/') {
        const size_t length = strcspn(++at, "/");
        if (!take_set(rules, at, length, choice))
            return false;
        at += length;
    }
    return *at == '\0';
}

enum pz_status orbits_fit(const struct abstractor *base, struct pz_error *error)
{
    if (base->format != DEFINITION_TWS)
        return pz_fail(error, PZ_UNSUPPORTED, "orbits are of .tws texts");
    const struct tws_space *tws = tws_of(base->space);
    uint64_t solved[PZ_STATE_MAX / 8] = {0};
    tws_pack(base->space, tws_twist(base->space)->solved, solved);
    if (tws->own != NULL || tws->variant->rules.illegals > 0 ||
        memcmp(solved, tws->ends.goal, base->space->state_bytes) != 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "orbits are for the solved state, all moves, and texts without illegal states");
    return PZ_OK;
}

enum pz_status orbits_check(const struct abstractor *base, const char *text, char canonical[ORBITS_TEXT_MAX],
                            struct pz_error *error)
{
    struct orbit_choice choice;
    enum pz_status status = orbits_fit(base, error);
    if (status != PZ_OK)
        return status;
    char again[ORBITS_TEXT_MAX] = "";
    const struct tws_abstractor *abstractor = tws_abstractor_of(base);
    if (!read_choice(abstractor->rules, text, &choice) ||
        !orbits_print(abstractor, &choice, canonical != NULL ? canonical : again))
        return pz_fail(
            error, PZ_BAD_REQUEST,
            "partition=%.60s: powers of moves, then sets of which pieces or turns are dropped, such "
            "as " ORBITS_WORD "%s2/%s,turns",
            text, abstractor->rules->listed[0].name, abstractor->rules->set[0].name);
    return PZ_OK;
}

/* ---- the abstraction ---- */

/* Returns the file with pieces of one class alike, and turns counted by the gauge; NULL without memory. */
static struct tws_file *write_classes(const struct tws_abstractor *abstractor,
                                      const struct orbit_classes *classes)
{
    const struct twist *twist = &abstractor->rules->twist;
    struct tws_file *file = malloc(sizeof *file);
    if (file == NULL)
        return NULL;
    *file = *abstractor->file;
    for (unsigned i = 0; i < file->places; i++) {
        const unsigned set = twist->set_of[i];
        const uint8_t class = classes->of[set][solved_kind(twist, i)];
        const bool any = classes->any[set][class];
        file->piece[i] = any ? TWS_ANY : class + 1u;
        file->turn[i] = any || classes->blind[set] || classes->sightless[set][class] ? TWS_ANY : 0;
    }
    for (unsigned m = 0; m < file->moves; m++) {
        struct twist_move *move = &file->move[m].carried;
        for (unsigned i = 0; i < file->places; i++) {
            const unsigned from = move->from[i], set = twist->set_of[i], turns = twist->set[set].turns;
            if (!classes->blind[set])
                move->turn[from] =
                    (uint8_t)((move->turn[from] + classes->gauge[i] + turns - classes->gauge[from]) % turns);
        }
    }
    return file;
}

static void map_classes(struct tws_abstraction *abstraction, const struct tws_abstractor *abstractor,
                        unsigned set, const void *context)
{
    const struct orbit_classes *classes = context;
    const struct tws_rules *own = &tws_of(abstraction->base.space)->variant->rules;
    const struct twist_set *from = &abstractor->rules->twist.set[set], *to = &own->twist.set[set];
    for (unsigned code = 0; code < (unsigned)from->kinds * from->turns; code++) {
        const unsigned was = code / from->turns;
        const uint8_t class = classes->of[set][was];
        const uint32_t label = classes->any[set][class] ? TWS_ANY : class + 1u;
        unsigned kind = 0;
        while (kind + 1 < to->kinds && own->label[set][kind] != label)
            kind++;
        for (unsigned i = from->first; i < (unsigned)from->first + from->places; i++) {
            const unsigned turn =
                (code + classes->gauge[i] + from->turns - classes->back[set][was]) % from->turns;
            abstraction->code[i][code] = (uint8_t)(kind * to->turns + (to->blind[kind] ? 0 : turn));
        }
    }
}

enum pz_status orbits_open(const struct abstractor *base, const char *text, struct abstraction **out,
                           struct pz_error *error)
{
    char canonical[ORBITS_TEXT_MAX];
    struct orbit_choice choice;
    struct orbit_classes classes;
    struct twist_part part[TWIST_PARTS_MAX];
    enum pz_status status = orbits_check(base, text, canonical, error);
    if (status != PZ_OK)
        return status;
    const struct tws_abstractor *abstractor = tws_abstractor_of(base);
    (void)read_choice(abstractor->rules, text, &choice);
    orbit_classes_make(abstractor->rules, &choice, &classes);
    status = tws_abstraction_make(abstractor, write_classes(abstractor, &classes), map_classes, &classes, out,
                                  error);
    if (status != PZ_OK)
        return status;
    const struct tws_abstraction *abstraction = tws_abstraction_of(*out);
    if (tws_twist(abstraction->base.space)->moves == abstractor->rules->twist.moves &&
        twist_numbers_parts(abstraction->numbers, part) > 0)
        return PZ_OK;
    abstraction_close(*out);
    *out = NULL;
    return pz_fail(error, PZ_TOO_LARGE, "%.100s: a coordinate is too large to be listed", text);
}
