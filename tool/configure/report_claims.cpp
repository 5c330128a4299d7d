// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "../core/judge/rules/tolerance.h"
#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "../core/report/report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace {

/// What the runs of a report prove, whatever else it claims.
class proved_by_runs {
 public:
  proved_by_runs(const json& report, report_values& values) : report_(report), values_(values) {
    read_devices();
    right_ = right_runs("convolutions", {"convolutions"});
    for (const arena_string& device : right_runs("operations", {"operations"})) {
      add_once(device, right_);
    }
    (void)right_runs("kernel.runs", {"kernel", "runs"});
  }

  /// How the report contradicts itself; empty if it does not.
  const arena_string& contradiction() const { return contradiction_; }
  bool computed() const { return !right_.empty(); }

  /// "90a" of the devices that computed right numbers.
  arena_vector<arena_string> architectures() const {
    arena_vector<arena_string> measured;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (!contains(right_, devices_[i]) || !starts_with(architectures_[i], "sm_")) continue;
      const arena_string number = architectures_[i].substr(3);
      add_once(number, measured);
    }
    return measured;
  }

 private:
  void read_devices() {
    const json* const list = values_.list(report_, {"devices"});
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->elements().size(); ++i) {
      const json& device = list->elements()[i];
      const arena_string where = format("devices.%d.", static_cast<int>(i));
      const arena_string index = values_.value(value_form::index, where, device, {"index"});
      const arena_string name =
          values_.value(value_form::architecture, where, device, {"architecture"});
      if (index.empty() || contains(devices_, index)) {
        contradiction_ = format("device %d has no index of its own", static_cast<int>(i));
      } else {
        devices_.push_back(index);
        architectures_.push_back(name);
      }
    }
  }

  // Infinite where it is none.
  double number_of(const arena_string& where, const json& run, const char* key) {
    const arena_string text = values_.value(value_form::number, where, run, {key});
    return text.empty() ? std::numeric_limits<double>::infinity()
                        : std::strtod(text.c_str(), nullptr);
  }

  // An unrelated result has a relative error of about 1.4; the widest tolerance is below 0.1.
  bool is_right(const arena_string& where, const json& run) {
    const double relative = number_of(where, run, "relative_error");
    const double error = number_of(where, run, "element_error");
    const double tolerance = number_of(where, run, "tolerance");
    return relative < 0.5 && tolerance < 0.1 && error <= tolerance;
  }

  // Of a fused operation.  The relative error of a right result is large where its terms cancel.
  bool is_in_bound(const arena_string& where, const json& run) {
    const double error = number_of(where, run, "element_error");
    const double tolerance = number_of(where, run, "tolerance");
    return tolerance <= fused_tolerance && error <= tolerance;
  }

  bool is_known(const arena_string& where, const json& run) {
    const arena_string name = values_.value(value_form::sentence, where, run, {"operation"});
    fused_operation what = fused_operation::none;
    const bool known = parse_word(name, what) && what != fused_operation::none;
    if (!known) contradiction_ = where + "operation is not known";
    return known;
  }

  // The devices on which runs of an array computed right numbers.  A report that was not refused
  // has no other runs, but a kernel that this machine's GPU cannot run is no fault.
  arena_vector<arena_string> right_runs(const arena_string& name,
                                        std::initializer_list<const char*> keys) {
    arena_vector<arena_string> right;
    const json* const list = values_.list(report_, keys);
    if (list == nullptr) return right;
    const bool fused = name == "operations";
    for (std::size_t i = 0; i < list->elements().size() && contradiction_.empty(); ++i) {
      const json& run = list->elements()[i];
      const arena_string where = format("%s.%d.", name, static_cast<int>(i));
      const arena_string device = values_.value(value_form::index, where, run, {"device"});
      const arena_string status = values_.value(value_form::word, where, run, {"status"});
      if (fused && !is_known(where, run)) continue;
      if (status == "ok") {
        const bool is_good = fused ? is_in_bound(where, run) : is_right(where, run);
        if (!contains(devices_, device)) {
          contradiction_ = where + "device is none of its devices";
        } else if (!is_good) {
          contradiction_ = where + "status is \"ok\", and its error is above the tolerance";
        }
        add_once(device, right);
      } else if (name != "kernel.runs" || status == status_of_wrong_numbers()) {
        contradiction_ = format("%sstatus is \"%s\", and it is not refused", where, status);
      }
    }
    return right;
  }

  const json& report_;
  report_values& values_;
  arena_vector<arena_string> devices_;
  arena_vector<arena_string> architectures_;
  arena_vector<arena_string> right_;
  arena_string contradiction_;
};

}  // namespace

