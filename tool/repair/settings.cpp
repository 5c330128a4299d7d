// SPDX-License-Identifier: BSD-3-Clause
#include "settings.h"

#include <algorithm>
#include <string>
#include <vector>

#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/paths.h"
#include "../core/system/platform.h"
#include "place.h"
#include "python_metadata.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

namespace {

enum class effect { redirects, limits };

struct option {
  const char* name;
  effect what;
};

/// One setting of a file.
struct setting {
  arena_string file;
  std::string section;
  std::string name;
  std::string value;
};

}  // namespace

// pip documentation, "pip install", options.
static constexpr option pip_options[] = {
    {"target", effect::redirects},      {"prefix", effect::redirects},
    {"root", effect::redirects},        {"user", effect::redirects},
    {"python", effect::redirects},      {"require-virtualenv", effect::redirects},
    {"dry-run", effect::redirects},     {"ignore-installed", effect::redirects},
    {"platform", effect::redirects},    {"python-version", effect::redirects},
    {"abi", effect::redirects},         {"implementation", effect::redirects},
    {"constraint", effect::limits},     {"requirement", effect::limits},
    {"editable", effect::limits},       {"no-index", effect::limits},
    {"index-url", effect::limits},      {"no-binary", effect::limits},
    {"require-hashes", effect::limits}, {"uploaded-prior-to", effect::limits},
    {"no-deps", effect::limits}};

// uv documentation, "Environment variables" and "Settings".
static constexpr const char* uv_options[] = {
    "offline", "no-index", "index-url", "default-index", "index", "constraint", "override",
    "no-binary", "target", "prefix", "no-deps", "exclude-newer", "require-hashes", "python-version",
    "python-platform",
    // uv takes no release from a later index than the first that has the package.
    "extra-index-url", "required-version", "constraint-dependencies", "override-dependencies",
    "exclude-dependencies"};

static constexpr const char* blanks_and_quotes = " \t\r\"'";

// pip takes "n", "no", "f", "false", "off" and "0" for false; an empty value is none.
static bool is_set(const std::string& value) {
  for (const char* no : {"", "0", "n", "no", "f", "false", "off", "False", "No", "Off", "[]"}) {
    if (value == no) return false;
  }
  return true;
}

static bool counts(const setting& one) {
  const arena_string name = base_name(one.file);
  if (name == "pyproject.toml") return starts_with(arena_string(one.section), "tool.uv");
  return name.find(".toml") != arena_string::npos || one.section == "global" ||
         one.section == "install";
}

/// "global" of "[global]  # of the group"; empty where the line is no head of a section.
static std::string section_of(const std::string& line) {
  const std::size_t end = line.find(']');
  if (trimmed(line)[0] != '[' || end == std::string::npos) return {};
  const std::size_t more = line.find_first_not_of("] \t\r", end);
  const bool is_head = more == std::string::npos || line[more] == '#' || line[more] == ';';
  return is_head ? trimmed(line.substr(0, end), " \t\r[]") : std::string();
}

