// SPDX-License-Identifier: BSD-3-Clause
//
// One step of one sequence: what a cell makes of the sums of its gates, and the gradients of that.
// The formulas are those of cuDNN (API reference, cudnnRNNMode_t).
#pragma once

#include "network.h"
#include "uncertain.h"

namespace cudnn_checked::compute {

/// A step, as its gradients need it.  Gates lie behind each other, of `hidden` elements each.
struct cell_step {
  uncertain_row gates;   ///< after their activation
  uncertain_row sums;    ///< relu: before it.  gru: what the reset gate multiplies
  uncertain_row c;       ///< lstm: the state of the cell
  uncertain_row before;  ///< lstm: what a projection multiplies
  uncertain_row h;
};

/// Fills in all but h; of a cell without projection also h.  `of_input` is W x and `of_state` R h,
/// without the biases.
void run_cell(const network& what, network_rounding& rounds, const uncertain_row& of_input,
              const uncertain_row& of_state, const double* input_bias, const double* recurrent_bias,
              const uncertain_row& h, const uncertain_row& c, cell_step& step);

struct cell_gradients {
  uncertain_row of_input;  ///< of W x, for each gate
  uncertain_row of_state;  ///< of R h; other than the above for one gate of gru
  uncertain_row h;         ///< what the state of the step before gets besides that
  uncertain_row c;
  uncertain_row before;  ///< of h: a projection's gradient is made of it
};

/// `dh` is the gradient of h, or of what a projection multiplies.  h and c are the states of the
/// step before.
cell_gradients differentiate_cell(const network& what, network_rounding& rounds,
                                  const cell_step& step, const uncertain_row& h,
                                  const uncertain_row& c, const uncertain_row& dh,
                                  const uncertain_row& dc);

}  // namespace cudnn_checked::compute
