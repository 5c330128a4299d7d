// SPDX-License-Identifier: BSD-3-Clause
//
// A release catalogue made of rows, as tool/data/catalogue/generate.py makes the shipped one: to
// ask what happens where the catalogue lacks a release.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "catalogue_ids.h"
#include "core/catalogue/catalogue.h"
#include "core/model/library_name.h"

namespace test {

using namespace cudnn_checked;

/// A row of build_ids.csv: one file of one package.
struct catalogue_row {
  std::string file, build_id, number, cuda_major, set, asks_for;

  library_role role() const { return role_of_name(file); }
  cudnn_checked::release release() const { return {parse_version(number), std::stoi(cuda_major)}; }
  /// The cu13 folder in the run path; 0: none.  A survey of all packages on PyPI until 9.28.0
  /// found it in the sub-libraries for CUDA 13 since 9.17.0, and nowhere else.
  int run_path_cuda_major() const {
    const bool has_it = cuda_major == "13" && role() != library_role::shim &&
                        !(release().number < parse_version("9.17.0"));
    return has_it ? 13 : 0;
  }
};

inline std::vector<catalogue_row> read_catalogue_rows(const std::string& file = "build_ids.csv") {
  std::vector<catalogue_row> rows;
  for (const auto& c : read_csv("tool/data/catalogue/" + file, 6)) {
    rows.push_back({c[0], c[1], c[2], c[3], c[4], c[5]});
  }
  return rows;
}

class catalogue_builder {
 public:
  explicit catalogue_builder(const std::vector<catalogue_row>& rows) {
    for (const catalogue_row& row : rows) add_package(row);
    find_shared_roles(rows);
    find_unchanged_roles(rows);
    find_askers(rows);
    add_ids(rows);
  }
  catalogue_builder(const catalogue_builder&) = delete;
  catalogue_builder& operator=(const catalogue_builder&) = delete;

  /// Valid as long as this lives.
  const catalogue_table& table() const { return table_; }

 private:
  using key = std::array<unsigned char, 4>;  // x, y, z, CUDA major
  using number = std::array<unsigned char, 3>;
  using id = std::array<unsigned char, sizeof(catalogue_id::bytes)>;
  struct package {
    bool full = false;
    unsigned roles = 0;
  };

  static number number_of(const catalogue_row& row) {
    const version v = row.release().number;
    return {static_cast<unsigned char>(v.major), static_cast<unsigned char>(v.minor),
            static_cast<unsigned char>(v.patch)};
  }
  static key key_of(const catalogue_row& row, int cuda_major) {
    const number n = number_of(row);
    return {n[0], n[1], n[2], static_cast<unsigned char>(cuda_major)};
  }
  static unsigned bit_of(const catalogue_row& row) { return 1U << row.role().which(); }

  void add_package(const catalogue_row& row) {
    const key k = key_of(row, row.release().cuda_major);
    package& r = packages_[k];
    const bool full = row.set == "full";
    if (full && !r.full) r.roles = 0;
    if (full || !r.full) r.roles |= bit_of(row);
    r.full = r.full || full;
  }

  void find_shared_roles(const std::vector<catalogue_row>& rows) {
    std::map<std::string, std::set<std::string>> majors_of;
    for (const catalogue_row& row : rows) {
      majors_of[row.build_id].insert(row.cuda_major);
      if (majors_of[row.build_id].size() > 1) table_.shared_roles |= bit_of(row);
    }
  }

  void find_unchanged_roles(const std::vector<catalogue_row>& rows) {
    std::map<std::pair<std::string, std::string>, std::set<number>> numbers_of;
    std::map<unsigned char, unsigned> roles;
    for (const catalogue_row& row : rows) {
      std::set<number>& numbers = numbers_of[{row.build_id, row.cuda_major}];
      numbers.insert(number_of(row));
      if (numbers.size() > 1) roles[number_of(row)[0]] |= bit_of(row);
    }
    for (const auto& entry : roles) unchanged_.push_back({entry.first, entry.second});
  }

