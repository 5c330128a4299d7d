// SPDX-License-Identifier: BSD-3-Clause
#include "explain_build.h"

#include "../core/judge/advice/advice.h"
#include "../core/model/paths.h"
#include "build_flags.h"
#include "build_words.h"
#include "cuda_compiler.h"
#include "messages.h"
#include "platform.h"
#include "project.h"
#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace {

/// A build that failed, and the message about it.
class failed_build {
 public:
  failed_build(const request& asked, const system_interface& os);

  build_failure explain();

 private:
  arena_vector<finding> faults_of_cudnn() const;
  void tell_stop(const build_stop& stop);
  void tell_probe();
  void tell_kernel();
  void tell_sweep();
  void add_fixes_of_flags();
  void add_log() { message_.facts.push_back({"all of it", asked_["log"], ""}); }

  const request& asked_;
  const system_interface& os_;
  const project project_;
  arena_string log_;
  build_words words_;
  std::vector<flag_source> flags_;
  message message_;
};

}  // namespace

/// "VARIABLE<tab>FROM<tab>HOLDER<tab>VALUE"
static flag_source source_of(const arena_string& text, const project& known) {
  flag_source source;
  std::string holder;
  std::string rest = text;
  for (std::string* part : {&source.variable, &source.from, &holder}) {
    const std::size_t tab = rest.find('\t');
    if (tab == std::string::npos) break;
    *part = rest.substr(0, tab);
    rest = rest.substr(tab + 1);
  }
  source.value = rest;
  held_variable held;
  held.name = arena_string(std::string_view(source.variable));
  held.by = variable_holder::cache;
  held.value = arena_string(std::string_view(source.value));
  if (holder == "cache") source.set = known.with(held, arena_string(value_to_set));
  return source;
}

static arena_string in_one_text(const build_words& words) {
  string_builder text;
  for (const std::string& line : words.lines) {
    if (text.size() != 0) text += '\n';
    text += line;
  }
  return text.take();
}

failed_build::failed_build(const request& asked, const system_interface& os)
    : asked_(asked), os_(os), project_(asked, os) {
  if (!asked["log"].empty()) os.read_text(asked["log"], log_);
  std::vector<std::string> compilers;
  for (const arena_string& compiler : asked.all("compiler")) compilers.push_back(compiler);
  words_ = words_of_build(log_, compilers);
  for (const arena_string& flag : asked.all("flag")) flags_.push_back(source_of(flag, project_));
  if (words_.linked) {
    for (const arena_string& flag : asked.all("linker_flag"))
      flags_.push_back(source_of(flag, project_));
  }
  message_.name =
      to_string(words_.linked ? finding_id::probe_not_linked : finding_id::probe_not_compiled);
  for (const arena_string& text : asked.all("fact")) message_.facts.push_back(fact_of(text));
  message_.quoted = in_one_text(words_);
}

void failed_build::tell_stop(const build_stop& stop) {
  if (asked_["kind"] == "kernel") message_.name = to_string(finding_id::probe_not_compiled);
  message_.summary = stop.what + ", so cuDNN could not be checked";
  message_.facts = {{"ended", stop.by, ""}, fact_of(asked_["compiler_fact"])};
  add_log();
  message_.because = {"Neither a source nor a header nor cuDNN is the cause."};
  message_.fixes = {advice(stop.fix)};
}

void failed_build::add_fixes_of_flags() {
  for (const std::string& fix : fixes_of_flags(flags_, words_.lines))
    message_.fixes.push_back(advice(fix));
}

/// Does the compiler speak of a header of cuDNN?
static bool names_header(const std::string& line) {
  for (std::size_t at = line.find("cudnn"); at != std::string::npos;
       at = line.find("cudnn", at + 1)) {
    std::size_t end = at + 5;
    while (end < line.size() && (is_word(line[end]) || line[end] == '_')) ++end;
    if (line.compare(end, 2, ".h") == 0) return true;
  }
  return has(line, "Version mismatch in cuDNN");
}

