// SPDX-License-Identifier: BSD-3-Clause
#include <doctest.h>

#include <cstdlib>

#include "core/judge/advice/advice.h"
#include "core/model/finding.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

int status_of(const std::string& script) { return std::system(script.c_str()); }

}  // namespace

TEST_CASE("a word for a shell") {
  CHECK(quoted("/opt/cudnn-9.14+x/lib_1,a:b@c%d=e") == "/opt/cudnn-9.14+x/lib_1,a:b@c%d=e");
  CHECK(quoted("") == "''");
  CHECK(quoted("/my files/lib") == "'/my files/lib'");
  CHECK(quoted("it's") == "'it'\\''s'");
  for (const char* word : {"a b", "$HOME", "`id`", "a'b", "a\"b", "a\\b", "~", "*", "a\nb", "#", "",
                           "\xC3\xA9", "!x", "a;b"}) {
    CAPTURE(word);
    // The shell makes of it the bytes that it was.
    setenv("CUDNN_CHECKED_TEST_WORD", word, 1);
    CHECK(status_of("test " + quoted(word) + " = \"$CUDNN_CHECKED_TEST_WORD\"") == 0);
  }
  unsetenv("CUDNN_CHECKED_TEST_WORD");
}

TEST_CASE("LD_LIBRARY_PATH") {
  CHECK(prepend_library_path("/a", "") == "export LD_LIBRARY_PATH=/a");
  CHECK(prepend_library_path("/a", "/b") == "export LD_LIBRARY_PATH=/a:$LD_LIBRARY_PATH");
  CHECK(prepend_library_path("/my a", "/b") == "export LD_LIBRARY_PATH='/my a':$LD_LIBRARY_PATH");
  CHECK(replace_library_path("/a", "/b") == "unset LD_LIBRARY_PATH, or: export LD_LIBRARY_PATH=/a");
  CHECK(replace_library_path("/a", "/b:/c") == "export LD_LIBRARY_PATH=/a:$LD_LIBRARY_PATH");
  CHECK(remove_from_library_path("/a") == "remove /a from LD_LIBRARY_PATH");
  CHECK(remove_from_loader_cache("/a") == "remove /a from /etc/ld.so.conf.d, then: ldconfig");
  const std::string recipe = prepend_wheel_path("/b");
  CHECK(recipe ==
        "export LD_LIBRARY_PATH=\"$(python3 -c 'import nvidia.cudnn as c; "
        "print(list(c.__path__)[0] + \"/lib\")')\":$LD_LIBRARY_PATH");
}

TEST_CASE("commands that set LD_LIBRARY_PATH do so when they are pasted") {
  const auto gives = [](const std::string& command, const char* value) {
    const std::string first = "python3() { echo '/my site/lib'; }; LD_LIBRARY_PATH=/b; ";
    return status_of(first + command + " && test \"$LD_LIBRARY_PATH\" = \"" + value + "\"") == 0;
  };
  CHECK(gives(prepend_library_path("/my a", "/b"), "/my a:/b"));
  CHECK(gives(prepend_library_path("/my a", ""), "/my a"));
  CHECK(gives(prepend_wheel_path("/b"), "/my site/lib:/b"));
  CHECK_FALSE(gives(prepend_library_path("/a", "/b"), "/a"));
}

TEST_CASE("packages of cuDNN") {
  const auto full = cudnn_kind::full;
  CHECK(wheel_of_cudnn(9, 12, full) == "nvidia-cudnn-cu12");
  CHECK(wheel_of_cudnn(9, 0, full) == "nvidia-cudnn-cu13");
  CHECK(wheel_of_cudnn(9, 13, cudnn_kind::jit_only) == "nvidia-cudnn-jit-cu13");
  CHECK(wheel_of_cudnn(8, 11, full) == "nvidia-cudnn-cu11==8.9.6.50");
  CHECK(wheel_of_cudnn(8, 12, full) == "nvidia-cudnn-cu12==8.9.7.29");
  CHECK(wheel_of_cudnn(8, 0, full) == "nvidia-cudnn-cu12==8.9.7.29");
  CHECK(install_cudnn(9, 13, full, install_where::with_headers) ==
        "python3 -m pip install nvidia-cudnn-cu13, or apt-get install cudnn9-cuda-13");
  CHECK(install_cudnn(9, 12, full, install_where::on_library_path) ==
        "python3 -m pip install nvidia-cudnn-cu12 (with its nvidia/cudnn/lib in LD_LIBRARY_PATH), "
        "or apt-get install libcudnn9-cuda-12");
  CHECK(install_cudnn(9, 13, cudnn_kind::jit_only, install_where::with_headers) ==
        "python3 -m pip install nvidia-cudnn-jit-cu13, or apt-get install cudnn9-jit-cuda-13");
  CHECK(install_cudnn(8, 12, full, install_where::with_headers) ==
        "python3 -m pip install nvidia-cudnn-cu12==8.9.7.29, or apt-get install libcudnn8");
}

TEST_CASE("packages of the toolkit") {
  CHECK(wheel_for_cuda(cublas_wheel, 11) == "nvidia-cublas-cu11");
  CHECK(wheel_for_cuda(cublas_wheel, 12) == "nvidia-cublas-cu12");
  CHECK(wheel_for_cuda(cublas_wheel, 13) == "nvidia-cublas");
  CHECK(install_package("nvidia-cublas", "libcublas-13-0") ==
        "python3 -m pip install nvidia-cublas, or apt-get install libcublas-13-0");
}

TEST_CASE("a package again") {
  package_record package;
  package.name = "nvidia-cudnn-cu13";
  package.number = "9.14.0.64";
  package.manager = package_manager::wheel;
  CHECK(reinstall(package) ==
        "python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64");
  package.manager = package_manager::conda;
  CHECK(reinstall(package) == "conda install --force-reinstall nvidia-cudnn-cu13=9.14.0.64");
  package.manager = package_manager::dpkg;
  CHECK(reinstall(package) == "apt-get install --reinstall nvidia-cudnn-cu13=9.14.0.64");
  package.number = "9.14`id`";  // a record holds what its writer likes
  CHECK(reinstall(package) == "apt-get install --reinstall 'nvidia-cudnn-cu13=9.14`id`'");
}

TEST_CASE("cuDNN 8 for another CUDA: the wheel without a number would be cuDNN 9") {
  test::machine m("8.9.7", "8.9.6");
  for (cudnn_file& file : m.observed.files) {
    file.build_id.clear();
    file.run_path_cuda_major = 11;
  }
  m.stamped.toolkit = parse_version("12.2");
  REQUIRE(m.names() == "cuda-major");
  CHECK(m.findings()[0].fix ==
        "install cuDNN for CUDA 12: python3 -m pip install nvidia-cudnn-cu12==8.9.7.29, or "
        "apt-get install libcudnn8");
}
