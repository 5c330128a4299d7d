// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "../../core/judge/advice/advice.h"
#include "../../core/judge/survey/survey_rules.h"
#include "../../core/library/library_file.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../formats/formats.h"
#include "../machine/choose_cudnn.h"
#include "../machine/cudnn_below.h"
#include "../machine/named_tree.h"
#include "../machine/tree.h"
#include "../survey/environment_text.h"
#include "../survey/survey_advice.h"
#include "../survey/survey_machine.h"
#include "../text/json_tree.h"
#include "../text/lists.h"
#include "../text/progress.h"
#include "../words/command_line.h"
#include "../words/left_out.h"
#include "doctor.h"

namespace cudnn_checked::cli {

/// A report (schema 1): the keys of a finding are those of every other command.
static json report_of(const observation& observed, const judgement& judged) {
  const stamp nothing;
  return report_tree({&nothing, &observed, &judged, {}, {}, {}});
}

static arena_string known(const version& v) { return v.known() ? to_string(v) : ""; }

static const cudnn_file* shim_of(const observation& observed) {
  return find_where(observed.files, [&](const cudnn_file& file) {
    return file.role == library_role::shim && !file.path.empty();
  });
}

static arena_string installs_text(const survey& all, const survey_judgement& judged) {
  if (all.installs.empty()) return "  none\n";
  text_rows rows;
  for (std::size_t i = 0; i < all.installs.size(); ++i) {
    const cudnn_install& install = all.installs[i];
    const install_judgement& what = judged.installs[i];
    const bool bad = what.judged.result == verdict::refused;
    rows.push_back({what.release, what.kind + (bad ? ", broken" : ""), install.directory,
                    listed(install.found_by),
                    install.header.known() ? "header " + to_string(install.header) : ""});
  }
  return aligned(rows);
}

static arena_string contents_text(const survey& all) {
  text_rows rows;
  for (const cudnn_install& install : all.installs) {
    rows.push_back({install.directory, install.compared == 0
                                           ? std::string("no SHA-256 is recorded")
                                           : std::to_string(install.compared) + " of " +
                                                 counted(install.observed.files.size(), "file") +
                                                 " compared with the recorded SHA-256"});
  }
  return "contents\n" + aligned(rows);
}

static arena_string copies_text(const survey& all) {
  if (all.copies.empty()) return {};
  text_rows rows;
  for (const cudnn_file& file : all.copies) {
    rows.push_back({describe(identify(file).releases), to_string(identify(file).role), file.path,
                    file.state == file_state::whole ? "" : describe_state(file),
                    file.asked_by.empty() ? "" : "needed by " + base_name(file.asked_by)});
  }
  return "copies that packages have renamed\n" + aligned(rows);
}

static json copy_json(const cudnn_file& file) {
  return object_of({{"path", file.path},
                    {"role", to_string(identify(file).role)},
                    {"release", describe(identify(file).releases)},
                    {"state", describe_state(file)},
                    {"asked_by", file.asked_by}});
}

static arena_string default_text(const survey& all, const judgement& machine) {
  const cudnn_file* shim = shim_of(all.by_default);
  if (shim == nullptr) return "  none\n";
  return aligned(
      {{known(machine.computes), shim->path, "chosen by " + to_string(shim->chosen_by)}});
}

static arena_string toolkits_text(const survey& all) {
  if (all.toolkits.empty()) return "  none\n";
  text_rows rows;
  for (const cuda_toolkit& toolkit : all.toolkits) {
    rows.push_back({to_cuda_string(toolkit.number), toolkit.directory, toolkit.found_by});
  }
  return aligned(rows);
}

static arena_string summary(const survey_judgement& judged, const arena_vector<finding>& findings,
                            verdict told) {
  std::size_t broken = 0;
  for (const install_judgement& install : judged.installs) {
    broken += install.judged.result == verdict::refused ? 1 : 0;
  }
  const counts_by_weight counts = counts_of(findings);
  arena_string text = arena_string("cudnn-checked: ") + to_string(told) + ": " +
                      counted(judged.installs.size(), "cuDNN");
  if (broken != 0) text += ", " + to_string(broken) + " of them broken";
  text += ", " + counted(counts[static_cast<std::size_t>(severity::error)], "error") + ", " +
          counted(counts[static_cast<std::size_t>(severity::warning)], "warning");
  return text + "\n";
}

/// Where packages take several cuDNNs, the order of their import decides which a process gets.
static std::vector<left_out_entry> left_out_of(const survey& all) {
  arena_vector<arena_string> directories;
  for (const environment& place : all.environments) {
    for (const cudnn_user& user : place.users) {
      if (!user.takes.directory.empty()) add_once(user.takes.directory, directories);
    }
  }
  if (directories.size() < 2) return {};
  return {left_out("order")};
}

static arena_string text_of(const std::vector<left_out_entry>& entries) {
  arena_string text;
  for (const left_out_entry& entry : entries) {
    text += "\nnot looked at: " + arena_string(left_out_text(entry)) + "\n";
  }
  return text;
}

static json install_json(const cudnn_install& install, const install_judgement& what) {
  const json report = report_of(install.observed, what.judged);
  return object_of(
      {{"directory", install.directory},
       {"found_by", list_of(install.found_by)},
       {"library", install.library},
       {"version", known(what.number)},
       {"cuda_major", what.cuda_major},
       {"release", what.release},
       {"kind", what.kind},
       {"compared", install.compared},
       {"header", object_of({{"version", known(install.header)}, {"path", install.header_path}})},
       {"files", report["cudnn"]["files"]},
       {"findings", report["findings"]}});
}

static json default_json(const observation& observed, const json& report) {
  const cudnn_file* shim = shim_of(observed);
  if (shim == nullptr) {
    return object_of({{"path", ""}, {"chosen_by", ""}, {"files", json::array()}});
  }
  return object_of({{"path", shim->path},
                    {"chosen_by", to_string(shim->chosen_by)},
                    {"files", report["cudnn"]["files"]}});
}

static json toolkit_json(const cuda_toolkit& toolkit) {
  return object_of({{"version", to_cuda_string(toolkit.number)},
                    {"directory", toolkit.directory},
                    {"found_by", toolkit.found_by}});
}

static json driver_json(const driver_facts& driver) {
  const auto number = [](const version& v) { return v.known() ? to_driver_string(v) : ""; };
  return object_of({{"path", driver.path},
                    {"chosen_by", to_string(driver.chosen_by)},
                    {"library", number(driver.library)},
                    {"kernel_module", number(driver.kernel_module)},
                    {"cuda", driver.cuda.known() ? to_cuda_string(driver.cuda) : ""}});
}

static arena_string json_text(const survey& all, const survey_judgement& judged, verdict told,
                              const arena_string& root) {
  const json report = report_of(all.by_default, judged.machine);
  json installs = json::array();
  for (std::size_t i = 0; i < all.installs.size(); ++i) {
    installs.add(install_json(all.installs[i], judged.installs[i]));
  }
  json answer = answer_of({{"verdict", to_string(told)},
                           {"cudnn", std::move(installs)},
                           {"copies", array_of(all.copies, copy_json)},
                           {"environments", environments_json(all.environments)},
                           {"by_default", default_json(all.by_default, report)},
                           {"toolkits", array_of(all.toolkits, toolkit_json)},
                           {"driver", driver_json(all.by_default.driver)},
                           {"devices", report["devices"]},
                           {"not_looked_at", array_of(left_out_of(all), left_out_json)},
                           {"findings", report["findings"]}});
  if (!root.empty()) answer.add_string("root", root);
  return answer.print();
}

static arena_vector<finding> all_findings(const survey_judgement& judged) {
  arena_vector<finding> every;
  for (const install_judgement& install : judged.installs) {
    every.insert(every.end(), install.judged.findings.begin(), install.judged.findings.end());
  }
  every.insert(every.end(), judged.machine.findings.begin(), judged.machine.findings.end());
  return every;
}

namespace {

/// The survey of several directories, with each cuDNN once: one directory may lie in another, or be
/// named twice.
class survey_of_several {
 public:
  explicit survey_of_several(const system_interface& os, survey& all) : os_(os), all_(all) {}