/// Where nothing links, a file of cuDNN may be broken; where the compiler speaks of its headers,
/// they may be of two releases.
arena_vector<finding> failed_build::faults_of_cudnn() const {
  if (words_.linked) {
    return judge_files(asked_, os_);
  }
  bool of_header = false;
  for (const std::string& line : words_.lines) of_header = of_header || names_header(line);
  if (!of_header) return {};
  return judge_headers(asked_.with("release", asked_["found"]), os_);
}

void failed_build::tell_probe() {
  message_.summary = words_.linked ? "the probe compiles but does not link"
                                   : "the probe does not compile, so cuDNN could not be checked";
  message_.because = {words_.linked
                          ? "A program that uses this cuDNN would not link either."
                          : "The cause is the compiler, its flags or a header, not cuDNN."};
  for (const flag_source& flag : flags_) {
    const std::string where = flag.variable + (flag.from.empty() ? "" : ", from " + flag.from);
    message_.facts.push_back({"flags", flag.value, where});
  }
  add_log();
  add_fixes_of_flags();
  message_.fixes.push_back(advice(words_.linked ? "correct the linker's errors below"
                                                : "correct the compiler's errors below"));
}

void failed_build::tell_kernel() {
  const bool unsupported =
      has_one(message_.quoted, {"unsupported GNU version", "unsupported clang version"});
  const bool unknown = has(message_.quoted, "Unsupported gpu architecture");
  message_.name = to_string(finding_id::kernel_not_compiled);
  message_.because = {
      "The CUDA sources of this project would not build either; cuDNN is not the cause."};
  if (words_.lines.empty()) {
    message_.summary = "there is no GPU here for CMAKE_CUDA_ARCHITECTURES=native";
  } else {
    add_log();
    message_.summary = unsupported ? "the CUDA compiler does not support its host compiler"
                       : unknown   ? "the CUDA compiler does not know one of the architectures"
                                   : "the CUDA compiler does not build the probe's kernel";
    if (unsupported) {
      message_.fixes = {advice(fix_of_host_compiler(asked_, os_))};
    } else if (unknown) {
      message_.fixes = {advice(fix_of_architectures(asked_, os_))};
    } else {
      add_fixes_of_flags();
      if (message_.fixes.empty()) message_.fixes = {advice("correct the errors below")};
    }
  }
  if (asked_["log"].empty()) {
    message_.fixes.push_back(advice(project_.with("CMAKE_CUDA_ARCHITECTURES", "all-major")));
  }
  message_.fixes.push_back(advice(project_.with("CuDNNChecked_KERNEL", "OFF")));
}

void failed_build::tell_sweep() {
  message_.summary = arena_string("the program that sweeps all engines does not ") +
                     (words_.linked ? "link" : "compile");
  add_log();
  message_.because = {
      "It needs neither CUDA nor cuDNN: the cause is the compiler, its flags or its headers."};
  message_.fixes = {advice(project_.without("CuDNNChecked_SWEEP")),
                    advice("correct the errors below")};
}

build_failure failed_build::explain() {
  build_stop stop = stop_of_build(log_);
  const arena_string kind = asked_["kind"];
  const bool of_cudnn = kind != "kernel" && kind != "sweep";
  if (stop.what.empty() && words_.lines.empty() && !asked_["log"].empty()) {
    stop = {"the compiler ended without a word", "without a word",
            "run the compiler's command from the log: it exited without an error message"};
  }
  build_failure failure;
  if (!stop.what.empty()) {
    tell_stop(stop);
  } else if (of_cudnn) {
    failure.findings = faults_of_cudnn();
    if (!words_.linked) failure.quoted = message_.quoted;
    tell_probe();
  } else {
    kind == "kernel" ? tell_kernel() : tell_sweep();
  }
  failure.told = message_;
  return failure;
}

build_failure explain_build(const request& asked, const system_interface& os) {
  return failed_build(asked, os).explain();
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
