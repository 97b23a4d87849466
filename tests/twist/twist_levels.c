/* SPDX-License-Identifier: MIT */
/*
 * Explores a .tws file whole and prints how many states each level has, one a line: for tests that hold them
 * against other programs.
 *
 *   twist_levels FILE METRIC ENGINE THREADS [START]
 */
#include "explore/explore.h"
#include "space/registry.h"
#include "space/text/formats.h"
#include "space/text/library.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum pz_status print_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    (void)context;
    (void)level;
    (void)error;
    (void)printf("%" PRIu64 "\n", states);
    return PZ_OK;
}

static enum pz_status define(const char *path, struct pz_error *error)
{
    static char text[DEFINITION_TEXT_MAX];
    struct definition *definition = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "%s cannot be read", path);
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    enum pz_status status = definition_compile(DEFINITION_TWS, "text", text, length, &definition, error);
    if (status == PZ_OK)
        status = library_add(definition, NULL, error);
    definition_release(definition);
    return status;
}

static enum pz_status explore(const struct pz_space *space, char **words, struct pz_error *error)
{
    struct budget budget;
    struct control control = {0};
    struct explore_result result = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    const struct explore_sink sink = {.level = print_level};
    budget_init(&budget, NULL, UINT64_C(4) << 30);
    enum pz_status status = words[5] != NULL ? space->puzzle->parse(space, words[5], root, error)
                                             : space->puzzle->root(space, root, error);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = (unsigned)strtoul(words[4], NULL, 10),
                                            .budget = &budget,
                                            .engine = strcmp(words[3], "ranked") == 0 ? ENGINE_RANKED
                                                                                      : ENGINE_STRIPED,
                                            .keep = KEEP_LEVELS};
    return status == PZ_OK ? explore_run(&request, &control, &sink, &result, error) : status;
}

int main(int count, char **words)
{
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    if (count != 5 && count != 6)
        return 2;
    const struct pz_key key = {.key = "metric", .value = words[2]};
    const struct pz_setup setup = {.keys = &key, .key_count = 1};
    enum pz_status status = define(words[1], &error);
    if (status == PZ_OK)
        status = space_open("tws:text", &setup, &space, &error);
    if (status == PZ_OK)
        status = explore(space, words, &error);
    if (status != PZ_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    space_close(space);
    return status != PZ_OK;
}
