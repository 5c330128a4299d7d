// SPDX-License-Identifier: BSD-3-Clause
#include "repaired_system.h"

#include <algorithm>
#include <vector>

#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/observe/package_records.h"
#include "../core/system/platform.h"
#include "python_metadata.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

static std::string folder_of_wheel(const arena_string& name) {
  std::string folder = name;
  std::replace(folder.begin(), folder.end(), '-', '_');
  return folder;
}

static bool has_metadata(const system_interface& os, const arena_string& info) {
  return exists(os, info + "/METADATA");
}

// What has no RECORD stays, and is said so (pip: "uninstall-no-record-file").  pip takes one of
// several releases that are recorded, whichever is listed first, and its releases differ about
// folders without METADATA.
bool repaired_system::uninstall(const python_environment& where, const arena_string& name) {
  const std::vector<std::string> infos = infos_of(*this, where.site, name);
  const bool writes_over = effect_of_installer(where).writes_over;
  bool whole = writes_over || infos.size() < 2;
  for (const std::string& info : infos) {
    const arena_string folder = join_path(where.site, info);
    arena_string record;
    if (!read_text(folder + "/RECORD", record)) {
      whole = false;
      continue;
    }
    whole = whole && (writes_over || has_metadata(*this, folder));
    record = plain_slashes(record);
    recorded_file file;
    for (std::size_t at = 0; next_file(record, at, file);) {
      remove(recorded_path(where.site, file.path));
    }
    remove(folder);
  }
  return whole;
}

bool repaired_system::install_one(const python_environment& where, const arena_string& requirement,
                                  bool again, bool unrecorded) {
  const arena_string name = name_of_order(requirement);
  const std::vector<std::string> infos = infos_of(*this, where.site, name);
  const bool target = effect_of_installer(where).replaces_folder;
  // pip and uv leave what they have a record of, whatever of it is there, and bring what it
  // requires.
  const bool satisfied =
      !again && !target && infos.size() == 1 &&
      allows(specifiers_of_order(requirement), number_of_info(infos.front())) == answer::yes;
  if (satisfied && !has_metadata(*this, join_path(where.site, infos.front()))) return false;
  const wheel_contents wheel = contents_of_wheel(requirement, {&before_, where.site});
  // What is not known here brings nothing that is looked at, but cuDNN itself.
  if (!wheel.known) return satisfied || (target && !is_cudnn_wheel(name));
  if (!satisfied && !replace(where, wheel, unrecorded)) return false;
  if (again) return true;
  for (const arena_string& required : wheel.requirements) {
    if (infos_of(*this, where.site, required).empty() && !install_one(where, required, false)) {
      return false;
    }
  }
  return true;
}

bool repaired_system::replace(const python_environment& where, const wheel_contents& wheel,
                              bool unrecorded) {
  const bool target = effect_of_installer(where).replaces_folder;
  // pip fails where it cannot remove what was there, uv warns and writes over it.
  const bool stays = target || unrecorded;
  if (!stays && !uninstall(where, wheel.name) && !effect_of_installer(where).writes_over)
    return false;
  // NVIDIA has published each release once: the number that is recorded is the one that comes.
  for (const std::string& info : infos_of(*this, where.site, wheel.name)) {
    const bool same = parse_version(number_of_info(info)) == parse_version(wheel.number);
    if (target && same && is_assumed_number(wheel.number)) remove(join_path(where.site, info));
  }
  const std::string info =
      folder_of_wheel(wheel.name) + "-" + std::string(wheel.number) + ".dist-info";
  arena_string record;
  for (const wheel_file& file : wheel.files) {
    write(join_path(where.site, file.path), file.contents);
    record += format("%s,,%s\n", file.path, file.contents.size());
  }
  arena_string metadata = format("Name: %s\nVersion: %s\n", wheel.name, wheel.number);
  for (const arena_string& required : wheel.requirements) {
    metadata += format("Requires-Dist: %s\n", required);
  }
  write(join_path(where.site, info + "/INSTALLER"), effect_of_installer(where).recorded_as);
  write(join_path(where.site, info + "/METADATA"), metadata);
  write(join_path(where.site, info + "/RECORD"), record + info + "/RECORD,,\n");
  return true;
}

