// SPDX-License-Identifier: BSD-3-Clause
//
// Which attributes the objects of the graph API have.
#pragma once

#include <cudnn.h>

namespace simulated {

enum class use { one, several, answered };

struct attribute_rule {
  cudnnBackendDescriptorType_t owner;
  cudnnBackendAttributeName_t name;
  cudnnBackendAttributeType_t type;
  use how;
};

/// Null where an object of that type has no such attribute.
const attribute_rule* find_rule(cudnnBackendDescriptorType_t owner,
                                cudnnBackendAttributeName_t name);

bool is_known(cudnnBackendDescriptorType_t type);

}  // namespace simulated
