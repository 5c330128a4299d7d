// SPDX-License-Identifier: BSD-3-Clause
#include "check_program.h"

#include <filesystem>

#include "../../core/judge/advice/advice.h"
#include "../../core/judge/survey/survey_rules.h"
#include "../../core/library/library_file.h"
#include "../../core/library/stamp_note.h"
#include "../../core/library/symbols.h"
#include "../../core/loader/program_start.h"
#include "../../core/model/cudnn_major.h"
#include "../../core/model/format.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/machine.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/report/report.h"
#include "../../core/system/platform.h"
#include "../../guard/check.h"
#include "../../repair/adviser.h"
#include "../machine/cudnn_installs.h"
#include "../system/executable.h"
#include "asked_again.h"
#include "frozen.h"
#include "unstamped.h"

namespace cudnn_checked::cli {

// $ORIGIN of a program is the directory of its real path, which the kernel passes to the loader;
// that of a shared library is the one by which it is opened.
arena_string path_for_loader(const system_interface& os, const arena_string& path) {
  const arena_string absolute = absolute_path(os, path);
  const arena_string real = os.real_path(absolute);
  const bool is_program = read_library(os, absolute, 0).is_program;
  return is_program && !real.empty() ? real : absolute;
}

static bool exports_all(const system_interface& os, const cudnn_place& place,
                        const arena_vector<missing_symbol>& symbols) {
  const arena_string shim =
      join_path(place.directory, name_of_library(library_role::shim, place.number.major));
  return all_of(
      symbols, [&](const missing_symbol& symbol) { return exports_symbol(os, shim, symbol.name); });
}

/// The cuDNNs of this machine that have what is missing.
static arena_vector<cudnn_place> helpful_places(const system_interface& os,
                                                const program_start& start) {
  return filtered(places_of_cudnn(os), [&](const cudnn_place& place) {
    return exports_all(os, place, start.missing_symbols);
  });
}

static bool lacks_cudnn(const program_start& start) {
  for (const start_library& library : start.libraries) {
    if (library.state == file_state::missing && role_of_name(library.name) == library_role::shim)
      return true;
  }
  return !start.missing_symbols.empty();
}

bool is_among(const finding& f, const arena_vector<finding>& findings) {
  return any_of(findings, [&](const finding& other) {
    return other.id == f.id && other.summary == f.summary;
  });
}

void add_new(const arena_vector<finding>& more, arena_vector<finding>& findings) {
  for (const finding& f : more) {
    if (!is_among(f, findings)) findings.push_back(f);
  }
}

static void check_stamp(guard_check& guard, const program_start& start, program_check& result) {
  guard.look_at_files();
  if (!start_hides_cudnn(start)) guard.look_at_machine();
  add_new(guard.look_at_start(start), result.of_records);
}

static void tell_findings(const judgement& judged, program_check& result) {
  result.result = judged.result;
  result.findings = judged.findings;
  for (const finding& f : judged.findings) {
    if (f.id == finding_id::not_stamped) result.unstamped = f;
  }
}

void tell_result(const stamp& stamped, const observation& observed, const judgement& judged,
                 const system_interface& os, const assumed_machine& machine,
                 program_check& result) {
  tell_findings(judged, result);
  result.guard = stamped.guard;
  result.report = report_tree(
      {&stamped, &observed, &judged, read_guard_environment(os, stamped.guard).escape, {}, {}});
  if (!machine.given) return;
  result.report.add_string("assumed",
                           machine.text.empty() ? arena_string("no GPU is checked") : machine.text);
}

static release wanted_by(const unstamped_program& program) {
  const cudnn_requirement& asked = program.requirement;
  return {asked.least, program.cuda_major != 0 ? program.cuda_major : asked.cuda_major};
}

const cudnn_file* program_check::shim() const {
  for (const library_role::known role : {library_role::shim, library_role::graph}) {
    const cudnn_file* const file =
        find_where(files, [&](const cudnn_file& one) { return one.role == role; });
    if (file != nullptr) return file;
  }
  return nullptr;
}

bool program_check::takes_one_of(const arena_vector<mapped_object>& objects) const {
  const cudnn_file* const taken = shim();
  return taken != nullptr && any_of(objects, [&](const mapped_object& object) {
           return object.path == taken->path || object.path == taken->real_path;
         });
}

/// Mapped objects stay, and their names are not mapped again, unless a file is opened by its path.
static arena_vector<mapped_object> mapped_after(const program_start& start,
                                                const process_memory& memory,
                                                const arena_string& by_path) {
  arena_vector<mapped_object> mapped = memory.objects;
  for (const mapped_object& object : objects_of_start(start)) {
    const bool known = any_of(
        memory.objects, [&](const mapped_object& other) { return other.soname == object.soname; });
    if (!known || object.path == by_path) mapped.push_back(object);
  }
  return mapped;
}

arena_vector<found_stamp> stamps_of(loader& search, const arena_vector<arena_string>& libraries) {
  const system_interface& os = search.system();
  arena_vector<found_stamp> found;
  const auto add_those_of = [&](const arena_string& path) {
    for (const arena_string& text : read_stamp_notes(os, path)) found.push_back({text, path});
  };
  add_those_of(search.program_path());
  if (!found.empty()) return found;
  for (const arena_string& path : libraries) {
    const bool uses = any_of(search.file(path).needed, [](const arena_string& name) {
      return is_cudnn_name(base_name(name));
    });
    if (uses) add_those_of(path);
  }
  return found;
}

/// The libraries that the start brings into the process.
static arena_vector<arena_string> libraries_of_start(const program_start& start,
                                                     const process_memory& memory) {
  arena_vector<arena_string> paths;
  for (const start_library& library : start.libraries) {
    const bool is_loaded = any_of(
        memory.objects, [&](const mapped_object& object) { return object.path == library.path; });
    if (library.state == file_state::whole && !is_loaded) paths.push_back(library.path);
  }
  return paths;
}

static arena_vector<finding> warned_of(arena_vector<finding> findings) {
  for (finding& f : findings.in_place()) {
    if (f.weight == severity::error) f.weight = severity::warning;
  }
  return findings;
}

program_check check_program(const system_interface& real, const cudnn_case& asked,
                            advising advice) {
  const assumed_machine& machine = asked.machine;
  const process_memory& memory = asked.memory;
  const assumed_view os(real, machine);
  started_view view(os, path_for_loader(os, asked.path));
  view.set_mapped(memory.objects);
  observation first;
  loader search(view);
  observe_start(search, first);
  const arena_vector<found_stamp> notes =
      stamps_of(search, libraries_of_start(first.start, memory));
  first.start.stamped = notes.empty() ? answer::no : answer::yes;
  if (search.file(view.program_path()).is_program) {
    const arena_string& on_disk = asked.host_path.empty() ? view.program_path() : asked.host_path;
    first.start.executable = has_execute_right(on_disk) ? answer::yes : answer::no;
  }
  if (machine.given) add_driver_libraries(first.start);
  unstamped_program unstamped_facts;
  if (notes.empty()) unstamped_facts = look_at_unstamped(search, first.start);
  if (notes.empty()) find_cuda_of_package(search, unstamped_facts);
  unstamped_facts.import_lacks = asked.import_lacks;
  unstamped_facts.process = memory.process;
  unstamped_facts.comes_after = any_of(memory.objects, [](const mapped_object& object) {
    return role_of_name(object.soname) != library_role::none;
  });
  if (lacks_cudnn(first.start)) first.start.elsewhere = helpful_places(os, first.start);
  program_check result;
  result.ends = start_ends_program(first.start);
  result.hides_cudnn = start_hides_cudnn(first.start);
  arena_vector<mapped_object> mapped =
      mapped_after(first.start, memory, unstamped_facts.opened_path);
  result.mapped = mapped;
  if (machine.given) mapped.push_back(os.libcuda());
  view.set_mapped(mapped);
  search.look_at_process();

  const auto advise_on = [&](judgement& judged) {
    if (asked.may_be_unused) judged.conclude(warned_of(judged.findings));
    if (advice == advising::untried) mark_untried(judged.findings);
    tell_build_again(judged.findings, asked.by);
    if (advice != advising::on || asked.by != packer::none) return;
    const asked_again again({asked.path}, asked);
    judged.conclude(repairs::keep_what_works(real, again, again.found_here(judged.findings)));
  };
  const auto tell = [&](const stamp& stamped, const observation& observed, const judgement& judged,
                        program_check& told) {
    if (advice == advising::off) return tell_findings(judged, told);
    tell_result(stamped, observed, judged, os, machine, told);
  };
  const bool checks_gpus = !machine.given || !machine.text.empty();
  result.stamped = !notes.empty();
  result.guard_speaks = result.stamped && !result.ends;
  if (notes.empty()) {
    cudnn_check unstamped(search);
    unstamped.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
    unstamped.observed.unstamped = &unstamped_facts;
    check_unstamped_program(unstamped, first.start);
    if (!checks_gpus) {
      unstamped.judged.conclude(without_gpu_findings(unstamped.judged.findings));
    }
    result.asker = unstamped_facts.asker;
    result.wanted = wanted_by(unstamped_facts);
    advise_on(unstamped.judged);
    tell(unstamped.stamped, unstamped.observed, unstamped.judged, result);
    result.program = unstamped_facts;
    result.takes = taken_by(unstamped.judged, unstamped.observed.cudnn_major);
    result.files = unstamped.observed.files;
    result.unknown = unstamped_facts.use == cudnn_use::none;
    return result;
  }
  guard_check guard(search, notes.front().text.c_str(), notes.front().file);
  check_stamp(guard, first.start, result);
  arena_vector<finding> found = guard.judged().findings;
  for (std::size_t i = 1; i < notes.size(); ++i) {
    guard_check other(search, notes[i].text.c_str(), notes[i].file);
    check_stamp(other, first.start, result);
    add_new(other.judged().findings, found);
  }
  judgement judged = guard.judged();
  judged.conclude(checks_gpus ? found : without_gpu_findings(found));
  result.takes = taken_by(judged, guard.observed().cudnn_major);
  result.files = guard.observed().files;
  const stamp& stamped = guard.stamped();
  result.asker = notes.front().file;
  result.wanted = {stamped.cudnn_header, stamped.toolkit.major};
  advise_on(judged);
  tell(guard.stamped(), guard.observed(), judged, result);
  return result;
}

file_error look_at_file(const system_interface& os, const arena_string& path, machines wanted,
                        const arena_string& host_path) {
  const std::filesystem::path file = std::string(host_path.empty() ? path : host_path);
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return {path + ": a directory"};
  const library_file contents = read_library(os, path, 0);
  switch (contents.state) {
    case file_state::missing:
      return {path + ": no such file"};
    case file_state::unreadable:
      return {path + ": no permission to read it"};
    case file_state::empty:
      return {path + ": an empty file"};
    case file_state::not_elf:
      return {
          format("%s: %s; for a script, check the program that runs it", path, not_a_library())};
    case file_state::directory:
    case file_state::fifo:
    case file_state::socket:
    case file_state::device:
      return {path + ": " + describe(contents.state)};
    case file_state::refused:
      return {path + ": " + describe(contents.state), exit_unknown};
    case file_state::truncated:
      return {format("%s: shorter than its headers say: %s bytes of %s", path,
                     to_string(contents.size), to_string(contents.size_expected)),
              exit_refused};
    case file_state::unwritten:
      return {path + ": " + describe(contents.state), exit_refused};
    default:
      break;
  }
  if (wanted == machines::own && own_machine != 0 && contents.machine != own_machine) {
    return {path + ": for " + machine_name(contents.machine) + ", and this machine is " +
                machine_name(own_machine),
            exit_unknown};
  }
  return {};
}

}  // namespace cudnn_checked::cli
