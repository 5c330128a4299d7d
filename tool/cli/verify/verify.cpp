// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../../guard/environment.h"
#include "../../repair/passing_memory.h"
#include "../../repair/remembered_system.h"
#include "../formats/formats.h"
#include "../machine/named_tree.h"
#include "../machine/python.h"
#include "../machine/tree.h"
#include "../program/check_program.h"
#include "../survey/frozen_check.h"
#include "../system/operating_system.h"
#include "../text/json_tree.h"
#include "../text/progress.h"
#include "../words/command_line.h"
#include "verify.h"

namespace cudnn_checked::cli {

static constexpr const char* separator = " \xC2\xB7 ";

/// "cuDNN 9.14.0 · CUDA 13.0 · sm_86": what is known of it.
static arena_string triple_line(const json& report) {
  arena_string line;
  const auto add = [&line](const arena_string& label, const arena_string& value) {
    if (!value.empty()) line += (line.empty() ? "" : separator) + label + value;
  };
  add("cuDNN ", report["triple"]["cudnn"].text());
  add("CUDA ", report["triple"]["cuda"].text());
  arena_string last;
  for (const json& device : report["devices"].elements()) {
    const arena_string& architecture = device["architecture"].text();
    if (architecture != last) add("", architecture);
    last = architecture;
  }
  return line;
}

/// The machine and the tree in which programs are to start.
struct verified_place {
  assumed_machine machine;
  named_tree tree;    ///< of a container; without a root: this machine's
  bool runs = false;  ///< what is verified has been started already
};

/// " on sm_86,driver=580", " in /srv/tree".
static arena_string text_of(const verified_place& place) {
  const arena_string in =
      place.tree.root.empty() ? arena_string() : " in " + one_line(place.tree.root);
  if (!place.machine.text.empty()) return in + " on " + one_line(place.machine.text);
  return in.empty() && !place.runs ? arena_string(" here") : in;
}

arena_string notes_of(const program_check& check) {
  const arena_vector<finding> notes =
      filtered(check.findings, [](const finding& f) { return f.id != finding_id::not_stamped; });
  return findings_message(notes, "cudnn-checked: note", severity::note);
}

static arena_string text_of(const program_check& check, const arena_string& file,
                            const verified_place& place, const char* would = " would start") {
  const assumed_machine& machine = place.machine;
  if (check.result != verdict::ok) {
    const arena_string message =
        findings_message(check.findings, arena_string("cudnn-checked: ") + to_string(check.result),
                         severity::unknown);
    const bool starts = check.result == verdict::refused && !check.guard.empty();
    return message +
           (starts ? "  starts nevertheless: " + escape_of_build(check.guard) + "\n" : "");
  }
  if (!check.stamped) {
    return findings_message({check.unstamped}, "cudnn-checked: ok", severity::note) +
           notes_of(check);
  }
  const arena_string line = triple_line(check.report);
  return "cudnn-checked: ok: " + one_line(base_name(file)) + would + text_of(place) +
         (line.empty() ? "" : ": " + line) +
         (machine.given && machine.text.empty() ? "; driver and GPUs are not checked" : "") + "\n" +
         notes_of(check);
}

arena_string text_of(const program_check& check, const arena_string& file,
                     const assumed_machine& machine, const char* would) {
  verified_place place;
  place.machine = machine;
  place.runs = true;
  return text_of(check, file, place, would);
}

struct verified_file {
  exit_status status = exit_fine;
  arena_string error;  ///< why it cannot be checked
  arena_string text;
  json report;
  checked_subject subject = {};
};

checked_subject subject_of(const program_check& check, const std::string& name,
                           const assumed_machine& machine, const arena_vector<finding>& more) {
  using about = subject_of_finding;
  arena_vector<finding> findings = check.findings;
  add_new(more, findings);
  // Where it gets no cuDNN, nothing of one was looked at.
  if (check.files.empty()) return subject_of(name, {}, findings);
  const bool has_driver = !machine.given || !machine.text.empty();
  const bool has_gpu = has_driver && !check.report["devices"].elements().empty();
  std::vector<about> aspects = {about::place, about::files, about::dependency, about::program};
  if (has_driver) aspects.push_back(about::driver);
  if (has_gpu) aspects.push_back(about::gpu);
  return subject_of(name, aspects, findings);
}

static verified_file result_of(const program_check& check, const arena_string& path,
                               const verified_place& place) {
  verified_file result;
  result.status = status_of(check.result);
  result.text = text_of(check, path, place);
  result.report = check.report;
  if (!place.tree.root.empty()) result.report.add_string("root", place.tree.root);
  result.subject = subject_of(check, std::string(path), place.machine);
  return result;
}

static verified_file verify_in_tree(const arena_string& named, const verified_place& place) {
  char** const environment = const_cast<char**>(place.tree.environment.data());
  const arena_string path = path_in_tree(place.tree.root, named);
  const arena_string host_path = host_path_of(place.tree.root, path);
  const system_interface& os =
      system_of_tree(place.tree.root, path, environment, execution_of(host_path));
  const file_error wrong = look_at_file(os, path, machines::any, host_path);
  if (!wrong.text.empty()) {
    return {wrong.status, "verify: in " + place.tree.root + ": " + wrong.text, {}, {}};
  }
  cudnn_case asked{path, place.machine, host_path};
  asked.in_container = true;
  return result_of(check_program(os, asked), path, place);
}

/// A file of the working directory, or else what a shell would start.
static arena_string file_or_program(const arena_string& name) {
  const system_interface& os = own_system();
  std::error_code absent;
  const bool is_here =
      name.find('/') != arena_string::npos || std::filesystem::exists(std::string(name), absent);
  const arena_string program = is_here ? arena_string() : program_file(os, name);
  return program.empty() ? name : program;
}

namespace {

/// This machine, asked once for what several programs have in common.
class shared_systems {
 public:
  const system_interface& of(execution_mode which) {
    std::unique_ptr<repairs::remembered_system>& one = modes_[which];
    if (one == nullptr) one = std::make_unique<repairs::remembered_system>(own_system(which));
    return *one;
  }

