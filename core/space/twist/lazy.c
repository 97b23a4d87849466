/* SPDX-License-Identifier: MIT */
#include "space/twist/lazy.h"

#include "space/twist/twist_numbers.h"

#include <pthread.h>
#include <stdlib.h>

struct twist_lazy {
    twist_describe *describe;
    const void *context;
    pthread_mutex_t lock; /* of those below until they are made */
    bool made;
    struct twist *twist;
    struct twist_numbers *numbers;
};

struct twist_lazy *twist_lazy_new(twist_describe *describe, const void *context)
{
    struct twist_lazy *lazy = calloc(1, sizeof *lazy);
    if (lazy == NULL)
        return NULL;
    lazy->describe = describe;
    lazy->context = context;
    (void)pthread_mutex_init(&lazy->lock, NULL);
    return lazy;
}

void twist_lazy_free(struct twist_lazy *lazy)
{
    if (lazy == NULL)
        return;
    twist_numbers_free(lazy->numbers);
    free(lazy->twist);
    (void)pthread_mutex_destroy(&lazy->lock);
    free(lazy);
}

/* Returns false without memory: the next one who asks tries again. */
static bool make_numbers(struct twist_lazy *lazy)
{
    struct twist *twist = calloc(1, sizeof *twist);
    if (twist == NULL)
        return false;
    lazy->describe(lazy->context, twist);
    if (!twist_numbers_new(twist, &lazy->numbers)) {
        free(twist);
        return false;
    }
    lazy->twist = twist;
    return true;
}

const struct twist_numbers *twist_lazy_numbers(struct twist_lazy *lazy)
{
    (void)pthread_mutex_lock(&lazy->lock);
    if (!lazy->made)
        lazy->made = make_numbers(lazy);
    const struct twist_numbers *numbers = lazy->numbers;
    (void)pthread_mutex_unlock(&lazy->lock);
    return numbers;
}

uint64_t twist_lazy_count(struct twist_lazy *lazy)
{
    const struct twist_numbers *numbers = twist_lazy_numbers(lazy);
    return numbers != NULL ? twist_numbers_count(numbers) : 0;
}

struct pz_runs *twist_lazy_runs(struct twist_lazy *lazy)
{
    return twist_runs_new(twist_lazy_numbers(lazy));
}
