// SPDX-License-Identifier: BSD-3-Clause
#include "refusals.h"

#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "../core/model/nearest_word.h"
#include "../core/model/paths.h"
#include "../core/observe/pip_of_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static message begin(finding_id id, const arena_string& summary) {
  message made;
  made.name = to_string(id);
  made.summary = summary;
  return made;
}

/// "; did you mean A, B?": what was meant by each of the words, of those that are `possible`; empty
/// where none is near.
static arena_string words_meant(const arena_vector<arena_string>& words, const request& asked) {
  arena_vector<arena_string> meant;
  for (const arena_string& word : words) {
    const arena_string nearest = nearest_word(word, asked.all("possible"));
    if (!nearest.empty()) meant.push_back(nearest);
  }
  return meant.empty() ? arena_string() : format("; did you mean %s?", joined(meant, ", "));
}

// COMPONENTS is no variable.
static message explain_value(const request& asked, const system_interface& os) {
  const project known(asked, os);
  const arena_string variable = asked["name"];
  const arena_string meant = nearest_word(asked["word"], asked.all("possible"));
  message made = begin(finding_id::bad_input, format("%s has a value that is not known%s", variable,
                                                     words_meant(asked.all("word"), asked)));
  made.facts.push_back({"value", asked["word"], variable});
  made.facts.push_back({"possible", joined(asked.all("possible"), ", "), ""});
  if (variable == "COMPONENTS") {
    made.fixes.push_back(advice(
        format("name %s in COMPONENTS", meant.empty() ? "one of the possible ones" : meant)));
  } else {
    made.fixes.push_back(
        advice(meant.empty() ? known.without(variable) : known.with(known.held(variable), meant)));
  }
  return made;
}

static message explain_language(const request& asked, const system_interface&) {
  message made = begin(finding_id::probe_not_compiled,
                       "the probe is C++, and this project does not enable that language");
  arena_string wanted;
  for (const arena_string& language : asked.all("language")) {
    if (language != "NONE") wanted += language + " ";
  }
  made.facts.push_back({"languages", joined(asked.all("language"), " "), "project()"});
  made.fixes.push_back(
      advice(format("project(... LANGUAGES %sCXX), before find_package(CuDNNChecked)", wanted)));
  return made;
}

static message explain_pinned(const request& asked, const system_interface&) {
  message made = begin(finding_id::cudnn_not_found,
                       "this build tree already uses another cuDNN than the one asked for");
  made.facts.push_back(asked["root"].empty()
                           ? fact{"asked for", "cuDNN " + asked["words"], "find_package"}
                           : fact{"asked for", asked["root"], asked["root_label"]});
  made.facts.push_back({"in use", "cuDNN " + asked["found"], asked["library"]});
  made.because = {"All targets of a build tree share one CuDNNChecked::cudnn."};
  made.fixes.push_back(advice("ask for the same cuDNN in every find_package(CuDNNChecked)"));
  return made;
}

/// Programs that run those of the `machine` and the `system` of the request.
static arena_vector<arena_string> emulators_for(const request& asked) {
  if (asked["system"] == "windows") return {"wine64", "wine"};
  return {"qemu-" + asked["machine"], format("qemu-%s-static", asked["machine"])};
}

// Configures again with an emulator, where one for this machine is there.
static message explain_level(const request& asked, const system_interface& os) {
  const project known(asked, os);
  message made = begin(finding_id::not_verified,
                       "the level that is required cannot be reached in this cross build");
  made.facts.push_back({"required", asked["require"], "CuDNNChecked_REQUIRE"});
  made.facts.push_back({"reached", "LINKED", "CMAKE_CROSSCOMPILING_EMULATOR is not set"});
  made.because = {"The probe is built for another machine and cannot be started here."};
  for (const arena_string& emulator : emulators_for(asked)) {
    const arena_string path = program_on_path(os, emulator);
    if (path.empty()) continue;
    made.fixes.push_back(advice(known.with("CMAKE_CROSSCOMPILING_EMULATOR", path)));
    break;
  }
  made.fixes.push_back(advice(known.with("CuDNNChecked_REQUIRE", "AUTO")));
  made.fixes.push_back(advice(
      format("name the report that %s wrote there in CuDNNChecked_PROBE_REPORT", asked["judge"])));
  return made;
}

