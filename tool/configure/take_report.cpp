// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <cstdio>
#include <cstdlib>

#include "../core/judge/advice/advice.h"
#include "../core/judge/rules/known_defects.h"
#include "../core/library/library_file.h"
#include "../core/model/format.h"
#include "../core/model/level.h"
#include "../core/model/library_spelling.h"
#include "../core/model/one_line.h"
#include "../core/model/paths.h"
#include "../core/report/proof.h"
#include "../core/report/report.h"
#include "../core/system/replace_file.h"
#include "message.h"
#include "platform.h"
#include "project.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace {

/// Why a report cannot be used: `here`, a value and where it stands, and `there`, what the report
/// has, differ.
struct refusal {
  arena_string summary;
  arena_string here;
  arena_string there;
  arena_string because;
};

}  // namespace

static refusal fault_of(const report_values& values) {
  return {values.fault(), "", values.found(), ""};
}

/// Refuses a file that is not a report of a successful probe.
static refusal check_kind(const json& report) {
  report_values values;
  const arena_string schema = values.value(value_form::index, "", report, {"schema"});
  const arena_string program = values.value(value_form::sentence, "", report, {"program"});
  const arena_string stage = values.value(value_form::sentence, "", report, {"stage"});
  const arena_string verdict = values.value(value_form::verdict, "", report, {"verdict"});
  const arena_string level = values.value(value_form::level, "", report, {"level"});
  if (!values.fault().empty()) return fault_of(values);
  if (schema.empty()) return {"it is not a report", "", "not JSON with a schema", ""};
  if (schema != "1") return {"its schema is not known", "schema 1|", "schema " + schema, ""};
  if (!contains(report.keys(), "program")) {
    return {"it is not the probe's", "", "of a command that proves nothing, such as doctor", ""};
  }
  if (!program.empty()) return {"it is not the probe's", "", "of " + program, ""};
  if (!stage.empty()) return {"it was not finished", "", "stopped at " + stage, ""};
  if (verdict == "refused") {
    const arena_vector<json>& findings = report["findings"].elements();
    const json first = findings.empty() ? json() : findings.front();
    const arena_string name = values.value(value_form::word, "findings.0.", first, {"name"});
    const arena_string told = values.value(value_form::sentence, "findings.0.", first, {"summary"});
    return {"it refuses", "", format("%s [%s]", told, name), ""};
  }
  if (verdict.empty() || level.empty()) {
    return {"it is incomplete", "", format("verdict \"%s\", level \"%s\"", verdict, level), ""};
  }
  return {};
}

static arena_string in_words(const arena_vector<arena_string>& components) {
  return components.empty() ? "all of them" : joined(components, ", ");
}

static arena_string major_of(const arena_string& release) {
  const std::size_t end = release.find_first_of(".");
  return release.substr(0, std::min(end, release.size()));
}

/// It is of these releases, and answers the same question.
static refusal compare_releases(const request& asked, const json& report) {
  report_values values;
  const arena_string header =
      values.value(value_form::version, "", report, {"cudnn", "header", "version"});
  const arena_string library =
      values.value(value_form::version, "", report, {"cudnn", "library", "version"});
  arena_string toolkit = values.value(value_form::version, "", report, {"cuda", "toolkit"});
  if (toolkit.empty()) {
    // Of a cuDNN that was opened: nothing was compiled, and each build of cuDNN is for one CUDA.
    toolkit = values.value(value_form::version, "", report, {"cudnn", "library", "cudart"});
  }
  arena_vector<arena_string> components = values.values(value_form::word, report, {"components"});
  sort(components);
  const arena_string here = in_words(asked.all("component"));
  const arena_string there = in_words(components);
  const arena_string place = asked["place"];
  if (!values.fault().empty()) return fault_of(values);
  if (header.empty() && library.empty()) {
    return {"it names no release of cuDNN", "", "no release", ""};
  }
  if (!header.empty() && header != place) {
    return {"its header is of another release", place + "|" + asked["header"], header, ""};
  }
  if (!library.empty() && library != place) {
    return {"its library is of another release", place + "|" + asked["library"], library, ""};
  }
  if (major_of(asked["toolkit"]) != major_of(toolkit)) {
    return {"its CUDA is of another major release", asked["toolkit"] + "|" + asked["cudart"],
            toolkit, ""};
  }
  if (here != there) return {"it is about other components", here + "|COMPONENTS", there, ""};
  return {};
}

