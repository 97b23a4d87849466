/* SPDX-License-Identifier: MIT */
/*
 * What clients may conclude from the replies so far: which jobs must be there, what must come of them, and
 * what each name of a definition may mean. A reply that the models cannot explain is a fault.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * ---- names ----
 *
 * Requests overlap, so the model keeps every meaning that some order of those under way explains. What was
 * acknowledged holds after a crash; what was under way may have happened or not.
 */

enum { NAMES = 3, NAME_TEXTS = 3, NAME_OWNERS = 3, NAME_OPS = 4 };

/* A set of values: bit 0 for no definition, 1 + text × NAME_OWNERS + owner for that text of that owner. */
typedef uint16_t name_set;
enum { NAME_VALUES = 1 + NAME_TEXTS * NAME_OWNERS, NAME_ABSENT = 1, NAME_ANY = (1 << NAME_VALUES) - 1 };

enum name_outcome {
    NAME_UNTOLD,  /* refused for another reason: nothing was done */
    NAME_CHANGED, /* defined, or removed */
    NAME_KNOWN,   /* had this meaning before */
    NAME_REFUSED, /* has another meaning, is another's, or is not there */
    NAME_FAILED   /* the disk failed: done or not */
};

struct name_op {
    bool used, removes;
    unsigned text, owner;
};

struct name_state {
    name_set possible[1 << 2 * NAME_OPS]; /* by what came of each operation under way: two bits each */
    struct name_op op[NAME_OPS];
    uint64_t ended_ns; /* when the last operation's reply came */
    bool murky;        /* the disk has failed */
};

struct name_model {
    struct name_state name[NAMES];
};

void name_model_begin(void);
/* Begins a DEFINE or an UNDEFINE; returns its slot, or -1 if too many are under way. */
int name_model_start(unsigned name, const struct name_op *op);
/* Its reply has come. Returns false if no order explains it. */
bool name_model_end(unsigned name, unsigned slot, enum name_outcome outcome);
/* What the name may mean at this moment. */
name_set name_model_values(unsigned name);
/* A reply shows one of these; seen is what the name may have meant since the request was sent. False if that
 * cannot be. */
bool name_model_read(unsigned name, name_set seen, name_set shown, uint64_t sent);
/* Nothing is under way any more: a client's that is gone has happened, or never will. */
void name_model_settle(void);
void name_model_crash(void);
name_set name_model_of_text(unsigned text);

/* ---- jobs ---- */

enum { JOBS_MAX = 4096, QUESTIONS = 16 };

struct job_seen {
    bool told;    /* somebody was told its number */
    bool unsure;  /* a crash may have taken it */
    bool at_once; /* it was answered at once, and is written behind */
    uint8_t question;
    uint8_t dropping; /* how many ask to forget it, or asked and heard nothing */
    uint64_t told_at; /* for the first time */
    uint64_t disk_ns; /* that the disk had taken then */
    uint64_t done_at; /* somebody was told so, and the disk has it; 0 for not */
    uint64_t gone_at; /* somebody was told that it is forgotten; 0 for not */
    name_set meaning; /* what its definition may be */
};

struct job_model {
    struct job_seen job[JOBS_MAX]; /* by number */
    unsigned most;                 /* the greatest number that was told */
};

struct question {
    const char *request; /* %s is the definition */
    int name;            /* the definition, or -1 */
    bool explores;
    int64_t states, depth, moves; /* what must come of it; -1 for not known */
};

const struct question *question_at(unsigned number);
/* How many states the text has, in a row; the first is as far from the goal as can be. */
unsigned text_states(unsigned text);

/* A submission's reply names a job. sent: when that was asked for. */
void job_model_told(unsigned number, unsigned question, name_set meaning, const char *reply, uint64_t sent);
/* A job that somebody asked about is not there. */
void job_model_absent(unsigned number);
/* A job is there: its state, and other keys of the reply. */
void job_model_shown(unsigned number, const char *reply, uint64_t sent);
/* Its end as done was told in a way that promises that it is on the disk. */
void job_model_ended(unsigned number);
/* Somebody asks to forget it; it is kept; it is forgotten. */
void job_model_dropping(unsigned number);
void job_model_kept(unsigned number);
void job_model_dropped(unsigned number);
void job_model_crash(void);

#endif
