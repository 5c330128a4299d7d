// SPDX-License-Identifier: BSD-3-Clause
#include "line.h"

#include <limits>

#include "fields.h"

namespace cudnn_checked::sweep {

static constexpr std::int64_t largest_number = std::numeric_limits<std::int64_t>::max();
static constexpr std::int64_t largest_int = std::numeric_limits<int>::max();
static constexpr std::size_t longest_detail = 1000;
static constexpr std::size_t most_items = 1000;

/// "a,b,c" without the commas; false where an item is empty or there are too many.
static bool read_items(const std::string& list, std::vector<std::string>& items) {
  items.clear();
  for (std::size_t at = 0; at < list.size();) {
    std::size_t end = list.find(',', at);
    if (end == std::string::npos) end = list.size();
    if (end == at || end + 1 == list.size() || items.size() == most_items) return false;
    items.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return true;
}

static void add_item(std::string& list, const std::string& item) {
  if (!list.empty()) list += ',';
  list += item;
}

static bool read_flag(field_reader& from, bool& flag) {
  std::int64_t value = 0;
  if (!from.number(value, 0, 1)) return false;
  flag = value == 1;
  return true;
}

/// None is below zero.
static bool read_int(field_reader& from, int& number) {
  std::int64_t value = 0;
  if (!from.number(value, 0, largest_int)) return false;
  number = static_cast<int>(value);
  return true;
}

static void write_plan(field_writer& to, const plan& with) {
  std::string knobs;
  for (const knob& k : with.knobs) {
    add_item(knobs, std::to_string(k.type) + "=" + std::to_string(k.value));
  }
  std::string offers;
  for (const offer& made : with.offers) {
    add_item(offers, std::string(to_string(made.mode)) + "=" + std::to_string(made.rank));
  }
  to.number(with.engine).text(knobs).text(offers).text(cudnn_checked::to_string(with.math));
  to.number(with.deterministic ? 1 : 0).number(with.compiled_at_run ? 1 : 0);
}

static bool read_knobs(const std::string& list, std::vector<knob>& knobs) {
  std::vector<std::string> items;
  if (!read_items(list, items)) return false;
  knobs.clear();
  for (const std::string& item : items) {
    const std::size_t equals = item.find('=');
    knob one;
    if (equals == std::string::npos ||
        !read_whole(item.substr(0, equals), -largest_number, largest_number, one.type) ||
        !read_whole(item.substr(equals + 1), -largest_number, largest_number, one.value)) {
      return false;
    }
    knobs.push_back(one);
  }
  return true;
}

static bool read_offers(const std::string& list, std::vector<offer>& offers) {
  std::vector<std::string> items;
  if (!read_items(list, items)) return false;
  offers.clear();
  for (const std::string& item : items) {
    const std::size_t equals = item.find('=');
    offer one;
    std::int64_t rank = 0;
    if (equals == std::string::npos || !read_heuristic(item.substr(0, equals), one.mode) ||
        !read_whole(item.substr(equals + 1), 1, largest_int, rank)) {
      return false;
    }
    one.rank = static_cast<int>(rank);
    offers.push_back(one);
  }
  return true;
}

static bool read_plan(field_reader& from, plan& with) {
  std::string knobs;
  std::string offers;
  std::string math;
  return from.number(with.engine, -1, largest_number) && from.text(knobs) && from.text(offers) &&
         from.text(math) && read_flag(from, with.deterministic) &&
         read_flag(from, with.compiled_at_run) && read_knobs(knobs, with.knobs) &&
         read_offers(offers, with.offers) && read_math(math, with.math);
}

std::string result_line(const result& r) {
  field_writer to("result");
  to.natural(r.problem);
  write_plan(to, r.with);
  to.text(to_string(r.what)).real(r.relative_error).real(r.element_error).real(r.tolerance);
  to.natural(r.unwritten).natural(r.elements).natural(r.workspace).number(r.alignment);
  to.text(to_string(r.right_with)).real(r.microseconds);
  return to.text(r.detail.substr(0, longest_detail)).line();
}

static bool read_result(const std::string& line, result& r) {
  field_reader from(line, "result");
  std::string what;
  std::string remedied;
  return from.size(r.problem) && read_plan(from, r.with) && from.text(what) &&
         read_outcome(what, r.what) && from.real(r.relative_error) && from.real(r.element_error) &&
         from.real(r.tolerance) && from.natural(r.unwritten) && from.natural(r.elements) &&
         from.natural(r.workspace) && read_int(from, r.alignment) && from.text(remedied) &&
         read_remedy(remedied, r.right_with) && from.real(r.microseconds) && from.text(r.detail) &&
         r.detail.size() <= longest_detail && from.end();
}

static void write_version(field_writer& to, const version& v) {
  to.number(v.major).number(v.minor).number(v.patch);
}

static bool read_version(field_reader& from, version& v) {
  return read_int(from, v.major) && read_int(from, v.minor) && read_int(from, v.patch);
}

std::string machine_line(const machine& m) {
  field_writer to("machine");
  write_version(to, m.cudnn);
  write_version(to, m.cudart);
  write_version(to, m.driver);
  to.text(m.gpu).text(m.gpu_uuid).number(m.capability);
  return to.natural(m.memory_free).natural(m.memory_total).number(m.gpus).line();
}

static bool read_machine(const std::string& line, machine& m) {
  field_reader from(line, "machine");
  if (!read_version(from, m.cudnn) || !read_version(from, m.cudart) ||
      !read_version(from, m.driver) || !from.text(m.gpu) || !from.text(m.gpu_uuid) ||
      !read_int(from, m.capability)) {
    return false;
  }
  return from.natural(m.memory_free) && from.natural(m.memory_total) && read_int(from, m.gpus) &&
         from.end();
}

std::string to_line(const request& asked) {
  std::string operations;
  for (const operation which : asked.operations) add_item(operations, to_string(which));
  std::string types;
  for (const element type : asked.types) add_item(types, cudnn_checked::to_string(type));
  field_writer to("request");
  to.text(asked.library).real(asked.seconds).text(operations).text(types).natural(asked.seed);
  to.number(asked.devices.front()).number(asked.workers).real(asked.plan_seconds);
  to.natural(asked.worker_bytes);
  return to.text(asked.errata).line();
}

bool read_line(const std::string& line, request& asked) {
  field_reader from(line, "request");
  asked.devices.resize(1);
  std::string operations;
  std::string types;
  if (!from.text(asked.library) || !from.real(asked.seconds) || !from.text(operations) ||
      !from.text(types) || !from.natural(asked.seed) || !read_int(from, asked.devices.front()) ||
      !read_int(from, asked.workers) || !from.real(asked.plan_seconds) ||
      !from.natural(asked.worker_bytes) || !from.text(asked.errata) || !from.end()) {
    return false;
  }
  asked.operations.clear();
  asked.types.clear();
  std::vector<std::string> items;
  if (!read_items(operations, items)) return false;
  for (const std::string& item : items) {
    operation which = operation::forward;
    if (!read_operation(item, which)) return false;
    asked.operations.push_back(which);
  }
  if (!read_items(types, items)) return false;
  for (const std::string& item : items) {
    element type = element::fp32;
    if (!read_type(item, type)) return false;
    asked.types.push_back(type);
  }
  return true;
}

std::string to_line(const assignment& given) {
  return field_writer("problem").natural(given.problem).natural(given.first_plan).line();
}

bool read_line(const std::string& line, assignment& given) {
  field_reader from(line, "problem");
  return from.size(given.problem) && from.size(given.first_plan) && from.end();
}

std::string cannot_line(const std::string& why, int gpus) {
  return field_writer("cannot").text(why.substr(0, longest_detail)).number(gpus).line();
}

std::string prepares_line(std::size_t problem) {
  return field_writer("prepares").natural(problem).line();
}

std::string begin_line(std::size_t problem, std::size_t number, const plan& with) {
  field_writer to("begin");
  to.natural(problem).natural(number);
  write_plan(to, with);
  return to.line();
}

std::string built_line(std::size_t problem, std::size_t number) {
  return field_writer("built").natural(problem).natural(number).line();
}

std::string counts_line(std::size_t problem, std::size_t unsupported, std::size_t blocked,
                        std::size_t too_large, std::size_t skipped) {
  field_writer to("counts");
  to.natural(problem).natural(unsupported).natural(blocked).natural(too_large);
  return to.natural(skipped).line();
}

std::string end_line(std::size_t problem) { return field_writer("end").natural(problem).line(); }

static bool read_message(const std::string& line, message& said) {
  if (said.what == message::kind::machine) return read_machine(line, said.on);
  if (said.what == message::kind::result) {
    if (!read_result(line, said.came)) return false;
    said.problem = said.came.problem;
    return true;
  }
  if (said.what == message::kind::cannot) {
    field_reader from(line, "cannot");
    return from.text(said.why) && said.why.size() <= longest_detail &&
           read_int(from, said.on.gpus) && from.end();
  }
  if (said.what == message::kind::end || said.what == message::kind::prepares) {
    field_reader from(line, said.what == message::kind::end ? "end" : "prepares");
    return from.size(said.problem) && from.end();
  }
  if (said.what == message::kind::counts) {
    field_reader from(line, "counts");
    return from.size(said.problem) && from.size(said.unsupported) && from.size(said.blocked) &&
           from.size(said.too_large) && from.size(said.skipped) && from.end();
  }
  if (said.what == message::kind::built) {
    field_reader from(line, "built");
    return from.size(said.problem) && from.size(said.number) && from.end();
  }
  field_reader from(line, "begin");
  return from.size(said.problem) && from.size(said.number) && read_plan(from, said.with) &&
         from.end();
}

bool read_line(const std::string& line, message& said) {
  for (int i = 0; i <= static_cast<int>(message::kind::end); ++i) {
    message read;
    read.what = static_cast<message::kind>(i);
    if (!read_message(line, read)) continue;
    said = read;
    return true;
  }
  return false;
}

}  // namespace cudnn_checked::sweep
