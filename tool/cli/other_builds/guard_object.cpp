// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <sstream>

#include "../../core/judge/advice/advice.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../../core/system/replace_file.h"
#include "../machine/child_output.h"
#include "../machine/cmake_package.h"
#include "../system/operating_system.h"
#include "../system/own_process.h"
#include "../text/json_tree.h"
#include "../text/progress.h"
#include "checked_cudnn.h"
#include "guard_source.h"
#include "written_before.h"

namespace cudnn_checked::cli {

namespace {

/// What is written, and of what.
struct guard_order {
  std::string file;
  std::string includes;               ///< the directory of <cudnn_checked/guard.hpp>
  bool compiles = true;               ///< FILE is an object
  std::vector<std::string> compiler;  ///< ccache g++
  guard_choices choices;
};

}  // namespace

/// As the probe itself ends: it has a time of its own.
static constexpr int probe_seconds = 300;
static constexpr int compiler_seconds = 600;

static bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  for (const char* one : words) {
    if (word == one) return true;
  }
  return false;
}

/// CXX has words, as make reads it: a launcher, options.
static std::vector<std::string> compiler_words(const command_line& given) {
  if (!given.compiler.empty()) return {given.compiler};
  const char* const variable = std::getenv("CXX");
  std::istringstream text(variable == nullptr ? "" : variable);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words.empty() ? std::vector<std::string>{"c++"} : words;
}

/// The order of the command line, or the error.
static std::string read_order(const command_line& given, guard_order& order) {
  order.file = given.file();
  order.compiles = !ends_with(order.file, ".cpp");
  if (order.compiles && !ends_with(order.file, ".o")) {
    return "guard-object: " + order.file + ": the file ends in .o or .cpp";
  }
  const std::string name = base_name(order.file);
  order.choices.program = given.name.empty() ? name.substr(0, name.rfind('.')) : given.name;
  if (!is_program_name(order.choices.program)) {
    return "guard-object: --name " + order.choices.program +
           ": a name has letters of ASCII, digits, and _ . + -";
  }
  if (!given.gpu.empty()) order.choices.gpu = given.gpu;
  if (!is_one_of(order.choices.gpu, {"required", "optional"})) {
    return "guard-object: --gpu " + given.gpu + ": required or optional" +
           did_you_mean(given.gpu, {"required", "optional"});
  }
  if (!given.policy.empty()) order.choices.policy = given.policy;
  if (!is_one_of(order.choices.policy, {"compatible", "exact", "major"})) {
    return "guard-object: --policy " + given.policy + ": compatible, exact or major" +
           did_you_mean(given.policy, {"compatible", "exact", "major"});
  }
  order.choices.manual = given.manual;
  order.compiler = compiler_words(given);
  return {};
}

static std::string source_of(const guard_order& order) {
  return order.compiles ? order.file + ".cpp" : order.file;
}

static std::string why_it_stays(const system_interface& os, const guard_order& order) {
  const std::string source = source_of(order);
  return order.compiles ? why_object_stays(os, order.file, source)
                        : why_it_stays(os, source, mark_of_guard_source);
}

/// What `cudnn-checked probe` proves of the cuDNN of that directory.
static exit_status prove(const std::string& directory, proof_facts& proved) {
  show_progress("probing " + directory);
  const child_output probe =
      output_of_program({own_program(), "probe", "--json", directory}, probe_seconds);
  json report;
  arena_string fault;
  const bool is_report = probe.ended && parse_json(probe.text, report, fault);
  if (is_report) proved = facts_in(report);
  const bool is_proved = is_one_of(proved.level, {"loaded", "ran"});
  if (probe.status == exit_refused || !is_proved) {
    const arena_vector<json>& findings = report["findings"].elements();
    const std::string what = findings.empty() ? std::string("it could not be loaded")
                                              : std::string(findings.front()["summary"].text());
    return error("guard-object: " + directory + ": " + what + "; cudnn-checked probe " +
                     cudnn_checked::quoted(directory) + " says more",
                 exit_refused);
  }
  return exit_fine;
}

