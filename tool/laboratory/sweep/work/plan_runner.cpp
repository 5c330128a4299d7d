// SPDX-License-Identifier: BSD-3-Clause
#include "plan_runner.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "../../../convolution/compare.h"
#include "../../../opened/opened.h"

namespace cudnn_checked::sweep {

static constexpr surroundings poisoned = {compute::poison_byte, compute::poison_byte};

static constexpr std::size_t low_alignment = static_cast<std::size_t>(compute::declared_alignment);

bool plan_runner::start(cuda_failure& told) {
  for (event* const e : {&begins_[0], &begins_[1], &ends_[0], &ends_[1]}) {
    if (!did(cudaEventCreate(e->receive()), "cudaEventCreate", told)) return false;
  }
  return true;
}

bool plan_runner::place(std::size_t alignment, cuda_failure& told) {
  alignment_ = alignment;
  return memory_.place(*numbers_, alignment, told);
}

bool plan_runner::begin(const problem_numbers& numbers, plan_execution& how, std::size_t alignment,
                        cuda_failure& told) {
  numbers_ = &numbers;
  how_ = &how;
  wanted_alignment_ = alignment;
  return place(wanted_alignment_, told);
}

/// Of a failed call of CUDA: out of memory is no plan's fault, anything else stays.
ran plan_runner::after_failure(const cuda_failure& told, result& came) {
  if (told.status == cudaErrorMemoryAllocation) return ran::too_large;
  came.what = outcome::died;
  came.detail = to_text(told);
  return ran::lost;
}

/// Until nothing is being computed, on whatever stream: a copy does not wait for those of cuDNN's
/// own.
static bool wait(cuda_failure& told) {
  return did(cudaDeviceSynchronize(), "cudaDeviceSynchronize", told);
}

/// Executes the plan so many times, each time into other outputs, and fetches what came of it.
ran plan_runner::launch(const built_plan& built, int times, const surroundings& around,
                        result& came) {
  compute::failure refused;
  cuda_failure told;
  if (!memory_.prepare(built.workspace, around, told)) return after_failure(told, came);
  for (int i = 0; i < times; ++i) {
    if (i == 1 && (!wait(told) || !memory_.fill_workspace(around, told))) {
      return after_failure(told, came);
    }
    bool done = how_->prepare(i, memory_.places(i).data(), memory_.workspace(), refused);
    if (done && (!wait(told) ||
                 !did(cudaEventRecord(begins_[i].get(), nullptr), "cudaEventRecord", told))) {
      return after_failure(told, came);
    }
    done = done && how_->execute(built, i, refused);
    if (!done && how_->is_refused(refused.status)) return ran::refused;
    if (!done) {
      came.what = outcome::failed;
      came.detail = to_text(refused);
      // What made it fail may have made the context unusable.
      if (!did(cudaDeviceSynchronize(), "cudaDeviceSynchronize", told)) {
        return after_failure(told, came);
      }
      return opened::is_out_of_memory(refused.status) ? ran::too_large : ran::yes;
    }
    if (!did(cudaEventRecord(ends_[i].get(), nullptr), "cudaEventRecord", told)) {
      return after_failure(told, came);
    }
  }
  return wait(told) && memory_.fetch(told) ? ran::yes : after_failure(told, came);
}

bool plan_runner::take_time(result& came, cuda_failure& told) {
  for (int i = 0; i < 2; ++i) {
    float milliseconds = 0;
    if (!did(cudaEventElapsedTime(&milliseconds, begins_[i].get(), ends_[i].get()),
             "cudaEventElapsedTime", told)) {
      return false;
    }
    const double microseconds = 1000.0 * static_cast<double>(milliseconds);
    came.microseconds = i == 0 ? microseconds : std::min(came.microseconds, microseconds);
  }
  return true;
}

ran plan_runner::execute(const built_plan& built, result& came) {
  cuda_failure told;
  came.what = outcome::unsupported;  // until more is known
  came.workspace = built.workspace;
  came.alignment = static_cast<int>(alignment_);
  const ran ended = launch(built, 2, poisoned, came);
  if (ended != ran::yes || came.what == outcome::failed) return ended;
  if (!take_time(came, told)) return after_failure(told, came);
  const std::string where = evaluate(built, came);
  note_damage(came);
  if (came.what == outcome::outside) {
    return memory_.restore(told) ? ran::yes : after_failure(told, came);
  }
  if (!is_defect(came.what)) return ran::yes;
  const ran closer = look_closer(built, came);
  if (!where.empty()) came.detail = came.detail.empty() ? where : where + "; " + came.detail;
  return closer;
}

/// An engine that reads NaN where it should not gives NaN.  What it gives where there are numbers
/// says more: an error of 1.4 is that of a result that has nothing to do with the right one.
static std::string still_wrong(const result& came, const result& again) {
  if (std::isfinite(came.relative_error) || !std::isfinite(again.relative_error))
    return came.detail;
  char text[80];
  std::snprintf(text, sizeof text, "relative error %.3g with zeros instead of NaN around it",
                again.relative_error);
  return text;
}

ran plan_runner::look_closer(const built_plan& built, result& came) {
  cuda_failure told;
  // What an execution changes beside the output the next one can change back.
  result again = came;
  ran ended = launch(built, 1, poisoned, again);
  if (ended == ran::yes) note_damage(came);
  static constexpr struct {
    surroundings around;
    remedy right_with;
    const char* meaning;
  } attempts[] = {{{0, compute::poison_byte},
                   remedy::zero_workspace,
                   "right with a workspace of zeros: it reads what nobody wrote"},
                  {{0, 0},
                   remedy::zero_surroundings,
                   "right with zeros around the tensors: it reads beside them"}};
  for (const auto& attempt : attempts) {
    if (ended != ran::yes || came.what == outcome::outside) break;
    again = came;
    ended = launch(built, 2, attempt.around, again);
    if (ended != ran::yes || again.what == outcome::failed) break;
    (void)evaluate(built, again);
    if (is_defect(again.what)) {
      came.detail = still_wrong(came, again);
      continue;
    }
    came.detail = attempt.meaning;
    came.right_with = attempt.right_with;
    break;
  }
  if (ended == ran::lost) came = again;
  if (ended != ran::lost && !memory_.restore(told)) return after_failure(told, came);
  return ended == ran::lost ? ended : ran::yes;
}

void plan_runner::note_damage(result& came) const {
  const std::string damage = memory_.damage();
  if (damage.empty()) return;
  came.what = outcome::outside;
  came.detail = "written: " + damage;
}

/// Keeps the larger errors.
static void add_errors(const compute::comparison& more, compute::comparison& to) {
  to.relative_error = std::max(to.relative_error, more.relative_error);
  to.element_error = std::max(to.element_error, more.element_error);
  to.unwritten = std::max(to.unwritten, more.unwritten);
  to.not_finite = std::max(to.not_finite, more.not_finite);
}

static std::string text_of(const problem_array& array, const compute::comparison& seen) {
  if (seen.not_finite == 0) return "in " + array.name;
  return "in " + array.name + ", " + std::to_string(seen.not_finite) + " of " +
         std::to_string(array.compared) + " elements not finite";
}

std::string plan_runner::evaluate(const built_plan& built, result& came) {
  const problem_numbers& n = *numbers_;
  std::string wrong;
  std::string changing;
  came.elements = 0;
  came.unwritten = 0;
  came.relative_error = 0;
  came.element_error = 0;
  for (std::size_t i = 0; i < n.arrays.size(); ++i) {
    const problem_array& array = n.arrays[i];
    if (!array.is_output()) continue;
    const unsigned char* const first = memory_.array(i, 0);
    const unsigned char* const second = memory_.array(i, 1);
    const bool is_same = array.is_same(first, second);
    compute::comparison seen = array.compare(first);
    if (!is_same) add_errors(array.compare(second), seen);
    came.elements += array.compared;
    came.unwritten += seen.unwritten;
    came.relative_error = std::max(came.relative_error, seen.relative_error);
    came.element_error = std::max(came.element_error, seen.element_error);
    const bool is_wrong = !(seen.element_error <= n.coarsest());
    std::string& names = is_wrong ? wrong : changing;
    if (!is_wrong && (is_same || array.any_order)) continue;
    names += (names.empty() ? "" : "; ") + text_of(array, seen);
  }
  came.tolerance = n.tolerance(built.with.math);
  if (came.unwritten != 0) {
    came.what = outcome::unwritten;
  } else if (!wrong.empty()) {
    came.what = outcome::wrong;
  } else if (!changing.empty() && built.with.deterministic) {
    came.what = outcome::changing;
  } else {
    came.what = came.element_error <= came.tolerance ? outcome::right : outcome::inexact;
  }
  if (n.what == fused_operation::none) return {};
  return wrong.empty() ? changing : wrong;
}

ran plan_runner::run_at(std::size_t alignment, const built_plan& built, result& came) {
  cuda_failure told;
  if (alignment_ != alignment && !place(alignment, told)) return after_failure(told, came);
  return execute(built, came);
}

ran plan_runner::run(const built_plan& built, result& came) {
  if (built.workspace > memory_.most_workspace()) return ran::too_large;
  const ran first = run_at(wanted_alignment_, built, came);
  if (first != ran::yes || !is_defect(came.what) || wanted_alignment_ != low_alignment) {
    return first;
  }
  result again;
  const ran second = run_at(device_memory::best_alignment, built, again);
  if (second == ran::yes && !is_defect(again.what)) {
    if (!came.detail.empty()) came.detail += "; ";
    came.detail += "right where the tensors are aligned to 256 bytes";
    return ran::yes;
  }
  came = again;
  return second == ran::too_large ? ran::yes : second;
}

}  // namespace cudnn_checked::sweep
