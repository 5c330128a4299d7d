// SPDX-License-Identifier: BSD-3-Clause
#include "library_role.h"

#include <algorithm>

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

namespace {

/// For the names of its enumerators.
struct role_table : library_role, opened_part {
  struct row {
    unsigned char major;
    role_ships ships;
    role_called called;
    // Behind the last of a list comes the shim, which is in none.
    library_role::known needs[3], through[1], was[2];
    opened_parts opens;
  };

  // By library_role::known, and one for what is no role of this table.
  static constexpr row rows[] = {
#define ROLE(name, major, ships, needs, opens, word, called, through, was)                 \
  {major,        role_ships::ships, role_called::called, {LISTED needs}, {LISTED through}, \
   {LISTED was}, {{LISTED opens}}},
#define LISTED(...) __VA_ARGS__
#include "library_roles.def"
#undef LISTED
#undef ROLE
      {0, role_ships::full, role_called::no, {}, {}, {}, {}}};
};

}  // namespace

static const role_table::row& row_of(library_role role) {
  return role_table::rows[std::min(role.which(), library_role::none)];
}

opened_parts parts_opened_by(library_role role) { return row_of(role).opens; }
int major_of_role(library_role role) { return row_of(role).major; }
role_called calls_of(library_role role) { return row_of(role).called; }

static bool ships(library_role role, role_ships how) { return row_of(role).ships == how; }
bool is_jit_role(library_role role) { return ships(role, role_ships::jit); }
bool is_asked_by_jit_only(library_role role) { return ships(role, role_ships::asked); }
bool is_optional_role(library_role role) {
  return ships(role, role_ships::later) || is_asked_by_jit_only(role);
}

arena_vector<library_role> called_roles(int cudnn_major) {
  return filtered(sublibraries_of(cudnn_major),
                  [](const library_role& role) { return calls_of(role) != role_called::no; });
}

template <std::size_t most>
static arena_vector<library_role> listed(const library_role::known (&list)[most]) {
  arena_vector<library_role> roles;
  for (const library_role::known other : list) {
    if (other != library_role::shim) roles.push_back(other);
  }
  return roles;
}

arena_vector<library_role> linked_with(library_role role) { return listed(row_of(role).needs); }
arena_vector<library_role> in_cudnn_8(library_role role) { return listed(row_of(role).was); }

arena_vector<library_role> called_with(library_role role) {
  arena_vector<library_role> roles = listed(row_of(role).through);
  roles.push_back(role);
  return roles;
}

arena_vector<library_role> used_by(library_role role) {
  arena_vector<library_role> roles;
  for (const library_role& called : called_with(role)) {
    for (const library_role& other : linked_with(called)) add_once(other, roles);
    add_once(called, roles);
  }
  return roles;
}

bool takes_descriptors(library_role role) {
  return role != library_role::shim &&
         any_of(role_table::rows, [&](const role_table::row& row) { return role == row.was[1]; });
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
  const int major = role_table::rows[computing_role(cudnn_major)].major;
  arena_vector<library_role> roles;
  for (int i = library_role::shim; i < library_role::none; ++i) {
    const role_table::row& row = role_table::rows[i];
    if (row.major != major || is_optional_role(static_cast<library_role::known>(i))) {
      continue;
    }
    roles.push_back(static_cast<library_role::known>(i));
  }
  return roles;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
