// SPDX-License-Identifier: BSD-3-Clause
//
// What an order of packages asks for, whoever installs them.
#include <algorithm>

#include "../../model/cuda_major.h"
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"
#include "wheel_commands.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<arena_string> brought_by(const wheel_order& order) {
  return order.by_extras.empty() ? order.requirements : order.by_extras;
}

arena_string specifiers_of_order(const arena_string& requirement) {
  return requirement.substr(name_of_order(requirement).size());
}

bool is_ordered(const wheel_order& order, const arena_string& name) {
  for (const arena_string& requirement : order.requirements) {
    if (name_of_order(requirement) == name) return true;
  }
  return contains(order.conflicting, name);
}

arena_string metadata_of(const python_environment& e, const installed_wheel& wheel) {
  return join_path(e.site, wheel.info);
}

answer brings_again(const wheel_order& order, const installed_wheel& wheel) {
  for (const arena_string& requirement : order.requirements) {
    if (name_of_order(requirement) != wheel.name) continue;
    const arena_string specifiers = specifiers_of_order(requirement);
    const bool exact = starts_with(specifiers, "==");
    if (!exact || specifiers.find(',') != arena_string::npos) return answer::unknown;
    const arena_string number = specifiers.substr(2);
    if (number.back() != '*') return number == wheel.number ? answer::yes : answer::no;
    if (!starts_with(wheel.number + ".", number.substr(0, number.size() - 1))) return answer::no;
    return std::count(number.begin(), number.end(), '.') > 2 ? answer::yes : answer::unknown;
  }
  return answer::no;
}

bool is_stale(const wheel_order& order, const installed_wheel& wheel) {
  return is_ordered(order, wheel.name) && brings_again(order, wheel) != answer::yes;
}

fix_line install_by_nobody(const python_environment& e, const wheel_order& order) {
  return advice(format("with pip or uv, neither of which is here: install %s in %s",
                       joined(order.requirements, " and "), e.site));
}

fix_line prepend_environment(const python_environment& e, const arena_string& directory,
                             const arena_string& value) {
  arena_string all = directory;
  for (const arena_string& other : e.libraries) {
    if (other != directory) all += search_separator() + other;
  }
  return prepend_library_path(all, value);
}

arena_string of_newest_cudnn(const arena_string& requirement) {
  const bool bare = requirement.size() == name_of_order(requirement).size();
  return bare && is_cudnn_wheel(requirement) ? format("%s==%d.*", requirement, newest_cudnn)
                                             : requirement;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
