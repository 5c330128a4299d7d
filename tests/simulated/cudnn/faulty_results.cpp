// SPDX-License-Identifier: BSD-3-Clause
//
// What faulty engines leave in memory.
#include <algorithm>
#include <cstring>

#include "../cuda/driver_functions.h"
#include "engine_faults.h"
#include "services.h"

namespace simulated {

/// Memory as elements of two or four bytes, in the order of memory.
struct elements {
  unsigned char* bytes;
  std::size_t width;
  std::size_t count;

  unsigned char* at(std::size_t index) const { return bytes + index * width; }
  bool is_zero(std::size_t index) const {
    for (std::size_t i = 0; i + 1 < width; ++i) {
      if (at(index)[i] != 0) return false;
    }
    return (at(index)[width - 1] & 0x7f) == 0;
  }
  void negate(std::size_t index) const { at(index)[width - 1] ^= 0x80; }
  /// In each type, and other bits than memory that nobody wrote.
  void make_nan(std::size_t index) const {
    std::memset(at(index), 0xff, width - 1);
    at(index)[width - 1] = 0x7f;
  }
};

static elements elements_of(const tensor_view& tensor, void* data) {
  return {static_cast<unsigned char*>(data), tensor.width(), tensor.bytes() / tensor.width()};
}

/// Writes beside an array, where that memory is there: elsewhere a GPU would stop.
static void write_beside(void* at) {
  if (is_device_memory(at, 16)) std::memset(at, 0x11, 16);
}

/// Is there something beside the first input, where the engine must not look?
static bool has_neighbour(const convolution& what, const arguments& where) {
  void* const input = what.what == operation::data_gradient ? where.w : where.x;
  const auto* const before = static_cast<const unsigned char*>(input) - 1;
  return is_device_memory(before, 1) && *before != 0;
}

/// Another last bit of the first element that is not zero, each second time.
static void change_a_bit(const elements& output) {
  static unsigned executions = 0;
  if (++executions % 2 == 0) return;
  for (std::size_t i = 0; i < output.count; ++i) {
    if (output.is_zero(i)) continue;
    output.at(i)[0] ^= 1;
    return;
  }
}

int compute_with_faults(const convolution& what, const offer& chosen, const arguments& where,
                        void* workspace, bool dirty, bool unaligned) {
  const auto has = [&](const char* kind) {
    return has_fault(kind, what, chosen, moment::execute, unaligned);
  };
  const bool misled = (dirty && has("engine-reads-workspace")) ||
                      (has("engine-reads-beside") && has_neighbour(what, where));
  const tensor_view& tensor = what.output();
  const elements output = elements_of(tensor, output_of(what, where));
  // The last quarter, at least one.
  const std::size_t kept = output.count - std::max<std::size_t>(1, output.count / 4);
  std::vector<unsigned char> before;
  if (has("engine-unwritten") && is_device_memory(output.bytes, tensor.bytes())) {
    before.assign(output.at(kept), output.at(output.count));
  }
  const int status =
      cudnn_simulated_services()->compute("graph", chosen.from.precompiled, what, where);
  if (status != 0) return status;
  if (!before.empty()) std::memcpy(output.at(kept), before.data(), before.size());
  const bool wrong = has("engine-wrong");
  for (std::size_t i = output.count / 2; i < output.count; ++i) {
    if (wrong) output.negate(i);
    if (misled) output.make_nan(i);
  }
  if (has("engine-changing") ||
      (chosen.says(CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC) && tensor.type == CUDNN_DATA_FLOAT)) {
    change_a_bit(output);
  }
  if (has("engine-outside")) write_beside(output.at(output.count));
  if (has("engine-before")) write_beside(output.bytes - 16);
  if (has("engine-workspace") && workspace != nullptr) {
    write_beside(static_cast<unsigned char*>(workspace) + chosen.workspace());
  }
  if (has("engine-input")) {
    const bool reads_x = what.what != operation::data_gradient;
    elements_of(reads_x ? what.x : what.w, reads_x ? where.x : where.w).negate(0);
  }
  return 0;
}

}  // namespace simulated
