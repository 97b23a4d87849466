/* SPDX-License-Identifier: MIT */
/* Which clients may ask, how often, and which connections are closed. */
#include "specification.h"

#include "web/http/access.h"
#include "web/http/peers.h"
#include "web/http/web_limits.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct settings own = {.origins = {.text = {"https://puzzles.example.org"}, .count = 1}};
static const struct settings public = {.read_only = true};
static const struct route reads = {.method = "GET"};
static const struct route asks_many = {.method = "POST"};
static const struct route changes = {.method = "POST", .changes = true};
static const struct access_headers good_post = {
    .host = "127.0.0.1:8372", .content_type = "application/json", .marker = "1"};

static bool opens(const struct settings *settings, const struct route *route, struct access_headers headers)
{
    struct refusal refusal = {.code = ""};
    bool open = access_allowed(settings, route, &headers, &refusal);
    if (!open)
        assert_string_equal(refusal.code, "denied");
    return open;
}

static bool is_bad_type(struct access_headers headers)
{
    struct refusal refusal = {.code = ""};
    return !access_allowed(&own, &changes, &headers, &refusal) && strcmp(refusal.code, "bad-type") == 0;
}

static bool opens_for_host(const char *host)
{
    return opens(&own, &reads, (struct access_headers){.host = host});
}

TEST(a_name_that_is_not_ours_is_refused)
{
    assert_true(opens_for_host("127.0.0.1:8372"));
    assert_true(opens_for_host("localhost:8372"));
    assert_true(opens_for_host("[::1]:8372"));
    assert_true(opens_for_host("puzzles.example.org"));
    assert_false(opens_for_host("rebound.example.com:8372"));
    assert_false(opens_for_host("127.0.0.1.example.com"));
    assert_false(opens_for_host("localhost.example.com"));
    assert_false(opens_for_host(""));
    assert_false(opens_for_host(NULL));
}

TEST(a_page_elsewhere_can_neither_change_nor_read)
{
    struct access_headers headers = good_post;
    assert_true(opens(&own, &changes, headers));
    headers.origin = "http://127.0.0.1:8372";
    headers.fetch_site = "same-origin";
    assert_true(opens(&own, &changes, headers));
    headers.origin = "https://puzzles.example.org";
    assert_true(opens(&own, &changes, headers));
    headers.origin = "http://127.0.0.1:9999";
    assert_false(opens(&own, &changes, headers));
    headers.origin = "null";
    assert_false(opens(&own, &changes, headers));
    headers = (struct access_headers){.host = "localhost", .fetch_site = "cross-site"};
    assert_false(opens(&own, &reads, headers));
    headers.fetch_site = "none";
    assert_true(opens(&own, &reads, headers));
}

TEST(a_post_is_json_and_says_so)
{
    struct access_headers headers = good_post;
    headers.content_type = "text/plain";
    assert_true(is_bad_type(headers));
    headers.content_type = "application/jsonx";
    assert_true(is_bad_type(headers));
    headers.content_type = NULL;
    assert_true(is_bad_type(headers));
    headers.content_type = "application/json; charset=utf-8";
    assert_true(opens(&own, &changes, headers));
    headers.marker = NULL;
    assert_false(opens(&own, &changes, headers));
}

TEST(read_only_changes_nothing_and_answers_questions)
{
    assert_false(opens(&public, &changes, good_post));
    assert_true(opens(&public, &asks_many, good_post));
}

static struct limits_slot *slot_of(struct limits *limits, const char *address, const char *forwarded)
{
    struct sockaddr_in from = {.sin_family = AF_INET};
    assert_int_equal(inet_pton(AF_INET, address, &from.sin_addr), 1);
    return limits_client(limits, (struct sockaddr *)&from, forwarded).slot;
}

TEST(a_client_has_its_own_rate)
{
    static struct limits limits = {.rate = 10, .asks = 1, .streams = 2, .seed = 1};
    struct refusal refusal;
    struct limits_slot *one = slot_of(&limits, "192.0.2.1", NULL);
    struct limits_slot *two = slot_of(&limits, "192.0.2.2", NULL);
    assert_ptr_not_equal(one, two);
    for (unsigned i = 0; i < 30; i++)
        assert_true(limits_request(&limits, one, 1000, &refusal));
    assert_false(limits_request(&limits, one, 1000, &refusal));
    assert_true(limits_request(&limits, two, 1000, &refusal));
    assert_true(limits_request(&limits, one, 1100, &refusal));
    assert_false(limits_request(&limits, one, 1100, &refusal));
    assert_true(limits_ask(&limits, one, &refusal) && limits_ask(&limits, two, &refusal));
    assert_false(limits_ask(&limits, one, &refusal));
    assert_true(limits_stream(&limits, one, &refusal) && limits_stream(&limits, one, &refusal));
    assert_false(limits_stream(&limits, one, &refusal));
}

TEST(behind_a_proxy_its_last_word_tells_clients_apart)
{
    static struct limits limits = {.rate = 1, .seed = 2};
    const struct limits_slot *seen = slot_of(&limits, "127.0.0.1", "203.0.113.9");
    assert_ptr_equal(seen, slot_of(&limits, "203.0.113.9", NULL));
    assert_ptr_equal(seen, slot_of(&limits, "127.0.0.1", "10.9.8.7, 203.0.113.9"));
    assert_ptr_equal(seen, slot_of(&limits, "127.0.0.1", "::ffff:203.0.113.9"));
    assert_ptr_not_equal(seen, slot_of(&limits, "127.0.0.1", "::ffff:203.0.113.10"));
    assert_ptr_equal(slot_of(&limits, "127.0.0.1", "no address"), slot_of(&limits, "127.0.0.1", NULL));
}

