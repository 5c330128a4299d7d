// SPDX-License-Identifier: BSD-3-Clause
#include "status.h"

#include "platform.h"

namespace cudnn_checked::probe {

/// cuDNN's message about the last call that failed; empty before cuDNN 9.0.
static std::string cudnn_last_error() {
  // Looked up at run time: a header of cuDNN 9 with a library of 8 must be a finding, not a link
  // error.
  using last_error = void (*)(char*, size_t);
  const auto ask = reinterpret_cast<last_error>(find_function("cudnnGetLastErrorString"));
  if (ask == nullptr) return {};
  char text[512] = "";
  ask(text, sizeof text);
  text[sizeof text - 1] = '\0';
  return text;
}

static void note_memory(run_facts& result) {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  // Out of memory is the usual cause of a failure, and this is the only moment to see it.
  if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) {
    result.memory_free = static_cast<long long>(free_bytes);
    result.memory_total = static_cast<long long>(total_bytes);
  } else {
    (void)cudaGetLastError();  // of this question, not of the call that failed
  }
}

bool succeeded(cudnnStatus_t status, const char* call, run_facts& result) {
  if (status == CUDNN_STATUS_SUCCESS) return true;
  result.ran = false;
  result.failed_call = call;
  result.status = static_cast<int>(status);
  result.status_text = cudnn_last_error();  // first: other calls replace it
  result.status_name = cudnnGetErrorString(status);
  note_memory(result);
  return false;
}

bool succeeded(cudaError_t status, const char* call, run_facts& result) {
  if (status == cudaSuccess) return true;
  result.ran = false;
  result.failed_call = call;
  result.status = static_cast<int>(status);
  result.status_name = name_of_error(status);
  result.status_text = text_of_error(status);
  note_memory(result);
  return false;
}

static std::string text_or_nothing(const char* text) { return text != nullptr ? text : ""; }

std::string name_of_error(cudaError_t status) { return text_or_nothing(cudaGetErrorName(status)); }

std::string text_of_error(cudaError_t status) {
  return text_or_nothing(cudaGetErrorString(status));
}

std::string describe(cudaError_t status, const char* call) {
  const std::string number = std::to_string(static_cast<int>(status));
  const std::string name = name_of_error(status);
  return std::string(call) + ": " + number +
         (name.empty() ? std::string() : " " + name + ", " + text_of_error(status));
}

}  // namespace cudnn_checked::probe
