// SPDX-License-Identifier: BSD-3-Clause
//
// What the metadata of a Python package asks for.
#include "repair/python_metadata.h"

#include <doctest/doctest.h>

#include "core/observe/package_records.h"
#include "fake_system.h"

using namespace cudnn_checked;
using cudnn_checked::repairs::read_requirement;

namespace {

std::string told(const cudnn_requirement& r) {
  return std::string(r.text) + "|" + std::string(r.wheel) + "|" + std::string(r.pinned) + "|" +
         std::string(to_string(r.least)) + "|" + std::to_string(r.cuda_major);
}

}  // namespace

TEST_CASE("what a package asks for") {
  const std::string cu12 = "nvidia-cudnn-cu12";
  CHECK(told(read_requirement("nvidia-cudnn-cu12==9.5.1.17")) ==
        "nvidia-cudnn-cu12==9.5.1.17|nvidia-cudnn-cu12|9.5.1.17|9.5.1|12");
  // PyTorch 1.13, TensorFlow 2.15 and 2.21, JAX, onnxruntime 1.31.
  CHECK(told(read_requirement("nvidia-cudnn-cu11 (==8.5.0.96)")) ==
        "nvidia-cudnn-cu11==8.5.0.96|nvidia-cudnn-cu11|8.5.0.96|8.5.0|11");
  CHECK(told(read_requirement("nvidia-cudnn-cu12 (==8.9.4.25) ; extra == 'and-cuda'")) ==
        "nvidia-cudnn-cu12==8.9.4.25|nvidia-cudnn-cu12|8.9.4.25|8.9.4|12");
  CHECK(told(read_requirement("nvidia-cudnn-cu12<10.0,>=9.3.0.75; extra == \"and-cuda\"")) ==
        "nvidia-cudnn-cu12<10.0,>=9.3.0.75|nvidia-cudnn-cu12||9.3.0|12");
  CHECK(told(read_requirement("Nvidia_cuDNN.cu13~=9.0; extra == \"cudnn\"")) ==
        "nvidia-cudnn-cu13~=9.0|nvidia-cudnn-cu13||9.0.0|13");
  CHECK(told(read_requirement("nvidia-cudnn-cu12==9.5.*")) ==
        "nvidia-cudnn-cu12==9.5.*|nvidia-cudnn-cu12||9.5.0|12");
  CHECK(told(read_requirement("nvidia-cudnn-cu12; extra == \"cu12\"")) ==
        "nvidia-cudnn-cu12|nvidia-cudnn-cu12||unknown|12");
  CHECK(told(read_requirement("nvidia-cudnn-cu12<10")) ==
        "nvidia-cudnn-cu12<10|nvidia-cudnn-cu12||unknown|12");
  // An epoch, a "v", extras and other spellings of the name (PEP 440, PEP 508, PEP 503).
  CHECK(told(read_requirement("nvidia-cudnn-cu12==0!9.6.0.74")) ==
        "nvidia-cudnn-cu12==0!9.6.0.74|nvidia-cudnn-cu12|0!9.6.0.74|9.6.0|12");
  CHECK(told(read_requirement("nvidia-cudnn-cu12>=v9.6")) ==
        "nvidia-cudnn-cu12>=v9.6|nvidia-cudnn-cu12||9.6.0|12");
  CHECK(told(read_requirement("nvidia--cudnn_cu12 [x]\t>= 9.6")) ==
        "nvidia-cudnn-cu12>=9.6|nvidia-cudnn-cu12||9.6.0|12");
  CHECK(told(read_requirement("nvidia-cudnn-cu12[x==9.6")) ==
        "nvidia-cudnn-cu12[x==9.6|nvidia-cudnn-cu12||unknown|12");
  CHECK(read_requirement("nvidia-cudnn-cu116==8.4.0.27").cuda_major == 11);
  CHECK(read_requirement("nvidia-cublas-cu12==12.6.4.1").text == "");
  CHECK(read_requirement("torch==2.7.1").text == "");
  CHECK(read_requirement("").text == "");
}

TEST_CASE("what is asked for on other platforms only") {
  const auto applies = [](const std::string& marker) {
    return read_requirement("nvidia-cudnn-cu12==9.5.1.17; " + marker).text != "";
  };
  for (const char* marker :
       {"platform_system == \"Linux\"", "sys_platform == 'linux' and extra == 'with-cuda'",
        "'linux' == sys_platform", "python_version >= \"3.12\"", "os_name != 'nt'",
        "platform_system == 'Windows' or platform_system == 'Linux'",
        "(platform_system == 'Windows' or python_version < '3') and extra == 'x'", "((((", "and",
        "python_version in '2.7'"}) {
    CAPTURE(marker);
    CHECK(applies(marker));
  }
  for (const char* marker :
       {"platform_system == \"Windows\"", "sys_platform == 'win32' and extra == 'cuda'",
        "extra == 'cuda' and sys_platform == 'darwin'", "platform_machine == 'riscv64'",
        "(sys_platform != 'linux')", "platform_system == 'Windows' or os_name == 'nt'"}) {
    CAPTURE(marker);
    CHECK_FALSE(applies(marker));
  }
}

