// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <system_error>

#include "../../core/judge/advice/advice.h"
#include "../../core/judge/identity.h"
#include "../../core/model/dependency_names.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/observe/observe.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../../core/system/platform.h"
#include "../machine/cudnn_installs.h"
#include "../program/check_program.h"
#include "../read/read.h"
#include "../system/own_process.h"
#include "../text/json_tree.h"
#include "explain.h"
#include "library_search.h"

namespace cudnn_checked::cli {

static arena_string release_of(const system_interface& os, const arena_string& path) {
  if (!is_cudnn_path(path)) return {};
  const file_identity identity = identify(describe_file(os, path, read_library(os, path, 0)));
  return identity.releases.empty() ? arena_string("unknown release") : describe(identity.releases);
}

// --- The output ----------------------------------------------------------------------------------

static const char* word_of(search_step::outcome what) {
  constexpr const char* words[] = {"passed", "taken", "not reached"};
  return words[static_cast<std::size_t>(what)];
}

static void add_row(text_rows& table, const char* label, const arena_string& value) {
  if (!value.empty()) table.push_back({arena_string(label) + ":", value});
}

static arena_string text_of_taken(const file_explanation& about) {
  if (about.taken.state == file_state::missing) return "nothing";
  arena_string text = about.taken.path;
  if (!about.release.empty()) text += "   " + about.release;
  if (about.taken.state != file_state::whole) text += "   " + describe_state(about.taken);
  if (about.taken.chosen_by.known()) text += "   chosen by " + to_string(about.taken.chosen_by);
  return text;
}

static arena_string package_text(const json& library) {
  const json& package = library["package"];
  if (package["name"].text().empty()) return {};
  return package["name"].text() + " " + package["version"].text() + " (" +
         package["manager"].text() + ")";
}

/// The text of a place.  If it names no other file, the run path is that of the file that asks.
static arena_string place_text(const search_step& step, const arena_string& asker) {
  const choice& by = step.chosen_by;
  if (by.by_run_path() && by.origin == asker) {
    return by.reason == choice_reason::rpath ? "RPATH" : "RUNPATH";
  }
  return step.place();
}

static arena_string search_text(const arena_vector<search_step>& steps, const arena_string& asker) {
  text_rows table;
  for (const search_step& step : steps) {
    arena_string there = step.there;
    if (step.what == search_step::outcome::taken) {
      there = step.there == "a library" ? arena_string("taken") : "ends the search: " + step.there;
    }
    if (step.what == search_step::outcome::not_reached) {
      there = step.path.empty() ? "not reached" : "not reached: " + step.there;
    }
    const bool is_cache = step.directory.empty();
    table.push_back({"  " + place_text(step, asker), is_cache ? step.path : step.directory, there});
  }
  return aligned(table);
}

static arena_string text_of(const arena_string& file, const file_explanation& about) {
  text_rows table;
  if (about.library.type() == json::kind::object) {
    add_row(table, "role", about.library["role"].text());
    add_row(table, "release", about.library["release"].text());
    add_row(table, "identified by", about.library["identified_by"].text());
    add_row(table, "machine", about.library["machine"].text());
    add_row(table, "package", package_text(about.library));
    add_row(table, "length", about.library["length"].text());
    add_row(table, "state", about.library["state"].text());
  }
  add_row(table, "name", about.name);
  add_row(table, "asked for by", about.asker.empty() ? arena_string(any_program()) : about.asker);
  add_row(table, "taken", text_of_taken(about));
  arena_string text = one_line(file) + ": " + about.title + "\n" + aligned(table);
  if (!about.why_not.empty()) text += "  " + one_line(about.why_not) + "\n";
  text += "  search:\n" + search_text(about.steps, about.asker);
  for (std::size_t i = 0; i < about.fixes.size(); ++i) {
    text += (i == 0 ? "  fix: " : "   or: ") + one_line(about.fixes[i].text) + "\n";
    const bool typed = about.fixes[i].what == fix_line::kind::command;
    const arena_string other = typed ? in_other_shell(about.fixes[i].text) : arena_string();
    if (!other.empty()) text += "   or: " + one_line(other) + "\n";
  }
  return text;
}

static json json_of(const found_file& taken, const arena_string& release) {
  return object_of({{"path", taken.path},
                    {"chosen_by", to_string(taken.chosen_by)},
                    {"release", release},
                    {"state", taken.state == file_state::missing ? arena_string("missing")
                                                                 : describe_state(taken)}});
}

static json step_json(const search_step& step) {
  return object_of({{"place", step.place()},
                    {"directory", step.directory},
                    {"path", step.path},
                    {"there", step.there},
                    {"outcome", word_of(step.what)}});
}

static json fix_json(const fix_line& fix) {
  return object_of({{"kind", to_string(fix.what)}, {"text", fix.text}});
}

static json json_of(const arena_string& file, const file_explanation& about, bool is_taken) {
  json tree = answer_of({{"file", file}, {"summary", about.title}});
  if (about.library.type() == json::kind::object) tree.add("library", json(about.library));
  add_members(tree, {{"name", about.name},
                     {"asked_for_by", about.asker},
                     {"taken", json_of(about.taken, about.release)},
                     {"is_taken", is_taken},
                     {"why_not", about.why_not},
                     {"search", array_of(about.steps, step_json)},
                     {"fixes", array_of(about.fixes, fix_json)}});
  return tree;
}

static void show(const command_line& given, const file_explanation& about, bool is_taken) {
  if (given.json) {
    print_json(json_of(given.file(), about, is_taken).print());
  } else {
    print(text_of(given.file(), about));
  }
}

// --- What was asked for --------------------------------------------------------------------------

static program_libraries libraries_for(const system_interface& os, const arena_string& program) {
  return program.empty() ? program_libraries(os) : program_libraries(os, program);
}

static arena_string shown_asker(program_libraries& libraries, const arena_string& program,
                                const arena_string& name) {
  const arena_string asker = libraries.asker(name);
  return program.empty() && asker == libraries.program() ? arena_string() : asker;
}

// Nothing is predicted for another loader, or under LD_AUDIT.
static exit_status search_is_not_known(const arena_string& about,
                                       const program_libraries& libraries) {
  return error(
      "explain: " + about + ": the search of its loader is not known: " + libraries.other_rules(),
      exit_unknown);
}

static exit_status explain_name(const command_line& given, const system_interface& os) {
  program_libraries libraries = libraries_for(os, given.program);
  if (!libraries.other_rules().empty()) return search_is_not_known(given.file(), libraries);
  file_explanation about;
  about.name = given.file();
  about.taken = libraries.taken(about.name);
  about.asker = shown_asker(libraries, given.program, about.name);
  about.steps = libraries.steps(about.name);
  about.release = release_of(os, about.taken.path);
  const bool found = about.taken.state != file_state::missing;
  about.title = !found                           ? "the loader finds no file for that name"
                : ends_search(about.taken.state) ? "the loader ends its search, with an error"
                                                 : "what the loader takes for that name";
  show(given, about, found);
  return exit_fine;
}

static exit_status explain_library(const command_line& given, const system_interface& os,
                                   const arena_string& path, const library_file& contents,
                                   const cudnn_file& described) {
  program_libraries libraries = libraries_for(os, given.program);
  if (!libraries.other_rules().empty()) return search_is_not_known(given.file(), libraries);
  observation observed;
  observed.files.push_back(described);
  observe_packages(os, observed);
  file_explanation about;
  about.library = json::object();
  describe_library(observed.files.front(), contents, about.library);
  about.name = is_cudnn_name(contents.soname) ? contents.soname : base_name(path);
  about.taken = libraries.taken(about.name);
  about.asker = shown_asker(libraries, given.program, about.name);
  about.steps = libraries.steps(about.name);
  about.release = release_of(os, about.taken.path);
  const arena_string real = os.real_path(path);
  const bool is_taken = !about.taken.path.empty() && os.real_path(about.taken.path) == real;
  about.title = !is_taken                        ? "not taken by the loader"
                : ends_search(about.taken.state) ? "the loader ends its search there, with an error"
                                                 : "taken by the loader";
  if (!is_taken) {
    const int major = major_of_name(about.name);
    const cudnn_file* const of_set =
        major == 0 ? nullptr : libraries.file_of(described.role, major);
    about.why_not = why_not(os, about, contents, of_set, path);
    if (contents.state == file_state::whole && described.role == library_role::shim) {
      about.fixes = fixes_for(os, given.program, about.name, path);
    }
  }
  show(given, about, is_taken);
  return exit_fine;
}

static exit_status explain_program(const command_line& given, const system_interface& os) {
  program_libraries libraries(os, given.file());
  if (!libraries.other_rules().empty()) return search_is_not_known(given.file(), libraries);
  if (!libraries.has_cudnn()) {
    return error("explain: " + given.file() +
                     ": it is not linked with cuDNN; verify shows what it opens by name",
                 exit_unknown);
  }
  text_rows table;
  json list = json::array();
  arena_string shim = "libcudnn.so";
  for (const cudnn_file& file : libraries.files(0)) {
    const arena_string release = release_of(os, file.path);
    if (file.role == library_role::shim) shim = file.name;
    const bool is_missing = file.state == file_state::missing;
    choice by = file.chosen_by;
    by.origin = base_name(by.origin);
    const bool is_whole = is_missing || file.state == file_state::whole;
    const arena_string known = is_whole ? release : release + ", " + describe_state(file);
    table.push_back({file.name, is_missing ? arena_string("not found") : known, file.path,
                     is_missing ? "" : "chosen by " + to_string(by)});
    json item = json_of(file, release);
    add_members(item,
                {{"name", file.name},
                 {"asked_for_by", file.asked_by.empty() ? libraries.program() : file.asked_by}});
    list.add(std::move(item));
  }
  const arena_vector<search_step> steps = libraries.steps(shim);
  if (given.json) {
    print_json(answer_of({{"file", given.file()},
                          {"libraries", std::move(list)},
                          {"search", array_of(steps, step_json)}})
                   .print());
  } else {
    print(one_line(given.file()) + ": the cuDNN that it takes\n" + aligned(table) +
          "  search for " + one_line(shim) + ", which " + one_line(libraries.asker(shim)) +
          " asks for:\n" + search_text(steps, libraries.asker(shim)) +
          "  check: cudnn-checked verify " + one_line(quoted(arena_string(given.file()))) + "\n");
  }
  return exit_fine;
}

bool is_library_name(const std::string& word) {
  if (word.find('/') != std::string::npos) return false;
  return word.find(".so") != std::string::npos || is_cudnn_name(word) ||
         kind_of_dependency(word) != dependency_kind::none;
}

bool is_file_argument(const std::string& word) {
  std::error_code absent;
  return word.find('/') != std::string::npos || is_library_name(word) ||
         std::filesystem::exists(word, absent);
}

exit_status explain_file(const command_line& given) {
  const arena_string asked =
      given.program.empty() ? arena_string(given.file()) : arena_string(given.program);
  const system_interface& os = own_system(execution_of(asked));
  if (!given.program.empty()) {
    const file_error wrong = look_at_file(os, given.program);
    if (!wrong.text.empty()) {
      return error("explain: " + wrong.text, wrong.status);
    }
  }
  if (is_library_name(given.file())) return explain_name(given, os);
  const arena_string path = absolute_path(os, given.file());
  const library_file contents = read_library(os, path, 0);
  const cudnn_file described = describe_file(os, path, contents);
  const bool is_there =
      contents.state != file_state::missing && contents.state != file_state::unreadable;
  if (is_there && described.role != library_role::none) {
    return explain_library(given, os, path, contents, described);
  }
  if (contents.state == file_state::missing && is_link(path)) {
    return error("explain: " + given.file() + ": a link that leads to no file");
  }
  if (contents.state == file_state::not_elf) {
    return error("explain: " + given.file() +
                 ": neither a program nor a library; the errors in a log: cudnn-checked explain "
                 "--text " +
                 std::string(quoted(arena_string(given.file()))));
  }
  const file_error wrong = look_at_file(os, given.file());
  if (!wrong.text.empty()) return error("explain: " + wrong.text, wrong.status);
  return explain_program(given, os);
}

}  // namespace cudnn_checked::cli
