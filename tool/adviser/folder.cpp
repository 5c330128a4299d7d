// SPDX-License-Identifier: BSD-3-Clause
#include "folder.h"

#include "../core/model/format.h"
#include "environment.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

fix_line say_in_words(const request& asked, const wheel_order& order) {
  string text =
      format("in a Python environment, which %s then names: pip install", asked["variable"]);
  if (order.again) text += " --force-reinstall --no-deps";
  for (const string& requirement : order.requirements) text += " " + quoted(requirement);
  return advice(text);
}

fix_lines install_below(const request& asked, const system_interface& os,
                        const wheel_order& order) {
  const bool cross = asked["cross"] == "yes";
  const python_environment e = environment_at(asked, os, asked["own"]);
  const bool tool = has_pip(asked, os) || (!cross && is_on_path(os, "uv"));
  const fix_lines line = typed(install_wheels(e, order));
  const string configure = asked["configure"];
  if (cross && !tool && !line.empty()) {
    return {advice(format("with a Python that has pip: %s && %s", line.front().text, configure))};
  }
  if (!tool || line.empty()) return {say_in_words(asked, order)};
  if (asked["configure_is"] == "command") {
    fix_line both = line.front();
    both.text += " && " + configure;
    return {both};
  }
  return {line.front(), advice(configure)};
}

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
