// SPDX-License-Identifier: BSD-3-Clause
#include "parts.h"

#include <algorithm>
#include <iterator>

namespace cudnn_checked::sweep {

std::string braces(const std::int64_t* values, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return text + "}";
}

const char* type_name(element type) {
  return std::find_if(std::begin(named_types), std::end(named_types),
                      [&](const named_type& one) { return one.type == type; })
      ->name;
}

std::string constant(const std::string& name, const std::string& value, const char* comment) {
  return "constexpr " + name + " = " + value + ";" + comment + "\n";
}

static std::string knobs_text(const plan& of) {
  std::string text;
  for (const knob& k : of.knobs) {
    text += (text.empty() ? "{" : ", {") + std::to_string(k.type) + ", " + std::to_string(k.value) +
            "}";
  }
  return text;
}

std::string plan_constants(const result& r) {
  const auto flag = [](bool is_so) { return is_so ? "true" : "false"; };
  return constant("std::size_t zone", r.what == outcome::outside ? "4096" : "0",
                  "  // bytes around outputs and workspace that must not change") +
         constant("std::size_t offset", r.alignment == 16 ? "16" : "0",
                  "  // the address of a tensor modulo 256") +
         constant("bool may_change", flag(r.what == outcome::changing),
                  "  // another execution gave other bits") +
         constant("bool unbuilt", flag(r.what == outcome::failed && r.alignment == 0),
                  "  // cuDNN failed when it was asked for plans, or made one") +
         constant("bool may_end", flag(r.what == outcome::died || r.what == outcome::hung),
                  "  // the program ended by a signal, or did not end") +
         constant("std::int64_t engine", std::to_string(r.with.engine),
                  r.with.engine < 0 ? "  // the program asks for plans and executes none"
                                    : "  // CUDNN_ATTR_ENGINE_GLOBAL_INDEX") +
         "static const std::vector<knob> knobs = {" + knobs_text(r.with) + "};\n";
}

}  // namespace cudnn_checked::sweep
