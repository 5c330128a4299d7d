// SPDX-License-Identifier: BSD-3-Clause
//
// Replaces problems/networks.cpp, problems/random_problem.cpp and work/network_plans.cpp in a
// program that computes only the convolutions of the list.
#include "problems/networks.h"
#include "problems/random_problem.h"
#include "work/network_plans.h"

namespace cudnn_checked::sweep {

std::vector<problem> listed_networks(operation, const std::vector<element>&) { return {}; }

problem random_problem(const request&, std::size_t) { return {}; }

bool has_random_problems(const request&) { return false; }

struct network_plans::parts final : plan_execution {
  problem_numbers numbers;

  bool prepare(int, void* const*, void*, compute::failure&) override { return false; }
  bool execute(const built_plan&, int, compute::failure&) override { return false; }
};

network_plans::network_plans(cudnnHandle_t, int, const problem&, std::uint64_t)
    : parts_(std::make_unique<parts>()) {}

network_plans::~network_plans() = default;

std::size_t network_plans::size() const { return 0; }

plan network_plans::at(std::size_t) const { return {}; }

granted network_plans::build(std::size_t, built_plan&, compute::failure&) {
  return granted::unsupported;
}

const problem_numbers& network_plans::numbers() const { return parts_->numbers; }

plan_execution& network_plans::execution() { return *parts_; }

}  // namespace cudnn_checked::sweep
