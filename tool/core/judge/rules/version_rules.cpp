// SPDX-License-Identifier: BSD-3-Clause
//
// Program to cuDNN.  Source of the rules: NVIDIA cuDNN documentation, "cuDNN API Compatibility": a
// patch release is compatible both ways; a minor release runs programs built against an equal or
// older minor one; across majors nothing is promised.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_string stamp_source(const rule_input& input) {
  return format("stamp of %s", input.stamped.program);
}

static void add_files(const rule_input& input, finding& f) {
  const cudnn_file* file = deciding_file(input);
  tell(f, ":would load|%s|%s", input.set.effective, file);
  const cudnn_set::member* shim = input.set.find(library_role::shim);
  if (shim != nullptr && shim->file != file) {
    tell(f, "+shim|%s|%s", shim->identity.releases, *shim->file);
    add_not_taken(*shim->file, f);
  }
  if (file != nullptr) add_not_taken(*file, f);
  const cudnn_set::member* other_shim = input.without_ld_path.find(library_role::shim);
  if (input.ld_path_decides && other_shim != nullptr && shim != nullptr &&
      other_shim->file->path != shim->file->path) {
    tell(f, "+passed over|%s|%s", input.without_ld_path.effective, *other_shim->file);
  }
}

static fix_lines install_fix(const rule_input& input, arena_string wanted) {
  const fix_lines fix = fix_by_environment(input);
  if (!fix.empty()) return fix;
  const cudnn_file* file = deciding_file(input);
  if (file != nullptr) {
    const fix_lines package = fix_of_package(input, file->path, cudnn_kind::any);
    if (!package.empty()) return package;
  }
  return {advice(file == nullptr ? format("let the loader find cuDNN %s", wanted)
                                 : format("let the loader find cuDNN %s before %s", wanted,
                                          directory_part(file->path)))};
}

static void tell_version(const rule_input& input, arena_string wanted, finding& f) {
  version built = input.stamped.cudnn_header;
  tell(f,
       "this program was built with cuDNN %s and would run on cuDNN %s\n"
       "=built with|%s|%s",
       built, input.set.effective, built, stamp_source(input));
  f.fix = install_fix(input, wanted);
  add_files(input, f);
}

void rule_cudnn_major(const rule_input& input, arena_vector<finding>& findings) {
  version built = input.stamped.cudnn_header;
  if (!input.set.effective.known() || input.set.effective.major == built.major) return;
  const arena_string wanted =
      built.major == oldest_cudnn
          ? format("%s or a newer %d, such as %s", as_cuda(built), built.major,
                   wheel_of_cudnn(built.major, input.stamped.toolkit.major, cudnn_kind::full))
          : format("%s or newer", as_cuda(built));
  tell_version(input, wanted, add_finding<finding_id::cudnn_major>(findings));
}

void rule_cudnn_older(const rule_input& input, arena_vector<finding>& findings) {
  version built = input.stamped.cudnn_header;
  version effective = input.set.effective;
  if (!effective.known() || effective.major != built.major) return;
  if (input.stamped.policy == "major" || effective.minor >= built.minor) return;
  if (mixed_by_absence(input)) return;
  tell_version(input, format("%s or newer", as_cuda(built)),
               add_finding<finding_id::cudnn_older>(findings));
}

void rule_cudnn_differs(const rule_input& input, arena_vector<finding>& findings) {
  version built = input.stamped.cudnn_header;
  if (input.stamped.policy != "exact") return;
  if (!input.set.effective.known() || input.set.effective == built) return;
  if (mixed_by_absence(input)) return;
  tell_version(input, to_string(built), add_finding<finding_id::cudnn_differs>(findings));
}

// A program that opens cuDNN later, or holds it statically: unknown, not missing.
void rule_no_cudnn_yet(const rule_input& input, arena_vector<finding>& findings) {
  tell(append_finding(findings, finding_id::version_unknown),
       "this program has no cuDNN at this moment, so none was checked\n"
       "=built with|%s|%s\n"
       ":loaded|none\n"
       ".Which cuDNN it opens later, or is linked with statically, is not known.\n"
       ">nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded",
       input.stamped.cudnn_header, stamp_source(input));
}

void rule_version_unknown(const rule_input& input, arena_vector<finding>& findings) {
  if (input.set.effective.known() || deciding_file(input) == nullptr) return;
  if (input.observed.answers.asked && input.observed.answers.library.known()) return;
  if (is_corrupt(deciding_file(input)->state)) return;
  tell(add_finding<finding_id::version_unknown>(findings),
       "the release of cuDNN that would be loaded is not known\n"
       "=built with|%s|%s\n"
       ":would load|unknown|%s\n"
       ">nothing, if this cuDNN is newer than this release of CuDNNChecked",
       input.stamped.cudnn_header, stamp_source(input), deciding_file(input));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
