// SPDX-License-Identifier: BSD-3-Clause
//
// One install, as it is found at configure time.
#include "../../model/format.h"
#include "../../model/paths.h"
#include "../advice/wheel_commands.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Whether the mix of releases is reported already and the header is of one of them: then another
/// install lends the library that computes, and the header is no second error.
static bool follows_from_mix(const rule_input& input, version header,
                             const arena_vector<finding>& findings) {
  if (mixed_by_absence(input)) return true;
  const bool is_told =
      any_of(findings, [](const finding& f) { return f.id == finding_id::mixed_sublibraries; });
  return is_told && any_of(input.set.members, [&](const cudnn_set::member& m) {
           return any_of(m.identity.releases,
                         [&](const release& one) { return one.number == header; });
         });
}

/// Whether the probe was compiled with other headers than those that were found.
static bool compiled_with_others(const rule_input& input) {
  const version found = input.observed.header_found;
  const version compiled = input.stamped.cudnn_header;
  return found.known() && compiled.known() && found != compiled;
}

// A flag or a variable of the compiler is to blame, and no file.
void rule_compiled_headers(const rule_input& input, arena_vector<finding>& findings) {
  if (!compiled_with_others(input)) return;
  const arena_string& flags = input.observed.compile_flags;
  finding& f = add_finding<finding_id::header_library_mismatch>(findings);
  tell(f,
       "the compiler sees the headers of another cuDNN than the one that was found\n"
       "=found|%s|%s\n"
       ":compiled with|%s|CUDNN_VERSION in the probe\n"
       "+flags|%s|CMAKE_CXX_FLAGS\n"
       ">remove the other directory from CMAKE_CXX_FLAGS, CPATH and CPLUS_INCLUDE_PATH\n"
       ">let CuDNNChecked_ROOT name the directory above the headers that the compiler sees",
       input.observed.header_found, input.observed.header_path, input.stamped.cudnn_header,
       flags.empty() ? "(none)" : flags.c_str());
}

// CMake orders the directories of a run path by what is linked.  Where each of two has to come
// before the other, because both have cuDNN and the CUDA runtime, either may be first.
void rule_run_path_of_probe(const rule_input& input, arena_vector<finding>& findings) {
  const arena_string& found = input.observed.library_found;
  const cudnn_set::member* const shim = input.set.find(library_role::shim);
  if (found.empty() || shim == nullptr || !shim->file->chosen_by.by_run_path() ||
      directory_part(shim->file->real_path) == directory_part(found)) {
    return;
  }
  finding& f = append_finding(findings, finding_id::two_cudnns);
  tell(f,
       "the probe runs on another cuDNN than the one that was found\n"
       "=found|%s|%s\n"
       ":runs on|%s|%s\n"
       ".The run path has the directory of another library before it, also in programs of this "
       "project that link both.\n"
       ">let CuDNNChecked_ROOT name %s\n"
       ">let CUDAToolkit_ROOT name a CUDA toolkit without a cuDNN",
       input.observed.header_found, found, shim->identity.releases, *shim->file,
       directory_part(directory_part(shim->file->path)));
}

// Header and library of different releases: what the program compiles is not what it calls.  Unlike
// a program that meets a newer library at run time, this is one machine's install gone wrong.
void rule_header_library_mismatch(const rule_input& input, arena_vector<finding>& findings) {
  version library =
      input.observed.answers.asked ? input.observed.answers.library : input.set.effective;
  version header = input.stamped.cudnn_header;
  if (!library.known() || !header.known() || library == header) return;
  if (compiled_with_others(input)) return;
  if (follows_from_mix(input, header, findings)) return;
  finding& f = add_finding<finding_id::header_library_mismatch>(findings);
  tell(f,
       "the header is of cuDNN %s and the library of cuDNN %s\n"
       "=header|%s|%s\n"
       ":library|%s|%s",
       header, library, header, input.observed.header_path, library, deciding_file(input));
  f.fix = fix_by_environment(input);
  // A wheel has both.
  const cudnn_file* const file = deciding_file(input);
  const python_environment* const e =
      file == nullptr ? nullptr : environment_of(input.observed, file->path);
  if (f.fix.empty() && e != nullptr && site_of(input.observed.header_path) == e->site) {
    f.fix = {install_in_environment(input, *e, cudnn_kind::any)};
  }
  // The older of the two was left behind by an upgrade, or was copied over the newer one.
  if (f.fix.empty()) {
    tell(f,
         ">let CuDNNChecked_ROOT name an install that has both\n"
         ">reinstall all packages of cuDNN %s",
         header < library ? library : header);
  }
}

// cuDNN's own checks, where they were called (cudnn_graph.h, cudnn_ops.h: each check compares the
// version of its sub-library with those that it depends on).
void rule_version_checks(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.set.coherent()) return;  // the files are reported already, with their paths
  for (const cudnn_answers::check& check : input.observed.answers.checks) {
    if (check.status == 0) continue;
    finding& f = append_finding(findings, finding_id::mixed_sublibraries);
    tell(f,
         "cuDNN reports that its own libraries do not match\n"
         "=%s|0 (CUDNN_STATUS_SUCCESS)\n"
         ":answered|%d (%s)\n"
         ".Its first convolution would fail with the same status.",
         check.name, check.status, check.status_name);
    f.fix = reinstall_fix(input, input.set.members.front().file->path);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
