// SPDX-License-Identifier: BSD-3-Clause
//
// A system as it would be after repairs that nobody has made.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/model/repair.h"
#include "../core/system/system_view.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

/// Files and variables of another system, some of them changed.  A path is looked up where its
/// directory really lies, whatever links lead there.
class changed_system : public system_view {
 public:
  explicit changed_system(const system_interface& real) : system_view(real) {}

  bool variable(const char* name, arena_string& value) const override;
  open_result open(arena_string path, byte_source** source) const override;
  bool read_text(arena_string path, arena_string& text) const override;
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override;
  arena_string real_path(arena_string path) const override;

  bool has_changes() const { return !files_.empty() || !variables_.empty(); }

 protected:
  /// An empty value unsets it.
  void set_variable(const arena_string& name, const arena_string& value);
  void write(const arena_string& path, const arena_string& contents);
  void link(const arena_string& path, const arena_string& target);
  /// A file, or a folder and all that is in it.
  void remove(const arena_string& path);

 private:
  enum class kind { gone, file, link };
  struct entry {
    kind what = kind::gone;
    std::string text;  ///< contents, or where it leads
  };
  /// On Windows, where a path begins with a drive, capital letters are the same as small ones: the
  /// loader's search has small ones, and a wheel brings "cublasLt64_12.dll".
  struct place_order {
    using is_transparent = void;
    bool operator()(std::string_view left, std::string_view right) const;
  };
  using entries = std::map<std::string, entry, place_order>;

  /// Where the path lies: links of its directories are resolved, its own is not.
  std::string place_of(const arena_string& path, int links) const;
  /// The same, with links that were made here followed; a link itself where they go in a circle.
  std::string target_of(const arena_string& path, int links) const;
  const std::string& target_of(const arena_string& path) const;
  const std::string& folder_of(const std::string& path, int links) const;
  const entry* changed(const std::string& place) const;
  /// The changes in that folder and in those below it.
  std::pair<entries::const_iterator, entries::const_iterator> below(const std::string& place) const;
  bool is_directory(const std::string& place) const;
  void put(const std::string& place, entry&& what);

  entries files_;
  // Where each lies, until the next change: a check asks for the same ones many times.
  mutable std::map<std::string, std::string> folders_;
  mutable std::map<std::string, std::string> targets_;
  std::map<std::string, std::string> variables_;
};

/// The same after what repairs do.
class repaired_system final : public changed_system {
 public:
  explicit repaired_system(const system_interface& real) : changed_system(real), before_(real) {}

  /// False where the effect is not known, or where the command would fail.
  bool apply(const repair& step);

  arena_string loader_cache(arena_string soname) const override;

 private:
  bool install_wheels(const repair& step);
  bool install_one(const python_environment& where, const arena_string& requirement, bool again,
                   bool unrecorded = false);
  /// Its files in the place of those that its package has recorded there.
  bool replace(const python_environment& where, const wheel_contents& wheel, bool unrecorded);
  bool uninstall(const python_environment& where, const arena_string& name);
  bool restore_package(const arena_string& record, const arena_string& number);
  void read_cached_directories(const arena_string& configuration, int depth);
  void write_cache();

  bool new_cache_ = false;
  std::vector<std::string> cached_directories_;

  const system_interface& before_;  ///< with the files that a step takes away before it brings them
};

}  // namespace cudnn_checked::repairs
