// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that only a check from outside calls, not a program at its start.
#include <sys/statvfs.h>
#include <unistd.h>

#include "../model/paths.h"
#include "../system/platform.h"
#include "linux_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool linux_system::may_be_mapped(arena_string path) const {
  struct statvfs mount;
  return ::statvfs(path.c_str(), &mount) != 0 || (mount.f_flag & ST_NOEXEC) == 0;
}

bool is_absolute(arena_string path) { return !path.empty() && path[0] == '/'; }

arena_string plain_spelling(arena_string path) { return path; }

arena_string absolute_path(const system_interface& os, arena_string typed) {
  return is_absolute(typed) ? typed : join_path(os.working_directory(), typed);
}

arena_string path_in_variable(const system_interface& os, const char* name) {
  return value_of(os, name);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
