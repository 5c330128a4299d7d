// SPDX-License-Identifier: BSD-3-Clause
#include "../library/library_file.h"
#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// 13 for a folder "cu13"; 0 for any other.
static int major_of_cuda_folder(std::string_view folder) {
  if (folder.size() != 4 || !starts_with(folder, "cu")) return 0;
  const char tens = folder[2];
  const char ones = folder[3];
  if (tens < '1' || tens > '9' || ones < '0' || ones > '9') return 0;
  return (tens - '0') * 10 + (ones - '0');
}

int run_path_cuda_major(const library_file& file) {
  int major = 0;
  for (std::string_view rest : {std::string_view(file.rpath), std::string_view(file.runpath)}) {
    while (!rest.empty()) {
      const std::size_t end = rest.find_first_of(":/");
      const int found = major_of_cuda_folder(part_of(rest, 0, end));
      if (major != 0 && found != 0 && found != major) return 0;
      if (found != 0) major = found;
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
  return major;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