  /// Before the first of them is checked, in memory that stays.
  void open_all() {
    for (const auto which : {execution_mode::ordinary, execution_mode::secure}) of(which);
  }

 private:
  std::map<execution_mode, std::unique_ptr<repairs::remembered_system>> modes_;
};

}  // namespace

static verified_file verify_file(const arena_string& name, const verified_place& place,
                                 shared_systems* shared = nullptr) {
  if (!place.tree.root.empty()) return verify_in_tree(name, place);
  const arena_string path = file_or_program(name);
  const execution_mode execution = execution_of(path);
  if (const archive_check archive = check_archive(own_system(), path, place.machine);
      archive.is_archive) {
    if (archive.unknown.empty()) return result_of(archive.check, path, place);
    const exit_status status = archive.is_damaged ? exit_refused : exit_unknown;
    return {status, "verify: " + path + ": " + archive.unknown, {}, {}};
  }
  const system_interface& os = shared == nullptr ? own_system(execution) : shared->of(execution);
  const file_error wrong = look_at_file(os, path);
  if (!wrong.text.empty()) return {wrong.status, "verify: " + wrong.text, {}, {}};
  return result_of(check_application(os, path, place.machine), path, place);
}

// A refusal counts most, then a file that could not be checked.
static exit_status worse(exit_status a, exit_status b) {
  for (const exit_status one : {exit_refused, exit_usage, exit_unknown}) {
    if (a == one || b == one) return one;
  }
  return exit_fine;
}

static arena_string json_of(const std::string& path, verified_file& one) {
  return object_of({{"file", path},
                    {"status", static_cast<int>(one.status)},
                    {"error", one.error},
                    {"report", std::move(one.report)}})
      .print_compact();
}

static exit_status verify_files(const command_line& given, const verified_place& place) {
  exit_status status = exit_fine;
  json list = json::array();
  outcome told;
  shared_systems systems;
  systems.open_all();
  std::size_t number = 0;
  for (const std::string& path : given.arguments) {
    show_progress("checking " + path, ++number, given.arguments.size());
    std::string printed;
    {
      const repairs::passing_memory until_here;
      verified_file one = verify_file(path, place, &systems);
      one.status = strictly(one.status);
      status = worse(status, one.status);
      one.subject.name = path;
      one.subject.error = one.error;
      told.subjects.push_back(one.subject);
      const arena_string text =
          one.error.empty() ? one.text : "cudnn-checked: error: " + one_line(one.error) + "\n";
      printed = given.json ? json_of(path, one) : one_line(path) + ":\n" + text;
    }
    if (is_written_for_others(given)) continue;
    if (given.json) {
      json again;
      arena_string wrong;
      (void)parse_json(printed, again, wrong);
      list.add(std::move(again));
    } else {
      const repairs::passing_memory until_here;
      print(printed);
    }
  }
  if (is_written_for_others(given)) {
    told.status = status;
    print_outcome(given, std::move(told));
  } else if (given.json) {
    const int number_of_all = static_cast<int>(status);
    print_json(answer_of({{"status", number_of_all}, {"files", std::move(list)}}).print());
  }
  return status;
}

/// False where the options say nothing that can be: `wrong` says why.
static bool read_place(const command_line& given, verified_place& place, std::string& wrong) {
  place.machine.given = given.no_gpu || !given.root.empty();
  if (!given.as.empty() && !read_assumed_machine(given.as, place.machine, wrong)) return false;
  if (given.root.empty()) {
    if (!read_variables("verify", given.variables, place.tree, wrong)) return false;
    if (!given.variables.empty()) {
      wrong =
          "verify: --env is for --root; for a program of this machine, set the variable of "
          "cudnn-checked itself";
    }
    return wrong.empty();
  }
  return read_tree("verify", given.root, given.variables, place.tree, wrong);
}

exit_status verify(const command_line& given) {
  verified_place place;
  std::string wrong;
  if (!read_place(given, place, wrong)) return error(wrong);
  if (!given.pid.empty()) return verify_process(given, place.machine);
  if (!given.python.empty() && !given.root.empty()) {
    return verify_python_in_tree(given, place.tree, place.machine);
  }
  if (!given.python.empty()) return verify_python(given, place.machine);
  if (given.arguments.size() > 1 || is_written_for_others(given)) return verify_files(given, place);
  const verified_file one = verify_file(given.file(), place);
  if (!one.error.empty()) return error(one.error, one.status);
  if (given.json) {
    print_json(one.report.print());
  } else {
    print(one.text);
  }
  return one.status;
}

}  // namespace cudnn_checked::cli
