// SPDX-License-Identifier: BSD-3-Clause
#include "explain_end.h"

#include "../core/judge/advice/advice.h"
#include "../core/judge/judge.h"
#include "../core/model/paths.h"
#include "../prove/end_words.h"
#include "commands.h"
#include "messages.h"
#include "repair_verbs.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The code of a library is not judged, so that nothing shows that these help.
static fix_lines untried(fix_lines fix) {
  for (fix_line& line : fix.in_place()) mark_untried(line);
  return as_told(fix);
}

static bool is_kernel(const arena_string& step) { return starts_with(step, "the kernel"); }

static fix_lines fixes_of_crash(const request& asked, const system_interface& os,
                                const arena_string& step) {
  if (is_kernel(step)) return given_fixes(asked, "without_kernel");
  const fix_line debug = advice("find where it crashes, with a debugger on the probe");
  fix_lines lines = untried(fixes_of_step(step));
  const fix_lines again = untried(install_again(asked, os, asked["library"], ""));
  if (!again.empty()) {
    lines.append(again);
    lines.push_back(debug);
  } else {
    lines.push_back(debug);
    lines.append(untried(install_cudnn_of_request(asked, os, floor_of_components(asked))));
  }
  return lines;
}

/// A program that lacks a library ends by itself; what the system does not start has an error.
static bool has_status(const arena_string& detail) { return starts_with(detail, "exit status"); }

static arena_string why_not_started(const arena_string& detail) {
  return has_status(detail) ? "A program that uses this cuDNN would not start either."
                            : "No program that is built in this directory can be started.";
}

static fix_lines fixes_of_end(const request& asked, const system_interface& os,
                              const arena_string& step) {
  const arena_string ended = asked["ended"];
  if (ended == "timeout") {
    fix_lines lines = given_fixes(asked, "longer");
    lines.push_back(advice("check whether the GPU answers: nvidia-smi"));
    return lines;
  }
  if (ended == "not-started") {
    return {
        advice(has_status(asked["detail"])
                   ? "correct the loader's error below"
                   : "name a build directory on a file system without noexec: cmake -B DIRECTORY")};
  }
  if (ended == "crashed") return fixes_of_crash(asked, os, step);
  return {advice("find what ends the probe, in its words below or with a debugger")};
}

message explain_end(const request& asked, const system_interface& os) {
  const arena_string step = asked["step"].empty() ? "loading the libraries" : asked["step"];
  const arena_string detail = asked["detail"];
  const prove::end_words words = prove::words_of_end({asked["ended"], detail});
  message made;
  made.name = to_string(words.id);
  made.summary = words.summary;
  made.facts.push_back({words.label, detail, asked["ended"] == "timeout" ? asked["limit"] : ""});
  made.facts.push_back({"during", step, ""});
  for (const arena_string& text : asked.all("fact")) made.facts.push_back(fact_of(text));
  made.because.push_back(words.because.empty() ? why_not_started(detail) : words.because);
  if (asked["ended"] == "crashed" && is_kernel(step)) {
    made.because = {
        "What ran is a kernel that this project's CUDA compiler made, and nothing of "
        "cuDNN."};
  }
  made.fixes = fixes_of_end(asked, os, step);
  made.quoted = asked["quoted"];
  return made;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
