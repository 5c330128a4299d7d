// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_request.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../../sweep/model/fields.h"
#include "../text/near_word.h"

namespace cudnn_checked::cli {

static constexpr double most_seconds = 86400;
static constexpr double most_plan_seconds = 3600;
static constexpr double least_seconds = 0.1;
static constexpr std::int64_t most_workers = 256;
static constexpr std::int64_t most_devices = 1024;

/// Digits, and some behind a point; whatever the locale is.
static bool read_decimal(const std::string& text, double& value) {
  const std::size_t point = text.find('.');
  const std::string whole = text.substr(0, point);
  const std::string part = point == std::string::npos ? "0" : text.substr(point + 1);
  const char* const digits = "0123456789";
  if (whole.empty() || part.empty() || text.size() > 15) return false;
  if ((whole + part).find_first_not_of(digits) != std::string::npos) return false;
  double scale = 1;
  value = 0;
  for (const char c : whole + part) value = value * 10 + (c - '0');
  for (std::size_t i = 0; i < part.size(); ++i) scale *= 10;
  value /= scale;
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

/// "all", or numbers behind commas.
static bool read_devices(const std::string& list, sweep::request& asked, std::string& wrong) {
  asked.each_device = list == "all";
  if (list.empty() || asked.each_device) return true;
  asked.devices.clear();
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::int64_t device = 0;
    if (!sweep::read_whole(list.substr(at, end - at), 0, most_devices - 1, device)) {
      wrong = "--device " + list + ": not all, nor numbers from 0 to " +
              std::to_string(most_devices - 1);
      return false;
    }
    const int number = static_cast<int>(device);
    std::vector<int>& known = asked.devices;
    if (std::find(known.begin(), known.end(), number) == known.end()) known.push_back(number);
    at = end + 1;
  }
  return true;
}

/// Words behind commas, each of them once.
template <class T>
static bool read_words(const char* option, const std::string& list,
                       bool (*read)(const std::string&, T&), const std::vector<std::string>& known,
                       std::vector<T>& words, std::string& wrong) {
  if (list.empty()) return true;
  words.clear();
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string word = list.substr(at, end - at);
    T one{};
    if (!read(word, one)) {
      wrong = std::string(option) + " " + list + ": ";
      wrong += word.empty() ? "a word is missing" : word + " is none of them";
      wrong += did_you_mean(word, known) + " (";
      for (const std::string& name : known) wrong += (name == known[0] ? "" : ", ") + name;
      wrong += ")";
      return false;
    }
    if (std::find(words.begin(), words.end(), one) == words.end()) words.push_back(one);
    at = end + 1;
  }
  return true;
}

bool read_sweep_options(const command_line& given, sweep::request& asked, std::string& wrong) {
  if (!given.seed.empty() && !sweep::read_natural(given.seed, asked.seed)) {
    wrong = "--seed " + given.seed + ": not a number from 0 to 18446744073709551615";
    return false;
  }
  return read_seconds("--seconds", given.seconds, most_seconds, asked.seconds, wrong) &&
         read_seconds("--plan-timeout", given.plan_timeout, most_plan_seconds, asked.plan_seconds,
                      wrong) &&
         read_count("--workers", given.workers, 1, most_workers, asked.workers, wrong) &&
         read_devices(given.device, asked, wrong) &&
         read_words("--operations", given.operations, sweep::read_operation,
                    {"fwd", "dgrad", "wgrad"}, asked.operations, wrong) &&
         read_words("--types", given.types, sweep::read_type, {"fp32", "fp16", "bf16"}, asked.types,
                    wrong);
}

}  // namespace cudnn_checked::cli
