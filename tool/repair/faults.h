// SPDX-License-Identifier: BSD-3-Clause
//
// Findings as faults that two checks can be compared by.
#pragma once

#include <set>
#include <string>

#include "adviser.h"

namespace cudnn_checked::repairs {

/// The faults of a check, however they are worded.
using faults = std::set<std::string>;

bool is_of_driver(const finding& f);

bool has_repair(const finding& f);

/// Whether the finding is about the driver or the GPUs: another cuDNN changes nothing about it.
bool is_of_machine(finding_id id);

/// Whether only another driver or GPU would repair it.
bool is_beyond_repair(const finding& f);

/// An error or a warning.
bool is_grave(const finding& f);

/// Is there a command to look for?
bool is_to_repair(const finding& f);

std::string place_of(const checked& found, std::size_t index);
std::string fault_of(const finding& f, const std::string& place);
std::string fault_of(const checked& found, std::size_t index);
faults faults_of(const checked& found);

/// Whether a command leads to a fault that was not there.  A warning about a known defect does not
/// count: nothing was reported about a release while its set was incomplete, and the defect has its
/// own fix.
bool brings_fault(const checked& after, const checked& before);

/// The same with what was found: a fault may have another cause than before.
faults evidence_of(const checked& found);

/// What may be wrong.
faults doubts_of(const checked& found);

/// A library of CUDA that is missing, without which cuDNN ends the process when it computes: where
/// nothing can, as without a driver, that is a note.
bool is_lack(const finding& f);
faults lacks_of(const checked& found);

bool is_green(const checked& found, const std::string& place);

bool are_among(const faults& some, const faults& all);

}  // namespace cudnn_checked::repairs
