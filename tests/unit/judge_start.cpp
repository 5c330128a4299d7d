// SPDX-License-Identifier: BSD-3-Clause
//
// What ends a program before anything inside it can speak.
#include <doctest/doctest.h>

#include "core/model/unstamped_program.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

struct program_to_start : test::starting {
  program_to_start() {
    add("libcudnn.so.9", "/opt/cudnn/lib");
    add("libcudart.so.13", "/cuda/lib");
  }

  void add(const std::string& name, const std::string& directory) {
    start_library library;
    library.name = name;
    library.asked_by = "/srv/app";
    library.path = directory + "/" + name;
    library.chosen_by = {choice_reason::runpath, "/srv/app"};
    library.state = file_state::whole;
    observed.start.libraries.push_back(library);
  }

  /// The library of that index is found nowhere.
  start_library& lose(std::size_t index) {
    start_library& library = observed.start.libraries.in_place()[index];
    library.path.clear();
    library.chosen_by = {};
    library.state = file_state::missing;
    library.looked_in = {{"/one", test::by_variable}, {"ld.so.cache", {}}};
    return library;
  }
};

}  // namespace

TEST_CASE("a program whose libraries are all there") {
  const program_to_start p;
  CHECK(p.message() == "");
  CHECK_FALSE(p.ends());
}

TEST_CASE("no cuDNN where the loader looks") {
  program_to_start p;
  p.lose(0);
  CHECK(p.message() ==
        "refused: the loader finds no libcudnn.so.9 for this program\n"
        "  needed:     libcudnn.so.9   by /srv/app\n"
        "  looked in:  /one            LD_LIBRARY_PATH[0]\n"
        "  looked in:  ld.so.cache\n"
        "  The loader ends it before main(): \"error while loading shared libraries\".\n"
        "  fix: python3 -m pip install nvidia-cudnn-cu13 && export LD_LIBRARY_PATH=\"$(python3 -c "
        "'import nvidia.cudnn as c; print(list(c.__path__)[0] + \"/lib\")')\"\n"
        "   or: apt-get install libcudnn9-cuda-13\n"
        "  [cudnn-not-found]\n");
  CHECK(p.ends());
  // Another loader than the one whose rules these are may find it, and what is damaged need not be
  // what it takes.
  p.observed.start.known_loader = answer::unknown;
  p.observed.other_rules = "/lib/ld-musl-x86_64.so.1";
  p.observed.start.libraries.in_place()[1].state = file_state::not_elf;
  CHECK(p.message() == "");
  CHECK_FALSE(p.ends());
}

TEST_CASE("no cuDNN for a function that is called later") {
  program_to_start p;
  p.lose(0).delayed = true;
  CHECK(
      p.message().find("  needed:     libcudnn.so.9   by /srv/app, when a function is called\n") !=
      std::string::npos);
  CHECK(p.ends());
}

TEST_CASE("a copy that fits lies elsewhere") {
  program_to_start p;
  p.lose(0);
  p.observed.start.elsewhere = {{"/old/lib", {9, 13, 1}, 13},
                                {"/other/cuda/lib", {9, 19, 0}, 12},
                                {"/venv/lib", {9, 19, 0}, 13}};
  const auto fits = [&p] { return p.fix(); };
  CHECK(fits() == "$ export LD_LIBRARY_PATH=/venv/lib");
  p.observed.ld_library_path = "/one";
  CHECK(fits() == "$ export LD_LIBRARY_PATH=/venv/lib:$LD_LIBRARY_PATH");
  p.observed.start.elsewhere.pop_back();
  CHECK(fits().find("$ python3 -m pip install nvidia-cudnn-cu13 && ") == 0);
}

