// SPDX-License-Identifier: BSD-3-Clause
//
// Replaces problems/listed_algorithms.cpp, problems/random_problem.cpp and
// work/algorithm_plans.cpp, with what these need, in a program that computes only the convolutions
// of the list.
#include "problems/listed_algorithms.h"
#include "problems/random_problem.h"
#include "work/algorithm_plans.h"

namespace cudnn_checked::sweep {

std::vector<problem> listed_with_algorithms(operation, const std::vector<element>&) { return {}; }

problem random_problem(const request&, std::size_t) { return {}; }

bool has_random_problems(const request&) { return false; }

std::unique_ptr<algorithm_plans> make_algorithm_plans(cudnnHandle_t, int, const problem&,
                                                      std::uint64_t) {
  return nullptr;
}

}  // namespace cudnn_checked::sweep
