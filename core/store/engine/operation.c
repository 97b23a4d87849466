/* SPDX-License-Identifier: MIT */
#include "store/engine/operation.h"

#include "base/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Returns true until writer_submit: only then may changes be added. */
__attribute__((unused)) static bool is_being_built(const struct operation *operation)
{
    return operation->next == NULL && operation->status == PZ_OK && operation->first_failed <= 0 &&
           (operation->changes == NULL) == (operation->last_change == NULL) &&
           (operation->last_change == NULL || operation->last_change->next == NULL);
}

struct operation *operation_new(enum operation_kind kind)
{
    struct operation *operation = calloc(1, sizeof *operation);
    if (operation != NULL)
        operation->kind = kind;
    return operation;
}

struct operation *operation_applying(enum operation_kind kind, operation_apply *apply, void *context,
                                     size_t bytes)
{
    struct operation *operation = operation_new(kind);
    if (operation != NULL) {
        operation->apply = apply;
        operation->context = context;
        operation->bytes = bytes;
    }
    return operation;
}

void operation_free(struct operation *operation)
{
    if (operation == NULL)
        return;
    while (operation->changes != NULL) {
        struct change *change = operation->changes;
        operation->changes = change->next;
        free(change);
    }
    if (operation->drop != NULL)
        operation->drop(operation->context);
    free(operation);
}

static void operation_change(struct operation *operation, enum database database, const struct key *key,
                             const uint8_t *value, size_t length)
{
    assert(is_being_built(operation) && operation->kind == OPERATION_SMALL);
    assert((value == NULL) == (length == 0));
    struct change *change = malloc(sizeof *change + length);
    if (change == NULL) {
        operation->failed = true;
        return;
    }
    *change = (struct change){.database = database, .key = *key, .length = length, .erase = value == NULL};
    if (value != NULL)
        memcpy(change->value, value, length);
    if (operation->last_change == NULL)
        operation->changes = change;
    else
        operation->last_change->next = change;
    operation->last_change = change;
    /* A small write changes the pages from the root to its leaf, too. */
    operation->bytes += length + 16384;
}

void operation_put(struct operation *operation, enum database database, const struct key *key,
                   struct encoder *encoder)
{
    assert(encoder->failed || (encoder->used >= SEAL_BYTES && encoder->used <= encoder->room));
    if (operation != NULL) {
        operation->failed |= encoder->failed;
        if (!operation->failed) {
            seal_write(encoder->bytes, encoder->used - SEAL_BYTES, database, key);
            operation_change(operation, database, key, encoder->bytes, encoder->used);
        }
    }
    encoder_free(encoder);
}

void operation_erase(struct operation *operation, enum database database, const struct key *key)
{
    if (operation != NULL)
        operation_change(operation, database, key, NULL, 0);
}

/* ---- waiting ---- */

static void awaited_tell(void *context, enum pz_status status, const struct pz_error *error)
{
    struct awaited *awaited = context;
    (void)pthread_mutex_lock(&awaited->lock);
    assert(!awaited->done); /* a write is acknowledged once */
    awaited->done = true;
    awaited->status = status;
    awaited->error = *error;
    (void)pthread_cond_signal(&awaited->acknowledged);
    (void)pthread_mutex_unlock(&awaited->lock);
}

void awaited_begin(struct awaited *awaited)
{
    *awaited = (struct awaited){.ack = {.done = awaited_tell, .context = awaited}};
    (void)pthread_mutex_init(&awaited->lock, NULL);
    (void)pthread_cond_init(&awaited->acknowledged, NULL);
}

enum pz_status awaited_end(struct awaited *awaited, enum pz_status submitted, struct pz_error *error)
{
    if (submitted == PZ_OK) {
        (void)pthread_mutex_lock(&awaited->lock);
        while (!awaited->done)
            (void)pthread_cond_wait(&awaited->acknowledged, &awaited->lock);
        (void)pthread_mutex_unlock(&awaited->lock);
        submitted = awaited->status;
        if (submitted != PZ_OK && error != NULL)
            *error = awaited->error;
    }
    (void)pthread_cond_destroy(&awaited->acknowledged);
    (void)pthread_mutex_destroy(&awaited->lock);
    return submitted;
}

