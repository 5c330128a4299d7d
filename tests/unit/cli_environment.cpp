// SPDX-License-Identifier: BSD-3-Clause
//
// Whole environments: who uses cuDNN in them, what the records of packages say, and what is judged.
#include <doctest/doctest.h>

#include "cli/survey/environment.cpp"
#include "cli/survey/environment_records.cpp"
#include "cli/survey/environment_users.cpp"
#include "core/installers/installers.h"
#include "core/judge/survey/survey_rules.h"
#include "repair/python_metadata.h"
#include "site_packages.h"

using namespace cudnn_checked;
using test::site;
using test::venv;
using test::wheel;

namespace cudnn_checked::cli {

/// As verify does, without what only a real process has.
program_check check_program(const system_interface& os, const cudnn_case& asked, advising) {
  venv v;
  v.os = static_cast<const test::fake_system&>(os);
  const std::string below = std::string(asked.path).substr(site.size() + 1);
  const venv::outcome done = v.look(below);
  program_check check;
  check.result = done.result;
  check.findings = done.findings;
  check.program = done.program;
  check.takes = done.takes;
  return check;
}

}  // namespace cudnn_checked::cli

namespace {

const std::string cu12 = "nvidia_cudnn_cu12-9.5.1.17";
const std::string cu12_record = site + "/" + cu12 + ".dist-info/RECORD";

/// A venv with PyTorch and the wheel that it requires, recorded file by file.
struct sound_venv : venv {
  sound_venv() {
    add_torch();
    add_cudnn("9.5.1.17", "12");
    os.files["/venv/bin/python"] = "";
    os.files["/venv/pyvenv.cfg"] = "include-system-site-packages = true\n";  // so it has pip
    os.files[site + "/nvidia/cudnn/include/cudnn_version.h"] = "#define CUDNN_MAJOR 9\n";
    record_cudnn("nvidia-cudnn-cu12", cu12);
  }

  void record_cudnn(const std::string& name, const std::string& folder) {
    std::string record;
    for (const auto& [path, content] : os.files) {
      if (path.find(site + "/nvidia/cudnn/") != 0) continue;
      record += path.substr(site.size() + 1) + ",sha256=x," + std::to_string(content.size()) + "\n";
    }
    const std::string number = folder.substr(folder.find('-') + 1);
    os.files[site + "/" + folder + ".dist-info/RECORD"] = record;
    os.files[site + "/" + folder + ".dist-info/METADATA"] =
        "Name: " + name + "\nVersion: " + number + "\n";
  }

  environment seen(const cli::look_limits& limits = {}) {
    return cli::look_at_environment(os, {site, "command line"}, limits);
  }

  /// The messages of doctor DIR.
  std::string messages(const cli::look_limits& limits = {}) {
    survey all;
    all.environments.push_back(seen(limits));
    std::string text;
    for (const finding& f : judge_directories(all).machine.findings) {
      text += findings_message({f}, to_string(f.weight), severity::note);
    }
    return test::shown(text);
  }
};

}  // namespace

TEST_CASE("a sound environment: one user, its release, and what its package requires") {
  sound_venv v;
  const environment place = v.seen();
  CHECK(place.packages == 2);
  CHECK(place.libraries == 1);
  REQUIRE(place.users.size() == 1);
  const cudnn_user& user = place.users[0];
  CHECK(user.package == "torch 2.7.1");
  CHECK(user.libraries.front() == site + "/torch/lib/libtorch_cuda.so");
  CHECK(user.needed.front() == "libcudnn.so.9");
  CHECK(user.takes.release == "9.5.1 for CUDA 12");
  CHECK(user.takes.kind == "whole");
  CHECK(user.takes.directory == wheel);
  CHECK(user.requirement.text == "nvidia-cudnn-cu12==9.5.1.17");
  REQUIRE(place.requirements.size() == 1);
  CHECK(place.requirements[0].met == answer::yes);
  REQUIRE(place.cudnn_packages.size() == 1);
  CHECK(place.cudnn_packages[0].listed == 8);
  CHECK(place.limit == look_limit::none);
  CHECK(v.messages() == "");
}

