// SPDX-License-Identifier: BSD-3-Clause
//
// Where Windows looks for a DLL: Microsoft, "Dynamic-link library search order", for unpackaged
// programs with the safe search, which is the default.  Manifests, redirection (.local) and what no
// function tells of a search that the program has changed (SetDefaultDllDirectories,
// AddDllDirectory) are left out.
#pragma once

#include "../loader/loader_rules.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The directory that the loader looks in for an entry of PATH.  Quotes are a part of its name, so
/// that there is none (seen under wine 8.0; cmd takes them away when it looks for programs).
arena_string directory_of_entry(const system_interface& os, arena_string entry);

/// The directory that SetDllDirectory has set in this process; empty if it was not called.
arena_string directory_of_process();

/// Has the directories that are searched last: "PATH", and where another machine looks at DLLs the
/// name by which it is given them.
extern const char* const variable_of_search;

class dll_rules final : public loader_rules {
 public:
  explicit dll_rules(loader& of);

  void change(arena_string variable, arena_string value) override;
  void look_at_process() override;
  void complete(library_file& file, arena_string path) const override;
  void sort_names(loader::listing& l, const arena_vector<arena_string>& names) const override;
  bool is_called(const mapped_object& object, arena_string name) const override;
  loader_hit find(arena_string name, const arena_vector<arena_string>& askers,
                  loader::view mode) override;
  arena_vector<preload> preloads() const override { return {}; }
  passed_file passed_over_by(arena_string asker, arena_string path) override;

 private:
  struct place {
    arena_string directory;
    choice chosen_by;
  };

  arena_vector<place> places(loader::view mode) const;
  bool is_listed(arena_string directory, arena_string name);

  loader& loader_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
