// SPDX-License-Identifier: BSD-3-Clause
#include "process_check.h"

#include <algorithm>

#include "../../core/judge/survey/survey_rules.h"
#include "../../core/library/stamp_note.h"
#include "../../core/loader/program_start.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/model/unstamped_program.h"
#include "../../guard/check.h"
#include "../../repair/adviser.h"
#include "../../repair/tools.h"
#include "../machine/tree.h"
#include "../program/asked_again.h"
#include "../program/unstamped.h"
#include "../survey/cudnn_users.h"
#include "../survey/environment_neighbours.h"
#include "loaded_libraries.h"
#include "process_system.h"

namespace cudnn_checked::cli {

static constexpr std::size_t most_users = 64;
static constexpr std::size_t most_started = 8;

/// Whether a file that is not cuDNN's NEEDs the library.
static bool is_needed(const system_interface& os, const arena_string& program,
                      const arena_vector<mapped_object>& objects, const arena_string& soname) {
  const auto needs = [&](const arena_string& path) {
    return !is_cudnn_path(path) && contains(read_library(os, path, 0).needed, soname);
  };
  return needs(program) ||
         any_of(objects, [&](const mapped_object& object) { return needs(object.path); });
}

/// The shim that the process has mapped, or the one that its sub-libraries belong to; empty if it
/// has none, or if the file that NEEDs a sub-library uses no shim.
static arena_string mapped_shim(const system_interface& os, const arena_string& program,
                                const arena_vector<mapped_object>& objects) {
  arena_string shim;
  for (const mapped_object& object : objects) {
    const library_role role = role_of_name(object.soname);
    if (role == library_role::shim) return object.soname;
    if (role != library_role::none && major_of_name(object.soname) != 0) {
      shim = name_of_library(library_role::shim, major_of_name(object.soname));
    }
  }
  const bool has_part = any_of(objects, [&](const mapped_object& object) {
    return role_of_name(object.soname) != library_role::none &&
           is_needed(os, program, objects, object.soname);
  });
  return has_part ? arena_string() : shim;
}

namespace {

/// Relative directories are its own, and so are the files that it keeps after their end.
class process_view final : public system_view {
 public:
  process_view(const system_interface& tree, const system_interface& here,
               const process_facts& facts)
      : system_view(tree), here_(here), facts_(facts) {}
  arena_string working_directory() const override { return facts_.directory; }
  open_result open(arena_string path, byte_source** source) const override {
    for (const replaced_file& file : facts_.replaced) {
      if (file.path == path && here_.open(file.contents, source) == open_result::opened) {
        return open_result::opened;
      }
    }
    return system_view::open(path, source);
  }

 private:
  const system_interface& here_;
  const process_facts& facts_;
};

/// One process, asked several questions.
class process_judge {
 public:
  process_judge(const process_question& question, const assumed_machine& machine,
                const system_interface& os)
      : question_(question),
        machine_(machine),
        os_(os, machine),
        mapped_(named_as_the_loader(os_, question.facts)) {
    if (machine.given) mapped_.push_back(os_.libcuda());
  }

  /// With the stamps of the program.
  void check(arena_vector<found_stamp> notes, process_check& result);

 private:
  const arena_string& program() const { return question_.facts.program; }
  void tell_users(const arena_vector<finding>& found, judgement& judged) const;
  void check_stamped(loader& search, const arena_vector<found_stamp>& notes, process_check& result);
  void check_unstamped(loader& search, process_check& result);
  void check_memory(cudnn_check& check, unstamped_program& facts);
  void look_at_users();
  void check_user(const arena_string& path, bool is_mapped);
  void keep(const program_check& check, bool is_mapped);
  void advise_on(judgement& judged) const;
  arena_vector<finding> checked_findings(const judgement& judged) const;
  arena_vector<finding> findings_of_replaced(const observation& observed) const;

