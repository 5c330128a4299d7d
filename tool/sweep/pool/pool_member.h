// SPDX-License-Identifier: BSD-3-Clause
//
// A worker and what it does.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "../model/line.h"
#include "ledger.h"
#include "pool.h"
#include "worker_process.h"

namespace cudnn_checked::sweep {

using pool_clock = std::chrono::steady_clock;

struct pool_member {
  enum class stage {
    starting,  ///< until it says what it computes on
    waiting,   ///< for an assignment
    busy       ///< with `given`
  };
  enum class end {
    by_itself,
    hung,     ///< killed: its time was over
    foreign,  ///< killed: it wrote what no worker writes
    unwanted  ///< killed: the sweep is over
  };

  worker_process process;
  stage at = stage::starting;
  end why = end::by_itself;      ///< another than by_itself: it was killed
  pool_clock::time_point since;  ///< its last line, or its assignment
  assignment given;
  bool has_begun = false;     ///< with a plan of the assignment
  bool is_preparing = false;  ///< inputs and reference: what goes wrong then is no plan's fault
  bool is_running = false;    ///< one, of which no result has come
  bool is_built = false;      ///< that one
  std::size_t number = 0;     ///< its number, or that of the last one
  plan with;
  int device = 0;
  machine on;
  std::string cannot;  ///< its own words where it cannot compute

  /// On one GPU of the request.
  bool start(const pool_settings& settings, const request& asked, int on_device,
             std::string& error);
  void give(const assignment& what);
  /// Takes in the lines that have come.
  void hear(ledger& known);
  /// Kills it where it is silent for longer than it may be.
  void look_at_clock(const request& asked, const pool_settings& settings);
  void end_it(end reason);
  /// Of one that has ended: "ended by SIGABRT: terminate called ...".
  std::string how_it_died(const request& asked, const pool_settings& settings) const;
  /// True where it has ended by itself with status 0.
  bool has_left_in_order() const;
  /// True where main memory was short, so that an allocation failed or the kernel has killed it; or
  /// where a person has.
  bool lacked_memory() const;

 private:
  double limit_of(const request& asked, const pool_settings& settings) const;
  bool hear_line(const std::string& line, ledger& known);
  bool hear_begin(const message& said);
};

}  // namespace cudnn_checked::sweep
