/* SPDX-License-Identifier: MIT */
/*
 * What another rank sends to one that searches with it. The first byte chooses the puzzle, and so the store
 * of visited states; from 128 on it is the ranked engine's. The rest is what the other rank does, in its
 * order:
 *
 *   a message   a byte: 0 that was all of this round; 1, 2, 3 a message follows, 2 with a head of its own,
 *               3 with a frame of its own, too; then the length of the bytes, and the bytes
 *   a part      of a gathering; a byte: how many changes follow, three bytes each: a place, and what is
 *               added there; from 128 on under a wrong checksum
 *
 * The search may refuse it, and must do so by its words, or go on; but must end, and give its memory back.
 */
#include "fuzz_space.h"

#include "explore/exchange/frame.h"
#include "explore/ranked/blocks/block_exchange.h"
#include "explore/striped/search/search.h"

#include <setjmp.h>

enum { LEVELS = 12, RESTS = 64, STRIPES = 256, HEAD_BYTES = 8, RANKS = 2 };

struct other {
    struct exchange exchange;
    jmp_buf end;
    const uint8_t *data;
    size_t size;
    enum frame_kind kind; /* of messages */
    uint32_t round, messages;
    bool has_ended; /* the round */
    unsigned rests;
    _Alignas(16) uint8_t room[EXCHANGE_MESSAGE], message[EXCHANGE_MESSAGE], parts[RANKS * 4096];
};

static uint8_t next_byte(struct other *other)
{
    if (other->size == 0)
        return 0;
    other->size--;
    return *other->data++;
}

static size_t next_bytes(struct other *other, uint8_t *out, size_t most)
{
    size_t length = next_byte(other);
    length = length > other->size ? other->size : length;
    length = length > most ? most : length;
    memcpy(out, other->data, length);
    other->data += length;
    other->size -= length;
    return length;
}

static __attribute__((noreturn)) void fail(void *context, const char *text)
{
    struct other *other = context;
    FUZZ_REQUIRE(strncmp(text, "rank 1 sent ", 12) == 0);
    longjmp(other->end, 1);
}

static void *room(void *context)
{
    struct other *other = context;
    return other->room;
}

/* What the search itself sends is sound. */
static void take(void *context, unsigned to, size_t bytes)
{
    const struct other *other = context;
    const struct frame expected = {.kind = other->kind, .from = 0, .round = other->round};
    FUZZ_REQUIRE(to == 1 && frame_fault((const void *)other->room, bytes, &expected) == NULL);
}

static const void *give(void *context, unsigned *from, size_t *bytes)
{
    struct other *other = context;
    struct frame *frame = (void *)other->message;
    uint32_t head[2] = {0};
    if (other->has_ended)
        return NULL;
    const uint8_t kind = next_byte(other) % 4;
    size_t length = sizeof *frame + HEAD_BYTES;
    *frame = (struct frame){.kind = other->kind, .from = 1, .round = other->round};
    other->messages++;
    other->has_ended = kind == 0;
    if (kind == 0)
        head[0] = other->messages;
    memcpy(frame + 1, head, sizeof head);
    if (kind == 1)
        length += next_bytes(other, other->message + length, 255);
    else if (kind == 2)
        length = sizeof *frame + next_bytes(other, other->message + sizeof *frame, 255);
    else if (kind == 3)
        length = next_bytes(other, other->message, 255);
    if (kind != 3)
        frame_seal(frame, length - sizeof *frame);
    *from = 1;
    *bytes = length;
    return other->message;
}

static void rest(void *context)
{
    struct other *other = context;
    if (++other->rests > RESTS)
        longjmp(other->end, 1); /* it told of messages that do not come */
}

static void *gather(void *context, const void *own, size_t bytes)
{
    struct other *other = context;
    uint8_t *part = other->parts + bytes;
    FUZZ_REQUIRE(2 * bytes <= sizeof other->parts);
    memcpy(other->parts, own, bytes);
    struct frame frame;
    memcpy(&frame, own, sizeof frame);
    frame.from = 1;
    memset(part, 0, bytes);
    const uint8_t changes = next_byte(other);
    for (unsigned i = 0; i < changes % 8u; i++) {
        const size_t at = next_byte(other) % (bytes - sizeof frame);
        part[sizeof frame + at] = (uint8_t)(part[sizeof frame + at] + next_byte(other));
    }
    struct frame *sealed = (void *)other->message;
    memcpy(sealed + 1, part + sizeof frame, bytes - sizeof frame);
    *sealed = frame;
    frame_seal(sealed, bytes - sizeof frame);
    sealed->hash += changes / 128;
    memcpy(part, sealed, sizeof frame);
    other->round++;
    other->messages = 0;
    other->has_ended = false;
    other->rests = 0;
    return other->parts;
}

