/* SPDX-License-Identifier: MIT */
#include "solve/abstraction/abstractions.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups ---- */

/* Gives each pattern its group, and brings those of one together. */
static void find_groups(const struct abstractor *abstractor, struct pattern_collection *collection)
{
    uint64_t sorted[COLLECTION_MAX] = {0};
    bool done[COLLECTION_MAX] = {false};
    unsigned count = 0;
    uint8_t group = 0;
    for (unsigned first = 0; first < collection->count; first++) {
        if (done[first])
            continue;
        done[first] = true;
        collection->group[count] = group;
        sorted[count++] = collection->atoms[first];
        for (unsigned at = count - 1; at < count; at++) {
            for (unsigned i = first + 1; i < collection->count; i++) {
                if (done[i] || !abstractor_share(abstractor, sorted[at], collection->atoms[i]))
                    continue;
                done[i] = true;
                collection->group[count] = group;
                sorted[count++] = collection->atoms[i];
            }
        }
        group++;
    }
    memcpy(collection->atoms, sorted, count * sizeof *sorted);
}

/* ---- texts ---- */

static unsigned range_end(uint64_t atoms, unsigned first)
{
    unsigned end = first;
    while (end < ABSTRACTION_ATOMS_MAX && (atoms >> end & 1) != 0)
        end++;
    return end;
}

/* Returns the length, which may be more than there is room for. */
static size_t write_pattern(uint64_t atoms, char *out, size_t room)
{
    size_t length = 0;
    for (unsigned first = 0; first < ABSTRACTION_ATOMS_MAX; first++) {
        if ((atoms >> first & 1) == 0)
            continue;
        const unsigned end = range_end(atoms, first);
        const char *between = length > 0 ? "." : "";
        char *at = length < room ? out + length : out;
        const size_t left = length < room ? room - length : 0;
        length += (size_t)(end > first + 1 ? snprintf(at, left, "%s%u-%u", between, first + 1, end)
                                           : snprintf(at, left, "%s%u", between, first + 1));
        first = end;
    }
    return length;
}

/* Leaves out the last patterns where the text would be too long. */
static void write_collection_text(struct pattern_collection *collection)
{
    size_t length = 0;
    for (unsigned i = 0; i < collection->count; i++) {
        char pattern[4 * ABSTRACTION_ATOMS_MAX];
        const size_t more = write_pattern(collection->atoms[i], pattern, sizeof pattern);
        if (length + more + 2 > sizeof collection->text) {
            collection->count = i;
            return;
        }
        const char *between = i == 0 ? "" : collection->group[i] == collection->group[i - 1] ? "|" : "+";
        length += (size_t)snprintf(collection->text + length, sizeof collection->text - length, "%s%s",
                                   between, pattern);
    }
}

void collection_drop(const struct abstractor *abstractor, struct pattern_collection *collection,
                     unsigned number)
{
    assert(number < collection->count && collection->count > 1);
    collection->count--;
    for (unsigned i = number; i < collection->count; i++)
        collection->atoms[i] = collection->atoms[i + 1];
    find_groups(abstractor, collection);
    write_collection_text(collection);
}

/* Reads "4" or "1-4". Returns false for anything else. */
static bool read_range(const char **text, unsigned atoms, uint64_t *pattern)
{
    char *end;
    const unsigned long first = strtoul(*text, &end, 10);
    unsigned long last = first;
    if (**text < '0' || **text > '9')
        return false;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        last = strtoul(end + 1, &end, 10);
    if (first < 1 || last < first || last > atoms)
        return false;
    for (unsigned long i = first; i <= last; i++)
        *pattern |= UINT64_C(1) << (i - 1);
    *text = end;
    return true;
}

enum pz_status collection_parse(const struct abstractor *abstractor, const char *text,
                                struct pattern_collection *collection, struct pz_error *error)
{
    const char *at = text;
    *collection = (struct pattern_collection){.count = 1};
    for (;;) {
        if (!read_range(&at, abstractor->atoms, &collection->atoms[collection->count - 1]))
            break;
        if (*at == '\0') {
            find_groups(abstractor, collection);
            write_collection_text(collection);
            return PZ_OK;
        }
        if (*at != '.' && collection->count++ == COLLECTION_MAX)
            break;
        if (*at != '.' && *at != '+' && *at != '|')
            break;
        at++;
    }
    collection->count = 0;
    return pz_fail(error, PZ_BAD_REQUEST,
                   "partition=%.60s: patterns of the numbers 1 to %u with + between, such as 1-2+3.5, %d at "
                   "most, or none",
                   text, abstractor->atoms, COLLECTION_MAX);
}