__attribute__((unused)) static bool queue_is_sound(const struct operation_queue *queue)
{
    if (queue->first == NULL)
        return queue->bytes == 0 && queue->urgent == 0;
    return queue->last != NULL && queue->last->next == NULL && queue->bytes >= queue->first->bytes &&
           (!queue->first->urgent || queue->urgent > 0);
}

void operation_queue_append(struct operation_queue *queue, struct operation *operation)
{
    assert(operation->next == NULL && queue_is_sound(queue));
    if (queue->first == NULL)
        queue->first = operation;
    else
        queue->last->next = operation;
    queue->last = operation;
    queue->bytes += operation->bytes;
    queue->urgent += operation->urgent ? 1 : 0;
}

struct operation *operation_queue_take(struct operation_queue *queue, size_t most)
{
    assert(queue->first != NULL && queue_is_sound(queue));
    struct operation *group = queue->first;
    struct operation *end = group;
    size_t bytes = group->bytes;
    unsigned urgent = group->urgent ? 1 : 0;
    while (end->next != NULL && bytes + end->next->bytes <= most) {
        end = end->next;
        bytes += end->bytes;
        urgent += end->urgent ? 1 : 0;
    }
    assert(bytes <= queue->bytes && urgent <= queue->urgent);
    queue->first = end->next;
    queue->bytes -= bytes;
    queue->urgent -= urgent;
    end->next = NULL;
    assert(queue_is_sound(queue));
    return group;
}

void operation_queue_put_back(struct operation_queue *queue, struct operation *front)
{
    struct operation *end = front;
    for (;; end = end->next) {
        end->urgent = false;
        queue->bytes += end->bytes;
        if (end->next == NULL)
            break;
    }
    end->next = queue->first;
    if (queue->first == NULL)
        queue->last = end;
    queue->first = front;
    assert(queue_is_sound(queue));
}

static int apply_changes(const struct environment *environment, const struct operation *operation,
                         MDB_txn *txn)
{
    assert(txn != NULL && (operation->kind == OPERATION_SMALL || operation->changes == NULL));
    for (struct change *change = operation->changes; change != NULL; change = change->next) {
        if (change->superseded) /* in another try an old value must not replace a newer one */
            continue;
        MDB_val key = mdb_key(&change->key);
        MDB_val value = {.mv_size = change->length, .mv_data = change->value};
        MDB_dbi database = environment->databases[change->database];
        int code =
            change->erase ? mdb_del(txn, database, &key, NULL) : mdb_put(txn, database, &key, &value, 0);
        if (code != 0 && !(change->erase && code == MDB_NOTFOUND))
            return code;
    }
    return 0;
}

/* Applies a list of operations in one transaction. A refusal marks the operation that refused. */
static int commit_once(const struct environment *environment, struct operation *group)
{
    MDB_txn *txn;
    int code = mdb_txn_begin(environment->env, NULL, 0, &txn);
    if (code != 0)
        return code;
    for (struct operation *operation = group; operation != NULL && code == 0; operation = operation->next) {
        code = apply_changes(environment, operation, txn);
        if (code == 0 && operation->apply != NULL)
            code = operation->apply(operation->context, txn, &operation->error);
        if (code == APPLY_REFUSED)
            operation->status = operation->error.code;
        assert(code != APPLY_REFUSED || operation->status != PZ_OK); /* a refusal has its reason */
    }
    if (code != 0) {
        mdb_txn_abort(txn);
        return code;
    }
    return environment_commit_code(environment, mdb_txn_commit(txn));
}

static bool any_large(const struct operation *group)
{
    for (; group != NULL; group = group->next)
        if (group->kind == OPERATION_LARGE)
            return true;
    return false;
}

static int commit_growing(struct environment *environment, struct operation *group)
{
    assert(group != NULL && !environment->read_only);
    bool large = any_large(group);
    if (large)
        environment_drop_spare(environment);
    int code = environment_check_place(environment);
    if (code == 0)
        code = commit_once(environment, group);
    while (code == MDB_MAP_FULL && environment_grow(environment, !large))
        code = commit_once(environment, group);
    return code;
}

void commit_alone(struct environment *environment, struct operation *operation)
{
    struct operation *next = operation->next;
    operation->next = NULL;
    int code = commit_growing(environment, operation);
    if (code == 0)
        operation->status = PZ_OK;
    else if (code != APPLY_REFUSED)
        operation->status = store_fault(&operation->error, code, "writing the database");
    operation->next = next;
}