  void append(const survey& more) {
    append_new(
        more.installs, [this](const cudnn_install& one) { return below(one.library); }, installs_,
        all_.installs);
    append_new(
        more.without_shim,
        [this](const set_without_shim& one) { return below(join_path(one.directory, one.shim)); },
        without_shim_, all_.without_shim);
    append_new(
        more.copies, [](const cudnn_file& one) { return one.real_path; }, copies_, all_.copies);
    append_new(
        more.environments, [this](const environment& one) { return os_.real_path(one.directory); },
        environments_, all_.environments);
    append_new(
        more.broken_links, [this](const broken_link& one) { return below(one.path); }, links_,
        all_.broken_links);
    all_.left_out.append(more.left_out);
  }

 private:
  using places = std::set<std::string_view>;

  template <typename list, typename place_of>
  static void append_new(const list& more, const place_of& place, places& known, list& all) {
    for (const auto& one : more) {
      if (known.insert(place(one)).second) all.push_back(one);
    }
  }

  arena_string below(const arena_string& path) const {
    return os_.real_path(directory_part(path)) + "/" + base_name(path);
  }

  const system_interface& os_;
  survey& all_;
  places installs_, without_shim_, copies_, environments_, links_;
};

}  // namespace

static bool has_nothing(const survey& all) {
  for (const environment& place : all.environments) {
    if (!place.cudnn_packages.empty() || !place.users.empty() || !place.leftovers.empty() ||
        !place.requirements.empty()) {
      return false;
    }
  }
  return all.installs.empty() && all.without_shim.empty() && all.copies.empty() &&
         all.broken_links.empty();
}

static void print_doctor(const command_line& given, const system_interface& os, const survey& all,
                         const doctor_text& text) {
  if (!given.paste) return print(text.overview + text.messages + "\n" + text.summary);
  print_json(paste_text(os, all, text, given.arguments));
}

/// `root` is that of the tree; empty: this machine's.
static bool is_file(const arena_string& root, const arena_string& path) {
  std::error_code ignored;
  const arena_string here = root.empty() ? path : host_path_of(root, path);
  const auto status = std::filesystem::status(std::string(here), ignored);
  return exists(status) && !is_directory(status);
}

static std::string no_directory(const system_interface& os, const arena_string& path) {
  if (is_cudnn_path(path)) {
    return ": not a directory; to check its cuDNN: cudnn-checked doctor " +
           std::string(quoted(directory_part(path)));
  }
  if (!read_library(os, path, 0).dynamic) return ": not a directory";
  return ": not a directory; to check a program or a library: cudnn-checked verify " +
         std::string(quoted(path));
}

static std::string no_cudnn(const system_interface& os, const arena_string& directory) {
  const cudnn_below below = find_cudnn_below(os, directory);
  if (!below.directory.empty()) {
    return ": no cuDNN where programs look in it; one lies deeper: cudnn-checked doctor " +
           std::string(quoted(below.directory));
  }
  return std::string(no_cudnn_in(os, directory)) +
         (below.all_seen ? "" : ", as far as it was looked through");
}

// The results are kept until all are judged.
static constexpr std::size_t most_directories = 128;

/// Looks at the directories of the command line.  If it does not return exit_fine, it has printed
/// the reason.
static exit_status look_at_directories(const command_line& given, const system_interface& os,
                                       const arena_string& root, survey_scope& scope, survey& all) {
  survey_of_several several(os, all);
  std::set<std::string> known;
  std::size_t number = 0;
  for (const std::string& directory : given.arguments) {
    const arena_string named =
        root.empty() ? arena_string(directory) : path_in_tree(root, directory);
    const arena_string absolute = absolute_directory(os, named);
    if (!known.insert(absolute).second) continue;
    if (number >= most_directories) {
      all.left_out.push_back({absolute, "command line"});
      continue;
    }
    if (is_file(root, absolute))
      return error("doctor: " + directory + no_directory(os, absolute), exit_usage);
    show_progress("looking at " + directory, ++number, given.arguments.size());
    survey_scope only;
    only.directories = {absolute};
    only.hash = given.hash;
    only.in_tree = scope.in_tree;
    const survey one = survey_of(os, only);
    if (has_nothing(one)) {
      const bool exists = !os.real_path(absolute).empty();
      return error(
          "doctor: " + directory + (exists ? no_cudnn(os, absolute) : ": no such directory"),
          exists ? exit_unknown : exit_usage);
    }
    several.append(one);
    scope.directories.push_back(absolute);
  }
  return exit_fine;
}

static arena_string overview(const command_line& given, const survey& all,
                             const survey_judgement& judged) {
  const arena_string text = "cuDNN\n" + installs_text(all, judged) +
                            (given.hash ? contents_text(all) : arena_string()) + copies_text(all) +
                            environments_text(all.environments);
  if (!given.arguments.empty()) return text;
  return text + "what " + any_program() + " gets\n" + default_text(all, judged.machine) +
         "CUDA toolkits\n" + toolkits_text(all) +
         driver_and_gpus(all.by_default, given.root.empty());
}

exit_status doctor(const command_line& given) {
  named_tree tree;
  std::string unread;
  if (!read_tree_of(given, tree, unread)) return error(unread);
  const system_interface& os = tree.root.empty() ? own_system() : system_of_tree(tree);
  survey_scope scope;
  scope.hash = given.hash;
  scope.in_tree = !tree.root.empty();
  survey all;
  if (given.arguments.empty()) {
    show_progress("looking at " + (scope.in_tree ? given.root : "this machine"));
    scope.python = scope.in_tree ? packages_of_tree(os, given.variables) : find_python_packages(os);
    // A report for a bug tracker shows what is there even if the Python cannot be started.
    const bool wrong = !scope.python.wrong.empty();
    if (wrong && !given.paste) return error("doctor: " + scope.python.wrong);
    all = survey_of(os, scope);
  } else {
    const exit_status wrong = look_at_directories(given, os, tree.root, scope, all);
    if (wrong != exit_fine) return wrong;
  }
  survey_judgement judged = judged_survey(all, scope);
  advise_on(os, scope, all, judged);
  const arena_vector<finding> every = all_findings(judged);
  const verdict told = verdict_of(every);
  if (is_written_for_others(given)) {
    outcome found = outcome_of(all, judged, given.arguments);
    found.status = status_of(told);
    print_outcome(given, std::move(found));
  } else if (given.json) {
    print_json(json_text(all, judged, told, tree.root));
  } else {
    print_doctor(given, os, all,
                 {overview(given, all, judged), messages_of(every) + text_of(left_out_of(all)),
                  summary(judged, every, told)});
  }
  return status_of(told);
}

}  // namespace cudnn_checked::cli
