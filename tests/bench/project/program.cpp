// SPDX-License-Identifier: BSD-3-Clause
//
// A program that uses cuDNN as little as a program can: it asks for its version.
#include <cudnn.h>

#include <cstdio>

int main() { return std::printf("%zu\n", cudnnGetVersion()) > 0 ? 0 : 1; }
