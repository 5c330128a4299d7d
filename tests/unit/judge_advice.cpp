// SPDX-License-Identifier: BSD-3-Clause
#include <doctest.h>

#include <cstdlib>

#include "core/installers/installers.h"
#include "core/json/json.h"
#include "core/judge/advice/advice.h"
#include "core/model/finding.h"
#include "core/model/format.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::fix_of;

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
  CHECK(prepend_library_path("/a", "").text == "export LD_LIBRARY_PATH=/a");
  CHECK(prepend_library_path("/a", "/b").text == "export LD_LIBRARY_PATH=/a:$LD_LIBRARY_PATH");
  CHECK(prepend_library_path("/my a", "/b").text ==
        "export LD_LIBRARY_PATH='/my a':$LD_LIBRARY_PATH");
  CHECK(prepend_library_path("/a", "/my b").text ==
        "export LD_LIBRARY_PATH=/a:\"$LD_LIBRARY_PATH\"");
  CHECK(fix_of(replace_library_path("/a", "/b")) ==
        "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/a");
  for (const char* const two : {"/b:/c", "/b;/c"}) {
    CHECK(fix_of(replace_library_path("/a", two)).find("$ export LD_LIBRARY_PATH=/a:") == 0);
  }
  CHECK(fix_of({remove_from_loader_cache("/a")}) ==
        "> remove /a from /etc/ld.so.conf.d, then: ldconfig");
  const std::string recipe = prepend_wheel_path("/b").text;
  CHECK(recipe ==
        "export LD_LIBRARY_PATH=\"$(python3 -c 'import nvidia.cudnn as c; "
        "print(list(c.__path__)[0] + \"/lib\")')\":$LD_LIBRARY_PATH");
}

TEST_CASE("an entry of LD_LIBRARY_PATH less") {
  const auto without = [](int index, const char* value) {
    return fix_of({remove_from_library_path(index, value)});
  };
  CHECK(without(0, "/a") == "$ unset LD_LIBRARY_PATH");
  CHECK(without(0, "/a:/a") == "$ unset LD_LIBRARY_PATH");
  CHECK(without(0, "/a:/b") == "$ export LD_LIBRARY_PATH=/b");
  CHECK(without(2, "/a:/b;/c:/d") == "$ export LD_LIBRARY_PATH=/a:/b:/d");
  CHECK(without(1, "/my a:/b:$x:/b") == "$ export LD_LIBRARY_PATH='/my a:$x'");
  CHECK(without(1, ":/b") == "$ unset LD_LIBRARY_PATH");
  // What decided was another value.
  CHECK(without(3, "/a:/b") == "$ export LD_LIBRARY_PATH=/a:/b");
}

TEST_CASE("cuDNN out of LD_PRELOAD, and what else is preloaded stays") {
  const auto without = [](const char* value) {
    return fix_of({remove_from_preload({choice_reason::ld_preload, ""}, value)});
  };
  CHECK(without("") == "$ unset LD_PRELOAD");
  CHECK(without("/a/libcudnn.so.9") == "$ unset LD_PRELOAD");
  CHECK(without(" /a/libcudnn.so.9: libcudnn_ops.so.9") == "$ unset LD_PRELOAD");
  CHECK(without("/x/libjemalloc.so.2:/a/libcudnn.so.9 $ORIGIN/y.so") ==
        "$ export LD_PRELOAD='/x/libjemalloc.so.2:$ORIGIN/y.so'");
  // A link with another name, which nothing here can tell.
  CHECK(without("/x/a.so") == "$ unset LD_PRELOAD");
  CHECK(without("/x/a.so: /x/b.so") == "> remove the entry that leads to cuDNN from LD_PRELOAD");
  CHECK(fix_of({remove_from_preload(arena_vector<arena_string>{"/x/a.so"},
                                    "/x/b.so /x/a.so::/x/c.so")}) ==
        "$ export LD_PRELOAD=/x/b.so:/x/c.so");
  CHECK(fix_of({remove_from_preload({choice_reason::ld_so_preload, ""}, "/x/a.so")}) ==
        "> remove cuDNN from /etc/ld.so.preload");
}

TEST_CASE("commands that set LD_LIBRARY_PATH do so when they are pasted") {
  const auto gives = [](const std::string& command, const char* value) {
    const std::string first = "python3() { echo '/my site/lib'; }; LD_LIBRARY_PATH=/b; ";
    return status_of(first + command + " && test \"$LD_LIBRARY_PATH\" = \"" + value + "\"") == 0;
  };
  CHECK(gives(prepend_library_path("/my a", "/b").text, "/my a:/b"));
  CHECK(gives(prepend_library_path("/my a", "").text, "/my a"));
  CHECK(gives(prepend_wheel_path("/b").text, "/my site/lib:/b"));
  CHECK_FALSE(gives(prepend_library_path("/a", "/b").text, "/a"));
}

