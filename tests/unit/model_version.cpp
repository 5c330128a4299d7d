// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/model/version.h"

using namespace cudnn_checked;

TEST_CASE("cuDNN's version numbers are decoded by release") {
  CHECK(to_string(decode_cudnn_version(7605)) == "7.6.5");
  CHECK(to_string(decode_cudnn_version(8005)) == "8.0.5");
  CHECK(to_string(decode_cudnn_version(8100)) == "8.1.0");
  CHECK(to_string(decode_cudnn_version(8907)) == "8.9.7");
  CHECK(to_string(decode_cudnn_version(8999)) == "8.9.99");
  CHECK(to_string(decode_cudnn_version(90000)) == "9.0.0");
  CHECK(to_string(decode_cudnn_version(90100)) == "9.1.0");
  CHECK(to_string(decode_cudnn_version(91900)) == "9.19.0");
  CHECK(to_string(decode_cudnn_version(100000)) == "10.0.0");
  CHECK_FALSE(decode_cudnn_version(0).known());
}

TEST_CASE("CUDA's version numbers") {
  CHECK(to_cuda_string(decode_cuda_version(11080)) == "11.8");
  CHECK(to_cuda_string(decode_cuda_version(12090)) == "12.9");
  CHECK(to_cuda_string(decode_cuda_version(13000)) == "13.0");
  CHECK(to_cuda_string(decode_cuda_version(0)) == "unknown");
}

TEST_CASE("versions are read from text") {
  CHECK(parse_version("9") == version{9, 0, 0});
  CHECK(parse_version("9.14") == version{9, 14, 0});
  CHECK(parse_version("9.14.0.64") == version{9, 14, 0});
  CHECK(parse_version("580.159.04") == version{580, 159, 4});
  for (const char* bad : {"", ".", "9.", "9..1", "9.x", "v9", " 9", "9.1 ", "999999999", "-1"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_version(bad).known());
  }
}

TEST_CASE("a release with a number that needs more than 16 bits is not known") {
  CHECK(parse_version("65535.65535.65535") == version{65535, 65535, 65535});
  for (const char* bad : {"65536", "9.65536", "9.14.65536"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_version(bad).known());
  }
  CHECK(decode_cudnn_version(655351900) == version{65535, 19, 0});
  CHECK_FALSE(decode_cudnn_version(655361900).known());
  CHECK(decode_cuda_version(65535090) == version{65535, 9});
  CHECK_FALSE(decode_cuda_version(65536090).known());
  CHECK_FALSE(decode_cuda_version(~0ULL).known());
  CHECK_FALSE(version::of(9, -1, 0).known());
  CHECK_FALSE(version::of(-1, 0, 0).known());
  CHECK_FALSE(version::of(9, 0, -1).known());
}

TEST_CASE("driver releases have two digits at the end") {
  CHECK(to_driver_string(parse_version("580.159.04")) == "580.159.04");
  CHECK(to_driver_string(parse_version("535.104.12")) == "535.104.12");
  CHECK(to_driver_string({}) == "unknown");
}
