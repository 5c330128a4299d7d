// SPDX-License-Identifier: BSD-3-Clause
//
// Texts with values in them.  One call is a fraction of the code of a chain of `+`, which counts in
// other people's programs: the pattern has the words, and the compiler passes the kinds of the
// values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "finding.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct architecture;
struct cudnn_file;
struct found_file;
struct release;

/// What a `%s` or `%d` of a pattern stands for: any of these, whatever the letter.
enum class slot_kind : char {
  text = 1,      ///< const char*
  string,        ///< string
  number,        ///< int
  count,         ///< std::size_t
  version,       ///< "9.14.0"
  cuda,          ///< as_cuda(version): "13.0"
  driver,        ///< as_driver(version): "580.65.06"
  architecture,  ///< "sm_90"
  releases,      ///< vector<release>: "9.14.0 for CUDA 12 or 13"
  file,          ///< found_file, or a pointer to one: its path and what it is chosen by
  library        ///< cudnn_file, or a pointer to one: the same; its name where it is missing
};

struct cuda_number {
  version number;
};
struct driver_release {
  version number;
};
inline cuda_number as_cuda(version number) { return {number}; }
inline driver_release as_driver(version number) { return {number}; }

/// A value on its way into a text: by address, or as the address itself where it is a number.
struct slot_of {
  template <slot_kind which>
  struct of_kind {
    static constexpr slot_kind kind = which;
    const void* value;
  };
  static of_kind<slot_kind::text> make(const char* text) { return {text}; }
  static of_kind<slot_kind::string> make(arena_string text) { return {text.data()}; }
  static of_kind<slot_kind::number> make(int n) {
    return {reinterpret_cast<const void*>(static_cast<std::intptr_t>(n))};
  }
  static of_kind<slot_kind::count> make(std::size_t n) {
    return {reinterpret_cast<const void*>(n)};
  }
  static of_kind<slot_kind::version> make(version v) {
    return {reinterpret_cast<const void*>(v.number())};
  }
  static of_kind<slot_kind::cuda> make(cuda_number v) { return {make(v.number).value}; }
  static of_kind<slot_kind::driver> make(driver_release v) { return {make(v.number).value}; }
  static of_kind<slot_kind::architecture> make(const architecture& a) { return {&a}; }
  static of_kind<slot_kind::releases> make(const arena_vector<release>& r) { return {&r}; }
  static of_kind<slot_kind::file> make(const found_file& f) { return {&f}; }
  static of_kind<slot_kind::library> make(const cudnn_file& f) { return {&f}; }
  static of_kind<slot_kind::library> make(const cudnn_file* f) { return {f}; }
};

/// The kinds of the values of one call, four bits each, the first in the lowest; 0 ends them.
using slot_kinds = std::uint64_t;

template <class... slots>
constexpr slot_kinds kinds_of() {
  static_assert(sizeof...(slots) <= 16, "four bits each");
  slot_kinds all = 0;
  int place = 0;
  ((all |= static_cast<slot_kinds>(slots::kind) << 4 * place++), ...);
  return all;
}

inline slot_kind first_kind(slot_kinds kinds) { return static_cast<slot_kind>(kinds & 15); }

arena_string slot_text(slot_kind kind, const void* value);
arena_string format_slots(const char* pattern, slot_kinds kinds, ...);
void tell_slots(finding& f, const char* pattern, slot_kinds kinds, ...);

/// The pattern with the values in the place of its `%s` and `%d`.
template <class... values>
arena_string format(const char* pattern, const values&... all) {
  return format_slots(pattern, kinds_of<decltype(slot_of::make(all))...>(),
                      slot_of::make(all).value...);
}

/// Fills in a finding.  A line of the pattern is a part of it, by its first character:
///   =label|value|where   what is expected
///   :label|value|where   what is found
///   +label|value|where   one more fact
///   .                    why it matters, where that is not the sentence of its row
///   $                    one more line of the fix, a command
///   >                    one more line of the fix, advice
/// and the summary without any of them.
template <class... values>
void tell(finding& f, const char* pattern, const values&... all) {
  tell_slots(f, pattern, kinds_of<decltype(slot_of::make(all))...>(), slot_of::make(all).value...);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
