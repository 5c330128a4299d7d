// SPDX-License-Identifier: BSD-3-Clause
//
// Look, judge, look further: the order in which guard, probe and command line go, once.
#pragma once

#include "../judge/judge.h"
#include "../loader/loader.h"
#include "../model/arena_string.h"
#include "../model/observation.h"
#include "../model/stamp.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// One check: whose it is, what was seen so far, and what the judge makes of it.  The judgement
/// points into the observation, so a check is not copied.
struct cudnn_check {
  explicit cudnn_check(loader& loader_of_program) : search(loader_of_program) {}
  cudnn_check(const cudnn_check&) = delete;
  cudnn_check& operator=(const cudnn_check&) = delete;

  loader& search;  ///< simulates the loader for all looks; must outlive it
  stamp stamped;   ///< of the program; at configure time what the headers say
  judge_options options;
  observation observed;
  bool knows_other_files = false;  ///< near misses, and alternatives to what is taken
  judgement judged;
  arena_vector<finding> found_besides;  ///< what the caller has added to `judged`
};

// program_check.cpp: a stamped program, in the two steps that its start needs.  Files first,
// because they can be judged before any other code of the program runs.

void check_program_files(cudnn_check& c);

/// Checks only whether the driver is missing, for a program that is refused before the machine is
/// looked at.
void check_program_driver(cudnn_check& c);

/// `own_file` is the program or shared library that carries the stamp.
void check_program_machine(cudnn_check& c, arena_string own_file);

/// The findings of the records of packages, which a guard reads only before it refuses.
arena_vector<finding> check_records(cudnn_check& c);

/// From outside, after the check of its own: what the loader makes of the program's start.  Returns
/// what check_records() finds.
arena_vector<finding> check_start(cudnn_check& c, const program_start& start);

/// From outside, a program without a stamp: its start, and its files where the loader gets so far.
void check_unstamped_program(cudnn_check& c, const program_start& start);

// install_check.cpp: the files of one install, and their packages and dependencies.

/// Looks at the files, and judges nothing yet.  `cudnn_major` is the one that is asked for.  After
/// cuDNN was called the same once more: then the files are what the loader took, no prediction.
void look_at_install(loader& search, int cudnn_major, observation& observed);

/// The install of that library, which may be one that cannot be linked or started here: its files
/// and the driver.  Nothing of it is loaded.
void check_named_install(cudnn_check& c, int cudnn_major, arena_string library);

/// To be called after it: judges what those files need of other libraries, as the probe does, which
/// also computes.
void check_needs_of_install(cudnn_check& c);

/// The driver and the GPUs of this machine, for programs in general: the table of PCI ids first,
/// NVML where it does not settle the question.
void look_at_machine(loader& search, observation& observed);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
