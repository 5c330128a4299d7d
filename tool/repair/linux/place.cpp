// SPDX-License-Identifier: BSD-3-Clause
#include "../place.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/stat.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "../../core/model/machine.h"
#include "../../core/model/paths.h"

namespace cudnn_checked::repairs {

obstacle obstacle_to_writing(const arena_string& place) {
  // ioctl_iflags(2).  Neither a FIFO nor a device is waited for.
  const int file = ::open(place.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  int flags = 0;
  struct statvfs system {};
  const bool is_fixed = ::ioctl(file, FS_IOC_GETFLAGS, &flags) == 0 &&
                        (flags & (FS_IMMUTABLE_FL | FS_APPEND_FL)) != 0;
  // A file system without inodes counts none.
  const bool is_full =
      ::fstatvfs(file, &system) == 0 && ((system.f_blocks != 0 && system.f_bavail == 0) ||
                                         (system.f_files != 0 && system.f_favail == 0));
  if (file >= 0) ::close(file);
  if (is_fixed) return obstacle::fixed;
  // A file is replaced, which is a matter of its folder.
  struct stat status {};
  const bool is_folder = ::stat(place.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  if (is_folder && ::access(place.c_str(), W_OK) != 0 &&
      (errno == EACCES || errno == EROFS || errno == EPERM)) {
    return obstacle::no_right;
  }
  return is_full ? obstacle::full : obstacle::none;
}

obstacle obstacle_to_replacing(const arena_string& place) {
  // statx(2): STATX_ATTR_MOUNT_ROOT, which older headers lack.
  constexpr unsigned long long mount_root = 0x2000;
  struct statx mounted {};
  // syscall(): glibc has statx() only since 2.28, and the program of the wheel is for 2.17.
  if (::syscall(SYS_statx, AT_FDCWD, place.c_str(), AT_SYMLINK_NOFOLLOW, 0, &mounted) == 0 &&
      (mounted.stx_attributes & mount_root) != 0) {
    return obstacle::mounted;
  }
  // inode(7), "sticky bit": in such a folder only the owners remove a file.
  struct stat own {};
  struct stat above {};
  const uid_t user = ::geteuid();
  const bool is_kept = user != 0 && ::lstat(place.c_str(), &own) == 0 && own.st_uid != user &&
                       ::stat(directory_part(place).c_str(), &above) == 0 && above.st_uid != user &&
                       (above.st_mode & S_ISVTX) != 0;
  return is_kept ? obstacle::owned : obstacle::none;
}

bool read_free_space(const arena_string& place, std::uint64_t& bytes) {
  struct statvfs system {};
  if (::statvfs(place.c_str(), &system) != 0 || system.f_blocks == 0) return false;
  bytes = std::uint64_t{system.f_bavail} * system.f_frsize;
  return true;
}

std::string value_of_marker(const std::string& variable) {
  if (variable == "platform_system") return "Linux";
  if (variable == "sys_platform") return "linux";
  if (variable == "os_name") return "posix";
  return variable == "platform_machine" ? std::string(machine_name(own_machine)) : "";
}

/// The settings of this user, then of all: "pip/pip.conf", "uv/uv.toml".
static void add_configured(const system_interface& os, const arena_string& name,
                           arena_vector<arena_string>& files) {
  const arena_string home = value_of(os, "HOME");
  const arena_string own = value_of(os, "XDG_CONFIG_HOME");
  files.push_back(join_path(own.empty() ? home + "/.config" : own, name));
  if (name == "pip/pip.conf") files.push_back(home + "/.pip/pip.conf");
  files.push_back("/etc/" + (name == "pip/pip.conf" ? base_name(name) : name));
  const arena_string all = value_of(os, "XDG_CONFIG_DIRS");
  for (const arena_string& folder :
       split_path_list(all.empty() ? arena_string("/etc/xdg") : all, ":")) {
    files.push_back(join_path(folder, name));
  }
}

arena_vector<arena_string> settings_of_pip(const system_interface& os, const arena_string& folder) {
  arena_vector<arena_string> files = {folder + "/pip.conf"};
  add_configured(os, "pip/pip.conf", files);
  return files;
}

arena_vector<arena_string> settings_of_uv(const system_interface& os) {
  arena_vector<arena_string> files;
  add_configured(os, "uv/uv.toml", files);
  return files;
}

bool has_loader_cache(const system_interface& os) { return exists(os, "/etc/ld.so.conf"); }

const char* no_file() { return "/dev/null"; }

arena_string temporary_folder(const system_interface& os) {
  arena_string folder = "/tmp";
  (void)os.variable("TMPDIR", folder);
  return folder;
}

}  // namespace cudnn_checked::repairs
