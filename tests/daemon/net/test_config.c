/* SPDX-License-Identifier: MIT */
/* The configuration and the quantities in it. */
#include "test_support.h"

#include "daemon/settings/config.h"
#include "daemon/settings/places.h"
#include "protocol/listen_address.h"
#include "protocol/text/quantity.h"

#include <sys/stat.h>
#include <unistd.h>

static int defaults(void **state)
{
    static struct config config;
    struct pz_error error;
    *state = &config;
    return config_defaults(&config, &error) == PZ_OK ? 0 : -1;
}

static int cleared(void **state)
{
    config_free(*state);
    return 0;
}

/* Reads a configuration of this text. */
static enum pz_status read_text(struct config *config, const char *text, struct pz_error *error)
{
    char path[] = "/tmp/puzzled-config-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(file);
    enum pz_status status = config_read(config, path, error);
    (void)unlink(path);
    return status;
}

static void expect_fault(struct config *config, const char *text, const char *words)
{
    struct pz_error error = {.text = ""};
    assert_int_equal(read_text(config, text, &error), PZ_BAD_REQUEST);
    if (strstr(error.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", error.text, words);
}

#define SPECIFICATION(name) TEST_WITH(name, defaults, cleared)

SPECIFICATION(every_section_is_read)
{
    struct config *config = *state;
    struct pz_error error;
    assert_int_equal(read_text(config,
                               "# a comment\n[daemon]\nsocket = /tmp/x\nsocket-mode = 0666\n"
                               "[limits]\nthreads = 3\nmemory = 2G\nidle-timeout = 5m\n"
                               "[engine]\nengine = striped\n[store]\nsize = 1T\n[log]\nlevel = debug\n",
                               &error),
                     PZ_OK);
    assert_string_equal(config->socket, "/tmp/x");
    assert_int_equal(config->socket_mode, 0666);
    assert_int_equal(config->threads, 3);
    assert_true(config->memory == (uint64_t)2 << 30);
    assert_true(config->idle_timeout > 299.9 && config->idle_timeout < 300.1);
    assert_int_equal(config->engine, ENGINE_STRIPED);
    assert_true(config->database_size == (uint64_t)1 << 40);
    assert_int_equal(config->log_level, LOG_LEVEL_DEBUG);
}

SPECIFICATION(a_fault_names_file_line_and_what_is_allowed)
{
    expect_fault(*state, "[limits]\nthread = 2\n",
                 ":2: [limits] has no key 'thread'; it has: threads, memory");
    expect_fault(*state, "\n[colour]\nred = 1\n", ":3: no section [colour]; there are: [daemon]");
    expect_fault(*state, "[limits]\n\nmemory = 8X\n", ":3: [limits] memory: '8X' is not a size");
    expect_fault(*state, "[limits]\nmemory = 1K\n", ":2: [limits] memory: '1K' is too little: at least 64M");
    expect_fault(*state, "[limits]\nthreads = 65\n",
                 ":2: [limits] threads: '65' is not a whole number from 1 to 64");
    expect_fault(*state, "[limits]\nthreads = -1\n", "'-1' is not a whole number from 1 to 64");
    expect_fault(*state, "[limits]\nidle-timeout = soon\n", "'soon' is not a duration");
    expect_fault(*state, "[daemon]\nsocket-mode = 0999\n", "'0999' is no permission mode");
    expect_fault(*state, "[daemon]\nallow-remote-clients-without-authentication = maybe\n",
                 "neither yes nor no");
    expect_fault(*state, "[log]\nlevel = loud\n", "'loud' is not one of error, warning, info, debug");
    expect_fault(*state, "[engine]\nengine = warp\n", "'warp' is not one of auto, striped, dense");
    expect_fault(*state, "[limits]\nthreads\n", ":2: neither a [section]");
    expect_fault(*state, "[limits\nthreads = 2\n", ":1: neither a [section]");
}

SPECIFICATION(a_setting_on_the_line_of_its_section_is_refused_and_not_lost)
{
    expect_fault(*state, "[log]\n[limits] threads = 3\n", ":2: 'threads = 3' behind a [section]");
    struct config *config = *state;
    struct pz_error error;
    assert_int_equal(read_text(config, "[limits] # of all\nthreads = 3\n", &error), PZ_OK);
    assert_int_equal(config->threads, 3);
}

SPECIFICATION(indented_lines_are_lines_of_their_own)
{
    struct config *config = *state;
    struct pz_error error;
    assert_int_equal(
        read_text(config, "  [limits]\n  # two\n  threads = 3\n\tmemory = 2G\n  \n  solves = 5\n", &error),
        PZ_OK);
    assert_int_equal(config->threads, 3);
    assert_int_equal(config->solves, 5);
    assert_true(config->memory == (uint64_t)2 << 30);
    expect_fault(config, "[limits]\n  threads = 3\n  many\n", ":3: neither a [section]");
}

SPECIFICATION(a_file_that_cannot_be_read_is_named)
{
    struct pz_error error;
    assert_int_equal(config_read(*state, "/nowhere/at/all.conf", &error), PZ_BAD_REQUEST);
    assert_non_null(strstr(error.text, "cannot read /nowhere/at/all.conf"));
    assert_int_equal(config_read(*state, "/tmp", &error), PZ_BAD_REQUEST); /* a directory is no empty file */
    assert_non_null(strstr(error.text, "cannot read /tmp"));
}

SPECIFICATION(only_loopback_is_listened_on_unless_the_words_are_said)
{
    struct config *config = *state;
    struct pz_error error;
    static const char *const far[] = {"0.0.0.0:1", "192.0.2.1:7845", "[::]:7845", "[2001:db8::1]:1"};
    static const char *const near[] = {"127.0.0.1:1", "127.9.9.9:0", "[::1]:7845"};
    static const char *const none[] = {"localhost:1", "127.0.0.1",   "127.0.0.1:65536",
                                       ":1",          "127.0.0.1:x", "::1:1"};
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        struct listen_address address;
        assert_int_equal(config_set(config, "daemon", "listen", near[i], &error), PZ_OK);
        assert_int_equal(config_check(config, &error), PZ_OK);
        assert_int_equal(address_parse(near[i], &address, &error), PZ_OK);
        assert_int_equal(address_port(&address.storage), strtoul(strrchr(near[i], ':') + 1, NULL, 10));
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(config_set(config, "daemon", "listen", none[i], &error), PZ_OK);
        assert_int_equal(config_check(config, &error), PZ_BAD_REQUEST);
    }
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        assert_int_equal(config_set(config, "daemon", "listen", far[i], &error), PZ_OK);
        assert_int_equal(config_check(config, &error), PZ_BAD_REQUEST);
        assert_non_null(strstr(error.text, "allow-remote-clients-without-authentication"));
    }
    assert_int_equal(
        config_set(config, "daemon", "allow-remote-clients-without-authentication", "yes", &error), PZ_OK);
    assert_int_equal(config_check(config, &error), PZ_OK);
}

