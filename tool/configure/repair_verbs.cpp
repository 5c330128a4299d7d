// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "../core/judge/judge.h"
#include "../core/model/one_line.h"
#include "../core/report/report.h"
#include "../core/system/own_system.h"
#include "../repair/download.h"
#include "commands.h"
#include "explain_build.h"
#include "explain_end.h"
#include "explain_search.h"
#include "make_bundle.h"
#include "message.h"
#include "messages.h"
#include "repair_verbs.h"
#include "report.h"
#include "verbs.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

arena_vector<arena_string> lines_of(fix_lines fix) {
  keep_what_can_be_pasted(fix);
  repairs::tell_downloads(fix);
  arena_vector<arena_string> lines;
  for (const fix_line& line : fix) {
    const bool untried = line.tried == trial_result::unknown;
    lines.push_back((untried ? "try\t" : "") + line.text);
    const arena_string words = words_behind(line);
    if (!words.empty()) lines.push_back("note\t" + words);
  }
  return lines;
}

/// Prints a message, and behind it the quoted output of another program.
static void print(reply& told, const arena_string& quoted) {
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
  if (!told.findings.empty()) std::fputs(quoted_lines(quoted).c_str(), stdout);
}

/// False where the verb is not known.
static bool advise(const arena_string& verb, const request& asked, const system_interface& os,
                   reply& told) {
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
    return false;
  }
  return true;
}

int answer_with_repairs(const arena_string& verb, const request& asked) {
  const system_interface& os = own_system();
  if (verb == "proof") {
    std::fputs(take_report(asked, os).c_str(), stdout);
    return 0;
  }
  if (verb == "bundle") return make_bundle(asked, os);
  if (verb == "explain-end") {
    // A probe that dies does not report what it had found in the files before.
    reply files = judge_files(asked, os);
    if (files.findings.empty()) {
      std::fputs(text_of(explain_end(asked, os)).c_str(), stdout);
    } else {
      print(files, {});
    }
    return 0;
  }
  if (verb == "explain-search") {
    std::fputs(text_of(explain_search(asked, os)).c_str(), stdout);
    return 0;
  }
  reply told;
  if (!advise(verb, asked, os, told)) return -1;
  if (asked["shown"] == "no") {
    for (fix_line& line : told.fix.in_place()) mark_untried(line);
  } else if (verb != "runtime") {
    try_cudnn(asked, os, told.fix);
  }
  print(told, verb == "headers" ? lines_of_build(asked, os) : arena_string());
  return 0;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
