// SPDX-License-Identifier: BSD-3-Clause
//
// The Python environment that a cuDNN lies in, on a machine in memory.
#include <doctest/doctest.h>

#include "core/installers/installers.h"
#include "core/judge/advice/wheel_commands.h"
#include "core/observe/observe.h"
#include "fake_system.h"

using namespace cudnn_checked;

namespace {

const std::string lib = "/venv/lib/python3.12";
const std::string packages = lib + "/site-packages";

struct environment_on_disk {
  test::fake_system os;
  std::string site = packages;

  environment_on_disk() {
    for (const char* name : {"python3", "pip3", "uv"}) add(std::string("/usr/bin/") + name);
  }

  void add(const std::string& path) { os.files[path] = ""; }
  void add_pip() {
    add("/venv/pyvenv.cfg");
    add(packages + "/pip/__main__.py");
  }
  void add_wheel(const std::string& name) { add(site + "/" + name + ".dist-info/RECORD"); }

  /// What installs a package there.
  std::string command() const {
    wheel_order order;
    order.requirements = {"x"};
    return install_wheels(look(), order).text;
  }

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
  e.add_pip();
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.add(packages + "/nvidia/cu13/lib/libcublasLt.so.13");
  e.add(packages + "/nvidia/cudnn/lib/libcudnn.so.9");
  const python_environment found = e.look();
  CHECK(found.prefix == "/venv");
  CHECK(found.python == "/venv/bin/python3");
  CHECK(found.installer == &installers::pip());
  CHECK_FALSE(found.managed);
  REQUIRE(found.wheels.size() == 1);
  CHECK(found.wheels[0].name == "nvidia-cudnn-cu13");
  CHECK(found.wheels[0].number == "9.14.0.64");
  REQUIRE(found.libraries.size() == 1);
  CHECK(found.libraries[0] == packages + "/nvidia/cu13/lib");
}

TEST_CASE("the name of a package is read however its folder spells it") {
  environment_on_disk e;
  e.add("/venv/bin/python3");
  e.add_wheel("Nvidia.cuDNN__cu13-9.14.0.64");
  e.add_wheel("nvidia-cublas-cu12-12.9.1.4");
  e.add_wheel("nvidiafoo-1.0");
  const python_environment found = e.look();
  REQUIRE(found.wheels.size() == 2);
  CHECK(found.wheels[0].name == "nvidia-cudnn-cu13");
  CHECK(found.wheels[0].number == "9.14.0.64");
  CHECK(metadata_of(found, found.wheels[0]) ==
        packages + "/Nvidia.cuDNN__cu13-9.14.0.64.dist-info");
  CHECK(found.wheels[1].name == "nvidia-cublas-cu12");
  CHECK(found.wheels[1].number == "12.9.1.4");
  for (const char* const other : {"nvidia_cudnn_cu13-9.14.0.64.egg-info", "nvidia_cudnn.dist-info",
                                  "nvidia_cudnn_cu13-9.14.0.64.dist-info.old", ""}) {
    CAPTURE(other);
    CHECK(wheel_of_info(other).name == "");
  }
}

TEST_CASE("a virtual environment without pip is one of uv, unless it has the system's") {
  environment_on_disk e;
  e.add("/venv/bin/python");
  e.os.files["/venv/pyvenv.cfg"] = "home = /usr/bin\n";
  e.add(packages + "/pipx/__init__.py");
  CHECK(e.look().installer == &installers::uv());
  e.os.files["/venv/pyvenv.cfg"] = "home = /usr/bin\ninclude-system-site-packages = true\n";
  CHECK(e.look().installer == &installers::pip());
}

TEST_CASE(
    "a virtual environment without pip, where no uv is, gets the pip of its standard library") {
  environment_on_disk e;
  e.add("/venv/bin/python");
  e.os.files["/venv/pyvenv.cfg"] = "home = /opt/python/bin\nversion = 3.12.1\n";
  e.os.files.erase("/usr/bin/uv");
  const std::string none = "with pip or uv, neither of which is here: install x in " + packages;
  CHECK(e.command() == none);
  e.add("/opt/python/lib/python3.11/ensurepip/__main__.py");
  CHECK(e.command() == none);
  const std::string brings = "/venv/bin/python -m ensurepip && /venv/bin/python -m pip install x";
  for (const char* const libraries : {"lib", "lib64"}) {
    const std::string module =
        std::string("/opt/python/") + libraries + "/python3.12/ensurepip/__main__.py";
    e.add(module);
    CHECK(e.command() == brings);
    e.os.files.erase(module);
  }
  e.add("/opt/python/lib/python3.12/ensurepip/__main__.py");
  for (const char* const half : {"/pip/__init__.py", "/pip-24.0.dist-info/METADATA"}) {
    e.add(packages + half);
    CHECK(e.command() == none);
    e.os.files.erase(packages + half);
  }
  e.add("/usr/bin/uv");
  CHECK(e.command() == "uv pip install --python /venv x");
  e.os.files.erase("/usr/bin/uv");
  // A folder of --target has no standard library.
  e.os.files.erase("/venv/bin/python");
  e.os.files.erase("/usr/bin/python3");
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  CHECK(e.command() == none);
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
  CHECK(e.look().installer == &installers::pip_user());
  e.site = "/layer";
  CHECK(e.look().site == "");
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  CHECK(e.look().installer == &installers::pip_target());
  e.os.files.erase("/usr/bin/python3");
  CHECK(e.look().installer == &installers::uv_target());
  e.os.files.erase("/usr/bin/uv");
  CHECK(e.command() == "with pip or uv, neither of which is here: install x in /layer");
  e.add("/usr/bin/python3");
  e.add("/usr/bin/uv");
  e.os.files["/layer/nvidia_cudnn_cu13-9.14.0.64.dist-info/INSTALLER"] = "uv\n";
  CHECK(e.look().installer == &installers::uv_target());
}

TEST_CASE("a Python that is not there, or that is another environment's") {
  environment_on_disk e;
  e.site = "/home/me/.local/lib/python3.11/site-packages";
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.os.variables["PATH"] = "/venv/bin:/usr/bin";
  e.add("/usr/bin/python3");
  e.add("/usr/bin/pip3");
  const std::string folder =
      "python3 -m pip install --upgrade --target " + e.site + " nvidia-cudnn-cu13==9.14.0.64 x";
  CHECK(e.command() == folder);
  e.add("/usr/bin/python3.11");
  CHECK(e.command() == "python3.11 -m pip install --user x");
  // A virtual environment's would refuse --user.
  e.add("/venv/bin/python3.11");
  e.add("/venv/pyvenv.cfg");
  CHECK(e.command() == "/usr/bin/python3.11 -m pip install --user x");
  e.os.files.erase("/usr/bin/python3.11");
  CHECK(e.command() == folder);
  // A name of pyenv, which may start no Python.
  e.add("/pyenv/shims/python3.11");
  e.os.variables["PATH"] = "/pyenv/shims:/venv/bin:/usr/bin";
  CHECK(e.command() == folder);
  e.os.variables["PATH"] = "/venv/bin:/usr/bin";
  // One of a virtual environment that has no pip.
  e.add("/venv/bin/python3");
  CHECK(e.command() == "/usr/bin/" + folder);
  e.add("/venv/lib/python3.11/site-packages/pip/__main__.py");
  CHECK(e.command() == folder);
  e.os.files.erase("/venv/lib/python3.11/site-packages/pip/__main__.py");
  e.os.files["/venv/pyvenv.cfg"] = "include-system-site-packages = true\n";
  CHECK(e.command() == folder);
}

TEST_CASE("what pip install --user does not reach") {
  environment_on_disk e;
  e.site = "/home/me/.local/lib/python3.11/site-packages";
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.add("/usr/bin/python3.11");
  e.os.variables["HOME"] = "/home/me";
  CHECK(e.look().installer == &installers::pip_user());
  e.os.variables["HOME"] = "/root";
  CHECK(e.look().installer == &installers::pip_target());
}

TEST_CASE("a Python of uv's, which lies in the folder of a user's packages") {
  environment_on_disk e;
  e.site = "/home/me/.local/lib/python3.11/site-packages";
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  const std::string python = "/home/me/.local/share/uv/python/cpython-3.11";
  e.add(python + "/bin/python3.11");
  e.add(python + "/lib/python3.11/EXTERNALLY-MANAGED");
  e.os.links["/home/me/.local/bin/python3.11"] = python + "/bin/python3.11";
  e.os.variables["PATH"] = "/home/me/.local/bin:/usr/bin";
  e.add("/usr/bin/pip3");
  e.add("/usr/bin/python3");
  CHECK(e.command() == "python3.11 -m pip install --break-system-packages --user x");
  e.os.files.erase(python + "/lib/python3.11/EXTERNALLY-MANAGED");
  e.add("/usr/lib/python3.11/EXTERNALLY-MANAGED");
  CHECK(e.command() == "python3.11 -m pip install --user x");
}

TEST_CASE("packages of the Python that a virtual environment had before") {
  environment_on_disk e;
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.add("/venv/bin/python");
  e.add_pip();
  for (const char* same : {"version = 3.12.1\n", "version_info = 3.12.1.final.0\n",
                           "version = 3.12", "home = /usr/lib/python3.11\n"}) {
    e.os.files["/venv/pyvenv.cfg"] = same;
    CHECK(e.look().python == "/venv/bin/python");
  }
  for (const char* other : {"home = /usr/bin\nversion = 3.13.0\n", "version_info = 3.1.2\n"}) {
    e.os.files["/venv/pyvenv.cfg"] = other;
    CHECK(e.look().python == "");
    CHECK(e.look().installer == &installers::pip_target());
  }
  e.site = "/venv/lib/python3.13t/site-packages";
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.os.files["/venv/pyvenv.cfg"] = "version = 3.13.0\n";
  CHECK(e.look().python == "/venv/bin/python");
}

TEST_CASE("pip does not see what variables of Python lead to") {
  environment_on_disk e;
  e.add("/venv/bin/python");
  e.add_pip();
  for (const char* name : {"PYTHONPATH", "PYTHONHOME"}) {
    e.os.variables[name] = "";
    CHECK(e.command() == "/venv/bin/python -m pip install x");
    e.os.variables[name] = "/shared";
    CHECK(e.command() == "/venv/bin/python -E -m pip install x");
    e.os.variables.erase(name);
  }
  e.os.variables["PYTHONPATH"] = "/shared";
  e.site = "/layer";
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  CHECK(e.command() ==
        "python3 -E -m pip install --upgrade --target /layer nvidia-cudnn-cu13==9.14.0.64 x");
}

TEST_CASE("a python3 on PATH has the pip of its own prefix") {
  environment_on_disk e;
  e.site = "/layer";
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.os.variables["PATH"] = "/opt/bin";
  e.add("/opt/bin/python3");
  e.add("/usr/lib/python3/dist-packages/pip/__main__.py");
  e.add("/opt/lib/python312.zip/site-packages/pip/__main__.py");
  CHECK(e.look().installer == nullptr);
  // A link to the system's Python starts that one.
  e.os.files.erase("/opt/bin/python3");
  e.os.links["/opt/bin/python3"] = "/usr/bin/python3";
  e.add("/usr/bin/python3");
  CHECK(e.look().installer == &installers::pip_target());
  e.os.files.erase("/usr/lib/python3/dist-packages/pip/__main__.py");
  CHECK(e.look().installer == nullptr);
  e.add("/opt/lib/python3.12/site-packages/pip/__main__.py");
  CHECK(e.look().installer == &installers::pip_target());
}

TEST_CASE("a Python that is only a link") {
  environment_on_disk e;
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  e.add_pip();
  e.os.links["/venv/bin/python"] = "/gone/python3";
  CHECK(e.look().python == "");
  CHECK(e.look().installer == &installers::pip_target());
  e.os.links["/venv/bin/python3"] = "/usr/bin/python3";
  e.add("/usr/bin/python3");
  CHECK(e.look().python == "/venv/bin/python3");
  // Without pyvenv.cfg it installs to its own place.
  e.os.files.erase("/venv/pyvenv.cfg");
  CHECK(e.look().python == "");
  e.add("/venv/bin/python3.12");
  CHECK(e.look().python == "/venv/bin/python3.12");
}

TEST_CASE("a pip that does not know the wheels' tags is replaced, or uv is taken") {
  environment_on_disk e;
  e.add("/venv/bin/python");
  e.add_pip();
  e.os.variables["PATH"] = "/bin";
  const std::string plain = "/venv/bin/python -m pip install x";
  for (const char* number : {"20.3", "24.0"}) {
    e.add(packages + "/pip-" + number + ".dist-info/METADATA");
    CHECK(e.command() == plain);
    e.os.files.erase(packages + "/pip-" + number + ".dist-info/METADATA");
  }
  e.add(packages + "/pip-20.0.2.dist-info/METADATA");
  CHECK(e.command() == "/venv/bin/python -m pip install -U pip && " + plain);
  e.add("/bin/uv");
  CHECK(e.command() == "uv pip install --python /venv x");
  // Debian's.
  e.add("/bin/python3");
  e.add("/bin/pip3");
  e.add("/bin/python3.8");
  e.add("/usr/lib/python3/dist-packages/pip-20.0.2.egg-info/METADATA");
  e.site = "/layer";
  e.add_wheel("nvidia_cudnn_cu13-9.14.0.64");
  CHECK(e.command() == "uv pip install --target /layer x");
  e.os.files.erase("/bin/uv");
  CHECK(e.command() ==
        "python3 -m pip install -U pip && python3 -m pip install --upgrade --target /layer "
        "nvidia-cudnn-cu13==9.14.0.64 x");
  e.site = "/home/me/.local/lib/python3.8/site-packages";
  CHECK(e.command() ==
        "python3.8 -m pip install --user -U pip && python3.8 -m pip install --user x");
}
