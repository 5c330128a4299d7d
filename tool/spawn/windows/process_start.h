// SPDX-License-Identifier: BSD-3-Clause
//
// What a child is given: its command line, its files and its job.
#pragma once

#include <string>
#include <vector>

#include "../../core/windows/windows_header.h"

namespace cudnn_checked::spawn {

/// The words as CommandLineToArgvW and the C runtime take them apart.
std::wstring command_line_of(const std::vector<std::string>& words);

/// A job that ends what is in it when its last handle is closed.
HANDLE new_job(DWORD more_limits = 0);

/// The files 0, 1, 2 and so on of a child, as handles that it inherits.
class inherited_files {
 public:
  inherited_files() = default;
  ~inherited_files();
  inherited_files(const inherited_files&) = delete;
  inherited_files& operator=(const inherited_files&) = delete;

  /// The next number is a copy of that file; -1: of NUL.  False where there is none.
  bool add(int file);
  HANDLE handle(std::size_t number) const { return handles_[number]; }
  std::vector<HANDLE>& handles() { return handles_; }

  /// For STARTUPINFO.lpReserved2: the numbers of files in the C runtime of the child.
  std::vector<BYTE> runtime_block() const;

 private:
  std::vector<HANDLE> handles_;
  std::vector<BYTE> flags_;
};

}  // namespace cudnn_checked::spawn