  void find_askers(const std::vector<catalogue_row>& rows) {
    std::map<std::pair<unsigned, number>, unsigned> asked;
    for (const catalogue_row& row : rows) {
      std::istringstream roles(row.asks_for);
      for (std::string role; roles >> role;) {
        asked[{row.role().which(), number_of(row)}] |= 1U << library_role::named(role).which();
      }
    }
    for (const auto& entry : asked) {
      const auto role = static_cast<library_role::known>(entry.first.first);
      const number& n = entry.first.second;
      const bool same = !askers_.empty() && askers_.back().role == role &&
                        askers_.back().major == n[0] && askers_.back().roles == entry.second;
      if (!same) askers_.push_back({n[0], n[1], n[2], role, entry.second});
    }
  }

  void add_ids(const std::vector<catalogue_row>& rows) {
    std::map<std::pair<std::string, number>, std::set<std::string>> majors_of;
    for (const catalogue_row& row : rows) {
      majors_of[{row.role(), number_of(row)}].insert(row.cuda_major);
    }
    std::map<id, std::pair<unsigned, std::set<key>>> ids;
    for (const catalogue_row& row : rows) {
      const bool one_only = majors_of[{row.role(), number_of(row)}].size() == 1;
      const bool open = one_only && (table_.shared_roles & bit_of(row)) != 0;
      const key k = key_of(row, open ? 0 : row.release().cuda_major);
      packages_.insert({k, {}});
      id first = {};
      for (std::size_t i = 0; i < first.size(); ++i) {
        first[i] =
            static_cast<unsigned char>(std::stoi(row.build_id.substr(2 * i, 2), nullptr, 16));
      }
      auto& entry = ids[first];
      entry.first = static_cast<unsigned>(row.role().which());
      entry.second.insert(k);
    }
    std::map<key, unsigned char> order;
    for (const auto& entry : packages_) {
      order[entry.first] = static_cast<unsigned char>(releases_.size());
      const key& k = entry.first;
      const auto role_set = static_cast<unsigned char>(role_sets_.size());
      releases_.push_back({k[0], k[1], k[2], k[3], entry.second.full, role_set});
      role_sets_.push_back(entry.second.roles);
    }
    std::map<std::set<key>, std::vector<cudnn_checked::catalogue_id>> sets;
    for (const auto& entry : ids) {
      cudnn_checked::catalogue_id row = {};
      std::copy(entry.first.begin(), entry.first.end(), row.bytes);
      row.meaning = static_cast<unsigned char>(entry.second.first);
      sets[entry.second.second].push_back(row);
    }
    for (auto& entry : sets) {
      for (const key& k : entry.first) set_members_.push_back(order[k]);
      set_sizes_.push_back(static_cast<unsigned char>(entry.first.size()));
      entry.second.back().meaning |= cudnn_checked::last_of_set;
      ids_.insert(ids_.end(), entry.second.begin(), entry.second.end());
    }
    publish();
  }

  void publish() {
    table_ = {releases_.data(),
              releases_.size(),
              role_sets_.data(),
              ids_.data(),
              ids_.size(),
              set_members_.data(),
              set_sizes_.data(),
              table_.shared_roles,
              unchanged_.data(),
              unchanged_.size(),
              askers_.data(),
              askers_.size(),
              elf_catalogue().id_digits};
  }

  std::map<key, package> packages_;
  std::vector<catalogue_release> releases_;
  std::vector<unsigned> role_sets_;
  std::vector<cudnn_checked::catalogue_id> ids_;
  std::vector<unsigned char> set_members_;
  std::vector<unsigned char> set_sizes_;
  std::vector<catalogue_unchanged> unchanged_;
  std::vector<catalogue_asker> askers_;
  catalogue_table table_ = {};
};

}  // namespace test
