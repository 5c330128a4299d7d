// SPDX-License-Identifier: BSD-3-Clause
//
// What goes wrong between installs and the loader, for people who look at a machine: none of it is
// a rule about what may run together.
#include "survey_rules.h"

#include "../core/model/paths.h"

namespace cudnn_checked::cli {

// Each name of nvidia-cudnn-cu13 is a namespace package, in which __file__ is None and __path__ is
// not (Python documentation, "Namespace packages"; faster-whisper issue 153).
static constexpr const char* wheel_recipe =
    "export LD_LIBRARY_PATH=$(python3 -c 'import nvidia.cudnn as c; "
    "print(list(c.__path__)[0] + \"/lib\")')";

static bool is_wheel(const cudnn_install& install) {
  return install.directory.find("/nvidia/cudnn/lib") != std::string::npos;
}

static const cudnn_file* default_shim(const survey& all) {
  for (const cudnn_file& file : all.by_default.files) {
    if (file.role == "shim" && !file.path.empty()) return &file;
  }
  return nullptr;
}

static std::string fix_for_path(const survey& all) {
  for (const cudnn_install& install : all.installs) {
    if (verdict_of(install.findings) == verdict::refused) continue;
    return is_wheel(install) ? wheel_recipe : "export LD_LIBRARY_PATH=" + install.directory;
  }
  return "install cuDNN 9: libcudnn9-cuda-13 (apt-get), or the wheel nvidia-cudnn-cu13";
}

static void rule_broken_links(const survey& all, std::vector<finding>& findings) {
  for (const broken_link& link : all.broken_links) {
    finding f(finding_id::library_missing);
    f.summary = "a symbolic link of cuDNN leads nowhere: " + base_name(link.path);
    // Programs are never started with the name that has no number; linkers use it.
    const std::string& path = link.path;
    if (path.compare(path.size() - 3, 3, ".so") == 0) f.weight = severity::warning;
    f.expected = {"link", link.path, link.found_by};
    f.found = {"leads to", link.target, "which does not exist"};
    f.because = "The loader passes it over and takes another install's file, or none.";
    f.fix = "reinstall the cuDNN of " + directory_part(link.path) + ", or: rm " + link.path;
    findings.push_back(f);
  }
}

static void rule_stale_cache(const survey& all, std::vector<finding>& findings) {
  if (all.stale_entries.empty()) return;
  finding f(finding_id::library_missing);
  f.weight = default_shim(all) == nullptr ? severity::error : severity::warning;
  f.summary = "the loader's cache lists files of cuDNN that do not exist";
  for (const stale_entry& entry : all.stale_entries) {
    const fact line{"listed", entry.path, "ld.so.cache"};
    if (f.found.label.empty()) {
      f.found = line;
    } else {
      f.more.push_back(line);
    }
  }
  f.because = "A program that NEEDs one of them finds it elsewhere, or is not started.";
  f.fix = "ldconfig (as root)";
  findings.push_back(f);
}

static void rule_lost_entries(const survey& all, std::vector<finding>& findings) {
  for (const candidate& entry : all.lost_entries) {
    finding f(finding_id::library_missing);
    f.weight = default_shim(all) == nullptr ? severity::warning : severity::note;
    f.summary = "LD_LIBRARY_PATH names a directory that does not exist";
    f.expected = {"named", entry.directory, entry.found_by};
    const cudnn_file* shim = default_shim(all);
    f.found = {"libcudnn", shim == nullptr ? "not found by the loader" : shim->path,
               shim == nullptr ? "" : "chosen by " + to_string(shim->chosen_by)};
    f.because = "A program is not helped by it: what it was to bring comes from elsewhere, or not.";
    f.fix = shim == nullptr ? fix_for_path(all) : "take it off LD_LIBRARY_PATH";
    findings.push_back(f);
  }
}

static void rule_no_cudnn(const survey& all, std::vector<finding>& findings) {
  if (!all.installs.empty()) return;
  finding f(finding_id::cudnn_not_found);
  f.summary = "no cuDNN was found on this machine";
  f.expected = {"looked in", "the loader's places, toolkits, CUDNN_ROOT and its like", ""};
  f.found = {"and in",
             all.python.empty() ? "no Python: there is none" : "packages of " + all.python, ""};
  f.because = "A program that is linked with cuDNN does not start here.";
  f.fix = fix_for_path(all);
  findings.push_back(f);
}

// Wheels are found by programs that bring a run path, as PyTorch does: no fault by itself.
static void rule_not_on_path(const survey& all, std::vector<finding>& findings) {
  if (all.installs.empty() || default_shim(all) != nullptr) return;
  finding f(finding_id::cudnn_not_found);
  f.weight = severity::note;
  f.summary = "a program without a run path finds no cuDNN";
  f.expected = {"installed", all.installs.front().directory, all.installs.front().found_by.front()};
  f.found = {"looked in", "LD_LIBRARY_PATH, ld.so.cache, default path", ""};
  f.because = "A program that is linked with cuDNN starts only if it brings a run path.";
  f.fix = fix_for_path(all);
  findings.push_back(f);
}

static bool same_finding(const finding& a, const finding& b) {
  return a.id == b.id && a.summary == b.summary && a.found.value == b.found.value;
}

// What the loader makes of the installs that are fine by themselves.
static void rule_chosen_set(const survey& all, std::vector<finding>& findings) {
  if (default_shim(all) == nullptr) return;
  for (const finding& f : judge_installed({}, all.by_default, {})) {
    bool known = false;
    for (const cudnn_install& install : all.installs) {
      for (const finding& other : install.findings) known = known || same_finding(f, other);
    }
    if (!known) findings.push_back(f);
  }
}

std::vector<finding> judge_survey(const survey& all) {
  std::vector<finding> found;
  rule_no_cudnn(all, found);
  rule_broken_links(all, found);
  rule_stale_cache(all, found);
  rule_chosen_set(all, found);
  judge_options options;
  options.gpu_optional = !all.gpu_hardware;
  for (const finding& f : judge_machine(all.by_default, options)) found.push_back(f);
  rule_lost_entries(all, found);
  rule_not_on_path(all, found);
  sort_by_weight(found);
  return found;
}

}  // namespace cudnn_checked::cli
