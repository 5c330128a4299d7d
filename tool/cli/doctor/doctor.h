// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of doctor: what it counts, and for a bug report what that has beside the cuDNNs: the
// system, what frameworks load when they are imported, the libraries of CUDA on the disk, packages
// and variables.
#pragma once

#include <array>

#include "../../core/judge/survey/survey_rules.h"
#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"
#include "../formats/outcome.h"
#include "../machine/named_tree.h"
#include "../survey/survey_machine.h"
#include "../text/output.h"
#include "../text/redaction.h"

namespace cudnn_checked::cli {

struct command_line;

/// The tree of --root; without the option its path is empty.
bool read_tree_of(const command_line& given, named_tree& tree, std::string& wrong);

/// "driver" and "GPUs", and what is known of them below each.
arena_string driver_and_gpus(const observation& observed, bool of_this_machine);

/// Where Python packages are, and the interpreter that imports them; it may be empty.
struct paste_place {
  arena_string python;
  arena_vector<arena_string> sites;  ///< each a site-packages
};

/// The packages of the directories of the command line, or without any those of the active
/// environment.
paste_place place_of_packages(const system_interface& os,
                              const std::vector<std::string>& directories);

/// Operating system, container, Python, nvcc, GPUs as nvidia-smi lists them.
text_rows system_rows(const system_interface& os, const paste_place& place);

/// Each framework is imported in a process of its own: its version, its cuDNN and the directories
/// from which libraries of cuDNN and CUDA were loaded, or how it failed.
text_rows loaded_rows(const system_interface& os, const paste_place& place);

/// The libraries of CUDA where the loader, the packages and the toolkits have them, by directory.
text_rows cuda_library_rows(const system_interface& os, const paste_place& place,
                            const arena_vector<cuda_toolkit>& toolkits);

/// Packages of Python, conda and dpkg that have to do with cuDNN, and what they require of it.
text_rows package_rows(const system_interface& os, const paste_place& place);

/// Known variables with their values, redacted; of others that begin like them the names.
text_rows variable_rows(const private_words& own);

/// "nvidia-smi topo -m"; empty where there is none.
arena_string topology_text(const system_interface& os);

/// The parts of the output of doctor without --paste.
struct doctor_text {
  arena_string overview;  ///< what is there
  arena_string messages;  ///< what is wrong
  arena_string summary;   ///< the last line
};

/// A short code block, and a long one that is folded.  All text is redacted.  Nothing in it ends a
/// code block, and it has at most 60,000 bytes: GitHub takes 65,536 characters.
arena_string paste_text(const system_interface& os, const survey& all, const doctor_text& doctor,
                        const std::vector<std::string>& directories);

/// Each cuDNN, and what is wrong beside these: the machine, or the directories of the command line.
outcome outcome_of(const survey& all, const survey_judgement& judged,
                   const std::vector<std::string>& directories);

/// How many findings there are of each severity.  Findings that one command repairs count once,
/// with the worst severity.
using counts_by_weight = std::array<std::size_t, 4>;
counts_by_weight counts_of(const arena_vector<finding>& findings);

}  // namespace cudnn_checked::cli
