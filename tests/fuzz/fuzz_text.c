/* SPDX-License-Identifier: MIT */
/*
 * The readers of definitions: each gets all bytes as a text. What compiles has a canonical text that compiles
 * to the same definition, and a space whose states print, read back and expand within the limits that it
 * states. Its abstractions compile, or are refused, and have keys for its states and their own.
 */
#include "fuzz_space.h"

#include "space/text/abstract/abstraction.h"
#include "space/text/formats.h"

enum { ABSTRACTIONS_MAX = 1 << 20 };

static void check_canonical(const struct definition *definition)
{
    const struct definition_meaning *meaning = definition->meaning;
    struct definition *again = NULL;
    struct pz_error error;
    if (meaning->canonical_length > DEFINITION_TEXT_MAX)
        return;
    FUZZ_REQUIRE(definition_compile(definition->format, "again", meaning->canonical,
                                    meaning->canonical_length, &again, &error) == PZ_OK);
    FUZZ_REQUIRE(strcmp(again->id, definition->id) == 0);
    definition_release(again);
}

static void check_abstraction(const struct abstractor *abstractor, uint64_t atoms, const void *state)
{
    static uint64_t successors[PZ_SUCCESSORS_MAX * (PZ_STATE_MAX / 8)];
    static uint8_t tokens[PZ_SUCCESSORS_MAX];
    struct abstraction *abstraction = NULL;
    struct pz_error error;
    if (abstractor_size(abstractor, atoms) > ABSTRACTIONS_MAX ||
        abstraction_open(abstractor, atoms, &abstraction, &error) != PZ_OK)
        return;
    const struct pz_space *own = abstraction->space;
    const unsigned count = own->puzzle->expand(own, abstraction->root, PZ_NO_TOKEN, successors, tokens);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t key =
            abstraction_own_key(abstraction, successors + (size_t)i * (own->state_bytes / 8));
        FUZZ_REQUIRE(key < abstraction->keys || key == ABSTRACTION_NO_KEY);
    }
    const uint64_t key = abstraction_key(abstraction, state);
    FUZZ_REQUIRE(key < abstraction->keys || key == ABSTRACTION_NO_KEY);
    abstraction_close(abstraction);
}

static void check_abstractions(const struct pz_space *space, const void *state)
{
    static const uint64_t masks[] = {UINT64_MAX, 1, 0x5555555555555555, 0xFFFFFFFFFFFFFFF8};
    struct abstractor *abstractor = NULL;
    struct pz_error error;
    if (abstractor_new(space, &abstractor, &error) != PZ_OK)
        return;
    const uint64_t all =
        abstractor->atoms < ABSTRACTION_ATOMS_MAX ? (UINT64_C(1) << abstractor->atoms) - 1 : UINT64_MAX;
    for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++)
        check_abstraction(abstractor, masks[i] & all, state);
    (void)abstractor_share(abstractor, 1, all - 1);
    abstractor_free(abstractor);
}

static void check_definition_space(const struct definition *definition, bool backwards)
{
    const struct pz_key keys[] = {{"backwards", "yes"}};
    const struct pz_setup setup = {.size = "it", .keys = keys, .key_count = backwards};
    struct pz_space *space = NULL;
    struct pz_error error;
    uint64_t root[PZ_STATE_MAX / 8];
    if (definition_open(definition, &setup, &space, &error) != PZ_OK)
        return;
    FUZZ_REQUIRE(space->max_successors > 0 && space->max_successors <= PZ_SUCCESSORS_MAX);
    if (space->puzzle->root(space, root, &error) == PZ_OK)
        fuzz_walk(space, root);
    else
        memset(root, 0, sizeof root);
    check_abstractions(space, root);
    space_close(space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (enum definition_format format = 0; format < DEFINITION_FORMATS; format++) {
        struct definition *definition = NULL;
        struct pz_error error;
        if (definition_compile(format, "it", (const char *)data, size, &definition, &error) != PZ_OK)
            continue;
        check_canonical(definition);
        check_definition_space(definition, false);
        if (format == DEFINITION_PSVN)
            check_definition_space(definition, true);
        definition_release(definition);
    }
    return 0;
}
