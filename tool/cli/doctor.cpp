// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "../core/judge/cudnn_set.h"
#include "../core/linux/linux_system.h"
#include "../core/report/report.h"
#include "commands.h"
#include "survey_rules.h"

namespace cudnn_checked::cli {

using ordered_json = nlohmann::ordered_json;

/// A report (schema 1) for some findings: the keys of a finding are those of every other command.
static json report_of(const observation& observed, const std::vector<finding>& findings) {
  stamp nothing;
  nothing.package = CUDNN_CHECKED_PACKAGE_VERSION;
  report_input input;
  input.stamped = &nothing;
  input.observed = &observed;
  input.findings = &findings;
  return make_report(input);
}

static ordered_json parsed(const json& tree) { return ordered_json::parse(tree.print_compact()); }

static std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

static std::string known(const version& v) { return v.known() ? to_string(v) : ""; }

static const cudnn_file* shim_of(const observation& observed) {
  for (const cudnn_file& file : observed.files) {
    if (file.role == "shim" && !file.path.empty()) return &file;
  }
  return nullptr;
}

static std::string installs_text(const survey& all) {
  if (all.installs.empty()) return "  none\n";
  std::vector<std::vector<std::string>> rows;
  for (const cudnn_install& install : all.installs) {
    const bool bad = verdict_of(install.findings) == verdict::refused;
    rows.push_back({install.release, install.kind + (bad ? ", broken" : ""), install.directory,
                    joined(install.found_by),
                    install.header.known() ? "header " + to_string(install.header) : ""});
  }
  return aligned(rows);
}

static std::string default_text(const survey& all) {
  const cudnn_file* shim = shim_of(all.by_default);
  if (shim == nullptr) return "  none\n";
  const cudnn_set set = make_set(all.by_default.files, all.by_default.cudnn_major);
  return aligned({{known(set.effective), shim->path, "chosen by " + shim->chosen_by}});
}

static std::string toolkits_text(const survey& all) {
  if (all.toolkits.empty()) return "  none\n";
  std::vector<std::vector<std::string>> rows;
  for (const cuda_toolkit& toolkit : all.toolkits) {
    rows.push_back({to_cuda_string(toolkit.number), toolkit.directory, toolkit.found_by});
  }
  return aligned(rows);
}

static std::string driver_text(const driver_facts& driver) {
  std::vector<std::vector<std::string>> rows;
  if (driver.present == answer::yes) {
    rows.push_back({driver.library.known() ? to_driver_string(driver.library) : "libcuda.so.1",
                    driver.path, "chosen by " + driver.chosen_by});
  }
  if (driver.kernel_module.known()) {
    rows.push_back({to_driver_string(driver.kernel_module), "kernel module"});
  }
  if (driver.cuda.known()) rows.push_back({"CUDA " + to_cuda_string(driver.cuda), "of the driver"});
  return rows.empty() ? "  none\n" : aligned(rows);
}

static std::string gpus_text(const gpu_facts& devices) {
  if (devices.gpus.empty()) {
    return devices.hidden_by.empty() ? "  none\n" : "  none: " + devices.hidden_by + "\n";
  }
  std::vector<std::vector<std::string>> rows;
  for (const gpu& device : devices.gpus) {
    rows.push_back(
        {std::to_string(device.index), to_sm_string(device.capability), device.name, device.uuid});
  }
  return aligned(rows);
}

/// Every finding as a message of its own, opened by its weight.
static std::string messages(const json& report) {
  std::string text;
  for (const json& f : report["findings"].elements()) {
    json one = json::object();
    one.add("findings", std::move(json::array().add(json(f))));
    text += '\n' + report_message(one, f["severity"].text(), severity::note);
  }
  return text;
}

static std::string summary(const survey& all, const std::vector<finding>& findings, verdict told) {
  std::size_t broken = 0;
  for (const cudnn_install& install : all.installs) {
    broken += verdict_of(install.findings) == verdict::refused ? 1 : 0;
  }
  std::size_t counts[4] = {};
  for (const finding& f : findings) ++counts[static_cast<int>(f.weight)];
  std::string text = std::string("cudnn-checked: ") + to_string(told) + ": " +
                     counted(all.installs.size(), "cuDNN");
  if (broken != 0) text += ", " + std::to_string(broken) + " of them broken";
  text += ", " + counted(counts[static_cast<int>(severity::error)], "error") + ", " +
          counted(counts[static_cast<int>(severity::warning)], "warning");
  return text + "\n";
}

static ordered_json installs_json(const survey& all) {
  ordered_json list = ordered_json::array();
  for (const cudnn_install& install : all.installs) {
    const ordered_json report = parsed(report_of(install.observed, install.findings));
    list.push_back({{"directory", install.directory},
                    {"found_by", install.found_by},
                    {"library", install.library},
                    {"version", known(install.number)},
                    {"cuda_major", install.cuda_major},
                    {"release", install.release},
                    {"kind", install.kind},
                    {"header", {{"version", known(install.header)}, {"path", install.header_path}}},
                    {"files", report["cudnn"]["files"]},
                    {"findings", report["findings"]}});
  }
  return list;
}

static ordered_json driver_json(const driver_facts& driver) {
  return {
      {"path", driver.path},
      {"chosen_by", driver.chosen_by},
      {"library", driver.library.known() ? to_driver_string(driver.library) : ""},
      {"kernel_module", driver.kernel_module.known() ? to_driver_string(driver.kernel_module) : ""},
      {"cuda", driver.cuda.known() ? to_cuda_string(driver.cuda) : ""}};
}

static std::string json_text(const survey& all, const std::vector<finding>& findings,
                             verdict told) {
  const ordered_json report = parsed(report_of(all.by_default, findings));
  const cudnn_file* shim = shim_of(all.by_default);
  ordered_json toolkits = ordered_json::array();
  for (const cuda_toolkit& toolkit : all.toolkits) {
    toolkits.push_back({{"version", to_cuda_string(toolkit.number)},
                        {"directory", toolkit.directory},
                        {"found_by", toolkit.found_by}});
  }
  const ordered_json result = {
      {"schema", 1},
      {"package", CUDNN_CHECKED_PACKAGE_VERSION},
      {"verdict", to_string(told)},
      {"cudnn", installs_json(all)},
      {"by_default",
       {{"path", shim == nullptr ? "" : shim->path},
        {"chosen_by", shim == nullptr ? "" : shim->chosen_by},
        {"files", shim == nullptr ? ordered_json::array() : report["cudnn"]["files"]}}},
      {"toolkits", toolkits},
      {"driver", driver_json(all.by_default.driver)},
      {"devices", report["devices"]},
      {"findings", report["findings"]}};
  // A path may be in any encoding.
  return result.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

exit_status doctor(const command_line& given) {
  const linux_system os(environ, false);
  const survey all = survey_machine(os);
  const std::vector<finding> findings = judge_survey(all);
  std::vector<finding> every;
  for (const cudnn_install& install : all.installs) {
    every.insert(every.end(), install.findings.begin(), install.findings.end());
  }
  every.insert(every.end(), findings.begin(), findings.end());
  const verdict told = verdict_of(every);
  if (given.json) {
    print(json_text(all, findings, told));
    return status_of(told);
  }
  print("cuDNN\n" + installs_text(all) + "what a program without a run path gets\n" +
        default_text(all) + "CUDA toolkits\n" + toolkits_text(all) + "driver\n" +
        driver_text(all.by_default.driver) + "GPUs\n" + gpus_text(all.by_default.devices) +
        messages(report_of(all.by_default, every)) + "\n" + summary(all, every, told));
  return status_of(told);
}

}  // namespace cudnn_checked::cli
