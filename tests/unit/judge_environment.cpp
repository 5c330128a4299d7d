// SPDX-License-Identifier: BSD-3-Clause
//
// The commands for the Python environment that a cuDNN lies in, whole, and what they leave alone.
#include <doctest/doctest.h>

#include "core/installers/installers.h"
#include "core/judge/advice/wheel_commands.h"
#include "core/judge/rules/rules.h"
#include "core/model/unstamped_program.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::fix_of;

namespace {

const std::string venv_site = "/my venv/lib/python3.12/site-packages";

python_environment environment(const package_installer& installer,
                               const arena_vector<installed_wheel>& wheels) {
  python_environment e;
  e.site = venv_site;
  e.prefix = "/my venv";
  e.python = "/my venv/bin/python";
  e.installer = &installer;
  e.wheels = wheels;
  return e;
}

/// A program of 9.14.0 and CUDA 13 whose cuDNN lies in an environment.
struct in_environment : test::machine {
  explicit in_environment(const arena_vector<installed_wheel>& wheels,
                          const package_installer& installer = installers::pip())
      : machine("9.14.0", "9.14.0") {
    for (cudnn_file& file : observed.files.in_place()) {
      file.path = venv_site + "/nvidia/cudnn/lib/" + file.name;
      file.real_path = file.path;
      file.run_path_cuda_major = 13;
    }
    observed.environments = {environment(installer, wheels)};
  }

  std::string fix() const { return fix_of(findings()[0]); }
};

}  // namespace

TEST_CASE("the environment that a path lies in") {
  CHECK(site_of(venv_site + "/nvidia/cudnn/lib/libcudnn.so.9") == venv_site);
  CHECK(site_of(venv_site + "/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9") == venv_site);
  CHECK(site_of("/usr/lib/python3/dist-packages/nvidia/cudnn/lib/x") ==
        "/usr/lib/python3/dist-packages");
  CHECK(site_of("/layer/nvidia/cudnn/lib/libcudnn.so.9") == "/layer");
  CHECK(site_of("C:/venv/Lib/site-packages/torch/lib/../../nvidia/cudnn/bin/cudnn64_9.dll") ==
        "C:/venv/Lib/site-packages");
  CHECK(site_of("/usr/lib/libcudnn.so.9") == "");
  CHECK(site_of("") == "");
}

// sglang#22719: nothing is left of the wheel but its record.
TEST_CASE("where no file says for which CUDA it is, the requirement does") {
  in_environment m({wheel_of_info("nvidia_cudnn_cu12-9.10.2.21.dist-info")});
  m.stamped.toolkit = {};
  for (cudnn_file& file : m.observed.files.in_place()) file.run_path_cuda_major = 0;
  m.observed.files.clear();
  start_library shim;
  shim.name = "libcudnn.so.9";
  shim.state = file_state::missing;
  searched_place place;
  place.directory = venv_site + "/nvidia/cudnn/lib";
  shim.looked_in = {place};
  m.observed.start.libraries = {shim};
  unstamped_program program;
  program.use = cudnn_use::needed;
  program.requirement.wheel = "nvidia-cudnn-cu12";
  program.requirement.cuda_major = 12;
  m.observed.unstamped = &program;
  CHECK(fix_of(judge_unstamped(m.observed, m.options).findings[0]) ==
        "$ '/my venv/bin/python' -m pip install --force-reinstall --no-deps "
        "nvidia-cudnn-cu12==9.10.2.21");
}

// The export is for who does not look there: the run path of the other leads to it.
TEST_CASE("a wheel of CUDA in a folder that the run path leads to, and in one that it does not") {
  const auto fix = [](const std::string& looked_in) {
    in_environment m({wheel_of_info("nvidia_cudnn_cu12-9.10.2.21.dist-info")});
    start_library cublas;
    cublas.name = "libcublas.so.12";
    cublas.asked_by = venv_site + "/delta/libdelta.so";
    cublas.state = file_state::missing;
    cublas.looked_in = {{looked_in, {choice_reason::runpath, cublas.asked_by}}};
    m.observed.start.libraries = {cublas};
    return fix_of(judge_start(m.stamped, m.observed, m.options).findings[0]);
  };
  const std::string install = "$ '/my venv/bin/python' -m pip install 'nvidia-cublas-cu12==12.*'";
  CHECK(fix(venv_site + "/delta/../nvidia/cublas/lib") == install);
  CHECK(fix(venv_site + "/nvidia/cudnn/lib") ==
        install + " && export LD_LIBRARY_PATH='" + venv_site + "/nvidia/cublas/lib'");
}

TEST_CASE("a broken wheel is installed again, with nothing that it needs") {
  in_environment m({wheel_of_info("nvidia_cudnn_cu13-9.14.0.64.dist-info"),
                    wheel_of_info("nvidia_cublas-13.0.0.19.dist-info")});
  m.file("ops").state = file_state::empty;
  CHECK(m.fix() ==
        "$ '/my venv/bin/python' -m pip install --force-reinstall --no-deps "
        "nvidia-cudnn-cu13==9.14.0.64");
}

