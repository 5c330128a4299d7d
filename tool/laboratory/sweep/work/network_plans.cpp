// SPDX-License-Identifier: BSD-3-Clause
#include "network_plans.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "../../../convolution/values.h"
#include "../../../opened/status.h"
#include "../../recurrent/network_text.h"
#include "../../recurrent/weight_places.h"
#include "../model/engine.h"

namespace cudnn_checked::sweep {

using compute::element_places;
using compute::network;
using compute::network_problem;

static bool has_gradients(operation what) {
  return what == operation::rnn_backward || what == operation::lstm_backward ||
         what == operation::gru_backward;
}

static compute::recurrent_gpu gpu_of(int device) {
  compute::recurrent_gpu made;
  (void)cudaDeviceGetAttribute(&made.major, cudaDevAttrComputeCapabilityMajor, device);
  (void)cudaDeviceGetAttribute(&made.minor, cudaDevAttrComputeCapabilityMinor, device);
  (void)cudaDeviceGetAttribute(&made.multiprocessors, cudaDevAttrMultiProcessorCount, device);
  return made;
}

namespace {

/// The arrays of a network.  Those that a network lacks have no bytes, and cuDNN gets no address.
enum array_number : unsigned char {
  array_x,
  array_hx,
  array_cx,
  array_w,
  array_lengths,
  array_dy,
  array_dhy,
  array_dcy,
  array_y,
  array_hy,
  array_cy,
  array_dx,
  array_dhx,
  array_dcx,
  array_dw,
  array_reserve,
  array_count
};

/// Bytes in the order of memory.
std::vector<unsigned char> bytes_of(const std::vector<double>& values, const element_places& places,
                                    element type, std::size_t bytes) {
  const std::size_t size = compute::size_of(type);
  const std::int64_t extents[] = {1, 1, 1, static_cast<std::int64_t>(values.size())};
  std::vector<unsigned char> packed(values.size() * size);
  compute::pack(values.data(), compute::make_tensor(4, extents, tensor_layout::nchw), type,
                packed.data());
  std::vector<unsigned char> made(bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (places[i] == compute::absent) continue;
    std::memcpy(made.data() + places[i] * size, packed.data() + i * size, size);
  }
  return made;
}

/// The same of what must come out; nobody looks at what lies between.
compute::bounded expected_in(const compute::bounded& expected, const element_places& places,
                             std::size_t count) {
  compute::bounded made(count, compute::bounded::not_looked_at);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == compute::absent) continue;
    made.value[places[i]] = expected.value[i];
    made.bound[places[i]] = expected.bound[i];
  }
  return made;
}

problem_array input(const char* name, element type, const std::vector<double>& values,
                    const element_places& places, std::size_t bytes) {
  problem_array made;
  made.name = name;
  made.type = type;
  if (values.empty()) return made;
  made.bytes = bytes;
  made.given = bytes_of(values, places, type, bytes);
  return made;
}

problem_array output(const char* name, element type, const compute::bounded& expected,
                     const element_places& places, std::size_t bytes) {
  problem_array made;
  made.name = name;
  made.type = type;
  if (expected.value.empty()) return made;
  made.bytes = bytes;
  made.expected = expected_in(expected, places, bytes / compute::size_of(type));
  for (const double bound : made.expected.bound) made.compared += bound >= 0 ? 1 : 0;
  return made;
}

}  // namespace

struct network_plans::parts final : plan_execution {
  cudnnHandle_t handle;
  network_problem of;
  network_engine first;  ///< what PyTorch takes
  std::optional<compute::network_descriptors> made;
  problem_numbers numbers;
  std::vector<void*> places[2];
  void* workspaces[2] = {nullptr, nullptr};
  std::size_t workspace_bytes = 0;

  parts(cudnnHandle_t of_worker, int device, const problem& p, std::uint64_t seed)
      : handle(of_worker) {
    if (!compute::read_network(p.fused_shape, of.what)) return;  // a list has only such
    of.what.type = p.type;
    of.what.math = compute::offered_math(p.type);
    of.gradients = has_gradients(p.what);
    of.range = p.range;
    compute::draw(seed, of);
    first = {compute::offered_first(of.what, of.gradients, gpu_of(device)), of.what.math};
    numbers.what = fused_of(p.what);
    numbers.type = p.type;
  }

