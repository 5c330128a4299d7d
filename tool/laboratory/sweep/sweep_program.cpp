// SPDX-License-Identifier: BSD-3-Clause
//
// cudnn_checked_sweep: the find module starts it at configure time, if CuDNNChecked_SWEEP asks for
// it and the probe has computed convolutions.  It sweeps the cuDNN of the probe's report, and
// writes that report again with the member `sweep` and its findings.  It is compiled beside
// core/linux/core.cpp, as the probe is, and needs no header and no library of CUDA or cuDNN: it
// opens what the probe used.
//
//   cudnn_checked_sweep report=FILE [probed=FILE] [sweep=FILE] [file=NUMBER]
//
// `probed` is the report of the probe, which was started with sweep=SECONDS; without it, `report`
// is. `sweep` is written as well: what `cudnn-checked sweep --json` prints, with all plans, for
// --reproduce and --against.  What it says goes to the file with the number `file`, else to
// standard output, where the libraries print too.  Its exit status is as of the judge: 0 not
// refused, 1 refused, 2 the arguments are wrong or the report cannot be written, 3 ended by a
// signal.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../../convolution/compare.cpp"
#include "../../convolution/graph.cpp"
#include "../../convolution/plan.cpp"
#include "../../convolution/reference.cpp"
#include "../../convolution/values.cpp"
#include "../../core/json/json_tree_writer.cpp"
#include "../../core/report/proof.h"
#include "../../core/report/report_tree.cpp"
#include "../../opened/cuda_functions.cpp"
#include "../../opened/linux/library.cpp"
#include "../../opened/open_cudnn.cpp"
#include "../../opened/open_driver.cpp"
#include "../../opened/open_environment.cpp"
#include "../../prove/report_file.cpp"
#include "../../spawn/linux/spawn.cpp"
#include "../fused/compare.cpp"
#include "../fused/graph_builder.cpp"
#include "../fused/no_problem.cpp"
#include "../fused/problem_table.cpp"
#include "../recurrent/network.cpp"
#include "judge/defective_gpu.cpp"
#include "judge/engine_finding.cpp"
#include "judge/judge.cpp"
#include "judge/rows.cpp"
#include "model/engine.cpp"
#include "model/fields.cpp"
#include "model/line.cpp"
#include "model/problem.cpp"
#include "model/record.cpp"
#include "no_algorithms.cpp"
#include "pool/ledger.cpp"
#include "pool/pool.cpp"
#include "pool/pool_member.cpp"
#include "pool/stop_signals.cpp"
#include "pool/worker_count.cpp"
#include "pool/worker_main.cpp"
#include "pool/worker_process.cpp"
#include "problems/problems.cpp"
#include "problems/random_shape.cpp"
#include "report/report_json.cpp"
#include "speed/performance.cpp"
#include "text/text.cpp"
#include "work/device_memory.cpp"
#include "work/engines.cpp"
#include "work/numbers.cpp"
#include "work/plan_list.cpp"
#include "work/plan_runner.cpp"
#include "work/problem_graph.cpp"
#include "work/worker.cpp"

namespace cudnn_checked::sweep {

enum exit_status : int { exit_accepted = 0, exit_refused = 1, exit_usage = 2, exit_ended = 3 };

struct program_arguments {
  const char* report = nullptr;
  const char* probed = nullptr;
  const char* sweep = nullptr;
  int file = STDOUT_FILENO;
};

static bool read_arguments(int count, char** arguments, program_arguments& result) {
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument.substr(0, 7) == "report=") {
      result.report = arguments[i] + 7;
    } else if (argument.substr(0, 7) == "probed=") {
      result.probed = arguments[i] + 7;
    } else if (argument.substr(0, 6) == "sweep=") {
      result.sweep = arguments[i] + 6;
    } else if (argument.substr(0, 5) == "file=") {
      result.file = std::atoi(arguments[i] + 5);
    } else {
      return false;
    }
  }
  if (result.probed == nullptr) result.probed = result.report;
  return result.report != nullptr;
}

static std::string kind_of(const json& probed, int device) {
  for (const json& one : probed["devices"].elements()) {
    if (std::atoi(one["index"].text().c_str()) == device) {
      return std::string(one["architecture"].text()) + " " + std::string(one["name"].text());
    }
  }
  return {};
}

/// What the report of the probe asks for.  False if it is no such report.
static bool request_of(const json& probed, request& asked) {
  const arena_string& seconds = probed["sweep"]["asked"].text();
  asked.seconds = std::strtod(seconds.c_str(), nullptr);
  asked.library = probed["cudnn"]["library"]["path"].text().c_str();
  // The first GPU that computed, and those of its kind that did.
  asked.devices.clear();
  for (const json& run : probed["convolutions"].elements()) {
    const int device = std::atoi(run["device"].text().c_str());
    std::vector<int>& known = asked.devices;
    if (run["status"].text() == "ok" &&
        (known.empty() || kind_of(probed, device) == kind_of(probed, known.front()))) {
      add_once(device, known);
    }
  }
  return !asked.devices.empty() && asked.seconds > 0 && !asked.library.empty();
}