/* ---- a choice ---- */

/* Returns the atoms from first to before end. */
static uint64_t atoms_between(unsigned first, unsigned end)
{
    uint64_t atoms = 0;
    for (unsigned i = first; i < end; i++)
        atoms |= UINT64_C(1) << i;
    return atoms;
}

/* Returns true if a pattern may go from first to before end: within one set, or over whole sets. */
static bool keeps_sets(const struct abstractor *abstractor, unsigned first, unsigned end)
{
    const uint64_t firsts = abstractor->firsts;
    const bool within = (firsts & atoms_between(first + 1, end)) == 0;
    return within || ((firsts >> first & 1) != 0 && (end == abstractor->atoms || (firsts >> end & 1) != 0));
}

/* Returns where the largest pattern from first on ends; first if none is small enough. */
static unsigned largest_end(const struct abstractor *abstractor, double most, unsigned first)
{
    unsigned end = abstractor->atoms;
    while (end > first && (!keeps_sets(abstractor, first, end) ||
                           abstractor_size(abstractor, atoms_between(first, end)) > most))
        end--;
    return end;
}

/* Returns an end near the given one that no move reaches across, if there is one, else that end. */
static unsigned clean_end(const struct abstractor *abstractor, unsigned first, unsigned end)
{
    for (unsigned i = end; i > first + (end - first) / 2 && end < abstractor->atoms; i--)
        if (!abstractor_share(abstractor, atoms_between(first, i), atoms_between(i, abstractor->atoms)))
            return i;
    return end;
}

/* Cuts the atoms into patterns of so many keys. Returns the keys of all. */
static double cut(const struct abstractor *abstractor, double most, struct pattern_collection *collection)
{
    double keys = 0;
    unsigned first = 0;
    *collection = (struct pattern_collection){0};
    while (first < abstractor->atoms && collection->count < COLLECTION_MAX) {
        const unsigned end = clean_end(abstractor, first, largest_end(abstractor, most, first));
        const uint64_t pattern = atoms_between(first, end);
        if (end > first) {
            keys += abstractor_size(abstractor, pattern);
            collection->atoms[collection->count++] = pattern;
        }
        first = end > first ? end : first + 1;
    }
    return keys;
}

static uint64_t atoms_of_group(const struct pattern_collection *collection, unsigned group)
{
    uint64_t atoms = 0;
    for (unsigned i = 0; i < collection->count; i++)
        if (collection->group[i] == group)
            atoms |= collection->atoms[i];
    return atoms;
}

/* Lets patterns of one group overlap, since of them the greatest counts, as long as all have no more than so
 * many keys. */
static void widen(const struct abstractor *abstractor, double most, double all,
                  struct pattern_collection *collection)
{
    double left = all;
    for (unsigned i = 0; i < collection->count; i++)
        left -= abstractor_size(abstractor, collection->atoms[i]);
    for (unsigned i = 0; i < collection->count; i++) {
        const uint64_t group = atoms_of_group(collection, collection->group[i]);
        for (unsigned atom = abstractor->atoms; atom-- > 0;) {
            const uint64_t pattern = collection->atoms[i];
            const uint64_t wider = pattern | (UINT64_C(1) << atom & group);
            const double size = abstractor_size(abstractor, wider);
            const double more = size - abstractor_size(abstractor, pattern);
            if (size > most || more > left)
                continue;
            left -= more;
            collection->atoms[i] = wider;
        }
    }
}

bool collection_choose(const struct abstractor *abstractor, uint64_t bytes,
                       struct pattern_collection *collection)
{
    double most = (double)abstractor->most;
    while (most >= 2 && cut(abstractor, most, collection) > (double)bytes)
        most /= 2;
    if (most < 2 || collection->count == 0)
        return false;
    find_groups(abstractor, collection);
    widen(abstractor, most, (double)bytes, collection);
    write_collection_text(collection);
    return true;
}