SPECIFICATION(a_launch_line_has_its_program_and_options_as_words_of_their_own)
{
    struct config *config = *state;
    struct pz_error error;
    assert_int_equal(config_set(config, "cluster", "launch", "mpiexec my{program}", &error), PZ_OK);
    assert_int_equal(config_check(config, &error), PZ_BAD_REQUEST);
    assert_non_null(strstr(error.text, "launch: no {program} in it"));
    assert_int_equal(config_set(config, "cluster", "launch", "mpiexec {program}=x", &error), PZ_OK);
    assert_int_equal(config_check(config, &error), PZ_BAD_REQUEST);
    static const char *const open[] = {"mpiexec \"-x {program}", "mpiexec {program} \"--scratch"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        assert_int_equal(config_set(config, "cluster", "launch", open[i], &error), PZ_OK);
        assert_int_equal(config_check(config, &error), PZ_BAD_REQUEST);
        assert_non_null(strstr(error.text, "launch: a quote is never closed"));
    }
    assert_int_equal(config_set(config, "cluster", "launch", "mpiexec {program} --quiet", &error), PZ_OK);
    assert_int_equal(config_check(config, &error), PZ_OK);
    assert_true(config_launch_has("mpiexec \"{program}\" --scratch /disk", "--scratch"));
    assert_true(config_launch_has("mpiexec {program} --scratch=/disk", "--scratch"));
    assert_false(config_launch_has("mpiexec {program} --scratched x--scratch", "--scratch"));
}

SPECIFICATION(memory_of_a_client_with_which_nothing_could_run_is_refused)
{
    struct config *config = *state;
    struct pz_error error;
    config->memory_per_client = 1;
    assert_int_equal(config_check(config, &error), PZ_BAD_REQUEST);
    assert_non_null(strstr(error.text, "[limits] memory-per-client: less than 4M"));
    config->memory_per_client = 4 << 20;
    assert_int_equal(config_check(config, &error), PZ_OK);
}

/* Sets a directory and expects the check without a start to refuse it with these words; NULL: to take it. */
static void expect_place(struct config *config, const char *section, const char *key, const char *path,
                         const char *words)
{
    struct pz_error error = {.text = ""};
    assert_int_equal(config_set(config, section, key, path, &error), PZ_OK);
    assert_int_equal(places_check_start(config, &error), words == NULL ? PZ_OK : PZ_BAD_REQUEST);
    if (words != NULL && (strstr(error.text, words) == NULL || strstr(error.text, key) == NULL))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

SPECIFICATION(a_check_refuses_the_directories_that_a_start_would)
{
    static const char *const places[][2] = {
        {"daemon", "plugin-directory"}, {"store", "scratch-directory"}, {"daemon", "state-directory"}};
    char directory[] = "/tmp/puzzled-places-XXXXXX";
    assert_non_null(mkdtemp(directory));
    const char *missing = text_of("%s/new", directory);
    const char *nowhere = text_of("%s/none/new", directory);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *section = places[i][0], *key = places[i][1];
        expect_place(*state, section, key, "/dev/null", "/dev/null is no directory");
        expect_place(*state, section, key, "/dev/null/new", "Not a directory");
        expect_place(*state, section, key, nowhere, "the directory above it is not there");
        assert_int_equal(chmod(directory, 0770), 0);
        expect_place(*state, section, key, directory, "may be written by others (mode 0770)");
        assert_int_equal(chmod(directory, 0700), 0);
        expect_place(*state, section, key, directory, NULL);
        expect_place(*state, section, key, "/", NULL);
    }
    expect_place(*state, "daemon", "state-directory", "", "not there");
    expect_place(*state, "daemon", "state-directory", missing, NULL);
    expect_place(*state, "store", "scratch-directory", missing, NULL);
    assert_int_equal(rmdir(directory), 0); /* the check made nothing */
}