TEST_CASE("only another major of cuDNN") {
  program_to_start p;
  p.stamped.cudnn_header = {8, 9, 7};
  p.stamped.toolkit = {12, 2, 0};
  p.lose(0).name = "libcudnn.so.8";
  start_library other;
  other.name = "libcudnn.so.9";
  other.path = "/usr/lib/libcudnn.so.9";
  other.chosen_by = choice_reason::ld_so_cache;
  other.state = file_state::whole;
  p.observed.start.other_majors = {other};
  CHECK(p.message() ==
        "refused: this program needs cuDNN 8, and the loader finds only cuDNN 9\n"
        "  needed:  libcudnn.so.8   by /srv/app\n"
        "  found:   libcudnn.so.9   /usr/lib/libcudnn.so.9   chosen by ld.so.cache\n"
        "  The loader ends it before main(): \"error while loading shared libraries\".\n"
        "  fix: build it again, in its build directory: cmake --build .\n"
        "   or: python3 -m pip install nvidia-cudnn-cu12==8.9.7.29 && export "
        "LD_LIBRARY_PATH=\"$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0] + "
        "\"/lib\")')\"\n"
        "   or: apt-get install libcudnn8\n"
        "  [cudnn-major]\n");
}

TEST_CASE("damaged libraries") {
  program_to_start p;
  p.observed.start.libraries.in_place()[0].state = file_state::empty;
  CHECK(p.message() ==
        "refused: a library of cuDNN is damaged: libcudnn.so.9\n"
        "  expected:  a whole library   needed by /srv/app\n"
        "  found:     an empty file     /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of "
        "/srv/app\n"
        "  The loader ends it before main(): \"file too short\".\n"
        "  fix: reinstall the package that contains /opt/cudnn/lib/libcudnn.so.9\n"
        "  [library-corrupt]\n");
  CHECK(p.ends());
  start_library& cudart = p.observed.start.libraries.in_place()[1];
  p.observed.start.libraries.in_place()[0].state = file_state::whole;
  cudart.state = file_state::truncated;
  cudart.size = 10;
  cudart.size_expected = 1000;
  cudart.chosen_by = test::by_variable;
  CHECK(p.message() ==
        "refused: a library that this program needs is damaged: libcudart.so.13\n"
        "  expected:  a whole library    needed by /srv/app\n"
        "  found:     10 bytes of 1000   /cuda/lib/libcudart.so.13   chosen by LD_LIBRARY_PATH[0]\n"
        "  The loader maps it; an access beyond its end raises SIGBUS, before or after main().\n"
        "  fix: reinstall the package that contains /cuda/lib/libcudart.so.13\n"
        "   or: unset LD_LIBRARY_PATH\n"
        "  [library-corrupt]\n");
  CHECK_FALSE(p.ends());
  for (const file_state state : {file_state::not_elf, file_state::refused}) {
    cudart.state = state;
    cudart.size = 63;
    CHECK(p.because() == "The loader ends it before main(): \"file too short\".");
  }
  cudart.state = file_state::not_elf;
  cudart.size = 64;
  CHECK(p.because() == "The loader ends it before main(): \"invalid ELF header\".");
  CHECK(p.ends());
  cudart.state = file_state::foreign;
  cudart.machine = 183;
  CHECK(p.message() ==
        "refused: a library that this program needs is for another machine: libcudart.so.13\n"
        "  needed:  a file for x86_64    by /srv/app\n"
        "  found:   a file for aarch64   /cuda/lib/libcudart.so.13   chosen by LD_LIBRARY_PATH[0]\n"
        "  The loader passes it over, finds no other, and ends the program before main().\n"
        "  fix: reinstall the package that contains /cuda/lib/libcudart.so.13\n"
        "   or: unset LD_LIBRARY_PATH\n"
        "  [wrong-machine]\n");
  CHECK(p.ends());
}

TEST_CASE("a dependency is missing") {
  program_to_start p;
  p.lose(1);
  CHECK(p.message() ==
        "refused: a library that this program needs is missing: libcudart.so.13\n"
        "  needed:     libcudart.so.13   by /srv/app\n"
        "  looked in:  /one              LD_LIBRARY_PATH[0]\n"
        "  looked in:  ld.so.cache\n"
        "  The loader ends it before main(): \"error while loading shared libraries\".\n"
        "  fix: apt-get install cuda-cudart-13-0\n"
        "   or: add the directory that has libcudart.so.13 to LD_LIBRARY_PATH\n"
        "  [dependency-missing]\n");
  p.observed.start.libraries.in_place()[1].name = "libz.so.1";
  CHECK(p.fix() == "$ apt-get install zlib1g");
  p.observed.start.libraries.in_place()[1].name = "libfoo.so.1";
  CHECK(p.fix() ==
        "> add the package that has libfoo.so.1\n"
        "> add the directory that has libfoo.so.1 to LD_LIBRARY_PATH");
  p.observed.start.libraries.in_place()[1].name = "libcudnn_ops.so.9";
  CHECK(p.findings()[0].id == finding_id::sublibrary_missing);
}