/// The path of the program, which is started by no shell: "g++" is searched on PATH by env.
static std::vector<std::string> compiler_call(const guard_order& order) {
  std::vector<std::string> call = {"/usr/bin/env"};
  call.insert(call.end(), order.compiler.begin(), order.compiler.end());
  const std::string includes = "-I" + order.includes;
  for (const std::string& word : std::initializer_list<std::string>{
           "-std=c++17", "-Os", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti",
           "-fno-asynchronous-unwind-tables", includes, "-w", "-c", source_of(order), "-o",
           order.file}) {
    call.push_back(word);
  }
  return call;
}

static exit_status compile(const guard_order& order) {
  show_progress("compiling " + order.file);
  const child_output done =
      output_of_program(compiler_call(order), compiler_seconds, child_errors::shown);
  if (done.ended && done.status == 0) return exit_fine;
  std::string compiler;
  for (const std::string& word : order.compiler) compiler += word + " ";
  return error("guard-object: " + compiler + "did not compile " + source_of(order));
}

static std::string level_text(const proof_facts& proved) {
  if (proved.level == "ran") {
    return "proved: level ran, convolutions were right on " +
           std::string(joined(proved.architectures, ", ")) + "\n";
  }
  return "proved: level loaded: no convolution was run, because there is no GPU or driver here\n";
}

static void tell(const guard_order& order, const proof_facts& proved, const json& stamp,
                 bool as_json) {
  const std::string symbol = stamp_symbol(order.choices.program);
  if (as_json) {
    json answer = answer_of({{"file", order.file},
                             {"level", proved.level},
                             {"symbol", symbol},
                             {"include", order.includes}});
    answer.add("stamp", json(stamp));
    print_json(answer.print());
    return;
  }
  std::string text = order.file + ": the guard of " + order.choices.program + ", cuDNN " +
                     std::string(proved.header) + "\n  " + level_text(proved);
  const std::string flags = "-I" + std::string(cudnn_checked::quoted(order.includes));
  text += order.compiles
              ? "  link it with the program, and -ldl\n"
              : "  compile it as C++17, link it with the program, and -ldl: " + flags + "\n";
  if (order.choices.manual) {
    text += "  where <cudnn_checked/guard.hpp> is included: -DCUDNN_CHECKED_STAMP=" + symbol + " " +
            flags + "\n";
  }
  print(text);
}

exit_status write_guard_object(const command_line& given) {
  const std::string unable = why_unable(ability::guard_objects);
  if (!unable.empty()) return error(unable);
  guard_order order;
  const std::string wrong = read_order(given, order);
  if (!wrong.empty()) return error(wrong);
  const system_interface& os = own_system();
  const std::string stays = why_it_stays(os, order);
  if (!stays.empty()) return error("guard-object: " + stays);
  std::string fault;
  const std::string package = cmake_directory(os, "guard-object", fault);
  if (package.empty()) return error(fault);
  const std::string guard = std::string(directory_part(package)) + "/tool/guard";
  if (!can_be_included(guard)) {
    return error("guard-object: " + guard + ": no #include can name this directory");
  }
  order.includes = guard + "/include";
  checked_cudnn found;
  exit_status status = check_cudnn(os, given, found);
  if (status != exit_fine) return status;
  proof_facts proved;
  status = prove(found.library_directory(), proved);
  if (status != exit_fine) return status;
  const json stamp = stamp_of(proved, order.choices);
  const std::string source = source_of(order);
  const arena_string failed =
      replace_file(source, guard_source(guard + "/linux/guard.cpp", stamp, order.choices));
  if (!failed.empty()) return error("guard-object: " + source + ": " + std::string(failed));
  if (order.compiles) status = compile(order);
  if (status == exit_fine) tell(order, proved, stamp, given.json);
  return status;
}

}  // namespace cudnn_checked::cli