TEST_CASE("only shared libraries are opened, and none of cuDNN's own is read as a user") {
  sound_venv v;
  v.os.files[site + "/torch-2.7.1.dist-info/RECORD"] +=
      "torch/__init__.py,sha256=x,9\ntorch/lib/libtorch.so.txt,,\n\"torch/a,b.so\",sha256=x,1\n";
  for (const char* name : {"torch/__init__.py", "torch/lib/libtorch.so.txt"}) {
    v.os.files[site + "/" + name] = "x";
  }
  v.add_library("torch/a,b.so", {"libc.so.6"});
  CHECK(v.seen().libraries == 2);
  CHECK(v.os.times_opened[site + "/torch/__init__.py"] == 0);
  CHECK(v.os.times_opened[site + "/torch/lib/libtorch.so.txt"] == 0);
  CHECK(v.os.times_opened[site + "/torch/a,b.so"] == 1);
  CHECK(v.os.times_opened[wheel + "/libcudnn_ops.so.9"] == 1);
}

TEST_CASE("libraries of one package that find the same are one user") {
  sound_venv v;
  v.add_library("torch/lib/libtorch_python.so", {"libcudnn.so.9"},
                "$ORIGIN/../../nvidia/cudnn/lib");
  v.add_library("torch/lib/libc10.so", {}, "$ORIGIN/../../nvidia/cudnn/lib");
  v.os.files[site + "/torch-2.7.1.dist-info/RECORD"] +=
      "torch/lib/libtorch_python.so,,1\ntorch/lib/libc10.so,,1\n";
  const environment place = v.seen();
  CHECK(place.libraries == 3);
  REQUIRE(place.users.size() == 1);  // a run path alone says nothing beside a NEEDED entry
  CHECK(place.users[0].libraries.size() == 2);
}

TEST_CASE("a library that opens cuDNN by name: the one that finds it decides") {
  sound_venv v;
  v.add_library("tensorflow/libtensorflow_framework.so.2", {}, "$ORIGIN/../nvidia/cudnn/lib");
  v.add_library("tensorflow/python/_plugin.so", {}, "$ORIGIN/nvidia/cudnn/lib");
  v.add_package("tensorflow", "2.21.0", {"nvidia-cudnn-cu12<10.0,>=9.3; extra == \"and-cuda\""},
                "tensorflow/libtensorflow_framework.so.2,,1\ntensorflow/python/_plugin.so");
  const environment place = v.seen();
  REQUIRE(place.users.size() == 2);
  CHECK(place.users[0].package == "tensorflow 2.21.0");
  CHECK(place.users[0].opened == "libcudnn.so.9");
  CHECK(place.users[0].libraries.size() == 1);
  CHECK(place.requirements.size() == 1);  // not that of the extra
  CHECK(v.messages() == "");
}

TEST_CASE("NVIDIA's own libraries NEED cuBLAS and use no cuDNN") {
  sound_venv v;
  v.add_library("nvidia/cusolver/lib/libcusolver.so.11", {"libcublas.so.12"});
  v.add_package("nvidia-cusolver-cu12", "11.7.5", {}, "nvidia/cusolver/lib/libcusolver.so.11");
  CHECK(v.seen().users.size() == 1);
}

TEST_CASE("CUDA's libraries that are missing are one message; somebody else's are none") {
  sound_venv v;
  v.add_library("ort/libcuda_provider.so", {"libcudnn.so.9", "libcublas.so.12", "libcufft.so.11"},
                "$ORIGIN/../nvidia/cudnn/lib");
  v.add_package("ort", "1.0", {}, "ort/libcuda_provider.so");
  std::string text = v.messages();
  CHECK(text.find("error: a library that this program needs is missing: libcublas.so.12\n") == 0);
  CHECK(text.find("[dependency-missing]") == text.rfind("[dependency-missing]"));
  CHECK(text.find("  used by:    ort 1.0") != std::string::npos);
  v.add_library("ort/libcuda_provider.so", {"libcudnn.so.9", "libnvinfer.so.10"},
                "$ORIGIN/../nvidia/cudnn/lib");
  CHECK(v.messages() == "");
  CHECK(v.seen().users.size() == 2);
  CHECK(v.seen().users[0].result == verdict::refused);
  // The only one of its package is no plugin.
  v.add_library("ort/libcuda_provider.so", {"libcudnn.so.9", "libnccl.so.2", "libcublas.so.12"},
                "$ORIGIN/../nvidia/cudnn/lib");
  text = v.messages();
  CHECK(text.find("error: a library that this program needs is missing: libcublas.so.12\n") == 0);
  CHECK(text.find("nccl") == std::string::npos);
  v.add_library("ort/libother.so", {"libcudnn.so.9"}, "$ORIGIN/../nvidia/cudnn/lib");
  v.os.files[site + "/ort-1.0.dist-info/RECORD"] += "ort/libother.so,,\n";
  CHECK(v.messages() == "");
}

