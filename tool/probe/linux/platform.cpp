// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace cudnn_checked::probe {

any_function find_function(const char* name) {
  return reinterpret_cast<any_function>(::dlsym(RTLD_DEFAULT, name));
}

// Skips the program, which has no name here, and the vDSO, whose name has no directory.
std::vector<std::string> mapped_libraries() {
  std::vector<std::string> paths;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* target) {
        const std::string path = info->dlpi_name != nullptr ? info->dlpi_name : "";
        if (path.find('/') != std::string::npos) {
          static_cast<std::vector<std::string>*>(target)->push_back(path);
        }
        return 0;
      },
      &paths);
  return paths;
}

void set_where_unset(const char* name, const char* value) { (void)::setenv(name, value, 0); }

void write_all(int file, const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + at, text.size() - at);
    if (wrote < 0 && errno != EINTR) return;
    if (wrote > 0) at += static_cast<std::size_t>(wrote);
  }
}

void show_no_dialogs() {}

}  // namespace cudnn_checked::probe
