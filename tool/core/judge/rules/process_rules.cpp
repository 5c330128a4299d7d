// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader does with several cuDNNs: two in one process, and one that decides against
// another.  A cuDNN that is merely installed is no finding.
#include "../../model/format.h"
#include "../../model/platform_words.h"
#include "../../model/unstamped_program.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// How a mapped file came into the process.
static arena_string how_it_came(const rule_input& input, const cudnn_file& file) {
  if (file.other_namespace) return format("%s   in a namespace of its own (dlmopen)", file.path);
  const unstamped_program* const program = input.unstamped();
  const bool is_known = program != nullptr && !program->opened_path.empty();
  const bool by_path = is_known && file.path == program->opened_path;
  if (!file.loaded_by.empty() && !by_path) {
    return format("%s   needed by %s", file.path, file.loaded_by);
  }
  if (is_known ? by_path : file.chosen_by.reason == choice_reason::already_loaded) {
    return format("%s   opened by its path", file.path);
  }
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

// No library of another major release is one for both.
static int major_of_member(const cudnn_set::member& m) {
  return m.identity.releases.empty() ? 0 : m.identity.releases.front().number.major;
}

/// Is that shim's release, for its CUDA, no newer than the other, of one major?
static bool forwards_to(const cudnn_set::member& shim, const release& parts) {
  return any_of(shim.identity.releases, [&](const release& r) {
    return r.number.major == parts.number.major && !(parts.number < r.number) &&
           (r.cuda_major == parts.cuda_major || r.cuda_major == 0 || parts.cuda_major == 0);
  });
}

/// The release of the sub-libraries that both shims get, whichever asks first, and that serves
/// both; none: there is no such.
static arena_vector<release> shared_parts(const rule_input& input, const mapped_pair& pair) {
  if (input.observed.shims_agree != answer::yes || pair.first->file->role != library_role::shim) {
    return {};
  }
  arena_vector<file_identity> parts;
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set || m.file->role == library_role::shim) continue;
    if (m.identity.releases.empty()) return {};
    parts.push_back(m.identity);
  }
  bool known = false;
  return filtered(intersect(parts, known), [&](const release& r) {
    return forwards_to(*pair.first, r) && forwards_to(*pair.second, r);
  });
}

bool has_two_cudnns(const rule_input& input) {
  return find_mapped_pair(input).differ == answer::yes;
}

// Both export the same functions, and the SONAMEs of their sub-libraries are the same, so what is
// loaded first answers for both (measured: docs/measurements.md).  A namespace of its own keeps
// them apart, and is still a second cuDNN on the same GPU whose handles fit only itself.
void rule_two_cudnns(const rule_input& input, arena_vector<finding>& findings) {
  const mapped_pair pair = find_mapped_pair(input);
  if (pair.first == nullptr) return;
  const cudnn_set::member& a = *pair.first;
  const cudnn_set::member& b = *pair.second;
  static constexpr severity weights[] = {severity::unknown, severity::note, severity::error};
  finding& f = append_finding(findings, finding_id::two_cudnns);
  f.weight = weights[static_cast<int>(pair.differ)];
  bool differ = pair.differ == answer::yes;
  const arena_vector<release> shared = differ ? shared_parts(input, pair) : arena_vector<release>();
  if (!shared.empty()) {
    differ = false;
    f.weight = severity::note;
  }
  tell(f,
       "there are two cuDNNs in this process\n"
       "=%s|%s|%s\n"
       ":%s|%s|%s\n"
       ".%s",
       to_string(a.file->role), a.identity.releases, how_it_came(input, *a.file),
       to_string(b.file->role), b.identity.releases, how_it_came(input, *b.file),
       !shared.empty() ? "Both load the same sub-libraries, and a newer minor release runs what an "
                         "older shim forwards."
       : differ ? "One of them runs on sub-libraries of the other, or is called with its handles."
       : pair.differ == answer::no ? "They are of one release, so it does no harm."
                                   : "Whether they are of one release is not known.");
  if (differ && major_of_member(a) != major_of_member(b)) {
    tell(f,
         ">build all that uses cuDNN in this process with one major release\n"
         ">run what uses cuDNN %d and what uses cuDNN %d as two processes",
         major_of_member(a), major_of_member(b));
  } else if (!shared.empty()) {
    tell(f, ">nothing");
  } else {
    tell(f,
         ">let both users of cuDNN load the one in %s\n"
         ">let both users of cuDNN load the one in %s",
         directory_part(a.file->path), directory_part(b.file->path));
  }
  if (differ) {
    f.summary += format(": %s and %s", a.identity.releases, b.identity.releases);
  }
}

