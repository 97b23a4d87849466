/* SPDX-License-Identifier: MIT */
/* The example as a plugin of the real daemon. */
#include "harness.h"

#include <sys/stat.h>

/* Puts the example into a directory of its own and writes a configuration that names it. */
static void write_files(const struct daemon *daemon, unsigned mode)
{
    const char *directory = text_of("%s/plugins", daemon->directory);
    run_command(text_of("install -D -m 644 %s %s/cube2.so", TEST_EXAMPLE, directory));
    assert_int_equal(chmod(directory, mode), 0);
    daemon_write_config(daemon, text_of("[daemon]\nplugin-directory = %s\n", directory));
}

SPECIFICATION(a_plugin_adds_a_puzzle_to_the_daemon)
{
    struct daemon *daemon = *state;
    write_files(daemon, 0755);
    struct client *client = client_new(daemon);
    client_expect(client, "SOLVE cube2 start=2413567.0000000", "ERR bad-puzzle fatal no puzzle 'cube2'");
    client_free(client);
    daemon_restart(daemon, (const char *const[]){"--config", daemon->config, NULL});
    client = client_new(daemon);
#ifdef PUZZLED_SANITIZED
    unsigned long job = client_done(client, "EXPLORE cube2 metric=half keep=levels depth=6");
    assert_non_null(strstr(client_result(client, job), " states=62360 depth=6 "));
#else
    unsigned long job = client_done(client, "EXPLORE cube2 metric=half keep=levels");
    assert_non_null(strstr(client_result(client, job), " states=3674160 depth=11 "));
#endif
    assert_string_equal(
        value_of(client_only_record(client, "DRAW cube2 5134627.2100120 pieces=yes"), "pieces"),
        "5x4.7 block2:5:2.5,1.2:5 block1:1:4,0:1 tile:3:1.5,0:3 tile:4:0,1.2:4 block1:6:2.5,3.7:6 "
        "block2:2:4,2.5:2 tile:7:0,3.7:7");
    job = client_done(client, "SOLVE cube2 start=5134627.2100120");
    assert_non_null(strstr(client_result(client, job), " moves=1 path=R' "));
}

SPECIFICATION(an_unsafe_directory_keeps_the_daemon_from_starting)
{
    const struct daemon *daemon = *state;
    write_files(daemon, 0777);
    daemon_expect_refusal("/plugins may be written by others",
                          "--config %s --socket %s/other.sock --state-dir %s/other", daemon->config,
                          daemon->directory, daemon->directory);
}
