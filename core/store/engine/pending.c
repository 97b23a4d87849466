/* SPDX-License-Identifier: MIT */
#include "store/engine/pending.h"

#include "base/random.h"

#include <assert.h>

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
    if (earlier != NULL) {
        atomic_store_explicit(&earlier->superseded, true, memory_order_relaxed);
        pending_remove(pending, earlier);
    }
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
