// SPDX-License-Identifier: BSD-3-Clause
#include "project.h"

#include "../core/json/json.h"
#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "../core/model/one_line.h"
#include "../core/model/paths.h"
#include "../prove/cmake_program.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The text up to the next `end`, which is removed with it; all of it where there is none.
static arena_string taken(arena_string& text, char end) {
  const std::size_t at = text.find(end);
  const arena_string part = text.substr(0, at);
  text = at == arena_string::npos ? arena_string() : text.substr(at + 1);
  return part;
}

// "NAME<tab>HOLDER<tab>VALUE"
held_variable project::held(const arena_string& name) const {
  for (arena_string text : asked_.all("held")) {
    held_variable result;
    result.name = taken(text, '\t');
    const arena_string by = taken(text, '\t');
    if (by == "cache") result.by = variable_holder::cache;
    if (by == "project") result.by = variable_holder::project_file;
    result.value = text;
    if (result.name == name) return result;
  }
  held_variable unset;
  unset.name = name;
  return unset;
}

arena_string project::command_of(const arena_vector<arena_string>& words) const {
  string_builder line;
  for (const arena_string& word : words) {
    if (one_line(word) != word) return {};
    if (line.size() != 0) line += ' ';
    line += quoted(word);
  }
  return line.take();
}

arena_string project::configured(const arena_vector<arena_string>& arguments) const {
  arena_vector<arena_string> words = {prove::cmake_to_type(os_, asked_["cmake"])};
  words.append(arguments);
  words.push_back(asked_["build"]);
  const arena_string line = command_of(words);
  if (!line.empty()) return line;
  string_builder text;
  text += "in the build directory: cmake";
  for (const arena_string& argument : arguments) text += " " + argument;
  text += " .";
  return text.take();
}

bool project::is_environment_variable(const arena_string& name) const {
  arena_string value;
  return os_.variable(name.c_str(), value);
}

/// Does an object of variables below this value of the presets give `name` that value?
static bool gives(const json& where, const arena_string& name, const arena_string& value,
                  const arena_string& source) {
  for (std::size_t i = 0; i < where.elements().size(); ++i) {
    const json& member = where.elements()[i];
    const bool is_list = where.type() == json::kind::object &&
                         (where.keys()[i] == "cacheVariables" || where.keys()[i] == "environment");
    if (is_list) {
      const json& given = member[name.c_str()];
      arena_string text = given.type() == json::kind::object ? given["value"].text() : given.text();
      constexpr std::string_view directory = "${sourceDir}";
      for (std::size_t at = text.find(directory); at != arena_string::npos;
           at = text.find(directory)) {
        text = text.substr(0, at) + source + text.substr(at + directory.size());
      }
      if (text == value) return true;
    }
    if (gives(member, name, value, source)) return true;
  }
  return false;
}

// "cmake --preset" sets it again each time.
arena_string project::presets_that_set(const held_variable& what) const {
  const arena_string value = what.value.empty() ? value_of(os_, what.name.c_str()) : what.value;
  if (value.empty()) return {};
  for (const char* const name : {"CMakeUserPresets.json", "CMakePresets.json"}) {
    const arena_string file = join_path(asked_["source"], name);
    json presets;
    arena_string error;
    if (parse_json(text_of(os_, file), presets, error) &&
        gives(presets, what.name, value, asked_["source"])) {
      return file;
    }
  }
  return {};
}

/// Has a line of the file the name, in front of a comment?
static bool names(const arena_string& text, const arena_string& name) {
  for (const arena_string& line : split_path_list(text, "\n")) {
    const std::size_t at = line.find(name);
    if (at < line.find('#')) return true;
  }
  return false;
}

arena_string project::file_that_sets(const held_variable& what) const {
  if (what.by != variable_holder::project_file) return presets_that_set(what);
  const arena_string toolchain = asked_["toolchain"];
  const bool is_there = !toolchain.empty() && names(text_of(os_, toolchain), what.name);
  return is_there ? toolchain : arena_string("CMakeLists.txt");
}

arena_string project::with(const held_variable& what, const arena_string& value) const {
  const arena_string file = file_that_sets(what);
  if (file.empty()) return configured({"-D", format("%s=%s", what.name, value)});
  if (what.by == variable_holder::project_file) {
    return format("in %s: set(%s %s)", file, what.name, value);
  }
  return format("in %s: \"%s\": \"%s\"", file, what.name, value);
}

arena_string project::without(const arena_string& name) const {
  const held_variable what = held(name);
  const arena_string file = file_that_sets(what);
  if (!file.empty()) return format("in %s: remove what sets %s", file, name);
  arena_vector<arena_string> arguments;
  if (what.by == variable_holder::cache) arguments = {"-U", name};
  const arena_string line = configured(arguments);
  return is_environment_variable(name) ? format("%s && %s", unset_command(name), line) : line;
}

arena_string project::removed(const arena_string& path) const {
  arena_vector<arena_string> words = {"rm", "-rf", path};
  // Windows has one command for files and another for directories; CMake's is for both.
  if (!starts_with(command_that_removes_files(), "rm")) {
    words = {prove::cmake_to_type(os_, asked_["cmake"]), "-E", "rm", "-rf", path};
  }
  const arena_string line = command_of(words);
  return line.empty() ? "remove " + path : line;
}

arena_string project::named(const char* name, const arena_string& files) const {
  const bool by_project = held(name).by == variable_holder::project_file;
  return by_project ? format("name the directory above %s, in CMakeLists.txt: set(%s DIRECTORY)",
                             files, name)
                    : format("name the directory above %s: -D %s=DIRECTORY", files, name);
}

/// The options -U NAME and -D NAME=VALUE of a line; a value may have spaces.
static arena_vector<arena_string> options_of(const arena_string& line) {
  arena_vector<arena_string> options;
  arena_string value;
  for (const arena_string& word : split_path_list(line, " ")) {
    const bool is_option = word == "-U" || word == "-D";
    if (is_option && !value.empty()) options.push_back(value);
    if (is_option) options.push_back(word);
    value = is_option ? arena_string() : value.empty() ? word : value + " " + word;
  }
  if (!value.empty()) options.push_back(value);
  return options;
}

arena_string project::line(const arena_string& text) const {
  arena_string rest = text;
  const arena_string verb = taken(rest, ' ');
  if (verb == "@unset") return without(rest);
  if (verb == "@remove") return removed(rest);
  if (verb == "@configure") return configured(options_of(rest));
  if (verb != "@set") return text;
  const arena_string name = taken(rest, ' ');
  return with(held(name), rest);
}

fix_lines project::lines(const char* key) const {
  fix_lines result;
  for (const arena_string& text : asked_.all(key)) {
    if (!text.empty()) result.push_back(advice(line(text)));
  }
  return result;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
