// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../cli/text/output.h"
#include "../../core/judge/rules/known_defects.h"
#include "../sweep/disk/problem_list.h"
#include "../sweep/disk/replace_file.h"
#include "../sweep/model/fields.h"
#include "../sweep/problems/problems.h"
#include "sweep.h"

namespace cudnn_checked::cli {

static constexpr double most_seconds = 86400;
static constexpr double most_plan_seconds = 3600;
static constexpr double least_seconds = 0.1;
static constexpr std::int64_t most_workers = 256;
static constexpr std::int64_t most_devices = 1024;

/// Digits, and some behind a point.
static bool read_decimal(const std::string& text, double& value) {
  static constexpr const char* digits = "0123456789";
  const std::size_t point = text.find_first_not_of(digits);
  const bool is_whole = point == std::string::npos;
  if (text.empty() || text.size() > 15 || point == 0) return false;
  if (!is_whole && (text[point] != '.' || point + 1 == text.size() ||
                    text.find_first_not_of(digits, point + 1) != std::string::npos)) {
    return false;
  }
  value = std::strtod(text.c_str(), nullptr);
  return true;
}

static bool read_seconds(const char* option, const std::string& text, double most, double& seconds,
                         std::string& wrong) {
  if (text.empty()) return true;
  double value = 0;
  if (read_decimal(text, value) && value >= least_seconds && value <= most) {
    seconds = value;
    return true;
  }
  char range[64];
  std::snprintf(range, sizeof range, ": not a number of seconds from %g to %g", least_seconds,
                most);
  wrong = std::string(option) + " " + text + range;
  return false;
}

static bool read_count(const char* option, const std::string& text, std::int64_t least,
                       std::int64_t most, int& count, std::string& wrong) {
  if (text.empty()) return true;
  std::int64_t value = 0;
  if (!sweep::read_whole(text, least, most, value)) {
    wrong = std::string(option) + " " + text + ": not a number from " + std::to_string(least) +
            " to " + std::to_string(most);
    return false;
  }
  count = static_cast<int>(value);
  return true;
}

/// Items behind commas, each of them once.  Returns false with the word of which `read` makes none.
template <class item, class reader>
static bool read_list(const std::string& list, const reader& read, std::vector<item>& items,
                      std::string& wrong) {
  items.clear();
  for (const std::string& word : sweep::split_text(list, ",")) {
    const std::vector<item> found = read(word);
    for (const item one : found) add_once(one, items);
    if (found.empty()) {
      wrong = word;
      return false;
    }
  }
  return true;
}

/// "all", or numbers.
static bool read_devices(const std::string& list, sweep::request& asked, std::string& wrong) {
  asked.each_device = list == "all";
  if (list.empty() || asked.each_device) return true;
  const auto read = [](const std::string& word) {
    std::int64_t number = 0;
    const bool is_one = sweep::read_whole(word, 0, most_devices - 1, number);
    return is_one ? std::vector<int>{static_cast<int>(number)} : std::vector<int>();
  };
  if (read_list(list, read, asked.devices, wrong)) return true;
  wrong =
      "--device " + list + ": not all, nor numbers from 0 to " + std::to_string(most_devices - 1);
  return false;
}

/// By their names, or a front part: "attention" names attention/forward and attention/backward.
template <class item>
static std::vector<item> items_of(const std::string& word) {
  std::vector<item> found;
  for (int i = 0; i <= static_cast<int>(sweep::last_of<item>); ++i) {
    const auto one = static_cast<item>(i);
    if (is_front_part(word, to_string(one))) found.push_back(one);
  }
  return found;
}

template <class item>
static bool read_words(const char* option, const std::string& list, std::vector<item>& words,
                       std::string& wrong) {
  std::string word;
  if (list.empty() || read_list(list, items_of<item>, words, word)) return true;
  std::vector<std::string> known;
  for (int i = 0; i <= static_cast<int>(sweep::last_of<item>); ++i) {
    known.push_back(to_string(static_cast<item>(i)));
  }
  wrong = std::string(option) + " " + list + ": ";
  wrong += word.empty() ? "a word is missing" : word + " is none of them";
  wrong += did_you_mean(word, known) + " (";
  for (const std::string& name : known) wrong += (name == known[0] ? "" : ", ") + name;
  wrong += ")";
  return false;
}

/// --random, --problem and --list: which problems.
static bool read_problems(const command_line& given, sweep::request& asked, std::string& wrong) {
  asked.random = given.random;
  if (given.random) asked.operations = sweep::all_operations();
  if (!given.problem.empty()) {
    asked.listed.emplace_back();
    if (!sweep::read_problem(given.problem, asked.listed.back())) {
      wrong = "--problem " + given.problem + ": not a problem as a report writes it";
      return false;
    }
  }
  if (given.random && !given.problem.empty()) {
    wrong = "--problem names what is computed, and --random draws it; leave out one";
    return false;
  }
  // What --random adds to it is read again then: here it shows that it is such a file.
  std::vector<sweep::problem> of_file;
  if (!given.list.empty() && !sweep::read_problem_list(given.list, !given.random, of_file, wrong)) {
    wrong = "--list " + wrong;
    return false;
  }
  if (given.random && !given.list.empty() && !sweep::can_replace_file(given.list, wrong)) {
    wrong = "--list " + wrong;
    return false;
  }
  if (!given.random) asked.listed.insert(asked.listed.end(), of_file.begin(), of_file.end());
  if (!given.random && !given.list.empty() && asked.listed.empty()) {
    wrong = "--list " + given.list + ": it has no problem";
    return false;
  }
  return true;
}

/// Problems that are named have their operations and types.
static bool take_those_of_listed(const command_line& given, sweep::request& asked,
                                 std::string& wrong) {
  if (asked.listed.empty()) return true;
  if (!given.operations.empty() || !given.types.empty()) {
    wrong = std::string(given.operations.empty() ? "--types" : "--operations") +
            ": the problems that are named have their own; leave it out";
    return false;
  }
  asked.operations.clear();
  asked.types.clear();
  for (const sweep::problem& one : asked.listed) {
    add_once(one.what, asked.operations);
    add_once(one.type, asked.types);
  }
  return true;
}

bool read_sweep_options(const command_line& given, sweep::request& asked, std::string& wrong) {
  if (!given.seed.empty() && !sweep::read_natural(given.seed, asked.seed)) {
    wrong = "--seed " + given.seed + ": not a number from 0 to 18446744073709551615";
    return false;
  }
  const bool is_read =
      read_problems(given, asked, wrong) &&
      read_seconds("--seconds", given.seconds, most_seconds, asked.seconds, wrong) &&
      read_seconds("--plan-timeout", given.plan_timeout, most_plan_seconds, asked.plan_seconds,
                   wrong) &&
      read_count("--workers", given.workers, 1, most_workers, asked.workers, wrong) &&
      read_devices(given.device, asked, wrong) &&
      read_words("--operations", given.operations, asked.operations, wrong) &&
      read_words("--types", given.types, asked.types, wrong);
  if (is_read && given.types.empty()) asked.types = sweep::usual_types(asked.operations);
  if (is_read && !take_those_of_listed(given, asked, wrong)) return false;
  if (is_read && sweep::problem_count(asked) == 0) {
    wrong = "--types " + given.types + ": " +
            (given.operations.empty() ? "convolutions, which are swept without --operations, have"
                                      : "--operations " + given.operations + " has") +
            " no problem of it";
    return false;
  }
  return is_read;
}

}  // namespace cudnn_checked::cli
