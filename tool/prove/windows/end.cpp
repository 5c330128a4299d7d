// SPDX-License-Identifier: BSD-3-Clause
#include "../run_program.h"

namespace cudnn_checked::prove {

// [MS-ERREF], NTSTATUS Values: STATUS_DLL_NOT_FOUND, STATUS_ENTRYPOINT_NOT_FOUND,
// STATUS_INVALID_IMAGE_FORMAT.
static constexpr unsigned statuses_of_loader[] = {0xC0000135, 0xC0000139, 0xC000007B};

bool is_status_of_loader(const spawn::program_end& end) {
  for (const unsigned status : statuses_of_loader) {
    if (static_cast<unsigned>(end.number) == status) return true;
  }
  return false;
}

const char* name_of_probe() { return "cudnn_checked_probe.exe"; }

// The processes that this one has started are in a job, which ends with this process.
void end_with_starter() {}

}  // namespace cudnn_checked::prove
