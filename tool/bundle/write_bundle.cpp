// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <vector>

#include "../core/library/library_file.h"
#include "../core/model/paths.h"
#include "../core/system/replace_file.h"
#include "../repair/library_image.h"
#include "bundle.h"
#include "files.h"

namespace cudnn_checked::bundles {

namespace {

/// The files that this run has made, which are removed unless it is completed.  Errors name the
/// requested target.
class new_bundle {
 public:
  new_bundle(const system_interface& os, const std::string& target) : os_(os), target_(target) {}
  new_bundle(const new_bundle&) = delete;
  new_bundle& operator=(const new_bundle&) = delete;
  ~new_bundle() {
    for (auto path = made_.rbegin(); path != made_.rend(); ++path) remove_one(*path);
  }

  std::string begin();
  std::string add_folder(const std::string& name);
  std::string add_copy(const arena_string& source, const std::string& name,
                       unsigned long long bytes);
  std::string add_link(const std::string& file, const std::string& link);
  /// Nothing where the copy is the file that was judged.
  std::string read_back(const bundled_file& file) const;
  std::string finish();

 private:
  std::string begin_inside();
  std::string move_out();
  /// The same of a path in the folder that is filled.
  std::string told(const std::string& wrong) const;
  std::string made(const std::string& path, const std::string& wrong);

