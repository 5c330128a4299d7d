// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network and its gradients in float64, with bounds on the errors of a right kernel.
#pragma once

#include "../fused/bounded.h"
#include "network.h"

namespace cudnn_checked::compute {

/// x is steps x batch x inputs, and dy is steps x batch x outputs.  hx and dhy are pseudo layers x
/// batch x state.  cx and dcy are pseudo layers x batch x hidden, and only lstm has them.
/// `parameters` has the order of network.h.  The network's type can represent all numbers.  Nothing
/// reads steps beyond the length of a sequence.
struct network_inputs {
  const double* x = nullptr;
  const double* hx = nullptr;
  const double* cx = nullptr;
  const double* parameters = nullptr;
  const double* dy = nullptr;  ///< dy, dhy and dcy are needed only for gradients
  const double* dhy = nullptr;
  const double* dcy = nullptr;
};

/// The results have the order of the inputs.  Elements beyond the length of a sequence have the
/// bound not_looked_at.
struct network_results {
  bounded y, hy, cy;
  bounded dx, dhx, dcx, dw;  ///< empty if `gradients` was false
};

network_results run_network(const network& what, const network_inputs& given, bool gradients);

}  // namespace cudnn_checked::compute