/// A library here is the one of the report: identified by the build id, where both are known, and
/// by which sub-libraries there are.
static refusal compare_files(const request& asked, const system_interface& os, const json& report) {
  const arena_string library = asked["library"];
  const arena_string directory = directory_part(library);
  const arena_string stem = cudnn_name_prefix();
  const arena_string ending = base_name(library).substr(stem.size());
  report_values values;
  arena_vector<arena_string> roles;
  const json* const list = values.list(report, {"cudnn", "files"});
  for (std::size_t i = 0; list != nullptr && i < list->elements().size(); ++i) {
    const json& row = list->elements()[i];
    const arena_string where = format("cudnn.files.%d.", static_cast<int>(i));
    const arena_string role = values.value(value_form::word, where, row, {"role"});
    const arena_string there = values.value(value_form::build_id, where, row, {"build_id"});
    if (!values.fault().empty()) break;
    roles.push_back(role);
    const arena_string file =
        role == "shim" ? library : format("%s/%s_%s%s", directory, stem, role, ending);
    const arena_string here = read_library(os, file, 0).build_id;
    if (here.empty() || there.empty() || here == there) continue;
    return {format("its %s library is another file", role), format("build id %s|%s", here, file),
            "build id " + there, ""};
  }
  if (!values.fault().empty()) return fault_of(values);
  for (const arena_string& name : sorted_names_in(os, directory, (stem + "_").c_str())) {
    if (!ends_with(name, ending)) continue;
    const std::size_t begin = stem.size() + 1;
    const arena_string role = name.substr(begin, name.size() - ending.size() - begin);
    if (contains(roles, role)) continue;
    return {"it lacks a library", format("%s|%s/%s", role, directory, name), "no " + role, ""};
  }
  return {};
}

/// Refuses values of another form, claims that do not follow from the runs, and a lower level than
/// the required one.
static refusal check_claims(const request& asked, const json& report) {
  report_values values;
  const arena_string contradiction = contradiction_in(report, values);
  for (const char* const key : {"toolkit", "runtime", "driver"}) {
    (void)values.value(value_form::version, "", report, {"cuda", key});
  }
  (void)values.value(value_form::version, "", report, {"cudnn", "library", "cudart"});
  (void)values.value(value_form::index, "", report, {"sweep", "asked"});
  (void)values.value(value_form::index, "", report, {"sweep", "counts", "plans"});
  (void)values.values(value_form::word, report, {"needs"});
  if (!values.fault().empty()) return fault_of(values);
  if (!contradiction.empty()) return {"it contradicts itself", "", contradiction, ""};
  level required = level::none;
  level reached = level::none;
  const arena_string there = report["level"].text();
  if (parse_level(asked["require"], required) && parse_level(there, reached) &&
      reached < required) {
    return {"it proves less than is required", asked["require"] + "|CuDNNChecked_REQUIRE",
            "level " + there, "It is a report of this cuDNN, and more was not proved there."};
  }
  return {};
}

/// The first operation that a name of CuDNNChecked_OPERATIONS stands for and that was not proved;
/// the name itself where it stands for none.
static arena_string unproved(const arena_string& name, const arena_vector<arena_string>& proved) {
  bool known = name == "conv";
  for (const fused_operation one : fused_operations) {
    const arena_string operation = to_string(one);
    if (name != "all" && !is_front_part(name, operation)) continue;
    known = true;
    if (!contains(proved, operation)) return operation;
  }
  return known ? arena_string() : name;
}

/// Where it was proved by running, so was each operation that is asked for.
static refusal check_operations(const request& asked, const json& report) {
  if (report["level"].text() != "ran") return {};
  const arena_vector<arena_string> proved = names_of(facts_in(report).operations);
  for (const arena_string& name : asked.all("operation")) {
    const arena_string lacking = unproved(name, proved);
    if (lacking.empty()) continue;
    arena_string there = "convolutions";
    for (const arena_string& one : proved) there += ", " + one;
    return {"it lacks an operation", lacking + "|CuDNNChecked_OPERATIONS", there,
            "It is a report of this cuDNN, and this was not proved there."};
  }
  return {};
}

static long long plans_swept(const json& report) {
  return std::atoll(report["sweep"]["counts"]["plans"].text().c_str());
}

