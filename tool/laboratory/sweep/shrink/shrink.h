// SPDX-License-Identifier: BSD-3-Clause
//
// A failure at a smaller problem.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "../judge/judge.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// Computes these problems, and no others.
using problem_runner = std::function<record(const std::vector<problem>&)>;

/// Whether that problem of a record shows that the engine fails, and another one that it is no
/// fault of the reference: what needs none (elements that are not written, a process that ends)
/// shows it by itself.
bool is_refuted(const record& of, std::size_t problem_number, std::int64_t engine);

/// Computes what failed once more, in other processes, and takes out what does not fail again: that
/// was no fault of the plan, or of chance.  What is worse than an error is computed first.  What is
/// not computed again, because the time was over or the GPU was lost, stays, and is counted.
void confirm_failures(const problem_runner& run, record& of);

/// Looks for the smallest problem at which each of the rows still fails, and adds it with what came
/// of it to the record, so that a judgement has it as its example.  Only what is_refuted() is made
/// smaller.  All rows take part in each call of `run`; it ends where nothing smaller fails, or
/// where `goes_on` says no.
void shrink_failures(const std::vector<row>& rows, const problem_runner& run,
                     const std::function<bool()>& goes_on, record& of);

}  // namespace cudnn_checked::sweep
