// SPDX-License-Identifier: BSD-3-Clause
//
// self_test_engines <fwd|dgrad|wgrad> <fp32|fp16|bf16> <nchw|nhwc> <plain|groups|dilation|volume>
// Executes every engine by its index and everything that the heuristics offer, twice; a line each.
// All numbers are small integers, which are exact in each type: a result is right or wrong.
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "self_test_graph.h"

namespace {

/// Device memory with 256 bytes of 0x77 on both sides of what it is for.
struct guarded {
  explicit guarded(const std::vector<unsigned char>& content) : size(content.size()) {
    CHECK(cudaMalloc(&whole, size + 512));
    CHECK(cudaMemset(whole, 0x77, size + 512));
    inside = static_cast<unsigned char*>(whole) + 256;
    if (size > 0) CHECK(cudaMemcpy(inside, content.data(), size, cudaMemcpyHostToDevice));
  }
  std::vector<unsigned char> read() const {
    std::vector<unsigned char> all(size + 512);
    CHECK(cudaMemcpy(all.data(), whole, all.size(), cudaMemcpyDeviceToHost));
    return all;
  }
  bool is_guard_whole() const {
    const std::vector<unsigned char> all = read();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((i < 256 || i >= size + 256) && all[i] != 0x77) return false;
    }
    return true;
  }
  std::vector<unsigned char> content() const {
    const std::vector<unsigned char> all = read();
    return {all.begin() + 256, all.end() - 256};
  }

  std::size_t size;
  void* whole = nullptr;
  unsigned char* inside = nullptr;
};

std::string judge(const problem& what, const guarded (&arrays)[3], const guarded& workspace) {
  for (int i = 0; i < 3; ++i) {
    if (!arrays[i].is_guard_whole()) return "outside";
    if (&what.array(i) == &what.output()) continue;
    if (arrays[i].content() != what.array(i).bytes(what.type)) return "input";
  }
  if (!workspace.is_guard_whole()) return "outside-workspace";
  return what.judge(arrays[what.output_index()].content());
}

std::string execute(const problem& what, cudnnHandle_t handle, object plan, std::int64_t bytes,
                    std::vector<unsigned char>& output) {
  const guarded arrays[3] = {guarded(what.content(0)), guarded(what.content(1)),
                             guarded(what.content(2))};
  const guarded workspace(std::vector<unsigned char>(static_cast<std::size_t>(bytes)));
  const object pack =
      make_pack({arrays[0].inside, arrays[1].inside, arrays[2].inside}, workspace.inside);
  int status = cudnnBackendExecute(handle, plan, pack);
  if (status != 0) return "execute " + std::to_string(status);
  status = cudaDeviceSynchronize();
  if (status != 0) return "synchronize " + std::to_string(status);
  output = arrays[what.output_index()].content();
  const std::string result = judge(what, arrays, workspace);
  for (const guarded* const array : {&arrays[0], &arrays[1], &arrays[2], &workspace}) {
    CHECK(cudaFree(array->whole));
  }
  return result;
}

/// "k17=1 k24=5" of a configuration, and the engine's index.
std::string choices_of(object configuration) {
  std::vector<object> all;
  for (int i = 0; i < 8; ++i) all.push_back(make(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR));
  std::int64_t count = 0;
  CHECK(cudnnBackendGetAttribute(configuration, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR, 8, &count, all.data()));
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) {
    cudnnBackendKnobType_t type = CUDNN_KNOB_TYPE_COUNTS;
    std::int64_t value = -1, one = 0;
    const object choice = all[static_cast<std::size_t>(i)];
    CHECK(cudnnBackendGetAttribute(choice, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE,
                                   1, &one, &type));
    CHECK(cudnnBackendGetAttribute(choice, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1,
                                   &one, &value));
    text += " k" + std::to_string(type) + "=" + std::to_string(value);
  }
  return text;
}

std::string run(const problem& what, cudnnHandle_t handle, object configuration) {
  const object plan = make_plan(handle, configuration);
  const int status = cudnnBackendFinalize(plan);
  if (status != 0) return "plan " + std::to_string(status);
  const std::int64_t bytes = workspace_of(plan);
  std::vector<unsigned char> first, second;
  const std::string result = execute(what, handle, plan, bytes, first);
  if (result != "right") return result;
  const std::string again = execute(what, handle, plan, bytes, second);
  return again != "right" ? again : first == second ? "right" : "changing";
}

void run_offers(const problem& what, cudnnHandle_t handle, object graph, const char* name,
                cudnnBackendHeurMode_t mode) {
  const std::vector<object> all = offers_of(graph, mode);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const object configuration = all[i];
    const std::int64_t index = engine_of(configuration);
    std::printf("%s%zu %d%s %s\n", name, i + 1, static_cast<int>(index),
                choices_of(configuration).c_str(), run(what, handle, configuration).c_str());
    std::fflush(stdout);
  }
}

void run_engines(const problem& what, cudnnHandle_t handle, object graph) {
  std::int64_t engines = 0, one = 0;
  CHECK(cudnnBackendGetAttribute(graph, CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT,
                                 CUDNN_TYPE_INT64, 1, &one, &engines));
  std::printf("%d engines\n", static_cast<int>(engines));
  for (std::int64_t index = 0; index < engines; ++index) {
    const object engine = make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    set_object(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
    set_integers(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, {index});
    if (cudnnBackendFinalize(engine) != CUDNN_STATUS_SUCCESS) continue;
    const object configuration = make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    set_object(configuration, CUDNN_ATTR_ENGINECFG_ENGINE, engine);
    const int status = cudnnBackendFinalize(configuration);
    const std::string result =
        status != 0 ? "configuration " + std::to_string(status) : run(what, handle, configuration);
    std::printf("index %d %s\n", static_cast<int>(index), result.c_str());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 3;
  const problem what(argv[1], argv[2], argv[3], argv[4]);
  cudnnHandle_t handle;
  CHECK(cudnnCreate(&handle));
  const object graph = make_graph(what, handle);
  run_offers(what, handle, graph, "A", CUDNN_HEUR_MODE_A);
  run_offers(what, handle, graph, "B", CUDNN_HEUR_MODE_B);
  run_offers(what, handle, graph, "FALLBACK", CUDNN_HEUR_MODE_FALLBACK);
  run_engines(what, handle, graph);
  return 0;
}
