// SPDX-License-Identifier: BSD-3-Clause
#include "../../cli/laboratory_door/door.h"
#include "../sweep/errata/errata.h"
#include "../sweep/pool/worker_process.h"

namespace cudnn_checked::cli {

void work_for_sweep(int count, char** arguments) {
  sweep::worker_main(count, arguments, sweep::errata_filter);
}

}  // namespace cudnn_checked::cli
