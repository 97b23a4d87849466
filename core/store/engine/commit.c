/* SPDX-License-Identifier: MIT */
#include "store/engine/commit.h"

#include <assert.h>

static int apply_changes(const struct environment *environment, const struct operation *operation,
                         MDB_txn *txn)
{
    assert(txn != NULL && (operation->kind == OPERATION_SMALL || operation->changes == NULL));
    for (struct change *change = operation->changes; change != NULL; change = change->next) {
        /* In a second try an old value must not replace a newer one. */
        if (operation->attempts > 0 && atomic_load_explicit(&change->superseded, memory_order_relaxed))
            continue;
        MDB_val key = {.mv_size = change->key.length, .mv_data = change->key.bytes};
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

void commit_group(struct environment *environment, struct operation *group)
{
    if (group->next != NULL && commit_growing(environment, group) == 0) {
        for (; group != NULL; group = group->next)
            group->status = PZ_OK;
        return;
    }
    for (; group != NULL; group = group->next)
        commit_alone(environment, group);
}
