// SPDX-License-Identifier: BSD-3-Clause
#include "faults.h"

#include <algorithm>

#include "../core/model/dependency_names.h"

namespace cudnn_checked::repairs {

bool is_of_driver(const finding& f) { return row_of(f.id).about == subject_of_finding::driver; }

bool has_repair(const finding& f) {
  return any_of(f.fix, [](const fix_line& line) { return !line.steps.empty(); });
}

bool is_of_machine(finding_id id) {
  const subject_of_finding about = row_of(id).about;
  return about == subject_of_finding::driver || about == subject_of_finding::gpu;
}

bool is_beyond_repair(const finding& f) {
  const bool other = is_of_machine(f.id) || row_of(f.id).about == subject_of_finding::convolution;
  return other && !has_repair(f);
}

bool is_grave(const finding& f) {
  return f.weight == severity::error || f.weight == severity::warning;
}

bool is_to_repair(const finding& f) {
  if (f.by_words) return false;
  return is_grave(f) ? !is_beyond_repair(f) : has_repair(f);
}

std::string place_of(const checked& found, std::size_t index) {
  return found.places.empty() ? std::string() : found.places[index];
}

// A library that is missing is one fault, and another that is missing is another.
std::string fault_of(const finding& f, const std::string& place) {
  const bool of_library = f.id == finding_id::dependency_missing;
  return place + '\n' + to_string(f.id) + (of_library ? " " + std::string(f.expected.value) : "");
}

std::string fault_of(const checked& found, std::size_t index) {
  return fault_of(found.findings[index], place_of(found, index));
}

faults faults_of(const checked& found) {
  faults all;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    if (is_grave(found.findings[i])) all.insert(fault_of(found, i));
  }
  return all;
}

bool brings_fault(const checked& after, const checked& before) {
  faults known = faults_of(before);
  known.insert(before.told_by_others.begin(), before.told_by_others.end());
  for (std::size_t i = 0; i < after.findings.size(); ++i) {
    const finding& f = after.findings[i];
    const bool is_defect = f.id == finding_id::cudnn_known_bad && f.weight == severity::warning;
    if (is_grave(f) && !is_defect && known.count(fault_of(after, i)) == 0) return true;
  }
  return false;
}

// What a package has brought to where the loader does not look is in other facts alone.
static std::string places_of(const finding& f) {
  std::string all = std::string(f.found.where);
  for (const fact& line : f.more) all += '\n' + std::string(line.where);
  return all;
}

faults evidence_of(const checked& found) {
  faults all;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const finding& f = found.findings[i];
    if (is_grave(f)) {
      all.insert(fault_of(found, i) + '\n' + std::string(f.found.value) + places_of(f));
    }
  }
  return all;
}

bool is_green(const checked& found, const std::string& place) {
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const finding& f = found.findings[i];
    if (is_grave(f) && !is_beyond_repair(f) && place_of(found, i) == place) return false;
  }
  return true;
}

faults doubts_of(const checked& found) {
  faults all = found.doubtful_users;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    if (found.findings[i].weight == severity::unknown) all.insert(fault_of(found, i));
  }
  return all;
}

bool is_lack(const finding& f) {
  return f.id == finding_id::dependency_missing &&
         kind_of_dependency(f.expected.value) == dependency_kind::cublaslt;
}

faults lacks_of(const checked& found) {
  faults all;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    if (is_lack(found.findings[i])) all.insert(fault_of(found, i));
  }
  return all;
}

bool are_among(const faults& some, const faults& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// Two known defects of a release are two faults, because no one command repairs both.  So are
// unknown facts about a process and about a library.
static bool is_same_fault(const finding& one, const finding& other) {
  const bool of_library = one.id == finding_id::dependency_missing;
  const bool by_summary =
      one.id == finding_id::cudnn_known_bad || one.id == finding_id::not_stamped;
  return one.id == other.id && (!of_library || one.expected.value == other.expected.value) &&
         (!by_summary || one.summary == other.summary);
}

void take_fixes(const arena_vector<finding>& tried, arena_vector<finding>& told) {
  for (finding& f : told.in_place()) {
    const finding* same = nullptr;
    for (const finding& other : tried) {
      if (same == nullptr && is_same_fault(f, other)) same = &other;
    }
    if (same != nullptr) f.fix = same->fix;
  }
  mark_untried(told);
}

}  // namespace cudnn_checked::repairs
