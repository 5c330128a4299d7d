// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "order.h"
#include "teller.h"

namespace cudnn_checked::probe {

/// Asks the cuDNN of this process, lets it compute, and tells the facts of it (facts/line.h), with
/// each step before it is done.  `tell` comes after the headers' line.
void tell_all(const order& given, const teller& tell);

/// Tells the libraries of this process, and that this is the end.
void tell_end(const teller& tell);

/// Whether this program was built with what computes operations (operations.h).
bool has_operations();

}  // namespace cudnn_checked::probe
