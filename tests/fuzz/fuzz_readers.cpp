// SPDX-License-Identifier: BSD-3-Clause
//
// The target of libFuzzer (https://llvm.org/docs/LibFuzzer.html): ./dev fuzz.
#include <cstddef>
#include <cstdint>

#include "every_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::read_everything(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
