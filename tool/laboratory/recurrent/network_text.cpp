// SPDX-License-Identifier: BSD-3-Clause
#include "network_text.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace cudnn_checked::compute {

namespace {

constexpr int largest_size = 1 << 15;

/// Takes text from the front.
struct text_reader {
  std::string_view rest;

  bool take(std::string_view word) {
    if (rest.substr(0, word.size()) != word) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  bool take(int& size, int least = 1) {
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (read.ec != std::errc() || size < least || size > largest_size) return false;
    rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
    return true;
  }
};

bool take_cell(text_reader& from, recurrent_cell& cell) {
  for (const recurrent_cell one :
       {recurrent_cell::relu, recurrent_cell::tanh, recurrent_cell::lstm, recurrent_cell::gru}) {
    if (!from.take(to_string(one))) continue;
    cell = one;
    return from.take(" ");
  }
  return false;
}

bool take_lengths(text_reader& from, std::vector<int>& lengths) {
  for (int& length : lengths) {
    if (!from.take(" ") || !from.take(length, 0)) return false;
  }
  return true;
}

bool take_settings(text_reader& from, network& what) {
  if (from.take(", projection ") && !from.take(what.projection)) return false;
  const text_reader before = from;
  if (from.take(", ") && (!from.take(what.layers) || !from.take(" layers"))) {
    from = before;
    what.layers = 1;
  }
  if (from.take(", 2 directions")) what.directions = 2;
  if (from.take(", lengths") && !take_lengths(from, what.lengths)) return false;
  what.packed = from.take(", packed");
  return from.rest.empty();
}

}  // namespace

std::string sizes_text(const network& what) {
  const auto number = [](int value) { return std::to_string(value); };
  std::string made = std::string(to_string(what.cell)) + " " + number(what.batch()) + "x" +
                     number(what.steps()) + "x" + number(what.inputs) + " to " +
                     number(what.hidden);
  if (what.projection > 0) made += ", projection " + number(what.projection);
  if (what.layers > 1) made += ", " + number(what.layers) + " layers";
  if (what.directions > 1) made += ", 2 directions";
  return made;
}

std::string network_text(const network& what) {
  std::string made = sizes_text(what);
  if (!what.same_lengths()) made += ", lengths";
  for (const int length : what.lengths) {
    if (!what.same_lengths()) made += " " + std::to_string(length);
  }
  return what.packed ? made + ", packed" : made;
}

bool read_network(const std::string& text, network& result) {
  text_reader from{text};
  network what;
  int batch = 0;
  int steps = 0;
  if (!take_cell(from, what.cell) || !from.take(batch) || !from.take("x") || !from.take(steps) ||
      !from.take("x") || !from.take(what.inputs) || !from.take(" to ") || !from.take(what.hidden)) {
    return false;
  }
  what.lengths.assign(static_cast<std::size_t>(batch), steps);
  if (!take_settings(from, what) || network_text(what) != text) return false;
  const auto longest = std::max_element(what.lengths.begin(), what.lengths.end());
  const bool descend = std::is_sorted(what.lengths.rbegin(), what.lengths.rend());
  if (*longest != what.steps() || (what.packed && !descend)) return false;
  if (what.projection > 0 && (what.cell != recurrent_cell::lstm || what.projection >= what.hidden))
    return false;
  result = what;
  return true;
}

}  // namespace cudnn_checked::compute
