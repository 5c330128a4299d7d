// SPDX-License-Identifier: BSD-3-Clause
//
// What the find module's program says to type, on a machine in memory.
#include <doctest/doctest.h>

#include "configure/commands.h"
#include "configure/messages.h"
#include "configure/request.h"
#include "core/catalogue/catalogue.h"
#include "core/model/machine.h"
#include "core/report/report.h"
#include "fake_system.h"
#include "repair/download.h"

using namespace cudnn_checked;
using namespace cudnn_checked::configure;

namespace {

/// An environment with pip, and a build tree beside it.
struct configured_machine {
  test::fake_system os;
  std::vector<std::string> facts = {"variable=CuDNNChecked_ROOT",
                                    "own=/b/cudnn_wheels",
                                    "cmake=cmake",
                                    "build=/b",
                                    "machine=x86_64",
                                    "python=/venv/bin/python",
                                    "imports=/venv/lib/python3.12/site-packages",
                                    "instructed=13",
                                    "instructed_by=CUDAToolkit_ROOT"};
  const std::string site = "/venv/lib/python3.12/site-packages";

  configured_machine() {
    for (const char* file : {"/venv/bin/python", "/venv/pyvenv.cfg", "/usr/bin/python3",
                             "/usr/bin/pip3", "/usr/bin/uv"}) {
      os.files[file] = "";
    }
    os.files[site + "/pip/__main__.py"] = "";
  }

  void add_wheel(const std::string& name, const std::string& metadata = "") {
    os.files[site + "/" + name + ".dist-info/METADATA"] = metadata;
  }
  void set(const std::string& key, const std::string& value) {
    facts.insert(facts.begin(), key + "=" + value);
  }

  request asked() const {
    std::vector<const char*> arguments;
    for (const std::string& fact : facts) arguments.push_back(fact.c_str());
    return request(static_cast<int>(arguments.size()), arguments.data());
  }
  std::string install() const {
    return in_one_line(install_cudnn_of_request(asked(), os, floor_of_components(asked())));
  }
  std::string again(const std::string& file, const char* part = "") const {
    return in_one_line(reinstall_package_of(asked(), os, file, part));
  }
};

const std::string pip = "/venv/bin/python -m pip ";

}  // namespace

TEST_CASE("the releases that find_package asks for, in the words of pip") {
  const auto requirement = [](const std::vector<std::string>& facts, int cuda,
                              const char* floor = "", const char* exact = "") {
    configured_machine m;
    for (const std::string& fact : facts) m.facts.insert(m.facts.begin(), fact);
    return std::string(requirement_of_request(m.asked(), cuda, floor, exact));
  };
  CHECK(requirement({}, 13) == "nvidia-cudnn-cu13");
  CHECK(requirement({"version=9.14"}, 13) == "nvidia-cudnn-cu13>=9.14");
  CHECK(requirement({"version=9.14", "exact=yes"}, 13) == "nvidia-cudnn-cu13==9.14.0.*");
  CHECK(requirement({"version=9.13", "maximum=10"}, 13) == "nvidia-cudnn-cu13>=9.13,<10");
  CHECK(requirement({"version=9", "maximum=9.15.1", "include=yes"}, 13) ==
        "nvidia-cudnn-cu13>=9,<9.15.2");
  CHECK(requirement({"version=9.1"}, 13, "9.22.0") == "nvidia-cudnn-cu13>=9.22.0");
  CHECK(requirement({"version=9.1"}, 13, "", "9.15.0") == "nvidia-cudnn-cu13==9.15.0.*");
  // The catalogue has which CUDA was supported when.
  CHECK(requirement({"version=8.5", "maximum=8.7"}, 11) == "nvidia-cudnn-cu11>=8.5,<8.7");
  CHECK(requirement({"version=8.5", "maximum=8.7"}, 12) == "");
  CHECK(requirement({"version=9.10.3"}, 11) == "");
  CHECK(requirement({"version=9.10.2"}, 11) == "nvidia-cudnn-cu11>=9.10.2");
  CHECK(requirement({"version=8.9.7", "exact=yes"}, 13) == "");
  CHECK(requirement({"version=99"}, 13) == "");
  CHECK(requirement({"version=9.14.9", "exact=yes"}, 13) == "");
  CHECK(requirement({"maximum=9", "machine=aarch64"}, 12) == "");
  CHECK(requirement({"version=9.14.0", "exact=yes"}, 13, "9.22.0") == "");
}