TEST_CASE("the driver is missing where a program NEEDs it") {
  program_to_start p;
  p.lose(1).name = "libcuda.so.1";
  p.observed.driver = {};
  p.observed.driver.present = answer::no;
  CHECK(p.message() ==
        "refused: there is no NVIDIA driver on this machine\n"
        "  needed:     libcuda.so.1   by /srv/app\n"
        "  looked in:  /one           LD_LIBRARY_PATH[0]\n"
        "  looked in:  ld.so.cache\n"
        "  The loader ends it before main(): \"error while loading shared libraries\".\n"
        "  fix: run it on a machine with a GPU\n"
        "   or: in a container, give it a GPU: docker run --gpus all\n"
        "  [driver-missing]\n");
  // Another library's run path leads to it, this program's does not.
  p.observed.driver.present = answer::yes;
  CHECK(p.summary() == "the loader does not find the NVIDIA driver for this program");
}

TEST_CASE("libraries that may not be read or mapped") {
  program_to_start p;
  p.observed.start.libraries.in_place()[1].state = file_state::unreadable;
  CHECK(p.result() == verdict::refused);
  CHECK_FALSE(p.ends());
  program_to_start of_cudnn;
  of_cudnn.observed.start.libraries.in_place()[0].state = file_state::unreadable;
  CHECK(of_cudnn.fix() == "> give this user read permission for /opt/cudnn/lib/libcudnn.so.9");
  of_cudnn.observed.start.libraries.in_place()[0].state = file_state::no_exec;
  const finding f = of_cudnn.findings()[0];
  CHECK(f.summary ==
        "a library of cuDNN is on a file system that is mounted noexec: libcudnn.so.9");
  CHECK(f.because ==
        "The loader ends it before main(): \"failed to map segment from shared object\".");
  CHECK(test::fix_of(f) ==
        "> move it to a file system that is mounted without noexec\n"
        "> mount without noexec the file system of /opt/cudnn/lib/libcudnn.so.9");
}

TEST_CASE("functions that the cuDNN lacks") {
  program_to_start p;
  p.stamped.cudnn_header = {9, 19, 0};
  p.observed.start.missing_symbols = {{"cudnnNew", "/srv/app", false}};
  CHECK(p.message() ==
        "refused: cuDNN 9.14.0 lacks a function that is called: cudnnNew\n"
        "  calls:       cudnnNew   /srv/app\n"
        "  would load:  9.14.0     /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of /srv/app\n"
        "  It would start, and the first call ends it: \"symbol lookup error\".\n"
        "  fix: let the loader find cuDNN 9.19 or newer before /opt/cudnn/lib\n"
        "  [cudnn-older]\n");
  CHECK_FALSE(p.ends());
  p.observed.start.missing_symbols.push_back({"cudnnNewer", "/srv/libplugin.so", true});
  CHECK(p.message() ==
        "refused: cuDNN 9.14.0 lacks 2 functions that are called\n"
        "  calls:       cudnnNew     /srv/app\n"
        "  would load:  9.14.0       /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of /srv/app\n"
        "  calls:       cudnnNewer   /srv/libplugin.so\n"
        "  The loader ends it before main(), because it binds at the start: \"undefined symbol\".\n"
        "  fix: let the loader find cuDNN 9.19 or newer before /opt/cudnn/lib\n"
        "  [cudnn-older]\n");
  CHECK(p.ends());
}

TEST_CASE("no path begins a line of its own or moves the cursor") {
  program_to_start p;
  p.observed.program_path = "/srv/a\ncudnn-checked: ok: \x1b[31m\r-\x7f";
  p.observed.start.executable = answer::no;
  const std::string message = p.message();
  CHECK(message.find("   /srv/a\\x0acudnn-checked: ok: \\x1b[31m\\x0d-\\x7f\n  found:") !=
        std::string::npos);
  CHECK(message.find("  fix: by hand, because a name cannot be pasted: chmod +x "
                     "'/srv/a\\x0acudnn-checked: ok: \\x1b[31m\\x0d-\\x7f'\n") !=
        std::string::npos);
}

