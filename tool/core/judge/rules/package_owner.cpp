// SPDX-License-Identifier: BSD-3-Clause
//
// The package manager that a file came with.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/unstamped_program.h"
#include "../advice/wheel_commands.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string requirement_of_cudnn(version number, int cuda_major, cudnn_kind kind) {
  const arena_string wheel =
      wheel_of_cudnn(number.major == oldest_cudnn ? newest_cudnn : number.major, cuda_major, kind);
  return pinned(wheel, number, cuda_major);
}

/// The package of the files in that directory; of no manager where no record names one.
static package_record package_in(const rule_input& input, arena_string directory) {
  for (const cudnn_set::member& m : input.set.members) {
    const bool there =
        directory_part(m.file->path) == directory || directory_part(m.file->real_path) == directory;
    if (there && m.file->package.manager != package_manager::none) return m.file->package;
  }
  for (const absent_file& file : input.observed.absent_files) {
    if (directory_part(file.path) == directory) return file.package;
  }
  return {};
}

/// The package that the copy at that path belongs to: by its record, or because its user lies
/// beside it.
static package_record owner_of_copy(const rule_input& input, arena_string path) {
  const arena_string directory = directory_part(path);
  package_record owner = package_in(input, directory);
  const unstamped_program* const program = input.unstamped();
  if (owner.manager == package_manager::none && program != nullptr &&
      !program->owner.name.empty() && directory_part(program->asker) == directory) {
    owner.manager = package_manager::wheel;
    owner.name = program->owner.name;
    owner.number = program->owner.full_number;
    owner.record = program->owner.record;
  }
  return owner.manager == package_manager::wheel && !is_cudnn_wheel(owner.name) ? owner
                                                                                : package_record();
}

fix_lines bring_copy_again(const rule_input& input, arena_string path) {
  const package_record owner = owner_of_copy(input, path);
  if (owner.name.empty()) return {};
  // PEP 440, "Local version identifiers": it is of no public index.
  if (owner.number.find('+') != arena_string::npos) {
    return {advice(
        format("install %s %s again, from where it was installed", owner.name, owner.number))};
  }
  return {reinstall_package(input, owner)};
}

fix_lines fix_of_owner(const rule_input& input, arena_string path) {
  const package_record package = package_in(input, directory_part(path));
  const bool own = package.name.find("cudnn") != arena_string::npos;
  if (package.manager == package_manager::none || !own) return {};
  if (suits_program(input, package.cudnn)) return {reinstall(package)};
  if (package.manager != package_manager::dpkg) return {};
  return {install_debian_release(input.stamped.cudnn_header, wanted_cuda(input))};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
