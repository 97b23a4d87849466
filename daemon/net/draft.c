/* SPDX-License-Identifier: MIT */
#include "daemon/net/draft.h"

#include <assert.h>
#include <inttypes.h>

__attribute__((unused)) static bool draft_is_sound(const struct draft *draft)
{
    const size_t here = draft->text.length;
    return here <= *draft->of_client && *draft->of_client <= draft->all->bytes &&
           (here == 0 || draft->listed);
}

static void unlist_draft(struct draft *draft)
{
    if (draft->listed)
        TAILQ_REMOVE(&draft->all->list, draft, link);
    draft->listed = false;
}

/* Makes it the one that was continued last. */
static void list_draft(struct draft *draft, double now)
{
    unlist_draft(draft);
    draft->continued = now;
    draft->listed = true;
    TAILQ_INSERT_TAIL(&draft->all->list, draft, link);
}

/* Counts bytes that came to the text or left it. */
static void count_draft(struct draft *draft, size_t was, size_t is)
{
    *draft->of_client += is - was;
    draft->all->bytes += is - was;
}

void draft_drop(struct draft *draft)
{
    assert(draft_is_sound(draft));
    count_draft(draft, draft->text.length, 0);
    unlist_draft(draft);
    text_free(&draft->text);
}

static bool has_share(const struct draft *draft, size_t length)
{
    return *draft->of_client + length <= DRAFTS_OF_CLIENT_BYTES;
}

static bool draft_has_room(const struct draft *draft, size_t length)
{
    return draft->all->bytes + length <= DRAFTS_BYTES && has_share(draft, length);
}

/* Drops texts that stand still, the longest first, until there is room; those of other clients only
 * where its own has its share: they could not give it one. */
static void make_draft_room(const struct draft *draft, double now, size_t length)
{
    struct draft *next = NULL;
    for (struct draft *other = TAILQ_FIRST(&draft->all->list);
         other != NULL && !draft_has_room(draft, length); other = next) {
        next = TAILQ_NEXT(other, link);
        if (now - other->continued < DRAFT_SECONDS)
            break;
        if (other != draft && (other->of_client == draft->of_client || has_share(draft, length)))
            draft_drop(other);
    }
}

static enum pz_status check_part(const struct draft *draft, double now, uint64_t at, size_t length,
                                 size_t most, struct pz_error *error)
{
    const size_t here = draft->text.length;
    if (at != here)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "at=%" PRIu64 ", but %zu bytes of the text are here: send it again from at=0", at,
                       here);
    if (here + length > most)
        return pz_fail(error, PZ_TOO_LARGE, "the text has more than %zu bytes", most);
    make_draft_room(draft, now, length);
    if (!has_share(draft, length))
        return pz_fail(error, PZ_BUSY, "this client sends texts of more than %d MiB at the moment",
                       DRAFTS_OF_CLIENT_BYTES >> 20);
    if (!draft_has_room(draft, length))
        return pz_fail(error, PZ_BUSY, "clients send texts of more than %d MiB at the moment",
                       DRAFTS_BYTES >> 20);
    return PZ_OK;
}

enum pz_status draft_add(struct draft *draft, double now, uint64_t at, const char *bytes, size_t length,
                         size_t most, struct pz_error *error)
{
    if (at == 0)
        draft_drop(draft);
    enum pz_status status = check_part(draft, now, at, length, most, error);
    const size_t before = draft->text.length;
    if (status == PZ_OK)
        text_append(&draft->text, bytes, length);
    count_draft(draft, before, draft->text.length);
    if (status == PZ_OK && draft->text.failed)
        status = pz_fail(error, PZ_MEMORY, "no memory for a text");
    if (draft->text.length > 0)
        list_draft(draft, now);
    if (status != PZ_OK)
        draft_drop(draft);
    return status;
}

char *draft_take(struct draft *draft, size_t *length)
{
    assert(draft_is_sound(draft));
    *length = draft->text.length;
    count_draft(draft, draft->text.length, 0);
    unlist_draft(draft);
    return text_take(&draft->text);
}
