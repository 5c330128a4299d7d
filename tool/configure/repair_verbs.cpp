// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "../core/judge/advice/advice.h"
#include "../core/judge/judge.h"
#include "../core/model/one_line.h"
#include "../core/report/report.h"
#include "../repair/download.h"
#include "commands.h"
#include "explain_build.h"
#include "explain_end.h"
#include "explain_runtime.h"
#include "explain_search.h"
#include "make_bundle.h"
#include "message.h"
#include "messages.h"
#include "platform.h"
#include "repair_verbs.h"
#include "report.h"
#include "verbs.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

fix_lines as_told(fix_lines fix) {
  keep_what_can_be_pasted(fix);
  repairs::tell_downloads(fix);
  return fix;
}

/// The message with these lines in front of its own.
static message with_advice(message made, fix_lines lines) {
  lines.append(made.fixes);
  made.fixes = lines;
  return made;
}

/// Findings as one message, and behind it the quoted output of another program.
static arena_string text_of(arena_vector<finding> findings, const arena_string& quoted) {
  if (findings.empty()) return {};
  for (finding& f : findings.in_place()) f.fix = as_told(f.fix);
  const arena_string prefix = arena_string("cudnn_checked: ") + to_string(verdict::refused);
  return findings_message(findings, prefix, severity::unknown) + quoted_lines(quoted);
}

static arena_string text_of_build(const build_failure& failure) {
  const arena_string text = text_of(failure.findings, failure.quoted);
  return text.empty() ? text_of(failure.told) : text;
}

/// False where the verb is not known.
static bool tell(const arena_string& verb, const request& asked, const system_interface& os,
                 arena_string& text) {
  if (verb == "components") {
    text = text_of(judge_components(asked, os), {});
  } else if (verb == "explain-build") {
    text = text_of_build(explain_build(asked, os));
  } else if (verb == "judge-files") {
    text = text_of(judge_files(asked, os), {});
  } else if (verb == "judge-again") {
    text = text_of(findings_with_repairs(asked, os), {});
  } else if (verb == "explain-search") {
    text = text_of(explain_search(asked, os));
  } else if (verb == "explain-runtime") {
    const fix_lines installs = as_told(install_runtime(asked, os));
    text = text_of(with_advice(explain_runtime(asked, os), installs));
  } else if (verb == "explain-component") {
    text = text_of(explain_component(asked, os));
  } else if (verb == "explain-import") {
    text = text_of(explain_import(asked, os));
  } else if (verb == "explain-end") {
    // A probe that dies does not report what it had found in the files before.
    text = text_of(judge_files(asked, os), {});
    if (text.empty()) text = text_of(explain_end(asked, os));
  } else {
    return false;
  }
  return true;
}

int answer_with_repairs(const arena_string& verb, const request& asked) {
  const system_interface& os = system_of_files(asked);
  if (verb == "proof") return take_report(asked, os);
  if (verb == "bundle") return make_bundle(asked, os);
  arena_string text;
  if (!tell(verb, asked, os, text)) return -1;
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
