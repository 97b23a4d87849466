/* SPDX-License-Identifier: MIT */
/* The canonical text: each section in one way, and nothing that says what goes without saying. */
#include "space/text/tws/tws_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tws_write_line(FILE *out, const uint32_t *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        (void)fputs(i > 0 ? " " : "", out);
        /* A line has as many values as its set places. */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        if (values[i] == TWS_ANY)
            (void)fputc('?', out);
        else
            (void)fprintf(out, "%" PRIu32, values[i]);
    }
    (void)fputc('\n', out);
}

static bool stays(const struct tws_set *set, const struct twist_move *move)
{
    for (unsigned i = set->first; i < set->first + set->places; i++)
        if (move->from[i] != i || move->turn[i] != 0)
            return false;
    return true;
}

/* Writes the words of an alias with one blank before each. */
static void write_alias(FILE *out, const struct tws_listed_move *move)
{
    bool blank = true;
    (void)fprintf(out, "MoveAlias %s", move->name);
    for (size_t i = 0; i < move->length; i++) {
        const bool between = strchr(", \t\r", move->words[i]) != NULL;
        if (!between)
            (void)fprintf(out, "%s%c", blank ? " " : "", move->words[i]);
        blank = between;
    }
    (void)fputc('\n', out);
}

static void write_move(FILE *out, const struct tws_file *file, const struct tws_listed_move *move)
{
    if (move->words != NULL) {
        write_alias(out, move);
        return;
    }
    (void)fprintf(out, "Move %s\n", move->name);
    for (unsigned s = 0; s < file->sets; s++) {
        const struct tws_set *set = &file->set[s];
        uint32_t from[TWIST_PLACES_MAX], turn[TWIST_PLACES_MAX];
        if (stays(set, &move->carried))
            continue;
        for (unsigned i = 0; i < set->places; i++) {
            from[i] = move->carried.from[set->first + i] - set->first + 1;
            turn[i] = move->carried.turn[set->first + i];
        }
        (void)fprintf(out, "%s\n", set->name);
        tws_write_line(out, from, set->places);
        if (set->turns > 1)
            tws_write_line(out, turn, set->places);
    }
    (void)fputs("End\n", out);
}

/* Writes a line for each place that has illegal pieces. */
static void write_illegal(FILE *out, const struct tws_file *file)
{
    for (unsigned i = 0; i < file->illegals; i++) {
        const unsigned place = file->illegal[i].place;
        const bool more = i > 0 && file->illegal[i - 1].place == place;
        unsigned s = 0;
        while (place >= file->set[s].first + file->set[s].places)
            s++;
        if (!more)
            (void)fprintf(out, "Illegal %s %u", file->set[s].name, place - file->set[s].first + 1);
        (void)fprintf(out, " %" PRIu32, file->illegal[i].piece);
        if (i + 1 == file->illegals || file->illegal[i + 1].place != place)
            (void)fputc('\n', out);
    }
}

bool tws_write(const struct tws_file *file, char **text, size_t *length)
{
    FILE *out = open_memstream(text, length);
    if (out == NULL)
        return false;
    for (unsigned s = 0; s < file->sets; s++)
        (void)fprintf(out, "Set %s %u %u\n", file->set[s].name, file->set[s].places, file->set[s].turns);
    (void)fputs("Solved\n", out);
    for (unsigned s = 0; s < file->sets; s++) {
        const struct tws_set *set = &file->set[s];
        (void)fprintf(out, "%s\n", set->name);
        tws_write_line(out, file->piece + set->first, set->places);
        if (set->turns > 1)
            tws_write_line(out, file->turn + set->first, set->places);
    }
    (void)fputs("End\n", out);
    for (unsigned i = 0; i < file->moves; i++)
        write_move(out, file, &file->move[i]);
    write_illegal(out, file);
    const bool sound = ferror(out) == 0;
    if (fclose(out) == 0 && sound)
        return true;
    free(*text);
    *text = NULL;
    return false;
}
