// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// A variable whose flags reach the compiler or the linker of a build.
struct flag_source {
  std::string variable;
  std::string from;   ///< "environment CXXFLAGS", which gave it its first value; or empty
  std::string value;  ///< as a shell reads it
  /// The line that sets the variable to another value, which stands in it as `value_to_set`; empty
  /// where no line is known.
  std::string set;
};

/// A value that a shell must quote.
inline constexpr std::string_view value_to_set = "@ @";

/// What to type, or to correct, for each flag that these lines of the compiler or linker name, or
/// are known to follow from.
std::vector<std::string> fixes_of_flags(const std::vector<flag_source>& sources,
                                        const std::vector<std::string>& lines);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
