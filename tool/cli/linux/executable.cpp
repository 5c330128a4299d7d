// SPDX-License-Identifier: BSD-3-Clause
#include "../system/executable.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace cudnn_checked::cli {

bool has_execute_right(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

// execvp(3)
arena_string file_of_word(const arena_string& word) {
  return word.find('/') == arena_string::npos ? arena_string() : word;
}

// What the kernel makes of the file: execve(2), "Effect of set-user-ID and set-group-ID";
// getauxval(3), AT_SECURE; capabilities(7), "Programs that have capabilities".
execution_mode execution_of(const arena_string& path) {
  struct stat status;
  struct statvfs mount;
  if (::stat(path.c_str(), &status) != 0 || ::statvfs(path.c_str(), &mount) != 0 ||
      (mount.f_flag & ST_NOSUID) != 0) {
    return execution_mode::ordinary;
  }
  const bool no_new_rights = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  const bool set_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid();
  // Without group-execute the bit stands for mandatory locking: inode(7).
  constexpr mode_t set_group = S_ISGID | S_IXGRP;
  const bool other_group = (status.st_mode & set_group) == set_group && status.st_gid != ::getgid();
  // The lowest bit of the first word: they are effective (linux/capability.h, vfs_cap_data).
  unsigned char capabilities[24] = {};
  const bool has_capabilities =
      ::getuid() != 0 &&
      ::getxattr(path.c_str(), "security.capability", capabilities, sizeof capabilities) > 0;
  const bool secure = no_new_rights ? has_capabilities && (capabilities[0] & 1) != 0
                                    : set_user || other_group || has_capabilities;
  return secure ? execution_mode::secure : execution_mode::ordinary;
}

}  // namespace cudnn_checked::cli
