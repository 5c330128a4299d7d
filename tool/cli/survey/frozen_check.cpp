// SPDX-License-Identifier: BSD-3-Clause
#include "frozen_check.h"

#include "../../core/judge/survey/survey_rules.h"
#include "../../core/model/paths.h"
#include "../machine/python.h"
#include "../machine/python_archive.h"
#include "../program/frozen.h"
#include "cudnn_users.h"
#include "environment_neighbours.h"
#include "environment_users.h"
#include "python_users.h"

namespace cudnn_checked::cli {

static constexpr std::size_t most_users = 16;

/// The verdict of what is reported of a user whose package is imported.  Less than ok: it is wrong,
/// and nothing is reported, as for a plugin that is not used.
static int weight_of(const environment& all, const cudnn_user& user) {
  const arena_vector<finding> told = told_of_user(all, user);
  if (!told.empty()) return static_cast<int>(verdict_of(told));
  return user.result > verdict::unknown ? -1 : static_cast<int>(user.result);
}

/// The check of the library with the worst result.  If another library gets a right cuDNN, it is
/// not known which of them the application loads, as in `run` of a Python program.
static program_check worst_of(const system_interface& os, const arena_vector<arena_string>& paths,
                              const assumed_machine& machine, packer by) {
  const environment_neighbours others;
  cudnn_case worst{paths.front(), machine, {}, {}, {}, &others, by};
  environment all;
  for (std::size_t i = 0; i < paths.size() && i < most_users; ++i) {
    cudnn_user user;
    user.libraries.push_back(paths[i]);
    take_answer(check_program(os, {paths[i], machine, {}, {}, {}, &others, by}, advising::off),
                user);
    all.users.push_back(std::move(user));
  }
  int heaviest = -2;
  for (const cudnn_user& user : all.users) {
    const int weight = weight_of(all, user);
    const bool is_right = user.result != verdict::refused && !user.takes.release.empty();
    worst.may_be_unused = worst.may_be_unused || is_right;
    if (weight <= heaviest) continue;
    heaviest = weight;
    worst.path = user.libraries.front();
  }
  return check_program(os, worst);
}

program_check check_application(const system_interface& os, const arena_string& path,
                                const assumed_machine& machine) {
  const environment_neighbours others;
  const program_check itself = check_program(os, {path, machine, {}, {}, {}, &others});
  if (itself.stamped || itself.program.is_library || itself.program.use != cudnn_use::none) {
    return itself;
  }
  const frozen_program frozen = look_at_frozen(os, path_for_loader(os, path));
  if (frozen.libraries.empty()) return itself;
  const frozen_view view(os, frozen.libraries);
  const system_interface& started = frozen.by == packer::pyinstaller ? view : os;
  const arena_vector<arena_string> users = cudnn_users_in(os, {frozen.libraries});
  return users.empty() ? itself : worst_of(started, users, machine, frozen.by);
}

/// Pythons of one folder import from one environment.
static bool is_same_environment(const system_interface& os, const arena_string& one,
                                const arena_string& other) {
  return os.real_path(directory_part(one)) == os.real_path(directory_part(other));
}

// A file is read, not run: what it names as its interpreter is not started either.
archive_check check_archive(const system_interface& os, const arena_string& path,
                            const assumed_machine& machine) {
  archive_check result;
  std::string wrong;
  const arena_string active = active_python(os, wrong);
  const python_archive archive = read_python_archive(active, path);
  result.is_archive = archive.is_archive;
  result.is_damaged = archive.is_damaged;
  if (!archive.is_archive) return result;
  result.unknown = why_unknown(archive);
  if (!result.unknown.empty()) return result;
  python_users found;
  packer by = archive.by;
  if (by != packer::none) found = find_python_users(os, archive.directories, {});
  if (found.users.empty()) {
    by = packer::none;
    const arena_string named = find_python_start(os, path, {std::string(path)}).interpreter;
    if (!named.empty() && !is_same_environment(os, named, active)) {
      result.unknown = named +
                       " starts it, and is not the active Python: no other one is started "
                       "to ask where it imports from; activate its environment";
      return result;
    }
    found = find_python_users(os, directories_of_python(active, {}), {});
  }
  arena_vector<arena_string> libraries;
  for (const cudnn_user& user : found.users) libraries.push_back(user.libraries.front());
  if (libraries.empty()) {
    result.unknown = "no package that it imports is known to use cuDNN";
  } else {
    result.check = worst_of(os, libraries, machine, by);
  }
  return result;
}

}  // namespace cudnn_checked::cli
