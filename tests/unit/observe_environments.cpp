// SPDX-License-Identifier: BSD-3-Clause
//
// The Python environment that a cuDNN lies in, on a machine in memory.
#include <doctest/doctest.h>

#include "core/observe/observe.h"
#include "fake_system.h"

using namespace cudnn_checked;

namespace {

const std::string lib = "/venv/lib/python3.12";
const std::string packages = lib + "/site-packages";

struct environment_on_disk {
  test::fake_system os;
  std::string site = packages;

  void add(const std::string& path) { os.files[path] = ""; }
  void add_wheel(const std::string& name) { add(site + "/" + name + ".dist-info/RECORD"); }

  python_environment look() const {
    observation observed;
    cudnn_file file;
    file.path = site + "/nvidia/cudnn/lib/libcudnn.so.9";
    observed.files = {file, file};
    observe_python_environments(os, observed);
    return observed.environments.empty() ? python_environment() : observed.environments[0];
  }
};

}  // namespace

TEST_CASE("an environment with pip, its packages and CUDA's libraries") {
  environment_on_disk e;
  e.add("/venv/bin/python3");
  e.add("/venv/pyvenv.cfg");
  e.add(packages + "/pip/__init__.py");
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.add(packages + "/nvidia/cu13/lib/libcublasLt.so.13");
  e.add(packages + "/nvidia/cudnn/lib/libcudnn.so.9");
  const python_environment found = e.look();
  CHECK(found.prefix == "/venv");
  CHECK(found.python == "/venv/bin/python3");
  CHECK(found.installer == wheel_installer::pip);
  CHECK_FALSE(found.managed);
  REQUIRE(found.wheels.size() == 1);
  CHECK(found.wheels[0].name == "nvidia-cudnn-cu13");
  CHECK(found.wheels[0].number == "9.14.0.64");
  REQUIRE(found.libraries.size() == 1);
  CHECK(found.libraries[0] == packages + "/nvidia/cu13/lib");
}

TEST_CASE("a virtual environment without pip is one of uv, unless it has the system's") {
  environment_on_disk e;
  e.add("/venv/bin/python");
  e.os.files["/venv/pyvenv.cfg"] = "home = /usr/bin\n";
  e.add(packages + "/pipx/__init__.py");
  CHECK(e.look().installer == wheel_installer::uv);
  e.os.files["/venv/pyvenv.cfg"] = "home = /usr/bin\ninclude-system-site-packages = true\n";
  CHECK(e.look().installer == wheel_installer::pip);
}

TEST_CASE("an environment that is externally managed") {
  environment_on_disk e;
  e.add("/venv/bin/python");
  e.add(lib + "/EXTERNALLY-MANAGED");
  CHECK(e.look().managed);
  // Not one in it.
  e.add("/venv/pyvenv.cfg");
  CHECK_FALSE(e.look().managed);
}

TEST_CASE("Debian's Python, a user's packages, and folders that are no environment") {
  environment_on_disk e;
  e.site = "/usr/local/lib/python3.11/dist-packages";
  e.add("/usr/bin/python3.11");
  e.add("/usr/lib/python3.11/EXTERNALLY-MANAGED");
  CHECK(e.look().python == "/usr/bin/python3.11");
  CHECK(e.look().managed);
  e.site = "/home/me/.local/lib/python3.11/site-packages";
  CHECK(e.look().python == "python3.11");
  CHECK(e.look().installer == wheel_installer::user);
  e.site = "/layer";
  CHECK(e.look().site == "");
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  CHECK(e.look().installer == wheel_installer::target);
  e.os.files["/layer/nvidia_cudnn_cu13-9.14.0.64.dist-info/INSTALLER"] = "uv\n";
  CHECK(e.look().installer == wheel_installer::uv_target);
}
