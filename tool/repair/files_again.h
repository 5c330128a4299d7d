// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <utility>

#include "../core/model/paths.h"
#include "adviser.h"

namespace cudnn_checked::repairs {

/// The check of the files of one install, for what else only a run of cuDNN shows.
class files_again final : public check_again {
 public:
  using judge_files = std::function<arena_vector<finding>(const system_interface&)>;

  /// `wanted` as in add_candidates().
  files_again(judge_files judge, arena_string library, release wanted)
      : judge_(std::move(judge)), library_(std::move(library)), wanted_(wanted) {}

  static checked with(const arena_vector<finding>& findings) {
    checked found;
    found.findings = findings;
    return found;
  }

  checked look(const system_interface& os) const override { return with(judge_(os)); }

  void add_candidates(const system_interface& os, checked& found) const override {
    repairs::add_candidates(os, {directory_part(library_)}, wanted_, found);
  }

 private:
  const judge_files judge_;
  const arena_string library_;
  const release wanted_;
};

}  // namespace cudnn_checked::repairs
