/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include "world.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS_MAX = 96, STACK_BYTES = 1 << 20, STEP_NS = 20000 };

enum state { STATE_FREE, STATE_READY, STATE_WAITING, STATE_POLLING, STATE_ENDED };

struct thread {
    enum state state;
    ucontext_t context;
    void *stack;
    void *(*function)(void *);
    void *argument, *result;
    const void *on; /* what it waits for */
    uint64_t deadline;
    bool late;       /* the deadline woke it */
    unsigned weight; /* how often it has its turn */
    int epoll, most, found;
    struct epoll_event *events;
    bool dry; /* nothing was there when it looked last */
};

static struct thread threads[THREADS_MAX]; /* the first is nobody's */
static ucontext_t simulator;
static unsigned running;
static unsigned pauses_of_ten = 3; /* how often a thread that need not wait lets others go on */

unsigned threads_self(void)
{
    return running;
}

/* Goes back to the simulator until this thread's next turn. */
static void leave(enum state state)
{
    const int kept = errno;
    struct thread *self = &threads[running];
    self->state = state;
    (void)swapcontext(&self->context, &simulator);
    errno = kept;
}

static void thread_main(void)
{
    struct thread *self = &threads[running];
    self->result = self->function(self->argument);
    threads_wake(self, true);
    leave(STATE_ENDED);
    abort();
}

static unsigned draw_weight(void)
{
    return 1u << 2 * world_below(4);
}

static void lay_out(struct thread *thread)
{
    (void)getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&thread->context, thread_main, 0);
}

unsigned threads_start(void *(*function)(void *), void *argument)
{
    unsigned number = 1;
    while (number < THREADS_MAX && threads[number].state != STATE_FREE)
        number++;
    if (number == THREADS_MAX)
        return 0;
    struct thread *thread = &threads[number];
    void *stack = thread->stack;
    if (stack == NULL)
        stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
    if (stack == MAP_FAILED)
        return 0;
    *thread = (struct thread){.state = STATE_READY,
                              .stack = stack,
                              .function = function,
                              .argument = argument,
                              .weight = draw_weight(),
                              .deadline = NEVER};
    lay_out(thread);
    return number;
}

bool threads_ended(unsigned number)
{
    return threads[number].state == STATE_ENDED;
}

void *threads_join(unsigned number)
{
    while (!threads_ended(number))
        (void)threads_wait(&threads[number], NEVER);
    threads[number].state = STATE_FREE;
    return threads[number].result;
}

/* ---- called by a thread ---- */

void threads_pause(void)
{
    if (running != 0 && world_below(10) < pauses_of_ten)
        leave(STATE_READY);
}

bool threads_wait(const void *on, uint64_t deadline)
{
    struct thread *self = &threads[running];
    if (running == 0)
        world_violate("the simulator itself would wait");
    self->on = on;
    self->deadline = deadline;
    self->late = false;
    leave(STATE_WAITING);
    self->on = NULL;
    self->deadline = NEVER;
    return !self->late;
}

void threads_wake(const void *on, bool all)
{
    struct thread *waiting[THREADS_MAX];
    unsigned count = 0;
    for (unsigned i = 1; i < THREADS_MAX; i++)
        if (threads[i].state == STATE_WAITING && threads[i].on == on)
            waiting[count++] = &threads[i];
    if (count > 0 && !all) {
        waiting[0] = waiting[world_below(count)];
        count = 1;
    }
    for (unsigned i = 0; i < count; i++)
        waiting[i]->state = STATE_READY;
}

int threads_poll(int epoll, struct epoll_event *events, int most, uint64_t deadline)
{
    struct thread *self = &threads[running];
    self->epoll = epoll;
    self->events = events;
    self->most = most;
    self->found = 0;
    self->dry = false;
    self->deadline = deadline;
    leave(STATE_POLLING);
    self->deadline = NEVER;
    return self->found;
}

/* ---- called by the simulator ---- */

static bool can_go_on(struct thread *thread)
{
    const bool timed = thread->deadline <= world->now_ns;
    if (thread->state == STATE_READY)
        return true;
    if (thread->state == STATE_WAITING)
        return timed;
    if (thread->state != STATE_POLLING)
        return false;
    if (!thread->dry && thread->found == 0) {
        thread->found = (int)syscall(SYS_epoll_wait, thread->epoll, thread->events, thread->most, 0);
        thread->dry = thread->found <= 0;
        thread->found = thread->found < 0 ? 0 : thread->found;
    }
    return timed || thread->found > 0;
}

static struct thread *pick(void)
{
    struct thread *able[THREADS_MAX];
    unsigned count = 0;
    uint64_t weights = 0;
    for (unsigned i = 1; i < THREADS_MAX; i++)
        if (can_go_on(&threads[i])) {
            able[count++] = &threads[i];
            weights += threads[i].weight;
        }
    if (count == 0)
        return NULL;
    uint64_t lot = world_below(weights);
    unsigned chosen = 0;
    while (lot >= able[chosen]->weight)
        lot -= able[chosen++]->weight;
    return able[chosen];
}

bool threads_step(void)
{
    struct thread *thread = pick();
    if (thread == NULL)
        return false;
    thread->late = thread->state == STATE_WAITING;
    thread->state = STATE_READY;
    running = (unsigned)(thread - threads);
    world->steps++;
    world->now_ns += 1 + world_below(STEP_NS);
    world->trace = (world->trace ^ running) * UINT64_C(1099511628211);
    (void)swapcontext(&simulator, &thread->context);
    running = 0;
    threads_stir();
    return true;
}

void threads_stir(void)
{
    for (unsigned i = 1; i < THREADS_MAX; i++)
        threads[i].dry = false;
}

uint64_t threads_deadline(void)
{
    uint64_t earliest = NEVER;
    for (unsigned i = 1; i < THREADS_MAX; i++)
        if ((threads[i].state == STATE_WAITING || threads[i].state == STATE_POLLING) &&
            threads[i].deadline < earliest)
            earliest = threads[i].deadline;
    return earliest;
}

void threads_shuffle(void)
{
    pauses_of_ten = (unsigned)world_below(7);
    for (unsigned i = 1; i < THREADS_MAX; i++)
        threads[i].weight = draw_weight();
}
