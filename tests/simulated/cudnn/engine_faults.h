// SPDX-License-Identifier: BSD-3-Clause
//
// Faulty engines, on request: "engine-wrong:72:fwd:nchw:stride>1".  README.md has all words.
#pragma once

#include <string>
#include <vector>

#include "engines.h"

namespace simulated {

enum class moment { finalize, execute };

/// Has this engine that fault, for this convolution, with these choices, now?
bool has_fault(const char* kind, const convolution& what, const offer& chosen, moment now,
               bool unaligned = false);

/// Hangs, dies, fails or loses the context where a fault says so; a status.
int disturb(const convolution& what, const offer& chosen, moment now, bool unaligned);

/// An engine that a fault offers, "A1".
struct placed_engine {
  int engine = 0;
  std::size_t rank = 1;
  std::vector<knob_choice> choices;
};
std::vector<placed_engine> placed_engines(const convolution& what, cudnnBackendHeurMode_t mode);

/// Computes, with what the engine does wrong.  `dirty`: the workspace did not begin with a zero.
int compute_with_faults(const convolution& what, const offer& chosen, const arguments& where,
                        void* workspace, bool dirty, bool unaligned);

}  // namespace simulated
