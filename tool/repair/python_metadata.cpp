// SPDX-License-Identifier: BSD-3-Clause
#include "python_metadata.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "../core/judge/advice/advice.h"
#include "../core/model/paths.h"
#include "../core/observe/package_records.h"
#include "../core/system/python_layout.h"

#include "passing_memory.h"
#include "place.h"

namespace cudnn_checked::repairs {

static constexpr int site_most_levels = 8;

// A name, an operator, a bracket or a string in quotes, without them, from `at` on.
static std::string marker_word(const std::string& text, std::size_t& at) {
  at = std::min(text.find_first_not_of(" \t\r", at), text.size());
  if (at == text.size()) return {};
  const char first = text[at];
  const std::size_t begin = at;
  if (first == '\'' || first == '"') {
    const std::size_t end = std::min(text.find(first, begin + 1), text.size());
    at = std::min(end + 1, text.size());
    return text.substr(begin + 1, end - begin - 1);
  }
  constexpr const char* operators = "<>=!~";
  const bool is_operator = std::string(operators).find(first) != std::string::npos;
  at = is_operator ? text.find_first_not_of(operators, begin)
                   : text.find_first_of("<>=!~()'\" \t\r", begin);
  at = std::min(std::max(at, begin + 1), text.size());
  return text.substr(begin, at - begin);
}

// 3.11 of "python_version" and "python_full_version"; of the second no more is known here.
static answer compared_with(const version& python, const std::string& variable,
                            const std::string& operation, const std::string& number) {
  const version other = parse_version(number);
  const bool exact = variable == "python_version" && other.patch == 0;
  if (!python.known() || !other.known()) return answer::unknown;
  const bool same = python.major == other.major && python.minor == other.minor;
  const bool less = python < version{other.major, other.minor, 0};
  if (same && !exact) return answer::unknown;
  const std::string wanted = same ? "== <= >=" : less ? "!= < <=" : "!= > >=";
  for (const char* const known : {"==", "!=", "<", "<=", ">", ">="}) {
    if (operation != known) continue;
    return (" " + wanted + " ").find(" " + operation + " ") != std::string::npos ? answer::yes
                                                                                 : answer::no;
  }
  return answer::unknown;
}

static answer compared_here(const std::string& left, const std::string& operation,
                            const std::string& right, const version& python) {
  if (left == "python_version" || left == "python_full_version") {
    return compared_with(python, left, operation, right);
  }
  const bool is_left = !value_of_marker(left).empty();
  const std::string here = value_of_marker(is_left ? left : right);
  if (here.empty() || (operation != "==" && operation != "!=")) return answer::unknown;
  return (here == (is_left ? right : left)) == (operation == "==") ? answer::yes : answer::no;
}

// PEP 508, "Environment Markers": is it for another platform?  It is if each of the alternatives
// around "or" has a comparison that fails here, whatever is in brackets.
static answer holds_here(const std::string& condition, const version& python) {
  answer alternative = answer::yes;
  bool one_holds = false;
  bool all_fail = true;
  bool has_or = false;
  bool has_brackets = false;
  for (std::size_t at = 0; at < condition.size();) {
    const std::string word = marker_word(condition, at);
    has_brackets = has_brackets || word == "(" || word == ")";
    if (word.empty() || word == "(" || word == ")" || word == "and") continue;
    if (word == "or") {
      one_holds = one_holds || alternative == answer::yes;
      all_fail = all_fail && alternative == answer::no;
      alternative = answer::yes;
      has_or = true;
      continue;
    }
    const std::string operation = marker_word(condition, at);
    const answer next = compared_here(word, operation, marker_word(condition, at), python);
    if (next == answer::no || alternative == answer::yes) alternative = next;
  }
  if (all_fail && alternative == answer::no) return answer::no;
  const bool holds = one_holds || alternative == answer::yes;
  return holds && !(has_or && has_brackets) ? answer::yes : answer::unknown;
}

std::string normalized(const std::string& name) { return normalized_name(name); }

std::string trimmed(const std::string& text, const char* unwanted) {
  const std::size_t first = text.find_first_not_of(unwanted);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(unwanted) - first + 1);
}

