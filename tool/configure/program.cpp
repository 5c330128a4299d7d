// SPDX-License-Identifier: BSD-3-Clause
//
// cudnn_checked_configure: the command `configure` of cudnn-checked alone.  It needs neither cuDNN
// nor CUDA.  Where the find module finds no cudnn-checked of these sources, it compiles this once
// for a build tree, when the program is first needed.
//
//   cudnn_checked_configure configure VERB KEY=VALUE...
//
// It has two parts besides core, which are objects of their own.  With CUDNN_CHECKED_JUDGE_ALONE
// this is the one that has main(), runs the probe, judges it, and writes the refusals that no
// command mends: with core it is cudnn_checked_judge.  With CUDNN_CHECKED_REPAIRS_ALONE this is the
// other one, which only a refusal needs: the repairs.
//
// linux/configure.cpp and windows/configure.cpp, which CMake compiles, include this behind core.
#include "verbs.h"

#ifndef CUDNN_CHECKED_REPAIRS_ALONE
#include <cstdio>

#include "../core/system/program_arguments.h"
#include "../prove/cmake_program.cpp"
#include "../prove/judge.cpp"
#include "../prove/options.cpp"
#include "../prove/proving.cpp"
#include "../prove/report_file.cpp"
#include "../prove/run_program.cpp"
#include "../prove/told.cpp"
#include "../prove/told_system.cpp"

#include "import_library.cpp"
#include "library_machine.cpp"
#include "message.cpp"
#include "opened_libraries.cpp"
#include "project.cpp"
#include "refusals.cpp"
#include "request.cpp"
#include "verbs.cpp"
#endif

#ifndef CUDNN_CHECKED_JUDGE_ALONE
#include "../bundle/bundle_text.cpp"
#include "../bundle/choose_bundle.cpp"
#include "../bundle/licenses.cpp"
#include "../bundle/write_bundle.cpp"
#include "../prove/dead_probe.cpp"
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

#include "build_flags.cpp"
#include "build_stop.cpp"
#include "build_words.cpp"
#include "cuda_compiler.cpp"
#include "environment.cpp"
#include "explain_build.cpp"
#include "explain_end.cpp"
#include "explain_runtime.cpp"
#include "explain_search.cpp"
#include "file_kinds.cpp"
#include "files.cpp"
#include "install.cpp"
#include "make_bundle.cpp"
#include "messages.cpp"
#include "place_reasons.cpp"
#include "reinstall.cpp"
#include "repair_verbs.cpp"
#include "report_claims.cpp"
#include "report_text.cpp"
#include "report_values.cpp"
#include "requirement.cpp"
#include "runtime.cpp"
#include "runtime_reasons.cpp"
#include "searched_places.cpp"
#include "take_report.cpp"
#include "trial.cpp"

// Before main() begins: the object of the judge is the same with and without these.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wglobal-constructors"
#endif
[[maybe_unused]] static const bool has_repairs =
    (cudnn_checked::configure::verbs_of_repairs = cudnn_checked::configure::answer_with_repairs) !=
    nullptr;
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif

#ifndef CUDNN_CHECKED_REPAIRS_ALONE
// Release and hash of the sources: CMake compiles it with them.
#ifndef CUDNN_CHECKED_IDENTITY
#define CUDNN_CHECKED_IDENTITY "unknown"
#endif

int main(int count, char** words) {
  using namespace cudnn_checked;
  char** const arguments = program_arguments(count, words);
  if (configure::is_asked(count, arguments)) {
    return configure::answer(count, arguments, CUDNN_CHECKED_IDENTITY, configure::verbs_of_repairs);
  }
  std::fputs("usage: cudnn_checked_configure configure VERB KEY=VALUE...\n", stderr);
  return 2;
}
#endif
