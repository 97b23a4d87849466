/* SPDX-License-Identifier: MIT */
/*
 * Simulates the daemon from a seed: the whole daemon on one thread, with its clock, its disk and its clients;
 * every order of its threads, failure and delay comes from the seed, and the same seed does the same again.
 * Each reply is held against a model.
 *
 *   puzzled_sim [--seed N] [--seconds S] [--runs N] [--verbose] [--twice] [FILE…]
 *
 * A FILE has a seed in each line, and behind it what that seed found once.
 */
#include "life.h"
#include "machine.h"
#include "world.h"

#include <dirent.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct totals {
    uint64_t runs, lives, steps;
    bool failed;
};

static void remove_files(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    char name[4096];
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (unlink(name) != 0)
            remove_files(name);
    }
    if (directory != NULL)
        (void)closedir(directory);
    (void)rmdir(path);
}

/* Returns false if the life ended in a way that must not be. */
static bool live(const struct life_settings *settings, enum life_end end)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        life_run(settings, end);
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (world->violation[0] == '\0' && WIFSIGNALED(status))
        (void)snprintf(world->violation, sizeof world->violation, "the daemon ended by signal %d",
                       WTERMSIG(status));
    if (world->violation[0] == '\0' && WEXITSTATUS(status) != EXIT_SUCCESS)
        (void)snprintf(world->violation, sizeof world->violation, "the daemon ended with %d",
                       WEXITSTATUS(status));
    return world->violation[0] == '\0';
}

/* What the end of a life takes away. */
static void end_life(enum life_end end)
{
    if (end == LIFE_POWER_LOST)
        disk_lose_power();
    else
        disk_clear();
    if (end != LIFE_STOPPED)
        world->kills++;
    if (end != LIFE_STOPPED || world->has_failed)
        job_model_crash();
    name_model_crash();
    world->failing = 0;
    world->quiet = false;
}

static bool run_seed(uint64_t seed, struct totals *totals)
{
    char directory[64] = "/dev/shm/puzzled-sim-XXXXXX";
    if (mkdtemp(directory) == NULL && mkdtemp(strcpy(directory, "/tmp/puzzled-sim-XXXXXX")) == NULL)
        abort();
    world_begin(seed, directory);
    disk_clear();
    struct life_settings settings;
    life_draw(&settings);
    bool good = true;
    for (world->life = 0; good && world->life < settings.lives; world->life++) {
        world->last = world->life + 1 == settings.lives;
        const enum life_end end = (enum life_end)world_below(LIFE_ENDS);
        good = live(&settings, end);
        end_life(end);
        totals->lives++;
    }
    remove_files(directory);
    totals->runs++;
    totals->steps += world->steps;
    if (!good)
        (void)printf("seed %" PRIu64 ", step %" PRIu64 ", life %u: %s\n", seed, world->steps, world->life,
                     world->violation);
    return good;
}

/* Runs a seed, and once more if wanted: both must do the same. */
static bool try_seed(uint64_t seed, bool twice, struct totals *totals)
{
    if (!run_seed(seed, totals))
        return false;
    const uint64_t trace = world->trace, steps = world->steps;
    if (!twice || (run_seed(seed, totals) && world->trace == trace))
        return true;
    (void)printf("seed %" PRIu64 " did something else when it was played again (%" PRIu64 " steps, %" PRIu64
                 " before)\n",
                 seed, world->steps, steps);
    return false;
}

static double real_seconds(clockid_t clock)
{
    struct timespec now = {0};
    (void)syscall(SYS_clock_gettime, clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool play_file(const char *path, bool twice, struct totals *totals)
{
    char line[1024];
    bool good = true;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL)
        if (line[0] != '#')
            good = try_seed(strtoull(line, NULL, 10), twice, totals) && good;
    (void)fclose(file);
    return good;
}

static void print_totals(const struct totals *totals, double began)
{
    struct timespec children = {0};
    (void)syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &children);
    const double seconds = real_seconds(CLOCK_MONOTONIC) - began;
    (void)printf("%" PRIu64 " checks, %" PRIu64 " lives, %" PRIu64 " steps, %.0f a second\n", totals->runs,
                 totals->lives, totals->steps, (double)totals->steps / (seconds > 0 ? seconds : 1));
}

int main(int count, char **words)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'}, {"seconds", required_argument, NULL, 't'},
        {"runs", required_argument, NULL, 'n'}, {"verbose", no_argument, NULL, 'v'},
        {"twice", no_argument, NULL, '2'},      {NULL, 0, NULL, 0}};
    uint64_t seed = 1, runs = UINT64_MAX;
    double length = 60;
    bool twice = false, good = true;
    struct totals totals = {0};
    for (int option = 0; (option = getopt_long(count, words, "", options, NULL)) != -1;) {
        if (option == 's')
            seed = strtoull(optarg, NULL, 10);
        else if (option == 't')
            length = strtod(optarg, NULL);
        else if (option == 'n')
            runs = strtoull(optarg, NULL, 10);
        else if (option == 'v')
            world_verbose = true;
        else if (option == '2')
            twice = true;
        else
            return 2;
    }
    world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (world == MAP_FAILED)
        abort();
    disk_begin();
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    const double began = real_seconds(CLOCK_MONOTONIC);
    for (int i = optind; i < count; i++)
        good = play_file(words[i], twice, &totals) && good;
    for (; optind == count && runs > 0 && real_seconds(CLOCK_MONOTONIC) - began < length; seed++, runs--)
        good = try_seed(seed, twice || seed % 16 == 0, &totals) && good;
    print_totals(&totals, began);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
