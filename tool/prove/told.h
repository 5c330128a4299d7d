// SPDX-License-Identifier: BSD-3-Clause
//
// What a probe has told (facts/line.h), as an observation has it.
#pragma once

#include <map>
#include <string>

#include "../core/model/observation.h"

namespace cudnn_checked::prove {

/// Takes the lines of a probe as they come.  A line that is not of the probe is passed over: a
/// library may write to the same file.
class told_facts {
 public:
  void add(const std::string& line);

  bool begun() const { return begun_; }
  /// Its last line came: it did all that it was told to do.
  bool finished() const { return finished_; }
  /// What it does now: the process that was started, or while it waits for the other parts, all of
  /// those: "graph/fp16/nchw on GPU 1, legacy on GPU 2".  Where a part has died, what that did
  /// last. Empty where nothing was begun.
  arena_string step() const;

  version header() const { return header_; }    ///< CUDNN_VERSION
  version toolkit() const { return toolkit_; }  ///< CUDART_VERSION
  /// Paths of the libraries in its process.
  const arena_vector<arena_string>& mapped() const { return mapped_; }
  /// The loader's words where cuDNN could not be opened; empty where it could.
  const std::string& not_opened() const { return not_opened_; }
  /// What devices= names and is not there; empty where all is.
  const std::string& no_such_gpu() const { return no_such_gpu_; }
  /// Why no GPU can compute; empty where one can, or nothing is known of them.
  const arena_string& why_no_gpu() const { return why_no_gpu_; }

  /// Fills what the probe alone can see: answers, runtime, driver.cuda, devices, convolutions,
  /// kernel and skipped.
  void put_into(observation& observed) const;

 private:
  /// What one of the processes that compute side by side has told.
  struct part {
    std::string step;
    bool died = false;
    arena_vector<convolution> runs;
    arena_vector<convolution> kernel_runs;
    arena_vector<arena_string> skipped;
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

}  // namespace cudnn_checked::prove
