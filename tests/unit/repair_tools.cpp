// SPDX-License-Identifier: BSD-3-Clause
#include "repair/tools.h"

#include <doctest/doctest.h>

#include "core/installers/installers.h"
#include "core/judge/advice/advice.h"
#include "fake_system.h"
#include "repair/held_requirements.h"
#include "repair/python_metadata.h"

using namespace cudnn_checked;

static const repairs::checked in_container = [] {
  repairs::checked now;
  now.in_container = true;
  return now;
}();

static fix_line ordered_in(const arena_string& prefix, const package_installer& by) {
  repair step;
  step.what = repair_kind::wheels;
  step.where.prefix = prefix;
  step.where.site = prefix + "/lib/python3.12/site-packages";
  step.where.python = prefix + "/bin/python";
  step.where.installer = &by;
  step.where.wheels.push_back(wheel_of_info("nvidia_cudnn_cu13-9.19.0.56.dist-info"));
  step.order.requirements = {"nvidia-cudnn-cu13==9.19.0.56"};
  return command("pip", step);
}

TEST_CASE("PYTHONUSERBASE leads pip --user elsewhere") {
  test::fake_system os;
  os.variables["PYTHONUSERBASE"] = "/scratch";
  CHECK(repairs::as_typed_here(os, ordered_in("/p", installers::pip_user())).text ==
        "unset PYTHONUSERBASE && pip");
  CHECK(repairs::as_typed_here(os, ordered_in("/p", installers::pip())).text == "pip");
}

TEST_CASE("pip sees packages in other folders than the environment's") {
  const arena_string site = "/v/lib/python3.12/site-packages";
  const arena_string nvidia = "/nvidia_cudnn_cu13-9.14.0.64.dist-info/METADATA";
  const arena_string cfg = "home = /usr/bin\ninclude-system-site-packages = ";
  const arena_string shared = "where pip does not count the packages of NVIDIA in ";
  const struct {
    const char* what;
    arena_string path_file;
    arena_string settings;
    arena_string others;
    bool again;
    arena_string condition;
  } rows[] = {
      {"nothing", "", cfg + "false\n", "", false, ""},
      {"a folder without packages of NVIDIA's", "/o\n", cfg + "false\n", "", false, ""},
      {"a folder with one", "# mine\n/o\n", cfg + "false\n", "/o", false, shared + "/o"},
      {"below the environment", "o\n", cfg + "false\n", site + "/o", false, shared + site + "/o"},
      {"by force", "/o\n", cfg + "false\n", "/o", true, ""},
      {"by force, where it is no virtual environment", "/o\n", "", "/o", true, ""},
      {"code", "import sys; sys.path.insert(0, '/o')\n", "", "", true,
       "where " + site + "/o.pth does not change what pip finds"},
      {"code of setuptools", "import os; __import__('_distutils_hack')\n", "", "", false, ""},
      {"the system's", "", cfg + "true\n", "/usr/lib/python3/dist-packages", false,
       shared + "/usr/lib/python3/dist-packages"},
      {"the system's, which is not shared", "", cfg + "false\n", "/usr/lib/python3/dist-packages",
       false, ""},
      {"the user's", "", "", "/home/me/.local/lib/python3.12/site-packages", false,
       shared + "/home/me/.local/lib/python3.12/site-packages"},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    test::fake_system os;
    os.variables["HOME"] = "/home/me";
    os.files[std::string(site + "/o.pth")] = row.path_file;
    if (!row.settings.empty()) os.files["/v/pyvenv.cfg"] = row.settings;
    if (!row.others.empty()) os.files[std::string(row.others + nvidia)] = "";
    fix_line line = ordered_in("/v", installers::pip());
    line.steps.in_place()[0].order.again = row.again;
    CHECK(repairs::condition_of(os, line, in_container) == row.condition);
    line.steps.in_place()[0].where.installer = &installers::uv();
    CHECK(repairs::condition_of(os, line, in_container).empty());
  }
}

TEST_CASE("the requirements of setuptools' metadata count") {
  test::fake_system os;
  os.files["/s/old-1.0-py3.12.egg-info/PKG-INFO"] = "Name: old\nVersion: 1.0\n";
  os.files["/s/old-1.0-py3.12.egg-info/requires.txt"] =
      "nvidia-cudnn-cu13==9.14.0.64\n\n[extra]\na\n\n[:sys_platform == \"win32\"]\nb\n";
  os.files["/s/nvidia_cudnn_cu13-9.14.0.64.dist-info/METADATA"] = "";
  CHECK(repairs::read_distribution(os, "/s", "old-1.0-py3.12.egg-info").requirements ==
        std::vector<std::string>{"nvidia-cudnn-cu13==9.14.0.64", "b ; sys_platform == \"win32\""});
  test::fake_system after = os;
  after.files.erase("/s/nvidia_cudnn_cu13-9.14.0.64.dist-info/METADATA");
  after.files["/s/nvidia_cudnn_cu13-9.19.0.56.dist-info/METADATA"] = "";
  fix_line line = ordered_in("/v", installers::pip());
  line.steps.in_place()[0].where.site = "/s";
  repairs::held_requirements held(os);
  REQUIRE(held.find_broken(line.steps, after) != nullptr);
  CHECK(held.find_broken(line.steps, after)->package == "old 1.0");
}

