/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner_grade.h"

#include "answer/board_grade.h"

#include <inttypes.h>

static void write_grade(const struct task *task, const struct grade *grade, struct text *out)
{
    const struct {
        const char *key;
        int64_t number;
    } figures[] = {{"other_moves", grade->other_moves}, {"wrong_turns", grade->wrong_turns},
                   {"dead_turns", grade->dead_turns},   {"counterintuitive", grade->counterintuitive},
                   {"positions", grade->positions},     {"dead", grade->dead},
                   {"piece_count", grade->pieces},      {"must_move", grade->must_move},
                   {"box_changes", grade->box_changes}, {"decomposition", grade->decomposition}};
    if (task->other != NULL)
        text_key(out, "other_metric", grade_other_metric(task->space));
    if (grade->branching >= 0)
        text_format(out, " branching=%.4f", grade->branching);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i].number >= 0)
            text_format(out, " %s=%" PRId64, figures[i].key, figures[i].number);
}

enum pz_status runner_grade(const struct task *task, const struct solve_request *request,
                            const struct solve_result *solved, struct control *control, struct text *result,
                            struct pz_error *error)
{
    const struct grade_question question = {request, solved, task->other, task->other_state};
    struct grade grade;
    if (solved->path == NULL)
        return PZ_OK;
    const enum pz_status status = grade_board(&question, control, &grade, error);
    write_grade(task, &grade, result);
    return status == PZ_CANCELLED ? status : PZ_OK;
}
