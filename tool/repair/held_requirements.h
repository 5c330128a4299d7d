// SPDX-License-Identifier: BSD-3-Clause
//
// Requirements of the packages in an environment: a repair that breaks one moves the fault to
// another place.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../core/model/finding.h"
#include "../core/model/repair.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

struct held_requirement {
  std::string site;
  std::string package;  ///< who asks: "torch 2.9.1"
  std::string name;     ///< of the package that is asked for
  std::string specifiers;
  bool installed = false;  ///< false: what is asked for is not there
};

/// The requirements in the environments of a system; each environment is read once.
class held_requirements {
 public:
  explicit held_requirements(const system_interface& os) : os_(os) {}

  /// Of the environments that the steps change: a requirement that held before them, or for which
  /// nothing was installed, and that the packages on `after` do not satisfy; null: none.
  const held_requirement* find_broken(const arena_vector<repair>& steps,
                                      const system_interface& after);

  /// The same with the very number that another package requires, where "==9.14.0.*" allows it, and
  /// with what others require of that which comes with it.
  fix_line as_required(const fix_line& line);

 private:
  const std::vector<held_requirement>& of(const arena_string& site);

  const system_interface& os_;
  std::map<std::string, std::vector<held_requirement>> sites_;
};

}  // namespace cudnn_checked::repairs
