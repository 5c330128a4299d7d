// SPDX-License-Identifier: BSD-3-Clause
//
// One step of one sequence: the state that a cell computes from the sums of its gates, and the
// gradients.  The formulas are those of cuDNN (API reference, cudnnRNNMode_t).
#pragma once

#include "network.h"
#include "uncertain.h"

namespace cudnn_checked::compute {

/// The numbers of a step that its gradients need.  Gates are in order, with `hidden` elements each.
struct cell_step {
  uncertain_row gates;   ///< the gates after their activation
  uncertain_row sums;    ///< relu: the sums before it; gru: the sums that the reset gate multiplies
  uncertain_row c;       ///< lstm: the state of the cell
  uncertain_row before;  ///< lstm: the output that a projection multiplies
  uncertain_row h;
};

/// Fills in `step`, but not its h if the cell has a projection.  `of_input` is W x and `of_state`
/// is R h, without the biases.
void run_cell(const network& what, network_rounding& rounds, const uncertain_row& of_input,
              const uncertain_row& of_state, const double* input_bias, const double* recurrent_bias,
              const uncertain_row& h, const uncertain_row& c, cell_step& step);

struct cell_gradients {
  uncertain_row of_input;  ///< the gradient of W x of each gate
  uncertain_row of_state;  ///< the gradient of R h; it differs from of_input for one gate of gru
  uncertain_row h;         ///< what the previous h gets besides its part in R h
  uncertain_row c;         ///< the gradient of the previous c
  uncertain_row before;    ///< the gradient of h, from which that of a projection is computed
};

/// `dh` is the gradient of h or, if there is a projection, of what the projection multiplies.  `h`
/// and `c` are the states of the previous step.
cell_gradients differentiate_cell(const network& what, network_rounding& rounds,
                                  const cell_step& step, const uncertain_row& h,
                                  const uncertain_row& c, const uncertain_row& dh,
                                  const uncertain_row& dc);

}  // namespace cudnn_checked::compute
