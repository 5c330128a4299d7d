// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that a tool has made of a Python and its packages.  What they lack, the build has left
// out: nothing is installed there.
#pragma once

#include "../../core/model/finding.h"
#include "../../core/model/packer.h"
#include "../../core/system/system_view.h"

namespace cudnn_checked::cli {

struct frozen_program {
  packer by = packer::none;
  arena_string libraries;  ///< the folder of its libraries; empty: they are in the file
  packed_program packed;   ///< then
};

/// Whether PyInstaller (one folder, "_internal" or that of the program up to PyInstaller 5, or one
/// file) or Nuitka (standalone, or onefile) has made the program.
frozen_program look_at_frozen(const system_interface& os, const arena_string& program);

/// The folder of an application of PyInstaller that a directory is a part of.
arena_string frozen_around(const system_interface& os, const arena_string& directory);

/// The system as it is to an application of PyInstaller: its first process starts a second one,
/// with the folder in front of LD_LIBRARY_PATH (PyInstaller manual, "Run-time Information").
class frozen_view final : public system_view {
 public:
  frozen_view(const system_interface& real, arena_string libraries)
      : system_view(real), libraries_(libraries) {}
  bool variable(const char* name, arena_string& value) const override;

 private:
  arena_string libraries_;
};

/// Replaces commands that would install something there; without a packer they stay.
void tell_build_again(arena_vector<finding>& findings, packer by);

}  // namespace cudnn_checked::cli