// pip: "Index_URL" and "--index-url" are one name.
static std::string name_of_setting(const std::string& text) {
  std::string name = trimmed(text, blanks_and_quotes);
  if (name.rfind("--", 0) == 0) name.erase(0, 2);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

// What both formats have in common, INI (pip.conf) and TOML: sections, and a name before its value.
// In INI a value goes on in lines that are indented further.
static std::vector<setting> settings_of(const system_interface& os,
                                        const arena_vector<arena_string>& files) {
  std::vector<setting> all;
  for (const arena_string& file : files) {
    arena_string text;
    if (file.empty() || !os.read_text(file, text)) continue;
    const bool is_ini = base_name(file).find(".toml") == arena_string::npos;
    setting one{file, {}, {}, {}};
    std::size_t indent = std::string::npos;
    for (const std::string line : split_path_list(text, "\n")) {
      const std::size_t begin = line.find_first_not_of(" \t\r");
      if (begin == std::string::npos || line[begin] == '#' || line[begin] == ';') continue;
      const std::size_t end = line.find_first_of("=:");
      const std::string section = section_of(line);
      if (is_ini && indent < begin) {
        if (counts(one))
          all.back().value = trimmed(all.back().value + " " + line, blanks_and_quotes);
        continue;
      }
      indent = std::string::npos;
      if (!section.empty()) {
        one.section = section;
        // [[index]] is a setting itself.
        one.name = section.substr(section.rfind('.') + 1);
        one.value = "1";
      } else if (end != std::string::npos) {
        one.name = name_of_setting(line.substr(0, end));
        one.value = trimmed(line.substr(end + 1), blanks_and_quotes);
        indent = begin;
      } else {
        one.name.clear();
      }
      if (counts(one)) all.push_back(one);
    }
  }
  return all;
}

/// Where it is set, without a file: nowhere.  The first file that has it counts.
static setting setting_of(const std::vector<setting>& all, const std::string& option) {
  arena_string first;
  for (const setting& one : all) {
    if (one.name != option || (!first.empty() && one.file != first)) continue;
    if (is_set(one.value)) return one;
    first = one.file;
  }
  return {};
}

static std::string variable_of(const char* tool, const std::string& option) {
  std::string name = tool + option;
  for (char& c : name) {
    if (c == '-') c = '_';
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

// pip documentation, "Configuration": what is first here counts.
static arena_vector<arena_string> files_of_pip(const system_interface& os,
                                               const python_environment& e) {
  if (value_of(os, "PIP_CONFIG_FILE") == no_file()) return {};
  const arena_string named = path_in_variable(os, "PIP_CONFIG_FILE");
  arena_vector<arena_string> files = {named};
  const bool own = effect_of_installer(e).place == install_place::environment;
  files.append(settings_of_pip(os, own ? e.prefix : path_in_variable(os, "VIRTUAL_ENV")));
  return files;
}

// uv documentation, "Configuration files".
static arena_vector<arena_string> files_of_uv(const system_interface& os) {
  if (is_set(value_of(os, "UV_NO_CONFIG"))) return {};
  const arena_string named = path_in_variable(os, "UV_CONFIG_FILE");
  if (!named.empty()) return {named};
  arena_vector<arena_string> files;
  for (arena_string above = os.working_directory(); !above.empty(); above = directory_part(above)) {
    files.push_back(join_path(above, "uv.toml"));
    files.push_back(join_path(above, "pyproject.toml"));
    if (above == "/") break;
  }
  files.append(settings_of_uv(os));
  return files;
}

// An option of the command itself is before a setting of the same name.
static bool concerns(const system_interface& os, const std::string& option,
                     const python_environment& e) {
  const install_place place = effect_of_installer(e).place;
  if (option == "target") return place != install_place::folder;
  if (option == "user") return place != install_place::user;
  const bool is_virtual =
      place == install_place::environment && exists(os, join_path(e.prefix, "pyvenv.cfg"));
  return option != "require-virtualenv" || !is_virtual;
}

redirections redirections_of(const system_interface& os, const python_environment& e) {
  redirections found;
  const installer_effect of_installer = effect_of_installer(e);
  if (of_installer.reads_settings_of_uv) {
    const std::vector<setting> settings = settings_of(os, files_of_uv(os));
    for (const char* const name : {"target", "prefix"}) {
      const bool by_command = of_installer.place == install_place::folder && name[0] == 't';
      const arena_string file = setting_of(settings, name).file;
      if (by_command || file.empty() || !found.in_file.empty()) continue;
      found.in_file = name + (" in " + file);
    }
    return found;
  }
  // Python documentation, "site": -E does not keep it from counting.
  const bool of_user = of_installer.place == install_place::user;
  if (of_user && !value_of(os, "PYTHONUSERBASE").empty()) {
    found.variables.emplace_back("PYTHONUSERBASE");
  }
  const std::vector<setting> settings = settings_of(os, files_of_pip(os, e));
  for (const option& one : pip_options) {
    if (one.what != effect::redirects || !concerns(os, one.name, e)) continue;
    const std::string variable = variable_of("PIP_", one.name);
    const arena_string value = value_of(os, variable.c_str());
    const bool by_variable = is_set(value);
    if (by_variable) found.variables.emplace_back(variable);
    if (!value.empty() && !by_variable) continue;
    const arena_string file = setting_of(settings, one.name).file;
    if (!file.empty() && found.in_file.empty()) found.in_file = one.name + (" in " + file);
  }
  return found;
}

/// Has one of those folders a wheel of it (Binary distribution format, "File name convention")?
static bool has_wheel(const system_interface& os, const arena_vector<arena_string>& folders,
                      const arena_string& requirement) {
  std::string start = name_of_order(requirement) + "-";
  std::replace(start.begin(), start.end() - 1, '-', '_');
  for (const arena_string& folder : folders) {
    for (const std::string name : names_in(os, folder, start.c_str())) {
      const std::string number =
          name.substr(start.size(), name.find('-', start.size()) - start.size());
      if (allows(specifiers_of_order(requirement), number) == answer::yes) return true;
    }
  }
  return false;
}

/// All that it orders, and what of its dependencies is not there.
static bool has_wheels(const system_interface& os, const arena_vector<arena_string>& folders,
                       const repair& step) {
  for (const arena_string& requirement : brought_by(step.order)) {
    if (!has_wheel(os, folders, requirement)) return false;
    for (const arena_string& required : contents_of_wheel(requirement).requirements) {
      const bool comes =
          !step.order.again && find_wheel(step.where, name_of_order(required)) == nullptr;
      if (comes && !has_wheel(os, folders, required)) return false;
    }
  }
  return true;
}

namespace {

/// What a person has set for pip, or for uv, where that is used.
class given_settings {
 public:
  given_settings(const system_interface& os, const python_environment& e)
      : os_(os),
        uv_(effect_of_installer(e).reads_settings_of_uv),
        files_(settings_of(os, uv_ ? files_of_uv(os) : files_of_pip(os, e))) {}

  std::string value(const std::string& option) const {
    const arena_string own = value_of(os_, variable(option).c_str());
    return own.empty() ? setting_of(files_, option).value : std::string(own);
  }

  bool is_given(const std::string& option) const { return is_set(value(option)); }

  /// "PIP_NO_INDEX", "the setting no-index in /etc/pip.conf".
  arena_string origin(const std::string& option) const {
    const std::string name = variable(option);
    if (!value_of(os_, name.c_str()).empty()) return name;
    return "the setting " + arena_string(option) + " in " + setting_of(files_, option).file;
  }

 private:
  std::string variable(const std::string& option) const {
    return variable_of(uv_ ? "UV_" : "PIP_", option);
  }

  const system_interface& os_;
  const bool uv_;
  const std::vector<setting> files_;
};

}  // namespace

/// Do the folders of find-links have all that is ordered?
static bool has_own_wheels(const system_interface& os, const given_settings& given,
                           const repair& step) {
  const arena_string places = given.value("find-links");
  arena_vector<arena_string> folders;
  const char* const separators =
      effect_of_installer(step.where).reads_settings_of_uv ? ",[]\"'" : " \t";
  for (const arena_string& place : split_path_list(places, separators)) {
    const arena_string folder = trimmed(starts_with(place, "file://") ? place.substr(7) : place);
    if (folder.empty()) continue;
    folders.push_back(absolute_path(os, folder));
  }
  return has_wheels(os, folders, step);
}

static bool is_remote(const std::string& option) {
  return option == "no-index" || option == "offline";
}

bool may_lack_packages(const system_interface& os, const repair& step) {
  const given_settings given(os, step.where);
  const bool has_own = has_own_wheels(os, given, step);
  const auto limits = [&](const std::string& option) {
    return !(is_remote(option) && has_own) && given.is_given(option);
  };
  if (effect_of_installer(step.where).reads_settings_of_uv) return any_of(uv_options, limits);
  return any_of(pip_options,
                [&](const option& one) { return one.what == effect::limits && limits(one.name); });
}

/// Does a file of constraints allow no release that is ordered?
static bool contradicts(const system_interface& os, const std::string& files, const repair& step) {
  for (const arena_string& file : split_path_list(arena_string(files), " \t")) {
    for (const std::string line : split_path_list(text_of(os, absolute_path(os, file)), "\n")) {
      const plain_requirement constraint = plain_of(line);
      for (const arena_string& requirement : brought_by(step.order)) {
        if (constraint.name != std::string(name_of_order(requirement))) continue;
        const std::string ordered = specifiers_of_order(requirement);
        const std::string one = only_number(constraint.specifiers);
        const std::string wanted = only_number(ordered);
        const bool is_out =
            (!one.empty() && !ordered.empty() && allows(ordered, one) == answer::no) ||
            (!wanted.empty() && allows(constraint.specifiers, wanted) == answer::no);
        if (is_out) return true;
      }
    }
  }
  return false;
}

// NVIDIA's wheels have no sources on PyPI, and no command of this program names a hash (pip
// documentation, "Secure installs": all that is installed needs one then).
static bool forbids(const system_interface& os, const given_settings& given,
                    const std::string& option, const repair& step, bool has_own) {
  if (!given.is_given(option)) return false;
  if (is_remote(option)) return !has_own;
  if (option == "require-hashes") return true;
  if (option == "constraint") return contradicts(os, given.value(option), step);
  const std::string value = given.value(option);
  return option == "no-binary" &&
         (value.find(":all:") != std::string::npos ||
          any_of(brought_by(step.order), [&value](const arena_string& requirement) {
            return value.find(std::string(name_of_order(requirement))) != std::string::npos;
          }));
}

arena_string forbidding_setting(const system_interface& os, const repair& step) {
  const given_settings given(os, step.where);
  const bool has_own = has_own_wheels(os, given, step);
  for (const char* const option :
       {"no-index", "offline", "require-hashes", "constraint", "no-binary"}) {
    const bool counts =
        effect_of_installer(step.where).reads_settings_of_uv || option != std::string("offline");
    if (counts && forbids(os, given, option, step, has_own)) return given.origin(option);
  }
  return {};
}

}  // namespace cudnn_checked::repairs
