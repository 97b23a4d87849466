/* SPDX-License-Identifier: MIT */
/* The second half of a level: sorts the successors of a partition, removes duplicates, and subtracts earlier
 * states. */
#include "explore/striped/disk/bin_search.h"
#include "explore/striped/visited/visited.h"

#include <string.h>

/* ---- which pieces a worker reads ---- */

/* Returns the file with a partition's pieces of that age; NULL if there is no such file. */
static const struct bin_file *file_of_age(const void *context, uint32_t age)
{
    const struct bin_search *search = context;
    if (age == 0)
        return search->successors;
    return age <= search->level + 1 ? search->levels[search->level + 1 - age] : NULL;
}

/* Returns how many ages may have to be read; a level that was dropped was not needed. */
static uint32_t ages(const struct bin_search *search)
{
    if (search->joined)
        return 1;
    return (search->space->flags & PZ_REVERSIBLE) != 0 ? 3 : search->level + 2;
}

/* Takes the next partition that has successors. */
static bool take_bin(struct bin_member *member)
{
    struct bin_search *search = member->search;
    uint64_t bin;
    do {
        if (!turns_take(&search->turns, (unsigned)(member - search->members), &bin))
            return false;
    } while (search->successors->of_bin[bin] == 0);
    bin_feed_open(&member->feed, (uint32_t)bin, search->successors->of_bin[bin] * search->words,
                  search->sort_words);
    return true;
}

static bool feed_bins(void *context, struct bin_want *want)
{
    struct bin_member *member = context;
    while (!bin_feed_next(&member->feed, want))
        if (!take_bin(member))
            return false;
    return true;
}

/* ---- one part of a partition ---- */

static uint32_t bin_of(const struct bin_want *want)
{
    return bin_want_place(want)->bin;
}

static bool begin_turn(struct bin_member *member, const struct bin_want *want)
{
    const struct bin_search *search = member->search;
    const uint64_t words = search->successors->of_bin[bin_of(want)] * search->words >> want->parts_bits;
    const uint64_t most = words + words / 4 + 64 * search->words;
    member->turn = *want;
    member->count = 0;
    return radix_reserve(&member->searchers->radix, most < search->sort_words ? most : search->sort_words);
}

static void sort(struct bin_member *member)
{
    member->count = radix_sort_unique(&member->searchers->radix, member->count, member->search->words,
                                      member->turn.parts_bits, visited_tokens_join(member->search->space));
}

/* Adds a piece's successors that are in the part. Returns false where they do not fit: many are equal. */
static bool gather(struct bin_member *member, const uint64_t *entries, uint32_t count)
{
    const unsigned words = member->search->words;
    const struct radix *radix = &member->searchers->radix;
    const unsigned bits = member->turn.parts_bits;
    if ((member->count + count) * words > radix->room)
        sort(member);
    if ((member->count + count) * words > radix->room)
        return false;
    uint64_t *to = radix->entries + member->count * words;
    if (bits == 0) {
        memcpy(to, entries, (size_t)count * words * sizeof *to);
        member->count += count;
        return true;
    }
    for (uint32_t i = 0; i < count; i++, entries += words) {
        entry_copy(to, entries, words);
        to += entries[0] >> (64 - bits) == member->turn.part ? words : 0;
    }
    member->count = (uint64_t)(to - radix->entries) / words;
    return true;
}

/* Switches to the pieces of another age: the entries left by the age before are all that stay. */
static void turn_age(struct bin_member *member, uint32_t age)
{
    if (member->turn.age == 0)
        sort(member);
    else
        member->count = entries_close(&member->cut, member->searchers->radix.entries, member->count,
                                      member->search->words);
    member->cut = (struct entry_cut){0};
    member->turn.age = age;
}

/* ---- the new states ---- */

static bool leads_on(struct bin_member *member, const uint64_t *key, uint8_t token)
{
    const struct pz_space *space = member->search->space;
    uint64_t state[KEY_WORDS_MAX];
    unmix_bytes(key, space->state_bytes, state);
    return space->puzzle->expand(space, state, token, member->searchers->successors,
                                 member->searchers->tokens) > 0;
}

