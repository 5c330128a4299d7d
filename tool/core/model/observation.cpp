// SPDX-License-Identifier: BSD-3-Clause
#include "observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string where_of(const cudnn_file& file) {
  return file.path.empty() ? file.name : where_of(static_cast<const found_file&>(file));
}

const char* to_string(package_manager manager) {
  switch (manager) {
    case package_manager::none:
      return "";
    case package_manager::wheel:
      return "wheel";
    case package_manager::conda:
      return "conda";
    case package_manager::dpkg:
      return "dpkg";
  }
  return "";
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
