/* SPDX-License-Identifier: MIT */
/* Sends the text of a file as a definition, and lets a file stand for the puzzle that it defines. */
#ifndef DEFINE_FILE_H
#define DEFINE_FILE_H

#include "client/session/session.h"

enum { DEFINE_NAME_MAX = 32 };

/* Returns "psvn" or "tws" if a word ends like a file of that format; NULL for other words. */
const char *define_file_format(const char *word);
/* Makes a name of a path: "games/Hanoi 3.psvn" gives "hanoi-3". Where the file's name is cut or has other
 * letters, a hash of it ends the name, so that two files' names stay two names. */
void define_file_name(const char *path, char name[DEFINE_NAME_MAX]);
enum define_way {
    DEFINE_NEW,    /* the name has no other meaning yet */
    DEFINE_STRICT, /* nor is there a remark about the text */
    DEFINE_AGAIN   /* a definition of the user's that has the name and another meaning is removed first */
};

/* Sends the file under a name and fills the reply, which the caller clears after EXIT_FOUND. What the daemon
 * remarks about the text goes to the error stream. */
enum exit_code define_file_send(struct session *session, const char *path, const char *name,
                                enum define_way way, struct reply *reply);

/* Defines the puzzle that a text begins with the name of, if a definition of that name comes with the program
 * and the daemon has none: says so on the error stream. Does nothing for other texts. */
enum exit_code define_file_shipped(struct session *session, const char *puzzle);

#endif
