/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws_net.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {
    [NET_COLOUR_GREY] = "grey", "white", "red", "green", "yellow", "orange", "blue", "purple"};
static const char *const shapes[] = {"",         "-up",        "-down",       "-left",      "-right",
                                     "-diamond", "-upperleft", "-upperright", "-lowerleft", "-lowerright"};

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])

/* ---- reading ---- */

struct net_reader {
    const char *at, *end; /* the rest of a line */
    unsigned line;
    char word[64]; /* the last one, cut */
    struct tws_net *net;
    char *remark;
};

static bool next_net_word(struct net_reader *reader)
{
    static const char blanks[] = " \t\r";
    size_t length = 0;
    while (reader->at < reader->end && strchr(blanks, *reader->at) != NULL)
        reader->at++;
    for (; reader->at < reader->end && strchr(blanks, *reader->at) == NULL; reader->at++)
        if (length + 1 < sizeof reader->word)
            reader->word[length++] = *reader->at;
    reader->word[length] = '\0';
    return length > 0;
}

/* Says what is wrong with the last word. Returns false. */
static bool refuse_net(const struct net_reader *reader, const char *why)
{
    (void)snprintf(reader->remark, NET_REMARK_MAX,
                   "line %u: '%.24s' %s, so the puzzle is drawn without a net", reader->line, reader->word,
                   why);
    return false;
}

static bool find_net_word(const char *word, const char *const *list, size_t count, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, list[i]) == 0) {
            *out = (uint8_t)i;
            return true;
        }
    }
    return false;
}

/* Reads "x,y" or "x,y,width,height", all of it within the side. */
static bool read_box(const char *text, struct tws_sticker *out)
{
    double number[4] = {0, 0, 1, 1};
    unsigned count = 0;
    char *end = NULL;
    do {
        if (count == 4 || strspn(text, "0123456789.") == 0)
            return false;
        number[count++] = strtod(text, &end);
        text = end + 1;
    } while (*end == ',');
    out->x = number[0];
    out->y = number[1];
    out->width = number[2];
    out->height = number[3];
    return *end == '\0' && count % 2 == 0 && out->width >= 0.1 && out->height >= 0.1 &&
           out->x + out->width <= NET_SIDE_MAX && out->y + out->height <= NET_SIDE_MAX;
}

static bool read_sticker(struct net_reader *reader, struct tws_sticker *out)
{
    char word[sizeof reader->word];
    memcpy(word, reader->word, sizeof word);
    char *colon = strchr(word, ':');
    if (colon == NULL)
        return false;
    *colon = '\0';
    char *shape = strchr(word, '-');
    if (!find_net_word(shape != NULL ? shape : "", shapes, COUNT_OF(shapes), &out->shape))
        return false;
    if (shape != NULL)
        *shape = '\0';
    return find_net_word(word, colours, COUNT_OF(colours), &out->colour) && read_box(colon + 1, out);
}

/* Reads the stickers of a line, and counts them. */
static bool read_stickers(struct net_reader *reader, unsigned *count)
{
    struct tws_net *net = reader->net;
    for (*count = 0; next_net_word(reader); ++*count) {
        if (net->stickers == NET_STICKERS_MAX)
            return refuse_net(reader, "is one sticker too many");
        struct tws_sticker *sticker = &net->sticker[net->stickers];
        if (!read_sticker(reader, sticker))
            return refuse_net(reader, "is no sticker");
        net->columns =
            sticker->x + sticker->width > net->columns ? sticker->x + sticker->width : net->columns;
        net->rows = sticker->y + sticker->height > net->rows ? sticker->y + sticker->height : net->rows;
        net->stickers++;
    }
    return true;
}

/* Reads a line behind its first word. Lines of sets come before that of what is no piece. */
static bool read_net_line(struct net_reader *reader, const struct tws_rules *rules)
{
    struct tws_net *net = reader->net;
    unsigned count = 0, number = 0;
    (void)next_net_word(reader);
    while (number < rules->sets && strcmp(rules->set[number].name, reader->word) != 0)
        number++;
    if (number == rules->sets)
        return strcmp(reader->word, "-") == 0 ? read_stickers(reader, &count)
                                              : refuse_net(reader, "is no set");
    const struct tws_set *set = &rules->set[number];
    if (net->each[number] > 0 || net->stickers > net->fixed)
        return refuse_net(reader, "comes too late");
    net->first[number] = net->stickers;
    if (!read_stickers(reader, &count))
        return false;
    net->fixed = net->stickers;
    net->each[number] = count / set->places;
    (void)snprintf(reader->word, sizeof reader->word, "%s", set->name);
    return (count > 0 && count % set->places == 0 &&
            (set->turns == 1 || count == set->places * set->turns)) ||
           refuse_net(reader, "has another number of stickers");
}

static bool read_net_lines(struct net_reader *reader, const char *text, size_t length,
                           const struct tws_rules *rules)
{
    const char *end = text + length;
    unsigned line = 0;
    for (const char *begin = text; begin < end; begin = reader->end + 1) {
        const char *lf = memchr(begin, '\n', (size_t)(end - begin));
        reader->at = begin;
        reader->end = lf != NULL ? lf : end;
        line++;
        if (!next_net_word(reader) || strcmp(reader->word, "#net") != 0)
            continue;
        reader->line = line;
        if (!read_net_line(reader, rules))
            return false;
    }
    for (unsigned i = 0; i < rules->sets && reader->net->stickers > 0; i++) {
        (void)snprintf(reader->word, sizeof reader->word, "%s", rules->set[i].name);
        if (reader->net->each[i] == 0)
            return refuse_net(reader, "has no stickers");
    }
    return reader->net->stickers > 0;
}

