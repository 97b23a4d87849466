/* SPDX-License-Identifier: MIT */
/* The place from which ranks go on: whole or refused, and nobody else's. */
#include "ranks_in_threads.h"
#include "remove_directory.h"

#include "rank_scratch.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { PARTS = 3, PART_BYTES = 3000 };

struct place {
    char directory[32];
    struct hub *hub; /* of one rank */
    struct scratch scratch;
    struct pz_error error;
};

static enum pz_status open_scratch(struct place *place)
{
    return scratch_open(&place->scratch, &place->hub->ranks[0].exchange, place->directory, 0, &place->error);
}

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    assert_non_null(place);
    (void)snprintf(place->directory, sizeof place->directory, "/tmp/test_place.XXXXXX");
    assert_non_null(mkdtemp(place->directory));
    place->hub = hub_new(1);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    scratch_close(&place->scratch, false);
    (void)hub_free(place->hub);
    remove_directory(place->directory);
    free(place);
    return 0;
}

static void fill_part(unsigned number, uint8_t bytes[PART_BYTES])
{
    memset(bytes, (int)(number + 1), PART_BYTES);
}

static enum pz_status save(struct place *place)
{
    const struct explore_checkpoint *calls = &place->scratch.calls;
    uint8_t bytes[PART_BYTES];
    assert_int_equal(calls->begin(calls->context, PARTS * PART_BYTES, &place->error), PZ_OK);
    for (unsigned i = 0; i < PARTS; i++) {
        fill_part(i, bytes);
        assert_int_equal(calls->part(calls->context, bytes, sizeof bytes, &place->error), PZ_OK);
    }
    return calls->commit(calls->context, &place->error);
}

/* Opens the scratch space again, and the place in it. Returns what that comes to. */
static enum pz_status find(struct place *place, uint64_t *parts)
{
    const struct explore_checkpoint *calls = &place->scratch.calls;
    scratch_close(&place->scratch, false);
    assert_ok(open_scratch(place), place->error);
    return calls->open(calls->context, parts, &place->error);
}

static const char *path_of(const struct place *place, const char *name)
{
    static char path[64];
    (void)snprintf(path, sizeof path, "%s/%s", place->directory, name);
    return path;
}

#define place_test(name) TEST_WITH(name, set_up, tear_down)

place_test(what_was_saved_is_found_again)
{
    struct place *place = *state;
    uint64_t parts = 0;
    assert_int_equal(find(place, &parts), PZ_NO_TABLE);
    assert_ok(save(place), place->error);
    assert_ok(find(place, &parts), place->error);
    assert_int_equal(parts, PARTS);
    for (unsigned i = 0; i < PARTS; i++) {
        const struct explore_checkpoint *calls = &place->scratch.calls;
        uint8_t expected[PART_BYTES];
        const void *bytes = NULL;
        size_t length = 0;
        fill_part(i, expected);
        assert_ok(calls->read(calls->context, i, &bytes, &length, &place->error), place->error);
        assert_int_equal(length, PART_BYTES);
        assert_memory_equal(bytes, expected, PART_BYTES);
    }
}

/* Writes bytes over those of the place, or cuts it there. */
static void damage(const struct place *place, off_t at, const uint8_t *bytes, size_t length)
{
    const int file = open(path_of(place, "place"), O_WRONLY | O_CLOEXEC);
    assert_true(file >= 0);
    if (length > 0)
        assert_int_equal(pwrite(file, bytes, length, at), (ssize_t)length);
    else
        assert_int_equal(ftruncate(file, at), 0);
    (void)close(file);
}

