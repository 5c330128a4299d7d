// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace cudnn_checked::cli {

/// Of this program: "0.1.0 HASH", its release and the hash of the sources of its command
/// `configure` (write_identity.cmake).
const char* own_identity();

}  // namespace cudnn_checked::cli
