// SPDX-License-Identifier: BSD-3-Clause
//
// A program that uses cuDNN as little as a program can: it asks for its version, or, with any
// argument, for nothing.
#include <cudnn.h>

#include <cstdio>

int main(int count, char**) {
  if (count > 1) return 0;
  return std::printf("%zu\n", cudnnGetVersion()) > 0 ? 0 : 1;
}
