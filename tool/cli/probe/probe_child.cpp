// SPDX-License-Identifier: BSD-3-Clause

#include <cstring>

#include "../../core/judge/advice/advice.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/observe/header_version.h"
#include "../../core/observe/observe.h"
#include "../../core/system/own_system.h"
#include "../../core/system/write_all.h"
#include "../../opened/opened.h"
#include "../../repair/adviser.h"
#include "../machine/install_view.h"
#include "../system/own_process.h"
#include "../system/supervisor.h"
#include "../text/output.h"
#include "probe.h"

namespace cudnn_checked::cli {

bool is_probe_child(int count, char** arguments) {
  return count > 1 && std::strcmp(arguments[1], probe_child_word) == 0;
}

static void send(const json& message) {
  (void)write_all(supervised_program::report_number, message.print_compact() + "\n");
}

static json message_of(const probe::probing& p, const arena_string& stage) {
  const fix_line again = install_again(p.install.observed, p.given.library);
  json message = json::object();
  message.add("report", p.report(stage));
  message.add_string("text", messages_of(p.install.judged.findings));
  message.add_string("again", (again.what == fix_line::kind::command ? "$" : ">") + again.text);
  return message;
}

namespace {

/// Tells the process that started this one what is done next.
class told_stages final : public probe::report_keeper {
 public:
  void keep(const probe::probing& p, const arena_string& stage) override {
    send(message_of(p, stage));
  }
};

}  // namespace

static version version_of_header(const system_interface& os, const arena_string& header) {
  arena_string text;
  return !header.empty() && os.read_text(header, text) ? read_header_version(text) : version();
}

namespace {

/// The files of the install once more.  What it computes is seen by running it only.
class files_again final : public repairs::check_again {
 public:
  explicit files_again(const probe::options& given) : given_(given) {}

  repairs::checked look(const system_interface& os) const override {
    const install_view view(os, given_.library);
    loader search(view);
    cudnn_check check(search);
    check.observed.header_path = given_.header;
    check.stamped.cudnn_header = version_of_header(os, given_.header);
    check_named_install(check, major_of_name(base_name(given_.library)), given_.library);
    check_needs_of_install(check);
    repairs::checked found;
    found.findings = check.judged.findings;
    return found;
  }

  void add_candidates(const system_interface& os, repairs::checked& found) const override {
    repairs::add_candidates(os, {directory_part(given_.library)}, {}, found);
  }

 private:
  const probe::options& given_;
};

}  // namespace

static void advise_on(const system_interface& os, probe::probing& p) {
  arena_vector<finding> all = p.install.judged.findings.copy();
  repairs::advise_on(os, files_again(p.given), all);
  mark_untried(all);
  p.install.judged.conclude(std::move(all));
}

static void send_finished(probe::probing& p, const system_interface& os) {
  advise_on(os, p);
  json message = message_of(p, {});
  const json& finished = message["report"];
  const arena_string text = overview_of(p, os) + messages_of(p.install.judged.findings) + "\n";
  json whole = json::object();
  whole.add("report", json(finished));
  whole.add_string("text", text);
  send(whole);
}

/// Looks at the files of that cuDNN, before anything of it is loaded.  True where it can be.
static bool look_before(const probe::options& given, const system_interface& os, int major,
                        probe::probing& p) {
  p.install.stamped.cudnn_header = version_of_header(os, p.given.header);
  check_named_install(p.install, major, given.library);
  for (const cudnn_file& file : p.install.observed.files) {
    if (file.path == given.library) return file.state == file_state::whole;
  }
  return false;
}

static void add_not_opened(const arena_string& error, probe::probing& p) {
  finding f(finding_id::probe_crashed);
  f.summary = "the loader does not load this cuDNN";
  f.expected = {"library", p.given.library, {}};
  f.found = {"the loader", error, {}};
  f.because = "A program that uses this cuDNN would not start either.";
  f.fix = {advice("correct what the loader complains of")};
  arena_vector<finding> all = p.install.judged.findings.copy();
  all.push_back(f);
  p.install.judged.conclude(std::move(all));
}

static int probe_opened(const probe::options& given, const system_interface& os) {
  const int major = major_of_name(base_name(given.library));
  const install_view view(os, given.library);
  loader before(view);
  probe::probing files(given, before);
  if (!look_before(given, os, major, files)) {
    send_finished(files, os);
    return 0;
  }
  send(message_of(files, "loading the libraries"));
  arena_string error;
  if (!opened::open_cudnn(given.library, error)) {
    if (files.install.judged.result != verdict::refused) add_not_opened(error, files);
    send_finished(files, os);
    return 0;
  }
  loader search(os);
  probe::probing p(given, search);
  p.install.stamped.cudnn_header = version_of_header(os, p.given.header);
  told_stages keeper;
  if (!probe::prove(p, major, keeper, error)) return 2;
  send_finished(p, os);
  return 0;
}

int probe_child(int count, char** arguments) {
  if (count != 6) return 2;
  probe::options given;
  given.library = arguments[2];
  given.header = arguments[3];
  given.named = *arguments[5] != '\0';
  arena_string error;
  if (!probe::read_operations(arguments[4], "--operations", given.operations, error)) return 2;
  given.each_device = true;
  for (const probe::convolution_kind& kind : probe::convolution_kinds) {
    given.convolutions.push_back(&kind);
  }
  return probe_opened(given, own_system());
}

}  // namespace cudnn_checked::cli
