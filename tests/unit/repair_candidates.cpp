// SPDX-License-Identifier: BSD-3-Clause
//
// What could help that no finding says, on a machine in memory.
#include "repair/adviser.h"

#include <doctest/doctest.h>

#include "core/judge/advice/wheel_commands.h"
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

TEST_CASE("a cuDNN without its shim is not put on the loader's way") {
  test::fake_system os;
  const std::string own = "/venv/lib/python3.12/site-packages/nvidia/cudnn/lib";
  for (const char* file : {"/venv/pyvenv.cfg", "/venv/bin/python"}) os.files[file] = "";
  os.files[own + "/libcudnn_ops.so.9"] = "";
  CHECK(candidates_for(os, own.c_str()).find("export") == std::string::npos);
  os.files[own + "/libcudnn.so.9"] = "";
  CHECK(candidates_for(os, own.c_str()).find("$ export LD_LIBRARY_PATH=" + own) == 0);
}

TEST_CASE("what is ordered for any Python does not go to the system's") {
  test::fake_system os;
  const auto orders_to = [&os](const std::string& prefix) {
    const std::string site = prefix + "/lib/python3.12/site-packages";
    os.files[prefix + "/bin/python3"] = os.files[prefix + "/bin/python"] = "";
    os.files[site + "/pip/__main__.py"] = "";
    repairs::checked found;
    wheel_order order;
    order.requirements = {"nvidia-cudnn-cu13"};
    found.findings.emplace_back(finding_id::cudnn_not_found);
    found.findings.in_place().back().fix.push_back(install_wheels({}, order));
    repairs::add_candidates(os, {(site + "/nvidia/cudnn").c_str()}, {}, found);
    return test::fix_of(found.candidates).find("pip install 'nvidia-cudnn-cu13==9.*'") !=
           std::string::npos;
  };
  CHECK_FALSE(orders_to("/usr"));
  os.files["/venv/pyvenv.cfg"] = "";
  CHECK(orders_to("/venv"));
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
