// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the lines of a probe (facts/line.h) into an observation.
#pragma once

#include <map>
#include <string>

#include "../core/model/observation.h"
#include "program_end.h"

namespace cudnn_checked::prove {

/// Takes the lines of a probe one by one.  Skips other lines: a library may write to the same file.
class told_facts {
 public:
  void add(const std::string& line);

  bool begun() const { return begun_; }
  /// True after the probe's last line: it has done all that was requested.
  bool finished() const { return finished_; }
  /// The current step of the process that was started, or the steps of the other parts while it
  /// waits for them: "graph/fp16/nchw on GPU 1, legacy on GPU 2".  If a part has died, its last
  /// step.  Without words before the first step; of several, the kind of the first.
  probe_step step() const;

  version header() const { return header_; }    ///< CUDNN_VERSION
  version toolkit() const { return toolkit_; }  ///< CUDART_VERSION
  /// Paths of the libraries in its process.
  const arena_vector<arena_string>& mapped() const { return mapped_; }
  /// The loader's message if cuDNN could not be opened; otherwise empty.
  const std::string& not_opened() const { return not_opened_; }
  /// A name of devices= for which there is no GPU; otherwise empty.
  const std::string& no_such_gpu() const { return no_such_gpu_; }
  /// The reason why no GPU can compute; empty if one can, or if the GPUs are unknown.
  const arena_string& why_no_gpu() const { return why_no_gpu_; }

  /// Sets the members that only the probe can know: answers, runtime, driver.cuda, devices,
  /// convolutions, kernel and skipped.
  void put_into(observation& observed) const;

 private:
  /// The facts from one of the processes that compute in parallel.
  struct part {
    probe_step step;
    bool died = false;
    arena_vector<convolution> runs;
    arena_vector<convolution> kernel_runs;
    arena_vector<skipped_work> skipped;
  };

  bool begun_ = false;
  bool finished_ = false;
  version header_;
  version toolkit_;
  arena_vector<arena_string> mapped_;
  std::string not_opened_;
  std::string no_such_gpu_;
  arena_string why_no_gpu_;
  cudnn_answers answers_;
  version runtime_;
  version driver_;
  gpu_facts devices_;
  kernel_facts kernel_;
  std::map<long long, part> parts_;
};

/// What a probe did last that did not end well.
probe_step last_step_of(const told_facts& told);

}  // namespace cudnn_checked::prove