TEST_CASE("an environment of uv, without pip") {
  in_environment m({wheel_of_info("nvidia_cudnn_cu13-9.14.0.64.dist-info")}, installers::uv());
  m.file("ops").state = file_state::empty;
  CHECK(m.fix() ==
        "$ uv pip install --python '/my venv' --no-cache --reinstall --no-deps "
        "nvidia-cudnn-cu13==9.14.0.64");
  m.observed.environments.in_place()[0].wheels.push_back(
      wheel_of_info("nvidia_cudnn_cu12-9.14.0.64.dist-info"));
  CHECK(m.fix() ==
        "$ uv pip install --python '/my venv' --no-cache --reinstall --no-deps "
        "nvidia-cudnn-cu13==9.14.0.64 && "
        "uv pip uninstall --python '/my venv' nvidia-cudnn-cu12 && uv pip install --python "
        "'/my venv' --no-cache --reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64");
}

TEST_CASE("an environment that another package manager looks after") {
  in_environment m({wheel_of_info("nvidia_cudnn_cu13-9.14.0.64.dist-info")});
  m.observed.environments.in_place()[0].managed = true;
  m.file("ops").state = file_state::empty;
  CHECK(m.fix() ==
        "$ '/my venv/bin/python' -m pip install --break-system-packages --force-reinstall "
        "--no-deps nvidia-cudnn-cu13==9.14.0.64");
}

TEST_CASE("the site-packages of a user, and a folder of pip install --target") {
  in_environment m({wheel_of_info("nvidia_cudnn_cu13-9.14.0.64.dist-info"),
                    wheel_of_info("nvidia_cublas-13.0.0.19.dist-info")},
                   installers::pip_user());
  m.observed.environments.in_place()[0].python = "python3.12";
  m.file("ops").state = file_state::empty;
  CHECK(m.fix() ==
        "$ python3.12 -m pip install --user --force-reinstall --no-deps "
        "nvidia-cudnn-cu13==9.14.0.64");
  // pip replaces the whole folder: what else is in it is named as well.
  m.observed.environments.in_place()[0].installer = &installers::pip_target();
  m.observed.environments.in_place()[0].python = "";
  CHECK(m.fix() ==
        "$ python3 -m pip install --upgrade --target '/my venv/lib/python3.12/site-packages' "
        "--no-deps nvidia-cublas==13.0.0.19 nvidia-cudnn-cu13==9.14.0.64");
  // Metadata of what goes is removed when all has been fetched, and never that of what comes.
  python_environment folder = m.observed.environments[0];
  folder.site = "/layer";
  const auto of_order = [&folder](const char* requirement, bool conflicts) {
    wheel_order order;
    order.requirements = {requirement};
    if (conflicts) order.conflicting = {"nvidia-cublas"};
    return install_wheels(folder, order).text;
  };
  const arena_string install = "python3 -m pip install --upgrade --target /layer ";
  const arena_string removal = " && rm -r /layer/nvidia_cudnn_cu13-9.14.0.64.dist-info";
  const arena_string cublas = "nvidia-cublas==13.0.0.19 ";
  CHECK(of_order("nvidia-cudnn-cu13==9.19.0.56", false) ==
        install + cublas + "nvidia-cudnn-cu13==9.19.0.56" + removal);
  CHECK(of_order("nvidia-cudnn-cu13==9.1.*", false) ==
        install + cublas + "'nvidia-cudnn-cu13==9.1.*'" + removal);
  CHECK(of_order("nvidia-cudnn-cu12==9.14.0.64", true) ==
        install +
            "nvidia-cudnn-cu13==9.14.0.64 nvidia-cudnn-cu12==9.14.0.64 && "
            "rm -r /layer/nvidia_cublas-13.0.0.19.dist-info");
  for (const char* const same : {"nvidia-cudnn-cu13==9.14.0.64", "nvidia-cudnn-cu13==9.14.0.*"}) {
    CHECK(of_order(same, false) == install + cublas + quoted(same));
  }
  // What may come again is removed first: its metadata could not be told from the other's later.
  for (const char* const open : {"nvidia-cudnn-cu13==9.14.*", "nvidia-cudnn-cu13>=9.3,<10",
                                 "nvidia-cudnn-cu13==9.14.0.*,>9", "nvidia-cudnn-cu13"}) {
    CHECK(of_order(open, false) == "rm -r /layer/nvidia_cudnn_cu13-9.14.0.64.dist-info && " +
                                       install + cublas + quoted(open));
  }
  m.observed.environments.in_place()[0].installer = &installers::uv_target();
  CHECK(m.fix() ==
        "$ uv pip install --target '/my venv/lib/python3.12/site-packages' --no-cache --reinstall "
        "--no-deps "
        "nvidia-cudnn-cu13==9.14.0.64");
}

TEST_CASE("a wheel without a record is overwritten by one of the release that was stamped") {
  in_environment m({});
  m.file("ops").state = file_state::empty;
  CHECK(m.fix() == "$ '/my venv/bin/python' -m pip install 'nvidia-cudnn-cu13==9.14.0.*'");
  // A release that no package has.
  m.stamped.cudnn_header = parse_version("9.14.9");
  CHECK(m.fix() == "$ '/my venv/bin/python' -m pip install 'nvidia-cudnn-cu13>=9.14,<10'");
}