TEST_CASE("what opens only after the process has loaded what it needs is a note") {
  sound_venv v;
  v.add_library("mxnet/libmxnet.so", {"libcudnn.so.9", "libcublas.so.12"});
  v.add_library("nvidia/cublas/lib/libcublas.so.12", {});
  v.add_package("mxnet", "1.9.1", {}, "mxnet/libmxnet.so");
  const std::string text = v.messages();
  CHECK(text.find("note: as it lies, libmxnet.so does not find 2 libraries that it needs\n") == 0);
  CHECK(text.find("  used by:     mxnet 1.9.1   ") != std::string::npos);
  CHECK(text.find("dependency-missing") == std::string::npos);
}

TEST_CASE("an older cuDNN than a package requires: said once, by what it leads to") {
  sound_venv v;
  v.add_cudnn("9.1.0.70", "12");
  v.os.files.erase(cu12_record);
  v.os.files.erase(site + "/" + cu12 + ".dist-info/METADATA");
  v.record_cudnn("nvidia-cudnn-cu12", "nvidia_cudnn_cu12-9.1.0.70");
  REQUIRE(v.seen().requirements.size() == 1);
  CHECK(v.seen().requirements[0].met == answer::no);
  const std::string text = v.messages();
  CAPTURE(text);
  CHECK(text.find("error: libtorch_cuda.so requires cuDNN 9.5.1 and would run on cuDNN 9.1.0\n") ==
        0);
  CHECK(text.find("  used by:     torch 2.7.1") != std::string::npos);
  CHECK(text.find("requirement-unmet") == std::string::npos);
}

TEST_CASE("Requires-Dist against what is installed") {
  sound_venv v;
  v.add_package("plugin", "1.0",
                {"nvidia-cudnn-cu12==9.1.0.70", "nvidia-cudnn-cu12>9 ; extra == 'x'"},
                "plugin/__init__.py");
  CHECK(v.messages() ==
        "note: plugin 1.0 requires nvidia-cudnn-cu12==9.1.0.70, and 9.5.1.17 is installed\n"
        "  requires:  nvidia-cudnn-cu12==9.1.0.70   <site>/plugin-1.0.dist-info/METADATA\n"
        "  found:     9.5.1.17                      <site>\n"
        "  The package was built and tested with the release that it requires.\n"
        "  fix: /venv/bin/python -m pip install nvidia-cudnn-cu12==9.1.0.70\n"
        "  [requirement-unmet]\n");
  v.add_package("plugin", "1.0", {"nvidia-cudnn-cu12==9.6.0.74"}, "plugin/__init__.py");
  CHECK(v.messages().find("warning: plugin 1.0 requires nvidia-cudnn-cu12==9.6.0.74, and 9.5.1.17 "
                          "is installed\n") == 0);
  v.add_package("plugin", "1.0", {"nvidia-cudnn-cu13"}, "plugin/__init__.py");
  CHECK(v.messages().find(
            "warning: plugin 1.0 requires nvidia-cudnn-cu13, and it is not installed\n") == 0);
  v.add_package("plugin", "1.0", {"nvidia-cudnn-cu12==9.6.0 ; python_version < '3.5'"}, "plugin/x");
  CHECK(v.messages() == "");
}

