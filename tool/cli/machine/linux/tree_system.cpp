// SPDX-License-Identifier: BSD-3-Clause
#include "tree_system.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "../../../core/library/library_file.h"
#include "../../../core/library/symbol_versions.h"
#include "../../../core/model/paths.h"
#include "../tree.h"

namespace cudnn_checked::cli {

/// A release of glibc defines versions up to its own: "GLIBC_2.36".
static version newest_glibc(const arena_vector<arena_string>& defined) {
  constexpr std::string_view family = "GLIBC_";
  version newest;
  for (const arena_string& name : defined) {
    if (!starts_with(name, family)) continue;
    const version one = parse_version(name.substr(family.size()));
    if (newest < one) newest = one;
  }
  return newest;
}

tree_system::tree_system(arena_string root, const arena_string& program, char** environment,
                         execution_mode mode)
    : linux_system(environment, mode, nullptr),
      root_(root == "/" ? arena_string() : std::move(root)),
      build_(&loader_build_for(0)) {
  build_ = &loader_build_for(read_library(*this, program, 0).machine);
  for (const arena_string& directory :
       {arena_string("/lib/") + build_->triplet, arena_string("/lib64")}) {
    const symbol_versions versions = read_versions(*this, join_path(directory, "libc.so.6"));
    if (!glibc_.known()) glibc_ = newest_glibc(versions.defined);
  }
}

tree_system::path_component tree_system::look_at_component(arena_string path) const {
  return linux_system::look_at_component(root_ + path);
}

arena_string tree_system::host_path(const arena_string& path) const {
  const arena_string real = real_path(path);
  return real.empty() ? real : root_ + real;
}

bool tree_system::variable(const char* name, arena_string& value) const {
  const std::string_view asked = name;
  return asked != "PATH" && asked != "VIRTUAL_ENV" && linux_system::variable(name, value);
}

open_result tree_system::open(arena_string path, byte_source** source) const {
  const arena_string real = host_path(path);
  return real.empty() ? open_result::missing : linux_system::open(real, source);
}

bool tree_system::read_text(arena_string path, arena_string& text) const {
  const arena_string real = host_path(path);
  return !real.empty() && linux_system::read_text(real, text);
}

open_result tree_system::list(arena_string path, const char* prefixes,
                              arena_vector<arena_string>& names) const {
  const arena_string real = host_path(path);
  return real.empty() ? open_result::missing : linux_system::list(real, prefixes, names);
}

namespace {

/// Takes a link of /proc to what a process has, proc(5), for the directory that it leads to: its
/// text is a path of that process.
class named_paths final : public linux_system {
 public:
  using linux_system::linux_system;

 protected:
  path_component look_at_component(arena_string path) const override {
    path_component found = linux_system::look_at_component(path);
    std::error_code denied;
    if (found.kind == path_component::type::link && found.target[0] == '/' &&
        starts_with(path, "/proc/") && std::filesystem::is_directory(std::string(path), denied)) {
      found.kind = path_component::type::directory;
    }
    return found;
  }
};

}  // namespace

arena_string path_of_tree(const arena_string& named) {
  char* nothing = nullptr;
  return named_paths(&nothing, execution_mode::ordinary, nullptr).real_path(named);
}

arena_string path_in_tree(const arena_string& root, const arena_string& file) {
  const arena_string whole = file[0] == '/' ? file : "./" + file;
  arena_string inside = file[0] == '/' ? file : "/" + file;
  // Only the beginning is resolved: a link behind it belongs to the tree.
  for (std::size_t at = whole.find('/'); at != arena_string::npos; at = whole.find('/', at + 1)) {
    const arena_string beginning = at == 0 ? arena_string("/") : whole.substr(0, at);
    if (root == path_of_tree(beginning)) inside = whole.substr(at);
  }
  return inside;
}

const system_interface& system_of_tree(const arena_string& root, const arena_string& program,
                                       char** environment, execution_mode mode) {
  return *make_in_arena<tree_system>(root, program, environment, mode);
}

arena_string host_path_of(const arena_string& root, const arena_string& path) {
  char* nothing = nullptr;
  return tree_system(root, path, &nothing, execution_mode::ordinary).host_path(path);
}

}  // namespace cudnn_checked::cli
