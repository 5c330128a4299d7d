// SPDX-License-Identifier: BSD-3-Clause
//
// What could help that no finding says, on a machine in memory.
#include "repair/candidates.h"

#include <doctest/doctest.h>

#include "fake_system.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

std::string candidates_for(const test::fake_system& os, const char* place) {
  repairs::checked found;
  repairs::add_candidates(os, {place}, {}, found);
  return test::fix_of(found.candidates);
}

}  // namespace

TEST_CASE("a program of conda can take the cuDNN that pip has put into its prefix") {
  test::fake_system os;
  os.files["/conda/lib/libcudnn.so.9"] = "";
  const std::string of_pip = "/conda/lib/python3.12/site-packages/nvidia/cudnn/lib";
  os.files[of_pip + "/libcudnn.so.9"] = "";
  os.files["/conda/bin/python"] = "";
  CHECK(candidates_for(os, "/conda/lib").empty());
  os.files["/conda/conda-meta/history"] = "";
  CHECK(candidates_for(os, "/conda/lib") == "$ export LD_LIBRARY_PATH=" + of_pip);
}

TEST_CASE("files in folders for this CPU can be removed, all with one command") {
  test::fake_system os;
  os.hwcaps = {"glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"};
  os.files["/l/glibc-hwcaps/x86-64-v2/libcudnn_ops.so.9"] = "";
  os.files["/l/glibc-hwcaps/x86-64-v2/libz.so.1"] = "";
  CHECK(candidates_for(os, "/l") == "$ rm /l/glibc-hwcaps/x86-64-v2/libcudnn_ops.so.9");
  os.files["/l/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9"] = "";
  CHECK(candidates_for(os, "/l") ==
        "$ rm /l/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9 && "
        "rm /l/glibc-hwcaps/x86-64-v2/libcudnn_ops.so.9");
}