  const system_interface& os_;
  std::string target_;
  std::string folder_;
  bool is_inside_ = false;
  std::vector<std::string> made_;
};

/// The folder inside an existing target: of two runs only one can make it.
constexpr const char* part_name = "cudnn_checked.part";

}  // namespace

std::string new_bundle::told(const std::string& wrong) const {
  const bool is_inside = wrong.compare(0, folder_.size(), folder_) == 0;
  return is_inside ? target_ + wrong.substr(folder_.size()) : wrong;
}

std::string new_bundle::made(const std::string& path, const std::string& wrong) {
  if (wrong.empty()) made_.push_back(path);
  return told(wrong);
}

// A folder that is there may be a mount point, or somebody's working directory, and its mode is
// somebody's choice: it is filled, and not replaced.
std::string new_bundle::begin_inside() {
  is_inside_ = true;
  folder_ = target_ + "/" + part_name;
  const std::string wrong = made(folder_, make_directory(folder_));
  if (!wrong.empty() && is_folder(folder_)) return target_ + ": not empty";
  // Another run may have ended since it was looked at.
  return wrong.empty() ? look_for_room(target_, part_name) : wrong;
}

std::string new_bundle::begin() {
  if (is_folder(target_)) return begin_inside();
  const std::string above(directory_part(arena_string(target_)));
  const std::string wrong = above.empty() ? above : make_directories(above, made_);
  if (!wrong.empty()) return wrong;
  folder_ = std::string(fresh_name_beside(arena_string(target_)));
  return made(folder_, make_directory(folder_));
}

std::string new_bundle::add_folder(const std::string& name) {
  std::vector<std::string> folders;
  const std::string wrong = make_directories(folder_ + "/" + name, folders);
  made_.insert(made_.end(), folders.begin(), folders.end());
  return told(wrong);
}

// A copy that is cut short is removed as well.
std::string new_bundle::add_copy(const arena_string& source, const std::string& name,
                                 unsigned long long bytes) {
  made_.push_back(folder_ + "/" + name);
  return told(copy_file(std::string(source), made_.back(), bytes));
}

std::string new_bundle::add_link(const std::string& file, const std::string& link) {
  const std::string path = folder_ + "/" + link;
  return made(path, make_link(file, path));
}

std::string new_bundle::read_back(const bundled_file& file) const {
  const std::string path = folder_ + "/" + std::string(file.name);
  const library_file copy = read_library(os_, arena_string(path), 0);
  const bool same = copy.state == file_state::whole && !copy.has_tail() && copy.size == file.size &&
                    copy.build_id == file.build_id;
  if (same) return {};
  return std::string(file.source) +
         ": the copy is not the file that was judged: " + std::to_string(copy.size) + " bytes of " +
         std::to_string(file.size) + ", build id " +
         (copy.build_id.empty() ? "none" : std::string(copy.build_id)) + " for " +
         (file.build_id.empty() ? "none" : std::string(file.build_id));
}

// If a later entry cannot be moved, each earlier one is still in the list of what is removed.
std::string new_bundle::move_out() {
  const std::string inside = folder_ + "/";
  std::vector<std::string> names;
  for (const std::string& path : made_) {
    const bool is_entry = path.compare(0, inside.size(), inside) == 0 &&
                          path.find('/', inside.size()) == std::string::npos;
    if (is_entry) names.push_back(path.substr(inside.size()));
  }
  std::string wrong = look_for_room(target_, part_name);
  for (const std::string& name : names) {
    if (wrong.empty()) wrong = rename_path(inside + name, target_ + "/" + name);
    if (!wrong.empty()) break;
    for (std::string& path : made_) {
      const bool is_moved =
          path == inside + name ||
          path.compare(0, inside.size() + name.size() + 1, inside + name + "/") == 0;
      if (is_moved) path = target_ + "/" + path.substr(inside.size());
    }
  }
  if (wrong.empty()) remove_one(folder_);
  return wrong;
}

std::string new_bundle::finish() {
  std::string wrong = is_inside_ ? move_out() : rename_path(folder_, target_);
  if (wrong.empty()) made_.clear();
  return wrong;
}

static std::string fill(const bundle& chosen, new_bundle& target) {
  std::string wrong;
  for (const bundled_file& file : chosen.files) {
    if (wrong.empty()) wrong = target.add_copy(file.source, std::string(file.name), file.size);
    if (wrong.empty()) wrong = target.read_back(file);
    if (wrong.empty() && !file.link.empty()) {
      wrong = target.add_link(std::string(file.name), std::string(file.link));
    }
  }
  for (const license_file& file : chosen.licenses) {
    const std::string folder = "licenses/" + std::string(file.folder);
    if (wrong.empty()) wrong = target.add_folder(folder);
    if (wrong.empty()) {
      const std::string name = folder + "/" + std::string(base_name(file.source));
      wrong = target.add_copy(file.source, name, file.size);
    }
  }
  return wrong;
}

// If two runs write one folder, the first gets the name, and the second finds it taken.
static std::string write_beside(const system_interface& os, const bundle& chosen,
                                const std::string& target) {
  new_bundle one(os, target);
  std::string wrong = one.begin();
  if (wrong.empty()) wrong = fill(chosen, one);
  return wrong.empty() && !stop_signals::came() ? one.finish() : wrong;
}

std::string write_bundle(const system_interface& os, const bundle& chosen,
                         const std::string& directory) {
  std::string target = directory;
  while (target.size() > 1 && target.back() == '/') target.pop_back();
  target = behind_link(target);
  std::string wrong = look_for_room(target);
  if (!wrong.empty()) return wrong;
  stop_signals signals;
  wrong = write_beside(os, chosen, target);
  if (stop_signals::came()) signals.end_this_process();
  return wrong;
}

// In a response file blanks separate, and a backslash takes its meaning from the next character.
static std::string in_response_file(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (std::strchr("\\ \t\"'", c) != nullptr) text += '\\';
    text += c;
  }
  return text;
}

static std::string write_file(const std::string& path, const std::string& contents) {
  const arena_string wrong = replace_file(arena_string(path), arena_string(contents));
  return wrong.empty() ? std::string() : path + ": " + std::string(wrong);
}

std::string write_link_files(const bundle& chosen, const std::string& bundle_directory,
                             const std::string& directory) {
  std::vector<std::string> kept;
  std::string wrong = make_directories(directory, kept);
  std::string options = "-Wl,--disable-new-dtags\n-Wl,--push-state,--no-as-needed\n";
  for (const bundled_file& file : chosen.files) {
    if (!file.is_needed) continue;
    // A linker reads the first of two libraries with one SONAME, so that one must have the symbols.
    std::string path = bundle_directory + "/" + std::string(file.name);
    if (!file.link.empty()) {
      path = directory + "/" + std::string(file.name);
      repairs::assumed_library library;
      library.soname = file.name;
      library.linkable = true;
      if (wrong.empty()) wrong = write_file(path, library_image(library));
    }
    options += in_response_file(path) + "\n";
  }
  options += "-Wl,--pop-state\n";
  return wrong.empty() ? write_file(directory + "/link.rsp", options) : wrong;
}

}  // namespace cudnn_checked::bundles
