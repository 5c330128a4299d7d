// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that another loader starts, and those that nothing can start.
#include <doctest/doctest.h>

#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

/// A program on a mixed set.
test::machine mixed_machine() {
  test::machine m;
  m.take_from("heuristic", "9.19.0", "/other", test::by_cache);
  return m;
}

}  // namespace

TEST_CASE("another loader, or auditors: nothing that rests on the search refuses") {
  test::machine m = mixed_machine();
  CHECK(m.names() == "mixed-sublibraries");
  for (const char* rules : {"/lib/ld-musl-x86_64.so.1", "LD_AUDIT=/x/libspindle.so"}) {
    CAPTURE(rules);
    m.observed.other_rules = rules;
    CHECK(m.names() == "mixed-sublibraries loader-unknown");
    CHECK(m.result() == verdict::unknown);
    CHECK(
        findings_message({m.findings().back()}, "cudnn-checked: unknown", severity::unknown) ==
        "cudnn-checked: unknown: which libraries this program gets is decided by rules that are "
        "not known here\n"
        "  expected:  the loader of glibc, without LD_AUDIT\n"
        "  found:     " +
            std::string(rules) +
            "\n"
            "  Which cuDNN it gets cannot be predicted: what is found for it is unknown at most.\n"
            "  fix: nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded\n"
            "  [loader-unknown]\n");
  }
  // What is found of the GPUs does not rest on it.
  m.observed.driver.kernel_module = {450, 0, 0};
  m.observed.driver.cuda = {11, 0, 0};
  CHECK(m.result() == verdict::refused);
}

TEST_CASE("another loader: what libcudnn.so.9 would open is not missing where that is not found") {
  test::machine m;
  m.observed.other_rules = "/lib/ld-musl-x86_64.so.1";
  for (cudnn_file& file : m.observed.files.in_place()) {
    file.state = file_state::missing;
    file.path.clear();
  }
  CHECK(m.names() == "loader-unknown");
}

TEST_CASE("files that are mapped are known, whoever found them") {
  test::machine m = mixed_machine();
  m.observed.other_rules = "LD_AUDIT=/x/libspindle.so";
  for (cudnn_file& file : m.observed.files.in_place()) file.mapped = true;
  CHECK(m.names() == "mixed-sublibraries");
  CHECK(m.result() == verdict::refused);
}

TEST_CASE("no permission to execute it") {
  test::starting p;
  CHECK(p.message() == "");
  CHECK_FALSE(p.ends());
  p.observed.start.executable = answer::yes;
  CHECK(p.message() == "");
  p.observed.start.executable = answer::no;
  CHECK(p.message() ==
        "refused: this program may not be executed\n"
        "  expected:  permission to execute   /srv/app\n"
        "  found:     none\n"
        "  The kernel does not start it: \"Permission denied\".\n"
        "  fix: chmod +x /srv/app\n"
        "  [cannot-start]\n");
  CHECK(p.ends());
}

TEST_CASE("its loader does not exist") {
  test::starting p;
  p.observed.start.missing_interpreter = "/lib/ld-musl-x86_64.so.1";
  const std::string message =
      "refused: the loader that this program asks for does not exist\n"
      "  asks for:  /lib/ld-musl-x86_64.so.1   /srv/app\n"
      "  found:     none\n"
      "  The kernel does not start it: \"No such file or directory\", although the program is "
      "there.\n"
      "  fix: run it where that loader is installed\n"
      "   or: build it on this machine\n"
      "  [cannot-start]\n";
  CHECK(p.message() == message);
  CHECK(p.ends());
  // That is the kernel's matter, whatever the rules of the loader are.
  p.observed.start.known_loader = answer::unknown;
  p.observed.other_rules = "/lib/ld-musl-x86_64.so.1";
  CHECK(p.message() == message);
  CHECK(p.ends());
}

TEST_CASE("a version of glibc's symbols that is not there") {
  test::starting p;
  p.observed.start.missing_versions = {
      {"GLIBC_2.99", "/srv/app", "/lib/libc.so.6", "GLIBC_2.36"},
      {"GLIBCXX_3.4.99", "/srv/libx.so", "/lib/libstdc++.so.6", "GLIBCXX_3.4.30"}};
  CHECK(p.message() ==
        "refused: this program needs GLIBC_2.99, which the libc.so.6 that it gets lacks\n"
        "  needs:  GLIBC_2.99       by /srv/app\n"
        "  found:  GLIBC_2.36       /lib/libc.so.6\n"
        "  needs:  GLIBCXX_3.4.99   by /srv/libx.so\n"
        "  The loader ends it before main(): \"version `GLIBC_2.99' not found\".\n"
        "  fix: run it on a system that has it\n"
        "   or: build it on this machine\n"
        "  [cannot-start]\n");
  CHECK(p.ends());
  p.observed.start.missing_versions = {{"OWN_1", "/srv/app", "/lib/libown.so.1", ""}};
  CHECK(p.message().find("  found:  none    /lib/libown.so.1\n") != std::string::npos);
  p.observed.start.known_loader = answer::unknown;
  p.observed.other_rules = "LD_AUDIT=/x.so";
  CHECK(p.message() == "");
  CHECK_FALSE(p.ends());
}
