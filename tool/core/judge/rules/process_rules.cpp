// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader does with several cuDNNs: two in one process, and one that decides against
// another.  A cuDNN that is merely installed is no finding.
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// How a mapped file came into the process.
static string how_it_came(const cudnn_file& file) {
  if (file.other_namespace) return file.path + "   in a namespace of its own (dlmopen)";
  if (!file.loaded_by.empty()) return file.path + "   needed by " + file.loaded_by;
  if (file.chosen_by.reason == choice_reason::already_loaded)
    return file.path + "   opened by its path";
  return where_of(file);
}

// yes: two builds that no release has both of.
static answer are_different(const cudnn_set::member& a, const cudnn_set::member& b) {
  if (!a.file->build_id.empty() && a.file->build_id == b.file->build_id) return answer::no;
  bool known = false;
  const bool common = !intersect({a.identity, b.identity}, known).empty();
  if (a.identity.releases.empty() || b.identity.releases.empty()) return answer::unknown;
  return common ? answer::no : answer::yes;
}

// Two mapped files of one role.  The shims come first: two of them are the clearest evidence.
struct mapped_pair {
  const cudnn_set::member* first = nullptr;
  const cudnn_set::member* second = nullptr;
  answer differ = answer::no;
};

static mapped_pair find_mapped_pair(const rule_input& input) {
  mapped_pair best;
  for (const cudnn_set::member& a : input.set.members) {
    for (const cudnn_set::member& b : input.set.members) {
      if (&a >= &b || !a.file->mapped || !b.file->mapped || a.file->role != b.file->role) continue;
      const answer differ = are_different(a, b);
      const bool worse = differ == answer::yes
                             ? best.differ != answer::yes
                             : differ == answer::unknown && best.differ == answer::no;
      if (best.first == nullptr || worse) best = {&a, &b, differ};
    }
  }
  return best;
}

bool has_two_cudnns(const rule_input& input) {
  return find_mapped_pair(input).differ == answer::yes;
}

// Both export the same functions, and the SONAMEs of their sub-libraries are the same, so what is
// loaded first answers for both (measured: docs/measurements.md).  A namespace of its own keeps
// them apart, and is still a second cuDNN on the same GPU whose handles fit only itself.
void rule_two_cudnns(const rule_input& input, vector<finding>& findings) {
  const mapped_pair pair = find_mapped_pair(input);
  if (pair.first == nullptr) return;
  const cudnn_set::member& a = *pair.first;
  const cudnn_set::member& b = *pair.second;
  const bool differ = pair.differ == answer::yes;
  finding f(finding_id::two_cudnns);
  f.weight = differ                           ? severity::error
             : pair.differ == answer::unknown ? severity::unknown
                                              : severity::note;
  f.summary = "there are two cuDNNs in this process";
  if (differ) {
    f.summary += ": " + describe(a.identity.releases) + " and " + describe(b.identity.releases);
  }
  f.expected = {to_string(a.file->role), describe(a.identity.releases), how_it_came(*a.file)};
  f.found = {to_string(b.file->role), describe(b.identity.releases), how_it_came(*b.file)};
  f.because = differ
                  ? "One of them runs on sub-libraries of the other, or is called with its handles."
              : pair.differ == answer::no ? "They are of one release, so it does no harm."
                                          : "Whether they are of one release is not known.";
  f.fix = "make both users of cuDNN load the one in " + directory_part(a.file->path) +
          ", or the one in " + directory_part(b.file->path);
  findings.push_back(f);
}

vector<cudnn_file> files_in_order(const rule_input& input, const order_variant& order) {
  vector<cudnn_file> files;
  for (const cudnn_file& file : input.observed.files) {
    bool other = false;
    for (const cudnn_file& f : order.files) other = other || f.role == file.role;
    if (!other) files.push_back(file);
  }
  files.insert(files.end(), order.files.begin(), order.files.end());
  return files;
}

static bool fits(const file_identity& identity, const cudnn_set& set) {
  for (const release& r : set.common) {
    if (can_be(identity, r)) return true;
  }
  return set.common.empty();
}

