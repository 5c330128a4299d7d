// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include "../core/model/format.h"
#include "../core/model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static constexpr const char* form_words[] = {
    "a version", "an architecture", "code for a GPU", "a level",  "a verdict", "a severity",
    "a name",    "a build id",      "a line of text", "a number", "an index"};

static constexpr std::string_view decimal = "0123456789";

static bool is_any_of(std::string_view text, std::initializer_list<const char*> possible) {
  for (const char* const one : possible) {
    if (text == one) return true;
  }
  return false;
}

static bool has_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

static std::size_t take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && decimal.find(text[count]) != std::string_view::npos) ++count;
  text.remove_prefix(count);
  return count;
}

static bool is_version(std::string_view text) {
  if (text.empty() || text == "unknown") return true;
  for (int parts = 1; parts <= 4; ++parts) {
    if (take_digits(text) == 0) return false;
    if (text.empty()) return true;
    if (text.front() != '.') return false;
    text.remove_prefix(1);
  }
  return false;
}

static bool is_architecture(std::string_view text) {
  if (text == "unknown") return true;
  if (!starts_with(text, "sm_")) return false;
  text.remove_prefix(3);
  const bool begins = !text.empty() && text.front() != '0';
  const std::size_t digits = take_digits(text);
  return begins && (digits == 2 || digits == 3) && is_any_of(text, {"", "a", "f"});
}

static bool is_cuda_code(std::string_view text) {
  if (take_digits(text) == 0) return false;
  if (!text.empty() && (text.front() == 'a' || text.front() == 'f')) text.remove_prefix(1);
  return is_any_of(text, {"", "-real", "-virtual"});
}

static bool is_sentence(std::string_view text) {
  return none_of(text,
                 [&](const char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

static bool has_form(value_form form, std::string_view text) {
  switch (form) {
    case value_form::version:
      return is_version(text);
    case value_form::architecture:
      return is_architecture(text);
    case value_form::cuda_code:
      return is_cuda_code(text);
    case value_form::level:
      return is_any_of(text, {"", "located", "linked", "loaded", "ran"});
    case value_form::verdict:
      return is_any_of(text, {"", "ok", "unknown", "warning", "refused"});
    case value_form::severity:
      return is_any_of(text, {"note", "unknown", "warning", "error"});
    case value_form::word:
      return has_only(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    case value_form::build_id:
      return has_only(text, "0123456789abcdef");
    case value_form::sentence:
      return is_sentence(text);
    case value_form::number:
      return !text.empty() && text.front() != '-';
    case value_form::index:
      return !text.empty() && has_only(text, decimal);
  }
  return false;
}

static const json* member_of(const json& tree, const char* key) {
  for (std::size_t i = 0; i < tree.keys().size(); ++i) {
    if (tree.keys()[i] == key) return &tree.elements()[i];
  }
  return nullptr;
}

static const json* member_at(const json& tree, std::initializer_list<const char*> keys) {
  const json* at = &tree;
  for (const char* const key : keys) {
    at = member_of(*at, key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

static arena_string path_of(std::initializer_list<const char*> keys) {
  arena_string name;
  for (const char* const key : keys) name += (name.empty() ? "" : ".") + arena_string(key);
  return name;
}

// As CMake prints it.
static arena_string as_cmake_prints(const json& value) {
  if (value.type() == json::kind::boolean) return value.as_boolean() ? "ON" : "OFF";
  if (value.type() != json::kind::object && value.type() != json::kind::array) return value.text();
  const arena_string whole = value.print();
  string_builder text;
  for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
    if (whole[i] == ':' && i > 0 && whole[i - 1] == '"') text += ' ';
    text += whole[i];
  }
  return text.take();
}

static arena_string in_sixty(const arena_string& text) {
  constexpr std::string_view meant = ";|\\[]";
  const bool cut = text.size() > 60;
  arena_string line;
  for (const char c : part_of(text, 0, cut ? 57 : 60)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    const std::size_t which = meant.find(c);
    line += control ? '?' : which < meant.size() ? ",//''"[which] : c;
  }
  return cut ? line + "..." : line;
}

void report_values::refuse(const arena_string& name, const char* form, const json& value) {
  if (!fault_.empty()) return;
  fault_ = format("%s is not %s", name, form);
  found_ = in_sixty(as_cmake_prints(value));
}

arena_string report_values::checked(value_form form, const arena_string& name, const json& value) {
  const bool number = form == value_form::number || form == value_form::index;
  const json::kind expected = number ? json::kind::number : json::kind::text;
  if (value.type() == expected && value.text().size() < 1000 && has_form(form, value.text())) {
    return value.text();
  }
  refuse(name, form_words[static_cast<int>(form)], value);
  return {};
}

arena_string report_values::value(value_form form, const arena_string& where, const json& tree,
                                  std::initializer_list<const char*> keys) {
  const json* const found = member_at(tree, keys);
  return found == nullptr ? arena_string() : checked(form, where + path_of(keys), *found);
}

const json* report_values::list(const json& tree, std::initializer_list<const char*> keys) {
  const json* const found = member_at(tree, keys);
  if (found == nullptr || found->type() == json::kind::array) return found;
  refuse(path_of(keys), "a list", *found);
  return nullptr;
}

arena_vector<arena_string> report_values::values(value_form form, const json& tree,
                                                 std::initializer_list<const char*> keys) {
  arena_vector<arena_string> all;
  const json* const elements = list(tree, keys);
  if (elements == nullptr) return all;
  for (std::size_t i = 0; i < elements->elements().size(); ++i) {
    const arena_string name = format("%s.%d", path_of(keys), static_cast<int>(i));
    all.push_back(checked(form, name, elements->elements()[i]));
  }
  return all;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
