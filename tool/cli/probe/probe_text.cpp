// SPDX-License-Identifier: BSD-3-Clause
#include "probe.h"

#include <algorithm>
#include <cstdio>

#include "../../core/judge/advice/wheel_commands.h"
#include "../../core/judge/identity.h"
#include "../../core/model/dependency_names.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../text/output.h"

namespace cudnn_checked::cli {

static bool is_told(const mapped_object& object) {
  const arena_string name = base_name(object.path);
  const dependency_kind kind = kind_of_dependency(name);
  const bool is_of_cuda = kind != dependency_kind::none && kind != dependency_kind::libz;
  return is_of_cuda || is_cudnn_name(name) || object.soname == driver_library_name();
}

/// The libraries of cuDNN, CUDA and the driver in this process, a directory a row.
static arena_string opened_text(const system_interface& os) {
  arena_vector<arena_vector<arena_string>> rows;
  for (const mapped_object& object : os.mapped_objects()) {
    const arena_string name = base_name(object.path);
    if (!is_told(object)) continue;
    const arena_string directory = directory_part(object.path);
    std::size_t same = 0;
    while (same != rows.size() && rows[same][0] != directory) ++same;
    if (same == rows.size()) {
      rows.push_back({directory, name});
    } else {
      rows.in_place()[same].in_place()[1] += ", " + name;
    }
  }
  return rows.empty() ? "  nothing\n" : aligned(rows);
}

/// The convolutions of one API, type, layout and GPU.
struct convolution_group {
  const convolution* first = nullptr;
  int count = 0;
  int ran = 0;
  int right = 0;
  double error = 0;
  arena_string engines;

  bool holds(const convolution& c) const {
    return c.api == first->api && c.type == first->type && c.layout == first->layout &&
           c.device == first->device;
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
  arena_vector<arena_string> row() const {
    char largest[32] = "";
    if (ran > 0) std::snprintf(largest, sizeof largest, "error %.1e", error);
    const char* const what = first->api == convolution_api::legacy ? "algorithm " : "engine ";
    return {arena_string(to_string(first->api)) + " " + to_string(first->type) + " " +
                to_string(first->layout),
            "GPU " + to_string(first->device),
            to_string(right) + " of " + to_string(count) + " right",
            engines.empty() ? arena_string() : what + engines, largest};
  }
};

/// "  not run: legacy, graph/fp32/nchw: the reason", each reason once.
static arena_string skipped_text(const arena_vector<arena_string>& skipped) {
  arena_vector<arena_string> names;
  arena_vector<arena_string> reasons;
  for (const arena_string& text : skipped) {
    const std::size_t colon = text.find(": ");
    const arena_string reason = colon == arena_string::npos ? arena_string() : text.substr(colon);
    const auto known = std::find(reasons.begin(), reasons.end(), reason);
    if (known == reasons.end()) {
      reasons.push_back(reason);
      names.push_back(text.substr(0, colon));
    } else {
      names.in_place()[static_cast<std::size_t>(known - reasons.begin())] +=
          ", " + text.substr(0, colon);
    }
  }
  arena_string lines;
  for (std::size_t i = 0; i < names.size(); ++i) {
    lines += "  not run: " + one_line(names[i] + reasons[i]) + "\n";
  }
  return lines;
}

static arena_string convolutions_text(const observation& observed, const judgement& judged) {
  arena_vector<convolution_group> groups;
  for (std::size_t i = 0; i < observed.convolutions.size(); ++i) {
    const convolution& c = observed.convolutions[i];
    if (groups.empty() || !groups.back().holds(c)) {
      groups.push_back({});
      groups.in_place().back().first = &c;
    }
    groups.in_place().back().add(c, judged.convolutions[i]);
  }
  arena_vector<arena_vector<arena_string>> rows;
  for (const convolution_group& group : groups) rows.push_back(group.row());
  arena_string text = rows.empty() ? arena_string() : aligned(rows);
  text += skipped_text(observed.skipped);
  return text.empty() ? "  none\n" : text;
}

arena_string overview_of(const probe::probing& p, const system_interface& os) {
  const observation& observed = p.install.observed;
  const judgement& judged = p.install.judged;
  const version& header = p.install.stamped.cudnn_header;
  arena_vector<arena_string> row = {
      judged.computes.known() ? to_string(judged.computes) : arena_string("unknown"),
      p.given.library};
  if (observed.answers.cudart.known()) {
    row.push_back("CUDA " + to_cuda_string(observed.answers.cudart) + " inside");
  }
  if (header.known()) row.push_back("header " + to_string(header));
  return "cuDNN\n" + aligned({row}) + "opened\n" + opened_text(os) + "GPUs\n" +
         gpus_text(observed.devices) + "convolutions\n" + convolutions_text(observed, judged);
}

arena_string summary_of(const json& finished, const arena_string& answer) {
  const bool refused = finished["verdict"].text() == to_string(verdict::refused);
  return "cudnn-checked: " + answer + ": " +
         (refused ? one_line(finished["findings"].elements()[0]["summary"].text())
                  : report_line(finished)) +
         "\n";
}

static const python_environment* environment_with(const observation& observed,
                                                  const arena_string& path) {
  const arena_string site = site_of(path);
  for (const python_environment& e : observed.environments) {
    if (e.site == site) return &e;
  }
  return nullptr;
}

fix_line install_again(const observation& observed, const arena_string& library) {
  for (const cudnn_file& file : observed.files) {
    if (file.path != library || file.package.manager == package_manager::none) continue;
    const python_environment* const e = environment_with(observed, library);
    if (file.package.manager != package_manager::wheel || e == nullptr) {
      return reinstall(file.package);
    }
    wheel_order order;
    order.requirements.push_back(file.package.name + "==" + file.package.number);
    order.again = true;
    return install_wheels(*e, order);
  }
  return advice("reinstall the cuDNN of " + directory_part(library));
}

}  // namespace cudnn_checked::cli
