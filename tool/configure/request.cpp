// SPDX-License-Identifier: BSD-3-Clause
#include "request.h"

#include <cstdlib>

#include "../core/model/cmake_text.h"
#include "../core/model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

request::request(int count, const char* const* arguments) {
  for (int i = 0; i < count; ++i) facts_.push_back(as_before_cmake(arguments[i]));
}

arena_vector<arena_string> request::all(const char* key) const {
  const arena_string start = arena_string(key) + "=";
  arena_vector<arena_string> values;
  for (const arena_string& fact : facts_) {
    if (starts_with(fact, start.c_str())) values.push_back(fact.substr(start.size()));
  }
  return values;
}

arena_string request::operator[](const char* key) const {
  const arena_vector<arena_string> values = all(key);
  return values.empty() ? arena_string() : values.front();
}

request request::with(const char* key, const arena_string& value) const {
  request more = *this;
  more.facts_.push_back(arena_string(key) + "=" + value);
  return more;
}

int request::number(const char* key) const { return std::atoi((*this)[key].c_str()); }

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
