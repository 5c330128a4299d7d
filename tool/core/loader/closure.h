// SPDX-License-Identifier: BSD-3-Clause
//
// The loader at work, simulated: which libraries of cuDNN are in a process after some of them were
// opened.  A name is first compared with what is loaded, by SONAME and by the names under which it
// was asked for, and only then searched; a file that is loaded already is not loaded again, under
// whatever name it was found; then its NEEDED entries follow, breadth first, with that file as
// their asker (glibc, elf/dl-load.c, _dl_map_object; elf/dl-deps.c; compared with the real loader
// by LD_AUDIT: tests/real).  So the outcome depends on what is opened first.
//
// Symbols are not simulated.  The real loader rejects a file that lacks a symbol that it must bind
// at once, and cuDNN asks for the next name; such a file is one of another release, and the set
// that would have it is a mix in either case.
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "loader.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class closure {
 public:
  static constexpr int program = -1;  ///< the asker of what the program itself opens

  struct library : found_file {
    library_role role;
    int asker = program;                    ///< index of the library that asked for it first
    const mapped_object* mapped = nullptr;  ///< in this process already
    arena_vector<arena_string> names;       ///< under which it was asked for
  };

  /// `opener` is the path of a library that opens names on behalf of the program; it may be empty.
  closure(loader& search, loader::view mode, arena_string opener)
      : loader_(search), mode_(mode), opener_(opener) {}

  void add_mapped(library_role role, const mapped_object& object);

  /// dlopen: the first of the names that leads to a file which can be loaded, and what that NEEDs.
  /// Returns its index, or `none`; `failed` says what the names before it, or all of them, led to.
  int open(const arena_vector<arena_string>& names, int asker, loader_hit& failed);
  static constexpr int none = -2;

  /// Takes back the libraries from that index on: the real loader gave up the first of them.
  void forget_from(std::size_t first) { libraries_.resize(first); }

  /// The first library of that role that was loaded; `none` where there is none.
  int find_role(library_role role) const;
  /// Paths of the library, of the one that asked for it, and so on.
  arena_vector<arena_string> askers_of(int index) const;
  /// NEEDED entries of the library, or of the program, that are libraries of cuDNN.
  arena_vector<arena_string> needed_of(int index);
  const arena_vector<library>& libraries() const { return libraries_; }

 private:
  int find_loaded(arena_string name) const;
  int load_one(arena_string name, int asker, loader_hit& failed);

  loader& loader_;
  loader::view mode_;
  arena_string opener_;
  arena_vector<library> libraries_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
