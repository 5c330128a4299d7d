// SPDX-License-Identifier: BSD-3-Clause
//
// All that a sweep saw: what the report is made of, and what a later sweep is compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../core/model/version.h"
#include "problem.h"
#include "result.h"

namespace cudnn_checked::sweep {

/// What computed.
struct machine {
  version cudnn;    ///< cudnnGetVersion
  version cudart;   ///< cudnnGetCudartVersion
  version driver;   ///< the CUDA version of the driver
  std::string gpu;  ///< "NVIDIA H200"
  std::string gpu_uuid;
  int capability = 0;             ///< 90 for 9.0
  std::uint64_t memory_free = 0;  ///< bytes of the GPU, seen from a worker's first context
  std::uint64_t memory_total = 0;
  int gpus = 0;  ///< that CUDA counts; 0: it did not come to that
};

/// One of the GPUs that shared a sweep.
struct swept_gpu {
  int device = 0;
  std::string uuid;
  std::size_t problems = 0;  ///< that it has begun
  std::string why_not;       ///< it computed nothing: why, in one line; else empty
  /// Plans that it computed wrong and another GPU computed right, if that makes it defective.
  std::size_t wrong_alone = 0;
  std::string example;  ///< one of them: "fwd fp32 nchw ..., plan eng71, relative error 1.4"
};

/// Plans that were not run, and why.
struct not_run {
  std::size_t unsupported = 0;  ///< cuDNN builds no such plan
  std::size_t too_large = 0;    ///< the workspace is beyond request.worker_bytes
  std::size_t skipped = 0;      ///< left out to save time: compiled at run time, no best offer
  std::size_t blocked = 0;      ///< the errata file of the request matches

  not_run& operator+=(const not_run& more) {
    unsupported += more.unsupported;
    too_large += more.too_large;
    skipped += more.skipped;
    blocked += more.blocked;
    return *this;
  }
};

struct record : not_run {
  request asked;
  machine on;  ///< with the first GPU
  std::vector<swept_gpu> gpus;
  std::vector<problem> problems;  ///< those that were begun; result.problem is an index here
  /// Those of them that were not computed to the end: what has no result there is not unsupported.
  std::vector<std::size_t> unfinished;
  std::vector<int> computed_on;  ///< the device of each problem
  std::vector<result> again;     ///< of problems with a defect, on another GPU; later empty
  std::vector<result> results;   ///< without the unsupported ones, which are counted alone
  /// Right results that were dropped, because memory is bounded.  Their problems are in
  /// `unfinished`.
  std::size_t right_left_out = 0;
  /// Plans that failed at a random problem, and not when it was computed again.
  std::uint64_t not_repeated = 0;
  /// Plans that failed at a random problem that was not computed again; they stay in the results.
  std::uint64_t not_tried_again = 0;
  double seconds = 0;        ///< by the clock
  bool interrupted = false;  ///< ended by a signal, with what was known by then
  /// Why it ended before its time, in one line, with what was known by then; else empty.
  std::string ended_early;
  std::string why_not;  ///< nothing could be computed: why, in one line; else empty
};

/// False of a set that has no precompiled engines, a JIT-only cuDNN for instance: the same engines
/// have other numbers there.
bool has_precompiled(const record& seen);

}  // namespace cudnn_checked::sweep
