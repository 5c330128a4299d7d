// SPDX-License-Identifier: BSD-3-Clause
//
// Variables that name where a cuDNN is.
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../rules/rules.h"
#include "survey_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// With such a variable a build, and a package that reads it, search elsewhere.
void rule_lost_hints(const survey& all, arena_vector<finding>& findings) {
  for (const lost_hint& lost : all.lost_hints) {
    finding& f = append_finding(findings, finding_id::library_missing);
    f.weight = severity::note;
    tell(f,
         "%s names a directory %s\n"
         "=named|%s|%s\n"
         ".What reads it takes a cuDNN from elsewhere, or finds none.\n"
         ">name the directory above cuDNN's include and %s, or unset %s",
         lost.variable, lost.exists ? "without a library of cuDNN" : "that does not exist",
         lost.directory, lost.variable, folder_of_wheel_libraries(), lost.variable);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
