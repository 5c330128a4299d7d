// SPDX-License-Identifier: BSD-3-Clause
#include "../system/own_process.h"

#include <cerrno>
#include <cstdlib>

#include "../../spawn/windows/wide.h"

namespace cudnn_checked::cli {

char** own_environment() { return _environ; }

std::string own_program() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD size = static_cast<DWORD>(path.size());
    const DWORD length = ::GetModuleFileNameW(nullptr, path.data(), size);
    if (length < size) return spawn::narrow_path({path.data(), length});
    path.resize(path.size() * 2);
  }
}

// A process of Windows keeps its program: why_unable().
int replace_by(const std::vector<std::string>&) { return ENOSYS; }

// There is no sweep.
void work_for_sweep(int, char**) {}

}  // namespace cudnn_checked::cli