TEST_CASE("where a cuDNN is installed") {
  configured_machine m;
  const std::string below = pip + "install --target /b/cudnn_wheels nvidia-cudnn-cu13 && " +
                            "cmake -D CuDNNChecked_ROOT=/b/cudnn_wheels /b";
  CHECK(m.install() == pip + "install nvidia-cudnn-cu13");
  SUBCASE("a Python that is no environment: not into the system's") {
    m.os.files.erase("/venv/pyvenv.cfg");
    CHECK(m.install() == below);
  }
  SUBCASE("nor where the root names what a distribution manages") {
    m.os.files.erase("/venv/pyvenv.cfg");
    m.os.files["/venv/lib/python3.12/EXTERNALLY-MANAGED"] = "";
    m.set("root", "/venv");
    CHECK(m.install() == below);
    // It is there already, and somebody has said so.
    m.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
    CHECK(m.install() == pip + "install --break-system-packages --force-reinstall --no-deps " +
                             "nvidia-cudnn-cu13==9.14.0.64");
  }
  SUBCASE("the folder that was asked about") {
    m.set("root", "/folder");
    m.os.files["/folder/nvidia/x"] = "";
    CHECK(m.install() == pip + "install --target /folder nvidia-cudnn-cu13");
    m.os.files["/folder/nvidia_cublas-13.1.0.3.dist-info/INSTALLER"] = "pip\n";
    CHECK(m.install() == pip + "install --upgrade --target /folder nvidia-cublas==13.1.0.3 " +
                             "nvidia-cudnn-cu13");
    m.os.files["/folder/nvidia_cublas-13.1.0.3.dist-info/INSTALLER"] = "uv\n";
    CHECK(m.install() == "uv pip install --target /folder nvidia-cudnn-cu13");
  }
  SUBCASE("what another package requires stays") {
    m.add_wheel("nvidia_cudnn_cu12-9.5.1.17");
    m.add_wheel("torch-2.7.1", "Name: torch\nRequires-Dist: nvidia_cudnn_cu12==9.5.1.17\n");
    CHECK(m.install() == below);
  }
  SUBCASE("one for another CUDA goes, a JIT-only one, which lies elsewhere, stays") {
    m.add_wheel("nvidia_cudnn_cu12-9.5.1.17");
    m.add_wheel("nvidia_cudnn_jit_cu12-9.14.0.64");
    CHECK(m.install() == pip + "install nvidia-cudnn-cu13 && " + pip +
                             "uninstall -y nvidia-cudnn-cu12 && " + pip +
                             "install --force-reinstall --no-deps nvidia-cudnn-cu13");
  }
  SUBCASE("only with tools that are there") {
    m.os.files.erase(m.site + "/pip/__main__.py");
    m.os.files.erase("/venv/pyvenv.cfg");
    m.os.variables["PATH"] = "/bin";
    CHECK(m.install() ==
          "in a Python environment, which CuDNNChecked_ROOT then names: pip install "
          "nvidia-cudnn-cu13");
    m.os.variables["PATH"] = "/bin:/opt/bin";
    m.os.files["/opt/bin/uv"] = "";
    CHECK(m.install() ==
          "uv pip install --target /b/cudnn_wheels nvidia-cudnn-cu13 && cmake -D "
          "CuDNNChecked_ROOT=/b/cudnn_wheels /b");
  }
}

TEST_CASE("which CUDA a cuDNN is installed for") {
  configured_machine m;
  m.set("instructed", "");
  const std::string parts =
      " 'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' "
      "'nvidia-cuda-nvrtc==13.*' 'nvidia-cublas==13.*'";
  CHECK(m.install() == pip + "install nvidia-cudnn-cu13" + parts);
  m.set("version", "8.9");
  m.set("maximum", "9");
  CHECK(m.install().rfind(
            pip + "install 'nvidia-cudnn-cu12>=8.9,<9' 'nvidia-cuda-runtime-cu12==12.*' ", 0) == 0);
  m.set("compiled", "13.0.48");
  m.set("words", "8.9...<9");
  CHECK(m.install() ==
        "choose another cuDNN or another CUDA: PyPI has no cuDNN 8.9...<9 for CUDA "
        "13 (CMAKE_CUDA_COMPILER)");
}

TEST_CASE("a release that nobody has published") {
  configured_machine m;
  m.set("version", "9.99");
  m.set("words", "9.99 or newer");
  CHECK(m.install() ==
        "choose another cuDNN: no known release is 9.99 or newer, and the newest is " +
            to_string(catalogued_releases(13, package_set::full).back()));
}

TEST_CASE("what is downloaded is told where it is more than 100 MB") {
  const auto megabytes = [](const std::string& requirement) {
    wheel_order order;
    order.requirements.push_back(requirement);
    return repairs::with_download(advice("words"), order).megabytes;
  };
  const bool arm = own_machine == machine_aarch64;
  CHECK(megabytes("nvidia-cudnn-cu13==9.14.0.64") == (arm ? 415 : 351));
  CHECK(megabytes("nvidia-cudnn-cu13>=9.14,<9.14.1") == (arm ? 415 : 351));
  CHECK(megabytes("nvidia-cudnn-cu12==9.14.0.*") == (arm ? 648 : 647));
  CHECK(megabytes("nvidia-cudnn-jit-cu13==9.14.0.64") == 0);
  CHECK(megabytes("nvidia-cudnn-cu13==9.14.9.1") == 0);
  CHECK(megabytes("nvidia-cublas==13.*") == 0);
  const auto line = [](int size) {
    fix_line words = advice("words");
    words.megabytes = size;
    return std::string(words_behind(words));
  };
  CHECK(line(351) == "cuDNN alone is a download of 351 MB");
  CHECK(line(0) == "");
}

