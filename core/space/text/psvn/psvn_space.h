/* SPDX-License-Identifier: MIT */
/* Inside the format psvn: the meaning of a definition, and its spaces. */
#ifndef TEXT_PSVN_SPACE_H
#define TEXT_PSVN_SPACE_H

#include "space/text/definition.h"
#include "space/text/psvn/psvn_kernel.h"

struct psvn_meaning {
    struct definition_meaning base; /* first */
    struct psvn_model *model;
    struct psvn_layout layout;
    struct psvn_kernel *kernel;
    uint32_t flags; /* PZ_REVERSIBLE */
    uint64_t count; /* of the vectors, where they are numbered; else 0 */
};

struct psvn_space {
    struct pz_space base; /* first */
    const struct definition *definition;
    const struct psvn_meaning *meaning;
    const struct psvn_kernel *kernel;    /* the meaning's, or own */
    const struct psvn_model *rules;      /* the meaning's, or own */
    struct psvn_kernel *picked_kernel;   /* own; NULL but with moves= */
    struct psvn_model *picked_rules;     /* own */
    struct psvn_kernel *backward_kernel; /* own; NULL but with backwards=yes */
    struct psvn_model *backward_rules;   /* own */
    bool has_goal;                       /* goal= was given: these, instead of the text's */
    bool has_root;                       /* there is a goal without open places */
    struct psvn_pattern goal;
    uint64_t root[PSVN_STATE_WORDS];
};

static inline const struct psvn_space *psvn_of(const struct pz_space *space)
{
    return (const struct psvn_space *)space;
}

/* Makes the kernel of a model, and says whether its moves can be undone and have costs. */
enum pz_status psvn_rules_compile(const struct psvn_model *model, const struct psvn_layout *layout,
                                  struct psvn_kernel **kernel, uint32_t *flags, struct pz_error *error);

/* Opens a PSVN text as a space: definition_meaning.open of this format. */
enum pz_status psvn_space_open(const struct definition *definition, const struct pz_setup *setup,
                               struct pz_space **out, struct pz_error *error);

#endif
