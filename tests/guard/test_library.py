# SPDX-License-Identifier: BSD-3-Clause
"""A plugin with MANUAL: nothing happens until its code asks, in C++ and in C."""

import shutil

from guarded_program import GuardedProgram

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked REQUIRED)
add_library(plugin SHARED plugin.cpp plugin.c)
target_link_libraries(plugin PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(plugin MANUAL GPU REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE plugin ${CMAKE_DL_LIBS})
"""

PLUGIN_CPP = """
#include <cudnn.h>
#include <cudnn_checked/guard.hpp>
#include <cstdio>
void check_in_cpp() {
  cudnnGetVersion();
  const cudnn_checked::report r = cudnn_checked::check();
  std::printf("verdict %d\\n", static_cast<int>(r.verdict()));
  for (const cudnn_checked::finding& f : r.findings()) {
    std::printf("%s, %s: %s\\n", f.name.c_str(), f.severity.c_str(), f.summary.c_str());
  }
  try {
    cudnn_checked::require_or_throw();
    std::printf("nothing was thrown\\n");
  } catch (const cudnn_checked::refused& e) {
    std::printf("thrown: %.24s\\n", e.what());
  }
}
extern "C" void require_in_cpp() { cudnn_checked::require(); }
void tell_in_cpp() { std::printf("%s", cudnn_checked::check().text().c_str()); }
"""

PLUGIN_C = """
#include <cudnn_checked/guard.h>
#include <stdio.h>
static const char* word_of(cudnn_checked_verdict verdict) {
  switch (verdict) {
    case CUDNN_CHECKED_VERDICT_OK: return "ok";
    case CUDNN_CHECKED_VERDICT_UNKNOWN: return "unknown";
    case CUDNN_CHECKED_VERDICT_WARNING: return "warning";
    case CUDNN_CHECKED_VERDICT_REFUSED: return "refused";
  }
  return "";
}
void check_in_c(void) {
  cudnn_checked_report* report = cudnn_checked_check();
  printf("verdict %s, %d findings\\n", word_of(cudnn_checked_verdict_of(report)),
         (int)cudnn_checked_finding_count(report));
  if (cudnn_checked_finding_count(report) > 0) {
    printf("%s\\n", cudnn_checked_finding_at(report, 0).name);
  }
  printf("past the end: \\"%s\\"\\n", cudnn_checked_finding_at(report, 99).name);
  cudnn_checked_free(report);
  cudnn_checked_free(NULL);
}
"""

MAIN = """
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
void check_in_cpp();
extern "C" void require_in_cpp();
void tell_in_cpp();
extern "C" void check_in_c();
int main(int argc, char** argv) {
  if (argc < 2) std::printf("the host does not ask\\n");
  if (argc > 1 && std::strcmp(argv[1], "c++") == 0) check_in_cpp();
  if (argc > 1 && std::strcmp(argv[1], "c") == 0) check_in_c();
  if (argc > 1 && std::strcmp(argv[1], "require") == 0) require_in_cpp();
  if (argc > 2) {
    void* const other = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    reinterpret_cast<void (*)()>(dlsym(other, "require_in_cpp"))();
    require_in_cpp();
  }
  if (argc > 1 && std::strcmp(argv[1], "text") == 0) tell_in_cpp();
  std::printf("the host goes on\\n");
  return 0;
}
"""


class Plugin(GuardedProgram):
    project = PROJECT
    main = MAIN
    sources = {"plugin.cpp": PLUGIN_CPP, "plugin.c": PLUGIN_C}

    def ask(self, word, **options):
        environment = dict(LD_LIBRARY_PATH="") if not options.pop("driver", True) else {}
        environment = {**self.built_on.environment, **environment, **options}
        done = self.app.run(self.app.path("app"), *word.split(), environment=environment)
        return done.status, done.output

    def test_nothing_happens_by_itself(self):
        self.assertEqual(self.ask("", driver=False),
                         (0, "the host does not ask\nthe host goes on\n"))

    def test_all_is_well(self):
        self.assertEqual(self.ask("c++"), (0, "verdict 0\nnothing was thrown\nthe host goes on\n"))
        self.assertEqual(self.ask("c"),
                         (0, "verdict ok, 0 findings\npast the end: \"\"\nthe host goes on\n"))
        self.assertEqual(self.ask("require"), (0, "the host goes on\n"))

    def test_a_refusal_is_told_and_the_host_decides(self):
        self.assertEqual(self.ask("c++", driver=False), (0, """\
verdict 3
driver-missing, error: there is no NVIDIA driver on this machine
thrown: cudnn_checked: refused: 
the host goes on
"""))
        self.assertEqual(self.ask("c", driver=False), (0, """\
verdict refused, 1 findings
driver-missing
past the end: ""
the host goes on
"""))

    def test_require_ends_the_program_because_the_code_asked_for_it(self):
        status, output = self.ask("require", driver=False)
        self.assertEqual(status, 78)
        self.assertIn("[driver-missing]\n  override: CUDNN_CHECKED=warn\n", output)
        self.assertEqual(self.ask("require", driver=False, CUDNN_CHECKED="off"),
                         (0, "the host goes on\n"))

    def test_guards_of_one_process_say_a_thing_once(self):
        other = self.scratch / "libother.so"
        shutil.copy(self.app.path("libplugin.so"), other)
        status, output = self.ask(f"require {other}", driver=False, CUDNN_CHECKED="warn")
        self.assertEqual((status, output), (0, """\
cudnn_checked: warning: there is no NVIDIA driver on this machine
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   nothing        in the directories that the loader searches
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU
   or: in a container, give it a GPU: docker run --gpus all
  [driver-missing]
  continues: CUDNN_CHECKED=warn
the host goes on
"""))

    def test_a_misspelt_mode_is_a_finding_that_lists_the_three(self):
        self.assertEqual(self.ask("text", CUDNN_CHECKED="of"), (0, """\
cudnn_checked: refused: CUDNN_CHECKED has a value that is not known; did you mean off?
  value:    of   CUDNN_CHECKED
  enforce:  refuse to start on a cuDNN that cannot be right (the default)
  warn:     report it and continue
  off:      do not check
  A misspelt value must not silently select a mode.
  fix: unset CUDNN_CHECKED
   or: set CUDNN_CHECKED to one of the three
  [bad-input]
the host goes on
"""))
        status, output = self.ask("c++", CUDNN_CHECKED="of", driver=False)
        self.assertEqual((status, output), (0, """\
verdict 3
bad-input, error: CUDNN_CHECKED has a value that is not known; did you mean off?
driver-missing, error: there is no NVIDIA driver on this machine
thrown: cudnn_checked: refused: 
the host goes on
"""))
        self.assertEqual(self.ask("require", CUDNN_CHECKED="of")[0], 78)
