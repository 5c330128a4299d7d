// SPDX-License-Identifier: BSD-3-Clause
//
// What cuDNN needs and does not ship.
#include "../../model/cudnn_major.h"
#include "../../model/dependency_names.h"
#include "../../model/format.h"
#include "../../model/platform_words.h"
#include "../advice/wheel_commands.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The packages that bring a kind of library.
struct dependency_package {
  const char* wheel = nullptr;  ///< null: not known
  const char* debian = nullptr;
};

static dependency_package package_of_library(dependency_kind kind) {
  switch (kind) {
    case dependency_kind::cublas:
    case dependency_kind::cublaslt:
      return {cublas_wheel, cublas_debian};
    case dependency_kind::cudart:
      return {cudart_wheel, cudart_debian};
    case dependency_kind::nvrtc:
    case dependency_kind::nvrtc_builtins:
      return {nvrtc_wheel, nvrtc_debian};
    case dependency_kind::nvjitlink:
      return {nvjitlink_wheel, nvjitlink_debian};
    default:
      return {};
  }
}

/// The member of the set that asks; for the builtins of NVRTC, the one that asks for NVRTC.
static const cudnn_set::member* asker_of(const rule_input& input, const dependency& d) {
  for (const cudnn_set::member& m : input.set.members) {
    // The needs of a stray file are no reason to install anything.
    if (is_optional_role(m.file->role) && !can_be(m.identity, majority(input.set))) continue;
    if (m.member_of_set && !d.asked_by.empty() && m.file->path == d.asked_by) return &m;
  }
  if (d.kind != dependency_kind::nvrtc_builtins) return nullptr;
  for (const dependency& other : input.observed.dependencies) {
    if (other.kind != dependency_kind::nvrtc || other.path != d.asked_by) continue;
    const cudnn_set::member* m = asker_of(input, other);
    if (m != nullptr) return m;
  }
  return nullptr;
}

/// Whether the rules of the start report the library, because the program starts with it.
static bool is_told_at_start(const rule_input& input, const dependency& d) {
  return d.kind == dependency_kind::none &&
         any_of(input.observed.start.libraries,
                [&](const start_library& library) { return library.path == d.path; });
}

static bool is_unusable(const dependency& d) { return d.state != file_state::whole && !d.mapped; }

bool role_is_needed(const rule_input& input, library_role role) {
  return role == library_role::shim || role == computing_role(major_of_role(role)) ||
         contains(input.needs, role);
}

/// What no user of this cuDNN can do without.  An install may have users that load what lies beside
/// it first, as packages of Python do; and NVIDIA's installer brings one for each CUDA, of which
/// only that of the CUDA here is used.
static bool is_lacked_for_good(const rule_input& input, const dependency& d) {
  const bool may_be_idle = input.options.unreached && input.observed.driver.present != answer::yes;
  return must_be_there(d.kind, input.observed.cudnn_major) && !may_be_idle &&
         (!input.at_configure() || d.near_miss.path.empty());
}

// A library that is opened by name is opened when something computes.  If nothing can compute, as
// in a container that only builds, its absence is a note.  Without cublasLt cuDNN ends the process;
// without NVRTC the precompiled engines still compute (both measured: docs/measurements.md).
static severity weight_of_missing(const rule_input& input, const dependency& d,
                                  library_role asker) {
  if (!role_is_needed(input, asker)) return severity::note;
  if (d.needed || is_lacked_for_good(input, d)) return severity::error;
  if (input.observed.driver.present != answer::yes || input.observed.driver.stub)
    return severity::note;
  const bool compiles = d.kind == dependency_kind::nvrtc ||
                        d.kind == dependency_kind::nvrtc_builtins ||
                        d.kind == dependency_kind::driver;
  const bool others =
      !has_graph_library(input.observed.cudnn_major) || !input.set.jit_only;  // precompiled engines
  return compiles && others ? severity::warning : severity::error;
}

static const char* consequence_of_missing(const rule_input& input, const dependency& d) {
  if (d.state == file_state::truncated) {
    return "The loader maps it; an access beyond its end raises SIGBUS.";
  }
  if (d.needed) return "The loader refuses a file without what it needs, and cuDNN then aborts.";
  if (d.kind == dependency_kind::cublaslt || d.kind == dependency_kind::libz) {
    return "It is opened by name when cuDNN computes; without it cuDNN ends the process.";
  }
  // facefusion-docker#8, nougat#105
  if (!has_graph_library(input.observed.cudnn_major)) {
    return "It is opened by name when cuDNN compiles an engine; without it cuDNN 8 ends the "
           "process.";
  }
  return input.set.jit_only
             ? "It is opened by name when cuDNN compiles an engine; a JIT-only cuDNN has no others."
             : "It is opened by name when cuDNN compiles an engine: those engines would fail.";
}

