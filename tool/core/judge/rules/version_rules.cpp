// SPDX-License-Identifier: BSD-3-Clause
//
// Program to cuDNN.  Source of the rules: NVIDIA cuDNN documentation, "cuDNN API Compatibility": a
// patch release is compatible both ways; a minor release runs programs built against an equal or
// older minor one; across majors nothing is promised.
#include "../../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static string stamp_source(const rule_input& input) { return "stamp of " + input.stamped.program; }

/// The file whose release decides: the graph library, or the shim where that is not known.
static const cudnn_file* deciding_file(const rule_input& input) {
  const cudnn_set::member* m = input.set.find(computing_role(input.observed.cudnn_major));
  if (m == nullptr || m->identity.releases.empty()) m = input.set.find(library_role::shim);
  return m == nullptr ? nullptr : m->file;
}

static void add_files(const rule_input& input, finding& f) {
  const cudnn_file* file = deciding_file(input);
  f.found = {"would load", to_string(input.set.effective), file == nullptr ? "" : where_of(*file)};
  const cudnn_set::member* shim = input.set.find(library_role::shim);
  if (shim != nullptr && shim->file != file) {
    f.more.push_back({"shim", describe(shim->identity.releases), where_of(*shim->file)});
    add_not_taken(*shim->file, f);
  }
  if (file != nullptr) add_not_taken(*file, f);
  const cudnn_set::member* other_shim = input.without_ld_path.find(library_role::shim);
  if (input.ld_path_decides && other_shim != nullptr && shim != nullptr &&
      other_shim->file->path != shim->file->path) {
    const cudnn_file& other = *other_shim->file;
    f.more.push_back({"passed over", to_string(input.without_ld_path.effective), where_of(other)});
  }
}

static string install_fix(const rule_input& input, const string& wanted) {
  const string fix = fix_by_environment(input);
  if (!fix.empty()) return fix;
  const cudnn_file* file = deciding_file(input);
  const string place =
      file == nullptr ? "" : ", and let the loader find it before " + directory_part(file->path);
  return "install cuDNN " + wanted + place;
}

static finding version_finding(const rule_input& input, finding_id id) {
  finding f(id);
  f.summary =
      format("this program was built with cuDNN %s and would run on cuDNN %s",
             to_string(input.stamped.cudnn_header).c_str(), to_string(input.set.effective).c_str());
  f.expected = {"built with", to_string(input.stamped.cudnn_header), stamp_source(input)};
  add_files(input, f);
  return f;
}

void rule_cudnn_major(const rule_input& input, vector<finding>& findings) {
  const version& built = input.stamped.cudnn_header;
  if (!input.set.effective.known() || input.set.effective.major == built.major) return;
  finding f = version_finding(input, finding_id::cudnn_major);
  f.because = why<finding_id::cudnn_major>();
  f.fix = install_fix(
      input, built.major == 8
                 ? format("8.%d or a newer 8, such as %s", built.minor,
                          wheel_of_cudnn(8, input.stamped.toolkit.major, cudnn_kind::full).c_str())
                 : format("%d.%d or newer", built.major, built.minor));
  findings.push_back(f);
}

void rule_cudnn_older(const rule_input& input, vector<finding>& findings) {
  const version& built = input.stamped.cudnn_header;
  const version& effective = input.set.effective;
  if (!effective.known() || effective.major != built.major) return;
  if (input.stamped.policy == "major" || effective.minor >= built.minor) return;
  finding f = version_finding(input, finding_id::cudnn_older);
  f.because = why<finding_id::cudnn_older>();
  f.fix = install_fix(input, format("%d.%d or newer", built.major, built.minor));
  findings.push_back(f);
}

void rule_cudnn_differs(const rule_input& input, vector<finding>& findings) {
  const version& built = input.stamped.cudnn_header;
  if (input.stamped.policy != "exact") return;
  if (!input.set.effective.known() || input.set.effective == built) return;
  finding f = version_finding(input, finding_id::cudnn_differs);
  f.because = why<finding_id::cudnn_differs>();
  f.fix = install_fix(input, to_string(built));
  findings.push_back(f);
}

// Header and library of different releases: what the program compiles is not what it calls.  Unlike
// a program that meets a newer library at run time, this is one machine's install gone wrong.
void rule_header_library_mismatch(const rule_input& input, vector<finding>& findings) {
  const version& library =
      input.observed.answers.asked ? input.observed.answers.library : input.set.effective;
  const version& header = input.stamped.cudnn_header;
  if (!library.known() || library == header) return;
  finding f(finding_id::header_library_mismatch);
  f.summary = format("the header is of cuDNN %s and the library of cuDNN %s",
                     to_string(header).c_str(), to_string(library).c_str());
  f.expected = {"header", to_string(header), input.observed.header_path};
  const cudnn_file* file = deciding_file(input);
  f.found = {"library", to_string(library), file == nullptr ? "" : where_of(*file)};
  f.because = why<finding_id::header_library_mismatch>();
  f.fix = fix_by_environment(input);
  if (f.fix.empty()) {
    f.fix = format(
        "set CuDNNChecked_ROOT to an install that has both, or reinstall all packages of cuDNN %s",
        to_string(header).c_str());
  }
  findings.push_back(f);
}

// A program that opens cuDNN later, or holds it statically: unknown, not missing.
void rule_no_cudnn_yet(const rule_input& input, vector<finding>& findings) {
  finding f(finding_id::version_unknown);
  f.summary = "this program has no cuDNN at this moment, so none was checked";
  f.expected = {"built with", to_string(input.stamped.cudnn_header), stamp_source(input)};
  f.found = {"loaded", "none", ""};
  f.because = "Which cuDNN it opens later, or is linked with statically, is not known.";
  f.fix = "nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded";
  findings.push_back(f);
}

void rule_version_unknown(const rule_input& input, vector<finding>& findings) {
  if (input.set.effective.known() || deciding_file(input) == nullptr) return;
  if (input.observed.answers.asked && input.observed.answers.library.known()) return;
  finding f(finding_id::version_unknown);
  f.summary = "the release of cuDNN that would be loaded is not known";
  f.expected = {"built with", to_string(input.stamped.cudnn_header), stamp_source(input)};
  f.found = {"would load", "unknown", where_of(*deciding_file(input))};
  f.because = why<finding_id::version_unknown>();
  f.fix = "nothing, if this cuDNN is newer than this release of CuDNNChecked";
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
