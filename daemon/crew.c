/* SPDX-License-Identifier: MIT */
#include "crew.h"

#include "base/priority.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct crew_thread {
    struct crew *crew;
    void *member; /* what member_new made */
    pthread_t thread;
};

struct crew {
    struct crew_options options;
    pthread_mutex_t lock; /* guards the fields up to ending */
    pthread_cond_t work;
    struct errand *first;
    struct errand *last;
    size_t backlog;
    unsigned busy; /* threads at work */
    bool ending;
    unsigned started;
    struct crew_thread threads[];
};

/* The next errand, or NULL when the crew ends and nothing is left. */
static struct errand *crew_take(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    while (crew->first == NULL && !crew->ending)
        (void)pthread_cond_wait(&crew->work, &crew->lock);
    struct errand *errand = crew->first;
    if (errand != NULL) {
        crew->first = errand->next;
        crew->backlog--;
        crew->busy++;
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return errand;
}

/* With the lock held. */
static void append(struct crew *crew, struct errand *errand)
{
    errand->next = NULL;
    if (crew->first == NULL)
        crew->first = errand;
    else
        crew->last->next = errand;
    crew->last = errand;
    crew->backlog++;
    (void)pthread_cond_signal(&crew->work);
}

/* After a turn of work: back into the queue or home. */
static void crew_put(struct crew *crew, struct errand *errand)
{
    bool again = errand->again;
    (void)pthread_mutex_lock(&crew->lock);
    crew->busy--;
    if (again)
        append(crew, errand);
    (void)pthread_mutex_unlock(&crew->lock);
    if (!again)
        mailbox_post(crew->options.mailbox, &errand->letter);
}

static void *crew_main(void *argument)
{
    struct crew_thread *self = argument;
    if (self->crew->options.background)
        priority_lower();
    else
        priority_prompt();
    for (struct errand *errand; (errand = crew_take(self->crew)) != NULL;) {
        errand->again = false;
        errand->work(errand, self->member);
        crew_put(self->crew, errand);
    }
    return NULL;
}

static enum pz_status crew_start(struct crew *crew, struct crew_thread *thread, struct pz_error *error)
{
    thread->crew = crew;
    if (crew->options.member_new != NULL) {
        thread->member = crew->options.member_new(crew->options.context, error);
        if (thread->member == NULL)
            return error->code;
    }
    int failure = pthread_create(&thread->thread, NULL, crew_main, thread);
    if (failure != 0) {
        if (crew->options.member_free != NULL)
            crew->options.member_free(thread->member);
        return pz_fail(error, PZ_MEMORY, "cannot start a thread: %s", strerrordesc_np(failure));
    }
    (void)pthread_setname_np(thread->thread, crew->options.name);
    crew->started++;
    return PZ_OK;
}

enum pz_status crew_new(const struct crew_options *options, struct crew **out, struct pz_error *error)
{
    struct crew *crew = calloc(1, sizeof *crew + options->size * sizeof crew->threads[0]);
    if (crew == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the %s threads", options->name);
    crew->options = *options;
    (void)pthread_mutex_init(&crew->lock, NULL);
    (void)pthread_cond_init(&crew->work, NULL);
    for (unsigned i = 0; i < options->size; i++) {
        enum pz_status status = crew_start(crew, &crew->threads[i], error);
        if (status != PZ_OK) {
            crew_free(crew);
            return status;
        }
    }
    *out = crew;
    return PZ_OK;
}

void crew_free(struct crew *crew)
{
    if (crew == NULL)
        return;
    (void)pthread_mutex_lock(&crew->lock);
    crew->ending = true;
    (void)pthread_cond_broadcast(&crew->work);
    (void)pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->started; i++) {
        (void)pthread_join(crew->threads[i].thread, NULL);
        if (crew->options.member_free != NULL)
            crew->options.member_free(crew->threads[i].member);
    }
    (void)pthread_cond_destroy(&crew->work);
    (void)pthread_mutex_destroy(&crew->lock);
    free(crew);
}

void crew_submit(struct crew *crew, struct errand *errand)
{
    (void)pthread_mutex_lock(&crew->lock);
    append(crew, errand);
    (void)pthread_mutex_unlock(&crew->lock);
}

bool crew_is_idle(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    bool idle = crew->backlog == 0 && crew->busy == 0;
    (void)pthread_mutex_unlock(&crew->lock);
    return idle;
}

size_t crew_backlog(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    size_t backlog = crew->backlog;
    (void)pthread_mutex_unlock(&crew->lock);
    return backlog;
}
