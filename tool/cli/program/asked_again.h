// SPDX-License-Identifier: BSD-3-Clause
//
// The same question on another system: what a command would change.
#pragma once

#include "check_program.h"

namespace cudnn_checked::cli {

/// Libraries that one process loads one after the other: a name that is in its memory is not
/// searched for again, so the first that uses cuDNN decides for those behind it.
class loaded_libraries {
 public:
  /// `asked` is as for check_program(), except that its path does not count.
  explicit loaded_libraries(const cudnn_case& asked) : asked_(asked) {}

  /// Checks the next one.  What NEEDs cuDNN brings it into memory, unless it is not loaded `now`;
  /// what opens it by name may do so much later.
  program_check load(const system_interface& os, const arena_string& path, bool now = true);
  const process_memory& memory() const { return asked_.memory; }

 private:
  cudnn_case asked_;
};

/// A program, or libraries in the order of their loading, in a process that is started now.
class asked_again final : public repairs::check_again {
 public:
  /// `asked` is as for check_program(), except that its path and memory do not count.
  asked_again(const arena_vector<arena_string>& paths, const cudnn_case& asked);

  repairs::checked look(const system_interface& os) const override;
  void add_candidates(const system_interface& os, repairs::checked& found) const override;
  repairs::sound_users users_of(const system_interface& os, const arena_vector<arena_string>& sites,
                                const repairs::checked& found) const override;
  repairs::checked found_here(const arena_vector<finding>& findings) const;

 private:
  void add_sets_of_others(const system_interface& os, repairs::checked& found) const;

  const arena_vector<arena_string> paths_;
  cudnn_case asked_;
};

}  // namespace cudnn_checked::cli
