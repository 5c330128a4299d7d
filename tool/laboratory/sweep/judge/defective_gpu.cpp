// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "../../../core/judge/advice/advice.h"
#include "../../../core/judge/rules/rules.h"
#include "../text/text.h"
#include "judge.h"

namespace cudnn_checked::sweep {

// One plan may differ by chance: an engine that reads what nobody wrote is right now and then.
static constexpr std::size_t least_wrong_alone = 2;

static bool is_silent_damage(outcome what) {
  return what == outcome::wrong || what == outcome::unwritten || what == outcome::outside ||
         what == outcome::changing;
}

namespace {

using engine_key = std::tuple<std::int64_t, operation, tensor_layout, element>;

/// What two GPUs made of the same plans of an engine.
struct disagreement {
  std::map<int, std::size_t> wrong_alone;  ///< by device
  std::map<int, std::size_t> example;      ///< the first, an index of results
  bool wrong_on_both = false;
};

}  // namespace

static std::map<engine_key, disagreement> compare_gpus(const record& seen) {
  std::map<std::pair<std::size_t, std::string>, const result*> again;
  for (const result& r : seen.again) again[{r.problem, tag_of(r.with)}] = &r;
  std::map<engine_key, disagreement> all;
  for (std::size_t i = 0; i < seen.results.size(); ++i) {
    const result& r = seen.results[i];
    const auto other = again.find({r.problem, tag_of(r.with)});
    if (other == again.end() || !is_silent_damage(r.what)) continue;
    const problem& p = seen.problems[r.problem];
    disagreement& of = all[{r.with.engine, p.what, p.layout, p.type}];
    if (is_silent_damage(other->second->what)) of.wrong_on_both = true;
    if (!is_sound(other->second->what)) continue;
    const int device = seen.computed_on[r.problem];
    ++of.wrong_alone[device];
    of.example.emplace(device, i);
  }
  return all;
}

static std::string described(const record& seen, const result& r) {
  return to_string(seen.problems[r.problem]) + ", plan " + tag_of(r.with) + ", " +
         (r.what == outcome::wrong ? formatted("relative error %.2g", r.relative_error)
                                   : std::string(to_string(r.what)));
}

/// Fills in wrong_alone and example of those that are defective.
static void find_defective(record& seen) {
  std::map<int, std::size_t> counts;
  std::map<int, std::size_t> examples;
  for (const auto& [engine, of] : compare_gpus(seen)) {
    // Wrong on two GPUs, it is the engine.
    if (of.wrong_on_both || of.wrong_alone.size() != 1) continue;
    counts[of.wrong_alone.begin()->first] += of.wrong_alone.begin()->second;
    examples.insert(*of.example.begin());
  }
  for (swept_gpu& one : seen.gpus) {
    if (counts[one.device] < least_wrong_alone) continue;
    one.wrong_alone = counts[one.device];
    one.example = described(seen, seen.results[examples[one.device]]);
  }
}

void set_defective_gpus_apart(record& seen) {
  find_defective(seen);
  std::set<int> defective;
  for (swept_gpu& one : seen.gpus) {
    one.problems = static_cast<std::size_t>(
        std::count(seen.computed_on.begin(), seen.computed_on.end(), one.device));
    if (one.wrong_alone != 0) defective.insert(one.device);
  }
  const auto is_apart = [&](const result& r) {
    return defective.count(seen.computed_on[r.problem]) != 0;
  };
  std::vector<result>& results = seen.results;
  results.erase(std::remove_if(results.begin(), results.end(), is_apart), results.end());
  std::set<std::size_t> replaced;
  for (const result& r : seen.again) {
    if (!is_apart(r) || r.what == outcome::unsupported) continue;
    results.push_back(r);
    replaced.insert(r.problem);
  }
  for (std::size_t i = 0; i < seen.problems.size() && !defective.empty(); ++i) {
    const bool lost = defective.count(seen.computed_on[i]) != 0 && replaced.count(i) == 0;
    const std::vector<std::size_t>& open = seen.unfinished;
    if (lost && std::find(open.begin(), open.end(), i) == open.end()) seen.unfinished.push_back(i);
  }
  std::sort(seen.unfinished.begin(), seen.unfinished.end());
  seen.again.clear();
}

/// The UUIDs of those that compute right.
static arena_string sound_gpus(const record& of) {
  arena_string list;
  for (const swept_gpu& one : of.gpus) {
    if (one.wrong_alone != 0 || !one.why_not.empty() || one.uuid.empty()) continue;
    list += (list.empty() ? "" : ",") + core_text(one.uuid);
  }
  return list;
}

arena_vector<finding> gpu_findings(const record& of) {
  arena_vector<finding> findings;
  for (const swept_gpu& one : of.gpus) {
    if (one.wrong_alone == 0 && one.why_not.empty()) continue;
    const arena_string gpu = "GPU " + cudnn_checked::to_string(one.device);
    finding f(one.wrong_alone != 0 ? finding_id::wrong_numbers : finding_id::convolution_failed);
    if (one.wrong_alone != 0) {
      f.summary = gpu + " computes wrong numbers: " + core_text(std::to_string(one.wrong_alone)) +
                  " plans that another GPU computes right";
      f.found = {"computed", core_text(one.example), {}};
      f.because =
          "CUDA and cuDNN report no error, and others of its kind compute right: it is the GPU.";
    } else {
      f.summary = gpu + " computes nothing, and others of its kind do";
      f.found = {"answered", core_text(one.why_not), {}};
      f.because = why<finding_id::convolution_failed>();
    }
    f.more.push_back({gpu, one.uuid.empty() ? arena_string("no UUID") : core_text(one.uuid),
                      core_text(of.on.gpu)});
    f.fix = {command("export CUDA_VISIBLE_DEVICES=" + sound_gpus(of)),
             command(one.uuid.empty() ? arena_string("nvidia-smi -q")
                                      : "nvidia-smi -q -i " + core_text(one.uuid)),
             command("dcgmi diag -r 3")};
    findings.push_back(f);
  }
  return findings;
}

}  // namespace cudnn_checked::sweep
