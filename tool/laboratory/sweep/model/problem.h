// SPDX-License-Identifier: BSD-3-Clause
//
// What is computed: one convolution, one of its gradients, or a fused operation; and what is asked
// of a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../core/model/observation.h"
#include "../../../facts/words.h"
#include "../../fused/input_range.h"

namespace cudnn_checked::sweep {

/// A convolution and its gradients, then fused operations.  The last ones, behind last_of in
/// names.h, are not swept: what is right of them shows only when they are executed (dropout), or
/// needs labels that fit (CTC).
enum class operation {
  forward,
  data_gradient,
  filter_gradient,
#define FUSED(name, text) name,
#include "../../../facts/fused_operations.def"
#undef FUSED
};

/// Each, in its order.
std::vector<operation> all_operations();

/// None of a convolution or its gradients.
fused_operation fused_of(operation which);
inline bool is_fused(operation which) { return fused_of(which) != fused_operation::none; }
/// Of the legacy API: an algorithm computes it, and no engine.
inline bool has_algorithms(operation which) { return is_legacy(fused_of(which)); }
/// A recurrent network, of which it is an algorithm with a math type.
inline bool is_network(operation which) { return is_recurrent(fused_of(which)); }

/// "fwd", "dgrad", "wgrad", "attention/forward".
const char* to_string(operation which);

/// A convolution of two or three dimensions.  Extents are in elements.
struct shape {
  static constexpr int most_dimensions = 3;

  int dimensions = 2;  ///< 2: images, 3: volumes; of the arrays below that many are used
  std::int64_t batch = 1;
  std::int64_t channels = 1;  ///< of the input; a filter has channels / groups
  std::int64_t filters = 1;
  std::int64_t groups = 1;
  std::int64_t image[most_dimensions] = {1, 1, 1};  ///< (depth,) height, width
  std::int64_t kernel[most_dimensions] = {1, 1, 1};
  std::int64_t padding[most_dimensions] = {0, 0, 0};  ///< the same on both sides
  std::int64_t stride[most_dimensions] = {1, 1, 1};
  std::int64_t dilation[most_dimensions] = {1, 1, 1};

  /// The extent of the output along a dimension; 0 or less: there is no such convolution.
  std::int64_t output(int dimension) const;
  /// Products in all: x times w as often as they are multiplied, whatever the operation.
  double products() const;
};

/// Convolutions of that type are computed; of E4M3 there are fused operations alone.
inline bool has_convolutions(element type) { return type != element::e4m3; }

/// The three tensors of a convolution: x * w = y.  The forward operation writes y, the data
/// gradient x, the filter gradient w.
struct problem {
  operation what = operation::forward;
  element type = element::fp32;  ///< of all three tensors; sums are in fp32
  tensor_layout layout = tensor_layout::nchw;
  shape of;
  /// Of a fused operation, in place of layout and `of`: "2x4x192x64 keys 4x192x64, log-sum-exp
  /// -35".
  std::string fused_shape;
  compute::input_range range;  ///< of the first input: x, dy of a filter gradient, A
};

/// "nchw", "nhwc"; "packed" of a fused operation, whose tensors differ in it.
const char* layout_name(operation what, tensor_layout layout);

/// "1x4x5x1 * 16x4x3x3, padding 1, stride 2"; what is 0 padding, stride 1, dilation 1 or one group
/// is left out.  Extents along the dimensions that differ stand as 1x2.
std::string to_string(const shape& of);

/// Of a problem: its shape, whatever it is, and the range of its first input where that is not
/// [-1, 1): ", inputs times 4 plus 0.5".
std::string shape_text(const problem& p);

/// "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2"; "rms-norm/forward bf16 64x512".
std::string to_string(const problem& p);

/// A shape back from its text.  False if it is none, or is not written as to_string does.
bool read_shape(const std::string& text, shape& result);

/// The same back.  False if the text is no problem, is not written as to_string writes it, or
/// names a convolution that has no output.  The shape of a fused operation can be any text: another
/// release has other rows.
bool read_problem(const std::string& text, problem& result);

struct request {
  std::string library;  ///< absolute path of libcudnn.so.N
  double seconds = 60;
  std::vector<operation> operations = {operation::forward, operation::data_gradient,
                                       operation::filter_gradient};
  std::vector<element> types = {element::fp32, element::fp16, element::bf16};
  std::uint64_t seed = 1;  ///< the same seed gives the same list of problems everywhere
  /// The GPUs that share the problems, as CUDA counts them; all of one kind.
  std::vector<int> devices = {0};
  bool each_device = false;  ///< all that there are; `devices` is filled in when that is known
  int workers = 0;           ///< processes side by side; 0: as many as this machine carries
  std::uint64_t worker_bytes = std::uint64_t{1} << 30;  ///< GPU memory that one process allocates
  double plan_seconds = 10;                             ///< a built plan that takes longer has hung
  /// Numbers of the problems to compute, ascending; empty: all from 0 on, until the time is over.
  /// For the process that starts the workers alone.
  std::vector<std::size_t> only;
  std::string errata;           ///< text of an errata file whose plans are left out; empty: none
  bool random = false;          ///< problems are drawn, of no list
  std::vector<problem> listed;  ///< these problems, and no others; empty: those of the list
};

}  // namespace cudnn_checked::sweep
