// SPDX-License-Identifier: BSD-3-Clause
//
// The target of libFuzzer (https://llvm.org/docs/LibFuzzer.html): ./dev fuzz.
#include <cstddef>
#include <cstdint>

#include "core/model/arena.h"
#include "every_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cudnn_checked::arena memory;
  {
    const cudnn_checked::arena_block block(memory);
    test::read_everything({reinterpret_cast<const char*>(data), size});
  }
  memory.release();
  return 0;
}