TEST_CASE("what holds here whatever else is chosen") {
  const auto of = [](const std::string& marker) { return repairs::applies("x; " + marker); };
  CHECK(repairs::applies("x>=1") == answer::yes);
  CHECK(of("(platform_system == 'Linux' and sys_platform == 'linux')") == answer::yes);
  CHECK(of("extra == 'x' or platform_system == 'Linux'") == answer::yes);
  CHECK(of("platform_system == 'Linux' and extra == 'x'") == answer::unknown);
  CHECK(of("(os_name == 'posix' or os_name == 'nt') and extra == 'x'") == answer::unknown);
  CHECK(of("os_name == 'nt' and (extra == 'x' or sys_platform == 'win32')") == answer::no);
  CHECK(of("(extra == 'x' or extra == 'y') and os_name == 'nt'") == answer::unknown);
}

TEST_CASE("the lines of a record") {
  const arena_string record = "a/b.so,sha256=xyz,12\r\n\n\"a,b/c.so\",,\nd,sha256=q\nlast";
  std::vector<recorded_file> files;
  recorded_file file;
  for (std::size_t at = 0; next_file(record, at, file);) files.push_back(file);
  REQUIRE(files.size() == 4);
  CHECK((files[0].path == "a/b.so" && files[0].hash == "sha256=xyz" && files[0].size == 12));
  CHECK((files[1].path == "a,b/c.so" && files[1].hash.empty() && files[1].size == -1));
  CHECK((files[2].path == "d" && files[2].size == -1));
  CHECK((files[3].path == "last" && files[3].hash.empty()));
}

TEST_CASE("the lines of a record that contain a word") {
  const arena_string record = "x/a,,\n\nx/a.so,h,7\ny,x/a.so,\r\n\"x/a,b.so\",,9\nx/a.so";
  std::string told;
  recorded_file file;
  for (std::size_t at = 0; next_file_with(".so", record, at, file);) {
    told += std::string(file.path) + " " + std::to_string(file.size) + "; ";
  }
  CHECK(told == "x/a.so 7; y -1; x/a,b.so 9; x/a.so -1; ");
  std::size_t at = 0;
  CHECK(!next_file_with("z", record, at, file));
  CHECK(!next_file_with("z", "", at, file));
}

TEST_CASE("of several lines the lowest release counts, of several majors none") {
  const auto least = [](std::vector<std::string> lines) {
    cudnn_checked::repairs::distribution d;
    d.requirements = std::move(lines);
    return std::string(to_string(cudnn_checked::repairs::requirement_of(d).least));
  };
  const std::string newer = "nvidia-cudnn-cu13==9.14.0.64; extra == 'cu13'";
  CHECK(least({newer, "nvidia-cudnn-cu12>=9.8; extra == 'cu12'"}) == "9.8.0");
  CHECK(least({"nvidia-cudnn-cu12>=9.8; extra == 'cu12'", newer}) == "9.8.0");
  CHECK(least({newer, "nvidia-cudnn-cu13"}) == "unknown");
  CHECK(least({newer, "nvidia-cudnn-cu11==8.9.6.50; extra == 'cu11'"}) == "unknown");
  CHECK(least({"nvidia-cudnn-cu12==8.9.7.29; python_version < '3.8'", newer}) == "unknown");
}

TEST_CASE("what is asked for on other versions of Python does not count") {
  const auto counts = [](const std::string& python, const std::string& marker) {
    test::fake_system os;
    const std::string site = "/v/lib/" + python + "/site-packages";
    os.files[site + "/net-1.dist-info/METADATA"] =
        "Name: net\nVersion: 1\nRequires-Dist: nvidia-cudnn-cu12==9.5.1.17; " + marker + "\n";
    const auto own = repairs::read_distribution(os, site, "net-1.dist-info");
    return repairs::requirement_of(own).text != "";
  };
  for (const char* const marker :
       {"python_version < '3.8'", "python_version<='3.10'", "python_version != \"3.11\"",
        "python_version > '3.11'", "python_version >= '3.12' and platform_system == 'Linux'",
        "python_version == '2.7'", "python_full_version<'3.9.0'", "python_version > '4'"}) {
    CAPTURE(marker);
    CHECK_FALSE(counts("python3.11", marker));
    CHECK(counts("pythonX", marker));
  }
  for (const char* const marker :
       {"python_version == '3.11'", "python_version >= '3.11'", "python_version <= '3.11'",
        "python_version < '4'", "python_full_version < '3.11.4'", "python_version in '3.8'",
        "python_full_version != '3.9.0'", "python_version == '3.*'",
        "python_version < '3.8' or extra == 'x'"}) {
    CAPTURE(marker);
    CHECK(counts("python3.11", marker));
  }
}
