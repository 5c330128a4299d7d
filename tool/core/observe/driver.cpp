// SPDX-License-Identifier: BSD-3-Clause
#include "loader.h"
#include "observe.h"
#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue ..." and
// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build ...": the
// first word of the line that is a number with points.
static version kernel_module_version(const std::string& text) {
  const std::size_t begin = text.find("NVRM version:");
  if (begin == std::string::npos) return {};
  const std::string line = text.substr(begin, text.find('\n', begin) - begin);
  for (const std::string& word : split_path_list(line, " \t")) {
    if (word.find('.') == std::string::npos) continue;
    const version v = parse_version(word);
    if (v.known()) return v;
  }
  return {};
}

// The toolkit keeps its stub in .../lib64/stubs.
static bool has_stubs_directory(const std::string& path) {
  return path.find("/stubs/") != std::string::npos;
}

// "libcuda.so.580.159.04"; "libcuda.so.1" says nothing.
static version version_of_libcuda(const std::string& path) {
  const std::string name = base_name(path);
  constexpr std::string_view prefix = "libcuda.so.";
  if (!starts_with(name, prefix) || name.find('.', prefix.size()) == std::string::npos) return {};
  return parse_version(std::string_view(name).substr(prefix.size()));
}

void observe_driver(const system_interface& os, observation& seen) {
  driver_facts& driver = seen.driver;
  driver = driver_facts();
  std::string text;
  if (os.read_text("/proc/driver/nvidia/version", text)) {
    driver.kernel_module = kernel_module_version(text);
  }
  loader search(os);
  const loader_hit hit = search.find("libcuda.so.1", {}, loader::view::as_is);
  driver.present = answer::no;
  if (!hit.taken()) {
    // A file that may not be read is no proof that there is no driver.
    if (hit.state == file_state::unreadable) driver.present = answer::unknown;
    return;
  }
  driver.present = answer::yes;
  driver.chosen_by = hit.chosen_by;
  driver.path = os.real_path(hit.path);
  driver.stub = has_stubs_directory(hit.path) || has_stubs_directory(driver.path);
  driver.library = version_of_libcuda(driver.path);
  if (driver.stub || driver.library.known()) return;
  const int number = os.cuda_driver_version(hit.path);
  if (number > 0) driver.cuda = decode_cuda_version(static_cast<unsigned>(number));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