  cudnnForwardMode_t mode() const {
    return of.gradients ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE;
  }

  /// The parameters lie elsewhere for each algorithm.  Without memory `told` has no failure.
  bool find_weights(std::size_t bytes, element_places& found, compute::failure& told) const {
    compute::owner<void*, cudaFree> space;
    if (cudaMalloc(space.receive(), bytes) != cudaSuccess) return false;
    compute::weight_finder finder(handle, of.what, made->rnn.get(), space.get(), bytes);
    return finder.find(found, told);
  }

  void make_numbers(const element_places& weights, std::size_t weight_bytes,
                    std::size_t reserve_bytes) {
    const network& what = of.what;
    const element type = what.type;
    const std::size_t size = compute::size_of(type);
    const element_places x = compute::places_of_steps(what, what.inputs);
    const element_places y = compute::places_of_steps(what, what.outputs());
    const element_places h = compute::in_order(compute::h_elements(what));
    const element_places c = compute::in_order(compute::c_elements(what));
    const auto bytes = [&](const element_places& of_array) {
      return compute::count_of(of_array) * size;
    };
    const compute::network_results& out = of.expected;
    numbers.arrays.assign(array_count, {});
    std::vector<problem_array>& all = numbers.arrays;
    all[array_x] = input("x", type, of.x, x, bytes(x));
    all[array_hx] = input("hx", type, of.hx, h, bytes(h));
    all[array_cx] = input("cx", type, of.cx, c, bytes(c));
    all[array_w] = input("w", type, of.parameters, weights, weight_bytes);
    all[array_dy] = input("dy", type, of.dy, y, bytes(y));
    all[array_dhy] = input("dhy", type, of.dhy, h, bytes(h));
    all[array_dcy] = input("dcy", type, of.dcy, c, bytes(c));
    all[array_y] = output("y", type, out.y, y, bytes(y));
    all[array_hy] = output("hy", type, out.hy, h, bytes(h));
    all[array_cy] = output("cy", type, out.cy, c, bytes(c));
    all[array_dx] = output("dx", type, out.dx, x, bytes(x));
    all[array_dhx] = output("dhx", type, out.dhx, h, bytes(h));
    all[array_dcx] = output("dcx", type, out.dcx, c, bytes(c));
    all[array_dw] = output("dw", type, out.dw, weights, weight_bytes);
    problem_array& lengths = all[array_lengths];
    lengths.name = "lengths";
    const std::vector<std::int32_t> steps(what.lengths.begin(), what.lengths.end());
    lengths.bytes = steps.size() * sizeof(std::int32_t);
    lengths.given.resize(lengths.bytes);
    std::memcpy(lengths.given.data(), steps.data(), lengths.bytes);
    all[array_reserve].name = "the reserve space";
    all[array_reserve].bytes = reserve_bytes;
  }

  void* place(int number, array_number array) const {
    return numbers.arrays[array].bytes == 0 ? nullptr : places[number][array];
  }

  bool prepare(int number, void* const* of_arrays, void* workspace,
               compute::failure& told) override {
    places[number].assign(of_arrays, of_arrays + array_count);
    workspaces[number] = workspace;
    const std::size_t bytes = numbers.arrays[array_dw].bytes;
    // The gradients of the weights are added to what is there.
    return bytes == 0 || cudaMemset(places[number][array_dw], 0, bytes) == cudaSuccess ||
           compute::noted(execution_failed, "cudaMemset", "", told);
  }

  bool is_refused(cudnnStatus_t status) const override { return opened::means_no_engine(status); }

