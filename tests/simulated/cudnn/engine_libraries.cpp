// SPDX-License-Identifier: BSD-3-Clause
#include "engine_libraries.h"

#include <cstring>

#include "../cuda/driver_functions.h"
#include "load.h"
#include "services.h"

namespace simulated {

using convolve_function = void(const convolution*, const arguments*);

struct engine_libraries {
  convolve_function* precompiled = nullptr;
  convolve_function* runtime_compiled = nullptr;
  bool heuristic = false;
  int status = 0;
  std::string reason;
};

#if CUDNN_MAJOR >= 9

static convolve_function* convolve_of(void* library) {
  void* const address = library == nullptr ? nullptr : dlsym(library, "cudnn_simulated_convolve");
  convolve_function* function = nullptr;
  std::memcpy(&function, &address, sizeof address);
  return function;
}

#if CUDNN_MINOR >= 21
/// Any release's is loaded; one of another release is noticed only here (pytorch/pytorch#185512).
static bool is_tensor_ir_foreign() {
  void* const library = load_sublibrary("engines_tensor_ir");
  void* const address = library == nullptr ? nullptr : dlsym(library, "cudnn_simulated_release");
  unsigned (*release)() = nullptr;
  std::memcpy(&release, &address, sizeof address);
  return release != nullptr && release() != SIMULATED_WORD;
}
#else
static bool is_tensor_ir_foreign() { return false; }
#endif

// The order of 9.14 and 9.19 (LD_DEBUG=libs).  Only the runtime-compiled engines are missed aloud.
static engine_libraries load_all() {
  engine_libraries all;
  all.precompiled = convolve_of(load_sublibrary("engines_precompiled"));
  all.heuristic = load_sublibrary("heuristic") != nullptr;
  std::string names;
  all.runtime_compiled = convolve_of(load_sublibrary("engines_runtime_compiled", &names));
  if (all.runtime_compiled == nullptr) {
    all.status = 1008;
    all.reason = "Unable to load any of {" + names + "}.";
    std::fprintf(stderr, "%s\n", all.reason.c_str());
  } else if (is_tensor_ir_foreign()) {
    all.status = 1002;
    all.reason = "engines_tensor_ir is of another release";
  }
  return all;
}

#else

static void convolve_here(const convolution* what, const arguments* where) {
  convolve(*what, *where);
}

static engine_libraries load_all() {
  engine_libraries all;
  all.precompiled = convolve_here;
  all.runtime_compiled = convolve_here;
  all.heuristic = true;
  return all;
}

#endif

static const engine_libraries& libraries() {
  static const engine_libraries only = load_all();
  return only;
}

int load_engines() {
  if (libraries().status != 0) {
    cudnn_simulated_services()->fail(libraries().status, libraries().reason.c_str());
  }
  return libraries().status;
}

bool has_precompiled() { return libraries().precompiled != nullptr; }

bool has_heuristic() { return libraries().heuristic; }

// The last element of y; its place in memory is the last one in every packed layout.
static void spoil(const tensor_view& y, void* data, std::size_t begin) {
  unsigned char* const bytes = static_cast<unsigned char*>(data);
  const std::size_t width = y.type == CUDNN_DATA_HALF ? 2 : 4;
  // Two in place of a number that is usually not two, and never NaN.
  for (std::size_t at = begin; at + width <= y.bytes(); at += width) {
    std::memset(bytes + at, 0, width - 1);
    bytes[at + width - 1] = 0x40;
  }
}

int compute(const char* api, bool precompiled, const convolution& what, const arguments& where) {
  if (!is_device_memory(where.x, what.x.bytes()) || !is_device_memory(where.w, what.w.bytes()) ||
      !is_device_memory(where.y, what.y.bytes())) {
    return 5000;
  }
  char name[32];
  what.name(api, name);
  const std::size_t last = what.y.bytes() - (what.y.type == CUDNN_DATA_HALF ? 2 : 4);
  unsigned char before[4] = {};
  std::memcpy(before, static_cast<unsigned char*>(where.y) + last, what.y.bytes() - last);
  (precompiled ? libraries().precompiled : libraries().runtime_compiled)(&what, &where);
  if (is_faulty("wrong", name)) spoil(what.y, where.y, 0);
  if (is_faulty("wrong-element", name)) spoil(what.y, where.y, last);
  if (is_faulty("unwritten", name)) {
    std::memcpy(static_cast<unsigned char*>(where.y) + last, before, what.y.bytes() - last);
  }
  return 0;
}

}  // namespace simulated
