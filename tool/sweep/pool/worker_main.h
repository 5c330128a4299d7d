// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../work/worker.h"

namespace cudnn_checked::sweep {

/// The hidden first argument of a program that can be its own worker.
constexpr const char* worker_argument = "--sweep-worker";

/// To be called first in main.  False if the arguments are not those of a worker.  A worker does
/// not return: it ends this process.
bool worker_main(int count, char** arguments, filter_maker make_filter = nullptr);

}  // namespace cudnn_checked::sweep