TEST_CASE("the JIT-only package is named where it has all that is asked for, and computes") {
  configured_machine m;
  m.set("version", "9.14.0");
  m.set("exact", "yes");
  const std::string full = pip + "install 'nvidia-cudnn-cu13==9.14.0.*'";
  const auto small = [](const std::string& components) {
    return ", or: with nvidia-cudnn-jit-cu13 in its place, " +
           std::to_string(own_machine == machine_aarch64 ? 17 : 16) + " MB, which has COMPONENTS " +
           components + " too";
  };
  CHECK(m.install() == full);
  m.set("component", "graph");
  CHECK(m.install() == full + small("graph"));
  m.set("component", "engines_runtime_compiled");
  CHECK(m.install() == full + small("engines_runtime_compiled graph"));
  SUBCASE("not where a component is in the full package alone") {
    m.set("component", "cnn");
    CHECK(m.install() == full);
  }
  SUBCASE("nor where the JIT-only one computes nothing") {
    m.set("version", "9.12.0");
    CHECK(m.install() == pip + "install 'nvidia-cudnn-cu13==9.12.0.*'");
  }
  SUBCASE("nor where there is none for that CUDA") {
    m.set("version", "9.10.2");
    m.set("instructed", "11");
    CHECK(m.install().find("jit") == std::string::npos);
  }
}

TEST_CASE("a package again") {
  configured_machine m;
  m.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  CHECK(m.again(m.site + "/nvidia/cudnn/lib/libcudnn.so.9") ==
        pip + "install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64");
  // Two in one folder: which of them is wanted is not known.
  m.add_wheel("nvidia_cudnn_cu12-9.14.0.64");
  CHECK(m.again(m.site + "/nvidia/cudnn/lib/libcudnn.so.9") == "");
  m.os.files["/conda/conda-meta/libcudnn-9.14.0.64-h1_0.json"] = "";
  m.os.files["/conda/conda-meta/cudnn-9.14.0.64-h2_0.json"] = "";
  CHECK(m.again("/conda/lib/libcudnn.so.9") ==
        "conda install -y -p /conda --force-reinstall cudnn=9.14.0.64 libcudnn=9.14.0.64");
  m.os.files["/var/lib/dpkg/info/libcudnn9-cuda-13.list"] = "/.\n/usr/lib/libcudnn.so.9.14.0\n";
  m.os.files["/var/lib/dpkg/status"] = "Package: libcudnn9-cuda-13\nVersion: 9.14.0.64-1\n\n";
  m.os.files["/usr/lib/libcudnn.so.9.14.0"] = "";
  m.os.links["/usr/lib/libcudnn.so.9"] = "libcudnn.so.9.14.0";
  CHECK(m.again("/usr/lib/libcudnn.so.9") ==
        "apt-get install --reinstall libcudnn9-cuda-13=9.14.0.64-1");
  CHECK(m.again("/usr/lib/libcudnn.so.9", "libraries") ==
        "apt-get install --reinstall libcudnn9-cuda-13=9.14.0.64-1");
  CHECK(m.again("/usr/lib/libcudnn.so.9", "headers") ==
        "apt-get install libcudnn9-dev-cuda-13=9.14.0.64-1");
  CHECK(m.again("/opt/lib/libcudnn.so.9") == "");
}

TEST_CASE(
    "what must be typed besides ends a command that installs CUDA's runtime, or stands alone") {
  const std::string then = "cmake -U CUDAToolkit_ROOT /b";
  configured_machine m;
  m.set("site", m.site);
  m.set("folder", "cudnn");
  m.set("cuda", "13");
  m.set("named_toolkit", "yes");
  m.set("held", "CUDAToolkit_ROOT\tcache\t/cuda");
  const auto lines = [&m] { return install_runtime(m.asked(), m.os); };
  CHECK(lines().size() == 1);
  CHECK(std::string(lines()[0].text).rfind(" && " + then) + 4 + then.size() ==
        lines()[0].text.size());
  // Nothing is missing there.
  for (const char* const header : {"cuda_runtime_api.h", "crt/host_defines.h"}) {
    m.os.files[m.site + "/nvidia/cu13/include/" + header] = "";
  }
  CHECK(in_one_line(lines()) == then.c_str());
}

TEST_CASE("nobody's name forges a command") {
  configured_machine m;
  m.facts[1] = "own=/b\ncommand\trm";
  m.os.files.erase("/venv/pyvenv.cfg");
  CHECK(m.install().rfind("in a Python environment, which ", 0) == 0);
}
