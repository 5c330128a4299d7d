// SPDX-License-Identifier: BSD-3-Clause
#include "fused_operation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* to_string(fused_operation operation) {
  static constexpr const char* names[] = {
      "",
#define FUSED(name, text) text,
#include "fused_operations.def"
#undef FUSED
  };
  return names[static_cast<int>(operation)];
}

fused_operation parse_fused_operation(std::string_view text) {
  for (const fused_operation operation : fused_operations) {
    if (text == to_string(operation)) return operation;
  }
  return fused_operation::none;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
