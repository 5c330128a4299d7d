// SPDX-License-Identifier: BSD-3-Clause
#include "linux_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "../model/paths.h"
#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static open_result result_of_errno(int error) {
  if (error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG) return open_result::missing;
  if (error == ELOOP) return open_result::link_loop;
  if (error == EACCES || error == EPERM) return open_result::denied;
  // The errors of open(2) for devices without a driver.
  if (error == ENXIO || error == ENODEV) return open_result::device;
  return open_result::failed;
}

static open_result kind_of(mode_t mode) {
  return S_ISREG(mode)    ? open_result::opened
         : S_ISDIR(mode)  ? open_result::directory
         : S_ISFIFO(mode) ? open_result::fifo
         : S_ISSOCK(mode) ? open_result::socket
                          : open_result::device;
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

// The entries are compared where they lie: starts_with() of a char* makes a string of it, and
// LD_LIBRARY_PATH is long.
static bool take_variable(const char* entry, const char* name, arena_string& value) {
  const std::size_t length = std::strlen(name);
  if (std::strncmp(entry, name, length) != 0 || entry[length] != '=') return false;
  value = entry + length + 1;
  return true;
}

// GLIBC_TUNABLES is not among them: glibc takes its text apart where it lay at first, and has a
// whole copy among the variables of now (elf/dl-tunables.c, __tunables_init).
static bool is_of_loader(const char* name) { return std::strncmp(name, "LD_", 3) == 0; }

// The file shows memory of the process.  One that writes its title there (setproctitle) leaves
// blanks or words where variables were, and then the file says nothing.
void linux_system::read_initial_variables() const {
  const auto keep = [this](const char* entry) {
    if (is_of_loader(entry)) initial_.emplace_back(entry);
  };
  arena_string text;
  if (initial_path_ == nullptr || !read_text(initial_path_, text)) {
    for (char** entry = environment_; entry != nullptr && *entry != nullptr; ++entry) keep(*entry);
    initial_known_ = true;
    return;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const char* const entry = text.c_str() + begin;
    if (std::memchr(entry, '=', std::strlen(entry)) == nullptr) return;
    keep(entry);
    begin += std::strlen(entry) + 1;
  }
  initial_known_ = true;
}

// "ld.so --library-path LIST program" and "--audit LIST": in the place of the variables.
void linux_system::read_arguments_of_loader() const {
  arena_string text;
  (void)program_path();
  if (!started_by_loader_ || !read_text("/proc/self/cmdline", text)) return;
  const arena_vector<arena_string> words = split_path_list(text, std::string_view("\0", 1));
  for (std::size_t i = 1; i + 1 < words.size() && starts_with(words[i], "--"); ++i) {
    if (words[i] == "--library-path") initial_.push_back("LD_LIBRARY_PATH=" + words[i + 1]);
    if (words[i] == "--audit") initial_.push_back("LD_AUDIT=" + words[i + 1]);
    if (starts_with(words[i], "--glibc-hwcaps")) {
      initial_.push_back(words[i] + "=" + words[i + 1]);
    }
    // These have no word behind them.
    if (words[i] != "--inhibit-cache" && words[i] != "--verify" && words[i] != "--list") ++i;
  }
}

void linux_system::read_initial_environment() const {
  initial_read_ = true;
  read_initial_variables();
  read_arguments_of_loader();
}

// If an option is given several times, the last one counts (glibc, elf/rtld.c, dl_main).
bool linux_system::option_of_loader(const char* name, arena_string& value) const {
  if (!initial_read_) read_initial_environment();
  bool found = false;
  for (const arena_string entry : initial_)
    found = take_variable(entry.c_str(), name, value) || found;
  return found;
}

bool linux_system::variable(const char* name, arena_string& value) const {
  if (secure_) return false;
  // If a variable is set several times, the loader obeys the last one (glibc, elf/rtld.c,
  // process_envvars), getenv(3) the first.
  const bool last = is_of_loader(name);
  bool found = false;
  if (last && !initial_read_) read_initial_environment();
  if (last && initial_known_) {
    for (const arena_string entry : initial_)
      found = take_variable(entry.c_str(), name, value) || found;
    return found;
  }
  for (char** entry = environment_; entry != nullptr && *entry != nullptr; ++entry) {
    found = take_variable(*entry, name, value) || found;
    if (found && !last) return true;
  }
  return found;
}

// Opening a device can wake hardware: its kind is asked first.  The file can change in between, so
// it is asked again, and O_NONBLOCK keeps a FIFO from waiting for a writer.
open_result linux_system::open(arena_string path, byte_source** source) const {
  struct stat status;
  // stat(2), EACCES: a directory that may not be searched.  Nobody knows what is in it, and the
  // loader goes on as if nothing were.
  if (::stat(path.c_str(), &status) != 0) {
    return errno == EACCES ? open_result::missing : result_of_errno(errno);
  }
  if (!S_ISREG(status.st_mode)) return kind_of(status.st_mode);
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return result_of_errno(errno);
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    return kind_of(status.st_mode);
  }
  *source = new linux_file(file, static_cast<unsigned long long>(status.st_size));
  return open_result::opened;
}

