// SPDX-License-Identifier: BSD-3-Clause
#include "read_record.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "../model/fields.h"
#include "plan_columns.h"

namespace cudnn_checked::sweep {

/// Reads values of a report, and remembers the first that is not what it must be.
class report_reader {
 public:
  const std::string& wrong() const { return wrong_; }
  bool is_good() const { return wrong_.empty(); }
  void fail(const std::string& where) {
    if (wrong_.empty()) wrong_ = where;
  }

  std::string text(const json& value, const std::string& where) {
    if (value.type() != json::kind::text) fail(where);
    return std::string(std::string_view(value.text()));
  }
  /// A number that is not negative.
  double amount(const json& value, const std::string& where) {
    const double read = std::strtod(value.text().c_str(), nullptr);
    if (value.type() != json::kind::number || !std::isfinite(read) || read < 0) fail(where);
    return read;
  }
  /// An error, which may be infinite.
  double error(const json& value, const std::string& where) {
    if (value.type() == json::kind::null) return std::numeric_limits<double>::infinity();
    return amount(value, where);
  }
  template <class integer>
  integer whole(const json& value, const std::string& where) {
    std::int64_t read = 0;
    const bool is_one = value.type() == json::kind::number &&
                        read_whole(std::string(std::string_view(value.text())), 0,
                                   std::numeric_limits<integer>::max() / 2, read);
    if (!is_one) fail(where);
    return static_cast<integer>(read);
  }
  bool flag(const json& value, const std::string& where) {
    if (value.type() != json::kind::boolean) fail(where);
    return value.as_boolean();
  }
  const vector<json>& list(const json& value, const std::string& where) {
    if (value.type() != json::kind::array) fail(where);
    return value.elements();
  }
  const json& object(const json& value, const std::string& where) {
    if (value.type() != json::kind::object) fail(where);
    return value;
  }

 private:
  std::string wrong_;
};

static version version_of(const json& value, const std::string& where, report_reader& reader) {
  return parse_version(reader.text(value, where));
}

static void read_request(const json& tree, request& asked, report_reader& reader) {
  asked.library = reader.text(tree["library"], "request.library");
  asked.seconds = reader.amount(tree["seconds"], "request.seconds");
  asked.operations.clear();
  for (const json& one : reader.list(tree["operations"], "request.operations")) {
    operation which = operation::forward;
    if (!read_operation(reader.text(one, "request.operations"), which)) {
      reader.fail("request.operations");
    }
    asked.operations.push_back(which);
  }
  asked.types.clear();
  for (const json& one : reader.list(tree["types"], "request.types")) {
    element type = element::fp32;
    if (!read_type(reader.text(one, "request.types"), type)) reader.fail("request.types");
    asked.types.push_back(type);
  }
  if (!read_natural(reader.text(tree["seed"], "request.seed"), asked.seed)) {
    reader.fail("request.seed");
  }
  asked.devices.clear();
  // Earlier reports, of one GPU each, have its number.
  if (tree["device"].type() != json::kind::null) {
    asked.devices.push_back(reader.whole<int>(tree["device"], "request.device"));
  } else {
    for (const json& one : reader.list(tree["devices"], "request.devices")) {
      asked.devices.push_back(reader.whole<int>(one, "request.devices"));
    }
  }
  asked.workers = reader.whole<int>(tree["workers"], "request.workers");
  asked.worker_bytes = reader.whole<std::uint64_t>(tree["worker_bytes"], "request.worker_bytes");
  asked.plan_seconds = reader.amount(tree["plan_seconds"], "request.plan_seconds");
  asked.errata = reader.text(tree["errata"], "request.errata");
}

static void read_machine(const json& tree, machine& on, report_reader& reader) {
  on.cudnn = version_of(tree["cudnn"], "machine.cudnn", reader);
  on.cudart = version_of(tree["cudart"], "machine.cudart", reader);
  on.driver = version_of(tree["driver"], "machine.driver", reader);
  on.gpu = reader.text(tree["gpu"], "machine.gpu");
  on.gpu_uuid = reader.text(tree["gpu_uuid"], "machine.gpu_uuid");
  const version capability = version_of(tree["capability"], "machine.capability", reader);
  on.capability = capability.major * 10 + capability.minor;
}

static void read_gpus(const json& list, record& result, report_reader& reader) {
  if (list.type() == json::kind::null) return;
  for (const json& one : reader.list(list, "gpus")) {
    swept_gpu gpu;
    gpu.device = reader.whole<int>(one["device"], "gpus.device");
    gpu.uuid = reader.text(one["uuid"], "gpus.uuid");
    gpu.problems = reader.whole<std::size_t>(one["problems"], "gpus.problems");
    gpu.why_not = reader.text(one["why_not"], "gpus.why_not");
    gpu.wrong_alone = reader.whole<std::size_t>(one["wrong_alone"], "gpus.wrong_alone");
    gpu.example = reader.text(one["example"], "gpus.example");
    result.gpus.push_back(gpu);
  }
}

/// "A1 FALLBACK3".
static bool read_offer_words(const std::string& text, std::vector<offer>& offers) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::size_t digits = word.find_first_of("0123456789");
    offer made;
    std::int64_t rank = 0;
    if (digits == std::string::npos || !read_heuristic(word.substr(0, digits), made.mode) ||
        !read_whole(word.substr(digits), 1, 1 << 20, rank)) {
      return false;
    }
    made.rank = static_cast<int>(rank);
    offers.push_back(made);
    begin = end + 1;
  }
  return true;
}