// The shim asks for its own x.y.z first and finds it; a NEEDED entry names the major only and goes
// where LD_LIBRARY_PATH leads (measured: docs/measurements.md).
static void add_order(const rule_input& input, vector<finding>& findings) {
  // Each of them begins with a function of a library that a JIT-only set lacks: the program would
  // have to call what it was not built with.
  if (input.set.jit_only) return;
  const bool usual_is_whole = input.set.coherent();
  if (!usual_is_whole && mixed_in_every_order(input)) return;
  for (const order_variant& order : input.observed.orders) {
    const vector<cudnn_file> files = files_in_order(input, order);
    const cudnn_set set = make_set(files, input.observed.cudnn_major);
    if (set.coherent() == usual_is_whole) continue;
    const cudnn_set& whole = usual_is_whole ? input.set : set;
    const cudnn_set& mixed = usual_is_whole ? set : input.set;
    finding f(finding_id::loader_override);
    f.summary = "which files of cuDNN this program gets depends on what it calls first";
    const string first = to_string(order.first_calls);
    string right_directory;
    for (const cudnn_set::member& m : mixed.members) {
      if (!m.member_of_set || fits(m.identity, whole)) continue;
      const cudnn_set::member* right = whole.find(m.file->role);
      if (right != nullptr) {
        f.expected = {usual_is_whole ? "usually" : "after " + first,
                      describe(right->identity.releases), where_of(*right->file)};
        right_directory = directory_part(right->file->path);
      }
      const string calls = usual_is_whole ? first : string("graph");
      f.found = {"after " + calls, describe(m.identity.releases), where_of(*m.file)};
      break;
    }
    f.because = usual_is_whole ? "A program that calls functions of " + first +
                                     " first gets a mix of two releases."
                               : "Only a program that calls functions of " + first +
                                     " first gets the files of one release.";
    f.fix = input.observed.ld_library_path.empty()
                ? "let the loader find " + right_directory + " before other cuDNNs"
                : replace_library_path(right_directory, input.observed.ld_library_path);
    findings.push_back(f);
    return;
  }
}

// What is in the process already decides against the program's own search: another library NEEDs
// it, or it was opened by its path, or preloaded.  Where the program gets the release that it was
// built with nonetheless, it is a note: another cuDNN is installed, that is all.
static void add_taken_by_others(const rule_input& input, vector<finding>& findings) {
  for (const cudnn_set::member& m : input.set.members) {
    const cudnn_file& file = *m.file;
    if (!m.member_of_set || !file.mapped || file.search_path.empty()) continue;
    if (m.identity.releases.empty() || !file.search_release.known() ||
        can_be(m.identity, {file.search_release, 0})) {
      continue;
    }
    const version& built = input.stamped.cudnn_header;
    const version& taken = m.identity.releases.front().number;
    const bool as_built = taken.major == built.major && taken.minor == built.minor;
    finding f(finding_id::loader_override);
    f.weight = as_built ? severity::note : severity::warning;
    f.summary = "this program uses a cuDNN that its own library search would not find";
    f.expected = {"its own", to_string(file.search_release), file.search_path};
    f.found = {"loaded", describe(m.identity.releases), how_it_came(file)};
    f.because = "Which cuDNN it gets depends on what else is in the process.";
    f.fix = file.chosen_by.reason == choice_reason::ld_preload
                ? string("unset LD_PRELOAD, or remove cuDNN from it")
                : "let " +
                      (file.loaded_by.empty() ? string("the code that opens it") : file.loaded_by) +
                      " and this program load the same cuDNN";
    findings.push_back(f);
    return;
  }
}

// A newer minor release is what NVIDIA promises to work, so this is only for the report.
static void add_passed_over(const rule_input& input, vector<finding>& findings) {
  const cudnn_set::member* taken = input.set.find(library_role::shim);
  const cudnn_set::member* other = input.without_ld_path.find(library_role::shim);
  if (!input.ld_path_decides || taken == nullptr || other == nullptr ||
      taken->file->path == other->file->path) {
    return;
  }
  const bool own = other->file->chosen_by.by_run_path();
  if (!own || !input.set.effective.known() || !input.without_ld_path.effective.known() ||
      input.set.effective == input.without_ld_path.effective) {
    return;
  }
  // One that is too old is reported by the rules of versions, with the same files.
  const version& built = input.stamped.cudnn_header;
  if (input.set.effective.major != built.major || input.set.effective.minor < built.minor) return;
  finding f(finding_id::loader_override);
  f.weight = severity::note;
  f.summary = "LD_LIBRARY_PATH passes over the cuDNN that this program was linked to";
  f.expected = {"passed over", to_string(input.without_ld_path.effective), where_of(*other->file)};
  f.found = {"would load", to_string(input.set.effective), where_of(*taken->file)};
  f.because = why<finding_id::loader_override>();
  f.fix = "unset LD_LIBRARY_PATH, if this is not intended";
  findings.push_back(f);
}

void rule_loader_override(const rule_input& input, vector<finding>& findings) {
  add_order(input, findings);
  if (input.at_configure || has_two_cudnns(input)) return;
  add_taken_by_others(input, findings);
  add_passed_over(input, findings);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
