// SPDX-License-Identifier: BSD-3-Clause
//
// Libraries that one process loads one after the other: a name that is in its memory is not
// searched for again, so the first that uses cuDNN decides for those behind it.
#pragma once

#include "../../repair/adviser.h"
#include "../program/check_program.h"
#include "../survey/environment_neighbours.h"
#include "../system/process_facts.h"

namespace cudnn_checked::cli {

class loaded_libraries {
 public:
  loaded_libraries(const assumed_machine& machine, process_memory memory)
      : machine_(machine), memory_(std::move(memory)) {}

  /// Checks the next one.  What NEEDs cuDNN brings it into memory, unless it is not loaded `now`;
  /// what opens it by name may do so much later.
  program_check load(const system_interface& os, const arena_string& path, bool now = true);
  /// The same as a person is to see it; `import_lacks` as in unstamped_program.
  program_check load_and_advise(const system_interface& os, const arena_string& path,
                                const arena_string& import_lacks);
  const process_memory& memory() const { return memory_; }

 private:
  void keep(const program_check& check);

  const assumed_machine& machine_;
  process_memory memory_;
};

/// The same libraries, or the same program, loaded in this order by a process that is started now
/// in the same environment.
class started_again final : public repairs::check_again {
 public:
  started_again(const arena_vector<arena_string>& paths, const assumed_machine& machine)
      : paths_(paths), machine_(machine) {}

  repairs::checked look(const system_interface& os) const override;
  void add_candidates(const system_interface& os, repairs::checked& found) const override;
  repairs::sound_users users_of(const system_interface& os, const arena_vector<arena_string>& sites,
                                const repairs::checked& found) const override;

 private:
  environment_neighbours others_;
  const arena_vector<arena_string>& paths_;
  const assumed_machine& machine_;
};

/// What the process has mapped, by the paths by which the loader found it: $ORIGIN is the directory
/// of that, and the kernel has resolved the links in what it shows.
arena_vector<mapped_object> named_as_the_loader(const system_interface& os,
                                                const arena_string& program,
                                                const arena_vector<mapped_object>& mapped);

/// The libraries among them that may use cuDNN, in the order of their loading as a rule.
arena_vector<arena_string> users_among(const system_interface& os,
                                       const arena_vector<mapped_object>& mapped);

}  // namespace cudnn_checked::cli
