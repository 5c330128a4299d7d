// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network and its gradients in float64, with how far a right kernel may be from them.
#pragma once

#include "../fused/bounded.h"
#include "network.h"

namespace cudnn_checked::compute {

/// x is steps x batch x inputs, dy steps x batch x outputs, states are pseudo layers x batch x
/// state (cx, dcy: x hidden; of lstm alone), parameters as network.h has them.  All are numbers of
/// the network's type.  Steps beyond the length of a sequence are read by nobody.
struct network_inputs {
  const double* x = nullptr;
  const double* hx = nullptr;
  const double* cx = nullptr;
  const double* parameters = nullptr;
  const double* dy = nullptr;  ///< these three for gradients alone
  const double* dhy = nullptr;
  const double* dcy = nullptr;
};

/// In the same order.  Elements beyond the length of a sequence are not looked at.
struct network_results {
  bounded y, hy, cy;
  bounded dx, dhx, dcx, dw;  ///< empty where no gradients were asked for
};

network_results run_network(const network& what, const network_inputs& given, bool gradients);

}  // namespace cudnn_checked::compute
