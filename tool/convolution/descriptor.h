// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>
#include <cudnn_backend.h>

#include <cstdint>

#include "owner.h"

namespace cudnn_checked::compute {

/// A call of cuDNN's graph API that failed.  The texts are literals and nothing is allocated:
/// most engines refuse most problems.
struct failure {
  cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
  const char* call = "";     ///< "cudnnBackendSetAttribute"
  const char* subject = "";  ///< the attribute, or the type of the descriptor; may be empty
};

/// True on success; otherwise writes `told`.
inline bool noted(cudnnStatus_t status, const char* call, const char* subject, failure& told) {
  if (status != CUDNN_STATUS_SUCCESS) told = {status, call, subject};
  return status == CUDNN_STATUS_SUCCESS;
}

/// One object of the graph API.  Steps that fail return false and name the attribute in `told`.
/// cudnnGetLastErrorString must be called before the next call of cuDNN.
class descriptor {
 public:
  bool create(cudnnBackendDescriptorType_t type, failure& told) {
    return noted(cudnnBackendCreateDescriptor(type, held_.receive()),
                 "cudnnBackendCreateDescriptor", "", told);
  }
  bool set(cudnnBackendAttributeName_t attribute, const char* name,
           cudnnBackendAttributeType_t type, std::int64_t count, const void* values,
           failure& told) {
    return noted(cudnnBackendSetAttribute(held_.get(), attribute, type, count, values),
                 "cudnnBackendSetAttribute", name, told);
  }
  bool set(cudnnBackendAttributeName_t attribute, const char* name, const descriptor& value,
           failure& told) {
    const cudnnBackendDescriptor_t raw = value.get();
    return set(attribute, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw, told);
  }
  bool set(cudnnBackendAttributeName_t attribute, const char* name, std::int64_t value,
           failure& told) {
    return set(attribute, name, CUDNN_TYPE_INT64, 1, &value, told);
  }
  /// `count` becomes the number of values that there are, which can be more than `room`.
  bool get(cudnnBackendAttributeName_t attribute, const char* name,
           cudnnBackendAttributeType_t type, std::int64_t room, std::int64_t& count, void* values,
           failure& told) const {
    return noted(cudnnBackendGetAttribute(held_.get(), attribute, type, room, &count, values),
                 "cudnnBackendGetAttribute", name, told);
  }
  bool finalize(const char* type_name, failure& told) {
    return noted(cudnnBackendFinalize(held_.get()), "cudnnBackendFinalize", type_name, told);
  }
  cudnnBackendDescriptor_t get() const { return held_.get(); }

 private:
  owner<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor> held_;
};

// The name of an attribute is its own text.
#define CUDNN_CHECKED_NAMED(attribute) attribute, #attribute

}  // namespace cudnn_checked::compute