// The bytes of a file behind the first part, as far as it says how long it is.
static std::size_t length_left(int file, ssize_t first, std::size_t most) {
  struct stat status;
  if (::fstat(file, &status) != 0 || status.st_size <= first) return 0;
  const auto size = static_cast<unsigned long long>(status.st_size);
  return static_cast<std::size_t>(std::min<unsigned long long>(size, most)) -
         static_cast<std::size_t>(first);
}

// Files of /proc and /sys say that they have no bytes, so they are read until they end.  Of a long
// file the rest is read at once.
bool linux_system::read_text(arena_string path, arena_string& text) const {
  constexpr std::size_t most = 16U << 20;
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return false;
  string_builder all;
  char part[16384];
  ssize_t got = pread_some(file, part, sizeof(part), 0);
  if (got > 0) all += std::string_view(part, static_cast<std::size_t>(got));
  const bool is_long = got == static_cast<ssize_t>(sizeof(part));
  const std::size_t left = is_long ? length_left(file, got, most) : 0;
  if (left != 0) {
    const std::size_t before = all.size();
    got = pread_some(file, all.extend(left), left, before);
    all.shorten(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  while (got > 0 && all.size() < most) {
    got = pread_some(file, part, sizeof(part), all.size());
    if (got > 0) all += std::string_view(part, static_cast<std::size_t>(got));
  }
  ::close(file);
  text = all.take();
  return got == 0;
}

// A file whose size is known is read at once; left empty where that fails.
void linux_system::read_whole(arena_string path, arena_string& text) const {
  constexpr unsigned long long most = 16U << 20;
  byte_source* source = nullptr;
  if (open(path, &source) != open_result::opened) return;
  text.clear();
  const std::size_t size = source->size() <= most ? static_cast<std::size_t>(source->size()) : 0;
  if (!source->read(0, text.extend(size), size)) text.clear();
  delete source;
}

open_result linux_system::list(arena_string path, const char* prefixes,
                               arena_vector<arena_string>& names) const {
  DIR* const directory = ::opendir(path.c_str());
  if (directory == nullptr) return result_of_errno(errno);
  errno = 0;
  while (const dirent* entry = ::readdir(directory)) {
    const char* const name = entry->d_name;
    if (!starts_with_one(name, prefixes)) continue;
    if (!is_equal(name, ".") && !is_equal(name, "..")) names.emplace_back(name);
  }
  const int error = errno;
  ::closedir(directory);
  return error == 0 ? open_result::opened : open_result::failed;
}

linux_system::path_component linux_system::look_at_component(arena_string path) const {
  path_component found;
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return found;
  found.kind = path_component::type::other;
  if (S_ISDIR(status.st_mode)) found.kind = path_component::type::directory;
  if (!S_ISLNK(status.st_mode)) return found;
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof(target));
  found.kind = length > 0 ? path_component::type::link : path_component::type::missing;
  if (length > 0) found.target = arena_string(target, static_cast<std::size_t>(length));
  return found;
}

const linux_system::path_component& linux_system::component(arena_string path) const {
  const path_component* const known = components_.find(path);
  if (known != nullptr) return *known;
  const arena_block kept(memory_);
  return components_.add(path) = look_at_component(path);
}

// realpath(3), but each component is asked for once: the files of cuDNN lie in one directory.
arena_string linux_system::real_path(arena_string path) const {
  constexpr int most_links = 40;  // as the kernel: path_resolution(7)
  if (path.empty()) return {};
  arena_string rest = path;
  if (path[0] != '/') {
    rest = working_directory();
    if (rest.empty()) return {};
    rest += "/" + path;
  }
  arena_string done;  // the root is empty
  int links = 0;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = rest.find('/', at);
    const arena_string name = rest.substr(at, end - at);
    at = end == arena_string::npos ? rest.size() : end + 1;
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (!done.empty()) done.shorten(done.rfind('/'));
      continue;
    }
    const arena_string next = done + "/" + name;
    const path_component& found = component(next);
    if (found.kind == path_component::type::link) {
      if (++links > most_links) return {};
      if (found.target[0] == '/') done.clear();
      rest = found.target + (end == arena_string::npos ? "" : "/" + rest.substr(at));
      at = 0;
      continue;
    }
    // A slash asks for a directory.
    const bool fits = end == arena_string::npos ? found.kind != path_component::type::missing
                                                : found.kind == path_component::type::directory;
    if (!fits) return {};
    done = next;
  }
  return done.empty() ? arena_string("/") : done;
}

