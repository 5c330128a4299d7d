// SPDX-License-Identifier: BSD-3-Clause
//
// Machines with a release of cuDNN that has known defects, and which of them are found.
#pragma once

#include "observation_builder.h"

namespace test {

using namespace cudnn_checked;

/// That release on that GPU; the program does not say what it uses.
inline machine silent_on(const char* cudnn, const char* gpu = "90") {
  machine m(cudnn, cudnn);
  m.stamped.operations.clear();
  m.set_gpu(gpu);
  return m;
}

/// The same as a JIT-only set.
inline machine jit_only_on(const char* cudnn, const char* gpu = "90") {
  machine m = silent_on(cudnn, gpu);
  m.make_jit_only();
  return m;
}

/// That release on that GPU; the program declares one operation.
inline machine using_on(const char* operation, const char* cudnn, const char* gpu) {
  machine m = silent_on(cudnn, gpu);
  m.stamped.operations = {operation};
  return m;
}

/// Ids of the defects that are found, in the order of the table.
inline std::string defects(const machine& m) {
  std::string text;
  for (const finding& f : m.findings()) {
    if (f.id != finding_id::cudnn_known_bad) continue;
    text += (text.empty() ? "" : " ") + f.summary.substr(f.summary.rfind(' ') + 1);
  }
  return text;
}

}  // namespace test
