// SPDX-License-Identifier: BSD-3-Clause
#include "linux_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#if defined(__x86_64__)
static constexpr const char* linux_triplet = "x86_64-linux-gnu";
static constexpr unsigned linux_cache_flags = 0x0303;  // FLAG_ELF_LIBC6 | FLAG_X8664_LIB64
#elif defined(__aarch64__)
static constexpr const char* linux_triplet = "aarch64-linux-gnu";
static constexpr unsigned linux_cache_flags = 0x0a03;  // FLAG_ELF_LIBC6 | FLAG_AARCH64_LIB64
#else
static constexpr const char* linux_triplet = "unknown-linux-gnu";
static constexpr unsigned linux_cache_flags = 0x0003;
#endif

static open_result result_of_errno(int error) {
  if (error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG) return open_result::missing;
  if (error == EACCES || error == EPERM) return open_result::denied;
  // What open(2) says of sockets and of devices without a driver.
  if (error == ENXIO || error == ENODEV) return open_result::not_regular;
  return open_result::failed;
}

static ssize_t pread_some(int file, void* target, std::size_t count, unsigned long long offset) {
  ssize_t got = 0;
  do {
    got = ::pread(file, target, count, static_cast<off_t>(offset));
  } while (got < 0 && errno == EINTR);
  return got;
}

class linux_file final : public byte_source {
 public:
  linux_file(int file, unsigned long long size) : file_(file), size_(size) {}
  ~linux_file() override { ::close(file_); }
  linux_file(const linux_file&) = delete;
  linux_file& operator=(const linux_file&) = delete;

  unsigned long long size() const override { return size_; }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    auto* bytes = static_cast<char*>(target);
    while (count != 0) {
      const ssize_t got = pread_some(file_, bytes, count, offset);
      if (got <= 0) return false;
      bytes += got;
      offset += static_cast<unsigned long long>(got);
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int file_;
  unsigned long long size_;
};

static bool take_variable(const char* entry, const char* name, string& value) {
  const std::size_t length = std::strlen(name);
  if (std::strncmp(entry, name, length) != 0 || entry[length] != '=') return false;
  value = entry + length + 1;
  return true;
}

// The file shows memory of the process.  One that writes its title there (setproctitle) leaves
// blanks or words where variables were, and then the file says nothing.
void linux_system::read_initial_environment() const {
  initial_read_ = true;
  const auto keep = [this](const char* entry) {
    if (std::strncmp(entry, "LD_", 3) == 0) initial_.emplace_back(entry);
  };
  string text;
  if (initial_path_ == nullptr || !read_text(initial_path_, text)) {
    for (char** entry = environment_; entry != nullptr && *entry != nullptr; ++entry) keep(*entry);
    initial_known_ = true;
    return;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const char* const entry = text.c_str() + begin;
    if (std::strchr(entry, '=') == nullptr) return;
    keep(entry);
    begin += std::strlen(entry) + 1;
  }
  initial_known_ = true;
}

bool linux_system::variable(const char* name, string& value) const {
  if (secure_) return false;
  if (std::strcmp(name, "LD_LIBRARY_PATH") == 0 || std::strcmp(name, "LD_PRELOAD") == 0) {
    if (!initial_read_) read_initial_environment();
    for (const string& entry : initial_) {
      if (initial_known_ && take_variable(entry.c_str(), name, value)) return true;
    }
    if (initial_known_) return false;
  }
  for (char** entry = environment_; entry != nullptr && *entry != nullptr; ++entry) {
    if (take_variable(*entry, name, value)) return true;
  }
  return false;
}

// Opening a device can wake hardware: its kind is asked first.  The file can change in between, so
// it is asked again, and O_NONBLOCK keeps a FIFO from waiting for a writer.
open_result linux_system::open(const string& path, byte_source** source) const {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return result_of_errno(errno);
  if (!S_ISREG(status.st_mode)) return open_result::not_regular;
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return result_of_errno(errno);
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    return open_result::not_regular;
  }
  *source = new linux_file(file, static_cast<unsigned long long>(status.st_size));
  return open_result::opened;
}

// Files of /proc and /sys say that they have no bytes, so they are read until they end.
bool linux_system::read_text(const string& path, string& text) const {
  constexpr std::size_t most = 16U << 20;
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return false;
  text.clear();
  char part[16384];
  ssize_t got = 0;
  while (text.size() < most) {
    got = pread_some(file, part, sizeof(part), text.size());
    if (got <= 0) break;
    text.append(part, static_cast<std::size_t>(got));
  }
  ::close(file);
  return got == 0;
}

// A file whose size is known is read at once; left empty where that fails.
void linux_system::read_whole(const string& path, string& text) const {
  constexpr unsigned long long most = 16U << 20;
  byte_source* source = nullptr;
  if (open(path, &source) != open_result::opened) return;
  text.clear();
  const std::size_t size = source->size() <= most ? static_cast<std::size_t>(source->size()) : 0;
  if (!source->read(0, text.extend(size), size)) text.clear();
  delete source;
}

