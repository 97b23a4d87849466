/* SPDX-License-Identifier: MIT */
/*
 * Where the stickers of a .tws puzzle lie when its surface is unfolded, as comments of the text say:
 *
 *   #net SET STICKER …    for each place of the set, in their order, a sticker for each turn; without turns
 *                         the same number for each place
 *   #net - STICKER …      stickers of what is no piece
 *
 * STICKER is COLOUR[-SHAPE]:X,Y[,WIDTH,HEIGHT], as DRAW lists pieces. Sticker 0 of an unturned piece lies
 * where sticker 0 of its place does, that of a piece turned by t where sticker t does.
 */
#ifndef TWS_NET_H
#define TWS_NET_H

#include "space/text/tws/tws_rules.h"

enum { NET_STICKERS_MAX = 320, NET_SIDE_MAX = 100, NET_REMARK_MAX = 160, NET_COLOUR_GREY = 0 };

struct tws_sticker {
    uint8_t colour, shape;
    uint16_t letter; /* where it stands in lines of letters */
    double x, y, width, height;
};

struct tws_net {
    unsigned stickers, fixed; /* all; the first of those that are no piece's */
    unsigned first[TWIST_SETS_MAX], each[TWIST_SETS_MAX];
    double columns, rows;
    unsigned line; /* letters of each line, with what ends it */
    unsigned lines;
    struct tws_sticker sticker[NET_STICKERS_MAX];
};

/* Reads the comments of a text whose sets are known. Returns NULL if there are none, if they are not as
 * above, which the remark says then, or without memory. The caller frees the net. */
struct tws_net *tws_net_read(const char *text, size_t length, const struct tws_rules *rules,
                             char remark[NET_REMARK_MAX]);

/* Tells of each sticker's place which sticker of which place in the solved state is seen there: its number,
 * of equal ones that of the first; and its colour. */
void tws_net_see(const struct tws_net *net, const struct tws_rules *rules, const uint8_t *codes,
                 uint16_t seen[NET_STICKERS_MAX], uint8_t colour[NET_STICKERS_MAX]);
/* Writes lines with a letter for each sticker, "W" for white; returns their length. */
size_t tws_net_draw(const struct tws_net *net, const uint8_t colour[NET_STICKERS_MAX], char out[PZ_TEXT_MAX]);
/* Writes the kind of a sticker as a piece: "sticker-white-up". */
void tws_net_kind(const struct tws_net *net, unsigned sticker, unsigned colour, char out[40]);

#endif
