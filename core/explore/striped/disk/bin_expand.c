/* SPDX-License-Identifier: MIT */
/* The first half of a level: expands the frontier's states and writes their successors to partitions. */
#include "explore/striped/disk/bin_search.h"

__attribute__((always_inline)) static inline bool send(struct bin_writer *writer, const uint64_t *state,
                                                       uint8_t token, unsigned words)
{
    uint64_t key[KEY_WORDS_MAX];
    uint64_t entry[KEY_WORDS_MAX];
    mix_state(state, key, words);
    entry_make(entry, key, token, words);
    return bin_writer_put(writer, (unsigned)(key[0] >> (64 - ENTRY_TOKEN_BITS)), entry, words);
}

/* Copies states from the piece: offers them as examples, and unmixes them for expand. */
__attribute__((always_inline)) static inline void take(const struct bin_search *search,
                                                       struct searcher *searchers, const uint64_t *entries,
                                                       unsigned count, uint64_t top, uint64_t *states,
                                                       uint8_t *tokens, unsigned words)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t *entry = entries + (size_t)i * words;
        uint64_t key[KEY_WORDS_MAX];
        entry_key(entry, top, key, words);
        bottom_k_offer(&searchers->examples, bottom_k_hash(key, search->seed, words), key, words);
        unmix_state(key, states + (size_t)i * words, words);
        tokens[i] = entry_token(entry);
    }
}

/* Returns false after a failure. */
static bool note_goals(struct bin_member *member, const uint64_t *states, unsigned count)
{
    const struct pz_space *space = member->search->space;
    struct budget *budget = member->search->searchers->budget;
    for (unsigned i = 0; i < count; i++, states += member->search->words) {
        if (!space->puzzle->is_goal(space, states) ||
            key_list_add(&member->goals, budget, states, space->state_bytes))
            continue;
        bin_search_failed(member->search, PZ_MEMORY, "no memory for the goals");
        return false;
    }
    return true;
}

/* Returns false after a failure. */
__attribute__((always_inline)) static inline bool expand_entries(struct bin_member *member,
                                                                 const uint64_t *entries, uint32_t count,
                                                                 uint64_t top, unsigned words)
{
    const struct bin_search *search = member->search;
    const struct pz_space *space = search->space;
    struct searcher *searchers = member->searchers;
    const unsigned together = search->searchers->together;
    uint64_t states[EXPAND_TOGETHER * KEY_WORDS_MAX];
    uint8_t came[EXPAND_TOGETHER];
    for (uint32_t first = 0; first < count; first += together) {
        const unsigned share = count - first < together ? count - first : together;
        take(search, searchers, entries + (size_t)first * words, share, top, states, came, words);
        if (search->goals && !note_goals(member, states, share))
            return false;
        const unsigned made =
            together == 1
                ? space->puzzle->expand(space, states, came[0], searchers->successors, searchers->tokens)
                : space->puzzle->expand_many(space, states, came, share, searchers->successors,
                                             searchers->tokens);
        searchers->generated += made;
        for (unsigned k = 0; k < made; k++)
            if (!send(&member->writer, searchers->successors + (size_t)k * words, searchers->tokens[k],
                      words))
                return false;
    }
    return true;
}

static bool expand_piece(struct bin_member *member, const struct bin_place *place, const uint64_t *entries)
{
    const uint64_t top = bin_top(place->bin);
    switch (member->search->words) {
    case 1:
        return expand_entries(member, entries, place->count, top, 1);
    case 2:
        return expand_entries(member, entries, place->count, top, 2);
    case 4:
        return expand_entries(member, entries, place->count, top, 4);
    default:
        return expand_entries(member, entries, place->count, top, 8);
    }
}

bool bin_feed_frontier(void *context, struct bin_want *want)
{
    const struct bin_member *member = context;
    struct bin_search *search = member->search;
    const struct control *control = search->monitor->control;
    uint64_t turn;
    if (control != NULL && control_stopped(control))
        turns_end(&search->turns, PZ_CANCELLED);
    if (!turns_take(&search->turns, (unsigned)(member - search->members), &turn))
        return false;
    *want = (struct bin_want){.file = search->levels[search->read_level], .place = (uint32_t)turn};
    return true;
}

void bin_expand(void *context, unsigned number)
{
    struct bin_search *search = context;
    struct bin_member *member = &search->members[number];
    const struct bin_want *want;
    const uint64_t *entries = NULL;
    int failure;
    bin_writer_turn_to(&member->writer, search->successors);
    bin_reader_begin(&member->reader, bin_feed_frontier, member);
    while ((failure = bin_reader_next(&member->reader, &want, &entries)) == 0 && want != NULL) {
        const struct bin_place *place = bin_want_place(want);
        if (!expand_piece(member, place, entries))
            break;
        member_count(&member->searchers->expanded, place->count);
    }
    bin_reader_end(&member->reader);
    if (failure != 0)
        bin_search_disk_failed(search, failure, "read a level");
    failure = bin_writer_flush(&member->writer);
    if (failure != 0)
        bin_search_disk_failed(search, failure, "write successors");
}
