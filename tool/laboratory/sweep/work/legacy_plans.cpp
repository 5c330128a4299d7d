// SPDX-License-Identifier: BSD-3-Clause
#include "legacy_plans.h"

#include <cuda_runtime_api.h>

#include <optional>
#include <utility>
#include <vector>

#include "../../../opened/status.h"
#include "../../legacy/call.h"
#include "../../legacy/problem_text.h"
#include "../../legacy/variants.h"

namespace cudnn_checked::sweep {

struct legacy_plans::parts final : plan_execution {
  cudnnHandle_t handle;
  std::uint64_t seed;
  compute::legacy_problem of;
  std::vector<compute::legacy_variant> variants;
  int first = 0;  ///< number of the call that the text names
  problem_numbers numbers;
  /// Arrays that a call changes, with what they hold before.
  std::vector<std::pair<std::size_t, std::vector<unsigned char>>> changed;

  probe::run_facts facts;  ///< of the call that failed last
  std::unique_ptr<probe::legacy_caller> caller;
  std::optional<probe::legacy_call> call;
  std::vector<void*> places[2];
  void* workspaces[2] = {nullptr, nullptr};

  parts(cudnnHandle_t of_worker, const problem& p, std::uint64_t of_numbers)
      : handle(of_worker), seed(of_numbers) {
    compute::legacy_shape shape;
    const fused_operation what = fused_of(p.what);
    if (!compute::read_legacy_shape(what, p.fused_shape, shape)) return;  // a list has only such
    of = compute::make_legacy_problem(what, p.type, shape);
    variants = compute::variants_of(what, shape.call);
    first = compute::variant_number(what, shape.call);
    numbers.what = what;
    numbers.type = p.type;
  }

  /// Bounds depend on the algorithm.
  void make_numbers() {
    compute::draw(seed, of);
    numbers.arrays.clear();
    changed.clear();
    for (const compute::fused_array& array : of.arrays) {
      numbers.arrays.push_back(array_of(array));
      problem_array& made = numbers.arrays.back();
      if (!made.is_input() || !made.is_output()) continue;
      changed.emplace_back(numbers.arrays.size() - 1, std::move(made.given));
      made.given.clear();
    }
  }

  /// What the facts say of the call that failed.  Without memory `told` has no failure.
  bool fail(compute::failure& told) const {
    told.call = facts.failed_call.c_str();
    told.status = static_cast<cudnnStatus_t>(facts.status);
    if (facts.failed_call.compare(0, 4, "cuda") == 0) {
      const bool is_memory = facts.status == cudaErrorMemoryAllocation;
      told.status = is_memory ? CUDNN_STATUS_SUCCESS : execution_failed;
    }
    return false;
  }

  /// What computes it may lie in a library that this cuDNN lacks.
  bool is_refused(cudnnStatus_t status) const override {
    return opened::means_no_engine(status) ||
           facts.status_name == "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED";
  }

  bool prepare(int number, void* const* of_arrays, void* workspace,
               compute::failure& told) override {
    places[number].assign(of_arrays, of_arrays + of.arrays.size());
    workspaces[number] = workspace;
    for (const auto& [array, before] : changed) {
      if (cudaMemcpy(of_arrays[array], before.data(), before.size(), cudaMemcpyHostToDevice) !=
          cudaSuccess) {
        return compute::noted(execution_failed, "cudaMemcpy", "", told);
      }
    }
    return true;
  }

  bool execute(const built_plan&, int number, compute::failure& told) override {
    call->places = places[number];
    call->workspace = workspaces[number];
    facts = {};
    return caller->execute(*call) || fail(told);
  }
};

legacy_plans::legacy_plans(cudnnHandle_t handle, const problem& p, std::uint64_t seed)
    : parts_(std::make_unique<parts>(handle, p, seed)) {}

legacy_plans::~legacy_plans() = default;

std::size_t legacy_plans::size() const { return parts_->variants.size(); }

plan legacy_plans::at(std::size_t number) const {
  const compute::legacy_variant& one = parts_->variants[number];
  plan made;
  made.engine = one.number;
  made.offers.push_back({heuristic::a, one.number == parts_->first ? 1 : 2});
  made.math = convolution_math::unknown;
  made.deterministic = one.deterministic;
  return made;
}

granted legacy_plans::build(std::size_t number, built_plan& built, compute::failure& told) {
  parts& one = *parts_;
  built.with = at(number);
  one.of.call = one.variants[number].call;
  one.make_numbers();
  one.facts = {};
  one.caller = probe::caller_of(one.of.call);
  one.call.emplace(one.handle, one.of, one.facts);
  if (!probe::prepare(*one.caller, *one.call)) {
    (void)one.fail(told);
    const bool is_refused = told.status == CUDNN_STATUS_SUCCESS || one.is_refused(told.status);
    return is_refused ? granted::unsupported : granted::failed;
  }
  built.workspace = one.call->workspace_bytes;
  return granted::yes;
}

const problem_numbers& legacy_plans::numbers() const { return parts_->numbers; }

plan_execution& legacy_plans::execution() { return *parts_; }

}  // namespace cudnn_checked::sweep
