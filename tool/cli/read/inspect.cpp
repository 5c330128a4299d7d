// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "../../core/judge/cudnn_set.h"
#include "../../core/library/library_file.h"
#include "../../core/library/stamp_note.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/machine.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/model/stamp.h"
#include "../../core/observe/observe.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../machine/cudnn_installs.h"
#include "../program/check_program.h"
#include "../system/own_process.h"
#include "../text/json_tree.h"
#include "../text/lists.h"
#include "../words/command_line.h"
#include "read.h"

namespace cudnn_checked::cli {

static arena_string word_of(const json& value) {
  if (value.type() == json::kind::null) return "null";
  if (value.type() != json::kind::array) return value.text();
  arena_string text;
  for (const json& one : value.elements()) text += (text.empty() ? "" : " ") + word_of(one);
  return text;
}

/// "cudnn header:", "9.14.0": one row for each value that is not empty.
static void add_rows(const json& tree, const arena_string& above, text_rows& table) {
  for (std::size_t i = 0; i < tree.keys().size(); ++i) {
    const json& value = tree.elements()[i];
    const arena_string label = above.empty() ? tree.keys()[i] : above + " " + tree.keys()[i];
    if (value.type() == json::kind::object) {
      add_rows(value, label, table);
    } else if (!word_of(value).empty()) {
      table.push_back({label + ":", word_of(value)});
    }
  }
}

/// The opening of every answer.
static json about(const arena_string& file) { return object_of({{"schema", 1}, {"file", file}}); }

/// How much of a stamp is shown that cannot be read.
static constexpr std::size_t shown_bytes = 1024;

static exit_status show_stamps(const command_line& given, const arena_vector<arena_string>& notes) {
  json stamps = json::array();
  arena_string text;
  bool readable = true;
  for (const arena_string& note : notes) {
    json tree;
    stamp known;
    arena_string reason;
    arena_string ignored;
    // Reads the stamp as the guard does.
    if (!parse_stamp(note, known, reason)) readable = false;
    if (!reason.empty() || !parse_json(note, tree, ignored)) {
      tree = object_of({{"unreadable", reason}, {"text", note.substr(0, shown_bytes)}});
    }
    text_rows table;
    add_rows(tree, "", table);
    text += one_line(given.file()) + ": stamped\n" + aligned(table);
    stamps.add(std::move(tree));
  }
  if (given.json) {
    json tree = about(given.file());
    tree.add("stamps", std::move(stamps));
    print_json(tree.print());
  } else {
    print(text);
  }
  return readable ? exit_fine : exit_unknown;
}

/// The state of a file.  Of a whole one only headers and tables were read.
static arena_string state_text(const cudnn_file& file, const library_file& contents) {
  switch (contents.state) {
    case file_state::whole:
      if (contents.has_tail()) {
        return "too long: " + to_string(contents.size) + " bytes, and its headers say " +
               to_string(contents.size_expected);
      }
      return file.package.same_size == answer::yes ? "full length, as recorded" : "full length";
    case file_state::truncated:
      return "cut off: " + to_string(contents.size) + " bytes of " +
             to_string(contents.size_expected);
    case file_state::unwritten:
      return "full length, but its end holds only zeros";
    case file_state::empty:
      return "empty";
    case file_state::not_elf:
      return not_a_library();
    case file_state::refused:
      return "a header that the loader refuses";
    case file_state::foreign:
      return "for " + machine_name(contents.machine);
    case file_state::directory:
    case file_state::fifo:
    case file_state::socket:
    case file_state::device:
    case file_state::no_exec:
      return describe(contents.state);
    default:
      return "not known";
  }
}

static arena_string told_by_text(file_identity::source source) {
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

static json cuda_majors(const file_identity& identity) {
  std::vector<int> majors;
  for (const release& r : identity.releases) {
    if (r.cuda_major != 0) add_once(r.cuda_major, majors);
  }
  return array_of(majors, [](int major) { return json::number(static_cast<long long>(major)); });
}

static json package_json(const package_record& package) {
  return object_of({{"manager", to_string(package.manager)},
                    {"name", package.name},
                    {"version", package.number},
                    {"record", package.record}});
}

/// How its length differs from the record of its package; empty if they agree.
static arena_string length_text(const cudnn_file& file, const file_identity& identity) {
  const package_record& package = file.package;
  if (package.same_size != answer::no) return {};
  const arena_string lengths =
      to_string(file.size) + " bytes, and its package recorded " + to_string(package.size);
  if (identity.told_by != file_identity::source::build_id || !package.cudnn.known()) {
    return lengths + ": modified, as patchelf does, or replaced";
  }
  const bool same = can_be(identity, {package.cudnn, 0});
  return lengths + (same ? ": modified, as patchelf does" : ": replaced");
}

void describe_library(const cudnn_file& file, const library_file& contents, json& tree) {
  const file_identity identity = identify(file);
  add_members(tree,
              {{"role", to_string(identity.role)},
               {"release", identity.releases.empty() ? "unknown" : describe(identity.releases)},
               {"identified_by", told_by_text(identity.told_by)},
               {"cuda_majors", cuda_majors(identity)},
               {"machine", contents.machine == 0 ? "" : machine_name(contents.machine)},
               {"soname", contents.soname},
               {"build_id", contents.build_id},
               {"needed", list_of(contents.needed)},
               {"rpath", contents.rpath},
               {"runpath", contents.runpath},
               {"package", package_json(file.package)},
               {"length", length_text(file, identity)},
               {"state", state_text(file, contents)}});
}

static arena_string library_text(const arena_string& file, const json& tree) {
  text_rows table;
  add_rows(tree, "", table);
  for (std::vector<std::string>& row : table) std::replace(row[0].begin(), row[0].end(), '_', ' ');
  return one_line(file) + ": a library of cuDNN\n" + aligned(table);
}

static exit_status show_library(const command_line& given, const system_interface& os,
                                const library_file& contents) {
  observation observed;
  observed.files.push_back(describe_file(os, given.file(), contents));
  observe_packages(os, observed);
  const cudnn_file& file = observed.files.front();
  json tree = given.json ? about(given.file()) : json::object();
  describe_library(file, contents, tree);
  if (given.json) {
    print_json(tree.print());
  } else {
    print(library_text(given.file(), tree));
  }
  if (contents.state != file_state::whole || contents.has_tail()) return exit_refused;
  return identify(file).releases.empty() ? exit_unknown : exit_fine;
}

/// The files of cuDNN in a directory, each once: links lead to the same.
static arena_vector<arena_string> libraries_in(const system_interface& os,
                                               const arena_string& directory) {
  arena_vector<arena_string> paths;
  std::set<std::string_view> known;
  for (const arena_string& name : sorted_names_in(os, directory, cudnn_name_prefix())) {
    const arena_string path = join_path(directory, name);
    const arena_string real = os.real_path(path);
    if (is_cudnn_name(name) && !real.empty() && known.insert(real).second) paths.push_back(path);
  }
  return paths;
}

static exit_status inspect_directory(const command_line& given, const system_interface& os,
                                     const arena_vector<arena_string>& paths) {
  exit_status status = exit_fine;
  json list = json::array();
  text_rows table;
  std::vector<library_file> all_contents;
  observation observed;
  for (const arena_string& path : paths) {
    all_contents.push_back(read_library(os, path, 0));
    observed.files.push_back(describe_file(os, path, all_contents.back()));
  }
  observe_packages(os, observed);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const arena_string& path = paths[i];
    const library_file& contents = all_contents[i];
    const cudnn_file& file = observed.files[i];
    json item = object_of({{"file", path}});
    describe_library(file, contents, item);
    table.push_back({base_name(path), item["role"].text(), item["release"].text(),
                     item["identified_by"].text(), item["machine"].text(), item["state"].text()});
    list.add(std::move(item));
    const bool unknown = identify(file).releases.empty();
    if (contents.state != file_state::whole || contents.has_tail()) status = exit_refused;
    if (unknown && status == exit_fine) status = exit_unknown;
  }
  if (given.json) {
    json tree = about(given.file());
    tree.add("libraries", std::move(list));
    print_json(tree.print());
  } else {
    print(one_line(given.file()) + ": a directory with libraries of cuDNN\n" + aligned(table));
  }
  return status;
}

exit_status inspect(const command_line& given) {
  const system_interface& os = own_system();
  const arena_vector<arena_string> libraries = libraries_in(os, given.file());
  if (!libraries.empty()) return inspect_directory(given, os, libraries);
  const library_file contents = read_library(os, given.file(), 0);
  if (contents.state == file_state::directory) {
    return error("inspect: " + given.file() + ": a directory without libraries of cuDNN");
  }
  if (contents.state != file_state::missing && contents.state != file_state::unreadable) {
    const cudnn_file file = describe_file(os, given.file(), contents);
    if (file.role != library_role::none) return show_library(given, os, contents);
  }
  const file_error wrong = look_at_file(os, given.file());
  if (!wrong.text.empty() && wrong.status != exit_unknown) {
    return error("inspect: " + wrong.text, wrong.status);
  }
  const arena_vector<arena_string> notes = read_stamp_notes(os, given.file());
  if (!notes.empty()) return show_stamps(given, notes);
  return error("inspect: " + given.file() + ": neither stamped nor a library of cuDNN",
               exit_unknown);
}

}  // namespace cudnn_checked::cli
