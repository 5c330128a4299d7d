// SPDX-License-Identifier: BSD-3-Clause
//
// The program that `cudnn-checked sweep --reproduce` prints for a convolution.  In the printed
// program the constants of the failure replace failure.inc, and the contents of the other files
// replace their #include lines.  It needs only cuDNN and the CUDA runtime.

#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "status.h"

using namespace cudnn_checked::opened;

// The convolution x * w = y.
enum tensor { X, W, Y };
struct knob {
  int type;
  std::int64_t value;
};

#include "failure.inc"

#include "ends.h"

#include "calls.h"
#include "numbers.h"

/// The dimensions that cuDNN takes: batch, channels, height and width, with a depth if there is
/// one.
static std::vector<std::int64_t> as_dimensions(const std::int64_t* five) {
  std::vector<std::int64_t> values(five, five + 5);
  if (spatial == 2) values.erase(values.begin() + 2);
  return values;
}

static descriptor make_tensor(tensor t) {
  descriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const std::int64_t id = t + 1;
  const std::int64_t alignment = 16;
  made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &data_type);
  made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, spatial + 2,
           as_dimensions(extent[t]).data());
  made.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, spatial + 2,
           as_dimensions(stride[t]).data());
  made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &id);
  made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
  made.finalize("finalize tensor");
  return made;
}

static descriptor make_convolution() {
  descriptor made(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const cudnnDataType_t compute_type = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  const std::int64_t dimensions = spatial;
  const int skipped = 3 - spatial;
  made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute_type);
  made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
  made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &dimensions);
  made.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, spatial, dilation + skipped);
  made.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, spatial, step + skipped);
  made.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, spatial, padding + skipped);
  made.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, spatial, padding + skipped);
  made.finalize("finalize convolution");
  return made;
}

struct operation {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t tensors[3], convolution, alpha, beta;
};
/// The index is the tensor that cuDNN writes.
static const operation operations[] = {
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
     {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
      CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY},
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
     {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
      CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY},
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
     {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
      CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y},
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA}};

static descriptor make_graph(cudnnHandle_t handle) {
  const operation& names = operations[written];
  descriptor made(names.type);
  const float one = 1;
  const float zero = 0;
  for (const tensor t : {X, W, Y}) made.set(names.tensors[t], make_tensor(t));
  made.set(names.convolution, make_convolution());
  made.set(names.alpha, CUDNN_TYPE_FLOAT, 1, &one);
  made.set(names.beta, CUDNN_TYPE_FLOAT, 1, &zero);
  made.finalize("finalize operation");
  descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, made);
  graph.finalize("finalize operation graph");
  return graph;
}

/// Prints the first wrong elements and a summary.
static bool is_right(const std::vector<element>& stored, const sums& expected) {
  const std::vector<double> measures = measures_of(expected);
  element nothing;
  std::memset(&nothing, 0xff, sizeof nothing);
  std::int64_t wrong = 0, unwritten = 0;
  double largest = 0, difference = 0, norm = 0;
  for (std::int64_t i = 0; i < count_of(written); ++i) {
    const std::int64_t pixel = i % pixels_of(written);
    const std::int64_t first = i / pixels_of(written) / extent[written][1];
    const std::int64_t second = i / pixels_of(written) % extent[written][1];
    const spot s = spot_of(written, pixel);
    const auto at = static_cast<std::size_t>(place(written, first, second, s));
    const double value = decode(stored[at]), right = expected.value[at];
    const double error = std::fabs(value - right);
    const bool is_unwritten = std::memcmp(&stored[at], &nothing, sizeof nothing) == 0;
    unwritten += is_unwritten ? 1 : 0;
    difference += error * error;
    norm += right * right;
    largest = std::fmax(largest, error / measures[at]);
    if (error <= tolerance * measures[at]) continue;
    if (wrong++ >= 8) continue;
    std::printf("  %c[%lld,%lld,%lld,%lld,%lld] = %.9g%s, should be %.9g\n", "xwy"[written],
                static_cast<long long>(first), static_cast<long long>(second),
                static_cast<long long>(s.at[0]), static_cast<long long>(s.at[1]),
                static_cast<long long>(s.at[2]), value, is_unwritten ? " (unwritten)" : "", right);
  }
  std::printf("%lld of %lld elements wrong, %lld of these unwritten\n",
              static_cast<long long>(wrong), static_cast<long long>(count_of(written)),
              static_cast<long long>(unwritten));
  std::printf("relative error %.3g, largest error %.3g, tolerance %.3g\n",
              std::sqrt(difference / norm), largest, tolerance);
  return wrong == 0;
}

