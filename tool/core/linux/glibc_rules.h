// SPDX-License-Identifier: BSD-3-Clause
//
// Where glibc's loader looks for a name: ld.so(8), "DESCRIPTION" (the order of the directories) and
// "Dynamic string tokens"; what the manual leaves open was seen with LD_DEBUG=libs on glibc 2.36.
#pragma once

#include "../loader/loader_rules.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/path_table.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class glibc_rules final : public loader_rules {
 public:
  explicit glibc_rules(loader& of);

  void change(arena_string variable, arena_string value) override;
  void look_at_process() override;
  void complete(library_file& file, arena_string path) const override;
  void sort_names(loader::listing& l, const arena_vector<arena_string>& names) const override;
  bool is_called(const mapped_object& object, arena_string name) const override {
    return object.soname == name;
  }
  loader_hit find(arena_string name, const arena_vector<arena_string>& askers,
                  loader::view mode) override;
  arena_vector<preload> preloads() const override;
  passed_file passed_over_by(arena_string asker, arena_string path) override;

 private:
  /// An entry of a list of directories.
  struct place {
    arena_string directory;  ///< empty: not searched
    bool relative = false;   ///< the entry is empty, or does not begin with a slash
    const loader::listing* contents = nullptr;
  };
  struct search;

  void read_rules();
  bool asks_through_sanitizer(const arena_vector<arena_string>& askers, arena_string name);
  bool is_in_default_directory(arena_string path) const;
  arena_string expand(arena_string entry, arena_string asker) const;
  arena_string expand(arena_string entry, arena_string asker, arena_string platform) const;
  void look_at_platforms(arena_string entry, arena_string asker);
  void try_file(search& s, arena_string path, const choice& chosen_by);
  void try_listing(search& s, const loader::listing& l, const choice& chosen_by);
  void try_place(search& s, const loader::listing& l, const choice& chosen_by);
  arena_string directory_of(arena_string entry, arena_string asker) const;
  arena_vector<place> places_of(arena_string entries, const char* separators, arena_string asker);
  bool may_serve(place& p, arena_string name);
  void try_list(search& s, arena_vector<place>& places, choice chosen_by);
  void try_run_path(search& s, arena_string entries, const choice& chosen_by);
  arena_string cached_path(arena_string name);
  void try_rpaths(search& s, const arena_vector<arena_string>& askers);
  void try_ld_library_path(search& s);
  void try_runpath(search& s, arena_string asker);
  void try_defaults(search& s, bool without_directories);

  loader& loader_;
  arena_vector<arena_string> defaults_;  ///< its built-in directories
  arena_vector<arena_string>
      hwcaps_;              ///< "glibc-hwcaps/x86-64-v3", ...: in each directory for this CPU
  bool sanitizer_ = false;  ///< a runtime that stands between a library and dlopen is mapped
  arena_vector<place> ld_places_;              ///< of LD_LIBRARY_PATH
  path_table<arena_vector<place>> run_paths_;  ///< of a file: its RPATH or its RUNPATH
  path_table<arena_string> cached_;            ///< of a name: its path in ld.so.cache
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
