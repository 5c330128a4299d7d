// SPDX-License-Identifier: BSD-3-Clause
#include "probe.h"

#include <cstdlib>

#include "../../core/judge/advice/advice.h"
#include "../../core/model/level.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/observe/header_version.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../../opened/opened.h"
#include "../../probe/tell.h"
#include "../../repair/files_again.h"
#include "../formats/formats.h"
#include "../laboratory_door/door.h"
#include "../machine/choose_cudnn.h"
#include "../machine/install_view.h"
#include "../system/own_process.h"
#include "../text/output.h"
#include "../text/progress.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

/// As that of the find module, CuDNNChecked_PROBE_TIMEOUT.
static constexpr int default_seconds = 120;

static version version_of_header(const system_interface& os, const arena_string& header) {
  arena_string text;
  return !header.empty() && os.read_text(header, text) ? read_header_version(text) : version();
}

static arena_vector<finding> judge_files(const system_interface& os, const prove::options& given) {
  const install_view view(os, given.library);
  loader search(view);
  cudnn_check check(search);
  check.observed.header_path = given.header;
  check.stamped.cudnn_header = version_of_header(os, given.header);
  check_named_install(check, major_of_name(base_name(given.library)), given.library);
  check_needs_of_install(check);
  return check.judged.findings;
}

static void advise_on(const system_interface& os, const prove::options& given, judgement& judged) {
  arena_vector<finding> all = judged.findings;
  const auto judge = [&given](const system_interface& changed) {
    return judge_files(changed, given);
  };
  repairs::advise_on(os, repairs::files_again(judge, given.library, {}), all);
  mark_untried(all);
  judged.conclude(std::move(all));
}

static finding not_opened(const prove::options& given, const std::string& error) {
  finding f(finding_id::probe_crashed);
  f.summary = "the loader does not load this cuDNN";
  f.expected = {"library", given.library, {}};
  f.found = {"the loader", error, {}};
  f.because = "A program that uses this cuDNN would not start either.";
  f.fix = {advice("correct what the loader complains of")};
  return f;
}

namespace {

/// One run of the command.
class probe_command {
 public:
  probe_command(const system_interface& os, const command_line& typed, const prove::options& given)
      : real_(os),
        typed_(typed),
        given_(given),
        before_(os, given.library),
        told_os_(os, os.program_path()),
        proving_(given, told_os_, before_, major_of_name(base_name(given.library))) {
    proving_.install().stamped.cudnn_header = version_of_header(os, given.header);
  }

  exit_status run();

 private:
  bool is_whole() const;
  checked_subject subject_of_probe(const judgement& judged, exit_status status) const;
  prove::program_run start(const std::vector<std::string>& plan);
  exit_status say_finished();
  exit_status say_death(const prove::program_run& run);

  const system_interface& real_;
  const command_line& typed_;
  const prove::options& given_;
  install_view before_;
  prove::told_system told_os_;
  prove::proving proving_;
  prove::told_facts told_;
};

struct probe_answer {
  exit_status status;
  arena_string words;
};

}  // namespace

/// The verdict of the report is about what was seen: that nothing was computed is nothing wrong.
/// Without a level that is asked for only what ran is enough.
static probe_answer answer_of(const judgement& judged, const std::string& asked) {
  const verdict result = judged.result;
  if (result == verdict::refused) return {exit_refused, to_string(result)};
  level required = level::ran;
  const bool is_asked = parse_level(asked, required);
  const bool enough = judged.reached >= required;
  if (!enough && is_asked) return {exit_refused, "refused: --require " + asked};
  const bool is_known = result != verdict::unknown || (is_asked && !is_strict());
  if (!enough || !is_known) return {status_of(verdict::unknown), to_string(verdict::unknown)};
  return {result == verdict::unknown ? exit_fine : status_of(result), to_string(result)};
}

/// What was not computed is not known, or it is wrong where it was asked for.
checked_subject probe_command::subject_of_probe(const judgement& judged, exit_status status) const {
  using about = subject_of_finding;
  const std::string name = std::string(given_.library);
  if (judged.reached == level::ran) {
    return subject_of(
        name, {about::files, about::dependency, about::driver, about::gpu, about::convolution},
        judged.findings);
  }
  const std::vector<about> aspects = {about::files, about::dependency};
  if (status == exit_fine) return subject_of(name, aspects, judged.findings);
  arena_vector<finding> findings;
  for (finding f : judged.findings) {
    const severity weight = status == exit_refused ? severity::error : severity::unknown;
    if (f.id == finding_id::not_verified) f.weight = weight;
    findings.push_back(f);
  }
  checked_subject subject = subject_of(name, aspects, findings);
  for (told_finding& f : subject.findings) {
    if (f.name == to_string(finding_id::not_verified)) f.aspect = aspect_word(about::convolution);
  }
  return subject;
}