// An option of the probe that the judge does not know.
static message explain_option(const request& asked, const system_interface& os) {
  struct probe_option {
    const char* name;
    const char* variable;
  };
  constexpr probe_option options[] = {{"convolutions", "CuDNNChecked_CONVOLUTIONS"},
                                      {"operations", "CuDNNChecked_OPERATIONS"},
                                      {"devices", "CuDNNChecked_DEVICES"}};
  const project known(asked, os);
  message made = begin(finding_id::bad_input, "an option of the probe has an invalid value");
  for (const probe_option& option : options) {
    const arena_vector<arena_string> values = asked.all(option.name);
    if (values.empty()) continue;
    made.facts.push_back({option.name, joined(values, ", "), option.variable});
    if (asked["option"] == option.name)
      made.fixes.push_back(advice(known.without(option.variable)));
  }
  made.fixes.push_back(advice("name one of the values that the probe lists below"));
  made.quoted = asked["quoted"];
  return made;
}

// What one target of the project links or includes.
static message explain_other(const request& asked, const system_interface& os) {
  const project known(asked, os);
  const arena_string verb = asked["does"];
  const arena_string target = asked["target"];
  message made = begin(finding_id::two_cudnns,
                       format("%s %s another cuDNN than the one that was proved", target, verb));
  made.lead = "cudnn_checked: " + asked["verdict"];
  made.facts.push_back({verb, asked["file"], target});
  made.facts.push_back({"proved", asked["proved"], "cuDNN " + asked["found"]});
  made.because = {"Nothing is known of the other one, and together they are a mix."};
  made.fixes = known.lines("fix");
  // Archives, and -lcudnn_static, are no cuDNN that could be proved.
  if (has_root(asked["file"]) && !ends_with(asked["file"], ".a")) {
    const arena_string root = asked["root"];
    made.fixes.push_back(advice(known.with(
        "CuDNNChecked_ROOT", root.empty() ? directory_part(directory_part(asked["file"])) : root)));
  }
  return made;
}

// A sweep that did not end well: it ends by itself, a few seconds after the time that is asked for.
static message explain_sweep(const request& asked, const system_interface& os) {
  const arena_string how = asked["ended"];
  const arena_string detail = asked["detail"];
  const bool late = how == "timeout";
  const bool by_itself = how == "ended" || how == "not-started";
  message made = begin(late ? finding_id::probe_timeout : finding_id::probe_crashed,
                       format("the sweep of all engines crashed with %s", detail));
  made.because = {
      "What it found until then is lost; each engine computes in a process of its own."};
  if (late) {
    made.summary = format("the sweep of all engines did not end within %s s", asked["limit"]);
    made.because = {"It ends by itself, a few seconds after the time that is asked for."};
    made.facts.push_back(
        {"limit", asked["limit"] + " s", "CuDNNChecked_SWEEP + CuDNNChecked_PROBE_TIMEOUT"});
  } else if (by_itself && detail == "2") {
    made.summary = "the sweep of all engines cannot read or write its report";
  } else if (how == "not-started") {
    made.summary = "the sweep of all engines could not be started";
    made.facts.push_back({"ended with", detail, ""});
  } else if (by_itself) {
    made.summary = format("the sweep of all engines ended with status %s", detail);
  }
  made.facts.push_back({"asked for", asked["sweep"] + " s", "CuDNNChecked_SWEEP"});
  made.facts.push_back({"cuDNN", asked["found"], asked["library"]});
  made.facts.push_back({"program", asked["program"], ""});
  made.fixes.push_back(advice("check whether the GPU answers: nvidia-smi"));
  made.fixes.push_back(advice(project(asked, os).without("CuDNNChecked_SWEEP")));
  made.quoted = asked["quoted"];
  return made;
}

/// "A, B or C"
static arena_string alternatives(arena_vector<arena_string> words) {
  if (words.empty()) return {};
  const arena_string last = words.back();
  words.pop_back();
  return words.empty() ? last : format("%s or %s", joined(words, ", "), last);
}

/// What is wrong with the arguments of a call.
static arena_string problem_of_call(const request& asked) {
  const arena_vector<arena_string> unknown = asked.all("unknown");
  if (!unknown.empty()) {
    return format("unknown argument: %s%s", joined(unknown, " "), words_meant(unknown, asked));
  }
  if (!asked["incomplete"].empty()) {
    return "no value after " + joined(asked.all("incomplete"), " ");
  }
  if (!asked["no_target"].empty()) {
    return "there is no target of this name" + words_meant(asked.all("no_target"), asked);
  }
  if (asked["name"].empty()) return asked["summary"];
  return format("%s is %s, and can be %s%s", asked["name"], asked["word"],
                alternatives(asked.all("possible")), words_meant(asked.all("word"), asked));
}

