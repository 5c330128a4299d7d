// SPDX-License-Identifier: BSD-3-Clause
//
// Blurs a picture with the installed library, by cuDNN where the library allows it and there is a
// GPU.
#include <blur.h>
#include <blur_refusal.h>

#include <cstdio>
#include <exception>
#include <string>

int main() {
  try {
    picture x{16, 12, {}};
    for (int i = 0; i < x.width * x.height; ++i) {
      x.values.push_back(static_cast<float>(i * 37 % 256));
    }
    const std::string refusal = blur_refusal();
    if (!refusal.empty()) std::printf("consumer: the library refuses cuDNN:\n%s", refusal.c_str());
    const bool on_gpu = refusal.empty() && has_gpu();
    const picture y = on_gpu ? blur(x) : blur_on_cpu(x);
    const bool right = y.values == blur_on_cpu(x).values;
    std::printf("consumer: %zu numbers blurred by %s, %s\n", y.values.size(),
                on_gpu ? "cuDNN" : "the CPU", right ? "all right" : "some wrong");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "consumer: error: %s\n", error.what());
    return 1;
  }
}
