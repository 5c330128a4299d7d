// SPDX-License-Identifier: BSD-3-Clause
//
// Names of many machines in few characters, as Slurm writes them: node[000-007,012].
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::cli {

/// A part of a folded list, which ends where a line may be broken: "node[000-007,", "012],".
struct name_part {
  std::string text;
  std::size_t names = 0;  ///< that it stands for
};

/// Equal beginnings and ends are written once; the names come back in ascending order.
std::vector<name_part> folded_names(const std::vector<std::string>& names);

/// The names of "node[000-007,012],login1".  False if it is no such list, or one of more than a
/// million names.
bool unfold_names(const std::string& list, std::vector<std::string>& names);

}  // namespace cudnn_checked::cli
