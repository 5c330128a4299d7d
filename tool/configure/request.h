// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "../core/model/finding.h"
#include "../core/model/version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The key=value arguments of the find module (docs/configure.md).  A key may be given several
/// times.
class request {
 public:
  request(int count, const char* const* arguments);

  /// The first value of the key; empty without one.
  arena_string operator[](const char* key) const;
  arena_vector<arena_string> all(const char* key) const;
  /// The same with one more value of the key.
  request with(const char* key, const arena_string& value) const;
  /// The number; 0 where there is none.
  int number(const char* key) const;
  /// All of them.
  const arena_vector<arena_string>& arguments() const { return facts_; }

 private:
  arena_vector<arena_string> facts_;
};

/// The newest major release of CUDA for which a cuDNN exists.
int newest_cuda();

/// The Python package of a cuDNN that find_package asks for (version, maximum, include, exact), as
/// "nvidia-cudnn-cu13==9.14.0.*": of the release `exact` instead, where that is not empty, and not
/// older than `floor`.  Empty where there is none for that CUDA.
arena_string requirement_of_request(const request& asked, int cuda_major, const arena_string& floor,
                                    const arena_string& exact);

/// Does that release answer find_package, `floor` and `exact`?
bool answers_request(const request& asked, const version& number, const arena_string& floor,
                     const arena_string& exact);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
