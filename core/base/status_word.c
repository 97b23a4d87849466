/* SPDX-License-Identifier: MIT */
#include "base/status_word.h"

#include <errno.h>
#include <string.h>

struct status_row {
    const char *word;
    bool retryable;
};

static const struct status_row rows[PZ_STATUS_COUNT] = {
    [PZ_OK] = {"ok", false},
    [PZ_BAD_REQUEST] = {"bad-request", false},
    [PZ_BAD_PUZZLE] = {"bad-puzzle", false},
    [PZ_BAD_BOARD] = {"bad-board", false},
    [PZ_TOO_LARGE] = {"too-large", false},
    [PZ_UNSUPPORTED] = {"unsupported", false},
    [PZ_NO_SUCH_JOB] = {"no-such-job", false},
    [PZ_NO_TABLE] = {"no-table", false},
    [PZ_NOT_FINISHED] = {"not-finished", true},
    [PZ_BUSY] = {"busy", true},
    [PZ_LIMIT] = {"limit", true},
    [PZ_MEMORY] = {"memory", true},
    [PZ_STORAGE] = {"storage", false},
    [PZ_STORAGE_FULL] = {"storage-full", true},
    [PZ_CANCELLED] = {"cancelled", false},
    [PZ_SHUTTING_DOWN] = {"shutting-down", true},
    [PZ_INTERNAL] = {"internal", false},
    [PZ_DENIED] = {"denied", false},
};

static const struct status_row *status_row(enum pz_status status)
{
    bool known = (unsigned)status < PZ_STATUS_COUNT && rows[status].word != NULL;
    return &rows[known ? status : PZ_INTERNAL];
}

const char *status_word(enum pz_status status)
{
    return status_row(status)->word;
}

bool status_is_retryable(enum pz_status status)
{
    return status_row(status)->retryable;
}

enum pz_status status_from_errno(struct pz_error *error, int number, const char *what)
{
    enum pz_status code = PZ_INTERNAL;
    switch (number) {
    case ENOMEM:
    case EAGAIN:
        code = PZ_MEMORY;
        break;
    case ENOSPC:
    case EDQUOT:
        code = PZ_STORAGE_FULL;
        break;
    case EMFILE:
    case ENFILE:
        code = PZ_LIMIT; /* of open files: those of others are closed in a while */
        break;
    case EIO:
    case EROFS:
    case EACCES:
    case EPERM:
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
        code = PZ_STORAGE;
        break;
    default:
        break;
    }
    return pz_fail(error, code, "%s: %s", what, strerrordesc_np(number));
}
