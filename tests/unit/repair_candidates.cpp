// SPDX-License-Identifier: BSD-3-Clause
//
// What could help that no finding says, on a machine in memory.
#include "repair/adviser.h"

#include <doctest/doctest.h>

#include "core/installers/installers.h"
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
    repair step;
    step.what = repair_kind::wheels;
    step.order.requirements = {"nvidia-cudnn-cu13"};
    found.findings.emplace_back(finding_id::cudnn_not_found);
    found.findings.in_place().back().fix.push_back(installers::pip().command(step));
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

TEST_CASE("a package is installed with the extras by which it asks for cuDNN") {
  const std::string site = "/venv/lib/python3.12/site-packages";
  const auto candidate = [&site](const std::vector<std::string>& requirements,
                                 const std::vector<std::string>& installed) {
    test::fake_system os;
    for (const char* file : {"/venv/pyvenv.cfg", "/venv/bin/python"}) os.files[file] = "";
    os.files[site + "/pip/__main__.py"] = "";
    std::string& metadata = os.files[site + "/ort_gpu-1.2.dist-info/METADATA"];
    metadata =
        "Name: ORT_gpu\nVersion: 1.2\nProvides-Extra: x\nProvides-Extra: cuda\n"
        "Provides-Extra: symbolic\nProvides-Extra: cudnn12\nProvides-Extra: cudnn\n";
    for (const std::string& line : requirements) metadata += "Requires-Dist: " + line + "\n";
    for (const std::string& info : installed) {
      os.files[site + "/" + info + ".dist-info/METADATA"] = "";
    }
    repairs::checked found;
    repairs::add_candidates(os, {(site + "/nvidia/cudnn").c_str()}, {}, found);
    for (const fix_line& line : found.candidates) {
      if (line.text.find("[") == arena_string::npos) continue;
      std::string brought;
      for (const arena_string& one : line.steps[0].order.by_extras)
        brought += " " + std::string(one);
      const std::string text(line.text);
      return text.substr(text.find("install ") + 8) + " |" + brought;
    }
    return std::string("none");
  };
  const std::string cudnn = "nvidia-cudnn-cu13~=9.0; extra == \"cudnn\"";
  const std::string runtime = "nvidia-cuda-runtime~=13.0; extra == 'cuda'";
  const std::string fft = "nvidia-cufft (~=12.0) ; sys_platform == 'linux' and extra == 'cuda'";
  const std::string of_cuda = " nvidia-cuda-runtime~=13.0 nvidia-cufft~=12.0";
  CHECK(candidate({"numpy", cudnn, runtime, fft}, {}) ==
        "'ort-gpu[cuda,cudnn]==1.2' |" + of_cuda + " nvidia-cudnn-cu13~=9.0");
  // What is there already, and what is there in a release that does not do.
  const std::string there = "nvidia_cudnn_cu13-9.14.0.64";
  CHECK(candidate({cudnn, runtime, fft}, {there}) == "'ort-gpu[cuda]==1.2' |" + of_cuda);
  CHECK(candidate({cudnn, runtime}, {there, "nvidia_cuda_runtime-13.0.96"}) == "none");
  CHECK(candidate({cudnn, runtime}, {there, "nvidia_cuda_runtime-12.9.79"}) ==
        "'ort-gpu[cuda]==1.2' | nvidia-cuda-runtime~=13.0");
  // Not what brings more than NVIDIA's, what is for elsewhere, and one of two for two CUDAs.
  CHECK(candidate({cudnn, "numpy; extra == 'cudnn'"}, {}) == "none");
  CHECK(candidate({cudnn, "sympy; extra == 'symbolic'"}, {}) ==
        "'ort-gpu[cudnn]==1.2' | nvidia-cudnn-cu13~=9.0");
  CHECK(candidate({"nvidia-cudnn-cu13; extra == 'x' and sys_platform == 'win32'"}, {}) == "none");
  CHECK(candidate({cudnn, "nvidia-cudnn-cu12~=9.0; extra == 'cudnn12'"}, {}) == "none");
  // pip knows no extra that is not provided.
  CHECK(candidate({"nvidia-cudnn-cu13~=9.0; extra == 'other'"}, {}) == "none");
  // Without an extra it comes with the package, and one of CUDA alone is of no cuDNN.
  CHECK(candidate({"nvidia-cudnn-cu13==9.14.0.64"}, {}) == "none");
  CHECK(candidate({runtime}, {}) == "none");
}