TEST_CASE("a wheel of which nothing but its record is left") {
  sound_venv v;
  for (const std::string& role : test::roles_9) {
    v.os.files.erase(wheel + "/" + test::soname_of(role, 9));
  }
  CHECK(v.messages() ==
        "error: nvidia-cudnn-cu12 lacks all 8 libraries that its record lists\n"
        "  listed:  8 libraries    <site>/nvidia_cudnn_cu12-9.5.1.17.dist-info/RECORD\n"
        "  found:   no such file   <wheel>\n"
        "  An interrupted installation, or the removal of another package with the same folder, "
        "causes this; the package manager still lists the files.\n"
        "  fix: /venv/bin/python -m pip install --force-reinstall --no-deps "
        "nvidia-cudnn-cu12==9.5.1.17\n"
        "  [library-missing]\n");
}

TEST_CASE("headers that are gone, a package without a record, what a killed pip leaves") {
  sound_venv v;
  v.os.files.erase(site + "/nvidia/cudnn/include/cudnn_version.h");
  CHECK(v.messages() ==
        "warning: nvidia-cudnn-cu12 lacks a header that its record lists\n"
        "  listed:  cudnn_version.h   <site>/nvidia_cudnn_cu12-9.5.1.17.dist-info/RECORD\n"
        "  found:   no such file      <site>/nvidia/cudnn/include\n"
        "  An interrupted installation, or the removal of another package with the same folder, "
        "causes this; the package manager still lists the files.\n"
        "  fix: /venv/bin/python -m pip install --force-reinstall --no-deps "
        "nvidia-cudnn-cu12==9.5.1.17\n"
        "  [headers-missing]\n");
  v.os.files.erase(cu12_record);
  CHECK(v.messages() ==
        "warning: nvidia-cudnn-cu12 9.5.1.17 is installed without a record of its files\n"
        "  expected:  RECORD   <site>/nvidia_cudnn_cu12-9.5.1.17.dist-info/RECORD\n"
        "  found:     no such file\n"
        "  An installation that was interrupted leaves this behind: what of it is there is not "
        "known.\n"
        "  fix: /venv/bin/python -m pip install --ignore-installed --no-deps "
        "nvidia-cudnn-cu12==9.5.1.17\n"
        "  [library-missing]\n");
  // One that may not be read is no missing one.
  v.os.files[cu12_record] = "";
  v.os.denied.insert(cu12_record);
  CHECK(v.messages() == "");
  sound_venv w;
  w.os.files[site + "/~vidia_cudnn_cu12-9.1.0.70.dist-info/METADATA"] = "";
  const std::string left =
      "an installation of cuDNN by pip was interrupted\n"
      "  left:  ~vidia_cudnn_cu12-9.1.0.70.dist-info   <site>\n"
      "  pip renames what it replaces, and deletes it at the end.\n";
  CHECK(w.messages() == "note: " + left +
                            "  fix: rm -r '<site>/~vidia_cudnn_cu12-9.1.0.70.dist-info'\n"
                            "  [library-missing]\n");
  w.os.files.erase(cu12_record);
  w.os.files.erase(site + "/" + cu12 + ".dist-info/METADATA");
  CHECK(w.messages().find("warning: " + left +
                          "  fix: /venv/bin/python -m pip install --force-reinstall --no-deps "
                          "nvidia-cudnn-cu12==9.1.0.70\n") != std::string::npos);
}

TEST_CASE("a folder of pip install --target has no Python, and what it lacks is installed there") {
  sound_venv v;
  v.os.files.erase(cu12_record);
  survey all;
  all.environments.push_back(v.seen());
  python_environment& place = all.environments.in_place()[0].python;
  place.installer = &installers::pip_target();
  place.site = "/srv/folder";
  place.python = "";
  const judgement judged = judge_directories(all).machine;
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].id == finding_id::library_missing);
  CHECK(test::fix_of(judged.findings[0]) ==
        "$ python3 -m pip install --upgrade --target /srv/folder --no-deps "
        "nvidia-cudnn-cu12==9.5.1.17");
}

