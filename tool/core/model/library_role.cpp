// SPDX-License-Identifier: BSD-3-Clause
#include "library_role.h"

#include "cudnn_major.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// By library_role::known.
static constexpr char role_names[] =
#define ROLE(name, ...) #name "\0"
#include "library_roles.def"
#undef ROLE
    ;

enum class role_ships : unsigned char { jit, full, later, asked };

struct role_row {
  unsigned char major;
  role_ships ships;
  role_called called;
};

// By library_role::known.
static constexpr role_row role_rows[] = {
#define ROLE(name, major, ships, needs, opens, word, called) \
  {major, role_ships::ships, role_called::called},
#include "library_roles.def"
#undef ROLE
};

namespace {

/// For the names of its enumerators.
struct opened_by_role : opened_part {
  static constexpr opened_parts rows[] = {
#define ROLE(name, major, ships, needs, opens, ...) {{OPENED opens}},
#define OPENED(...) __VA_ARGS__
#include "library_roles.def"
#undef OPENED
#undef ROLE
  };
};

}  // namespace

opened_parts parts_opened_by(library_role role) {
  return role.which() < library_role::none ? opened_by_role::rows[role.which()] : opened_parts();
}

static bool ships(library_role role, role_ships how) {
  return role.which() < library_role::none && role_rows[role.which()].ships == how;
}

int major_of_role(library_role role) {
  return role.which() < library_role::none ? role_rows[role.which()].major : 0;
}

bool is_jit_role(library_role role) { return ships(role, role_ships::jit); }
bool is_asked_by_jit_only(library_role role) { return ships(role, role_ships::asked); }
bool is_optional_role(library_role role) {
  return ships(role, role_ships::later) || is_asked_by_jit_only(role);
}

role_called calls_of(library_role role) {
  return role.which() < library_role::none ? role_rows[role.which()].called : role_called::no;
}

arena_vector<library_role> called_roles(int cudnn_major) {
  return filtered(sublibraries_of(cudnn_major),
                  [](const library_role& role) { return calls_of(role) != role_called::no; });
}

library_role library_role::named(std::string_view name) {
  if (name.empty()) return none;
  for (int i = shim; i < none; ++i) {
    if (is_equal(name, text_at(role_names, static_cast<std::size_t>(i))))
      return static_cast<known>(i);
  }
  library_role role = other;
  role.value_ = reinterpret_cast<std::uintptr_t>(arena_string(name).c_str());
  return role;
}

const char* to_string(library_role role) {
  if (role == library_role::none) return "";
  if (role != library_role::other) return text_at(role_names, role.which());
  return reinterpret_cast<const char*>(role.value_);
}

arena_string to_string(const arena_vector<library_role>& roles) {
  arena_string text;
  for (const library_role& role : roles) {
    if (!text.empty()) text += ", ";
    text += to_string(role);
  }
  return text;
}

bool operator==(library_role a, library_role b) {
  return a.which() == b.which() &&
         (a != library_role::other || is_equal(to_string(a), to_string(b)));
}

arena_vector<library_role> sublibraries_of(int cudnn_major) {
  const int major = role_rows[computing_role(cudnn_major)].major;
  arena_vector<library_role> roles;
  for (int i = library_role::shim; i < library_role::none; ++i) {
    const role_row& row = role_rows[i];
    if (row.major != major || is_optional_role(static_cast<library_role::known>(i))) {
      continue;
    }
    roles.push_back(static_cast<library_role::known>(i));
  }
  return roles;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
