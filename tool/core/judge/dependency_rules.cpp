// SPDX-License-Identifier: BSD-3-Clause
//
// What cuDNN needs and does not ship.
#include "../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What a person installs for a kind of library.
struct dependency_package {
  const char* kind;
  const char* wheel;   ///< CUDA 13 and newer; before, with "-cu12" behind it
  const char* debian;  ///< with "-13-0" behind it
};

static constexpr dependency_package dependency_packages[] = {
    {"cublas", "nvidia-cublas", "libcublas"},
    {"cublasLt", "nvidia-cublas", "libcublas"},
    {"cudart", "nvidia-cuda-runtime", "cuda-cudart"},
    {"nvrtc", "nvidia-cuda-nvrtc", "cuda-nvrtc"},
    {"nvrtc-builtins", "nvidia-cuda-nvrtc", "cuda-nvrtc"},
    {"nvJitLink", "nvidia-nvjitlink", "libnvjitlink"}};

/// The member of the set that asks; for the builtins of NVRTC, the one that asks for NVRTC.
static const cudnn_set::member* asker_of(const judged& j, const dependency& d) {
  for (const cudnn_set::member& m : j.set.members) {
    if (m.member_of_set && !d.asked_by.empty() && m.file->path == d.asked_by) return &m;
  }
  if (d.kind != "nvrtc-builtins") return nullptr;
  for (const dependency& other : j.seen.dependencies) {
    if (other.kind != "nvrtc" || other.path != d.asked_by) continue;
    const cudnn_set::member* m = asker_of(j, other);
    if (m != nullptr) return m;
  }
  return nullptr;
}

// A file that may not be read is unknown, not missing.
static bool is_unusable(const dependency& d) {
  return d.state != file_state::whole && d.state != file_state::unreadable && !d.mapped;
}

static bool role_is_needed(const judged& j, const std::string& role) {
  if (role == "shim" || role == "graph" || role == "ops_infer") return true;
  for (const std::string& needed : needed_roles(j.stamped, j.set, j.seen.cudnn_major)) {
    if (needed == role) return true;
  }
  return false;
}

// What is opened by name is opened when something computes.  Where nothing can, as in a container
// that only builds, its absence is a note.  Without cublasLt cuDNN ends the process; without NVRTC
// the precompiled engines compute on (both measured: docs/measurements.md).
static severity weight_of_missing(const judged& j, const dependency& d, bool role_needed) {
  if (!role_needed) return severity::note;
  if (d.needed) return severity::error;
  if (j.seen.driver.present != answer::yes || j.seen.driver.stub) return severity::note;
  const bool compiles = d.kind == "nvrtc" || d.kind == "nvrtc-builtins";
  return compiles && !j.set.jit_only ? severity::warning : severity::error;
}

static const char* consequence_of_missing(const judged& j, const dependency& d) {
  if (d.needed) return "The loader refuses a file without what it needs, and cuDNN then aborts.";
  if (d.kind == "cublasLt") {
    return "It is opened by name when cuDNN computes; without it cuDNN ends the process.";
  }
  return j.set.jit_only
             ? "It is opened by name when cuDNN compiles an engine; a JIT-only cuDNN has no other."
             : "It is opened by name when cuDNN compiles an engine: those engines would fail.";
}

/// "13-0": the number of Debian's packages, from the program's toolkit where that fits.
static std::string debian_number(const judged& j, const dependency& d, const std::string& major) {
  if (d.kind == "nvrtc-builtins") {
    std::string number = d.name.substr(d.name.find(".so.") + 4);
    for (char& c : number) c = c == '.' ? '-' : c;
    return number;
  }
  const version& toolkit = j.stamped.toolkit;
  const bool fits = std::to_string(toolkit.major) == major;
  return format("%s-%d", major.c_str(), fits ? toolkit.minor : 0);
}

static std::string install_dependency(const judged& j, const dependency& d) {
  if (d.kind == "libz") return "install zlib: apt-get install zlib1g";
  const std::size_t at = d.name.find(".so.") + 4;
  const std::string major = d.name.substr(at, d.name.find('.', at) - at);
  for (const dependency_package& p : dependency_packages) {
    if (d.kind != p.kind) continue;
    const std::string ending = major == "11" || major == "12" ? "-cu" + major : "";
    return format(
        "install it: pip install %s%s, or apt-get install %s-%s; or add the directory that has it "
        "to LD_LIBRARY_PATH",
        p.wheel, ending.c_str(), p.debian, debian_number(j, d, major).c_str());
  }
  return "install it, or add the directory that has it to LD_LIBRARY_PATH";
}

static std::string fix_of_missing(const judged& j, const dependency& d) {
  if (d.state != file_state::missing) return "reinstall what " + d.path + " came with";
  if (d.near_miss.empty()) return install_dependency(j, d);
  return format("export LD_LIBRARY_PATH=%s%s", directory_of(d.near_miss).c_str(),
                j.seen.ld_library_path.empty() ? "" : ":$LD_LIBRARY_PATH");
}