TEST_CASE("packages of cuDNN") {
  const auto full = cudnn_kind::full;
  CHECK(wheel_of_cudnn(9, 12, full) == "nvidia-cudnn-cu12");
  CHECK(wheel_of_cudnn(9, 0, full) == "nvidia-cudnn-cu13");
  CHECK(wheel_of_cudnn(9, 13, cudnn_kind::jit_only) == "nvidia-cudnn-jit-cu13");
  CHECK(wheel_of_cudnn(8, 11, full) == "nvidia-cudnn-cu11==8.9.6.50");
  CHECK(wheel_of_cudnn(8, 12, full) == "nvidia-cudnn-cu12==8.9.7.29");
  CHECK(wheel_of_cudnn(8, 0, full) == "nvidia-cudnn-cu12==8.9.7.29");
  const auto with_headers = [](int major, int cuda, cudnn_kind kind) {
    return fix_of(install_cudnn(major, cuda, kind, install_where::with_headers, ""));
  };
  CHECK(with_headers(9, 13, full) ==
        "$ python3 -m pip install nvidia-cudnn-cu13\n$ apt-get install cudnn9-cuda-13");
  CHECK(with_headers(9, 13, cudnn_kind::jit_only) ==
        "$ python3 -m pip install nvidia-cudnn-jit-cu13\n$ apt-get install cudnn9-jit-cuda-13");
  CHECK(with_headers(8, 12, full) ==
        "$ python3 -m pip install nvidia-cudnn-cu12==8.9.7.29\n$ apt-get install libcudnn8");
  CHECK(fix_of(install_cudnn(9, 12, full, install_where::on_library_path, "/b")) ==
        "$ python3 -m pip install nvidia-cudnn-cu12 && " + prepend_wheel_path("/b").text +
            "\n$ apt-get install libcudnn9-cuda-12");
}

TEST_CASE("packages of the toolkit") {
  CHECK(wheel_for_cuda(cublas_wheel, 11) == "nvidia-cublas-cu11");
  CHECK(wheel_for_cuda(cublas_wheel, 12) == "nvidia-cublas-cu12");
  CHECK(wheel_for_cuda(cublas_wheel, 13) == "nvidia-cublas");
  CHECK(fix_of(install_package("nvidia-cublas", "libcublas-13-0")) ==
        "$ python3 -m pip install nvidia-cublas\n$ apt-get install libcublas-13-0");
}

TEST_CASE("a package again") {
  package_record package;
  package.name = "nvidia-cudnn-cu13";
  package.number = "9.14.0.64";
  package.manager = package_manager::wheel;
  CHECK(fix_of({reinstall(package)}) ==
        "$ python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64");
  package.installer = &installers::conda();
  package.record = "/my/conda/conda-meta/cudnn-9.14.0.64-0.json";
  CHECK(fix_of({reinstall(package)}) ==
        "$ conda install -y -p /my/conda --force-reinstall nvidia-cudnn-cu13=9.14.0.64");
  package.installer = &installers::dpkg();
  CHECK(fix_of({reinstall(package)}) ==
        "$ apt-get install --reinstall nvidia-cudnn-cu13=9.14.0.64");
  package.number = "9.14`id`";  // a record holds what its writer likes
  CHECK(fix_of({reinstall(package)}) ==
        "$ apt-get install --reinstall 'nvidia-cudnn-cu13=9.14`id`'");
}

TEST_CASE("cuDNN 8 for another CUDA: the wheel without a number would be cuDNN 9") {
  test::machine m("8.9.7", "8.9.6");
  for (cudnn_file& file : m.observed.files.in_place()) {
    file.build_id.clear();
    file.run_path_cuda_major = 11;
  }
  m.stamped.toolkit = parse_version("12.2");
  REQUIRE(m.names() == "cuda-major");
  CHECK(m.fix() ==
        "$ python3 -m pip install nvidia-cudnn-cu12==8.9.7.29\n$ apt-get install libcudnn8");
}

TEST_CASE("the lines of a fix in a message, in a report and in one text") {
  test::machine m("9.14.0", "9.13.1");
  finding f(finding_id::cudnn_older);
  tell(f, "older\n$unset %s\n>ask the administrator", "X");
  CHECK(findings_message({f}, "refused", severity::note) ==
        "refused: older\n  \n  fix: unset X\n   or: ask the administrator\n  [cudnn-older]\n");
  CHECK(in_one_line(f.fix) == "unset X, or: ask the administrator");
  judgement judged;
  judged.conclude({f});
  report_input input;
  input.stamped = &m.stamped;
  input.observed = &m.observed;
  input.judged = &judged;
  const json report = report_tree(input);
  const json& told = report["findings"].elements()[0];
  CHECK(told["fix"].text() == "unset X, or: ask the administrator");
  CHECK(told["fixes"].print_compact() ==
        R"([{"kind":"command","text":"unset X","tried":"unknown"},)"
        R"({"kind":"advice","text":"ask the administrator"}])");
}

TEST_CASE("a command whose name is not shown as it is cannot be pasted") {
  finding f(finding_id::cannot_start);
  f.fix = {command("chmod +x '/a\nb'"), command("chmod +x '/a b'"), command("chmod +x '/a\xff'"),
           command("chmod +x '/\xc3\xa4'"), advice("a\tb")};
  judgement judged;
  judged.conclude({f});
  const std::string told =
      "> by hand, because a name cannot be pasted: chmod +x '/a\nb'\n$ chmod +x '/a b'\n"
      "> by hand, because a name cannot be pasted: chmod +x '/a\xff'\n$ chmod +x '/\xc3\xa4'\n"
      "> a\tb";
  CHECK(fix_of(judged.findings[0]) == told);
  judged.conclude(judged.findings);
  CHECK(fix_of(judged.findings[0]) == told);
}