bool probe_command::is_whole() const {
  return any_of(proving_.install().observed.files, [&](const cudnn_file& file) {
    return file.path == given_.library && file.state == file_state::whole;
  });
}

prove::program_run probe_command::start(const std::vector<std::string>& plan) {
  prove::program_to_run child;
  child.seconds = typed_.timeout.empty() ? default_seconds : std::atoi(typed_.timeout.c_str());
  child.command = {own_program(), probe_child_word, std::string(given_.library),
                   "file=" + std::to_string(spawn::supervised_program::report_number)};
  child.command.insert(child.command.end(), plan.begin(), plan.end());
  return prove::run_program(child, [&](const std::string& line) {
    told_.add(line);
    const arena_string step = told_.step().words;
    if (!step.empty()) show_progress(step);
  });
}

exit_status probe_command::say_finished() {
  advise_on(real_, given_, proving_.install().judged);
  const report_input report = proving_.report();
  const probe_answer answer = answer_of(*report.judged, typed_.require);
  if (is_written_for_others(typed_)) {
    print_outcome(typed_, {"", answer.status, {subject_of_probe(*report.judged, answer.status)}});
  } else if (typed_.json) {
    print_json(probe_report_text(report));
  } else {
    print(overview_of(proving_, told_os_) + messages_of(proving_.install().judged.findings) + "\n" +
          summary_of(report, answer.words));
  }
  return answer.status;
}

exit_status probe_command::say_death(const prove::program_run& run) {
  proving_.conclude_unfinished(told_);
  cudnn_check& install = proving_.install();
  probe_death death(reinstall_of(install.observed, given_.library));
  death.run = run;
  death.step = last_step_of(told_);
  if (death.step.words.empty()) death.step.words = "its start";
  death.library = given_.library;
  if (!typed_.arguments.empty()) death.directory = typed_.file();
  death.number = install.judged.computes;
  const finding f = finding_of(death);
  if (is_written_for_others(typed_)) {
    checked_subject subject = subject_of(std::string(given_.library), {}, install.judged.findings);
    const checked_subject dead = subject_of("", {}, {f});
    subject.findings.insert(subject.findings.end(), dead.findings.begin(), dead.findings.end());
    print_outcome(typed_, {"", exit_refused, {subject}});
  } else if (typed_.json) {
    // What is wrong with the files is the cause: it comes first of what weighs the same.
    arena_vector<finding> all = install.judged.findings;
    all.push_back(f);
    install.judged.conclude(std::move(all));
    print_json(probe_report_text(proving_.report(death.step.words)));
  } else {
    print(messages_of(install.judged.findings) + messages_of({f}) + quoted_output(death) + "\n" +
          "cudnn-checked: refused: " + one_line(f.summary) + "\n");
  }
  return exit_refused;
}

exit_status probe_command::run() {
  const std::vector<std::string> plan = proving_.plan();
  judgement& judged = proving_.install().judged;
  if (!is_whole()) return say_finished();
  const prove::program_run run = start(plan);
  if (!run.ended_well() || !told_.finished()) return say_death(run);
  opened::search_as_opened(given_.library);
  if (!told_.not_opened().empty()) {
    told_os_.set_mapped(told_.mapped());
    if (judged.result != verdict::refused) {
      arena_vector<finding> all = judged.findings;
      all.push_back(not_opened(given_, told_.not_opened()));
      judged.conclude(std::move(all));
    }
    return say_finished();
  }
  arena_string wrong;
  if (!proving_.conclude(told_, wrong)) return error("probe: " + wrong);
  return say_finished();
}

exit_status probe_cudnn(const command_line& typed) {
  prove::options given;
  arena_string wrong;
  if (!prove::read_operations(typed.operations, "--operations", given.operations, wrong)) {
    return error("probe: " + wrong);
  }
  if (!given.operations.empty() && !probe::has_operations()) {
    return error(without_laboratory("probe: --operations"));
  }
  const system_interface& os = own_system();
  const cudnn_choice chosen = choose_cudnn(os, typed.arguments.empty() ? "" : typed.file());
  if (chosen.library.empty()) {
    const exit_status none = typed.require.empty() ? exit_unknown : exit_refused;
    return error("probe: " + chosen.error, chosen.usage ? exit_usage : none);
  }
  const std::string note = note_of_choice(chosen);
  if (!note.empty()) print_error("cudnn-checked: note: probe: " + one_line(note) + "\n");
  show_progress("probing " + chosen.library);
  given.library = chosen.library;
  given.header = chosen.header_path;
  given.named = !typed.arguments.empty();
  given.each_device = true;
  for (const convolution_kind& kind : convolution_kinds) given.convolutions.push_back(&kind);
  return probe_command(os, typed, given).run();
}

}  // namespace cudnn_checked::cli
