// SPDX-License-Identifier: BSD-3-Clause
//
// Objects of the graph API.  Attributes are kept as they were set; finalizing turns them into what
// follows from them, by value, so that no object needs another one afterwards.
#pragma once

#include <cudnn.h>

#include <cstring>
#include <memory>
#include <vector>

#include "convolution.h"
#include "engines.h"
#include "operation_graph.h"
#include "services.h"

namespace simulated {

struct attribute {
  cudnnBackendAttributeName_t name;
  cudnnBackendAttributeType_t type;
  std::int64_t count;
  std::vector<unsigned char> bytes;
};

struct descriptor {
  cudnnBackendDescriptorType_t type;
  bool finalized = false;
  std::vector<attribute> attributes;

  tensor_view tensor;
  std::size_t rank = 0;  ///< of a tensor: 3 to 5
  std::int64_t uid = 0;
  place where = place::memory;
  convolution what;           ///< of convolutions, operations and all that contain one
  std::int64_t uids[3] = {};  ///< of x, w and y
  /// Of graphs of several operations and all that contain one, else null.
  std::shared_ptr<const operation_graph> several;
  cudnnHandle_t handle = nullptr;  ///< of graphs and plans, null where none was set
  std::vector<offer> offers;       ///< of heuristics; one for engines, configurations and plans

  const attribute* find(cudnnBackendAttributeName_t name) const;
  /// The elements of an attribute; empty where it was not set.
  template <typename T>
  std::vector<T> values(cudnnBackendAttributeName_t name) const {
    const attribute* const found = find(name);
    if (found == nullptr) return {};
    std::vector<T> all(static_cast<std::size_t>(found->count));
    std::memcpy(all.data(), found->bytes.data(), found->bytes.size());
    return all;
  }
  template <typename T>
  T value(cudnnBackendAttributeName_t name, T otherwise) const {
    const std::vector<T> all = values<T>(name);
    return all.empty() ? otherwise : all[0];
  }
  /// The finalized object of a type that an attribute names, or null.
  const descriptor* part(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t kind) const;
};

/// Where an axis of a tensor of that rank is in a tensor_view: rows and columns are the last two.
inline std::size_t place_of_axis(std::size_t axis, std::size_t rank) {
  const std::size_t outer = rank == 3 ? 1 : 2;
  return axis >= outer ? axis + 5 - rank : axis;
}

/// Fills in what follows from the attributes; a status of cuDNN 9.
int finalize(descriptor& d);

}  // namespace simulated