static finding missing_dependency(const judged& j, const dependency& d) {
  finding f;
  f.name = "dependency-missing";
  f.weight = severity::note;
  const bool missing = d.state == file_state::missing;
  f.summary = format("cuDNN needs %s, which the loader %s", d.name.c_str(),
                     missing ? "does not find" : "cannot use");
  f.expected = {"needed", d.name, ""};
  f.found = missing ? fact{"found", "nothing", "nowhere where the loader looks"}
                    : fact{"found", "damaged, or for another machine",
                           d.path + "   chosen by " + d.chosen_by};
  if (!d.near_miss.empty()) f.more.push_back({"passed over", "", d.near_miss});
  f.because = consequence_of_missing(j, d);
  f.fix = fix_of_missing(j, d);
  return f;
}

/// The finding of that library, made where there is none yet.
static finding& finding_for(const judged& j, const dependency& d, std::vector<finding>& own) {
  for (finding& f : own) {
    if (f.expected.value == d.name) return f;
  }
  own.push_back(missing_dependency(j, d));
  return own.back();
}

// cuDNN documentation, "Building and Running cuDNN": libz at load, libcublasLt and libnvrtc by
// dlopen, which ldd does not show.
void rule_dependency_missing(const judged& j, std::vector<finding>& findings) {
  if (!j.seen.linked) return;
  std::vector<finding> own;
  for (const dependency& d : j.seen.dependencies) {
    const cudnn_set::member* m = is_unusable(d) ? asker_of(j, d) : nullptr;
    if (m == nullptr) continue;
    finding& f = finding_for(j, d, own);
    const severity weight = weight_of_missing(j, d, role_is_needed(j, m->file->role));
    if (static_cast<int>(weight) > static_cast<int>(f.weight)) f.weight = weight;
    const bool builtins = d.kind == "nvrtc-builtins";
    f.more.push_back({"needed by", builtins ? "nvrtc" : m->file->role, d.asked_by});
  }
  for (finding& f : own) findings.push_back(std::move(f));
}

/// The CUDA major that cuDNN asks for by this name.
static int asked_major(const dependency& d) {
  return parse_version(d.name.substr(d.name.find(".so.") + 4)).major;
}

static finding mixed_dependency(const dependency& d) {
  finding f;
  f.name = "dependency-mixed";
  f.more.push_back({"asked by", "", d.asked_by});
  return f;
}

// A file under another CUDA major's name has not the symbols that cuDNN looks for ("Cannot load
// symbol cublasLtGetVersion").
static void judge_other_major(const dependency& d, std::vector<finding>& findings) {
  finding f = mixed_dependency(d);
  const std::string& path = d.real_path.empty() ? d.path : d.real_path;
  f.summary = format("%s is a library of CUDA %d", d.name.c_str(), d.cuda_major);
  f.expected = {"asked for", format("CUDA %d", asked_major(d)), d.name};
  f.found = {"found", format("CUDA %d", d.cuda_major),
             format("%s   chosen by %s", path.c_str(), d.chosen_by.c_str())};
  f.because = "Its functions are those of another CUDA: cuDNN would fail to find them, or abort.";
  f.fix =
      format("reinstall CUDA %d's own file in %s", asked_major(d), directory_of(d.path).c_str());
  findings.push_back(f);
}

// The loader serves a SONAME that is resident to everybody, whatever the asker's own search would
// lead to (ld.so, "already loaded").  CUDA's libraries take what was built for an older minor
// release of their major (CUDA Compatibility, "Minor Version Compatibility"): a newer one is fine.
static void judge_resident(const dependency& d, std::vector<finding>& findings) {
  if (d.release.known() && d.search_release.known() && d.search_release < d.release) return;
  const bool older = d.release.known() && d.search_release.known();
  finding f = mixed_dependency(d);
  f.weight = older ? severity::warning : severity::unknown;
  f.summary = "cuDNN would compute with another install's " + d.name;
  f.expected = {"own search", to_string(d.search_release), d.search_path};
  f.found = {"loaded", to_string(d.release), d.path + "   already loaded"};
  f.because = "A library that is already loaded serves everyone who asks for its name.";
  if (!older) f.because += " Whether it is older than cuDNN's own cannot be told.";
  f.fix = format("let the program load %s first, or take %s out of its run path",
                 d.search_path.c_str(), directory_of(d.path).c_str());
  findings.push_back(f);
}

void rule_dependency_mixed(const judged& j, std::vector<finding>& findings) {
  if (!j.seen.linked) return;
  std::vector<std::string> told;
  for (const dependency& d : j.seen.dependencies) {
    if (d.path.empty() || is_unusable(d) || asker_of(j, d) == nullptr) continue;
    const bool other_major = d.cuda_major != 0 && d.cuda_major != asked_major(d);
    if (!other_major && d.search_path.empty()) continue;
    bool again = false;
    for (const std::string& name : told) again = again || name == d.name;
    told.push_back(d.name);
    if (again) continue;
    if (other_major) {
      judge_other_major(d, findings);
    } else {
      judge_resident(d, findings);
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