TEST_CASE("another release comes into an environment that is not active, if a person names it") {
  test::fake_system os;
  os.variables["VIRTUAL_ENV"] = "/active";
  os.files["/active/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9"] = "";
  os.files["/v/pyvenv.cfg"] = "";
  fix_line line = ordered_in("/v", installers::uv());
  CHECK(repairs::condition_of(os, line, in_container).empty());  // the release that is there
  line.steps.in_place()[0].order.requirements = {"nvidia-cudnn-cu13==9.14.0.64"};
  repairs::checked now = in_container;
  CHECK(repairs::condition_of(os, line, now) ==
        "where all who use /v, which is not the active environment, want it");
  now.is_named = true;
  CHECK(repairs::condition_of(os, line, now).empty());
  now.is_named = false;
  os.variables["VIRTUAL_ENV"] = "/v";
  CHECK(repairs::condition_of(os, line, now).empty());
}

TEST_CASE("a folder that leads out of the environment has what others use") {
  const std::string shared = "/shared/nvidia";
  const struct {
    const package_installer& by;
    const char* link;    ///< in the environment's folder of packages
    const char* target;  ///< below `shared`
    bool is_shared;
  } rows[] = {
      {installers::pip(), "/nvidia", "", true},
      {installers::pip(), "/nvidia/cudnn", "/cudnn", true},
      {installers::pip_target(), "/nvidia", "", true},
      // It takes this link away.
      {installers::pip_target(), "/nvidia/cudnn", "/cudnn", false},
  };
  for (const auto& row : rows) {
    INFO(row.link);
    test::fake_system os;
    os.files[shared + "/cudnn/lib/libcudnn.so.9"] = "";
    os.links["/v/lib/python3.12/site-packages" + std::string(row.link)] = shared + row.target;
    const fix_line line = ordered_in("/v", row.by);
    const arena_string condition = repairs::condition_of(os, line, in_container);
    const arena_string link = line.steps.front().where.site + row.link;
    const arena_string real = shared + row.target;
    CHECK(condition == (row.is_shared
                            ? "where all who use " + real + ", to which " + link + " leads, want it"
                            : arena_string()));
  }
}

TEST_CASE("pip --target takes the folder \"nvidia\" away, and brings back what is recorded there") {
  test::fake_system os;
  const arena_string record = "/layer/nvidia_nvjitlink-13.0.88.dist-info/RECORD";
  os.files["/layer/nvidia/__init__.py"] = "";
  os.files["/layer/nvidia/cudnn/lib/libcudnn.so.9"] = "";
  fix_line line = ordered_in("/layer", installers::pip_target());
  python_environment& e = line.steps.in_place()[0].where;
  e.site = "/layer";
  e.wheels.push_back(wheel_of_info("nvidia_nvjitlink-13.0.88.dist-info"));
  os.files[record] = "nvidia/nvjitlink/lib/libnvJitLink.so.13,,9\n";
  CHECK(repairs::condition_of(os, line, in_container) ==
        "after a copy of /layer/nvidia/__init__.py, which pip would remove");
  os.files[record] += "nvidia/__init__.py,sha256=47DEQpj8/TIm,0\n";
  CHECK(repairs::condition_of(os, line, in_container).empty());
  // What an older release or another installation left there is nobody's, and a person's file is.
  for (const char* const left : {"lib/libcudnn_ops_infer.so.8", "include/v8/cudnn_backend_v8.h",
                                 "__init__.py", "__pycache__/__init__.cpython-312.pyc"}) {
    os.files[std::string("/layer/nvidia/cudnn/") + left] = "";
  }
  CHECK(repairs::condition_of(os, line, in_container).empty());
  // Names are no proof elsewhere, and only cuDNN's are one there.
  for (const std::string own : {"kernels/libmine.so", "kernels/__init__.py", "kernels/cudnn_own.h",
                                "cudnn_own/libcudnn_own.so.9", "cudnn/lib/libmine.so"}) {
    CAPTURE(own);
    test::fake_system with_own = os;
    with_own.files["/layer/nvidia/" + own] = "";
    const bool in_known = own == "cudnn/lib/libmine.so";
    CHECK(repairs::condition_of(with_own, line, in_container) ==
          "after a copy of /layer/nvidia/" + (in_known ? own : own.substr(0, own.find('/'))) +
              ", which pip would remove");
  }
  // A cuDNN whose record is lost is no left-over.
  fix_line others = ordered_in("/layer", installers::pip_target());
  repair& step = others.steps.in_place()[0];
  step.order.requirements = {"nvidia-nvjitlink==13.0.88"};
  step.where.site = "/layer";
  step.where.wheels = {wheel_of_info("nvidia_nvjitlink-13.0.88.dist-info")};
  CHECK(repairs::condition_of(os, others, in_container) ==
        "after a copy of /layer/nvidia/cudnn, which pip would remove");
  os.files["/layer/nvidia/cudnn/lib/tuned/plans.json"] = "";
  CHECK(repairs::condition_of(os, line, in_container) ==
        "after a copy of /layer/nvidia/cudnn/lib/tuned, which pip would remove");
}

TEST_CASE("what was installed from a file may be of no index") {
  test::fake_system os;
  fix_line line = ordered_in("/layer", installers::pip_target());
  python_environment& e = line.steps.in_place()[0].where;
  const std::string site = e.site;
  e.wheels.push_back(wheel_of_info("nvidia_nvjitlink-13.0.88.dist-info"));
  CHECK(repairs::can_be_fetched(os, line));
  os.files[site + "/nvidia_cudnn_cu13-9.19.0.56.dist-info/direct_url.json"] = "{}";
  CHECK(repairs::can_be_fetched(os, line));
  os.files[site + "/nvidia_nvjitlink-13.0.88.dist-info/direct_url.json"] = "{}";
  CHECK_FALSE(repairs::can_be_fetched(os, line));
  // Where pip leaves it as it is, it does not matter.
  e.installer = &installers::pip();
  CHECK(repairs::can_be_fetched(os, line));
}
