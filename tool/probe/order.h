// SPDX-License-Identifier: BSD-3-Clause
//
// The arguments of the probe.
#pragma once

#include <string>
#include <vector>

#include "gpu_run.h"

namespace cudnn_checked::probe {

/// The arguments, key=value each.
struct order {
  int file = 1;           ///< file=NUMBER: the descriptor that the lines go to
  bool call = true;       ///< call=no: nothing of cuDNN or CUDA is called
  bool compute = true;    ///< compute=no: they are asked, and nothing is computed
  work asked;             ///< convolutions=NAME,NAME and operations=NAME,NAME: none where missing
  bool all_gpus = false;  ///< devices=all
  std::vector<std::string> gpus;  ///< devices=0,GPU-8932f937: indices, UUIDs, beginnings of one;
                                  ///< missing: one of each compute capability
};

/// Reads the arguments.  Returns false if one is unknown; `error` names it.
bool read_order(int count, const char* const* arguments, order& result, std::string& error);

/// Chooses the GPUs that compute.  Returns false if a named GPU does not exist: `missing` is its
/// name.
bool choose_gpus(const std::vector<gpu>& gpus, const order& given, std::vector<gpu>& chosen,
                 std::string& missing);

}  // namespace cudnn_checked::probe
