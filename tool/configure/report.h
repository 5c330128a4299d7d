// SPDX-License-Identifier: BSD-3-Clause
//
// A report of the probe.  Values of one that others wrote are data of a known form and nothing
// else: no code of CMake, no generator expression, no end of a string of C.
#pragma once

#include <initializer_list>

#include "../core/json/json.h"
#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

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

/// Reads values, and keeps the first one that does not have its form.
class report_values {
 public:
  /// A member of a member ... of `tree`; empty where there is none.  `where` stands in front of its
  /// name.
  arena_string value(value_form form, const arena_string& where, const json& tree,
                     std::initializer_list<const char*> keys);
  /// The elements of an array; none where there is no such member.
  arena_vector<arena_string> values(value_form form, const json& tree,
                                    std::initializer_list<const char*> keys);
  /// The array; null where there is none.
  const json* list(const json& tree, std::initializer_list<const char*> keys);

  /// "cuda.driver is not a version"; empty if all values had their form.
  const arena_string& fault() const { return fault_; }
  /// That value, in one line of at most 60 characters.
  const arena_string& found() const { return found_; }

 private:
  arena_string checked(value_form form, const arena_string& name, const json& value);
  void refuse(const arena_string& name, const char* form, const json& value);

  arena_string fault_;
  arena_string found_;
};

/// Reads a report that was brought from another machine.  False where the file is none, and `fault`
/// says why: it must be text of at most 1 MiB and 16 levels, with each member once.
bool read_report(const system_interface& os, const arena_string& path, json& report,
                 arena_string& fault);

/// The claim of an accepted report of the probe that does not follow from its devices, runs and
/// findings; empty if all claims follow.  Values of another form are faults of `values`.
arena_string contradiction_in(const json& report, report_values& values);

/// The findings that are more than a note, a line each.
arena_string findings_in(const json& report, report_values& values);

/// The verb `proof`.  Takes the report `report` that the probe wrote on another machine, and writes
/// what it proves (core/report/proof.h) to the file `proof`, with `line`, what is to be printed. It
/// must be whole, follow from what ran, and be of the cuDNN that was found (place, header,
/// library), of its CUDA (toolkit, cudart) and of the same `component`s; reach the level that is
/// required (require); prove each `operation` that is asked for, where it ran; and have a sweep of
/// `sweep` seconds, where that is asked for.  Otherwise prints why not, and how to get another
/// report: by the programs `judge`, `probe` and `sweep_program`.
/// Returns the exit status: 0, 1 for a refusal, 2 if the file cannot be written.
int take_report(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
