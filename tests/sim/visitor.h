/* SPDX-License-Identifier: MIT */
/*
 * Clients: they connect, ask, read or do not, and vanish (visitor.c). What they ask is in ask.c, and so is
 * whether the reply may be so.
 */
#ifndef SIM_VISITOR_H
#define SIM_VISITOR_H

#include "model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ask_kind {
    ASK_NONSENSE,
    ASK_SUBMIT,
    ASK_JOB, /* STATUS, RESULT */
    ASK_WAIT,
    ASK_WATCH,
    ASK_CANCEL,
    ASK_FORGET,
    ASK_JOBS,
    ASK_PART,
    ASK_DEFINE,
    ASK_UNDEFINE,
    ASK_DEFINITIONS,
    ASK_DISTANCE,
    ASK_FSCK,
    ASK_OTHER
};

struct ask {
    enum ask_kind kind;
    bool list;    /* the reply has records */
    bool probe;   /* nothing else is going on: no excuses */
    unsigned tag; /* 0 for none */
    unsigned job, question;
    int name, slot; /* of a definition; −1 for none */
    int64_t moves;  /* the right answer; −1 for none */
    uint64_t timeout_ns;
    uint64_t sent;        /* when */
    name_set seen[NAMES]; /* what each name may have meant since */
    char line[80];        /* its beginning */
};

enum { VISITORS_MAX = 6, ASKS_MAX = 12, UNSENT_MAX = 16 << 10 };

struct visitor {
    int socket;    /* below 0: not connected */
    unsigned user; /* 0 is the administrator */
    struct ask asks[ASKS_MAX];
    unsigned first, count; /* of those without a reply */
    char unsent[UNSENT_MAX];
    size_t unsent_length;
    char *unread; /* what came and is no whole line yet, then records of a list */
    size_t unread_length, unread_room;
    char *head;            /* the first line of a list that is coming; NULL for none */
    size_t records_length; /* of unread: lines of that list */
    uint64_t read_at;      /* something, last */
    bool stalled;          /* it read nothing for so long that the daemon may hang up */
    bool lazy;             /* reads seldom */
    bool half_closed;      /* sends no more */
};

void visitors_begin(void);
/* One client does something, chosen by lot; or nobody can. */
void visitors_act(void);
/* All read and send what they can. Returns true if anything came or went. */
bool visitors_attend(void);
/* How many replies are outstanding, and a request that waits. */
unsigned visitors_outstanding(void);
const char *visitors_waiting_for(void);
/* A client for questions at the end of a life; NULL if it cannot connect. */
struct visitor *visitors_probe(void);
void visitors_drop_all(void);
/* Adds what the names may mean now to what each request has seen. */
void visitors_note_names(void);
/* Appends a request that visitor_room says yes to. */
bool visitor_room(const struct visitor *visitor);
struct ask *visitor_ask(struct visitor *visitor, const struct ask *ask, const char *line);

/* The daemon stops: connections may end. */
extern bool visitors_may_lose;

/* ---- ask.c ---- */

/* Sends a request chosen by lot. */
void ask_something(struct visitor *visitor);
/* Asks one of the questions whose answers the models are sure of, by number. Returns false if there are no
 * more. */
bool ask_probe(struct visitor *visitor, unsigned number);
/* A reply has come, whole: the first line, and the records of a list. */
void ask_judge(const struct ask *ask, const char *head, const char *records);

#endif