/// Why a function has no use for a target: `problem` with the `detail`, and `fix` with the target
/// and the detail; null where the call tells what is right.
struct target_fault {
  const char* name;
  const char* problem;
  const char* fix;
};

constexpr target_fault target_faults[] = {
    {"imported", "an imported target is not compiled by this project",
     "guard the executable that links it"},
    {"not-linked", "an %s library is not linked, so it cannot carry a stamp",
     "guard the executable or the library that links it"},
    {"no-program", "a custom target has no program", "guard an executable or a library"},
    {"guarded", "the target is guarded already", "call it once for a target"},
    {"no-language", "the guard is C++, and this project does not enable that language", nullptr},
    {"not-manual", "a library never ends its host by itself, so it needs MANUAL",
     "cudnn_checked_guard(%s MANUAL), and call cudnn_checked::check() or cudnn_checked::require() "
     "in the code"},
    {"no-run-path", "a program for Windows has no run path: its DLLs lie beside it",
     "link CuDNNChecked::cudnn_all, and copy $<TARGET_RUNTIME_DLLS:%s>"},
    {"not-linked-here", "only what this project links has a run path",
     "name an executable, a shared library or a module of this project"},
    {"bundled", "the target has its bundle already", "call it once for a target"},
    {"skip-rpath", "CMAKE_SKIP_RPATH is on, so the target would have no run path",
     "-D CMAKE_SKIP_RPATH=OFF"},
    {"other-run-path", "with %s it would not find the bundle in the build tree",
     "set_property(TARGET %s PROPERTY %s OFF)"},
};

// A call of a function for the targets of the project.
static message explain_call(const request& asked, const system_interface&) {
  message made = begin(finding_id::bad_input, problem_of_call(asked));
  made.lead = asked["call"];
  for (const target_fault& fault : target_faults) {
    if (asked["fault"] != fault.name) continue;
    made.summary = format(fault.problem, asked["detail"]);
    if (fault.fix != nullptr)
      made.fixes.push_back(advice(format(fault.fix, asked["target"], asked["detail"])));
  }
  for (const arena_string& usage : asked.all("usage")) made.fixes.push_back(advice(usage));
  return made;
}

// An operation that a target declares: the probe can compute it, and has not.
static message explain_unproved(const request& asked, const system_interface& os) {
  const project known(asked, os);
  const arena_vector<arena_string> unproved = asked.all("unproved");
  arena_vector<arena_string> proved = {"convolutions"};
  proved.append(asked.all("proved"));
  message made = begin(finding_id::not_verified,
                       "OPERATIONS has what was not proved: " + joined(unproved, ", "));
  made.lead = asked["call"];
  made.facts.push_back({"proved by running", joined(proved, ", "), "CuDNNChecked_OPERATIONS"});
  if (asked["taken"] == "yes") {
    made.fixes.push_back(
        advice(format("let CuDNNChecked_PROBE_REPORT name a report that has it: "
                      "cudnn-checked probe --operations %s --json DIRECTORY > report.json",
                      joined(unproved, ","))));
  } else if (!asked["wanted"].empty()) {
    made.fixes.push_back(
        advice(known.with("CuDNNChecked_OPERATIONS", joined(asked.all("wanted"), ";"))));
  } else {
    made.fixes.push_back(
        advice(format("read why it was not run, in skipped of %s", asked["report"])));
  }
  return made;
}

struct refusal_verb {
  const char* name;
  message (*made)(const request&, const system_interface&);
};

constexpr refusal_verb refusal_verbs[] = {
    {"explain-call", explain_call},   {"explain-language", explain_language},
    {"explain-level", explain_level}, {"explain-option", explain_option},
    {"explain-other", explain_other}, {"explain-pinned", explain_pinned},
    {"explain-sweep", explain_sweep}, {"explain-unproved", explain_unproved},
    {"explain-value", explain_value},
};

bool refuse(const arena_string& verb, const request& asked, const system_interface& os,
            message& made) {
  for (const refusal_verb& one : refusal_verbs) {
    if (verb != one.name) continue;
    made = one.made(asked, os);
    return true;
  }
  return false;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