TEST(an_address_of_ipv4_is_the_same_client_over_ipv6)
{
    static struct limits limits = {.rate = 1, .seed = 4};
    struct sockaddr_in6 from = {.sin6_family = AF_INET6};
    assert_int_equal(inet_pton(AF_INET6, "::ffff:192.0.2.1", &from.sin6_addr), 1);
    assert_ptr_equal(limits_client(&limits, (struct sockaddr *)&from, NULL).slot,
                     slot_of(&limits, "192.0.2.1", NULL));
}

TEST(visitors_of_one_address_have_jobs_of_their_own_by_their_cookies)
{
    static struct limits limits = {.seed = 3};
    static const struct settings class = {.class_time = "10s", .class_memory = "256M"};
    static const struct route cancels = {.method = "POST", .changes = true, .verb = VERB_CANCEL};
    static const struct route forgets = {.method = "POST", .changes = true, .verb = VERB_FORGET};
    static const struct route pins = {.method = "POST", .changes = true, .verb = VERB_PIN};
    struct refusal refusal;
    char cookie[2][VISITOR_COOKIE_MAX];
    struct visitor visitor[3];
    const struct visitor client = {7, &limits.slots[0]};
    for (unsigned i = 0; i < 2; i++) {
        visitor_cookie(&class, i == 0 ? NULL : "no cookie of ours", cookie[i]);
        visitor[i] = visitor_who(&class, &limits, cookie[i], client);
    }
    visitor[2] = visitor_who(&class, &limits, "no cookie of ours", client);
    assert_true(visitor[0].id != visitor[1].id && visitor[2].id == client.id);
    visitor[1].slot = visitor[0].slot; /* as it may fall out: a slot that is shared shares no jobs */
    visitor_began(visitor[0], 5);
    assert_true(visitor_may(&class, &cancels, "5", visitor[0], &refusal));
    assert_true(visitor_may(&class, &forgets, "5", visitor[0], &refusal));
    assert_false(visitor_may(&class, &pins, "5", visitor[0], &refusal));
    assert_false(visitor_may(&class, &cancels, "5", visitor[1], &refusal));
    assert_false(visitor_may(&class, &cancels, "5", visitor[2], &refusal));
    visitor_cookie(&class, cookie[0], cookie[1]);
    assert_string_equal(cookie[1], ""); /* it has one */
    visitor_cookie(&own, NULL, cookie[1]);
    assert_string_equal(cookie[1], ""); /* visitors are told apart in a class only */
}

/* A peer and the client's end of its connection. */
static struct peer *visit(struct peers *peers, uint64_t now_ms, int *client)
{
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    *client = pair[1];
    struct peer *peer = peers_add(peers, pair[0], now_ms);
    assert_non_null(peer);
    return peer;
}

static bool hung_up(int client)
{
    char byte;
    return recv(client, &byte, 1, MSG_DONTWAIT) == 0;
}

static void leave(struct peers *peers, struct peer *peer, int client)
{
    (void)close(peer->fd);
    (void)close(client);
    peers_remove(peers, peer);
}

TEST(one_that_owes_for_too_long_is_hung_up_on)
{
    struct peers peers;
    int client[2];
    peers_init(&peers, 10);
    struct peer *slow = visit(&peers, 0, &client[0]);
    struct peer *waits = visit(&peers, 0, &client[1]);
    peers_set_busy(&peers, waits, true, 0);
    peers_sweep(&peers, PEERS_PATIENCE_MS);
    assert_false(hung_up(client[0]));
    peers_sweep(&peers, PEERS_PATIENCE_MS + 1);
    assert_true(hung_up(client[0]));
    assert_false(hung_up(client[1]));
    leave(&peers, slow, client[0]);
    leave(&peers, waits, client[1]);
    assert_int_equal(peers.count, 0);
}

TEST(when_all_places_are_taken_the_longest_owing_one_goes)
{
    struct peers peers;
    struct peer *peer[3];
    int client[3];
    peers_init(&peers, 2);
    peer[0] = visit(&peers, 0, &client[0]);
    peer[1] = visit(&peers, 1, &client[1]);
    peers_set_busy(&peers, peer[0], true, 2);
    peers_set_busy(&peers, peer[0], false, 3);
    peer[2] = visit(&peers, 4, &client[2]);
    assert_false(hung_up(client[0]));
    assert_true(hung_up(client[1]));
    for (unsigned i = 0; i < 3; i++)
        leave(&peers, peer[i], client[i]);
}

TEST(no_time_of_a_visitor_is_longer_than_the_classs_and_0_is_none)
{
    static const struct settings class = {.class_time = "10s", .class_memory = "256M"};
    static const char *const times[][2] = {{"1s", "1s"},   {"10s", "10s"}, {"11s", "10s"}, {"0s", "10s"},
                                           {"00s", "10s"}, {"0", "10s"},   {"1h", "10s"},  {"soon", "soon"}};
    static struct limits limits;
    struct refusal refusal;
    const struct visitor visitor = limits_visitor(&limits, "one");
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        json_t *arguments = json_pack("{s:s,s:s,s:s}", "time", times[i][0], "memory", "1G", "priority", "19");
        assert_true(visitor_limit(&class, arguments, visitor, &refusal));
        assert_string_equal(json_string_value(json_object_get(arguments, "time")), times[i][1]);
        assert_string_equal(json_string_value(json_object_get(arguments, "memory")), "256M");
        assert_null(json_object_get(arguments, "priority"));
        json_decref(arguments);
    }
}
