/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct world *world;
bool world_verbose;

void world_begin(uint64_t seed, const char *directory)
{
    *world = (struct world){.seed = seed, .random = {seed}, .now_ns = UINT64_C(1000) * 1000000000};
    world->wall_ns = world_wall_ns;
    world->trace = UINT64_C(14695981039346656037);
    (void)snprintf(world->state, sizeof world->state, "%s/state", directory);
    (void)snprintf(world->socket, sizeof world->socket, "%s/socket", directory);
    name_model_begin();
}

uint64_t world_disk_ns(void)
{
    return world->disk_ns - (world->disk_until > world->now_ns ? world->disk_until - world->now_ns : 0);
}

uint64_t world_below(uint64_t bound)
{
    return random_below(&world->random, bound);
}

bool world_once_in(uint64_t times)
{
    return world_below(times) == 0;
}

static void print_line(const char *line)
{
    (void)fprintf(stderr, "%llu %8llu %13.6f %s\n", (unsigned long long)world->life,
                  (unsigned long long)world->steps, (double)world->now_ns * 1e-9, line);
}

void world_trace(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (const char *at = line; *at != '\0'; at++) /* FNV-1a */
        world->trace = (world->trace ^ (unsigned char)*at) * UINT64_C(1099511628211);
    world->trace = (world->trace ^ world->now_ns) * UINT64_C(1099511628211);
    if (world_verbose)
        print_line(line);
}

void world_remark(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    if (!world_verbose)
        return;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    print_line(line);
}

void world_violate(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(world->violation, sizeof world->violation, format, arguments);
    va_end(arguments);
    if (world_verbose)
        print_line(world->violation);
    _exit(EXIT_FAILURE);
}