/// Its sweep was at least as long as is asked for.
static refusal check_sweep(const request& asked, const json& report) {
  if (asked["sweep"].empty()) return {};
  const arena_string here = asked["sweep"] + " s|CuDNNChecked_SWEEP";
  const arena_string seconds = report["sweep"]["asked"].text();
  if (plans_swept(report) == 0) return {"it has no sweep", here, "not swept", ""};
  if (std::atoll(seconds.c_str()) < asked.number("sweep")) {
    return {"its sweep was shorter than is asked for", here, seconds + " s", ""};
  }
  return {};
}

static arena_string line_of(const request& asked, const json& report) {
  arena_string line = format("cuDNN %s · CUDA %s", asked["place"], asked["toolkit"]);
  if (report["level"].text() == "ran") {
    line += " ·";
    for (const json& name : report["triple"]["architectures"].elements()) {
      if (name.text() != "unknown") line += " " + name.text();
    }
    line += ", convolution verified" + operations_summary(facts_in(report).operations);
  } else {
    line += " · " + report["level"].text();
  }
  const arena_string file = one_line(asked["report"]);
  line += "; taken from report " + file;
  if (!asked["sweep"].empty()) {
    line += format("; %s plans swept in %s s", report["sweep"]["counts"]["plans"].text(),
                   report["sweep"]["asked"].text());
  }
  const arena_string verdict = report["verdict"].text();
  if (verdict == "ok") return line;
  report_values values;
  return line + format("\ncudnn_checked: %s: findings of report %s\n%s", verdict, file,
                       findings_in(report, values));
}

static refusal check_report(const request& asked, const system_interface& os, json& report) {
  refusal why;
  if (!read_report(os, asked["report"], report, why.there)) why.summary = "it is not a report";
  if (why.summary.empty()) why = check_kind(report);
  if (why.summary.empty()) why = compare_releases(asked, report);
  if (why.summary.empty()) why = compare_files(asked, os, report);
  if (why.summary.empty()) why = check_claims(asked, report);
  if (why.summary.empty()) why = check_operations(asked, report);
  if (why.summary.empty()) why = check_sweep(asked, report);
  return why;
}

/// What to type here without a report, and there for another one.
static fix_lines ways_to_a_report(const request& asked, const system_interface& os) {
  const arena_string components = joined(asked.all("component"), ",");
  const arena_string operations = joined(asked.all("operation"), ",");
  const arena_string sweep = asked["sweep"];
  arena_string typed = format("%s%s configure judge report=report.json", start_of_path_here(),
                              base_name(asked["judge"]));
  if (!components.empty()) typed += " components=" + components;
  if (!operations.empty()) typed += " operations=" + operations;
  arena_string copied = format("%s and %s", asked["judge"], asked["probe"]);
  if (!sweep.empty()) {
    copied = format("%s, %s and %s", asked["judge"], asked["probe"], asked["sweep_program"]);
    typed += format(" sweep=%s && %s%s report=report.json", sweep, start_of_path_here(),
                    base_name(asked["sweep_program"]));
  }
  fix_lines lines = {advice(project(asked, os).without("CuDNNChecked_PROBE_REPORT"))};
  lines.push_back(advice(
      format("copy %s to where the program will run, and start it there as: %s", copied, typed)));
  if (components.empty() && sweep.empty()) {
    const arena_string asks =
        operations.empty() ? arena_string() : format("--operations %s ", operations);
    lines.push_back(
        advice(format("run there, with the directory of this cuDNN: cudnn-checked probe %s--json "
                      "DIRECTORY > report.json",
                      asks)));
  }
  return lines;
}

static message message_of(const request& asked, const system_interface& os, const refusal& why) {
  message made;
  made.name = to_string(finding_id::bad_input);
  made.summary = "the report of the probe cannot be used: " + why.summary;
  if (!why.here.empty()) made.facts.push_back(fact_of("here|" + why.here));
  made.facts.push_back({"report", why.there, asked["report"]});
  made.because = {why.because.empty()
                      ? "What it proved does not apply to the cuDNN that is used here."
                      : why.because};
  made.fixes = ways_to_a_report(asked, os);
  return made;
}

int take_report(const request& asked, const system_interface& os) {
  json report;
  const refusal why = check_report(asked, os, report);
  if (!why.summary.empty()) {
    std::fputs(text_of(message_of(asked, os, why)).c_str(), stdout);
    return 1;
  }
  proof_lines lines;
  lines.add("line", line_of(asked, report));
  add_facts(facts_in(report), lines);
  return replace_file(asked["proof"], lines.whole()).empty() ? 0 : 2;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
