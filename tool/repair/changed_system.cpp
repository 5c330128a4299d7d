// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <set>

#include "../core/model/paths.h"
#include "../core/system/platform.h"
#include "repaired_system.h"

namespace cudnn_checked::repairs {

static constexpr int most_links = 8;

namespace {

class text_source final : public byte_source {
 public:
  explicit text_source(std::string text) : text_(std::move(text)) {}
  unsigned long long size() const override { return text_.size(); }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    if (offset > text_.size() || count > text_.size() - offset) return false;
    std::memcpy(target, text_.data() + offset, count);
    return true;
  }

 private:
  std::string text_;
};

}  // namespace

bool changed_system::place_order::operator()(std::string_view left, std::string_view right) const {
  const auto has_drive = [](std::string_view place) { return place.size() > 1 && place[1] == ':'; };
  if (!has_drive(left) || !has_drive(right)) return left < right;
  return std::lexicographical_compare(
      left.begin(), left.end(), right.begin(), right.end(),
      [](char one, char other) { return lower_case(one) < lower_case(other); });
}

static std::string_view parent_of(std::string_view place) {
  const std::size_t slash = place.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : place.substr(0, slash);
}

const changed_system::entry* changed_system::changed(const std::string& place) const {
  const auto own = files_.find(place);
  if (own != files_.end()) return &own->second;
  for (std::string_view above = parent_of(place); above != "/"; above = parent_of(above)) {
    const auto found = files_.find(above);
    if (found != files_.end() && found->second.what == kind::gone) return &found->second;
  }
  return nullptr;
}

std::pair<changed_system::entries::const_iterator, changed_system::entries::const_iterator>
changed_system::below(const std::string& place) const {
  // '0' comes after '/'.
  return {files_.upper_bound(place + "/"), files_.lower_bound(place + "0")};
}

bool changed_system::is_directory(const std::string& place) const {
  const auto [begin, end] = below(place);
  return std::any_of(begin, end, [](const auto& own) { return own.second.what != kind::gone; });
}

std::string changed_system::place_of(const arena_string& path, int links) const {
  std::string plain = is_absolute(path) ? path : join_path(working_directory(), path);
  plain.resize(plain.find_last_not_of('/') + 1);
  const std::size_t slash = plain.rfind('/');
  if (slash == 0 || slash == std::string::npos) return plain.empty() ? "/" : plain;
  const std::string name = plain.substr(slash + 1);
  const std::string& above = folder_of(plain.substr(0, slash), links);
  if (name == ".") return above;
  if (name == "..") return std::string(parent_of(above));
  return (above == "/" ? "" : above) + "/" + name;
}

const std::string& changed_system::folder_of(const std::string& path, int links) const {
  const auto known = folders_.find(path);
  if (known != folders_.end()) return known->second;
  return folders_[path] = target_of(path, links);
}

std::string changed_system::target_of(const arena_string& path, int links) const {
  const std::string place = place_of(path, links);
  if (place.find('/') == std::string::npos) return place;  // a drive
  const entry* const own = changed(place);
  if (own != nullptr && own->what == kind::link) {
    if (links == most_links) return place;
    const bool absolute = is_absolute(own->text);
    const std::string above(absolute ? "" : parent_of(place));
    return target_of(absolute ? own->text : above + "/" + own->text, links + 1);
  }
  if (own != nullptr || is_directory(place)) return place;
  const std::string real = system_view::real_path(place);
  return real.empty() ? place : real;
}

const std::string& changed_system::target_of(const arena_string& path) const {
  const auto [known, is_new] = targets_.try_emplace(path);
  if (is_new) known->second = target_of(path, 0);
  return known->second;
}

bool changed_system::variable(const char* name, arena_string& value) const {
  const auto found = variables_.find(name);
  if (found == variables_.end() || secure()) return system_view::variable(name, value);
  value = found->second;
  return !found->second.empty();
}

open_result changed_system::open(arena_string path, byte_source** source) const {
  if (files_.empty()) return system_view::open(path, source);
  const std::string& place = target_of(path);
  const entry* const own = changed(place);
  if (is_directory(place)) return open_result::directory;
  if (own == nullptr) return system_view::open(place, source);
  if (own->what == kind::link) return open_result::link_loop;
  if (own->what == kind::gone) return open_result::missing;
  *source = new text_source(own->text);
  return open_result::opened;
}

bool changed_system::read_text(arena_string path, arena_string& text) const {
  if (files_.empty()) return system_view::read_text(path, text);
  const std::string& place = target_of(path);
  const entry* const own = changed(place);
  if (own == nullptr) return system_view::read_text(place, text);
  if (own->what == kind::file) text = own->text;
  return own->what == kind::file;
}

open_result changed_system::list(arena_string path, const char* prefixes,
                                 arena_vector<arena_string>& names) const {
  if (files_.empty()) return system_view::list(path, prefixes, names);
  const std::string& place = target_of(path);
  const entry* const own = changed(place);
  const auto [begin, end] = below(place);
  if (own == nullptr && begin == end) return system_view::list(place, prefixes, names);
  std::set<std::string> found;
  open_result result = open_result::missing;
  if (own == nullptr) {
    arena_vector<arena_string> real;
    result = system_view::list(place, prefixes, real);
    for (const arena_string& name : real) found.insert(name);
  }
  for (auto at = begin; at != end; ++at) {
    const std::string rest = at->first.substr(place.size() + 1);
    const std::string name = rest.substr(0, rest.find('/'));
    const bool deeper = name.size() != rest.size();
    if (at->second.what != kind::gone) {
      result = open_result::opened;
      if (starts_with_one(name, prefixes)) found.insert(name);
    } else if (!deeper) {
      found.erase(name);
    }
  }
  for (const std::string& name : found) names.push_back(name);
  return result;
}

arena_string changed_system::real_path(arena_string path) const {
  if (files_.empty()) return system_view::real_path(path);
  const std::string& place = target_of(path);
  const entry* const own = changed(place);
  if (is_directory(place)) return place;
  if (own != nullptr) return own->what == kind::file ? arena_string(place) : arena_string();
  return system_view::real_path(place);
}

void changed_system::set_variable(const arena_string& name, const arena_string& value) {
  variables_[name] = value;
}

void changed_system::write(const arena_string& path, const arena_string& contents) {
  put(place_of(path, 0), {kind::file, contents});
}

void changed_system::link(const arena_string& path, const arena_string& target) {
  put(place_of(path, 0), {kind::link, target});
}

void changed_system::remove(const arena_string& path) {
  const std::string place = place_of(path, 0);
  const auto [begin, end] = below(place);
  files_.erase(begin, end);
  put(place, {kind::gone, {}});
}

void changed_system::put(const std::string& place, entry&& what) {
  files_[place] = std::move(what);
  folders_.clear();
  targets_.clear();
}

}  // namespace cudnn_checked::repairs