open_result linux_system::list(const string& path, const char* prefix,
                               vector<string>& names) const {
  DIR* const directory = ::opendir(path.c_str());
  if (directory == nullptr) return result_of_errno(errno);
  const std::size_t length = std::strlen(prefix);
  errno = 0;
  while (const dirent* entry = ::readdir(directory)) {
    const char* const name = entry->d_name;
    if (std::strncmp(name, prefix, length) != 0) continue;
    if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) names.emplace_back(name);
  }
  const int error = errno;
  ::closedir(directory);
  return error == 0 ? open_result::opened : open_result::failed;
}

const linux_system::path_component& linux_system::component(const string& path) const {
  const path_component* const known = components_.find(path);
  if (known != nullptr) return *known;
  path_component& added = components_.add(path);
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return added;
  added.kind = path_component::type::other;
  if (S_ISDIR(status.st_mode)) added.kind = path_component::type::directory;
  if (!S_ISLNK(status.st_mode)) return added;
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof(target));
  added.kind = length > 0 ? path_component::type::link : path_component::type::missing;
  if (length > 0) added.target = string(target, static_cast<std::size_t>(length));
  return added;
}

// realpath(3), but each component is asked for once: the files of cuDNN lie in one directory.
string linux_system::real_path(const string& path) const {
  constexpr int most_links = 40;  // as the kernel: path_resolution(7)
  if (path.empty()) return {};
  string rest = path;
  if (path[0] != '/') {
    rest = working_directory();
    if (rest.empty()) return {};
    rest += "/" + path;
  }
  string done;  // the root is empty
  int links = 0;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = rest.find('/', at);
    const string name = rest.substr(at, end - at);
    at = end == string::npos ? rest.size() : end + 1;
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (!done.empty()) done.shorten(done.rfind('/'));
      continue;
    }
    const string next = done + "/" + name;
    const path_component& found = component(next);
    if (found.kind == path_component::type::link) {
      if (++links > most_links) return {};
      if (found.target[0] == '/') done.clear();
      rest = found.target + (end == string::npos ? "" : "/" + rest.substr(at));
      at = 0;
      continue;
    }
    // A slash asks for a directory.
    const bool fits = end == string::npos ? found.kind != path_component::type::missing
                                          : found.kind == path_component::type::directory;
    if (!fits) return {};
    done = next;
  }
  return done.empty() ? string("/") : done;
}

// The kernel asks the device control group in access(2) as well.
bool linux_system::device_usable(const string& path) const {
  return ::access(path.c_str(), R_OK | W_OK) == 0;
}

string linux_system::program_path() const {
  if (!program_path_.empty()) return program_path_;
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof(path));
  if (length > 0) program_path_ = string(path, static_cast<std::size_t>(length));
  return program_path_;
}

string linux_system::working_directory() const {
  char path[PATH_MAX];
  return ::getcwd(path, sizeof(path)) != nullptr ? path : "";
}

// What cuDNN and CUDA are called is asked for often: for that the file is looked through once.
string linux_system::loader_cache(const string& soname) const {
  constexpr const char* prefix = "libcu";
  if (!cache_read_) {
    cache_read_ = true;
    read_whole("/etc/ld.so.cache", cache_text_);
    cache_ = read_loader_cache(cache_text_, prefix, linux_cache_flags, hwcap_directories());
  }
  if (soname.compare(0, std::strlen(prefix), prefix) != 0) {
    for (const loader_cache_entry& e :
         read_loader_cache(cache_text_, soname, linux_cache_flags, hwcap_directories())) {
      if (e.soname == soname) return e.path;
    }
    return {};
  }
  for (const loader_cache_entry& entry : cache_) {
    if (entry.soname == soname) return entry.path;
  }
  return {};
}

// The levels of the x86-64 psABI, "Low Level System Information"; the compilers know what each of
// them wants.  glibc has no such directories on Arm.
vector<string> linux_system::hwcap_directories() const {
  vector<string> names;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
                  __builtin_cpu_supports("popcnt");
  const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                  __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (v4) names.emplace_back("x86-64-v4");
  if (v3) names.emplace_back("x86-64-v3");
  if (v2) names.emplace_back("x86-64-v2");
#endif
  return names;
}

// glibc is built with multiarch directories (Debian, Ubuntu) or with lib64.  Where /lib is a link
// to /usr/lib, what the second holds was found in the first.
vector<string> linux_system::default_directories() const {
  vector<string>& directories = default_directories_;
  if (!directories.empty()) return directories;
  const string multiarch = string("/lib/") + linux_triplet;
  const bool has_multiarch = ::access(multiarch.c_str(), F_OK) == 0;
  for (const string& directory : {has_multiarch ? multiarch : string("/lib64"), string("/lib")}) {
    directories.push_back(directory);
    if (real_path(directory) != "/usr" + directory) directories.push_back("/usr" + directory);
  }
  return directories;
}

// glibc's as distributions install it.  Others (musl, Nix) have other directories and no cache.
bool is_known_interpreter(const string& interpreter) {
  for (const char* known : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-x86-64.so.2",
                            "/lib/ld-linux-aarch64.so.1", "/usr/lib64/ld-linux-x86-64.so.2"}) {
    if (interpreter == known) return true;
  }
  return false;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
