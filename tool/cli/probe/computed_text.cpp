// SPDX-License-Identifier: BSD-3-Clause
#include "probe.h"

#include <algorithm>
#include <cstdio>

#include "../../core/model/one_line.h"
#include "../../core/model/paths.h"
#include "../text/output.h"

namespace cudnn_checked::cli {

/// The convolutions of one API, type, layout and GPU, or the runs of one operation.
struct run_group {
  const convolution* first = nullptr;
  int count = 0;
  int ran = 0;
  int right = 0;
  double error = 0;
  arena_string engines;

  bool holds(const convolution& c) const {
    return c.operation == first->operation && c.api == first->api && c.type == first->type &&
           c.layout == first->layout && c.device == first->device;
  }
  void add(const convolution& c, const convolution_verdict& judged) {
    ++count;
    ran += c.ran ? 1 : 0;
    right += judged.right ? 1 : 0;
    error = std::max(error, c.relative_error);
    const arena_string engine = c.engine < 0 ? arena_string() : to_string(c.engine);
    if (!engine.empty() && (", " + engines + ",").find(", " + engine + ",") == arena_string::npos) {
      engines += (engines.empty() ? "" : ", ") + engine;
    }
  }
  arena_string name() const {
    const arena_string type = to_string(first->type);
    if (is_fused(*first)) return to_string(first->operation) + (" " + type);
    return to_string(first->api) + (" " + type + " ") + to_string(first->layout);
  }
  arena_vector<arena_string> row() const {
    char largest[32] = "";
    if (ran > 0) std::snprintf(largest, sizeof largest, "error %.1e", error);
    const bool by_algorithm =
        is_fused(*first) ? is_legacy(first->operation) : first->api == convolution_api::legacy;
    const char* const what = by_algorithm ? "algorithm " : "engine ";
    return {name(), "GPU " + to_string(first->device),
            to_string(right) + " of " + to_string(count) + " right",
            engines.empty() ? arena_string() : what + engines, largest};
  }
};

/// "  not run: legacy, graph/fp32/nchw: the reason", each reason once.
static arena_string skipped_text(const observation& observed, bool of_operations) {
  arena_vector<skipped_work> reasons;
  for (const skipped_work& work : observed.skipped) {
    if (work.of_operation != of_operations) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const skipped_work& one) { return one.why == work.why; });
    if (known == reasons.end()) {
      reasons.push_back(work);
    } else {
      reasons.in_place()[static_cast<std::size_t>(known - reasons.begin())].what +=
          ", " + work.what;
    }
  }
  arena_string lines;
  for (const skipped_work& one : reasons) {
    lines += "  not run: " + one_line(one.what + ": " + one.why) + "\n";
  }
  return lines;
}

static arena_string runs_text(const observation& observed, const judgement& judged, bool fused) {
  arena_vector<run_group> groups;
  for (std::size_t i = 0; i < observed.convolutions.size(); ++i) {
    const convolution& c = observed.convolutions[i];
    if (is_fused(c) != fused) continue;
    if (groups.empty() || !groups.back().holds(c)) {
      groups.push_back({});
      groups.in_place().back().first = &c;
    }
    groups.in_place().back().add(c, judged.convolutions[i]);
  }
  text_rows rows;
  for (const run_group& group : groups) rows.push_back(group.row());
  return (rows.empty() ? std::string() : aligned(rows)) + skipped_text(observed, fused);
}

arena_string computed_text(const observation& observed, const judgement& judged) {
  const arena_string convolutions = runs_text(observed, judged, false);
  const arena_string operations = runs_text(observed, judged, true);
  arena_string text = "convolutions\n" + (convolutions.empty() ? "  none\n" : convolutions);
  if (!operations.empty()) text += "operations\n" + operations;
  return text;
}

}  // namespace cudnn_checked::cli
