// SPDX-License-Identifier: BSD-3-Clause
//
// Many workers side by side: started, watched, replaced.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "../model/record.h"

namespace cudnn_checked::sweep {

/// How far a sweep is.
struct sweep_progress {
  double seconds = 0;        ///< since its start
  std::size_t workers = 0;   ///< that compute now
  std::size_t problems = 0;  ///< computed to the end
  std::size_t plans = 0;     ///< computed, without the unsupported ones
  std::size_t defects = 0;
};

/// Called about ten times a second.
using listener = std::function<void(const sweep_progress&)>;

struct pool_settings {
  /// What is started, with the number of this process as one more argument.  Empty: this very
  /// program, whose main calls worker_main first.
  std::vector<std::string> worker;
  double start_seconds = 60;  ///< until a worker can compute
  /// A plan has so many times the seconds of the request to be built: engines that are compiled at
  /// run time took up to 25 s beside 15 other processes (H200, cuDNN 9.19.0).
  double build_factor = 12;
  /// Until the inputs and the reference of a problem are computed, on processors that others use
  /// as well.  This is no plan's time.
  double prepare_seconds = 120;
  double grace_seconds = 2;           ///< for running plans, when the time is over
  std::size_t most_results = 400000;  ///< in memory, about 700 bytes each
};

/// Sweeps.  The time of the request begins here: starting the workers is part of it.  The running
/// plans get a short time more.  SIGINT, SIGTERM and SIGHUP end it with what is known by then; a
/// second one ends this process.  No worker is left when it returns.
///
/// To be called from a program's only thread: the signals' handlers and SIGPIPE are set meanwhile,
/// and a worker dies with the thread that started it.
record run_pool(const request& asked, const listener& watching, const pool_settings& settings = {});

}  // namespace cudnn_checked::sweep
