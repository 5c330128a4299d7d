// SPDX-License-Identifier: BSD-3-Clause
//
// Connectionist temporal classification of one sequence: A. Graves and others, ICML 2006.
#pragma once

#include <cstddef>
#include <vector>

#include "../fused/bounded.h"

namespace cudnn_checked::compute {

/// What is read of logits: those of a step are `classes` behind each other, of the next one `step`
/// further.  Class 0 is the blank.
struct ctc_sequence {
  const double* logits = nullptr;
  std::size_t steps = 0, classes = 0, step = 0;
  std::vector<int> labels;
};

/// The loss, and its gradient by the logits, steps times classes; each with a bound for a kernel
/// that computes logarithms of probabilities in fp32.
struct ctc_numbers {
  double loss = 0;
  double loss_bound = 0;
  bounded gradient;
};

ctc_numbers ctc(const ctc_sequence& what);

}  // namespace cudnn_checked::compute
