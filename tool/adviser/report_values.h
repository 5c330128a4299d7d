// SPDX-License-Identifier: BSD-3-Clause
//
// Values of a report that others wrote, which are data of a known form and nothing else: no code of
// CMake, no generator expression, no end of a string of C.
#pragma once

#include <initializer_list>

#include "../core/json/json.h"
#include "../core/model/string.h"
#include "../core/model/vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// The forms that a value can have.
enum class value_form {
  version,       ///< "9.14.0"
  architecture,  ///< "sm_90a"
  cuda_code,     ///< "75-real"
  level,
  verdict,
  severity,
  word,      ///< a name
  build_id,  ///< hexadecimal
  sentence,  ///< a line of text
  number,
  index  ///< a whole number
};

/// Reads values, and keeps the first that is not of its form.
class report_values {
 public:
  /// A member of a member ... of `tree`; empty where there is none.  `where` stands in front of its
  /// name.
  string value(value_form form, const string& where, const json& tree,
               std::initializer_list<const char*> keys);
  /// The elements of an array; none where there is no such member.
  vector<string> values(value_form form, const json& tree, std::initializer_list<const char*> keys);
  /// The array; null where there is none.
  const json* list(const json& tree, std::initializer_list<const char*> keys);

  /// "cuda.driver is not a version"; empty where all have been.
  const string& fault() const { return fault_; }
  /// That value, in one line of at most 60 characters.
  const string& found() const { return found_; }

 private:
  string checked(value_form form, const string& name, const json& value);
  void refuse(const string& name, const char* form, const json& value);

  string fault_;
  string found_;
};

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