static std::size_t bytes_of(tensor t) {
  return static_cast<std::size_t>(count_of(t)) * sizeof(element);
}

/// Ends the program if cuDNN has written bytes beside the output and the workspace, or an input.
static void check_zones(void* const (&memory)[3], const void* workspace,
                        std::size_t workspace_bytes, const std::vector<element> (&stored)[3]) {
  const auto* output = static_cast<const unsigned char*>(memory[written]);
  const auto* scratch = static_cast<const unsigned char*>(workspace);
  check_zone(output - zone, "before the output");
  check_zone(output + bytes_of(written), "behind the output");
  check_zone(scratch - zone, "before the workspace");
  check_zone(scratch + workspace_bytes, "behind the workspace");
  for (const tensor t : {X, W, Y}) {
    if (t == written) continue;
    std::vector<element> now = stored[t];
    check(cudaMemcpy(now.data(), memory[t], bytes_of(t), cudaMemcpyDeviceToHost), "cudaMemcpy", 1);
    if (now != stored[t]) end(1, "WRONG: an input was written");
  }
}

int main(int argc, char** argv) {
  if (may_end) watch();
  print_machine();
  cudnnHandle_t handle = nullptr;
  check(cudnnCreate(&handle), "cudnnCreate");
  const descriptor graph = make_graph(handle);
  if (engine < 0) ask(graph);
  const descriptor plan = make_plan(handle, graph);
  const std::size_t workspace_bytes = workspace_of(plan);

  std::vector<double> values[3];
  std::vector<element> stored[3];
  void* memory[3];
  for (const tensor t : {X, W, Y}) {
    values[t] = inputs_of(t);
    for (const double value : values[t]) stored[t].push_back(encode(value));
    memory[t] = allocate(bytes_of(t), zone + offset);
    if (t == written) continue;
    check(cudaMemcpy(memory[t], stored[t].data(), bytes_of(t), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  void* const workspace = allocate(workspace_bytes, zone);

  const std::int64_t ids[] = {X + 1, W + 1, Y + 1};
  descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 3, ids);
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 3, memory);
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
  pack.finalize("finalize variant pack");
  const auto run = [&] {
    check(cudnnBackendExecute(handle, plan.raw, pack.raw), "cudnnBackendExecute", 1);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", 1);
    check(cudaMemcpy(stored[written].data(), memory[written], bytes_of(written),
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy", 1);
  };
  run();

  const std::vector<element> once = stored[written];
  for (int i = 0; may_change && i < 20; ++i) {
    run();
    if (std::memcmp(once.data(), stored[written].data(), bytes_of(written)) != 0) {
      end(1, "WRONG: the same plan with the same inputs gave other bits");
    }
  }
  if (zone != 0) check_zones(memory, workspace, workspace_bytes, stored);

  const sums expected = reference_of(values);
  if (argc > 1) {
    const std::string directory = argv[1];
    write_file(directory + "/x.bin", stored[X].data(), bytes_of(X));
    write_file(directory + "/w.bin", stored[W].data(), bytes_of(W));
    write_file(directory + "/y.bin", stored[Y].data(), bytes_of(Y));
    write_file(directory + "/reference.bin", expected.value.data(),
               expected.value.size() * sizeof(double));
  }
  const bool right = is_right(stored[written], expected);
  end(right ? 0 : 1, right ? "right" : "WRONG");
}