TEST_CASE("one line: what is no visible character") {
  const auto shown = [](const char* text) { return one_line(text); };
  CHECK(shown("/opt/a b/\\x0a") == "/opt/a b/\\x0a");
  CHECK(shown("\xc3\xbc \xe6\xa4\x9c \xf0\x9f\x9a\x80") ==
        "\xc3\xbc \xe6\xa4\x9c \xf0\x9f\x9a\x80");
  CHECK(shown("\t\x1f \x7f") == "\\x09\\x1f \\x7f");
  CHECK(shown("\xc2\x80\xc2\x9f\xc2\xa0") == "\\xc2\\x80\\xc2\\x9f\xc2\xa0");
  CHECK(shown("\xd8\x9c") == "\\xd8\\x9c");
  CHECK(shown("\xe2\x80\x8a\xe2\x80\x8b\xe2\x80\x90") == "\xe2\x80\x8a\\xe2\\x80\\x8b\xe2\x80\x90");
  CHECK(shown("\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf") ==
        "\\xe2\\x80\\xa8\\xe2\\x80\\xae\xe2\x80\xaf");
  CHECK(shown("\xe2\x81\xa6\xef\xbb\xbf") == "\\xe2\\x81\\xa6\\xef\\xbb\\xbf");
  CHECK(shown("\xff\xc0\xaf\xed\xa0\x80\xe2\x80") == "\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xe2\\x80");
}

TEST_CASE("a program without a stamp") {
  program_to_start p;
  p.observed.start.stamped = answer::no;
  const judgement judged = judge_unstamped(p.observed, p.options);
  CHECK(findings_message(judged.findings, "refused", severity::unknown) ==
        "refused: not stamped: only the loader's search and the cuDNN that it finds are checked\n"
        "  expected:  a stamp   /srv/app\n"
        "  found:     none\n"
        "  Which cuDNN, CUDA and GPUs it was built for is not known.\n"
        "  fix: nothing\n"
        "   or: build it with cudnn_checked_guard()\n"
        "  [not-stamped]\n");
  CHECK(judged.result == verdict::unknown);
  CHECK(p.message() == "");
}

TEST_CASE("a requirement of an older major refuses nothing that NEEDs this one") {
  program_to_start p;
  p.observed.start.stamped = answer::no;
  unstamped_program program;
  program.requirement.text = "nvidia-cudnn-cu12>=8.9";
  program.requirement.least = {8, 9, 0};
  p.observed.unstamped = &program;
  const auto names = [&p] {
    return test::names_of(judge_unstamped(p.observed, p.options).findings);
  };
  program.use = cudnn_use::needed;
  CHECK(names() == "not-stamped");
  program.use = cudnn_use::opened;
  CHECK(names() == "cudnn-major not-stamped");
  program.use = cudnn_use::needed;
  program.requirement.least = {10, 1, 0};
  CHECK(names() == "cudnn-major not-stamped");
}

TEST_CASE("a requirement without an upper bound installs no other major") {
  program_to_start p;
  p.observed.start.stamped = answer::no;
  unstamped_program program;
  program.requirement.text = "nvidia-cudnn-cu13>=9.30";
  program.requirement.wheel = "nvidia-cudnn-cu13";
  program.requirement.least = {9, 30, 0};
  program.use = cudnn_use::opened;
  p.observed.unstamped = &program;
  const auto fix = [&p] {
    return test::fix_of(judge_unstamped(p.observed, p.options).findings[0]);
  };
  CHECK(fix() == "$ python3 -m pip install --upgrade 'nvidia-cudnn-cu13>=9.30,<10'");
  program.requirement.text = "nvidia-cudnn-cu13<11,>=9.30";
  CHECK(fix() == "$ python3 -m pip install --upgrade 'nvidia-cudnn-cu13<11,>=9.30'");
}

TEST_CASE("an install for itself: only what its own files and header say") {
  test::machine m("9.14.0", "9.14.0");
  m.observed.driver = {};
  CHECK(judge_installed(m.stamped, m.observed, {}).findings.empty());
  CHECK(judge_installed({}, m.observed, {}).findings.empty());
  m.stamped.cudnn_header = {9, 19, 0};
  CHECK(test::names_of(judge_installed(m.stamped, m.observed, {}).findings) ==
        "header-library-mismatch");
}