// "" where it does not follow.
static arena_string contradiction_of_level(const json& report, const proved_by_runs& runs,
                                           report_values& values) {
  const arena_string library =
      values.value(value_form::version, "", report, {"cudnn", "library", "version"});
  const arena_string claimed = values.value(value_form::level, "", report, {"level"});
  const bool released = !library.empty() && library != "unknown";
  arena_string proved = released ? runs.computed() ? "ran" : "loaded" : "linked";
  // cuDNN was not called, although its release is known from its files.
  if (!runs.computed() && (claimed == "located" || claimed == "linked")) proved = claimed;
  if (claimed == proved) return {};
  return format("level \"%s\", and its convolutions prove \"%s\"", claimed, proved);
}

static arena_string contradiction_of_architectures(const json& report, const proved_by_runs& runs,
                                                   report_values& values) {
  arena_vector<arena_string> claimed;
  for (const arena_string& name :
       values.values(value_form::architecture, report, {"triple", "architectures"})) {
    if (name != "unknown") claimed.push_back(starts_with(name, "sm_") ? name.substr(3) : name);
  }
  const arena_string there = joined(claimed, ", ");
  const arena_string measured = joined(runs.architectures(), ", ");
  if (there == measured) return {};
  return format("architectures \"%s\", and its convolutions ran on \"%s\"", there, measured);
}

static constexpr const char* severities[] = {"note", "unknown", "warning", "error"};
static constexpr const char* verdicts[] = {"ok", "unknown", "warning", "refused"};

// The lines of those that are more than a note, and the weight of the worst.
static int read_findings_of(const json& report, report_values& values, arena_string& lines) {
  int worst = 0;
  const json* const list = values.list(report, {"findings"});
  if (list == nullptr) return worst;
  for (std::size_t i = 0; i < list->elements().size(); ++i) {
    const json& row = list->elements()[i];
    const arena_string where = format("findings.%d.", static_cast<int>(i));
    const arena_string name = values.value(value_form::word, where, row, {"name"});
    const arena_string severity = values.value(value_form::severity, where, row, {"severity"});
    const arena_string summary = values.value(value_form::sentence, where, row, {"summary"});
    int weight = 0;
    for (int k = 0; k < 4; ++k) {
      if (severity == severities[k]) weight = k;
    }
    worst = std::max(worst, weight);
    if (weight > 0) lines += format("  %s: %s [%s]\n", severity, summary, name);
  }
  return worst;
}

arena_string contradiction_in(const json& report, report_values& values) {
  const proved_by_runs runs(report, values);
  const arena_string level = contradiction_of_level(report, runs, values);
  const arena_string architectures = contradiction_of_architectures(report, runs, values);
  arena_string lines;
  const char* const verdict = verdicts[read_findings_of(report, values, lines)];
  const arena_string claimed = values.value(value_form::verdict, "", report, {"verdict"});
  if (!runs.contradiction().empty()) return runs.contradiction();
  if (!level.empty()) return level;
  if (!architectures.empty()) return architectures;
  if (claimed == verdict) return {};
  return format("verdict \"%s\", and the worst of its findings makes it \"%s\"", claimed, verdict);
}

arena_string findings_in(const json& report, report_values& values) {
  arena_string lines;
  (void)read_findings_of(report, values, lines);
  return lines;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
