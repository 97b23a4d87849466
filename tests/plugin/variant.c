/* SPDX-License-Identifier: MIT */
/* Plugins that must be refused, one for each definition, and a whole one. */
#include <puzzled/space.h>

static enum pz_status no_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return pz_fail(error, PZ_INTERNAL, "never called");
}

static void no_close(struct pz_space *space)
{
}

static enum pz_status no_parse(const struct pz_space *space, const char *text, void *state,
                               struct pz_error *error)
{
    return pz_fail(error, PZ_INTERNAL, "never called");
}

static size_t no_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    out[0] = '\0';
    return 0;
}

#if defined WHOLE || defined HALF_CANON
static unsigned no_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                          uint8_t *tokens) // NOLINT(readability-non-const-parameter): space.h's signature
{
    return 0;
}

static size_t no_describe(const struct pz_space *space, const void *from, const void *to,
                          char out[PZ_TEXT_MAX])
{
    return no_print(space, to, out);
}
#endif

#ifdef HALF_CANON
static enum pz_status no_canon(const struct pz_space *space, const void *root, struct pz_canon *out,
                               struct pz_error *error)
{
    return pz_fail(error, PZ_INTERNAL, "never called");
}
#endif

static enum pz_status no_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    return pz_fail(error, PZ_INTERNAL, "never called");
}

static bool no_goal(const struct pz_space *space, const void *state)
{
    return false;
}

static const struct pz_puzzle puzzle = {
#ifdef FOREIGN_ABI
    .abi = PZ_SPACE_ABI - 1,
#else
    .abi = PZ_SPACE_ABI,
#endif
#ifdef WHOLE
    .expand = no_expand,
    .describe = no_describe,
#endif
#ifdef BAD_NAME
    .name = "Bad Name",
#else
    .name = "variant",
#endif
    .summary = "a plugin to be refused",
    .example = "variant",
    .open = no_open,
    .close = no_close,
    .parse = no_parse,
    .print = no_print,
    .root = no_root,
    .is_goal = no_goal,
#ifdef HALF_CANON
    .expand = no_expand,
    .describe = no_describe,
    .canon = no_canon,
#endif
};

const struct pz_puzzle *pz_plugin(void);
const struct pz_puzzle *another_name(void);

#ifdef NO_SYMBOL
const struct pz_puzzle *another_name(void)
#else
const struct pz_puzzle *pz_plugin(void)
#endif
{
#ifdef NO_PUZZLE
    (void)puzzle;
    return NULL;
#else
    return &puzzle;
#endif
}