  bool execute(const built_plan&, int number, compute::failure& told) override {
    const auto at = [&](array_number array) { return place(number, array); };
    const auto* const lengths = static_cast<const std::int32_t*>(at(array_lengths));
    const std::size_t weight_bytes = numbers.arrays[array_w].bytes;
    const std::size_t reserve_bytes = numbers.arrays[array_reserve].bytes;
    void* const workspace = workspaces[number];
    const cudnnRNNDescriptor_t rnn = made->rnn.get();
    const cudnnRNNDataDescriptor_t x = made->x.get();
    const cudnnRNNDataDescriptor_t y = made->y.get();
    const cudnnTensorDescriptor_t h = made->h.get();
    const cudnnTensorDescriptor_t c = made->c.get();
    if (!compute::noted(cudnnRNNForward(handle, rnn, mode(), lengths, x, at(array_x), y,
                                        at(array_y), h, at(array_hx), at(array_hy), c, at(array_cx),
                                        at(array_cy), weight_bytes, at(array_w), workspace_bytes,
                                        workspace, reserve_bytes, at(array_reserve)),
                        "cudnnRNNForward", "", told)) {
      return false;
    }
    if (!of.gradients) return true;
    return compute::noted(cudnnRNNBackwardData_v8(
                              handle, rnn, lengths, y, at(array_y), at(array_dy), x, at(array_dx),
                              h, at(array_hx), at(array_dhy), at(array_dhx), c, at(array_cx),
                              at(array_dcy), at(array_dcx), weight_bytes, at(array_w),
                              workspace_bytes, workspace, reserve_bytes, at(array_reserve)),
                          "cudnnRNNBackwardData_v8", "", told) &&
           compute::noted(cudnnRNNBackwardWeights_v8(handle, rnn, CUDNN_WGRAD_MODE_ADD, lengths, x,
                                                     at(array_x), h, at(array_hx), y, at(array_y),
                                                     weight_bytes, at(array_dw), workspace_bytes,
                                                     workspace, reserve_bytes, at(array_reserve)),
                          "cudnnRNNBackwardWeights_v8", "", told);
  }
};

network_plans::network_plans(cudnnHandle_t handle, int device, const problem& p, std::uint64_t seed)
    : parts_(std::make_unique<parts>(handle, device, p, seed)) {}

network_plans::~network_plans() = default;

std::size_t network_plans::size() const { return network_engine::count; }

plan network_plans::at(std::size_t number) const {
  plan made;
  made.engine = static_cast<std::int64_t>(number);
  if (made.engine == parts_->first.number()) made.offers.push_back({heuristic::a, 1});
  made.math = convolution_math::unknown;
  // Sums may be in another order, and nothing says so.
  made.deterministic = false;
  made.compiled_at_run =
      network_engine_of(made.engine).algorithm == compute::recurrent_algorithm::persist_dynamic;
  return made;
}

granted network_plans::build(std::size_t number, built_plan& built, compute::failure& told) {
  parts& one = *parts_;
  const network_engine engine = network_engine_of(static_cast<std::int64_t>(number));
  built.with = at(number);
  one.of.algorithm = engine.algorithm;
  one.of.what.math = engine.math;
  one.made.emplace();
  std::size_t weight_bytes = 0;
  std::size_t reserve_bytes = 0;
  element_places weights;
  const bool done =
      one.made->make(one.handle, one.of, told) &&
      compute::noted(cudnnGetRNNWeightSpaceSize(one.handle, one.made->rnn.get(), &weight_bytes),
                     "cudnnGetRNNWeightSpaceSize", "", told) &&
      one.find_weights(weight_bytes, weights, told) &&
      compute::noted(
          cudnnGetRNNTempSpaceSizes(one.handle, one.made->rnn.get(), one.mode(), one.made->x.get(),
                                    &one.workspace_bytes, &reserve_bytes),
          "cudnnGetRNNTempSpaceSizes", "", told);
  // A combination that a release lacks is a wrong parameter.
  const bool is_refused = told.status == CUDNN_STATUS_SUCCESS || one.is_refused(told.status);
  if (!done) return is_refused ? granted::unsupported : granted::failed;
  built.workspace = one.workspace_bytes;
  one.make_numbers(weights, weight_bytes, reserve_bytes);
  return granted::yes;
}

const problem_numbers& network_plans::numbers() const { return parts_->numbers; }

plan_execution& network_plans::execution() { return *parts_; }

}  // namespace cudnn_checked::sweep
