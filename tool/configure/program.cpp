// SPDX-License-Identifier: BSD-3-Clause
//
// cudnn_checked_configure: started by the find module where it refuses, to say what to type.  It
// needs neither cuDNN nor CUDA.  One translation unit: it is compiled once for a build tree, at its
// first refusal.
//
//   cudnn_checked_configure VERB KEY=VALUE...
//
// A command is tried on a view of the system (tool/repair) first.
//
//   install        a cuDNN that find_package asks for
//   again FILE     the package of `file` once more; part=headers|libraries: Debian's other one
//   again-or-new   that, or else a cuDNN that find_package asks for
//   step           what to do before all else where the probe was ended in its step `step`
//   runtime        a CUDA runtime for the cuDNN in nvidia/`folder` of `site`, for CUDA `cuda` where
//                  that is known, else of `library`; `then` follows
//   headers        message: the headers in `include`
//   components     message: those that the release `found`, with `library`, came too early for
//   files          message: the files of `library`, with `header`, `toolkit`, `require`
//   report         message: the same, as the probe has told it in the file `report`
//   proof          facts: what a `report` from another machine proves of the cuDNN `place`, or why
//                  it cannot be used (report.h)
//   bundle         copies the cuDNN of `library` to `into`, with the libraries of CUDA where
//                  cuda=yes, and writes to `link` what a program is linked with
//
// What find_package asks for: version, maximum, include=yes (the maximum too), exact=yes, words,
// component; `release`: that one instead.  Where: root (CuDNNChecked_ROOT), python, imports
// (sys.path), roots_only=yes, else below the build tree: own, which `variable` is to name by
// `configure`, of the kind configure_is=command|advice.  For what: machine, cross=yes; the CUDA
// that is instructed (by instructed_by), compiled with, hinted.
//
// Prints a line each, "command<tab>TEXT", "try<tab>TEXT" where nothing shows that the command helps
// (as with shown=no, where a look at files is not what failed), or "advice<tab>TEXT", the best
// first; or the lines of a message.  No value of a fact can begin a line of its own.  Exit status:
// 0, also where it knows nothing to say; 1 where there is no bundle; 2 for another verb.
//
// linux/configure.cpp and windows/configure.cpp, which CMake compiles, include this behind core.
#include <cstdio>

#include "../bundle/bundle_text.cpp"
#include "../bundle/choose_bundle.cpp"
#include "../bundle/licenses.cpp"
#include "../bundle/write_bundle.cpp"
#include "../repair/adviser.cpp"
#include "../repair/apt_lists.cpp"
#include "../repair/candidates.cpp"
#include "../repair/changed_system.cpp"
#include "../repair/download.cpp"
#include "../repair/effort.cpp"
#include "../repair/faults.cpp"
#include "../repair/held_requirements.cpp"
#include "../repair/kept_users.cpp"
#include "../repair/package_extras.cpp"
#include "../repair/pip_places.cpp"
#include "../repair/plan_search.cpp"
#include "../repair/python_metadata.cpp"
#include "../repair/remembered_system.cpp"
#include "../repair/repaired_system.cpp"
#include "../repair/settings.cpp"
#include "../repair/tools.cpp"
#include "../repair/version_specifier.cpp"
#include "../repair/wheel_contents.cpp"

#include "../core/system/own_system.h"
#include "../core/system/program_arguments.h"

#include "again.cpp"
#include "environment.cpp"
#include "files.cpp"
#include "install.cpp"
#include "make_bundle.cpp"
#include "messages.cpp"
#include "read_findings.cpp"
#include "report_claims.cpp"
#include "report_text.cpp"
#include "report_values.cpp"
#include "request.cpp"
#include "requirement.cpp"
#include "runtime.cpp"
#include "take_report.cpp"
#include "trial.cpp"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static void print(reply& told) {
  keep_what_can_be_pasted(told.fix);
  repairs::tell_downloads(told.fix);
  for (const fix_line& line : told.fix) {
    const bool untried = line.tried == trial_result::unknown;
    std::printf("%s\t%s\n", untried ? "try" : to_string(line.what), one_line(line.text).c_str());
    const arena_string words = words_behind(line);
    if (!words.empty()) std::printf("note\t%s\n", words.c_str());
  }
  for (finding& f : told.findings.in_place()) {
    keep_what_can_be_pasted(f.fix);
    repairs::tell_downloads(f.fix);
  }
  const arena_string prefix = arena_string("cudnn_checked: ") + to_string(verdict::refused);
  std::fputs(findings_message(told.findings, prefix, severity::unknown).c_str(), stdout);
}

static int main_of_configure(int count, char** words) {
  const arena_string verb = count > 1 ? words[1] : "";
  const request asked(count - 2, words + 2);
  keep_line_feeds();
  const system_interface& os = own_system();
  if (verb == "proof") {
    std::fputs(take_report(asked, os).c_str(), stdout);
    return 0;
  }
  if (verb == "bundle") return make_bundle(asked, os);
  reply told;
  if (verb == "install") {
    told.fix = install_cudnn_of_request(asked, os, floor_of_components(asked));
  } else if (verb == "again") {
    told.fix = install_again(asked, os, asked["file"], asked["part"]);
  } else if (verb == "again-or-new") {
    told.fix = again_or_new(asked, os, asked["file"]);
  } else if (verb == "step") {
    told.fix = fixes_of_step(asked["step"]);
  } else if (verb == "runtime") {
    told.fix = install_runtime(asked, os);
  } else if (verb == "headers") {
    told = judge_headers(asked, os);
  } else if (verb == "components") {
    told = judge_components(asked, os);
  } else if (verb == "files") {
    told = judge_files(asked, os);
  } else if (verb == "report") {
    told = judge_report(asked, os);
  } else {
    return 2;
  }
  if (asked["shown"] == "no") {
    for (fix_line& line : told.fix.in_place()) mark_untried(line);
  } else if (verb != "runtime") {
    try_cudnn(asked, os, told.fix);
  }
  print(told);
  return 0;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

int main(int count, char** arguments) {
  using namespace cudnn_checked;
  return configure::main_of_configure(count, program_arguments(count, arguments));
}