// The kernel asks the device control group in access(2) as well.
bool linux_system::may_be_written(arena_string path) const {
  return ::access(path.c_str(), R_OK | W_OK) == 0;
}

arena_string path_in_maps(arena_string maps, std::uintptr_t address) {
  for (const arena_string line : split_path_list(maps, "\n")) {
    char* end = nullptr;
    const std::uintptr_t first = std::strtoull(line.c_str(), &end, 16);
    if (address < first || *end != '-' || address >= std::strtoull(end + 1, nullptr, 16)) continue;
    return line.substr(std::min(line.find('/'), line.size()));
  }
  return {};
}

// Started as "ld.so program", a process is the loader's for the kernel, which then has loaded no
// interpreter (AT_BASE).  The loader puts the program's place and name into the auxiliary vector
// (glibc, elf/rtld.c, dl_main), and $ORIGIN is the directory of that name, links unresolved.
arena_string linux_system::program_path() const {
  if (!program_path_.empty()) return program_path_;
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof(path));
  if (length > 0) program_path_ = arena_string(path, static_cast<std::size_t>(length));
  arena_string maps;
  if (::getauxval(AT_BASE) != 0 || !read_text("/proc/self/maps", maps)) return program_path_;
  const arena_string real = path_in_maps(maps, ::getauxval(AT_PHDR));
  if (real.empty() || real == program_path_) return program_path_;
  program_path_ = real;
  started_by_loader_ = true;
  const auto* const name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (name != nullptr && real_path(name) == real) {
    program_path_ = name[0] == '/' ? arena_string(name) : join_path(working_directory(), name);
  }
  return program_path_;
}

arena_string linux_system::working_directory() const {
  char path[PATH_MAX];
  return ::getcwd(path, sizeof(path)) != nullptr ? path : "";
}

arena_string plain_slashes(arena_string text) { return text; }

execution_mode own_execution() {
  return getauxval(AT_SECURE) != 0 ? execution_mode::secure : execution_mode::ordinary;
}

const system_interface& own_system(execution_mode mode) {
  return *make_in_arena<linux_system>(environ, mode);
}

long long microseconds_now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
