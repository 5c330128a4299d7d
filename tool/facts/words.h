// SPDX-License-Identifier: BSD-3-Clause
//
// The words that the probe tells and core judges: what is computed, in which type and layout, with
// which arithmetic.  Each is an enumeration, and has one name in lines, options and reports.
#pragma once

#include <cstddef>
#include <string_view>

#include "namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

enum class convolution_api : unsigned char { legacy, graph };
enum class element : unsigned char { fp32, fp16, bf16, e4m3, e5m2 };
constexpr bool is_fp8(element type) { return type >= element::e4m3; }
enum class tensor_layout : unsigned char { nchw, nhwc };

/// The arithmetic of a convolution, on which its tolerance rests.
enum class convolution_math : unsigned char {
  unknown,
  fma,
  tf32,
  tensor_core,
  winograd,
  winograd_tf32,
  fft,
  reduced_precision  ///< sums in less than fp32
};

/// none: a single convolution.
enum class fused_operation : unsigned char {
  none,
#define FUSED(name, text) name,
#include "fused_operations.def"
#undef FUSED
};

/// All operations, without `none`.
inline constexpr fused_operation fused_operations[] = {
#define FUSED(name, text) fused_operation::name,
#include "fused_operations.def"
#undef FUSED
};

/// Whether the operation is one of the legacy API, which is no graph: algorithms compute it, not
/// engines.  These are the last operations of the table.
constexpr bool is_legacy(fused_operation operation) {
  return operation >= fused_operation::rnn_forward;
}

/// Whether it is a recurrent network.
constexpr bool is_recurrent(fused_operation operation) {
  return is_legacy(operation) && operation <= fused_operation::gru_backward;
}

// In the order of the enumerations.
inline constexpr const char* convolution_api_names[] = {"legacy", "graph"};
inline constexpr const char* element_names[] = {"fp32", "fp16", "bf16", "e4m3", "e5m2"};
inline constexpr const char* tensor_layout_names[] = {"nchw", "nhwc"};
inline constexpr const char* convolution_math_names[] = {
    "", "fma", "tf32", "tensor-core", "winograd", "winograd-tf32", "fft", "reduced-precision"};
inline constexpr const char* fused_operation_names[] = {
    "",
#define FUSED(name, text) text,
#include "fused_operations.def"
#undef FUSED
};

/// "legacy", "graph".
constexpr const char* to_string(convolution_api api) {
  return convolution_api_names[static_cast<int>(api)];
}
/// "fp32", "fp16", "bf16"; "e4m3" and "e5m2" are FP8 types.
constexpr const char* to_string(element type) { return element_names[static_cast<int>(type)]; }
/// "nchw", "nhwc".
constexpr const char* to_string(tensor_layout layout) {
  return tensor_layout_names[static_cast<int>(layout)];
}
/// "fma", "winograd-tf32", "reduced-precision", ...; empty for unknown.
constexpr const char* to_string(convolution_math math) {
  return convolution_math_names[static_cast<int>(math)];
}
/// "attention/backward"; empty for none.
constexpr const char* to_string(fused_operation operation) {
  return fused_operation_names[static_cast<int>(operation)];
}

/// Finds the value of a name in a table of names; returns false if the table lacks the name.
template <class word, std::size_t count>
bool parse_word(std::string_view text, const char* const (&names)[count], word& value) {
  for (std::size_t i = 0; i < count; ++i) {
    if (text != names[i]) continue;
    value = static_cast<word>(i);
    return true;
  }
  return false;
}

inline bool parse_word(std::string_view text, convolution_api& value) {
  return parse_word(text, convolution_api_names, value);
}
inline bool parse_word(std::string_view text, element& value) {
  return parse_word(text, element_names, value);
}
inline bool parse_word(std::string_view text, tensor_layout& value) {
  return parse_word(text, tensor_layout_names, value);
}
inline bool parse_word(std::string_view text, convolution_math& value) {
  return parse_word(text, convolution_math_names, value);
}
inline bool parse_word(std::string_view text, fused_operation& value) {
  return parse_word(text, fused_operation_names, value);
}

/// What a step of the probe calls, where that decides what helps against its crash.
enum class step_kind : unsigned char {
  other,     ///< cuDNN or CUDA
  kernel,    ///< the kernel that the project's CUDA compiler made
  operation  ///< cuDNN, for a fused operation
};
inline constexpr const char* step_kind_names[] = {"", "kernel", "operation"};
/// "kernel", "operation"; empty for any other.
constexpr const char* to_string(step_kind kind) { return step_kind_names[static_cast<int>(kind)]; }
inline bool parse_word(std::string_view text, step_kind& kind) {
  return parse_word(text, step_kind_names, kind);
}

/// What the probe computes of single convolutions.  The two APIs make cuDNN use other libraries:
/// the legacy one cnn, ops and the precompiled engines, the graph API graph, heuristic and the
/// runtime-compiled ones.
struct convolution_kind {
  const char* name;  ///< "graph/fp16/nchw"
  convolution_api api;
  element number;
  tensor_layout order;

  constexpr bool legacy() const { return api == convolution_api::legacy; }
};

inline constexpr convolution_kind convolution_kinds[] = {
    {"legacy", convolution_api::legacy, element::fp32, tensor_layout::nchw},
    {"graph/fp32/nchw", convolution_api::graph, element::fp32, tensor_layout::nchw},
    {"graph/fp32/nhwc", convolution_api::graph, element::fp32, tensor_layout::nhwc},
    {"graph/fp16/nchw", convolution_api::graph, element::fp16, tensor_layout::nchw},
    {"graph/fp16/nhwc", convolution_api::graph, element::fp16, tensor_layout::nhwc},
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
