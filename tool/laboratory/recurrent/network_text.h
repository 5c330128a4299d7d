// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network as text, without its type and its math.
#pragma once

#include <string>

#include "network.h"

namespace cudnn_checked::compute {

/// "tanh 8x4x32 to 32, projection 16, 2 layers, 2 directions": batch x steps x inputs to hidden.
std::string sizes_text(const network& what);

/// The same, with the lengths of sequences where they differ: "..., lengths 4 2 1, packed".
std::string network_text(const network& what);

/// The network of such a text.  False: it is none, or is not written as network_text writes it, or
/// has a size that cuDNN takes of no network.
bool read_network(const std::string& text, network& what);

}  // namespace cudnn_checked::compute
