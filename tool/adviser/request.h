// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"
#include "../core/model/string.h"
#include "../core/model/vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// The facts that the find module tells, key=value each.  A key may be given several times; the
/// keys stand in adviser.cpp.
class request {
 public:
  request(int count, const char* const* arguments);

  /// The first value of the key; empty where it is not told.
  string operator[](const char* key) const;
  vector<string> all(const char* key) const;
  /// The number; 0 where there is none.
  int number(const char* key) const;

 private:
  vector<string> facts_;
};

/// What the program prints: lines of a fix, or findings as one message.
struct reply {
  fix_lines fix;
  vector<finding> findings;
};

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