void bin_offer(struct bin_member *member, uint32_t bin, const uint64_t *entries, uint64_t count)
{
    const struct bin_search *search = member->search;
    const unsigned words = search->words;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        entry_key(entries + i * words, bin_top(bin), key, words);
        bottom_k_offer(&member->deepest, bottom_k_hash(key, search->seed, words), key, words);
    }
}

/* Looks for a state that has a successor, until some worker has found one. */
static void look_beyond(struct bin_member *member, const uint64_t *entries)
{
    struct bin_search *search = member->search;
    const uint64_t top = bin_top(bin_of(&member->turn));
    for (uint64_t i = 0; i < member->count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        const uint64_t *entry = entries + i * search->words;
        if (atomic_load_explicit(&search->beyond, memory_order_relaxed))
            return;
        entry_key(entry, top, key, search->words);
        if (leads_on(member, key, entry_token(entry)))
            atomic_store_explicit(&search->beyond, true, memory_order_relaxed);
    }
}

static bool write_states(struct bin_member *member, const uint64_t *entries)
{
    const struct bin_search *search = member->search;
    const uint32_t bin = bin_of(&member->turn);
    bool written = true;
    for (uint64_t i = 0; written && i < member->count; i++)
        written = bin_writer_put(&member->writer, bin, entries + i * search->words, search->words);
    return written && bin_writer_close(&member->writer, bin);
}

/* Finishes a part of a partition. Returns false after a failure. */
static bool finish_turn(struct bin_member *member)
{
    struct bin_search *search = member->search;
    if (member->turn.file == NULL)
        return true;
    turn_age(member, 0);
    const uint64_t *entries = member->searchers->radix.entries;
    if (search->probes && member->count > 0)
        turns_end(&search->turns, PZ_BUSY);
    if (search->last)
        bin_offer(member, bin_of(&member->turn), entries, member->count);
    if (search->last && search->joined)
        look_beyond(member, entries);
    const bool written = !search->writes || write_states(member, entries);
    member_count(&member->searchers->found, member->count);
    member->turn.file = NULL;
    return written;
}

static bool take_piece(struct bin_member *member, const struct bin_want *want, const uint64_t *entries)
{
    const struct bin_place *place = bin_want_place(want);
    const bool same =
        member->turn.file != NULL && bin_of(&member->turn) == place->bin && member->turn.part == want->part;
    if (!same && !finish_turn(member))
        return false;
    if (!same && !begin_turn(member, want)) {
        bin_search_failed(member->search, PZ_MEMORY, "no memory to sort successors");
        return false;
    }
    if (member->turn.age != want->age)
        turn_age(member, want->age);
    if (want->age > 0) {
        entries_cut(&member->cut, entries, place->count, member->searchers->radix.entries, member->count,
                    member->search->words);
        return true;
    }
    if (gather(member, entries, place->count))
        return true;
    bin_search_failed(member->search, PZ_MEMORY, "no memory to sort the successors of a bin");
    return false;
}

void bin_merge(void *context, unsigned number)
{
    struct bin_search *search = context;
    struct bin_member *member = &search->members[number];
    const struct bin_want *want;
    const uint64_t *entries = NULL;
    int failure = 0;
    bool whole = true; /* false once a piece cannot be used; the failure is then recorded */
    member->turn.file = NULL;
    member->feed = (struct bin_parts){.file_of = file_of_age, .context = search, .ages = ages(search)};
    bin_writer_turn_to(&member->writer, search->writes ? search->levels[search->level + 1] : NULL);
    bin_reader_begin(&member->reader, feed_bins, member);
    while (whole && (failure = bin_reader_next(&member->reader, &want, &entries)) == 0 && want != NULL)
        whole = take_piece(member, want, entries);
    bin_reader_end(&member->reader);
    if (failure == 0 && whole)
        (void)finish_turn(member);
    if (failure != 0)
        bin_search_disk_failed(search, failure, "read successors");
    failure = bin_writer_flush(&member->writer);
    if (failure != 0)
        bin_search_disk_failed(search, failure, "write a level");
}
