// SPDX-License-Identifier: BSD-3-Clause
//
// A part of program.cpp and graph_program.cpp: calls of cuDNN.

/// The exit status if a plan cannot be made.
static int without_plan(bool is_refused) { return unbuilt && !is_refused ? 1 : 2; }

struct descriptor {
  cudnnBackendDescriptor_t raw = nullptr;

  explicit descriptor(cudnnBackendDescriptorType_t type) {
    check(cudnnBackendCreateDescriptor(type, &raw), "cudnnBackendCreateDescriptor");
  }
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
           const void* values) {
    check(cudnnBackendSetAttribute(raw, name, type, count, values), "cudnnBackendSetAttribute");
  }
  void set(cudnnBackendAttributeName_t name, const descriptor& value) {
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value.raw);
  }
  void finalize(const char* what) {
    const cudnnStatus_t status = cudnnBackendFinalize(raw);
    check(status, what, without_plan(is_unsupported(status)));
  }
  /// Finalizes a descriptor that names an engine.  Another cuDNN may have no engine of that number.
  void finalize_engine(const char* what) {
    const cudnnStatus_t status = cudnnBackendFinalize(raw);
    check(status, what, without_plan(means_no_engine(status)));
  }
};

/// Asks the heuristics for plans, and ends the program.
[[noreturn]] static void ask(const descriptor& graph) {
  for (const cudnnBackendHeurMode_t mode :
       {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK}) {
    descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
    std::int64_t count = 0;
    const cudnnStatus_t status = cudnnBackendFinalize(heuristics.raw);
    if (unbuilt && !is_unsupported(status)) check(status, "finalize heuristics", 1);
    if (status == CUDNN_STATUS_SUCCESS) {
      (void)cudnnBackendGetAttribute(heuristics.raw, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                     CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr);
    }
    std::printf("mode %d offers %lld plans\n", static_cast<int>(mode),
                static_cast<long long>(count));
  }
  end(0, "right");
}

/// Makes the plan of the engine with its knobs; without knobs the engine uses its defaults.
static descriptor make_plan(cudnnHandle_t handle, const descriptor& graph) {
  descriptor chosen(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  chosen.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
  chosen.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &engine);
  chosen.finalize_engine("finalize engine");
  std::vector<cudnnBackendDescriptor_t> choices;
  for (const knob& k : knobs) {
    const auto type = static_cast<cudnnBackendKnobType_t>(k.type);
    descriptor choice(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type);
    choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1, &k.value);
    choice.finalize("finalize knob choice");
    choices.push_back(choice.raw);
  }
  descriptor configuration(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  configuration.set(CUDNN_ATTR_ENGINECFG_ENGINE, chosen);
  if (!choices.empty()) {
    configuration.set(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                      static_cast<std::int64_t>(choices.size()), choices.data());
  }
  configuration.finalize_engine("finalize engine configuration");
  descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
  plan.finalize("finalize plan");
  return plan;
}

static std::size_t workspace_of(const descriptor& plan) {
  std::int64_t count = 0, bytes = 0;
  const cudnnStatus_t status = cudnnBackendGetAttribute(
      plan.raw, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count, &bytes);
  check(status, "cudnnBackendGetAttribute", without_plan(is_unsupported(status)));
  return static_cast<std::size_t>(bytes);
}

/// Allocates memory of the GPU and fills it with 0xff, so that a number that nothing writes stays a
/// NaN.
static unsigned char* allocate(std::size_t bytes, std::size_t before) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, before + bytes + zone), "cudaMalloc");
  check(cudaMemset(memory, 0xff, before + bytes + zone), "cudaMemset");
  return static_cast<unsigned char*>(memory) + before;
}

static void write_file(const std::string& path, const void* data, std::size_t bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(data, 1, bytes, file) != bytes || std::fclose(file) != 0) {
    end(2, "cannot write " + path);
  }
}

/// Ends the program if something has written a byte of the zone that begins there.
static void check_zone(const void* begin, const std::string& where) {
  std::vector<unsigned char> bytes(zone);
  check(cudaMemcpy(bytes.data(), begin, zone, cudaMemcpyDeviceToHost), "cudaMemcpy", 1);
  for (const unsigned char byte : bytes) {
    if (byte != 0xff) end(1, "WRONG: bytes were written " + where);
  }
}
