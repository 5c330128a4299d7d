// SPDX-License-Identifier: BSD-3-Clause
//
// The reports of many machines: groups of equal ones, and which machines have none.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cudnn_checked::cli {

/// What makes machines equal, in the order in which it is shown.
struct machine_column {
  const char* heading;
  const char* key;
};
enum : std::size_t { verdict_column = 0, findings_column = 5 };
inline constexpr machine_column machine_columns[] = {
    {"verdict", "verdict"}, {"cuDNN", "cudnn"}, {"CUDA", "cuda"},
    {"driver", "driver"},   {"GPUs", "gpus"},   {"findings", "findings"}};

struct machine_group {
  std::vector<std::string> row;  ///< one text a column; empty: none
  std::string reason;            ///< why the files cannot be read; empty for reports
  std::vector<std::string> files;

  bool is_unreadable() const { return !reason.empty(); }
};

/// Reports that are of one machine: their files have one name, or they name one GPU.
struct repeated_machine {
  std::string gpu;  ///< its UUID; empty: their names are equal
  std::vector<std::string> files;
};

struct fleet_reports {
  std::size_t count = 0;
  std::vector<machine_group> groups;  ///< the largest first; those that cannot be read come last
  std::vector<repeated_machine> repeated;
  std::string expected;                    ///< what the caller expects; empty: nothing
  std::size_t missing = 0;                 ///< machines without a report
  std::size_t more = 0;                    ///< machines beyond the number that was expected
  std::vector<std::string> missing_names;  ///< empty where only a number was expected
  std::vector<std::string> unexpected;     ///< names that are not among the expected ones
};

/// "node17": the name of the file, without ".json".
std::string machine_of(const std::string& file);

fleet_reports read_fleet(const std::vector<std::string>& files);

/// Compares with `expected`, a number or a list as "node[000-007],login1".  False if it is neither.
bool compare_with_expected(const std::string& expected, fleet_reports& fleet);

}  // namespace cudnn_checked::cli
