// SPDX-License-Identifier: BSD-3-Clause
//
// The rules.  Each looks at one thing, has its source in its comment, and appends what it finds.
#pragma once

#include <vector>

#include "cudnn_set.h"
#include "judge.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What every rule gets.
struct judged {
  const stamp& stamped;
  const observation& seen;
  const policy& how;
  bool at_configure;             ///< an install is judged, not a program
  cudnn_set set;                 ///< seen.files
  cudnn_set without_ld_path;     ///< the files as they would be with LD_LIBRARY_PATH unset
  bool ld_path_decides = false;  ///< a member of `set` was chosen by LD_LIBRARY_PATH
};

using rule = void (*)(const judged&, std::vector<finding>&);

// version_rules.cpp: program to cuDNN, and header to library
void rule_cudnn_major(const judged& j, std::vector<finding>& findings);
void rule_cudnn_older(const judged& j, std::vector<finding>& findings);
void rule_cudnn_differs(const judged& j, std::vector<finding>& findings);
void rule_header_library_mismatch(const judged& j, std::vector<finding>& findings);
void rule_no_cudnn_yet(const judged& j, std::vector<finding>& findings);
void rule_version_unknown(const judged& j, std::vector<finding>& findings);

// set_rules.cpp: inside one cuDNN
void rule_library_corrupt(const judged& j, std::vector<finding>& findings);
void rule_sublibrary_missing(const judged& j, std::vector<finding>& findings);
void rule_mixed_sublibraries(const judged& j, std::vector<finding>& findings);
void rule_version_checks(const judged& j, std::vector<finding>& findings);

// identity_rules.cpp
void rule_not_of_release(const judged& j, std::vector<finding>& findings);
void rule_record_incomplete(const judged& j, std::vector<finding>& findings);

// process_rules.cpp: several cuDNNs
void rule_two_cudnns(const judged& j, std::vector<finding>& findings);
void rule_loader_override(const judged& j, std::vector<finding>& findings);

// dependency_rules.cpp
void rule_dependency_missing(const judged& j, std::vector<finding>& findings);
void rule_dependency_mixed(const judged& j, std::vector<finding>& findings);

// cuda_rules.cpp
void rule_cuda_major(const judged& j, std::vector<finding>& findings);

// driver_rules.cpp
void rule_driver_missing(const judged& j, std::vector<finding>& findings);
void rule_driver_too_old(const judged& j, std::vector<finding>& findings);
void rule_driver_mismatch(const judged& j, std::vector<finding>& findings);
void rule_compat_driver(const judged& j, std::vector<finding>& findings);

// cudnn_gpu_rules.cpp
void rule_gpu_of_cudnn(const judged& j, std::vector<finding>& findings);

// known_defects.cpp
void rule_known_bad(const judged& j, std::vector<finding>& findings);

// gpu_rules.cpp
void rule_no_device(const judged& j, std::vector<finding>& findings);
void rule_architecture(const judged& j, std::vector<finding>& findings);

// start_rules.cpp: a program that is judged from outside
void rule_start_missing(const judged& j, std::vector<finding>& findings);
void rule_start_corrupt(const judged& j, std::vector<finding>& findings);
void rule_start_symbols(const judged& j, std::vector<finding>& findings);
void rule_not_stamped(const judged& j, std::vector<finding>& findings);

// convolution_rules.cpp: configure time
void rule_convolution_failed(const judged& j, std::vector<finding>& findings);
void rule_gpus_unusable(const judged& j, std::vector<finding>& findings);
void rule_wrong_numbers(const judged& j, std::vector<finding>& findings);
void rule_not_verified(const judged& j, std::vector<finding>& findings);

/// The device code of the program that is worth judging; empty where it has none or it is not
/// known.
std::vector<code_container> code_of_program(const judged& j);

/// "GPU 0", its architecture and its name.
fact gpu_fact(const gpu& device);

/// What to type so that the program carries machine code for a GPU.
std::string fix_by_architecture(const std::vector<code_container>& containers, const gpu& device);

/// The PyPI package, with its number, that has cuDNN 8 for that CUDA:
/// "nvidia-cudnn-cu12==8.9.7.29".
const char* package_of_cudnn_8(int cuda_major);

/// A line for the file that came before this one and was not taken; none where there is none.
void add_not_taken(const cudnn_file& file, finding& f);

/// Two files of one role are mapped that are of different releases.
bool has_two_cudnns(const judged& j);

/// No order of the program's first calls leads to files of one release.
bool mixed_in_every_order(const judged& j);

/// The observation's files, as they would be in another order of calls.
std::vector<cudnn_file> files_in_order(const judged& j, const order_variant& order);

/// What to type where LD_LIBRARY_PATH brings the wrong files and the right ones are there without
/// it; empty where that would not help.
std::string fix_by_environment(const judged& j);

/// What to type where LD_LIBRARY_PATH must lead to that directory, or to none.
std::string fix_by_ld_path(const judged& j, const std::string& directory);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
