// SPDX-License-Identifier: BSD-3-Clause
//
// The page is shared memory with the process in its name; the system keeps it as long as the
// process lives, because its handle is never closed.
#include "../../core/model/format.h"
#include "../../core/windows/wide_text.h"
#include "../../core/windows/windows_header.h"
#include "../said_before.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

said_mark* page_of_said(const system_interface&) {
  const arena_string name =
      format("Local\\cudnn_checked_said_%d", static_cast<int>(GetCurrentProcessId()));
  constexpr DWORD bytes = said_marks * sizeof(said_mark);
  const HANDLE memory = CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, bytes,
                                           to_wide(name).begin());
  if (memory == nullptr) return nullptr;
  return static_cast<said_mark*>(MapViewOfFile(memory, FILE_MAP_WRITE, 0, 0, bytes));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