/// The command that installs a library of CUDA where the environment is known.
static fix_line install_in(const python_environment& e, const char* wheel, int cuda_major) {
  const installed_wheel* const recorded = find_wheel(e, wheel_for_cuda(wheel, cuda_major));
  wheel_order order;
  order.again = recorded != nullptr;
  order.requirements.push_back(recorded == nullptr
                                   ? requirement_of_cuda(e, wheel, cuda_major)
                                   : format("%s==%s", recorded->name, recorded->number));
  return install_wheels(e, order);
}

int cuda_major_of_library(const rule_input& input, arena_string name) {
  const int named = major_of_name(name);
  return named == 0 ? majority(input.set).cuda_major : named;
}

void tell_install_library(const rule_input& input, arena_string name, arena_string place,
                          finding& f) {
  const dependency_kind kind = kind_of_dependency(name);
  if (advice_for(kind) != nullptr) {
    tell(f, ">%s", advice_for(kind));
    return;
  }
  if (kind == dependency_kind::libz) {
    f.fix.push_back(
        install_debian(zlib_debian, format("install the Debian package %s", zlib_debian)));
    return;
  }
  const int major = cuda_major_of_library(input, name);
  const python_environment* const e = environment_of(input.observed, place);
  const dependency_package p = package_of_library(kind);
  if (p.wheel == nullptr) {
    tell(f,
         ">add the package that has %s\n"
         ">add the directory that has %s to %s",
         name, name, searched_list(input.observed));
    return;
  }
  if (e != nullptr) {
    f.fix.push_back(install_in(*e, p.wheel, major));
    return;
  }
  if (has_debian_packages()) {
    f.fix.push_back(install_toolkit_part(p.debian, input.stamped.toolkit, name, major));
  } else {
    tell(f, ">install the CUDA Toolkit %d, which has %s", major, name);
  }
  if (input.at_configure()) return;
  tell(f, ">add the directory that has %s to %s", name, searched_list(input.observed));
}

static void tell_fix_of_missing(const rule_input& input, const dependency& d, finding& f) {
  if (tell_access(d, f)) return;
  if (d.chosen_by.reason == choice_reason::ld_library_path) {
    f.fix.push_back(remove_from_library_path(d.chosen_by.index, input.observed.ld_library_path));
  }
  if (d.state != file_state::missing) {
    const python_environment* const e = environment_of(input.observed, d.path);
    if (e != nullptr || advice_for(d.kind) != nullptr) {
      tell_install_library(input, d.name, d.path, f);
    } else {
      tell(f, ">reinstall the package that contains %s", d.path);
    }
  } else if (d.near_miss.path.empty()) {
    tell_install_library(input, d.name, d.asked_by, f);
  } else if (base_name(d.near_miss.path) != d.name) {
    f.fix.push_back(link_file(d.near_miss.path, typed_directory(input, d.asked_by) + "/" + d.name));
  } else if (input.observed.secure) {
    tell(f, ">add %s to %s", directory_part(d.near_miss.path), searched_list(input.observed));
  } else {
    f.fix.push_back(
        prepend_library_path(directory_part(d.near_miss.path), input.observed.ld_library_path));
  }
}

static void tell_missing(const rule_input& input, const dependency& d, finding& f) {
  f.weight = severity::note;
  const bool missing = d.state == file_state::missing;
  tell(f, "cuDNN needs %s, which the loader %s\n=needed|%s", d.name,
       missing ? "does not find" : "cannot use", d.name);
  if (missing) {
    tell(f, ":found|nothing|in the directories that the loader searches");
  } else {
    tell(f, ":found|%s|%s", describe_state(d), d);
  }
  if (!d.near_miss.path.empty()) tell(f, "+passed over||%s", d.near_miss.path);
  tell(f, ".%s", consequence_of_missing(input, d));
  tell_fix_of_missing(input, d, f);
}

