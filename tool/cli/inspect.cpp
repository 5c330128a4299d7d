// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "../core/elf/elf_file.h"
#include "../core/elf/stamp_note.h"
#include "../core/judge/cudnn_set.h"
#include "../core/linux/linux_system.h"
#include "../core/model/paths.h"
#include "../core/observe/observe.h"
#include "commands.h"
#include "file_error.h"

namespace cudnn_checked::cli {

using ordered_json = nlohmann::ordered_json;
using rows = std::vector<std::vector<std::string>>;

static std::string dumped(const ordered_json& tree) {
  return tree.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

static std::string word_of(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const ordered_json& one : value) text += (text.empty() ? "" : " ") + word_of(one);
  return text;
}

/// "cudnn header:", "9.14.0": one row for each value that is not empty.
static void add_rows(const ordered_json& tree, const std::string& above, rows& table) {
  for (const auto& item : tree.items()) {
    const std::string label = above.empty() ? item.key() : above + " " + item.key();
    if (item.value().is_object()) {
      add_rows(item.value(), label, table);
    } else if (!word_of(item.value()).empty()) {
      table.push_back({label + ":", word_of(item.value())});
    }
  }
}

static exit_status show_stamps(const command_line& given, const std::vector<std::string>& notes) {
  ordered_json stamps = ordered_json::array();
  std::string text;
  bool readable = true;
  for (const std::string& note : notes) {
    ordered_json tree = ordered_json::parse(note, nullptr, false);
    readable = readable && tree.is_object();
    if (!tree.is_object()) {
      tree = {{"unreadable", note}};
    }
    rows table;
    add_rows(tree, "", table);
    text += given.file + ": stamped\n" + aligned(table);
    stamps.push_back(tree);
  }
  print(given.json ? dumped({{"schema", 1}, {"file", given.file}, {"stamps", stamps}}) : text);
  return readable ? exit_fine : exit_unknown;
}

static std::string state_text(const elf_file& contents) {
  switch (contents.state) {
    case file_state::whole:
      return "whole";
    case file_state::truncated:
      return "cut off: " + std::to_string(contents.size) + " bytes of " +
             std::to_string(contents.size_expected);
    case file_state::empty:
      return "empty";
    case file_state::not_elf:
      return "not an ELF file";
    default:
      return "for another machine or class";
  }
}

static std::string told_by_text(file_identity::source source) {
  switch (source) {
    case file_identity::source::build_id:
      return "build id";
    case file_identity::source::version_word:
      return "version word";
    case file_identity::source::file_name:
      return "file name";
    case file_identity::source::none:
      return "";
    default:
      return "package record";
  }
}

static cudnn_file file_of(const system_interface& os, const std::string& path,
                          const elf_file& contents) {
  cudnn_file file;
  file.name = base_name(path);
  file.path = path;
  file.real_path = os.real_path(path);
  file.state = contents.state;
  file.soname = contents.soname;
  file.build_id = contents.build_id;
  file.word = contents.word;
  file.name_version = release_of_name(base_name(file.real_path));
  file.role = identify(file).role;
  return file;
}

static std::vector<int> cuda_majors(const file_identity& identity) {
  std::vector<int> majors;
  for (const release& r : identity.releases) {
    bool known = r.cuda_major == 0;
    for (const int major : majors) known = known || major == r.cuda_major;
    if (!known) majors.push_back(r.cuda_major);
  }
  return majors;
}

static exit_status show_library(const command_line& given, const system_interface& os,
                                const elf_file& contents) {
  observation observed;
  observed.files.push_back(file_of(os, given.file, contents));
  observe_packages(os, observed);
  const cudnn_file& file = observed.files.front();
  const file_identity identity = identify(file);
  ordered_json tree = {
      {"schema", 1},
      {"file", given.file},
      {"role", identity.role},
      {"release", identity.releases.empty() ? "unknown" : describe(identity.releases)},
      {"told_by", told_by_text(identity.told_by)},
      {"cuda_majors", cuda_majors(identity)},
      {"soname", contents.soname},
      {"build_id", contents.build_id},
      {"needed", read_needed(os, given.file)},
      {"rpath", contents.rpath},
      {"runpath", contents.runpath},
      {"package",
       {{"manager", file.package.manager},
        {"name", file.package.name},
        {"version", file.package.number},
        {"record", file.package.record}}},
      {"state", state_text(contents)}};
  if (given.json) {
    print(dumped(tree));
  } else {
    tree.erase("schema");
    tree.erase("file");
    rows table;
    add_rows(tree, "", table);
    for (std::vector<std::string>& row : table) {
      for (char& c : row[0]) c = c == '_' ? ' ' : c;
    }
    print(given.file + ": a library of cuDNN\n" + aligned(table));
  }
  if (contents.state != file_state::whole) return exit_refused;
  return identity.releases.empty() ? exit_unknown : exit_fine;
}

exit_status inspect(const command_line& given) {
  const linux_system os(environ, false);
  const elf_file contents = read_elf(os, given.file, 0);
  if (contents.state != file_state::missing && contents.state != file_state::unreadable) {
    const cudnn_file file = file_of(os, given.file, contents);
    if (!file.role.empty()) return show_library(given, os, contents);
  }
  const file_error wrong = look_at_file(os, given.file);
  if (!wrong.text.empty() && wrong.usage) return usage_error("inspect: " + wrong.text);
  const std::vector<std::string> notes = read_stamp_notes(os, given.file);
  if (!notes.empty()) return show_stamps(given, notes);
  usage_error("inspect: " + given.file + ": neither stamped nor a library of cuDNN");
  return exit_unknown;
}

}  // namespace cudnn_checked::cli
