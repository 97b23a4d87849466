/* SPDX-License-Identifier: MIT */
/* Texts that come in parts: which room clients have for them, and for how long. */
#include "test_support.h"

#include "daemon/net/draft.h"

enum { MEBIBYTE = 1 << 20, SENDERS = 80 };

static char bytes[MEBIBYTE];
static struct drafts all;
static size_t of_client[SENDERS];
static struct draft drafts[SENDERS];

/* Each of so many clients has as many connections, one behind the other. */
static int begin(void **state, unsigned connections)
{
    (void)state;
    TAILQ_INIT(&all.list);
    for (unsigned i = 0; i < SENDERS; i++)
        drafts[i] = (struct draft){.all = &all, .of_client = &of_client[i / connections]};
    return 0;
}

static int begin_one_client(void **state)
{
    return begin(state, SENDERS);
}

static int begin_many_clients(void **state)
{
    return begin(state, 1);
}

static int end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SENDERS; i++)
        draft_drop(&drafts[i]);
    return all.bytes == 0 && TAILQ_EMPTY(&all.list) ? 0 : -1;
}

static enum pz_status send_part(unsigned sender, double now, uint64_t at)
{
    struct pz_error error;
    return draft_add(&drafts[sender], now, at, bytes, sizeof bytes, (size_t)4 * MEBIBYTE, &error);
}

TEST_WITH(a_client_has_a_share_of_the_room_for_texts, begin_one_client, end)
{
    static size_t of_other;
    (void)state;
    drafts[SENDERS - 1].of_client = &of_other;
    for (unsigned i = 0; i < SENDERS - 1; i++)
        assert_int_equal(send_part(i, 0, 0), i < 4 ? PZ_OK : PZ_BUSY);
    assert_int_equal(send_part(SENDERS - 1, 0, 0), PZ_OK);
    draft_drop(&drafts[2]);
    assert_int_equal(send_part(9, 0, 0), PZ_OK);
}

/* A client whose share is used up gains nothing by the texts of others, and they lose none. */
TEST_WITH(a_client_without_room_drops_no_text_of_others, begin_one_client, end)
{
    static size_t of_other;
    (void)state;
    drafts[SENDERS - 1].of_client = &of_other;
    assert_int_equal(send_part(SENDERS - 1, 0, 0), PZ_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(send_part(i, i == 0 ? 0 : DRAFT_SECONDS, 0), PZ_OK);
    assert_int_equal(send_part(4, DRAFT_SECONDS, 0), PZ_OK); /* for its own that stood still */
    assert_int_equal(drafts[0].text.length, 0);
    assert_int_equal(send_part(5, DRAFT_SECONDS, 0), PZ_BUSY);
    assert_int_equal(send_part(SENDERS - 1, DRAFT_SECONDS, MEBIBYTE), PZ_OK);
}

#define OF_MANY(test) TEST_WITH(test, begin_many_clients, end)

OF_MANY(a_text_that_stands_still_makes_room_for_others)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(send_part(i, i == 0 ? 0 : 10, 0), PZ_OK);
    assert_int_equal(send_part(64, DRAFT_SECONDS - 1, 0), PZ_BUSY);
    assert_int_equal(send_part(64, DRAFT_SECONDS, 0), PZ_OK); /* the first stood still for as long */
    assert_int_equal(drafts[0].text.length, 0);
    assert_int_equal(send_part(65, DRAFT_SECONDS, 0), PZ_BUSY);
    assert_int_equal(send_part(0, DRAFT_SECONDS, MEBIBYTE), PZ_BAD_REQUEST); /* its beginning is gone */
}

OF_MANY(a_text_goes_on_as_long_as_nobody_needs_its_room)
{
    size_t length = 0;
    (void)state;
    assert_int_equal(send_part(0, 0, 0), PZ_OK);
    assert_int_equal(send_part(1, 1000, 0), PZ_OK);
    assert_int_equal(send_part(0, 2000, MEBIBYTE), PZ_OK);
    char *text = draft_take(&drafts[0], &length);
    assert_int_equal(length, 2 * MEBIBYTE);
    free(text);
}
