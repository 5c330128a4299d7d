// SPDX-License-Identifier: BSD-3-Clause
//
// What a request, a machine and a result consist of, once: a table of names, members and texts. The
// lines of a worker (line.h) and the report, written and read, go through these tables.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../core/json/json.h"
#include "names.h"

namespace cudnn_checked::sweep {

/// How a number with a fraction is written.
enum class style {
  exact,    ///< all its bits, NaN included, whatever the locale is
  rounded,  ///< four digits: a time or an error is not known better
  shortest  ///< what reads back as the same number
};

// Texts of values, and back.  A reader gives false for a text of nothing.
inline std::string text_of(bool value, style) { return value ? "true" : "false"; }
inline std::string text_of(int value, style) { return std::to_string(value); }
inline std::string text_of(std::uint64_t value, style) { return std::to_string(value); }
/// "null" for what is no number, but all bits where they are asked for.
std::string text_of(double value, style how);
inline std::string text_of(const std::string& value, style) { return value; }
/// "9.19.0"; empty if it is not known.
std::string text_of(const version& value, style);
/// The plan's tag: "eng72_k2=14_k13=0".
inline std::string text_of(const plan& value, style) { return tag_of(value); }
/// "A1 FALLBACK3": who offers a plan; empty: nobody.
std::string text_of(const std::vector<offer>& offers, style);
template <class enumeration, class = std::enable_if_t<std::is_enum_v<enumeration>>>
std::string text_of(enumeration value, style) {
  return to_string(value);
}
/// "fwd,dgrad".
template <class item>
std::string text_of(const std::vector<item>& items, style how) {
  std::string text;
  for (const item& one : items) text += (text.empty() ? "" : ",") + text_of(one, how);
  return text;
}

/// Problems behind each other, with "; " between them.
std::string text_of(const std::vector<problem>& problems, style);

bool read_text(const std::string& text, bool& value, style);
bool read_text(const std::string& text, std::vector<problem>& problems, style);
bool read_text(const std::string& text, int& value, style);  ///< none is below zero
bool read_text(const std::string& text, std::uint64_t& value, style);
/// Finite and not below zero, but any bits; an empty text is infinity.
bool read_text(const std::string& text, double& value, style how);
bool read_text(const std::string& text, version& value, style);
bool read_text(const std::string& text, plan& value, style);
bool read_text(const std::string& text, std::vector<offer>& offers, style);
inline bool read_text(const std::string& text, std::string& value, style) {
  value = text;
  return true;
}
template <class enumeration, class = std::enable_if_t<std::is_enum_v<enumeration>>>
bool read_text(const std::string& text, enumeration& value, style) {
  return read_name(text, value);
}

/// Decimal digits, a minus sign where `least` is below zero, nothing else.
bool read_whole(const std::string& text, std::int64_t least, std::int64_t most,
                std::int64_t& value);
bool read_natural(const std::string& text, std::uint64_t& value);
/// At least one part.
std::vector<std::string> split_text(const std::string& text, const std::string& separator);

template <class item>
bool read_text(const std::string& text, std::vector<item>& items, style how) {
  items.clear();
  if (text.empty()) return true;
  for (const std::string& part : split_text(text, ",")) {
    items.emplace_back();
    if (!read_text(part, items.back(), how)) return false;
  }
  return true;
}

template <class object>
struct field {
  const char* name;
  json::kind kind;  ///< in a report; null: a number, or null for what is no number
  std::string (*write)(const object& of, style how);
  bool (*read)(const std::string& text, object& of, style how);
};

template <auto member, auto... inner, class object>
auto& member_of(object& of) {
  if constexpr (sizeof...(inner) == 0) {
    return of.*member;
  } else {
    return member_of<inner...>(of.*member);
  }
}

template <class value>
constexpr json::kind kind_of() {
  if (std::is_same_v<value, bool>) return json::kind::boolean;
  if (std::is_arithmetic_v<value>) return json::kind::number;
  return json::kind::text;
}

/// A member, or a member of a member: named<result, &result::with, &plan::math>("math").
template <class object, auto... path>
constexpr field<object> named(const char* name) {
  using value = std::decay_t<decltype(member_of<path...>(std::declval<object&>()))>;
  return {name, kind_of<value>(),
          [](const object& of, style how) { return text_of(member_of<path...>(of), how); },
          [](const std::string& text, object& of, style how) {
            return read_text(text, member_of<path...>(of), how);
          }};
}

template <class object>
constexpr field<object> as(json::kind kind, field<object> of) {
  of.kind = kind;
  return of;
}

/// "13.0".
template <version machine::*member>
constexpr field<machine> cuda_version(const char* name) {
  field<machine> made = named<machine, member>(name);
  made.write = [](const machine& of, style) {
    return (of.*member).known() ? std::string(to_cuda_string(of.*member).c_str()) : std::string();
  };
  return made;
}

/// "9.0".
std::string text_of_capability(const machine& of, style);
bool read_capability(const std::string& text, machine& of, style);

inline constexpr field<request> request_fields[] = {
    named<request, &request::library>("library"),
    named<request, &request::seconds>("seconds"),
    as(json::kind::array, named<request, &request::operations>("operations")),
    as(json::kind::array, named<request, &request::types>("types")),
    as(json::kind::text, named<request, &request::seed>("seed")),  // it has 64 bits
    as(json::kind::array, named<request, &request::devices>("devices")),
    named<request, &request::workers>("workers"),
    named<request, &request::plan_seconds>("plan_seconds"),
    named<request, &request::worker_bytes>("worker_bytes"),
    named<request, &request::errata>("errata"),
    named<request, &request::random>("random"),
    as(json::kind::text, named<request, &request::listed>("listed"))};

inline constexpr field<machine> machine_fields[] = {
    named<machine, &machine::cudnn>("cudnn"),
    cuda_version<&machine::cudart>("cudart"),
    cuda_version<&machine::driver>("driver"),
    named<machine, &machine::gpu>("gpu"),
    named<machine, &machine::gpu_uuid>("gpu_uuid"),
    {"capability", json::kind::text, text_of_capability, read_capability},
    named<machine, &machine::memory_free>("memory_free"),
    named<machine, &machine::memory_total>("memory_total"),
    named<machine, &machine::gpus>("gpus")};
constexpr std::size_t reported_machine_fields = 6;  ///< the others are for the pool alone

/// The columns of a plan in a report.
inline constexpr field<result> result_fields[] = {
    named<result, &result::with>("plan"),
    named<result, &result::what>("outcome"),
    named<result, &result::microseconds>("microseconds"),
    as(json::kind::null, named<result, &result::relative_error>("relative_error")),
    named<result, &result::with, &plan::offers>("offers"),
    named<result, &result::with, &plan::math>("math"),
    named<result, &result::with, &plan::deterministic>("deterministic"),
    named<result, &result::with, &plan::compiled_at_run>("compiled_at_run"),
    named<result, &result::alignment>("alignment"),
    as(json::kind::null, named<result, &result::element_error>("element_error")),
    as(json::kind::null, named<result, &result::tolerance>("tolerance")),
    named<result, &result::unwritten>("unwritten"),
    named<result, &result::elements>("elements"),
    named<result, &result::workspace>("workspace"),
    named<result, &result::right_with>("right_with"),
    named<result, &result::detail>("detail")};
constexpr std::size_t short_result_fields = 5;  ///< a plan without a defect has only these

inline constexpr field<not_run> not_run_fields[] = {
    named<not_run, &not_run::unsupported>("unsupported"),
    named<not_run, &not_run::too_large>("too_large"), named<not_run, &not_run::skipped>("skipped"),
    named<not_run, &not_run::blocked>("blocked")};

inline constexpr field<swept_gpu> gpu_fields[] = {
    named<swept_gpu, &swept_gpu::device>("device"),
    named<swept_gpu, &swept_gpu::uuid>("uuid"),
    named<swept_gpu, &swept_gpu::problems>("problems"),
    named<swept_gpu, &swept_gpu::why_not>("why_not"),
    named<swept_gpu, &swept_gpu::wrong_alone>("wrong_alone"),
    named<swept_gpu, &swept_gpu::example>("example")};

inline constexpr field<record> record_fields[] = {
    named<record, &record::seconds>("seconds"),
    named<record, &record::interrupted>("interrupted"),
    named<record, &record::ended_early>("ended_early"),
    named<record, &record::why_not>("why_not"),
    named<record, &record::not_repeated>("not_repeated"),
    named<record, &record::not_tried_again>("not_tried_again")};

}  // namespace cudnn_checked::sweep
