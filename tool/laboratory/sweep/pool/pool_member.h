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
    starting,   ///< until it says what it computes on
    waiting,    ///< for an assignment
    given,      ///< it has an assignment and has said nothing about it
    preparing,  ///< inputs and reference: what goes wrong then is no plan's fault
    building,   ///< plan `number`
    running,    ///< that plan, which is built
    between     ///< plans: of the last one the result has come, or none will
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
  bool has_begun = false;  ///< with a plan of the assignment
  std::size_t number = 0;  ///< of the plan that it has begun with last, or else of the first one
  plan with;               ///< that plan
  int device = 0;
  machine on;
  std::string cannot;  ///< its own words where it cannot compute

  bool is_busy() const { return at > stage::waiting; }
  bool is_in_plan() const { return at == stage::building || at == stage::running; }

  /// On one GPU of the request.
  bool start(const pool_settings& settings, const request& asked, int on_device,
             std::string& error);
  void give(const assignment& what);
  /// Takes in the lines that have come.
  void hear(ledger& known);
  /// Kills it if it is silent for longer than it may be.
  void look_at_clock(const request& asked, const pool_settings& settings);
  void end_it(end reason);
  /// Of one that has ended: "ended by SIGABRT: terminate called ...".
  std::string how_it_died(const request& asked, const pool_settings& settings) const;
  /// True if it has ended by itself with status 0.
  bool has_left_in_order() const;
  /// True if main memory was short, so that an allocation failed or the kernel has killed it; or
  /// where a person has.
  bool lacked_memory() const;

 private:
  double limit_of(const request& asked, const pool_settings& settings) const;
  bool hear_line(const std::string& line, ledger& known);
  bool hear_of_plan(const message& said, ledger& known);
  /// A plan is compiled; the question which plans there are compiles nothing.
  bool is_compiling() const { return at == stage::building && with.engine >= 0; }
};

}  // namespace cudnn_checked::sweep
