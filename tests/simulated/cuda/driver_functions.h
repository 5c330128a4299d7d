// SPDX-License-Identifier: BSD-3-Clause
//
// The driver as its users see it: dlopen("libcuda.so.1"), as libcudart and cuDNN do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simulated {

enum : int {
  cu_success = 0,
  cu_invalid_value = 1,
  cu_out_of_memory = 2,
  cu_not_initialized = 3,
  cu_no_device = 100,
  cu_invalid_device = 101
};

struct driver_functions {
  bool present = false;
  int (*version)(int*) = nullptr;
  int (*init)(unsigned) = nullptr;
  int (*count)(int*) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*uuid)(unsigned char*, int) = nullptr;
  int (*attribute)(int*, int, int) = nullptr;
  int (*bus_id)(char*, int, int) = nullptr;
  int (*set_current)(void*) = nullptr;
  int (*current)(int*) = nullptr;
  int (*reset)(int) = nullptr;
  int (*allocate)(std::uintptr_t*, std::size_t) = nullptr;
  int (*free)(std::uintptr_t) = nullptr;
  int (*memory)(std::size_t*, std::size_t*) = nullptr;
  int (*range)(std::uintptr_t*, std::size_t*, std::uintptr_t) = nullptr;
  void (*lose)(int) = nullptr;  ///< the context, with an error that stays
  int (*lost)() = nullptr;      ///< that error, or cu_success
};

/// The driver that the loader finds; not present where there is none, or a real one: the memory of
/// a real GPU cannot be computed on here.
const driver_functions& driver();

/// Do all of these bytes lie in one allocation of device memory?
bool is_device_memory(const void* pointer, std::size_t bytes);

}  // namespace simulated
