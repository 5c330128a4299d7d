// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that PyInstaller has made of a Python and its packages.  What they lack, the build has
// left out: nothing is installed there.
#pragma once

#include "../../core/model/finding.h"
#include "../../core/system/system_view.h"

namespace cudnn_checked::cli {

/// The folder of its libraries, of a program in one folder ("_internal", or that of the program up
/// to PyInstaller 5); empty where it is another program.
arena_string libraries_of_frozen(const system_interface& os, const arena_string& program);

/// The same of the application that a directory is a part of.
arena_string frozen_around(const system_interface& os, const arena_string& directory);

/// The system as it is to an application: its first process starts a second one, with the folder in
/// front of LD_LIBRARY_PATH (PyInstaller manual, "Run-time Information").
class frozen_view final : public system_view {
 public:
  frozen_view(const system_interface& real, arena_string libraries)
      : system_view(real), libraries_(libraries) {}
  bool variable(const char* name, arena_string& value) const override;

 private:
  arena_string libraries_;
};

/// In place of commands that would install something there.
void tell_build_again(finding& f);

}  // namespace cudnn_checked::cli
