// SPDX-License-Identifier: BSD-3-Clause
//
// Whoever runs this program, and on which machine.
#pragma once

#include <string>

namespace cudnn_checked::cli {

/// As the system records it, which the environment can contradict.
struct account {
  std::string name;  ///< empty: there is no such record
  std::string home;
};

account own_account();

/// Empty where it is not known.
std::string host_name();

}  // namespace cudnn_checked::cli
