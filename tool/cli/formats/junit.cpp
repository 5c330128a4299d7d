// SPDX-License-Identifier: BSD-3-Clause
//
// The form that services of continuous integration read, as Ant and Jenkins have made it: a finding
// that fails is a failure, one that is unknown skips its case, and what could not be checked is an
// error.
#include <algorithm>
#include <string_view>

#include "../../core/model/one_line.h"
#include "formats.h"

namespace cudnn_checked::cli {

/// XML 1.0 has no form for these two characters of UTF-8 (production 2, Char).
static std::string without_noncharacters(std::string text) {
  for (const auto& [character, form] : {std::pair("\xEF\xBF\xBE", "\\xef\\xbf\\xbe"),
                                        std::pair("\xEF\xBF\xBF", "\\xef\\xbf\\xbf")}) {
    for (std::size_t at = text.find(character); at != std::string::npos;
         at = text.find(character)) {
      text.replace(at, 3, form);
    }
  }
  return text;
}

static std::string xml(std::string_view raw) {
  std::string out;
  for (const char c : without_noncharacters(printable(raw))) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// A value of an attribute, in which a line break would become a space.
static std::string attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + xml(one_line(arena_string(value))) + "\"";
}

namespace {

struct case_counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
};

}  // namespace

static std::string text_of(const case_counts& counts) {
  return attribute("tests", std::to_string(counts.tests)) +
         attribute("failures", std::to_string(counts.failures)) +
         attribute("errors", std::to_string(counts.errors));
}

static std::string element(const char* name, const std::string& type, const std::string& message,
                           const std::string& text) {
  return std::string("      <") + name + attribute("type", type) + attribute("message", message) +
         ">" + xml(text) + "</" + name + ">\n";
}

/// What stands in the case: of the findings about one aspect.
static std::string result_of(const std::vector<const told_finding*>& findings, severity fails_from,
                             case_counts& counts) {
  const told_finding* worst = nullptr;
  const told_finding* unknown = nullptr;
  std::string failed;
  std::string skipped;
  std::string passed;
  for (const told_finding* const f : findings) {
    const bool fails = f->weight >= fails_from;
    if (fails && (worst == nullptr || f->weight > worst->weight)) worst = f;
    const bool is_unknown = !fails && f->weight == severity::unknown;
    if (is_unknown && unknown == nullptr) unknown = f;
    (fails ? failed : is_unknown ? skipped : passed) += f->text;
  }
  std::string text;
  if (worst != nullptr) {
    ++counts.failures;
    text = element("failure", worst->name, worst->summary, failed);
    passed = skipped + passed;
  } else if (unknown != nullptr) {
    ++counts.skipped;
    text = element("skipped", unknown->name, unknown->summary, skipped);
  }
  if (!passed.empty()) text += "      <system-out>" + xml(passed) + "</system-out>\n";
  return text;
}

static std::string case_text(const outcome& told, const std::string& name,
                             const std::string& result) {
  const std::string open = "    <testcase" +
                           attribute("classname", "cudnn-checked." + told.command) +
                           attribute("name", name) + attribute("time", "0");
  return result.empty() ? open + "/>\n" : open + ">\n" + result + "    </testcase>\n";
}

static std::string cases_of(const outcome& told, const checked_subject& subject,
                            case_counts& counts) {
  if (!subject.error.empty()) {
    counts = {1, 0, 1, 0};
    return case_text(told, subject.name.empty() ? "checked" : subject.name + ": checked",
                     element("error", "not-checked", subject.error, ""));
  }
  std::string text;
  for (const std::string& aspect : all_aspects(subject)) {
    std::vector<const told_finding*> about;
    for (const told_finding& f : subject.findings) {
      if (f.aspect == aspect) about.push_back(&f);
    }
    ++counts.tests;
    text +=
        case_text(told, subject.name + ": " + aspect, result_of(about, told.fails_from, counts));
  }
  return text;
}

std::string junit_text(const outcome& told) {
  case_counts all;
  std::string suites;
  for (const checked_subject& subject : told.subjects) {
    case_counts counts;
    const std::string cases = cases_of(told, subject, counts);
    const std::string name = subject.name.empty() ? "cudnn-checked " + told.command : subject.name;
    suites += "  <testsuite" + attribute("name", name) + text_of(counts) +
              attribute("skipped", std::to_string(counts.skipped)) + attribute("time", "0") +
              ">\n" + cases + "  </testsuite>\n";
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", "cudnn-checked " + told.command) + text_of(all) +
         attribute("time", "0") + ">\n" + suites + "</testsuites>\n";
}

}  // namespace cudnn_checked::cli