static const char *const puzzles[FUZZ_SPACES] = {"3x3", "4x4", "jugs:7,11,13", "pancake:6"};

static void advance(struct search *search, struct searchers *searchers)
{
    const struct search_step step = {0};
    struct control control = {.stop = false};
    struct monitor monitor;
    monitor_init(&monitor, &control, searchers->budget, "search");
    enum halt halt = HALT_NONE;
    while (halt == HALT_NONE && search_level(search) < LEVELS && search_frontier(search) > 0)
        halt = search_advance(search, &monitor, &step, NULL);
}

/* ---- the blocks of the ranked engine ---- */

enum { ROUNDS = 8 };

/* Looks at what came of a block. */
static void look_at_run(const struct block_exchange *foreign, const struct block_shape *shape, uint64_t block)
{
    uint64_t states = 0;
    if (block_exchange_found(foreign, block) == 0)
        return;
    const struct block_source source = block_exchange_source(foreign, block);
    for (uint32_t word = 0; word < shape->block_words; word++) {
        const uint64_t set = states_with(source.levels[word], source.last);
        FUZZ_REQUIRE((set & ~block_word_mask(shape, word)) == 0);
        states += (uint64_t)__builtin_popcountll(set);
    }
    FUZZ_REQUIRE(states == block_exchange_found(foreign, block));
}

static void exchange_runs(struct other *other, struct block_exchange *foreign, const struct pz_runs *runs)
{
    const struct block_shape shape = block_shape_of(runs);
    static uint64_t set[1 << 13] = {1};
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (block_exchange_has_room(foreign, 0))
            block_exchange_send(foreign, 0, set);
        block_exchange_end(foreign);
        for (uint64_t block = 1; block < runs->outers; block += RANKS)
            look_at_run(foreign, &shape, block);
        block_exchange_empty(foreign);
        (void)frame_gather(&other->exchange, FRAME_STATUS, set, sizeof *set);
    }
}

static void explore_runs(struct other *other)
{
    static struct pz_runs *runs;
    static struct block_exchange *foreign;
    const struct pz_setup setup = {0};
    if (runs == NULL) {
        static struct pz_space *space;
        FUZZ_REQUIRE(space_open("pancake:9", &setup, &space, NULL) == PZ_OK);
        runs = space_runs(space);
        FUZZ_REQUIRE(runs != NULL && runs->prepare(runs));
    }
    other->kind = FRAME_BLOCKS;
    FUZZ_REQUIRE(block_exchange_new(&other->exchange, runs, &foreign, NULL) == PZ_OK);
    if (setjmp(other->end) == 0)
        exchange_runs(other, foreign, runs);
    block_exchange_free(foreign);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct other other;
    static struct searchers searchers;
    static struct search *search; /* static: they outlive the longjmp */
    struct budget budget;
    struct pz_error error;
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    if (size == 0)
        return 0;
    other.exchange = (struct exchange){&other, 0, RANKS, room, take, give, rest, gather, fail};
    other.data = data + 1;
    other.size = size - 1;
    other.round = 1;
    other.messages = other.rests = 0;
    other.has_ended = false;
    other.kind = FRAME_SUCCESSORS;
    if (data[0] >= 128) {
        explore_runs(&other);
        return 0;
    }
    const struct pz_space *space = fuzz_space(puzzles, data[0] % FUZZ_SPACES);
    search = NULL;
    budget_init(&budget, NULL, UINT64_C(64) << 20);
    FUZZ_REQUIRE(space->puzzle->root(space, root, &error) == PZ_OK);
    FUZZ_REQUIRE(searchers_init(&searchers, space, 1, &budget, search_chunk_bytes(space), &error) == PZ_OK);
    const struct search_options options = {.root = root, .partitions = STRIPES, .exchange = &other.exchange};
    FUZZ_REQUIRE(search_new(&searchers, &options, &search, &error) == PZ_OK);
    if (setjmp(other.end) == 0)
        advance(search, &searchers);
    search_free(search);
    searchers_clear(&searchers);
    FUZZ_REQUIRE(atomic_load(&budget.used) == 0);
    return 0;
}
