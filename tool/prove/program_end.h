// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"
#include "../facts/words.h"

namespace cudnn_checked::prove {

/// How a program ended that calls cuDNN and has not told all that it was asked for.
enum class end_kind : unsigned char {
  timed_out,
  crashed,
  exited,
  not_loaded,  ///< the loader ended it, because it lacks a library
  not_started  ///< the system did not start it
};

// In the order of the enumeration; the find module reads them (docs/configure.md).
inline constexpr const char* end_names[] = {"timeout", "crashed", "ended", "not-loaded",
                                            "not-started"};

constexpr const char* word_of(end_kind kind) { return end_names[static_cast<int>(kind)]; }

struct end_of_program {
  end_kind kind = end_kind::exited;
  arena_string detail;  ///< the limit in seconds, the signal, the status, or the system's error
};

/// What a probe does, or did last.
struct probe_step {
  arena_string words;  ///< "graph/fp16/nchw on GPU 0"; empty: nothing that it has told
  step_kind kind = step_kind::other;
};

}  // namespace cudnn_checked::prove
