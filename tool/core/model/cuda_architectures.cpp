// SPDX-License-Identifier: BSD-3-Clause
#include "architecture.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool has_code(const arena_vector<device_code>& codes, device_code::kind form,
                     const architecture& target) {
  return any_of(
      codes, [&](const device_code& code) { return code.form == form && code.target == target; });
}

arena_vector<arena_string> to_cuda_architectures(const arena_vector<device_code>& codes) {
  arena_vector<arena_string> items;
  for (const device_code& code : codes) {
    const bool cubin = has_code(codes, device_code::kind::cubin, code.target);
    const bool ptx = has_code(codes, device_code::kind::ptx, code.target);
    const arena_string item = to_string(code.target) + (cubin && ptx ? ""
                                                        : cubin      ? "-real"
                                                                     : "-virtual");
    bool known = false;
    for (const arena_string before : items) known = known || before == item;
    if (!known) items.push_back(item);
  }
  return items;
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