TEST_CASE("wheels for another CUDA are removed first: they have the same files") {
  in_environment m({wheel_of_info("nvidia_cudnn_cu12-9.14.0.64.dist-info"),
                    wheel_of_info("nvidia_cudnn_cu13-9.14.0.64.dist-info"),
                    wheel_of_info("nvidia_cudnn_frontend-1.14.0.dist-info")});
  for (cudnn_file& file : m.observed.files.in_place()) file.run_path_cuda_major = 12;
  REQUIRE(m.names() == "cuda-major");
  CHECK(m.fix() ==
        "$ '/my venv/bin/python' -m pip install --force-reinstall --no-deps "
        "nvidia-cudnn-cu13==9.14.0.64 && '/my venv/bin/python' -m pip uninstall -y "
        "nvidia-cudnn-cu12 && '/my venv/bin/python' -m "
        "pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64");
}

TEST_CASE("an older wheel: the release that the program was built with, not the newest") {
  in_environment m({wheel_of_info("nvidia_cudnn_cu13-9.13.1.26.dist-info")});
  for (cudnn_file& file : m.observed.files.in_place()) file.name_version = parse_version("9.13.1");
  REQUIRE(m.names() == "cudnn-older");
  CHECK(m.fix() ==
        "$ '/my venv/bin/python' -m pip install --force-reinstall --no-deps "
        "'nvidia-cudnn-cu13==9.14.0.*'");
  // For a program that asks for no minor release it is as good as it is.
  m.stamped.policy = "major";
  CHECK(m.names() == "");
}

TEST_CASE("Debian's packages: the same again, or the release that was stamped") {
  test::machine m("9.14.0", "9.14.0");
  package_record package;
  package.manager = package_manager::dpkg;
  package.installer = &installers::dpkg();
  package.name = "libcudnn9-cuda-13";
  package.number = "9.14.0.64-1";
  package.cudnn = parse_version("9.14.0");
  package.cuda_major = 13;
  for (cudnn_file& file : m.observed.files.in_place()) file.package = package;
  m.file("ops").state = file_state::empty;
  CHECK(fix_of(m.findings()[0]) == "$ apt-get install --reinstall libcudnn9-cuda-13=9.14.0.64-1");
  m = test::machine("9.14.0", "9.13.1");
  package.number = "9.13.1.26-1";
  package.cudnn = parse_version("9.13.1");
  for (cudnn_file& file : m.observed.files.in_place()) file.package = package;
  REQUIRE(m.names() == "cudnn-older");
  CHECK(fix_of(m.findings()[0]) ==
        "$ apt-get install --allow-downgrades 'libcudnn9-cuda-13=9.14.0.*'");
}

TEST_CASE("libraries of CUDA in an environment") {
  python_environment e = environment(installers::pip(), {});
  CHECK(requirement_of_cuda(e, nvrtc_wheel, 13) == "nvidia-cuda-nvrtc==13.*");
  CHECK(requirement_of_cuda(e, nvrtc_wheel, 12) == "nvidia-cuda-nvrtc-cu12==12.*");
  e.wheels = {wheel_of_info("nvidia_cuda_runtime-13.0.96.dist-info"),
              wheel_of_info("nvidia_cuda_runtime_cu12-12.9.79.dist-info")};
  CHECK(requirement_of_cuda(e, nvrtc_wheel, 13) == "nvidia-cuda-nvrtc==13.0.*");
  CHECK(requirement_of_cuda(e, nvrtc_wheel, 12) == "nvidia-cuda-nvrtc-cu12==12.9.*");
  CHECK(requirement_of_cuda(e, cublas_wheel, 13) == "nvidia-cublas==13.*");
  e.libraries = {venv_site + "/nvidia/cu13/lib"};
  CHECK(prepend_environment(e, venv_site + "/nvidia/cudnn/lib", "/b").text ==
        "export LD_LIBRARY_PATH='" + venv_site + "/nvidia/cudnn/lib:" + venv_site +
            "/nvidia/cu13/lib':$LD_LIBRARY_PATH");
}

TEST_CASE("a folder of pip --target in which two releases of a package are recorded") {
  python_environment e = environment(installers::pip_target(),
                                     {wheel_of_info("nvidia_cudnn_jit_cu13-9.13.0.50.dist-info"),
                                      wheel_of_info("nvidia_cudnn_jit_cu13-9.14.0.64.dist-info")});
  wheel_order order;
  order.requirements = {"nvidia-cuda-runtime==13.*"};
  const fix_line words = install_wheels(e, order);
  CHECK(words.what == fix_line::kind::advice);
  CHECK(words.text == "install one release of nvidia-cudnn-jit-cu13 in " + venv_site +
                          ", of which two are recorded, and with it nvidia-cuda-runtime==13.*");
  order.requirements = {"nvidia-cudnn-jit-cu13==9.13.0.50"};
  CHECK(install_wheels(e, order).what == fix_line::kind::command);
}