/// "eng72_k2=14_k13=0".
static bool read_tag(const std::string& text, plan& with) {
  std::size_t begin = text.find('_');
  if (text.compare(0, 3, "eng") != 0) return false;
  const std::size_t length = begin == std::string::npos ? begin : begin - 3;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (!read_whole(text.substr(3, length), -1, most, with.engine)) return false;
  while (begin != std::string::npos) {
    const std::size_t end = text.find('_', begin + 1);
    const std::string one =
        text.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
    const std::size_t equals = one.find('=');
    knob setting;
    if (one.empty() || one[0] != 'k' || equals == std::string::npos ||
        !read_whole(one.substr(1, equals - 1), 0, most, setting.type) ||
        !read_whole(one.substr(equals + 1), -most, most, setting.value)) {
      return false;
    }
    with.knobs.push_back(setting);
    begin = end;
  }
  return true;
}

static void read_details(const vector<json>& cells, const std::string& where, result& r,
                         report_reader& reader) {
  if (!read_math(reader.text(cells[5], where), r.with.math)) reader.fail(where);
  r.with.deterministic = reader.flag(cells[6], where);
  r.with.compiled_at_run = reader.flag(cells[7], where);
  r.alignment = reader.whole<int>(cells[8], where);
  r.element_error = reader.error(cells[9], where);
  r.tolerance = reader.error(cells[10], where);
  r.unwritten = reader.whole<std::uint64_t>(cells[11], where);
  r.elements = reader.whole<std::uint64_t>(cells[12], where);
  r.workspace = reader.whole<std::uint64_t>(cells[13], where);
  if (!read_remedy(reader.text(cells[14], where), r.right_with)) reader.fail(where);
  r.detail = reader.text(cells[15], where);
}

static result read_plan(const json& row, const std::string& where, report_reader& reader) {
  result r;
  const vector<json>& cells = reader.list(row, where);
  if (cells.size() != short_plan_columns && cells.size() != all_plan_columns) {
    reader.fail(where);
    return r;
  }
  const bool is_read = read_tag(reader.text(cells[0], where), r.with) &&
                       read_outcome(reader.text(cells[1], where), r.what) &&
                       read_offer_words(reader.text(cells[4], where), r.with.offers);
  if (!is_read || r.what == outcome::unsupported) reader.fail(where);
  r.microseconds = reader.amount(cells[2], where);
  r.relative_error = reader.error(cells[3], where);
  if (cells.size() == all_plan_columns) read_details(cells, where, r, reader);
  return r;
}

static void read_problems(const json& list, record& result, report_reader& reader) {
  for (const json& one : reader.list(list, "problems")) {
    const std::size_t index = result.problems.size();
    const std::string where = "problems[" + std::to_string(index) + "]";
    problem p;
    if (!read_problem(reader.text(one["problem"], where), p)) reader.fail(where);
    result.problems.push_back(p);
    if (!reader.flag(one["finished"], where)) result.unfinished.push_back(index);
    for (const json& row : reader.list(one["plans"], where)) {
      result.results.push_back(read_plan(row, where, reader));
      result.results.back().problem = index;
    }
    if (!reader.is_good()) return;
  }
}

/// Plans that were right, and that the list of problems does not have.
static std::size_t right_left_out(const record& of, std::size_t right) {
  for (const result& r : of.results) right -= r.what == outcome::right && right > 0 ? 1 : 0;
  return right;
}

static bool has_our_columns(const json& columns) {
  if (columns.elements().size() != all_plan_columns) return false;
  for (std::size_t i = 0; i < all_plan_columns; ++i) {
    if (columns.elements()[i].text() != plan_columns[i]) return false;
  }
  return true;
}

bool read_record(const json& report, record& result, std::string& package, std::string& error) {
  if (report["program"].text() != "sweep") {
    error = "not a report of cudnn-checked sweep --json";
    return false;
  }
  if (report["schema"].text() != "1" || !has_our_columns(report["plan_columns"])) {
    error = "a report of a sweep of another schema";
    return false;
  }
  result = {};
  report_reader reader;
  package = reader.text(report["package"], "package");
  read_request(reader.object(report["request"], "request"), result.asked, reader);
  read_machine(reader.object(report["machine"], "machine"), result.on, reader);
  read_gpus(report["gpus"], result, reader);
  result.seconds = reader.amount(report["seconds"], "seconds");
  result.interrupted = reader.flag(report["interrupted"], "interrupted");
  result.ended_early = reader.text(report["ended_early"], "ended_early");
  result.why_not = reader.text(report["why_not"], "why_not");
  const json& counts = reader.object(report["counts"], "counts");
  result.unsupported = reader.whole<std::size_t>(counts["unsupported"], "counts.unsupported");
  result.blocked = reader.whole<std::size_t>(counts["blocked"], "counts.blocked");
  result.too_large = reader.whole<std::size_t>(counts["too_large"], "counts.too_large");
  result.skipped = reader.whole<std::size_t>(counts["skipped"], "counts.skipped");
  read_problems(report["problems"], result, reader);
  result.right_left_out =
      right_left_out(result, reader.whole<std::size_t>(counts["right"], "counts.right"));
  if (!reader.is_good()) error = "a damaged report of a sweep: " + reader.wrong();
  return reader.is_good();
}

}  // namespace cudnn_checked::sweep