  const process_question& question_;
  const assumed_machine& machine_;
  const assumed_view os_;
  arena_vector<mapped_object> mapped_;
  arena_vector<arena_string> started_;  ///< what uses cuDNN in it
  arena_vector<arena_string> unused_;   ///< and what of its packages is not used
  arena_vector<finding> of_users_;
  arena_vector<finding> later_;
  /// The right cuDNNs that libraries which NEED one and are not loaded yet would find.
  arena_vector<arena_string> predicted_;
};

}  // namespace

arena_vector<finding> process_judge::checked_findings(const judgement& judged) const {
  const bool all = !machine_.given || !machine_.text.empty();
  return all ? judged.findings : without_gpu_findings(judged.findings);
}

arena_vector<finding> process_judge::findings_of_replaced(const observation& observed) const {
  observation with = observed;
  for (const replaced_file& file : question_.facts.replaced) with.replaced.push_back(file.path);
  return judge_replaced(with, judge_options());
}

/// Checks the stamps of the program, or else of the libraries whose users the process has in its
/// memory.
void process_judge::check(arena_vector<found_stamp> notes, process_check& result) {
  started_view view(os_, program());
  view.set_mapped(mapped_);
  loader search(view);
  const bool of_program = !notes.empty();
  if (!of_program) {
    arena_vector<arena_string> mapped;
    for (const mapped_object& object : mapped_) mapped.push_back(object.path);
    notes = stamps_of(search, mapped);
    look_at_users();
  }
  if (notes.empty()) return check_unstamped(search, result);
  if (of_program) started_ = {program()};
  check_stamped(search, notes, result);
}

void process_judge::check_stamped(loader& search, const arena_vector<found_stamp>& notes,
                                  process_check& result) {
  arena_vector<finding> all;
  const auto look = [&](guard_check& guard) {
    guard.look_at_files();
    guard.look_at_machine();
    add_new(checked_findings(guard.judged()), all);
    add_new(guard.look_at_records(), all);
  };
  guard_check guard(search, notes.front().text.c_str(), notes.front().file);
  look(guard);
  for (std::size_t i = 1; i < notes.size(); ++i) {
    guard_check other(search, notes[i].text.c_str(), notes[i].file);
    look(other);
  }
  add_new(findings_of_replaced(guard.observed()), all);
  judgement judged = guard.judged();
  tell_users(all, judged);
  result.check.stamped = true;
  tell_result(guard.stamped(), guard.observed(), judged, os_, machine_, result.check);
  result.later = later_;
}

// A process that runs is not repaired.  What its next start makes of a command can be looked at,
// but not what it opens by itself, nor another root's files, which are not written here.
void process_judge::advise_on(judgement& judged) const {
  arena_vector<finding> all = judged.findings;
  if (question_.facts.root.empty()) {
    const environment_neighbours others;
    const asked_again again(started_, {{}, machine_, {}, {}, {}, &others});
    repairs::advise_on(os_, again, all);
  }
  mark_untried(all);
  judged.conclude(all);
}

/// Checks what the process itself has in its memory, whichever library has loaded it.
void process_judge::check_memory(cudnn_check& check, unstamped_program& facts) {
  facts.use = cudnn_use::in_memory;
  facts.process = question_.name;
  facts.opened = mapped_shim(os_, program(), mapped_);
  check.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
  check.observed.unstamped = &facts;
  program_start start;
  start.stamped = answer::no;
  check_unstamped_program(check, start);
}

// Keeps the findings of a library that is not loaded yet.
void process_judge::keep(const program_check& check, bool is_mapped) {
  if (!check.uses_cudnn() || check.may_open_one_of(mapped_)) return;
  const bool shown = check.takes_one_of(mapped_);
  arena_vector<finding> about_cudnn;
  for (const finding& f : check.findings) {
    if (f.id == finding_id::not_stamped) {
      if (check.ends || !shown) later_.push_back(f);
    } else if (is_mapped) {
      about_cudnn.push_back(f);
    }
  }
  add_new(about_cudnn, of_users_);
}

void process_judge::check_user(const arena_string& path, bool is_mapped) {
  const arena_string& root = question_.facts.root;
  const arena_string host_path = root.empty() ? arena_string() : host_path_of(root, path);
  const program_check check =
      check_program(os_, {path, machine_, host_path, {mapped_, question_.name}}, advising::off);
  if (is_mapped && check.asks_by_another(path)) return;
  const bool counts = check.uses_cudnn() && !contains(unused_, path);
  if (counts && started_.size() < most_started) started_.push_back(path);
  if (check.program.use == cudnn_use::needed && check.result == verdict::ok) {
    add_once(check.takes.directory, predicted_);
  }
  keep(check, is_mapped);
}

void process_judge::look_at_users() {
  if (!libraries_search_alone()) {
    started_ = {program()};
    return;
  }
  arena_vector<arena_string> users;
  if (may_use_cudnn(program(), read_library(os_, program(), 0))) users.push_back(program());
  for (const arena_string& path : users_among(os_, mapped_)) add_once(path, users);
  const std::size_t mapped = users.size();
  environment imported;
  imported.users = question_.users;
  for (const cudnn_user& user : question_.users) {
    add_once(user.libraries.front(), users);
    if (is_unused_plugin(imported, user)) unused_.push_back(user.libraries.front());
  }
  for (std::size_t i = 0; i < std::min(users.size(), most_users); ++i) {
    check_user(users[i], i < mapped);
  }
  add_new(question_.of_users, of_users_);
}

// The search of each user shows how to repair what is found.
void process_judge::tell_users(const arena_vector<finding>& found, judgement& judged) const {
  arena_vector<finding> all = of_users_;
  add_new(found, all);
  for (const finding& f : later_) all.push_back(f);
  if (!question_.facts.root.empty()) repairs::type_in_container(all);
  judged.conclude(all);
  advise_on(judged);
}

void process_judge::check_unstamped(loader& search, process_check& result) {
  cudnn_check check(search);
  unstamped_program facts;
  check_memory(check, facts);
  judgement of_memory = check.judged;
  // A library that is imported and not loaded yet is checked as its file is; of two cuDNNs the
  // first one decides.
  if (predicted_.size() == 1 && check.observed.files.empty()) {
    arena_vector<finding> notes = of_memory.findings;
    for (finding& f : notes.in_place()) {
      if (f.weight == severity::unknown) f.weight = severity::note;
    }
    of_memory.conclude(std::move(notes));
  }
  arena_vector<finding> all = checked_findings(of_memory);
  add_new(findings_of_replaced(check.observed), all);
  judgement judged = of_memory;
  tell_users(all, judged);
  tell_result(check.stamped, check.observed, judged, os_, machine_, result.check);
  for (const finding& f : of_memory.findings) {
    if (f.id == finding_id::not_stamped) result.check.unstamped = f;
  }
  result.later = later_;
}

process_check check_process(const process_question& question, const assumed_machine& machine) {
  const process_facts& facts = question.facts;
  const process_systems systems = systems_of(facts);
  const process_view view(systems.inside, systems.here, facts);
  process_judge judge(question, machine, view);
  process_check result;
  arena_vector<found_stamp> notes;
  for (const arena_string& text : read_stamp_notes(systems.here, facts.program_file)) {
    notes.push_back({text, facts.root.empty() ? facts.program_file : facts.program});
  }
  judge.check(std::move(notes), result);
  return result;
}

}  // namespace cudnn_checked::cli