// The end of the name in "torch[extra] (==2.7.1) ; marker".
static std::size_t end_of_name(const std::string& text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                               std::string("-_.").find(text[end]) != std::string::npos)) {
    ++end;
  }
  return end;
}

std::string name_of_requirement(const std::string& text) {
  return normalized(text.substr(0, end_of_name(text)));
}

// "9.5.*", "9.3.0.75rc1", "v9.5" and "0!9.5" have a release behind the epoch.
version release_of_number(const std::string& number) {
  const std::size_t begin = number.find_first_not_of("vV", number.find('!') + 1);
  if (begin == std::string::npos) return {};
  std::string digits = number.substr(begin);
  digits = digits.substr(0, digits.find_first_not_of("0123456789."));
  while (!digits.empty() && digits.back() == '.') digits.pop_back();
  return parse_version(digits);
}

// PEP 440, "Version specifiers".  An upper bound is no matter: a newer cuDNN keeps its promise.
static void read_specifier(const std::string& specifier, cudnn_requirement& asked) {
  const std::size_t begin = specifier.find_first_not_of("<>=!~ ");
  if (begin == std::string::npos) return;
  const std::string operation = trimmed(specifier.substr(0, begin));
  const std::string number = trimmed(specifier.substr(begin));
  const bool exact = operation == "==" || operation == "===";
  if (!exact && operation != ">=" && operation != "~=" && operation != ">") return;
  const version least = release_of_number(number);
  if (exact && number.find('*') == std::string::npos) asked.pinned = number;
  if (!asked.least.known() || asked.least < least) asked.least = least;
}

static std::string condition_of(const std::string& line) {
  const std::size_t semicolon = line.find(';');
  return semicolon == std::string::npos ? std::string() : line.substr(semicolon + 1);
}

answer applies(const std::string& line) {
  const std::string condition = condition_of(line);
  return condition.empty() ? answer::yes : holds_here(condition, {});
}

static bool is_for_another(const std::string& line, const version& python) {
  const std::string condition = condition_of(line);
  return holds_here(condition, {}) != answer::no && holds_here(condition, python) == answer::no;
}

plain_requirement plain_of(const std::string& line) {
  const std::size_t semicolon = std::min(line.find(';'), line.size());
  std::size_t begin = std::min(end_of_name(line), semicolon);
  const std::size_t extras = line.find_first_not_of(" \t", begin);
  if (extras < semicolon && line[extras] == '[') {
    begin = std::min(std::max(begin, line.find(']', extras) + 1), semicolon);
  }
  std::string specifiers = line.substr(begin, semicolon - begin);
  specifiers.erase(
      std::remove_if(specifiers.begin(), specifiers.end(),
                     [](char c) { return std::string("() \t\r").find(c) != std::string::npos; }),
      specifiers.end());
  return {name_of_requirement(line), specifiers};
}

cudnn_requirement read_requirement(const std::string& line) {
  cudnn_requirement asked;
  const auto [name, specifiers] = plain_of(line);
  static const std::string full(cudnn_wheel, sizeof(cudnn_wheel) - sizeof("%d"));
  static const std::string jit(cudnn_jit_wheel, sizeof(cudnn_jit_wheel) - sizeof("%d"));
  const std::string& stem = name.compare(0, jit.size(), jit) == 0 ? jit : full;
  if (name.compare(0, stem.size(), stem) != 0) return asked;
  if (applies(line) == answer::no) return asked;
  asked.wheel = name;
  asked.text = name + specifiers;
  asked.cuda_major = parse_version(name.substr(stem.size(), 2)).major;  // cu116: 11
  for (std::size_t at = 0; at < specifiers.size();) {
    const std::size_t comma = std::min(specifiers.find(',', at), specifiers.size());
    read_specifier(specifiers.substr(at, comma - at), asked);
    at = comma + 1;
  }
  return asked;
}

