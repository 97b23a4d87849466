/* SPDX-License-Identifier: MIT */
/* A state in pieces: its stickers on the net, or a row of tiles for each set, with its name above and their
 * turns below. */
#include "space/text/tws/tws_space.h"

#include <assert.h>
#include <stdio.h>

#define NAME_HEIGHT 0.6 /* cells; of a row of turns, too */
#define GAP         0.2 /* between sets */

/* Returns how many pieces of a set up to this place are of the same kind. */
static unsigned count_alike(const struct tws_set *set, const uint8_t *codes, unsigned place)
{
    unsigned equal = 0;
    for (unsigned i = 0; i <= place; i++)
        equal += codes[i] / set->turns == codes[place] / set->turns;
    return equal;
}

/* Puts what stands below a tile that is turned, and goes along with it. */
static void put_turn(const struct tws_rules *rules, unsigned number, unsigned code, const char *piece,
                     double x, double y, pz_put_piece *put, void *taker)
{
    const unsigned turns = rules->set[number].turns;
    assert(turns > 0 && number < rules->sets);
    char id[40], text[16];
    if (code % turns == 0 || rules->twist.set[number].blind[code / turns])
        return;
    (void)snprintf(id, sizeof id, "turn-%s", piece);
    (void)snprintf(text, sizeof text, "+%u", code % turns);
    put(taker, &(struct pz_piece){"label", id, text, x, y, 1, NAME_HEIGHT});
}

/* Puts a set; returns where the next one may begin. */
static double put_set(const struct tws_rules *rules, unsigned number, const uint8_t *state, double y,
                      pz_put_piece *put, void *taker)
{
    const struct tws_set *set = &rules->set[number];
    const uint8_t *codes = state + set->first;
    char id[32], text[16];
    (void)snprintf(id, sizeof id, "set-%u", number);
    put(taker, &(struct pz_piece){"label", id, set->name, 0, y, set->places, NAME_HEIGHT});
    y += NAME_HEIGHT;
    for (unsigned i = 0; i < set->places; i++) {
        const unsigned kind = codes[i] / set->turns;
        const uint32_t label = rules->label[number][kind];
        (void)snprintf(id, sizeof id, "%u-%u-%u", number, kind, count_alike(set, codes, i));
        (void)snprintf(text, sizeof text, label == TWS_ANY ? "?" : "%u", label);
        put(taker, &(struct pz_piece){"tile", id, text, i, y, 1, 1});
        put_turn(rules, number, codes[i], id, i, y + 1, put, taker);
    }
    return y + 1 + (set->turns > 1 ? NAME_HEIGHT : 0) + GAP;
}

/* Puts the stickers where they lie on the net. A sticker keeps its id. */
static struct pz_size put_stickers(const struct tws_net *net, const struct tws_rules *rules,
                                   const uint8_t *codes, pz_put_piece *put, void *taker)
{
    uint16_t seen[NET_STICKERS_MAX];
    uint8_t colour[NET_STICKERS_MAX];
    unsigned equal[NET_STICKERS_MAX] = {0};
    tws_net_see(net, rules, codes, seen, colour);
    for (unsigned i = 0; i < net->stickers; i++) {
        const struct tws_sticker *at = &net->sticker[i];
        char kind[40], id[24];
        tws_net_kind(net, i, colour[i], kind);
        (void)snprintf(id, sizeof id, "%u-%u", seen[i], equal[seen[i]]++);
        put(taker, &(struct pz_piece){kind, id, NULL, at->x, at->y, at->width, at->height});
    }
    return (struct pz_size){net->columns, net->rows};
}

struct pz_size tws_pieces(const struct pz_space *space, const void *state, const char *path,
                          pz_put_piece *put, void *taker)
{
    const struct tws_rules *rules = &tws_of(space)->variant->rules;
    struct pz_size size = {0};
    uint8_t room[TWIST_PLACES_MAX];
    const uint8_t *codes = tws_codes(space, state, room);
    (void)path;
    if (tws_of(space)->net != NULL)
        return put_stickers(tws_of(space)->net, rules, codes, put, taker);
    for (unsigned number = 0; number < rules->sets; number++) {
        size.rows = put_set(rules, number, codes, size.rows, put, taker);
        if (rules->set[number].places > size.columns)
            size.columns = rules->set[number].places;
    }
    size.rows -= GAP;
    return size;
}
