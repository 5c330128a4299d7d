// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue.h"

#include <cstddef>
#include <string_view>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct catalogue_release {
  unsigned char major;
  unsigned char minor;
  unsigned char patch;
  unsigned char cuda_major;  ///< 0: the file can be of any
  bool whole;                ///< every file of its full package is in the table
};

struct catalogue_row {
  unsigned long long id;  ///< first eight bytes of the build id
  unsigned char role;
  unsigned char set;
};

#include "catalogue_table.inc"

static release release_at(std::size_t index) {
  const catalogue_release& r = catalogue_releases[index];
  return {{r.major, r.minor, r.patch}, r.cuda_major};
}

static std::size_t set_begin(std::size_t set) { return set == 0 ? 0 : catalogue_set_ends[set - 1]; }

// The first sixteen digits as a number; false where there are fewer, or other characters.
static bool parse_id_key(std::string_view build_id, unsigned long long& key) {
  if (build_id.size() < 16) return false;
  key = 0;
  for (const char c : build_id.substr(0, 16)) {
    unsigned digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else {
      return false;
    }
    key = key << 4 | digit;
  }
  return true;
}

static const catalogue_row* find_row(unsigned long long key) {
  std::size_t low = 0;
  std::size_t high = sizeof(catalogue_rows) / sizeof(catalogue_rows[0]);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (catalogue_rows[middle].id == key) return &catalogue_rows[middle];
    if (catalogue_rows[middle].id < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return nullptr;
}

file_identity identify_build_id(const string& build_id) {
  file_identity identity;
  unsigned long long key = 0;
  const catalogue_row* row = parse_id_key(build_id, key) ? find_row(key) : nullptr;
  if (row == nullptr) return identity;
  identity.told_by = file_identity::source::build_id;
  identity.role = catalogue_roles[row->role];
  for (std::size_t i = set_begin(row->set); i < catalogue_set_ends[row->set]; ++i) {
    identity.releases.push_back(release_at(catalogue_set_members[i]));
  }
  return identity;
}

// Files of these roles can be the same for every CUDA major, whatever package they came with.
static bool is_shared_role(const string& role) {
  for (std::size_t i = 0; i < sizeof(catalogue_roles) / sizeof(catalogue_roles[0]); ++i) {
    if (role == catalogue_roles[i]) return (catalogue_shared_roles >> i & 1) != 0;
  }
  return false;
}

// A record whose length is another is of a file that was replaced since.
static bool is_own_package(const package_record& package) {
  return package.cudnn.known() && package.same_size != answer::no;
}

static int cuda_major_of(const cudnn_file& file, const version& number) {
  const package_record& package = file.package;
  if (is_own_package(package) && package.cuda_major != 0 && package.cudnn == number) {
    return package.cuda_major;
  }
  return file.run_path_cuda_major;
}

file_identity identify(const cudnn_file& file) {
  file_identity identity = identify_build_id(file.build_id);
  if (identity.told_by == file_identity::source::build_id) return identity;
  // auditwheel renames files and leaves the role in both names; the SONAME is what others link to.
  identity.role = role_of_name(file.soname);
  if (identity.role.empty()) identity.role = role_of_name(file.name);
  if (identity.role.empty()) identity.role = file.role;
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
  if (!is_shared_role(identity.role)) told.cuda_major = cuda_major_of(file, told.number);
  identity.releases.push_back(told);
  return identity;
}

static void add_release(vector<release>& releases, const release& which) {
  for (const release& r : releases) {
    if (r.number == which.number && r.cuda_major == which.cuda_major) return;
  }
  releases.push_back(which);
}

// A CUDA major that is not known matches every other.
static vector<release> common_releases(const vector<release>& left, const vector<release>& right) {
  vector<release> common;
  for (const release& l : left) {
    for (const release& r : right) {
      if (l.number != r.number) continue;
      if (l.cuda_major != 0 && r.cuda_major != 0 && l.cuda_major != r.cuda_major) continue;
      add_release(common, {l.number, l.cuda_major != 0 ? l.cuda_major : r.cuda_major});
    }
  }
  return common;
}

vector<release> intersect(const vector<file_identity>& identities, bool& known) {
  vector<release> common;
  known = false;
  for (const file_identity& identity : identities) {
    if (identity.releases.empty()) continue;
    common = known ? common_releases(common, identity.releases) : identity.releases;
    known = true;
  }
  return common;
}

static bool is_same_number(const catalogue_release& r, const version& number) {
  return r.major == number.major && r.minor == number.minor && r.patch == number.patch;
}

// The roles of one release.  A file of any CUDA major was read from one package only: it is this
// release's where that was its full package, and the shim always is.
static void mark_roles(const catalogue_release& which, bool* marked) {
  constexpr unsigned shim = 0;
  for (const catalogue_row& row : catalogue_rows) {
    for (std::size_t i = set_begin(row.set); i < catalogue_set_ends[row.set]; ++i) {
      const catalogue_release& r = catalogue_releases[catalogue_set_members[i]];
      const bool open = r.cuda_major == 0 && (which.whole || row.role == shim);
      if ((open || r.cuda_major == which.cuda_major) &&
          is_same_number(r, {which.major, which.minor, which.patch})) {
        marked[row.role] = true;
      }
    }
  }
}

static vector<string> roles_in_catalogue(const release& which, bool full_only) {
  constexpr std::size_t count = sizeof(catalogue_roles) / sizeof(catalogue_roles[0]);
  bool marked[count] = {};
  for (const catalogue_release& r : catalogue_releases) {
    if (!is_same_number(r, which.number) || r.cuda_major == 0 || (full_only && !r.whole)) continue;
    if (which.cuda_major == 0 || r.cuda_major == which.cuda_major) mark_roles(r, marked);
  }
  vector<string> roles;
  for (std::size_t i = 0; i < count; ++i) {
    if (marked[i]) roles.push_back(catalogue_roles[i]);
  }
  return roles;
}

vector<string> roles_of(const release& which) { return roles_in_catalogue(which, true); }

vector<string> roles_with_known_ids(const release& which) {
  return roles_in_catalogue(which, false);
}

static bool is_role_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// auditwheel renames a library to NAME-HASH.so.9, with eight hexadecimal digits for HASH.
static std::string_view without_auditwheel_hash(std::string_view stem) {
  if (stem.size() < 9 || stem[stem.size() - 9] != '-') return stem;
  for (const char c : stem.substr(stem.size() - 8)) {
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return stem;
  }
  return stem.substr(0, stem.size() - 9);
}

string role_of_name(const string& file_name) {
  constexpr std::string_view prefix = "libcudnn";
  const std::string_view name = file_name;
  const std::size_t end = name.find(".so");
  if (name.substr(0, prefix.size()) != prefix || end == std::string_view::npos) return {};
  const std::string_view suffix = name.substr(end + 3);
  if (!suffix.empty() && suffix[0] != '.') return {};
  for (const char c : suffix) {
    if (c != '.' && (c < '0' || c > '9')) return {};
  }
  std::string_view role = without_auditwheel_hash(name.substr(0, end)).substr(prefix.size());
  if (role.empty()) return "shim";
  if (role[0] != '_' || role.size() == 1) return {};
  role.remove_prefix(1);
  for (const char c : role) {
    if (!is_role_character(c)) return {};
  }
  return string(role);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