/// The finding of that library among those behind `first`, made where there is none yet.
static finding& finding_for(const rule_input& input, const dependency& d, std::size_t first,
                            arena_vector<finding>& findings) {
  for (std::size_t i = first; i < findings.size(); ++i) {
    if (findings[i].expected.value == d.name) return findings.in_place()[i];
  }
  // A damaged library of the system has the same finding as in a program that starts with it.
  finding& f =
      append_finding(findings, d.kind == dependency_kind::none ? finding_id::library_corrupt
                                                               : finding_id::dependency_missing);
  tell_missing(input, d, f);
  return f;
}

// cuDNN documentation, "Building and Running cuDNN": libz at load, libcublasLt and libnvrtc by
// dlopen, which ldd does not show.
void rule_dependency_missing(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.linked) return;
  const std::size_t first = findings.size();
  for (const dependency& d : input.observed.dependencies) {
    const cudnn_set::member* m = is_unusable(d) ? asker_of(input, d) : nullptr;
    if (m == nullptr || is_told_at_start(input, d)) continue;
    finding& f = finding_for(input, d, first, findings);
    const severity weight = weight_of_missing(input, d, m->file->role);
    if (static_cast<int>(weight) > static_cast<int>(f.weight)) f.weight = weight;
    const bool builtins = d.kind == dependency_kind::nvrtc_builtins;
    tell(f, "+needed by|%s|%s", builtins ? "nvrtc" : to_string(m->file->role), d.asked_by);
  }
}

/// The CUDA major that cuDNN asks for by this name.  Where it has no number (libnvrtc.so,
/// dorado#166) it is that of cuDNN; the driver's number is none of CUDA.
static int asked_major(const rule_input& input, const dependency& d) {
  const int named = major_of_name(d.name);
  return named != 0 || d.kind != dependency_kind::nvrtc ? named : majority(input.set).cuda_major;
}

// A file under another CUDA major's name has not the symbols that cuDNN looks for ("Cannot load
// symbol cublasLtGetVersion").
static void judge_other_major(const rule_input& input, const dependency& d, int asked,
                              arena_vector<finding>& findings) {
  finding& f = add_finding<finding_id::dependency_mixed>(findings);
  if (d.chosen_by.reason == choice_reason::ld_library_path) {
    f.fix.push_back(remove_from_library_path(d.chosen_by.index, input.observed.ld_library_path));
  }
  tell(f,
       "%s is a library of CUDA %d\n"
       "=asked for|CUDA %d|%s\n"
       ":found|CUDA %d|%s   chosen by %s\n"
       "+asked by||%s\n"
       ">reinstall CUDA %d's own file in %s",
       d.name, d.cuda_major, asked, d.name, d.cuda_major,
       d.real_path.empty() ? d.path : d.real_path, to_string(d.chosen_by), d.asked_by, asked,
       directory_part(d.path));
}

// The loader serves a SONAME that is resident to everybody, whatever the asker's own search would
// lead to (ld.so, "already loaded").  CUDA's libraries take what was built for an older minor
// release of their major (CUDA Compatibility, "Minor Version Compatibility"): a newer one is fine.
static void judge_resident(const dependency& d, arena_vector<finding>& findings) {
  const bool known = d.release.known() && d.search_release.known();
  if (known && d.search_release < d.release) return;
  finding& f = add_finding<finding_id::dependency_mixed>(findings);
  f.weight = known ? severity::warning : severity::unknown;
  tell(f,
       "cuDNN would compute with another install's %s\n"
       "=own search|%s|%s\n"
       ":loaded|%s|%s   already loaded\n"
       "+asked by||%s\n"
       ".A library that is already loaded is used for every later request of its name.%s\n"
       ">let the program load %s first\n"
       ">remove %s from its run path",
       d.name, d.search_release, d.search_path, d.release, d.path, d.asked_by,
       known ? "" : " Whether it is older than cuDNN's own is not known.", d.search_path,
       directory_part(d.path));
}

void rule_dependency_mixed(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.linked) return;
  arena_vector<arena_string> told;
  for (const dependency& d : input.observed.dependencies) {
    if (d.path.empty() || is_unusable(d) || asker_of(input, d) == nullptr) continue;
    const int asked = asked_major(input, d);
    const bool other_major = asked != 0 && d.cuda_major != 0 && d.cuda_major != asked;
    if (!other_major && d.search_path.empty()) continue;
    bool again = false;
    for (const arena_string name : told) again = again || name == d.name;
    told.push_back(d.name);
    if (again) continue;
    if (other_major) {
      judge_other_major(input, d, asked, findings);
    } else {
      judge_resident(d, findings);
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
