// SPDX-License-Identifier: BSD-3-Clause
//
// Inside one cuDNN.  cuDNN's own checks compare three of its eight libraries; the engines and the
// heuristic, whose mixture computes wrong numbers without a word, carry no version at all
// (measured: docs/measurements.md), so the files themselves are judged.
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_corrupt(file_state state) {
  return state == file_state::empty || state == file_state::truncated ||
         state == file_state::not_elf || state == file_state::foreign;
}

static std::string describe_state(const cudnn_file& file) {
  switch (file.state) {
    case file_state::empty:
      return "an empty file";
    case file_state::truncated:
      return std::to_string(file.size) + " bytes of " + std::to_string(file.size_expected);
    case file_state::not_elf:
      return "not an ELF file";
    case file_state::foreign:
      return "an ELF file of another machine or class";
    default:
      return "whole";
  }
}

static std::string reinstall_fix(const judged& j, const cudnn_file& file) {
  const std::string fix = fix_by_environment(j);
  if (!fix.empty()) return fix;
  const std::string release_name =
      j.set.common.empty() ? std::string("cuDNN") : "cuDNN " + describe(j.set.common);
  const cudnn_file& anchor = file.path.empty() ? *j.set.members.front().file : file;
  return "reinstall " + release_name + " in " + directory_of(anchor.path);
}

void rule_library_corrupt(const judged& j, std::vector<finding>& findings) {
  for (const cudnn_set::member& m : j.set.members) {
    if (!m.member_of_set || !is_corrupt(m.file->state)) continue;
    finding f;
    f.name = "library-corrupt";
    f.summary = "a library of cuDNN is damaged: " + m.file->name;
    f.expected = {"expected", "a whole library", ""};
    f.found = {"found", describe_state(*m.file), where_of(*m.file)};
    f.because = "Loading it ends the process with a signal, or cuDNN goes on without it.";
    f.fix = reinstall_fix(j, *m.file);
    findings.push_back(f);
  }
}

static std::string name_of_role(const judged& j, const std::string& role) {
  for (const cudnn_set::member& m : j.set.members) {
    if (m.file->role == role) return m.file->name;
  }
  return "libcudnn_" + role + ".so." + std::to_string(j.seen.cudnn_major);
}

static bool is_supplied(const judged& j, const std::string& role) {
  const cudnn_set::member* m = j.set.find(role.c_str());
  return m != nullptr && m->member_of_set;
}

// A file of a missing role that lies where the loader does not look says more than "missing".
static const cudnn_file* first_near_miss(const judged& j) {
  for (const cudnn_file& file : j.seen.files) {
    if (file.state == file_state::missing && !file.near_miss.empty()) return &file;
  }
  return nullptr;
}

static std::string near_miss_fix(const judged& j, const cudnn_file& file) {
  const std::string fix = fix_by_environment(j);
  if (!fix.empty()) return fix;
  if (file.near_miss_reason.compare(0, 12, "ld.so.cache ") == 0) return "run ldconfig as root";
  if (file.near_miss_reason.compare(0, 8, "a broken") == 0) {
    return reinstall_fix(j, file) + ", or mend the link " + file.near_miss;
  }
  const std::string rest = j.seen.ld_library_path.empty() ? "" : ":$LD_LIBRARY_PATH";
  return "export LD_LIBRARY_PATH=" + directory_of(file.near_miss) + rest;
}

// At run time cuDNN falls back where tensor_ir or ext are absent; at configure time an install that
// lacks what its release ships is incomplete.
void rule_sublibrary_missing(const judged& j, std::vector<finding>& findings) {
  if (!j.seen.linked || j.set.members.empty()) return;
  // A shim that cannot be read does not tell where it would look.
  if (is_corrupt(j.set.members.front().file->state)) return;
  std::string missing;
  int count = 0;
  for (const std::string& role : needed_roles(j.stamped, j.set, j.seen.cudnn_major)) {
    if (is_supplied(j, role) || (!j.at_configure && is_optional_role(role))) continue;
    missing += (missing.empty() ? "" : ", ") + name_of_role(j, role);
    ++count;
  }
  if (count == 0) return;
  const cudnn_set::member* anchor = j.set.find(j.seen.cudnn_major >= 9 ? "graph" : "ops_infer");
  if (anchor == nullptr) anchor = &j.set.members.front();
  const cudnn_file* const near = first_near_miss(j);
  finding f;
  f.name = "sublibrary-missing";
  f.summary = count == 1 ? "a sub-library of cuDNN is missing: " + missing
                         : std::to_string(count) + " sub-libraries of cuDNN are missing";
  f.expected = {"needed", missing, ""};
  f.found = {"found", describe(j.set.common.empty() ? anchor->who.releases : j.set.common),
             where_of(*anchor->file)};
  if (near != nullptr) {
    f.more.push_back({"not taken", "", near->near_miss + "   " + near->near_miss_reason});
  }
  f.because =
      "cuDNN does not say so: depending on the file it aborts, fails later, runs slower or "
      "computes "
      "wrong numbers.";
  f.fix = near == nullptr ? reinstall_fix(j, *anchor->file) : near_miss_fix(j, *near);
  if (j.at_configure && j.set.jit_only) {
    f.fix = "install the full cuDNN package instead of the JIT-only one";
  }
  const std::string components = working_components(j.set, j.seen.cudnn_major);
  if (j.at_configure && !components.empty()) f.fix += ", or ask for COMPONENTS " + components;
  findings.push_back(f);
}

