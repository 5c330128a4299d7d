// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue.h"

#include <cstring>
#include <string_view>

#include "../model/library_name.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static int hexadecimal_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The first digits as bytes; false for what has another length than the ids of the table.
static bool read_id(std::string_view build_id, std::size_t digits, catalogue_id& id) {
  if (build_id.size() != digits) return false;
  for (std::size_t i = 0; i < sizeof(id.bytes); ++i) {
    const int high = hexadecimal_digit(build_id[2 * i]);
    const int low = hexadecimal_digit(build_id[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    id.bytes[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return true;
}

library_role catalogue_walk::role() const {
  return static_cast<library_role::known>(here().meaning & ~last_of_set);
}

arena_vector<release> catalogue_walk::releases() const {
  arena_vector<release> found;
  for (std::size_t i = 0; i < table.set_sizes[set]; ++i) {
    const catalogue_release& r = table.releases[table.set_members[first_member + i]];
    found.push_back({number_of(r), r.cuda_major});
  }
  return found;
}

void catalogue_walk::next() {
  if ((here().meaning & last_of_set) != 0) first_member += table.set_sizes[set++];
  ++id;
}

file_identity identify_build_id(arena_string build_id, const catalogue_table& table) {
  file_identity identity;
  catalogue_id id;
  if (!read_id(build_id, table.id_digits, id)) return identity;
  for (catalogue_walk walk = {table}; !walk.at_end(); walk.next()) {
    const unsigned char* const here = walk.here().bytes;
    // The first byte distinguishes most of them; this walk is much of the time that a check takes.
    if (here[0] == id.bytes[0] && std::memcmp(here, id.bytes, sizeof(id.bytes)) == 0) {
      return {file_identity::source::build_id, walk.role(), walk.releases()};
    }
  }
  return identity;
}

static bool has_role(unsigned bits, library_role role) { return (bits >> role.which() & 1) != 0; }

bool is_seen_shared(library_role role, const catalogue_table& table) {
  return has_role(table.shared_roles, role);
}

bool is_seen_unchanged(library_role role, int cudnn_major, const catalogue_table& table) {
  for (std::size_t i = 0; i < table.unchanged_count; ++i) {
    const catalogue_unchanged& seen = table.unchanged[i];
    if (seen.cudnn_major == cudnn_major) return has_role(seen.roles, role);
  }
  return false;
}

// A record whose length is another is of a file that was replaced since.
static bool is_own_package(const package_record& package) {
  return package.cudnn.known() && package.same_size != answer::no;
}

static int cuda_major_of(const cudnn_file& file, version number) {
  const package_record& package = file.package;
  if (is_own_package(package) && package.cuda_major != 0 && package.cudnn == number) {
    return package.cuda_major;
  }
  return file.run_path_cuda_major;
}

file_identity identify(const cudnn_file& file, const catalogue_table& table) {
  file_identity identity = identify_build_id(file.build_id, table);
  if (identity.told_by == file_identity::source::build_id) return identity;
  // auditwheel renames files and leaves the role in both names; the SONAME is what others link to.
  identity.role = role_of_name(file.soname);
  if (identity.role == library_role::none) identity.role = role_of_name(file.name);
  if (identity.role == library_role::none) identity.role = file.role;
  release told;
  if (file.word.known()) {
    identity.told_by = file_identity::source::version_word;
    told.number = file.word;
  } else if (file.name_version.known()) {
    identity.told_by = file_identity::source::file_name;
    told.number = file.name_version;
  } else if (is_own_package(file.package)) {
    identity.told_by = file_identity::source::package;
    told.number = file.package.cudnn;
  } else {
    return identity;
  }
  // The file can be the same for every CUDA major, whatever package it came with.
  if (!is_seen_shared(identity.role, table)) told.cuda_major = cuda_major_of(file, told.number);
  identity.releases.push_back(told);
  return identity;
}

static void add_release(arena_vector<release>& releases, const release& which) {
  for (const release& r : releases) {
    if (r.number == which.number && r.cuda_major == which.cuda_major) return;
  }
  releases.push_back(which);
}

// A CUDA major that is not known matches every other.
static arena_vector<release> common_releases(const arena_vector<release>& left,
                                             const arena_vector<release>& right) {
  arena_vector<release> common;
  for (const release& l : left) {
    for (const release& r : right) {
      if (l.number != r.number) continue;
      if (l.cuda_major != 0 && r.cuda_major != 0 && l.cuda_major != r.cuda_major) continue;
      add_release(common, {l.number, l.cuda_major != 0 ? l.cuda_major : r.cuda_major});
    }
  }
  return common;
}

arena_vector<release> intersect(const arena_vector<file_identity>& identities, bool& known) {
  arena_vector<release> common;
  known = false;
  for (const file_identity& identity : identities) {
    if (identity.releases.empty()) continue;
    common = known ? common_releases(common, identity.releases) : identity.releases;
    known = true;
  }
  return common;
}

static arena_vector<library_role> roles_in(unsigned bits) {
  arena_vector<library_role> roles;
  for (int i = library_role::shim; i < library_role::none; ++i) {
    const library_role role = static_cast<library_role::known>(i);
    if (has_role(bits, role)) roles.push_back(role);
  }
  return roles;
}

static arena_vector<library_role> roles_in_catalogue(const catalogue_table& table,
                                                     const release& which,
                                                     package_set which_packages) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < table.release_count; ++i) {
    const catalogue_release& r = table.releases[i];
    if (number_of(r) != which.number || !is_package_for(r, which.cuda_major)) continue;
    if (r.full || which_packages == package_set::all) bits |= table.role_sets[r.role_set];
  }
  return roles_in(bits);
}

arena_vector<library_role> asked_by(library_role asker, int major, version number,
                                    const catalogue_table& table) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < table.asker_count; ++i) {
    const catalogue_asker& a = table.askers[i];
    if (a.role != asker.which() || a.major != major) continue;
    const version since = {a.major, a.minor, a.patch};
    if (bits == 0 || since < number || since == number) bits = a.roles;
  }
  return roles_in(bits);
}

version first_release_with(library_role role, const release& after, const catalogue_table& table) {
  for (std::size_t i = 0; i < table.release_count; ++i) {
    const catalogue_release& r = table.releases[i];
    if (r.full && r.major == after.number.major && after.number < number_of(r) &&
        is_package_for(r, after.cuda_major) && has_role(table.role_sets[r.role_set], role)) {
      return number_of(r);
    }
  }
  return {};
}

arena_vector<library_role> roles_of(const release& which, const catalogue_table& table) {
  return roles_in_catalogue(table, which, package_set::full);
}

arena_vector<library_role> roles_with_known_ids(const release& which,
                                                const catalogue_table& table) {
  return roles_in_catalogue(table, which, package_set::all);
}

bool is_catalogued(const release& which, const catalogue_table& table) {
  for (std::size_t i = 0; i < table.release_count; ++i) {
    const catalogue_release& r = table.releases[i];
    if (number_of(r) == which.number && is_package_for(r, which.cuda_major)) return true;
  }
  return false;
}

bool is_catalogued_between(version one, version other, int cuda_major,
                           const catalogue_table& table) {
  version low = one < other ? one : other;
  version high = one < other ? other : one;
  for (std::size_t i = 0; i < table.release_count; ++i) {
    const version number = number_of(table.releases[i]);
    if (low < number && number < high && is_package_for(table.releases[i], cuda_major)) return true;
  }
  return false;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
