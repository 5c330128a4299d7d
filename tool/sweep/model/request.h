// SPDX-License-Identifier: BSD-3-Clause
//
// What is asked of a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "problem.h"

namespace cudnn_checked::sweep {

struct request {
  std::string library;  ///< absolute path of libcudnn.so.N
  double seconds = 60;
  std::vector<operation> operations = {operation::forward, operation::data_gradient,
                                       operation::filter_gradient};
  std::vector<element> types = {element::fp32, element::fp16, element::bf16};
  std::uint64_t seed = 1;  ///< the same seed gives the same list of problems everywhere
  /// The GPUs that share the problems, as CUDA counts them; all of one kind.
  std::vector<int> devices = {0};
  bool each_device = false;  ///< all that there are; `devices` is filled in when that is known
  int workers = 0;           ///< processes side by side; 0: as many as this machine carries
  std::uint64_t worker_bytes = std::uint64_t{1} << 30;  ///< GPU memory that one process allocates
  double plan_seconds = 10;                             ///< a built plan that takes longer has hung
  /// Numbers of the problems to compute, ascending; empty: all from 0 on, until the time is over.
  /// For the process that starts the workers alone.
  std::vector<std::size_t> only;
  std::string errata;  ///< text of an errata file whose plans are left out; empty: none
};

}  // namespace cudnn_checked::sweep
