// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong, as something that two checks can be compared by.
#pragma once

#include <set>
#include <string>

#include "adviser.h"

namespace cudnn_checked::repairs {

/// What is wrong, however it is worded.
using faults = std::set<std::string>;

bool is_of_driver(const finding& f);

bool has_repair(const finding& f);

/// Of the driver and the GPUs: another cuDNN changes nothing of it.
bool is_of_machine(finding_id id);

/// What another driver or GPU would mend, and no repair that is known here.
bool is_beyond_repair(const finding& f);

/// An error or a warning.
bool is_grave(const finding& f);

/// Is there a command to look for?
bool is_to_repair(const finding& f);

std::string place_of(const checked& found, std::size_t index);
std::string fault_of(const finding& f, const std::string& place);
std::string fault_of(const checked& found, std::size_t index);
faults faults_of(const checked& found);

/// Does what a command leads to have a fault that was not there?  A warning of a known defect is
/// none: nothing was said of a release while its set was not whole, and it has its own way out.
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
