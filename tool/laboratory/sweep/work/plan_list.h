// SPDX-License-Identifier: BSD-3-Clause
//
// The plans for a problem: those that heuristics offer, then every engine by its index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../model/result.h"
#include "engines.h"
#include "problem_graph.h"

namespace cudnn_checked::sweep {

/// What came of asking cuDNN for something.
enum class granted { yes, unsupported, failed };

/// A plan on its way to being executed.
struct built_plan {
  plan with;
  compute::descriptor engine;
  compute::descriptor configuration;  ///< of an engine that is taken by its index
  compute::descriptor finished;
  std::uint64_t workspace = 0;
  bool known = false;  ///< one that a heuristic offers as well: its default knobs are the same
  bool best = true;    ///< no other plan of its engine is offered by a better rank
};

/// The same in every process with the same cuDNN on the same GPU: a number says which plan.
class plan_list {
 public:
  /// A heuristic is taken at its word so far.  Measured: A offers up to 20 configurations, B 40.
  static constexpr std::int64_t most_offers = 64;

  /// Makes the operation graph and asks the heuristics.  A heuristic that knows no answer has none.
  /// Where one fails, the others are asked all the same; `told` and `words` say how the first one
  /// failed.  `what` must outlive the list.
  granted ask(cudnnHandle_t handle, problem_graph& what, compute::failure& told,
              std::string& words);

  /// Plans are 0 to size() - 1.
  std::size_t size() const { return offered_.size() + engines_.size(); }
  /// What is known of a plan before anything of it is built: of an engine by index its number.
  plan at(std::size_t number) const;
  /// Makes its configuration, so that all of `built.with` is known.  `built` must be new; it must
  /// not outlive the list.
  granted describe(std::size_t number, built_plan& built, compute::failure& told) const;
  /// Finalises it, which compiles where an engine is compiled at run time.
  granted build(std::size_t number, built_plan& built, compute::failure& told) const;

 private:
  struct offered_plan {
    plan with;
    const compute::descriptor* configuration;
  };

  granted ask_heuristic(heuristic mode, compute::failure& told);
  granted add_offer(const compute::descriptor& configuration, offer made, compute::failure& told);
  granted describe_by_index(built_plan& built, compute::failure& told) const;
  offered_plan* find(const plan& with);

  cudnnHandle_t handle_ = nullptr;
  element type_ = element::fp32;
  const compute::descriptor* graph_ = nullptr;
  compute::descriptor heuristics_[3];
  std::vector<compute::descriptor> configurations_[3];
  std::vector<offered_plan> offered_;
  std::vector<std::int64_t> engines_;  ///< those that nobody offers without knobs
};

/// "cudnnBackendFinalize(CUDNN_BACKEND_ENGINE_DESCRIPTOR): 4000 CUDNN_STATUS_INTERNAL_ERROR, ...":
/// with cuDNN's own words on its last failed call.
std::string to_text(const compute::failure& told);

}  // namespace cudnn_checked::sweep
