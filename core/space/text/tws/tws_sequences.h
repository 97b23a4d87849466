/* SPDX-License-Identifier: MIT */
/* Reads a text whole: of MoveSequence and MoveAlias, which stand for other moves, it makes moves. */
#ifndef TWS_SEQUENCES_H
#define TWS_SEQUENCES_H

#include "space/text/tws/tws_read.h"

/* Does what tws_read does, but leaves no sequence: behind the listed moves there is one for each. */
enum pz_status tws_read_whole(const char *text, size_t length, struct tws_file *file, struct pz_error *error);

#endif
