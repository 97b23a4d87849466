/* SPDX-License-Identifier: MIT */
/* The paths below /api/v1, one row each. openapi.json has the same ones, docs/web.md those that are not named
 * as their verb; tests compare them. */
#ifndef ROUTE_H
#define ROUTE_H

#include "protocol/vocabulary.h"
#include "web/api/refusal.h"

#include <stddef.h>

#define ROUTE_PREFIX "/api/v1"

enum { ROUTE_JOB_MAX = 20 /* bytes of a job number, with the NUL */ };

struct route {
    const char *method; /* GET also stands for HEAD, but of a stream */
    const char *name;   /* unique: the operation's in openapi.json */
    const char *path;   /* below the prefix; {job} stands for a number */
    enum verb verb;     /* VERB_COUNT: "kind" in the body names it, or, for a GET, we answer ourselves */
    bool changes;       /* refused in read-only mode */
    bool many;          /* takes "starts", a list of boards */
    bool describes;     /* answers with the API's description */
    bool reads;         /* reads the boards of a text, without the daemon */
    bool streams;       /* answers with events */
    bool lasts;         /* its answers about a puzzle never change, but those that answer_take calls open */
};

/* Those that "kind" names. */
#define ROUTE_SUBMITTED                                                                                      \
    (VERB_BIT(VERB_EXPLORE) | VERB_BIT(VERB_SOLVE) | VERB_BIT(VERB_GRADE) | VERB_BIT(VERB_PDB))

/* Returns true for the route whose body names the verb: it makes jobs. */
bool route_submits(const struct route *route);
/* Finds the row of a method and a path (with the prefix), and the {job} in it, "" if it has none. A refusal
 * of a method lists those that the path takes, in refusal->allow. */
bool route_find(const char *method, const char *path, const struct route **route,
                char job[static ROUTE_JOB_MAX], struct refusal *refusal);
/* One of a verb's arguments. */
struct route_argument {
    char name[16];
    bool optional;
};

/* Cuts the next argument off the vocabulary's "puzzle start" or "[verb]". Returns false at the end. */
bool route_argument_next(const char **arguments, struct route_argument *argument);

/* Returns the row of a number; NULL after the last. */
const struct route *route_row(size_t number);

#endif
