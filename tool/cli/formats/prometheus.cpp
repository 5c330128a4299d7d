// SPDX-License-Identifier: BSD-3-Clause
//
// The text-based exposition format 0.0.4, as node_exporter reads it from *.prom.
#include <algorithm>
#include <map>
#include <utility>

#include "../../core/model/one_line.h"
#include "formats.h"

namespace cudnn_checked::cli {

namespace {

/// A metric: its series are sorted, and each is there once.
class gauge {
 public:
  gauge(const char* name, const char* help) : name_(name), help_(help) {}

  using labels = std::vector<std::pair<const char*, std::string>>;
  long long& operator[](const labels& of) { return series_[text_of(of)]; }

  std::string text() const {
    if (series_.empty()) return {};
    std::string out =
        std::string("# HELP ") + name_ + " " + help_ + "\n# TYPE " + name_ + " gauge\n";
    for (const auto& [of, value] : series_) out += name_ + of + " " + std::to_string(value) + "\n";
    return out;
  }

 private:
  static std::string text_of(const labels& of) {
    std::string out;
    for (const auto& [name, value] : of) {
      out += (out.empty() ? "{" : ",") + std::string(name) + "=\"" + escaped(value) + "\"";
    }
    return out + "}";
  }

  static std::string escaped(const std::string& value) {
    std::string out;
    for (const char c : one_line(arena_string(std::string_view(value)))) {
      if (c == '\\' || c == '"') out += '\\';
      out += c;
    }
    return out;
  }

  std::string name_;
  const char* help_;
  std::map<std::string, long long> series_;
};

}  // namespace

std::string prometheus_text(const outcome& told) {
  gauge info("cudnn_checked_info", "The release of cudnn-checked that wrote this.");
  gauge status("cudnn_checked_status", "The exit status of the command.");
  gauge up("cudnn_checked_up", "1: the subject was checked. 0: it could not be checked.");
  gauge counts("cudnn_checked_findings", "How many findings of a severity a subject has.");
  gauge found("cudnn_checked_finding", "How many findings of a name a subject has.");
  const gauge::labels of_command = {{"command", told.command}};
  info[{{"command", told.command}, {"version", CUDNN_CHECKED_PACKAGE_VERSION}}] = 1;
  status[of_command] = told.status;
  for (const checked_subject& subject : told.subjects) {
    const auto labels_with = [&](gauge::labels more) {
      gauge::labels all = {{"command", told.command}, {"subject", subject.name}};
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    up[labels_with({})] = subject.error.empty() ? 1 : 0;
    if (!subject.error.empty()) continue;
    for (const severity one :
         {severity::note, severity::unknown, severity::warning, severity::error}) {
      counts[labels_with({{"severity", to_string(one)}})] += 0;
    }
    for (const told_finding& f : subject.findings) {
      ++counts[labels_with({{"severity", to_string(f.weight)}})];
      ++found[labels_with({{"name", f.name}, {"severity", to_string(f.weight)}})];
    }
  }
  return info.text() + status.text() + up.text() + counts.text() + found.text();
}

}  // namespace cudnn_checked::cli
