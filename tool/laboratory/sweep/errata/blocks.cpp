// SPDX-License-Identifier: BSD-3-Clause
//
// What cudnn-frontend 1.x does with a rule: check_rule() and check_shape() of
// include/cudnn_frontend_Errata.h, the same in the releases 1.5.2 to 1.32.0.
#include <string_view>

#include "errata.h"

namespace cudnn_checked::sweep {

const char* errata_name(operation what) {
  static constexpr const char* names[] = {"ConvFwd", "ConvBwdData", "ConvBwdFilter"};
  return names[static_cast<int>(what)];
}

std::uint64_t errata_version(const version& cudnn) {
  return static_cast<std::uint64_t>(cudnn.major * unit_of_cudnn(cudnn.major) + cudnn.minor * 100 +
                                    cudnn.patch);
}

// Four extents of a tensor of the operation, as cudnn-frontend takes them.  cuDNN puts the number
// of groups into the shape: N G C H W, G K C R S (observed in 9.14.0 and 9.19.0).  cudnn-frontend
// takes five of these and drops the first.  So the batch is compared with the number of groups, and
// of volumes the width is not there.
struct seen_extents {
  std::int64_t of[4];
};

static seen_extents input_of(const shape& s) {
  return {{s.groups, s.channels / s.groups, s.image[0], s.image[1]}};
}

static seen_extents filter_of(const shape& s) {
  return {{s.filters / s.groups, s.channels / s.groups, s.kernel[0], s.kernel[1]}};
}

// Batch, channels, height, width, in this order.  -1 for one of the last three fits, and forgets
// what was compared before it.
static bool fits_extents(const seen_extents& seen, const std::int64_t* wanted,
                         bool channels_second) {
  static constexpr int nchw[] = {0, 1, 2, 3};
  static constexpr int nhwc[] = {0, 3, 1, 2};
  const int* const places = channels_second ? nchw : nhwc;
  bool fitting = true;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t extent = wanted[places[i]];
    fitting = extent == -1 || (fitting && seen.of[places[i]] == extent);
  }
  return fitting;
}

static bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool blocks(const errata_rule& rule, const version& cudnn, const problem& of, const plan& with,
            errata_reader read_by) {
  if (is_fused(of.what)) return false;
  const std::uint64_t number = errata_version(cudnn);
  if (number < rule.version_start || number >= rule.version_end) return false;
  const std::string tag = std::string(errata_name(of.what)) + "_" + tag_of(with);
  const std::string beginning = rule.operation + "_eng" + std::to_string(rule.engine) + "_";
  if (!begins_with(tag + "_", beginning)) return false;
  for (const std::string& knob : rule.knobs) {
    if (tag.find(knob) == std::string::npos) return false;
  }
  if (read_by == errata_reader::tags || rule.operation != errata_name(of.what)) return true;
  if (rule.names_input && !fits_extents(input_of(of.of), rule.input_shape, rule.channels_second)) {
    return false;
  }
  return !rule.names_filter || fits_extents(filter_of(of.of), rule.filter_shape, true);
}

bool blocks(const errata_file& file, const version& cudnn, const problem& of, const plan& with,
            errata_reader read_by) {
  return any_of(file.rules,
                [&](const errata_rule& rule) { return blocks(rule, cudnn, of, with, read_by); });
}

std::function<bool(const problem&, const plan&)> errata_filter(const std::string& text,
                                                               const version& cudnn,
                                                               std::string& error) {
  errata_file file;
  if (!read_errata(text, file, error)) return {};
  return
      [file, cudnn](const problem& of, const plan& with) { return blocks(file, cudnn, of, with); };
}

}  // namespace cudnn_checked::sweep
