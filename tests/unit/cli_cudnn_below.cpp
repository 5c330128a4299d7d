// SPDX-License-Identifier: BSD-3-Clause
//
// A cuDNN that lies deeper in a directory than doctor looks.
#include <doctest/doctest.h>

#include "cli/machine/cudnn_below.cpp"
#include "fake_system.h"

using namespace cudnn_checked;
using test::fake_system;

static std::string below(const fake_system& os) {
  return std::string(cli::find_cudnn_below(os, "/app").directory);
}

TEST_CASE("the nearest cuDNN below a directory") {
  fake_system os;
  os.files["/app/prog"] = "";
  os.files["/app/_internal/libpython3.11.so.1.0"] = "";
  CHECK(below(os).empty());
  CHECK(cli::find_cudnn_below(os, "/app").all_seen);
  os.files["/app/opt/cudnn/lib/libcudnn.so.9"] = "";
  CHECK(below(os) == "/app/opt/cudnn/lib");
  os.files["/app/_internal/libcudnn.so.9"] = "";
  CHECK(below(os) == "/app/_internal");
}

TEST_CASE("a search for cuDNN below a directory has limits, and says so") {
  fake_system os;
  os.files["/app/1/2/3/4/5/6/7/8/9/libcudnn.so.9"] = "";
  CHECK(below(os).empty());
  CHECK(!cli::find_cudnn_below(os, "/app").all_seen);
  fake_system circle;
  circle.files["/app/file"] = "";
  circle.links["/app/self"] = "/app";
  CHECK(below(circle).empty());
}
