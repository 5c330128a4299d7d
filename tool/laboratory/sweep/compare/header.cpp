// SPDX-License-Identifier: BSD-3-Clause
#include "../text/text.h"
#include "parts.h"

namespace cudnn_checked::sweep {

static std::string mib_text(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

static std::string cudnn_text(const machine& on) { return to_string(on.cudnn).c_str(); }
static std::string cuda_text(const version& v) { return to_cuda_string(v).c_str(); }

static std::string gpu_text(const machine& on) {
  if (on.gpu.empty()) return "unknown";
  return on.gpu + (on.capability > 0 ? " (sm_" + std::to_string(on.capability) + ")" : "");
}

static std::string workers_text(const request& asked) {
  return asked.workers == 0 ? "as many as fit" : std::to_string(asked.workers);
}

std::vector<header_row> header_of(const comparison& all) {
  const record& then = *all.then.of;
  const record& now = *all.now.of;
  std::vector<header_row> rows;
  rows.push_back({"cudnn", "cuDNN", cudnn_text(then.on), cudnn_text(now.on), ""});
  rows.push_back({"driver", "driver", "CUDA " + cuda_text(then.on.driver),
                  "CUDA " + cuda_text(now.on.driver), ""});
  rows.push_back({"gpu", "GPU", gpu_text(then.on), gpu_text(now.on), ""});
  rows.push_back({"problems", "problems", std::to_string(then.problems.size()),
                  std::to_string(now.problems.size()), ""});
  const auto add = [&rows](const char* key, const char* what, const std::string& a,
                           const std::string& b, const char* note) {
    if (a != b) rows.push_back({key, what, a, b, note});
  };
  add("gpu_uuid", "GPU's UUID", then.on.gpu_uuid, now.on.gpu_uuid, "another GPU");
  add("cudart", "CUDA of cuDNN", cuda_text(then.on.cudart), cuda_text(now.on.cudart), "");
  add("package", "cudnn-checked", all.then.package, all.now.package,
      "problems and rules may differ");
  add("seed", "seed", std::to_string(then.asked.seed), std::to_string(now.asked.seed),
      "other random problems");
  add("operations", "operations", joined(then.asked.operations, ","),
      joined(now.asked.operations, ","), "");
  add("types", "types", joined(then.asked.types, ","), joined(now.asked.types, ","), "");
  add("workers", "workers", workers_text(then.asked), workers_text(now.asked),
      "times depend on it");
  add("worker_bytes", "memory a worker", mib_text(then.asked.worker_bytes),
      mib_text(now.asked.worker_bytes), "what is supported depends on it");
  add("plan_seconds", "time limit", formatted("%.6g s", then.asked.plan_seconds),
      formatted("%.6g s", now.asked.plan_seconds), "what hangs depends on it");
  if (then.asked.errata != now.asked.errata) {
    rows.push_back({"errata", "errata file", then.asked.errata.empty() ? "none" : "one",
                    now.asked.errata.empty()    ? "none"
                    : then.asked.errata.empty() ? "one"
                                                : "another",
                    "plans that it blocks are not compared"});
  }
  add("interrupted", "ended by a signal", then.interrupted ? "yes" : "no",
      now.interrupted ? "yes" : "no", "");
  return rows;
}

}  // namespace cudnn_checked::sweep