/* ---- letters ---- */

static int compare_middles(const void *a, const void *b)
{
    const double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

/* Writes the middles of all stickers along one side, ascending, each once; returns how many. */
static unsigned list_middles(const struct tws_net *net, bool down, double middles[NET_STICKERS_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < net->stickers; i++) {
        const struct tws_sticker *one = &net->sticker[i];
        middles[i] = down ? one->y + one->height / 2 : one->x + one->width / 2;
    }
    qsort(middles, net->stickers, sizeof *middles, compare_middles);
    for (unsigned i = 0; i < net->stickers; i++)
        if (i == 0 || middles[i] > middles[count - 1] + 0.01)
            middles[count++] = middles[i];
    return count;
}

static unsigned find_middle(const double *middles, unsigned count, double middle)
{
    unsigned at = 0;
    while (at + 1 < count && middles[at + 1] < middle + 0.005)
        at++;
    return at;
}

/* Gives each sticker a place for its letter: a column for each place across, with a blank between, two where
 * faces part. Returns false if the lines would be too many. */
static bool place_letters(struct tws_net *net)
{
    double across[NET_STICKERS_MAX] = {0}, down[NET_STICKERS_MAX] = {0};
    unsigned column[NET_STICKERS_MAX] = {0};
    const unsigned columns = list_middles(net, false, across);
    net->lines = list_middles(net, true, down);
    for (unsigned i = 1; i < columns; i++)
        column[i] = column[i - 1] + (across[i] - across[i - 1] > 1.1 ? 3 : 2);
    net->line = column[columns - 1] + 2;
    if (net->line * net->lines >= PZ_TEXT_MAX)
        return false;
    for (unsigned i = 0; i < net->stickers; i++) {
        struct tws_sticker *one = &net->sticker[i];
        const unsigned line = find_middle(down, net->lines, one->y + one->height / 2);
        one->letter =
            (uint16_t)(line * net->line + column[find_middle(across, columns, one->x + one->width / 2)]);
    }
    return true;
}

struct tws_net *tws_net_read(const char *text, size_t length, const struct tws_rules *rules,
                             char remark[NET_REMARK_MAX])
{
    struct tws_net *net = calloc(1, sizeof *net);
    struct net_reader reader = {.net = net, .remark = remark};
    *remark = '\0';
    if (net == NULL)
        return NULL;
    if (read_net_lines(&reader, text, length, rules)) {
        if (place_letters(net))
            return net;
        (void)refuse_net(&reader, "ends a net of too many lines");
    }
    free(net);
    return NULL;
}

/* ---- a state ---- */

/* Returns the first place of a set that has pieces of a kind when the puzzle is solved. */
static unsigned find_home(const struct tws_rules *rules, const struct tws_set *set, unsigned kind)
{
    unsigned home = set->first;
    while (rules->twist.solved[home] / set->turns != kind)
        home++;
    assert(home < set->first + set->places);
    return home;
}

/* Finds what is seen, and its colour, at the stickers of one place. */
static void see_place(const struct tws_net *net, const struct tws_rules *rules, unsigned number,
                      unsigned place, unsigned code, uint16_t *seen, uint8_t *colour)
{
    const struct tws_set *set = &rules->set[number];
    const unsigned home = find_home(rules, set, code / set->turns), each = net->each[number];
    const unsigned ahead = (code + set->turns - rules->twist.solved[home] % set->turns) % set->turns;
    for (unsigned i = 0; i < each; i++) {
        const unsigned from = set->turns == 1 ? i : (i + set->turns - ahead) % set->turns;
        const unsigned at = net->first[number] + (place - set->first) * each + i;
        seen[at] = (uint16_t)(net->first[number] + (home - set->first) * each + from);
        colour[at] = rules->twist.set[number].blind[code / set->turns] ? NET_COLOUR_GREY
                                                                       : net->sticker[seen[at]].colour;
    }
}

void tws_net_see(const struct tws_net *net, const struct tws_rules *rules, const uint8_t *codes,
                 uint16_t seen[NET_STICKERS_MAX], uint8_t colour[NET_STICKERS_MAX])
{
    for (unsigned place = 0; place < rules->twist.places; place++)
        see_place(net, rules, rules->twist.set_of[place], place, codes[place], seen, colour);
    for (unsigned i = net->fixed; i < net->stickers; i++) {
        seen[i] = (uint16_t)i;
        colour[i] = net->sticker[i].colour;
    }
}

size_t tws_net_draw(const struct tws_net *net, const uint8_t colour[NET_STICKERS_MAX], char out[PZ_TEXT_MAX])
{
    size_t length = 0;
    memset(out, ' ', PZ_TEXT_MAX);
    for (unsigned i = 0; i < net->stickers; i++)
        out[net->sticker[i].letter] = (char)toupper((unsigned char)*colours[colour[i]]);
    for (unsigned line = 0; line < net->lines; line++) {
        size_t used = net->line;
        const char *letters = out + (size_t)line * net->line;
        while (used > 0 && letters[used - 1] == ' ')
            used--;
        memmove(out + length, letters, used);
        length += used;
        out[length++] = '\n';
    }
    out[length] = '\0';
    return length;
}

void tws_net_kind(const struct tws_net *net, unsigned sticker, unsigned colour, char out[40])
{
    (void)snprintf(out, 40, "sticker-%s%s", colours[colour], shapes[net->sticker[sticker].shape]);
}
