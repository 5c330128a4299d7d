// SPDX-License-Identifier: BSD-3-Clause
//
// Python programs in an archive (PEP 441), and where those of shiv and pex have their packages.
#pragma once

#include <string>
#include <vector>

#include "../../core/model/packer.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

struct python_archive {
  bool is_archive = false;
  bool is_damaged = false;   ///< no Python can start it
  packer by = packer::none;  ///< none: its packages are those of its Python
  /// The directories from which it imports its packages, once its first start has unpacked them;
  /// empty before that.
  arena_vector<arena_string> directories;
  /// The libraries of cuDNN in an archive that nothing unpacks: no loader can open them.
  arena_vector<arena_string> packed;
};

/// `interpreter` reads it: that is the Python that starts it.  Nothing of the archive runs.
python_archive read_python_archive(const arena_string& interpreter, const arena_string& script);

/// Why its packages cannot be looked at; empty where they can.
arena_string why_unknown(const python_archive& archive);

}  // namespace cudnn_checked::cli