arena_vector<cudnn_file> files_in_order(const rule_input& input, const order_variant& order) {
  arena_vector<cudnn_file> files;
  for (const cudnn_file& file : input.observed.files) {
    bool other = false;
    for (const cudnn_file& f : order.files) other = other || f.role == file.role;
    if (!other) files.push_back(file);
  }
  files.append(order.files);
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
static void add_order(const rule_input& input, arena_vector<finding>& findings) {
  // Each of them begins with a function of a library that a JIT-only set lacks: the program would
  // have to call what it was not built with.
  if (input.set.jit_only) return;
  const bool usual_is_whole = input.set.coherent();
  if (!usual_is_whole && mixed_in_every_order(input)) return;
  for (const order_variant& order : input.observed.orders) {
    const arena_vector<cudnn_file> files = files_in_order(input, order);
    const cudnn_set set = make_set(files, input.observed.cudnn_major);
    if (set.coherent() == usual_is_whole) continue;
    const cudnn_set& whole = usual_is_whole ? input.set : set;
    const cudnn_set& mixed = usual_is_whole ? set : input.set;
    finding& f = append_finding(findings, finding_id::loader_override);
    const arena_string first = to_string(order.first_calls);
    tell(f,
         usual_is_whole
             ? "which files of cuDNN this program gets depends on what it calls first\n"
               ".A program that calls functions of %s first gets a mix of two releases."
             : "which files of cuDNN this program gets depends on what it calls first\n"
               ".Only a program that calls functions of %s first gets the files of one release.",
         first);
    arena_string right_directory;
    for (const cudnn_set::member& m : mixed.members) {
      if (!m.member_of_set || fits(m.identity, whole)) continue;
      const cudnn_set::member* right = whole.find(m.file->role);
      if (right != nullptr) {
        tell(f, "=%s%s|%s|%s", usual_is_whole ? "usually" : "after ",
             usual_is_whole ? arena_string() : first, right->identity.releases, *right->file);
        right_directory = typed_directory(input, right->file->path);
      }
      tell(f, ":after %s|%s|%s",
           usual_is_whole ? first : arena_string(to_string(library_role(library_role::graph))),
           m.identity.releases, *m.file);
      break;
    }
    if (input.observed.ld_library_path.empty()) {
      tell(f, ">let the loader find %s before other cuDNNs", right_directory);
    } else {
      f.fix = replace_library_path(right_directory, input.observed.ld_library_path);
    }
    return;
  }
}

// The cuDNN in memory may be one that the program's own search would not find: another library
// NEEDs it, it was opened by its path, or it was preloaded.  That is a warning; it is a note if the
// program gets the release that it was built with, because another cuDNN is then merely installed.
static void add_taken_by_others(const rule_input& input, arena_vector<finding>& findings) {
  for (const cudnn_set::member& m : input.set.members) {
    const cudnn_file& file = *m.file;
    if (!m.member_of_set || !file.mapped || file.search_path.empty()) continue;
    if (m.identity.releases.empty() || !file.search_release.known() ||
        can_be(m.identity, {file.search_release, 0})) {
      continue;
    }
    const unstamped_program* const program = input.unstamped();
    version built = input.stamped.cudnn_header;
    version taken = m.identity.releases.front().number;
    const bool as_built = taken.major == built.major && taken.minor == built.minor;
    finding& f = append_finding(findings, finding_id::loader_override);
    // A process that runs, or a package that opens it in an order of its own: LD_PRELOAD is not
    // its.
    const bool meant =
        program != nullptr && (!program->process.empty() || program->comes_after ||
                               (!program->told_by.empty() && !file.chosen_by.preloaded()));
    f.weight = as_built || meant ? severity::note : severity::warning;
    tell(f,
         "this program uses a cuDNN that its own library search would not find\n"
         "=its own|%s|%s\n"
         ":loaded|%s|%s\n"
         ".Which cuDNN it gets depends on what else is in the process.",
         file.search_release, file.search_path, m.identity.releases, how_it_came(input, file));
    if (file.chosen_by.preloaded()) {
      f.fix.push_back(remove_from_preload(file.chosen_by, input.observed.ld_preload));
    } else {
      tell(f, ">let %s and this program load the same cuDNN",
           file.loaded_by.empty() ? arena_string("the code that opens it") : file.loaded_by);
    }
    return;
  }
}

// pytorch#80637: what a package brings, or its run path leads to, is what it was built with;
// nothing else says which release that is.
static void add_older_than_own(const rule_input& input, const cudnn_set::member& taken,
                               const cudnn_set::member& other, arena_vector<finding>& findings) {
  version own = input.without_ld_path.effective;
  version found = input.set.effective;
  if (found.major != own.major || found.minor >= own.minor) return;
  finding& f = add_finding<finding_id::loader_override>(findings);
  tell(
      f,
      "LD_LIBRARY_PATH leads to an older cuDNN than the one that this program's run path leads to\n"
      "=passed over|%s|%s\n"
      ":would load|%s|%s",
      own, *other.file, found, *taken.file);
  f.fix.push_back(
      remove_from_library_path(taken.file->chosen_by.index, input.observed.ld_library_path));
}

// A newer minor release is what NVIDIA promises to work, so this is only for the report.
static void add_passed_over(const rule_input& input, arena_vector<finding>& findings) {
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
  version built = input.stamped.cudnn_header;
  version taken_release = input.set.effective;
  if (!built.known()) {
    add_older_than_own(input, *taken, *other, findings);
    return;
  }
  if (taken_release.major != built.major || taken_release.minor < built.minor) return;
  finding& f = add_finding<finding_id::loader_override>(findings);
  f.weight = severity::note;
  tell(f,
       "LD_LIBRARY_PATH passes over the cuDNN that this program was linked to\n"
       "=passed over|%s|%s\n"
       ":would load|%s|%s\n"
       ">nothing, if this is intended",
       input.without_ld_path.effective, *other->file, input.set.effective, *taken->file);
  f.fix.push_back(set_library_path(""));
}

void rule_loader_override(const rule_input& input, arena_vector<finding>& findings) {
  add_order(input, findings);
  if (input.at_configure() || has_two_cudnns(input)) return;
  // A process has no requirement of its own; only its libraries have.
  const unstamped_program* const program = input.unstamped();
  if (program != nullptr && program->use == cudnn_use::in_memory) return;
  add_taken_by_others(input, findings);
  add_passed_over(input, findings);
}

// rtld-audit(7): la_objsearch() returns another file than the one that was found.
void rule_loader_unknown(const rule_input& input, arena_vector<finding>& findings) {
  if (!rests_on_other_rules(input)) return;
  finding& f = add_finding<finding_id::loader_unknown>(findings);
  tell(f, "which libraries this program gets is decided by rules that are not known here");
  tell(f, known_loader(input.observed.other_rules), input.observed.other_rules);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
