/* SPDX-License-Identifier: MIT */
/* The example as a plugin of the real daemon. */
#include "harness.h"

#include <sys/stat.h>
#include <sys/wait.h>

/* Puts the example into a directory of its own and writes a configuration that names it. */
static void write_files(const struct daemon *daemon, unsigned mode, char config[128])
{
    char command[1024];
    char directory[96];
    (void)snprintf(directory, sizeof directory, "%s/plugins", daemon->directory);
    (void)snprintf(command, sizeof command, "mkdir -p %s && cp %s %s && chmod 644 %s/cube2.so", directory,
                   TEST_EXAMPLE, directory, directory);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): paths of our own making */
    assert_int_equal(chmod(directory, mode), 0);
    (void)snprintf(config, 128, "%s/plugins.conf", daemon->directory);
    FILE *file = fopen(config, "we");
    assert_non_null(file);
    (void)fprintf(file, "[daemon]\nplugin-directory = %s\n", directory);
    assert_int_equal(fclose(file), 0);
}

SPECIFICATION(a_plugin_adds_a_puzzle_to_the_daemon)
{
    struct daemon *daemon = *state;
    char config[128];
    write_files(daemon, 0755, config);
    struct client *client = client_new(daemon);
    client_expect(client, "SOLVE cube2 start=2413567.0000000", "ERR bad-puzzle fatal no puzzle 'cube2'");
    client_free(client);
    const char *const words[] = {"--config", config, NULL};
    daemon_restart(daemon, words);
    client = client_new(daemon);
#ifdef PUZZLED_SANITIZED
    unsigned long job = client_done(client, "EXPLORE cube2 metric=half keep=levels depth=6");
    assert_non_null(strstr(client_result(client, job), " states=62360 depth=6 "));
#else
    unsigned long job = client_done(client, "EXPLORE cube2 metric=half keep=levels");
    assert_non_null(strstr(client_result(client, job), " states=3674160 depth=11 "));
#endif
    client_expect(client, "DRAW cube2 5134627.2100120 pieces=yes", "OK count=1");
    assert_string_equal(
        value_of(client_next(client), "pieces"),
        "5x4.7 block2:5:2.5,1.2:5 block1:1:4,0:1 tile:3:1.5,0:3 tile:4:0,1.2:4 block1:6:2.5,3.7:6 "
        "block2:2:4,2.5:2 tile:7:0,3.7:7");
    assert_string_equal(client_next(client), "END");
    job = client_done(client, "SOLVE cube2 start=5134627.2100120");
    assert_non_null(strstr(client_result(client, job), " moves=1 path=R' "));
}

SPECIFICATION(an_unsafe_directory_keeps_the_daemon_from_starting)
{
    const struct daemon *daemon = *state;
    char config[128];
    char command[512];
    write_files(daemon, 0777, config);
    (void)snprintf(
        command, sizeof command,
        "%s --config %s --socket %s/other.sock --state-dir %s/other 2>&1 | grep -q 'plugin-directory: "
        ".*may be written by others'",
        PUZZLED_PROGRAM, config, daemon->directory, daemon->directory);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): paths of our own making */
}
