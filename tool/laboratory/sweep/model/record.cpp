// SPDX-License-Identifier: BSD-3-Clause
#include "record.h"

#include <algorithm>

namespace cudnn_checked::sweep {

const char* to_string(heuristic mode) {
  static constexpr const char* names[] = {"A", "B", "FALLBACK"};
  return names[static_cast<int>(mode)];
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

const char* to_string(outcome what) {
  static constexpr const char* names[] = {"unsupported", "right",   "inexact",  "wrong",
                                          "unwritten",   "outside", "changing", "failed",
                                          "died",        "hung"};
  return names[static_cast<int>(what)];
}

bool is_sound(outcome what) { return what == outcome::right || what == outcome::inexact; }

bool is_defect(outcome what) { return what != outcome::unsupported && !is_sound(what); }

const char* to_string(remedy what) {
  static constexpr const char* names[] = {"none", "zero-workspace", "zero-surroundings"};
  return names[static_cast<int>(what)];
}

bool has_precompiled(const record& seen) {
  return any_of(seen.results, [](const result& r) { return !r.with.compiled_at_run; });
}

}  // namespace cudnn_checked::sweep