TEST(a_default_state_directory_that_cannot_be_made_is_told_whole)
{
    const char *wanted = "/dev/null/none/puzzled";
    struct config config;
    struct pz_error error;
    assert_int_equal(setenv("STATE_DIRECTORY", wanted, 1),
                     0); /* as a home that is not there, for root, too */
    assert_int_equal(config_defaults(&config, &error), PZ_OK);
    assert_int_not_equal(places_make_state(&config, &error), PZ_OK);
    assert_int_equal(unsetenv("STATE_DIRECTORY"), 0);
    config_free(&config);
    assert_non_null(strstr(error.text, wanted));
    assert_non_null(strstr(error.text, "/dev/null/none: Not a directory"));
    assert_non_null(strstr(error.text, "--state-dir"));
}

SPECIFICATION(a_reload_takes_limits_over_and_names_what_needs_a_restart)
{
    struct config *config = *state;
    struct config fresh;
    struct pz_error error;
    char names[256];
    assert_int_equal(config_defaults(&fresh, &error), PZ_OK);
    assert_int_equal(config_set(&fresh, "limits", "connections", "7", &error), PZ_OK);
    assert_int_equal(config_set(&fresh, "log", "level", "error", &error), PZ_OK);
    assert_int_equal(config_set(&fresh, "daemon", "socket", "/elsewhere", &error), PZ_OK);
    assert_int_equal(config_set(&fresh, "store", "size", "1G", &error), PZ_OK);
    config_reload(config, &fresh, names, sizeof names);
    assert_int_equal(config->connections, 7);
    assert_int_equal(config->log_level, LOG_LEVEL_ERROR);
    assert_string_not_equal(config->socket, "/elsewhere");
    assert_string_equal(names, "socket,size");
    config_free(&fresh);
}

/* conf/puzzled.conf names every key, and its values are accepted. */
SPECIFICATION(the_shipped_file_describes_every_setting)
{
#define SETTING(kind, field, section, key, ...) key,
    static const char *const keys[] = {
#include "daemon/settings/config.inc"
    };
#undef SETTING
    char text[1 << 14];
    char plain[1 << 14];
    FILE *file = fopen(SHIPPED_CONFIG, "re");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    assert_true(length < sizeof text - 1);
    text[length] = '\0';
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        bool commented_key = text[i] == '#' && text[i + 1] >= 'a' && text[i + 1] <= 'z';
        if (!commented_key)
            plain[used++] = text[i];
    }
    plain[used] = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *line = text_of("\n%s =", keys[i]);
        if (strstr(plain, line) == NULL)
            fail_msg("%s is not described", keys[i]);
    }
    struct pz_error error = {.text = ""};
    enum pz_status status = read_text(*state, plain, &error);
    if (status != PZ_OK)
        fail_msg("%s", error.text);
}

TEST(sizes_and_durations_are_read_with_their_units)
{
    uint64_t bytes = 0;
    double seconds = 0;
    assert_int_equal(quantity_bytes("4096", &bytes, NULL), PZ_OK);
    assert_int_equal(bytes, 4096);
    assert_int_equal(quantity_bytes("8g", &bytes, NULL), PZ_OK);
    assert_true(bytes == (uint64_t)8 << 30);
    assert_int_equal(quantity_bytes("1GiB", &bytes, NULL), PZ_OK);
    assert_true(bytes == (uint64_t)1 << 30);
    assert_int_equal(quantity_bytes("16777216T", &bytes, NULL), PZ_BAD_REQUEST);
    assert_int_equal(quantity_bytes("18446744073709551616", &bytes, NULL), PZ_BAD_REQUEST);
    assert_int_equal(quantity_bytes("", &bytes, NULL), PZ_BAD_REQUEST);
    assert_int_equal(quantity_bytes("G", &bytes, NULL), PZ_BAD_REQUEST);
    assert_int_equal(quantity_bytes("1GG", &bytes, NULL), PZ_BAD_REQUEST);
    assert_int_equal(quantity_seconds("1500ms", &seconds, NULL), PZ_OK);
    assert_true(seconds > 1.49 && seconds < 1.51);
    assert_int_equal(quantity_seconds("2h", &seconds, NULL), PZ_OK);
    assert_true(seconds > 7199 && seconds < 7201);
    assert_int_equal(quantity_seconds("-1s", &seconds, NULL), PZ_BAD_REQUEST);
    assert_int_equal(quantity_seconds("1y", &seconds, NULL), PZ_BAD_REQUEST);
}
