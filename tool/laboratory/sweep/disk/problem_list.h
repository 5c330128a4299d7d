// SPDX-License-Identifier: BSD-3-Clause
//
// A file of problems, one a line, as a report writes them.  Lines that begin with # are comments.
#pragma once

#include <string>
#include <vector>

#include "../model/problem.h"

namespace cudnn_checked::sweep {

/// False: `error` begins with the path.  A file that is not there has no problems, unless
/// `must_exist`.
bool read_problem_list(const std::string& path, bool must_exist, std::vector<problem>& problems,
                       std::string& error);

/// Adds those that the file does not have; what it has stays as it is.  False: `error` begins with
/// the path.
bool add_to_problem_list(const std::string& path, const std::vector<problem>& found,
                         std::size_t& added, std::string& error);

}  // namespace cudnn_checked::sweep