/// The shim only forwards.  At run time an older minor one over a coherent set still reaches all
/// that the program was compiled against; a newer one may forward to what is not there.
static bool only_the_shim_is_older(const judged& j, const release& most) {
  if (j.at_configure) return false;
  for (const cudnn_set::member& m : j.set.members) {
    if (!m.member_of_set || can_be(m.who, most)) continue;
    if (m.file->role != "shim") return false;
    for (const release& r : m.who.releases) {
      if (r.number.major != most.number.major || most.number < r.number) return false;
    }
  }
  return true;
}

/// The file of that role that would be taken without LD_LIBRARY_PATH, where it is another.
static const cudnn_set::member* passed_over(const judged& j, const cudnn_file& taken) {
  if (taken.chosen_by.compare(0, 15, "LD_LIBRARY_PATH") != 0) return nullptr;
  const cudnn_set::member* other = j.without_ld_path.find(taken.role.c_str());
  return other == nullptr || other->file->path == taken.path ? nullptr : other;
}

static void add_mixed_files(const judged& j, const release& most, finding& f,
                            const cudnn_file*& usual) {
  const cudnn_set::member* other = nullptr;
  bool one_number = true;
  for (const cudnn_set::member& m : j.set.members) {
    if (!m.member_of_set) continue;
    const fact line{m.file->role, describe(m.who.releases), where_of(*m.file)};
    if (can_be(m.who, most)) {
      if (usual != nullptr || m.who.releases.empty()) continue;
      usual = m.file;
      f.expected = line;
      continue;
    }
    one_number = one_number && can_be(m.who, {most.number, 0});
    if (other == nullptr) other = passed_over(j, *m.file);
    if (f.found.label.empty()) {
      f.found = line;
    } else {
      f.more.push_back(line);
    }
  }
  if (other != nullptr) {
    f.more.push_back({"passed over", describe(other->who.releases), where_of(*other->file)});
  }
  f.summary = one_number ? "the files of cuDNN are of one release for two CUDA majors"
                         : "the files of cuDNN are of more than one release";
}

/// Files of one release from several directories work; where one of them cannot be told, it may
/// be another release's.  (Directories are evidence only there: links, Nix, conda.)
static void add_other_directory(const judged& j, std::vector<finding>& findings) {
  const cudnn_set::member* const graph = j.set.find("graph");
  if (graph == nullptr || !j.set.known) return;
  const cudnn_file& first = *graph->file;
  for (const cudnn_set::member& m : j.set.members) {
    if (!m.member_of_set || is_corrupt(m.file->state) ||
        directory_of(m.file->path) == directory_of(first.path) ||
        directory_of(m.file->real_path) == directory_of(first.real_path)) {
      continue;
    }
    finding f;
    f.name = "mixed-sublibraries";
    f.weight = m.who.releases.empty() ? severity::unknown : severity::note;
    f.summary = "the files of cuDNN come from more than one directory";
    f.expected = {"graph", describe(graph->who.releases), where_of(first)};
    f.found = {m.file->role, describe(m.who.releases), where_of(*m.file)};
    f.because = m.who.releases.empty() ? "Whether they are of one release cannot be told."
                                       : "They are of one release, so they work together.";
    f.fix = "nothing, unless an upgrade of one of the two is planned";
    findings.push_back(f);
    return;
  }
}

bool mixed_in_every_order(const judged& j) {
  if (j.set.coherent()) return false;
  if (j.set.jit_only) return true;
  for (const order_variant& order : j.seen.orders) {
    if (make_set(files_in_order(j, order), j.seen.cudnn_major).coherent()) return false;
  }
  return true;
}

// A process with two cuDNNs is told as such: that their files do not agree follows from it.
void rule_mixed_sublibraries(const judged& j, std::vector<finding>& findings) {
  if (j.set.coherent()) {
    add_other_directory(j, findings);
    return;
  }
  if (!mixed_in_every_order(j) || has_two_cudnns(j)) return;
  const release most = majority(j.set);
  finding f;
  f.name = "mixed-sublibraries";
  f.weight = only_the_shim_is_older(j, most) ? severity::warning : severity::error;
  const cudnn_file* usual = nullptr;
  add_mixed_files(j, most, f, usual);
  f.because =
      "cuDNN does not check its engines: such a set has computed wrong numbers without a word.";
  f.fix = fix_by_environment(j);
  if (f.fix.empty()) {
    f.fix = "reinstall cuDNN " + describe({most}) + " in " + directory_of(usual->path) +
            ", so that every file comes from there";
  }
  findings.push_back(f);
}

// cuDNN's own opinion, where it could be asked (cudnn_graph.h, cudnn_ops.h: each check compares the
// version of its sub-library with those that it depends on).
void rule_version_checks(const judged& j, std::vector<finding>& findings) {
  if (!j.set.coherent()) return;  // the files have said it, with their paths
  for (const cudnn_answers::check& check : j.seen.answers.checks) {
    if (check.status == 0) continue;
    finding f;
    f.name = "mixed-sublibraries";
    f.summary = "cuDNN says that its own libraries do not belong together";
    f.expected = {check.name, "0 (CUDNN_STATUS_SUCCESS)", ""};
    f.found = {"answered", std::to_string(check.status) + " (" + check.status_name + ")", ""};
    f.because = "Its first convolution would fail with the same status.";
    f.fix = reinstall_fix(j, *j.set.members.front().file);
    findings.push_back(f);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
