/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/search.h"

#include "explore/exchange/frame.h"
#include "explore/exchange/mailbox.h"
#include "explore/striped/search/search_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_STATES = 4096, /* states between two looks at `control` */
    BEYOND_MESSAGE = 64 << 10
};

struct looking {
    const struct search *search;
    const struct pz_space *space;
    const struct control *control;
    struct mailbox *mailbox; /* NULL without other ranks */
    uint8_t *states;         /* successors of one */
    uint8_t *tokens;
    bool beyond; /* a rank sent a state that was not visited */
};

/* Returns true if the state has a successor in this rank's partitions that the search has not visited. Sends
 * the other successors to their ranks. */
static bool leads_beyond(const struct looking *looking, const uint64_t *key)
{
    const struct pz_space *space = looking->space;
    const struct remote *remote = &looking->search->remote;
    uint64_t state[KEY_WORDS_MAX];
    uint64_t next[KEY_WORDS_MAX];
    unmix_bytes(key, space->state_bytes, state);
    unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, looking->states, looking->tokens);
    for (unsigned i = 0; i < count; i++) {
        mix_bytes(looking->states + (size_t)i * space->state_bytes, space->state_bytes, next);
        if (remote_has_key(remote, next))
            memcpy(mailbox_send(looking->mailbox, remote_rank(remote, next), space->state_bytes), next,
                   space->state_bytes);
        else if (search_find(looking->search, next) < 0)
            return true;
    }
    return false;
}

/* Checks a state that another rank sent. */
static const char *take_state(void *context, unsigned from, const uint8_t *bytes, size_t length)
{
    struct looking *looking = context;
    uint64_t key[KEY_WORDS_MAX];
    (void)from;
    if (length != looking->space->state_bytes)
        return "a state of another length";
    memcpy(key, bytes, length);
    if (remote_has_key(&looking->search->remote, key))
        return "a state that is not this rank's";
    looking->beyond = looking->beyond || search_find(looking->search, key) < 0;
    return NULL;
}

/* Returns true when there is no need to look further: the answer is no, or stays unknown. */
static bool must_end_looking(const struct looking *looking)
{
    if (looking->mailbox != NULL)
        (void)mailbox_receive(looking->mailbox);
    return control_poll(looking->control) != PZ_OK || looking->beyond ||
           (looking->mailbox != NULL && mailbox_given_up(looking->mailbox) != 0);
}

static bool look_through(const struct looking *looking)
{
    const struct search *search = looking->search;
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t level;
    bool exhausted = true;
    cursor_begin(&cursor, search, search_level(search), search_level(search));
    for (uint64_t passed = 1; exhausted && cursor_next(&cursor, key, &level); passed++)
        exhausted = (passed % LOOK_STATES != 0 || !must_end_looking(looking)) && !leads_beyond(looking, key);
    exhausted = exhausted && !cursor.failed;
    cursor_end(&cursor);
    return exhausted;
}

/* Returns true if all ranks say yes. */
static bool ranks_agree(const struct exchange *exchange, bool yes)
{
    return agree_status(exchange, yes ? PZ_OK : PZ_LIMIT, NULL, NULL) == PZ_OK;
}

bool search_is_exhausted(const struct search *search, const struct pz_space *space,
                         const struct control *control)
{
    const struct exchange *exchange = search->remote.exchange;
    struct looking looking = {.search = search,
                              .space = space,
                              .control = control,
                              .states = malloc((size_t)space->max_successors * space->state_bytes),
                              .tokens = malloc(space->max_successors)};
    const struct mailbox_options options = {.exchange = exchange,
                                            .kind = FRAME_BEYOND,
                                            .message = BEYOND_MESSAGE,
                                            .reasons = 1,
                                            .deliver = take_state,
                                            .context = &looking};
    bool ready = looking.states != NULL && looking.tokens != NULL;
    if (ready && exchange != NULL)
        ready = mailbox_new(&options, &looking.mailbox, NULL) == PZ_OK;
    bool exhausted = ranks_agree(exchange, ready);
    if (exhausted) {
        exhausted = look_through(&looking);
        if (looking.mailbox != NULL)
            mailbox_end(looking.mailbox, !exhausted);
        exhausted = ranks_agree(exchange, exhausted && !looking.beyond);
    }
    mailbox_free(looking.mailbox);
    free(looking.states);
    free(looking.tokens);
    return exhausted;
}
