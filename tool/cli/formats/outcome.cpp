// SPDX-License-Identifier: BSD-3-Clause
#include "outcome.h"

#include <algorithm>

#include "../../core/model/one_line.h"
#include "../../core/report/report.h"

namespace cudnn_checked::cli {

std::string aspect_word(subject_of_finding about) {
  switch (about) {
    case subject_of_finding::place:
      return "place";
    case subject_of_finding::files:
      return "files";
    case subject_of_finding::dependency:
      return "CUDA libraries";
    case subject_of_finding::program:
      return "program";
    case subject_of_finding::driver:
      return "driver";
    case subject_of_finding::gpu:
      return "GPUs";
    case subject_of_finding::convolution:
      return "numbers";
    case subject_of_finding::configure:
      break;
  }
  return "probe";
}

checked_subject subject_of(const std::string& name, const std::vector<subject_of_finding>& aspects,
                           const arena_vector<finding>& findings) {
  checked_subject subject;
  subject.name = name;
  for (const subject_of_finding one : aspects) subject.aspects.push_back(aspect_word(one));
  for (const finding& f : findings) {
    const arena_string text = findings_message({f}, to_string(f.weight), severity::note);
    subject.findings.push_back({to_string(f.id), aspect_word(row_of(f.id).about), f.weight,
                                std::string(one_line(f.summary)), std::string(text)});
  }
  return subject;
}

std::vector<std::string> all_aspects(const checked_subject& subject) {
  std::vector<std::string> all = subject.aspects;
  for (const told_finding& f : subject.findings) {
    if (std::find(all.begin(), all.end(), f.aspect) == all.end()) all.push_back(f.aspect);
  }
  return all;
}

std::string verdict_word(const checked_subject& subject) {
  if (!subject.error.empty()) return "not checked";
  severity worst = severity::note;
  for (const told_finding& f : subject.findings) worst = std::max(worst, f.weight);
  constexpr const char* words[] = {"ok", "unknown", "warning", "refused"};
  return words[static_cast<int>(worst)];
}

}  // namespace cudnn_checked::cli