place_test(a_damaged_place_is_refused_wherever_the_damage_is)
{
    struct place *place = *state;
    static const uint8_t zeros[512];
    static uint8_t whole[PARTS * PART_BYTES + 512];
    uint64_t parts = 0;
    assert_ok(open_scratch(place), place->error);
    assert_ok(save(place), place->error);
    const int file = open(path_of(place, "place"), O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = read(file, whole, sizeof whole);
    (void)close(file);
    assert_true(bytes > PARTS * PART_BYTES);
    for (off_t at = 0; at < bytes; at += at < 64 || at % PART_BYTES < 64 ? 1 : 97) {
        const uint8_t flipped = (uint8_t)(whole[at] ^ 1 << at % 8);
        damage(place, at, &flipped, 1);
        if (find(place, &parts) != PZ_STORAGE)
            fail_msg("a wrong bit in byte %lld is accepted", (long long)at);
        damage(place, at, whole + at, 1);
    }
    for (off_t at = 0; at + 512 <= bytes; at += 512) {
        damage(place, at, zeros, sizeof zeros);
        assert_int_equal(find(place, &parts), PZ_STORAGE);
        damage(place, at, whole + at, sizeof zeros);
    }
    assert_ok(find(place, &parts), place->error);
    for (off_t at = bytes - 1; at > 0; at -= 331) {
        damage(place, at, NULL, 0);
        assert_int_equal(find(place, &parts), PZ_STORAGE);
    }
}

place_test(another_exploration_or_number_of_ranks_does_not_end_what_was_cut_off)
{
    struct place *place = *state;
    uint64_t parts = 0;
    assert_ok(open_scratch(place), place->error);
    assert_ok(scratch_spare(&place->scratch, &place->error), place->error);
    assert_non_null(place->scratch.calls.advice);
    assert_ok(save(place), place->error);
    assert_ok(find(place, &parts), place->error);
    assert_int_equal(scratch_spare(&place->scratch, &place->error), PZ_STORAGE);
    assert_non_null(strstr(place->error.text, " holds an exploration that was cut off; "));
    const struct explore_checkpoint *calls = &place->scratch.calls;
    place->hub->ranks[0].exchange.ranks = 2;
    assert_ok(calls->begin(calls->context, 0, &place->error), place->error);
    place->hub->ranks[0].exchange.ranks = 1;
    assert_ok(calls->commit(calls->context, &place->error), place->error);
    assert_int_equal(find(place, &parts), PZ_STORAGE);
    assert_string_equal(place->error.text, "it is of 2 ranks");
}

place_test(a_link_in_the_place_s_place_is_not_followed)
{
    struct place *place = *state;
    struct stat about;
    const char *precious = text_of("%s", path_of(place, "precious"));
    const int file = open(precious, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(file, "keep", 4), 4);
    (void)close(file);
    assert_ok(open_scratch(place), place->error);
    assert_int_equal(symlink(precious, path_of(place, "place.new")), 0);
    assert_int_not_equal(save(place), PZ_OK);
    (void)unlink(path_of(place, "place.new"));
    assert_int_equal(link(precious, path_of(place, "place.new")), 0);
    assert_int_not_equal(save(place), PZ_OK);
    assert_int_equal(stat(precious, &about), 0);
    assert_int_equal(about.st_size, 4);
    scratch_close(&place->scratch, false);
    assert_int_equal(symlink(precious, path_of(place, "place")), 0);
    assert_int_not_equal(open_scratch(place), PZ_OK);
    assert_non_null(strstr(place->error.text, "/place: "));
}

place_test(a_directory_that_others_may_write_to_is_refused)
{
    struct place *place = *state;
    assert_int_equal(chmod(place->directory, 01777), 0);
    assert_int_equal(open_scratch(place), PZ_UNSUPPORTED);
    assert_non_null(strstr(place->error.text, "may be written by others (mode 1777): chmod go-w it"));
    scratch_close(&place->scratch, false);
    assert_int_equal(chmod(place->directory, 0700), 0);
    assert_int_equal(mkdir(path_of(place, "rank-0"), 0700), 0);
    assert_int_equal(chmod(path_of(place, "rank-0"), 0777), 0);
    assert_int_equal(open_scratch(place), PZ_UNSUPPORTED);
    scratch_close(&place->scratch, false);
    (void)rmdir(path_of(place, "rank-0"));
    assert_int_equal(symlink("/tmp", path_of(place, "rank-0")), 0);
    assert_int_not_equal(open_scratch(place), PZ_OK);
}
