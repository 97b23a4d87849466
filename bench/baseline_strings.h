/* SPDX-License-Identifier: MIT */
/*
 * The breadth-first search that articles teach: a board is a string, the visited boards are a chained hash
 * map from string to distance (a node and a string allocated for each, as a standard library's map of strings
 * does), the queue holds strings, and a move copies the string and swaps two characters.
 */
#ifndef BASELINE_STRINGS_H
#define BASELINE_STRINGS_H

#include "board/grid.h"

#include <stdlib.h>
#include <string.h>

struct string_node {
    struct string_node *next;
    size_t hash;
    char *board;
    uint32_t distance;
};

struct string_map {
    struct string_node **buckets;
    size_t bucket_count, count;
};

struct string_queue {
    char **boards;
    size_t head, tail, room;
};

/* FNV-1a, as libraries use for short strings. */
static size_t string_hash(const char *text)
{
    size_t hash = 14695981039346656037u;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

static void *or_abort(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static void string_map_grow(struct string_map *map)
{
    size_t count = map->bucket_count * 2 + 11;
    struct string_node **buckets = or_abort(calloc(count, sizeof(struct string_node *)));
    for (size_t i = 0; i < map->bucket_count; i++) {
        for (struct string_node *node = map->buckets[i]; node != NULL;) {
            struct string_node *next = node->next;
            node->next = buckets[node->hash % count];
            buckets[node->hash % count] = node;
            node = next;
        }
    }
    free(map->buckets);
    map->buckets = buckets;
    map->bucket_count = count;
}

static struct string_node *string_map_find(const struct string_map *map, const char *board)
{
    size_t hash = string_hash(board);
    struct string_node *node = map->bucket_count > 0 ? map->buckets[hash % map->bucket_count] : NULL;
    while (node != NULL && (node->hash != hash || strcmp(node->board, board) != 0))
        node = node->next;
    return node;
}

static void string_map_put(struct string_map *map, const char *board, uint32_t distance)
{
    if (map->count >= map->bucket_count)
        string_map_grow(map);
    struct string_node *node = or_abort(malloc(sizeof *node));
    node->hash = string_hash(board);
    node->board = or_abort(strdup(board));
    node->distance = distance;
    node->next = map->buckets[node->hash % map->bucket_count];
    map->buckets[node->hash % map->bucket_count] = node;
    map->count++;
}

static void string_queue_push(struct string_queue *queue, const char *board)
{
    if (queue->tail == queue->room) {
        queue->room = queue->room * 2 + 16;
        queue->boards = or_abort(realloc(queue->boards, queue->room * sizeof *queue->boards));
    }
    queue->boards[queue->tail++] = or_abort(strdup(board));
}

static void string_map_free(struct string_map *map)
{
    for (size_t i = 0; i < map->bucket_count; i++) {
        for (struct string_node *node = map->buckets[i]; node != NULL;) {
            struct string_node *next = node->next;
            free(node->board);
            free(node);
            node = next;
        }
    }
    free(map->buckets);
}

/* Explores to a depth from the solved board; returns the states. */
static uint64_t baseline_strings(const struct grid *grid, uint32_t depth)
{
    char board[GRID_CELLS_MAX + 1] = {0};
    struct string_map map = {0};
    struct string_queue queue = {0};
    for (unsigned i = 0; i < grid->cells; i++)
        board[i] = (char)('a' + (i + 1) % grid->cells);
    string_map_put(&map, board, 0);
    string_queue_push(&queue, board);
    while (queue.head < queue.tail) {
        char *current = queue.boards[queue.head++];
        uint32_t distance = string_map_find(&map, current)->distance;
        size_t blank = strcspn(current, "a");
        for (unsigned d = 0; distance < depth && d < DIRECTION_COUNT; d++) {
            uint8_t to = grid->neighbour[blank][d];
            if (to == GRID_NO_CELL)
                continue;
            memcpy(board, current, grid->cells);
            board[blank] = current[to];
            board[to] = 'a';
            if (string_map_find(&map, board) == NULL) {
                string_map_put(&map, board, distance + 1);
                string_queue_push(&queue, board);
            }
        }
        free(current);
    }
    uint64_t states = map.count;
    free(queue.boards);
    string_map_free(&map);
    return states;
}

#endif