// `pip install --target` replaces the folders that its wheels have, the whole of "nvidia" among
// them, and leaves the metadata of what was in them.
bool repaired_system::install_wheels(const repair& step) {
  const python_environment& where = step.where;
  // Of whichever Python is active nothing is known.
  if (where.site.empty()) return false;
  if (effect_of_installer(where).replaces_folder) {
    remove(join_path(where.site, "nvidia"));
    arena_string cudnn;
    for (const installed_wheel& wheel : where.wheels) {
      if (is_stale(step.order, wheel)) remove(metadata_of(where, wheel));
      if (is_ordered(step.order, wheel.name)) continue;
      // One command would write the files of both, in an order of pip's.
      if (!cudnn.empty() && share_a_folder(cudnn, wheel.name)) return false;
      if (is_cudnn_wheel(wheel.name)) cudnn = wheel.name;
      if (!install_one(where, wheel.name + "==" + wheel.number, step.order.again)) {
        return false;
      }
    }
  } else {
    for (const arena_string& name : step.order.conflicting) {
      if (!uninstall(where, name)) return false;
    }
  }
  const bool by_extras = !step.order.by_extras.empty();
  return all_of(brought_by(step.order), [&](const arena_string& requirement) {
    // A package names all of CUDA that it could use.
    const bool is_other = by_extras && !is_cudnn_wheel(name_of_order(requirement)) &&
                          !contents_of_wheel(requirement).known;
    return is_other || install_one(where, requirement, step.order.again, step.order.unrecorded);
  });
}

// "libcudnn_ops.so.9" is a link to the longest of its names, "libcudnn_ops.so.9.14.0", or a file.
bool repaired_system::restore_package(const arena_string& record, const arena_string& number) {
  package_listing listing;
  if (!read_listing(*this, record, listing)) return false;
  const arena_vector<listed_file>& files = listing.files;
  int cuda = listing.package.cuda_major;
  if (cuda == 0) cuda = cuda_major_of_package(number);
  const release which{parse_version(number.substr(0, number.find_first_not_of("0123456789."))),
                      cuda};
  for (const listed_file& file : files) {
    auto* const longer = find_where(files, [&file](const auto& other) {
      return starts_with(other.path, file.path + ".") &&
             release_of_name(base_name(other.path)).known();
    });
    if (longer != nullptr) {
      link(file.path, longer->path);
    } else {
      write(file.path, image_of_cudnn(which, file.path, laid_out::flat, {this, {}}));
    }
  }
  return !files.empty();
}

// ldconfig(8): a directory in each line of /etc/ld.so.conf, and "include" with a pattern, which
// names files of one directory in all that distributions ship.  Fedora's is relative to the file's.
void repaired_system::read_cached_directories(const arena_string& configuration, int depth) {
  arena_string text;
  if (depth > 4 || !read_text(configuration, text)) return;
  for (const arena_string& whole : split_path_list(text, "\n")) {
    const std::size_t begin = whole.find_first_not_of(" \t\r");
    if (begin == arena_string::npos || whole[begin] == '#') continue;
    arena_string line = whole.substr(begin, whole.find_first_of("#\r", begin) - begin);
    while (line.back() == ' ' || line.back() == '\t') line.pop_back();
    if (!starts_with(line, "include ") && !starts_with(line, "include\t")) {
      cached_directories_.push_back(line);
      continue;
    }
    arena_string pattern = line.substr(7);
    pattern = pattern.substr(pattern.find_first_not_of(" \t"));
    if (!is_absolute(pattern)) pattern = join_path(directory_part(configuration), pattern);
    for (const arena_string& name : names_in(*this, directory_part(pattern))) {
      if (ends_with(name, ".conf")) {
        read_cached_directories(join_path(directory_part(pattern), name), depth + 1);
      }
    }
  }
}

// Of the names that the cache had, the paths that ldconfig does not find again are blank.
void repaired_system::write_cache() {
  arena_string text;
  if (!read_text("/etc/ld.so.cache", text)) return;
  arena_vector<arena_string> searched = default_directories();
  for (const std::string& directory : cached_directories_) searched.push_back(directory);
  std::string kept = text;
  for (std::size_t at = kept.find("\0/", 0, 2); at != arena_string::npos;
       at = kept.find("\0/", at, 2)) {
    const arena_string path(kept.c_str() + ++at);
    const bool listed = any_of(searched, [&path](const arena_string& directory) {
      return starts_with(path, directory + "/");
    });
    if (!listed || real_path(path).empty()) kept[at] = '\0';
  }
  write("/etc/ld.so.cache", kept);
}

arena_string repaired_system::loader_cache(arena_string soname) const {
  if (!new_cache_) return changed_system::loader_cache(soname);
  for (const std::string& directory : cached_directories_) {
    const arena_string path = join_path(directory, soname);
    if (!real_path(path).empty()) return path;
  }
  const arena_string before = changed_system::loader_cache(soname);
  return real_path(before).empty() ? arena_string() : before;
}

bool repaired_system::apply(const repair& step) {
  switch (step.what) {
    case repair_kind::variable:
      set_variable(step.name, step.value);
      return true;
    case repair_kind::wheels:
      return install_wheels(step);
    case repair_kind::package:
      return restore_package(step.name, step.value);
    case repair_kind::debian:
      return false;
    case repair_kind::cache:
      new_cache_ = true;
      cached_directories_.clear();
      read_cached_directories("/etc/ld.so.conf", 0);
      write_cache();
      return true;
    case repair_kind::removal:
      remove(step.name);
      return true;
    case repair_kind::link:
      link(step.name, step.value);
      return true;
  }
  return false;
}

}  // namespace cudnn_checked::repairs
