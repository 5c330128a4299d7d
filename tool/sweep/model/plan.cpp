// SPDX-License-Identifier: BSD-3-Clause
#include "plan.h"

#include "read_name.h"

namespace cudnn_checked::sweep {

const char* to_string(heuristic mode) {
  static constexpr const char* names[] = {"A", "B", "FALLBACK"};
  return names[static_cast<int>(mode)];
}

bool read_heuristic(const std::string& text, heuristic& result) {
  return read_name(text, heuristic::fallback, result);
}

bool read_math(const std::string& text, convolution_math& result) {
  return read_name(text, convolution_math::reduced_precision, result);
}

const char* to_string(reach how) {
  static constexpr const char* names[] = {"first", "offered", "by-index"};
  return names[static_cast<int>(how)];
}

reach reach_of(const plan& p) {
  for (const offer& made : p.offers) {
    if (made.mode == heuristic::a && made.rank == 1) return reach::first;
  }
  return p.offers.empty() ? reach::by_index : reach::offered;
}

std::string tag_of(const plan& p) {
  std::string tag = "eng" + std::to_string(p.engine);
  for (const knob& k : p.knobs) {
    tag += "_k" + std::to_string(k.type) + "=" + std::to_string(k.value);
  }
  return tag;
}

}  // namespace cudnn_checked::sweep