/// The member `sweep`: what a report of the command has, without its problems and findings.
static json swept(const json& whole, double asked) {
  json made = json::object();
  made.add_number("asked", static_cast<long long>(asked));
  for (const char* const key :
       {"verdict", "request", "machine", "gpus", "seconds", "why_not", "counts", "rows"}) {
    made.add(key, json(whole[key]));
  }
  return made;
}

static verdict verdict_of(const arena_string& text) {
  for (const verdict known : {verdict::unknown, verdict::warning, verdict::refused}) {
    if (text == to_string(known)) return known;
  }
  return verdict::ok;
}

/// The report of the probe with what the sweep found: its own findings stay, in front of those of
/// equal weight.
static json with_sweep(const json& probed, json&& sweep, const json& findings, verdict result) {
  json made = json::object();
  for (std::size_t i = 0; i < probed.keys().size(); ++i) {
    const arena_string& key = probed.keys()[i];
    if (key == "sweep") continue;
    if (key == "verdict") {
      made.add_string("verdict", to_string(result));
    } else if (key == "findings") {
      json all = json::array();
      for (const char* const weight : {"error", "warning", "unknown", "note"}) {
        for (const json* const list : {&probed["findings"], &findings}) {
          for (const json& item : list->elements()) {
            if (item["severity"].text() == weight) all.add(json(item));
          }
        }
      }
      made.add("findings", std::move(all));
    } else {
      made.add(key, json(probed.elements()[i]));
    }
  }
  made.add("sweep", std::move(sweep));
  return made;
}

static int usage_error(const std::string& error) {
  std::fprintf(stderr, "cudnn_checked_sweep: error: %s\n", error.c_str());
  return exit_usage;
}

/// A GPU computed for the probe, and none did here.
static void add_not_swept(const record& of, arena_vector<finding>& findings) {
  finding& f = add_finding<finding_id::not_verified>(findings);
  f.weight = severity::unknown;
  f.summary = "no engine was swept";
  f.found = {"sweep", of.why_not.c_str(), of.asked.library.c_str()};
  f.because = "CuDNNChecked_SWEEP asks for it, and the probe could compute.";
  f.fix.push_back(advice("check whether the GPU has memory left for other processes: nvidia-smi"));
}

/// "1204 plans of 61 problems swept in 10 s".
static std::string line_of(const record& of) {
  if (of.results.empty()) return "not swept: " + of.why_not;
  return std::to_string(of.results.size() + of.right_left_out) + " plans of " +
         std::to_string(of.problems.size()) + " problems swept in " +
         formatted("%.3g s", of.seconds) +
         (of.gpus.size() > 1 ? " on " + std::to_string(of.gpus.size()) + " GPUs" : "");
}

static int main_of_sweep(int count, char** arguments) {
  program_arguments given;
  if (!read_arguments(count, arguments, given))
    return usage_error("report=FILE [probed=FILE] [sweep=FILE]");
  arena_string text;
  json probed;
  arena_string error;
  request asked;
  const linux_system os(environ, execution_mode::ordinary);
  if (!os.read_text(given.probed, text) || !parse_json(text, probed, error) ||
      !request_of(probed, asked)) {
    return usage_error(std::string(given.probed) +
                       " is no report of a probe that computed and that asks for a sweep");
  }
  const record seen = run_pool(asked, [](const sweep_progress&) {});
  if (seen.interrupted) return exit_ended;
  follow_up next;
  next.directory = asked.library.substr(0, asked.library.rfind('/'));
  next.configuring = true;
  if (given.sweep != nullptr) next.report = given.sweep;
  sweep_judgement judged = judge_record(seen, next);
  if (seen.results.empty() && judged.findings.empty()) add_not_swept(seen, judged.findings);
  const verdict result = std::max(judged.result, verdict_of(probed["verdict"].text()));
  json whole;
  (void)parse_json(report_json(seen, judged), whole, error);
  const json finished = with_sweep(probed, swept(whole, asked.seconds), whole["findings"], result);
  // The report of a sweep alone proves nothing.
  if ((given.sweep != nullptr && !prove::write_report(given.sweep, whole.print(), {}, error)) ||
      !prove::write_report(given.report, finished.print(), proof_of(facts_in(finished)), error)) {
    return usage_error(error.c_str());
  }
  if (judged.result != verdict::refused) ::dprintf(given.file, "%s\n", line_of(seen).c_str());
  if (judged.result != verdict::ok) {
    const arena_string prefix = arena_string("cudnn_checked: ") + to_string(judged.result);
    ::dprintf(given.file, "%s",
              findings_message(judged.findings, prefix, severity::unknown).c_str());
  }
  return judged.result == verdict::refused ? exit_refused : exit_accepted;
}

}  // namespace cudnn_checked::sweep

int main(int count, char** arguments) {
  (void)cudnn_checked::sweep::worker_main(count, arguments);
  return cudnn_checked::sweep::main_of_sweep(count, arguments);
}