bool commit_group(struct environment *environment, struct operation *group)
{
    if (group->next == NULL || commit_growing(environment, group) != 0)
        return false;
    for (; group != NULL; group = group->next)
        group->status = PZ_OK;
    return true;
}

/* Returns true if a change keeps its promises, in the map or not. */
__attribute__((unused)) static bool change_is_sound(const struct change *change)
{
    const struct change *left = change->left, *right = change->right;
    return change->database < DATABASE_COUNT && change->key.length > 0 && change->key.length <= KEY_MAX &&
           change->erase == (change->length == 0) && (change->in_map || (left == NULL && right == NULL)) &&
           (left == NULL || left->priority <= change->priority) &&
           (right == NULL || right->priority <= change->priority);
}

static int compare_changes(const struct change *change, enum database database, const struct key *key)
{
    if (change->database != database)
        return change->database < database ? -1 : 1;
    return key_compare(&change->key, key);
}

void operation_supersede(struct operation *operation, const struct operation *later)
{
    for (struct change *change = operation->changes; change != NULL; change = change->next)
        for (const struct change *at = later->changes; at != NULL && !change->superseded; at = at->next)
            change->superseded = compare_changes(at, change->database, &change->key) == 0;
}

/* Splits a tree at a key that is not in it, into the changes below and above the key. */
static void treap_split(struct change *tree, const struct change *at, struct change **below,
                        struct change **above)
{
    while (tree != NULL) {
        if (compare_changes(tree, at->database, &at->key) < 0) {
            *below = tree;
            below = &tree->right;
            tree = tree->right;
        } else {
            *above = tree;
            above = &tree->left;
            tree = tree->left;
        }
    }
    *below = NULL;
    *above = NULL;
}

/* Joins two trees. All keys of below come before those of above. */
static struct change *treap_join(struct change *below, struct change *above)
{
    assert(below == NULL || above == NULL || compare_changes(below, above->database, &above->key) < 0);
    struct change *root = NULL;
    struct change **link = &root;
    while (below != NULL && above != NULL) {
        if (below->priority > above->priority) {
            *link = below;
            link = &below->right;
            below = below->right;
        } else {
            *link = above;
            link = &above->left;
            above = above->left;
        }
    }
    *link = below != NULL ? below : above;
    return root;
}

static struct change **link_of(struct pending *pending, enum database database, const struct key *key)
{
    struct change **link = &pending->root;
    while (*link != NULL) {
        int order = compare_changes(*link, database, key);
        if (order == 0)
            break;
        link = order < 0 ? &(*link)->right : &(*link)->left;
    }
    return link;
}

void pending_remove(struct pending *pending, struct change *change)
{
    if (!change->in_map)
        return;
    struct change **link = link_of(pending, change->database, &change->key);
    assert(*link == change); /* no key is in the map twice */
    *link = treap_join(change->left, change->right);
    change->in_map = false;
    change->left = NULL;
    change->right = NULL;
    assert(change_is_sound(change));
}

void pending_add(struct pending *pending, struct change *change)
{
    assert(!change->in_map && change_is_sound(change));
    struct change *earlier = *link_of(pending, change->database, &change->key);
    if (earlier != NULL)
        pending_remove(pending, earlier);
    struct random random = {pending->seed};
    change->priority = random_next(&random);
    pending->seed = random.state;
    struct change **link = &pending->root;
    while (*link != NULL && (*link)->priority > change->priority)
        link = compare_changes(*link, change->database, &change->key) < 0 ? &(*link)->right : &(*link)->left;
    treap_split(*link, change, &change->left, &change->right);
    *link = change;
    change->in_map = true;
    assert(change_is_sound(change));
}

const struct change *pending_find(const struct pending *pending, enum database database,
                                  const struct key *key)
{
    const struct change *found = pending_from(pending, database, key);
    return found != NULL && key_compare(&found->key, key) == 0 ? found : NULL;
}

const struct change *pending_from(const struct pending *pending, enum database database,
                                  const struct key *key)
{
    const struct change *best = NULL;
    const struct change *at = pending->root;
    while (at != NULL) {
        if (compare_changes(at, database, key) < 0) {
            at = at->right;
        } else {
            best = at;
            at = at->left;
        }
    }
    return best != NULL && best->database == database ? best : NULL;
}
