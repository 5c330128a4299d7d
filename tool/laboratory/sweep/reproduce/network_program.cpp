// SPDX-License-Identifier: BSD-3-Clause
//
// What `cudnn-checked sweep --reproduce` prints of a recurrent network, with the constants of the
// failure in place of network_failure.inc.  It needs cuDNN and the CUDA runtime alone.

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
#include <vector>

#include "network_failure.inc"

#include "ends.h"

#include "network_calls.h"
#include "network_reference.h"

/// An array of the GPU, with what must stay as it is on both sides.
struct array {
  static constexpr std::size_t zone = 4096;

  std::string name;
  std::vector<std::size_t> places;  // of the elements; `absent`: nobody looks at it
  std::size_t bytes = 0;
  unsigned char* memory = nullptr;

  void* get() const { return bytes == 0 ? nullptr : memory + zone; }
};
static const std::size_t absent = static_cast<std::size_t>(-1);

static array make_array(const char* name, const std::vector<std::size_t>& places, std::size_t bytes,
                        int fill) {
  array made{name, places, bytes, nullptr};
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes + 2 * array::zone), "cudaMalloc");
  made.memory = static_cast<unsigned char*>(memory);
  check(cudaMemset(memory, 0xff, bytes + 2 * array::zone), "cudaMemset");
  if (bytes > 0) check(cudaMemset(made.get(), fill, bytes), "cudaMemset");
  return made;
}

static void upload(const array& to, const std::vector<double>& values) {
  std::vector<unsigned char> stored(to.bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (to.places[i] != absent) encode(values[i], stored.data() + to.places[i] * element_bytes);
  }
  check(cudaMemcpy(to.get(), stored.data(), to.bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

static std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = i;
  return made;
}

/// Of steps x batch x size; packed ones lack the steps beyond the length of a sequence.
static std::vector<std::size_t> in_steps(int size, bool all) {
  std::vector<std::size_t> made;
  std::size_t next = 0;
  for (int step = 0; step < steps; ++step) {
    for (int b = 0; b < batch; ++b) {
      const bool is_there = step < lengths[b];
      for (int i = 0; i < size; ++i) {
        const std::size_t at = is_there || !packed ? next++ : absent;
        made.push_back(is_there || all ? at : absent);
      }
    }
  }
  return made;
}

static std::size_t bytes_of(const std::vector<std::size_t>& places) {
  std::size_t count = 0;
  for (const std::size_t place : places) {
    if (place != absent && place >= count) count = place + 1;
  }
  return count * element_bytes;
}

/// Prints the first wrong elements.
static bool is_right(const array& of, const std::vector<double>& expected) {
  std::vector<unsigned char> stored(of.bytes + 2 * array::zone);
  check(cudaMemcpy(stored.data(), of.memory, stored.size(), cudaMemcpyDeviceToHost), "cudaMemcpy",
        1);
  for (std::size_t i = 0; i < array::zone; ++i) {
    if (stored[i] != 0xff || stored[stored.size() - 1 - i] != 0xff) {
      end(1, "WRONG: bytes were written beside " + of.name);
    }
  }
  double largest = 0;
  for (const double value : expected) largest = std::fmax(largest, std::fabs(value));
  std::size_t wrong = 0, compared = 0;
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (of.places[i] == absent) continue;
    ++compared;
    const double value = decode(stored.data() + array::zone + of.places[i] * element_bytes);
    const double error = std::fabs(value - expected[i]) / largest;
    if (!(error <= worst)) worst = error;
    if (error <= tolerance) continue;
    if (wrong++ < 4) {
      std::printf("  %s[%zu] = %.6g, should be %.6g\n", of.name.c_str(), i, value, expected[i]);
    }
  }
  std::printf("%s: %zu of %zu elements wrong, largest error %.3g of the largest element\n",
              of.name.c_str(), wrong, compared, worst);
  return wrong == 0;
}

int main() {
  if (may_end) watch();
  print_machine();
  const network_calls with;
  const network_values given = draw_values();
  const network_values expected = reference_of(given);

  const std::vector<std::size_t> weights = with.places_of_weights();
  const std::size_t weight_bytes = with.weight_bytes();
  const std::size_t states = given.hx.size();
  const std::size_t cells = given.cx.size();
  const int outputs = directions * state_size;
  const auto made = [](const char* name, const std::vector<std::size_t>& places, int fill) {
    return make_array(name, places, bytes_of(places), fill);
  };
  // Steps beyond a length are written, too, and not compared.
  const auto made_steps = [](const char* name, int size, bool all, int fill) {
    return make_array(name, in_steps(size, all), bytes_of(in_steps(size, true)), fill);
  };
  const array x = made_steps("x", inputs, true, 0);
  const array y = made_steps("y", outputs, false, 0xff);
  const array dx = made_steps("dx", inputs, false, 0xff);
  const array dy = made_steps("dy", outputs, true, 0);
  const array hx = made("hx", in_order(states), 0), hy = made("hy", in_order(states), 0xff);
  const array cx = made("cx", in_order(cells), 0), cy = made("cy", in_order(cells), 0xff);
  const array dhx = made("dhx", in_order(states), 0xff), dhy = made("dhy", in_order(states), 0);
  const array dcx = made("dcx", in_order(cells), 0xff), dcy = made("dcy", in_order(cells), 0);
  const array w = make_array("w", weights, weight_bytes, 0);
  const array dw = make_array("dw", weights, weight_bytes, 0);  // gradients are added to it
  const array workspace = make_array("the workspace", {}, with.workspace_bytes(), 0xff);
  const array reserve = make_array("the reserve space", {}, with.reserve_bytes(), 0xff);
  upload(x, given.x);
  upload(hx, given.hx);
  upload(w, given.w);
  upload(dy, given.y);
  upload(dhy, given.hy);
  if (cells > 0) upload(cx, given.cx);
  if (cells > 0) upload(dcy, given.cy);

  with.run({x.get(), hx.get(), cx.get(), w.get(), y.get(), hy.get(), cy.get(), dy.get(), dhy.get(),
            dcy.get(), dx.get(), dhx.get(), dcx.get(), dw.get(), workspace.get(), reserve.get()});
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", 1);

  bool right = is_right(y, expected.y);
  right = is_right(hy, expected.hy) && right;
  if (cells > 0) right = is_right(cy, expected.cy) && right;
  if (gradients) {
    right = is_right(dx, expected.x) && right;
    right = is_right(dhx, expected.hx) && right;
    if (cells > 0) right = is_right(dcx, expected.cx) && right;
    right = is_right(dw, expected.w) && right;
  }
  end(right ? 0 : 1, right ? "right" : "WRONG");
}
