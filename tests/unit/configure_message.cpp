// SPDX-License-Identifier: BSD-3-Clause
//
// A message that the find module asks for, whole.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "configure/message.h"
#include "configure/refusals.h"
#include "fake_system.h"

using namespace cudnn_checked;

namespace {

std::string text_for(const std::vector<std::string>& facts) {
  std::vector<const char*> arguments;
  for (const std::string& fact : facts) arguments.push_back(fact.c_str());
  const configure::request asked(static_cast<int>(arguments.size()), arguments.data());
  return text_of(configure::message_of(asked, test::fake_system()));
}

}  // namespace

TEST_CASE("a message has its facts in columns, its fixes in their order, and what is quoted") {
  CHECK(text_for({"summary=what is wrong", "fact=version|9.14.0|/a/cudnn.h",
                  "fact=looked in|/opt/\xC3\xA9|CUDNN_ROOT: no | such", "fact=looked in|/b|",
                  "fact=ended|SIGSEGV", "because=What follows.", "because=And more.",
                  "fix=pip install x", "fix=cmake -B b", "quoted=one\ttwo\r\n\nthree\n\n"}) ==
        "cudnn_checked: refused: what is wrong\n"
        "  version:    9.14.0   /a/cudnn.h\n"
        "  looked in:  /opt/\xC3\xA9   CUDNN_ROOT: no | such\n"
        "              /b\n"
        "  ended:      SIGSEGV\n"
        "  What follows.\n"
        "  And more.\n"
        "  fix: pip install x\n"
        "   or: cmake -B b\n"
        "  [bad-input]\n"
        "  | one two\n"
        "  | \n"
        "  | three\n");
}

TEST_CASE("what nothing has shown to help, and a large download, are told") {
  message made;
  made.name = "x";
  made.summary = "a";
  fix_line first(fix_line::kind::command, "pip install x");
  first.tried = trial_result::unknown;
  first.megabytes = 517;
  made.fixes = {first, fix_line(fix_line::kind::advice, "ask b")};
  CHECK(text_of(made) ==
        "cudnn_checked: refused: a\n"
        "  try: pip install x\n"
        "       cuDNN alone is a download of 517 MB\n"
        "   or: ask b\n"
        "  [x]\n");
}

TEST_CASE("a message of nothing but its name, and with another verdict") {
  message made;
  made.name = "two-cudnns";
  made.lead = "cudnn_checked: warning";
  made.summary = "a";
  CHECK(text_of(made) == "cudnn_checked: warning: a\n  [two-cudnns]\n");
}

TEST_CASE("a path may have what separates the parts of a fact") {
  CHECK(text_for({"summary=a", "path=/b|c\n", "fact=character|;|"}) ==
        "cudnn_checked: refused: a\n"
        "  path:       /b|c\\x0a\n"
        "  character:  ;\n"
        "  [bad-input]\n");
}

TEST_CASE("no value of a message begins a line, or moves a cursor") {
  CHECK(text_for({"summary=a\nfix: rm", "fact=\x1b|b\n|\xE2\x80\xAE", "because=c\r", "fix=d\ne",
                  "quoted=\x1b[31m"}) ==
        "cudnn_checked: refused: a\\x0afix: rm\n"
        "  \\x1b:  b\\x0a   \\xe2\\x80\\xae\n"
        "  c\\x0d\n"
        "  fix: d\\x0ae\n"
        "  [bad-input]\n"
        "  | \\x1b[31m\n");
}

TEST_CASE("what CMake hides is shown") {
  CHECK(text_for({"summary=a\x03"
                  "b\x04\x05\x02",
                  "fix=cmake \x03x\x04"}) ==
        "cudnn_checked: refused: a[b];\\\n  fix: cmake [x]\n  [bad-input]\n");
}

TEST_CASE("a cross build is configured with an emulator that is on PATH") {
  const auto level = [](const char* emulator, const char* machine, const char* system) {
    test::fake_system os;
    os.files[emulator] = "";
    const char* const facts[] = {"require=RAN", machine,       system,
                                 "judge=/b/j",  "cmake=cmake", "build=/b"};
    message made;
    CHECK(configure::refuse("explain-level", configure::request(6, facts), os, made));
    return std::string(text_of(made));
  };
  const auto whole = [](const std::string& fix) {
    return "cudnn_checked: refused: the level that is required cannot be reached in this cross "
           "build\n"
           "  required:  RAN      CuDNNChecked_REQUIRE\n"
           "  reached:   LINKED   CMAKE_CROSSCOMPILING_EMULATOR is not set\n"
           "  The probe is built for another machine and cannot be started here.\n" +
           fix +
           "cmake -D CuDNNChecked_REQUIRE=AUTO /b\n"
           "   or: name the report that /b/j wrote there in CuDNNChecked_PROBE_REPORT\n"
           "  [not-verified]\n";
  };
  const auto with = [](const char* emulator) {
    return std::string("  fix: cmake -D CMAKE_CROSSCOMPILING_EMULATOR=") + emulator +
           " /b\n   or: ";
  };
  CHECK(level("/usr/bin/qemu-aarch64-static", "machine=aarch64", "system=linux") ==
        whole(with("/usr/bin/qemu-aarch64-static")));
  CHECK(level("/usr/bin/wine", "machine=x86_64", "system=windows") == whole(with("/usr/bin/wine")));
  CHECK(level("/usr/bin/qemu-aarch64", "machine=x86_64", "system=linux") == whole("  fix: "));
}