std::vector<std::string> infos_of(const system_interface& os, const arena_string& site,
                                  const std::string& name) {
  std::vector<std::string> found;
  arena_vector<arena_string> names;
  if (os.list(site, "", names) != open_result::opened) return found;
  const arena_string wanted = normalized_name(name);
  for (const std::string info : names) {
    const std::string ending = info.substr(std::min(info.rfind('.'), info.size()));
    // Packages that setuptools or Debian has installed have requirements as well.
    const bool is_info = ending == ".dist-info" || ending == ".egg-info";
    if (name.empty() ? is_info : wheel_of_info(info).name == wanted) found.push_back(info);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string number_of_info(const std::string& info) { return wheel_of_info(info).number; }

arena_string site_of(const system_interface& os, const arena_string& file) {
  arena_string directory = os.real_path(directory_part(file));
  for (int level = 0; level < site_most_levels && directory.size() > 1; ++level) {
    if (!infos_of(os, directory, "").empty()) return directory;
    directory = directory_part(directory);
  }
  return {};
}

// setuptools documentation, "requires.txt": a section is an extra, and a marker behind ":".
static void read_requires(const std::string& text, distribution& d) {
  std::string section;
  for (const arena_string& whole : split_path_list(text, "\n")) {
    const std::string line = trimmed(whole);
    if (line.empty()) continue;
    if (line[0] == '[') {
      section = trimmed(line, "[]");
    } else if (section.empty()) {
      d.requirements.push_back(line);
    } else if (section[0] == ':') {
      d.requirements.push_back(line + " ; " + section.substr(1));
    }
  }
}

distribution read_distribution(const system_interface& os, const arena_string& site,
                               const std::string& info) {
  distribution d;
  const bool is_egg = info.rfind(".egg-info") != std::string::npos;
  d.metadata_path = join_path(site, info + (is_egg ? "/PKG-INFO" : "/METADATA"));
  const passing_memory until_here;
  arena_string text;
  if (is_egg && os.read_text(join_path(site, info + "/requires.txt"), text)) read_requires(text, d);
  if (!os.read_text(d.metadata_path, text)) return d;
  const std::string folder(python_of_site(site));
  const version python = folder.empty() ? version() : parse_version(folder.substr(6));
  arena_string whole;
  for (std::size_t at = 0; next_line(text, at, whole);) {
    const std::string line = trimmed(whole);
    if (line.empty()) break;  // the description follows
    const auto value = [&line](const std::string& field) {
      return line.compare(0, field.size(), field) == 0 ? trimmed(line.substr(field.size())) : "";
    };
    if (d.name.empty()) d.name = value("Name:");
    if (d.number.empty()) d.number = value("Version:");
    const std::string extra = value("Provides-Extra:");
    if (!extra.empty()) d.extras.push_back(extra);
    const std::string requirement = value("Requires-Dist:");
    if (!requirement.empty() && !is_for_another(requirement, python)) {
      d.requirements.push_back(requirement);
    }
  }
  return d;
}

cudnn_requirement requirement_of(const distribution& d) {
  cudnn_requirement result;
  bool one_major = true;
  for (const std::string& line : d.requirements) {
    const cudnn_requirement asked = read_requirement(line);
    if (asked.text.empty()) continue;
    const bool first = result.text.empty();
    one_major = one_major && (first || asked.least.major == result.least.major);
    const bool lower = !asked.least.known() || asked.least < result.least;
    const int major = first || result.cuda_major == asked.cuda_major ? asked.cuda_major : 0;
    if (first || lower) result = asked;
    result.cuda_major = major;
  }
  if (!one_major) result.least = version();
  result.package = d.name + " " + d.number;
  result.record = d.metadata_path;
  return result;
}

}  // namespace cudnn_checked::repairs
