/* SPDX-License-Identifier: MIT */
#include "daemon/net/draft.h"

#include <assert.h>
#include <inttypes.h>

void draft_drop(struct draft *draft)
{
    assert(draft->text.length <= *draft->all);
    *draft->all -= draft->text.length;
    text_free(&draft->text);
}

static enum pz_status check_part(const struct draft *draft, uint64_t at, size_t length, size_t most,
                                 struct pz_error *error)
{
    const size_t here = draft->text.length;
    if (at != here)
        return pz_fail(error, PZ_BAD_REQUEST, "at=%" PRIu64 ", but %zu bytes of the text are here", at, here);
    if (here + length > most)
        return pz_fail(error, PZ_TOO_LARGE, "the text has more than %zu bytes", most);
    if (*draft->all + length > DRAFTS_BYTES)
        return pz_fail(error, PZ_BUSY, "clients send texts of more than %d MiB at the moment",
                       DRAFTS_BYTES >> 20);
    return PZ_OK;
}

enum pz_status draft_add(struct draft *draft, uint64_t at, const char *bytes, size_t length, size_t most,
                         struct pz_error *error)
{
    if (at == 0)
        draft_drop(draft);
    enum pz_status status = check_part(draft, at, length, most, error);
    const size_t before = draft->text.length;
    if (status == PZ_OK)
        text_append(&draft->text, bytes, length);
    *draft->all += draft->text.length - before;
    if (status == PZ_OK && draft->text.failed)
        status = pz_fail(error, PZ_MEMORY, "no memory for a text");
    if (status != PZ_OK)
        draft_drop(draft);
    return status;
}

char *draft_take(struct draft *draft, size_t *length)
{
    assert(draft->text.length <= *draft->all);
    *length = draft->text.length;
    *draft->all -= draft->text.length;
    return text_take(&draft->text);
}