TEST_CASE("two packages over each other") {
  sound_venv v;
  v.record_cudnn("nvidia-cudnn-cu13", "nvidia_cudnn_cu13-9.5.1.17");
  const std::string cu13_record = site + "/nvidia_cudnn_cu13-9.5.1.17.dist-info/RECORD";
  CHECK(v.messages() ==
        "warning: nvidia-cudnn-cu12 and nvidia-cudnn-cu13 have recorded the same files\n"
        "  recorded by:  nvidia-cudnn-cu12 9.5.1.17   "
        "<site>/nvidia_cudnn_cu12-9.5.1.17.dist-info/RECORD\n"
        "  and by:       nvidia-cudnn-cu13 9.5.1.17   "
        "<site>/nvidia_cudnn_cu13-9.5.1.17.dist-info/RECORD\n"
        "  files:        8                            <wheel>\n"
        "  required by:  torch 2.7.1                  nvidia-cudnn-cu12==9.5.1.17\n"
        "  Each has overwritten files of the other: to remove or upgrade one of them takes files "
        "away from the other.\n"
        "  fix: /venv/bin/python -m pip install --force-reinstall --no-deps "
        "nvidia-cudnn-cu12==9.5.1.17 && "
        "/venv/bin/python -m pip uninstall -y nvidia-cudnn-cu13 nvidia-cudnn-cu12 && "
        "/venv/bin/python -m pip install --force-reinstall --no-deps "
        "nvidia-cudnn-cu12==9.5.1.17\n"
        "  [record-shared]\n");
}

TEST_CASE("what no record lists is walked, within limits") {
  sound_venv v;
  v.os.files.erase(site + "/torch-2.7.1.dist-info/RECORD");
  environment place = v.seen();
  REQUIRE(place.users.size() == 1);
  CHECK(place.users[0].package == "");
  CHECK(place.limit == look_limit::none);
  cli::look_limits limits;
  limits.names = 0;
  CHECK(v.seen(limits).limit == look_limit::files);
  CHECK(v.seen(limits).users.empty());
  limits = {};
  limits.libraries = 0;
  CHECK(v.seen(limits).limit == look_limit::files);
  limits = {};
  limits.milliseconds = -1;
  CHECK(v.seen(limits).limit == look_limit::time);
}

TEST_CASE("links that go in a circle are walked once") {
  sound_venv v;
  v.os.files.erase(site + "/torch-2.7.1.dist-info/RECORD");
  v.os.links[site + "/torch/again"] = site + "/torch";
  CHECK(v.seen().users.size() == 1);
  CHECK(v.seen().users[0].libraries.size() == 1);
}

TEST_CASE("PEP 440: does a number meet the specifiers") {
  const struct {
    const char* specifiers;
    const char* number;
    answer met;
  } rows[] = {{"", "9.5.1.17", answer::yes},
              {"==9.5.1.17", "9.5.1.17", answer::yes},
              {"==9.5.1.17", "9.1.0.70", answer::no},
              {"==9.5", "9.5.0", answer::yes},
              {"==9.5.*", "9.5.1.17", answer::yes},
              {"==9.5.*", "9.50.1", answer::no},
              {"!=9.5.*", "9.5.1", answer::no},
              {"<10.0,>=9.3.0.75", "9.28.0.42", answer::yes},
              {"<10.0,>=9.3.0.75", "9.3.0.74", answer::no},
              {"<10.0,>=9.3.0.75", "10.0", answer::no},
              {"~=9.0", "9.28.0.42", answer::yes},
              {"~=9.0", "10.0", answer::no},
              {"~=9.5.1", "9.6", answer::no},
              {">9.5", "9.5.0", answer::no},
              {"<=9.5", "9.5.0.0", answer::yes},
              {"===9.5.1", "9.5.1", answer::yes},
              {">=9.5rc1", "9.6", answer::unknown},
              {"~=9", "9.6", answer::unknown},
              {">=9.5,oops", "9.4", answer::no},
              {">=9.5", "9.6+local", answer::unknown}};
  for (const auto& row : rows) {
    CAPTURE(row.specifiers);
    CAPTURE(row.number);
    CHECK(repairs::allows(row.specifiers, row.number) == row.met);
  }
}
