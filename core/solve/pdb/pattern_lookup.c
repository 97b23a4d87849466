/* SPDX-License-Identifier: MIT */
/* Finds one board's value, entry by entry, in tables that stay where they are stored. */
#include "solve/pdb/pdb_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum pz_status read_slots(const struct pdb *pdb, const struct board *board, pdb_read_function *read,
                                 void *context, unsigned *value, struct pz_error *error)
{
    struct pdb_state state = {.board = *board, .blank = board_blank(board)};
    struct pdb_words words = {.read = read, .context = context, .error = error};
    pdb_places(pdb, board, state.place);
    for (unsigned i = 0; i < pdb->slots && words.status == PZ_OK; i++) {
        const struct pdb_slot *slot = &pdb->slot[i];
        words.name = slot->name;
        state.value[i] = (uint8_t)pdb_walk_down(pdb, slot, &words, state.place[i], slot->map[state.blank]);
    }
    *value = pdb_state_bound(pdb, &state);
    return words.status;
}

enum pz_status pdb_look_up(const struct pdb_request *request, const struct board *board,
                           pdb_read_function *read, void *context, unsigned *value, struct pz_error *error)
{
    struct pdb *pdb = calloc(1, sizeof *pdb);
    if (pdb == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pattern databases");
    pdb->grid = *request->grid;
    pdb->blank = request->blank;
    enum pz_status status =
        partition_parse(&pdb->grid, pdb->blank, request->partition, &pdb->partition, error);
    if (status == PZ_OK)
        status = pdb_name_tables(pdb, error);
    if (status == PZ_OK) {
        pdb_make_slots(pdb);
        status = read_slots(pdb, board, read, context, value, error);
    }
    pdb_close(pdb);
    return status;
}

bool pdb_name_partition(const char *name, const struct grid *grid, unsigned blank,
                        char partition[PARTITION_TEXT_MAX])
{
    char begin[32];
    char end[32];
    (void)snprintf(begin, sizeof begin, "pdb:%ux%u:", grid->rows, grid->columns);
    (void)snprintf(end, sizeof end, ":blank=%u:", blank);
    if (strncmp(name, begin, strlen(begin)) != 0)
        return false;
    const char *text = name + strlen(begin);
    const char *behind = strstr(text, end);
    if (behind == NULL || behind - text >= PARTITION_TEXT_MAX)
        return false;
    memcpy(partition, text, (size_t)(behind - text));
    partition[behind - text] = '\0';
    return true;
}
