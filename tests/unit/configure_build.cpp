// SPDX-License-Identifier: BSD-3-Clause
//
// What the log of a build that failed says, and what is to blame.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "configure/build_flags.h"
#include "configure/build_words.h"

using namespace cudnn_checked;
using namespace cudnn_checked::configure;

namespace {

std::vector<std::string> lines_of(const std::string& log) {
  return words_of_build(log, {"/usr/bin/c++", ""}).lines;
}

bool is_linked(const std::string& log) { return words_of_build(log, {}).linked; }

std::vector<std::string> blamed(const std::string& flags, const std::string& said) {
  return fixes_of_flags({{"FLAGS", "", flags, ""}}, {said});
}

}  // namespace

TEST_CASE("what the build tool writes is no word of a compiler") {
  CHECK(
      lines_of("Change Dir: /b\n\nRun Build Command(s):/usr/bin/ninja\n[1/2] Building CXX object\n"
               "/usr/bin/c++ -c a.cpp error:\nFAILED: error: a\n: && /usr/bin/c++ a.o && :\n"
               "/usr/bin/make -f CMakeFiles/a error:\nmake[1]: error: a\ngmake: error: b\r\n"
               "/usr/bin/cmake -E cmake_link_script error:\nninja: error: stopped\n"
               "Linking CXX executable error:\na.cpp:1: error: no\n") ==
      std::vector<std::string>{"a.cpp:1: error: no"});
  // These only look like it.
  for (const char* line : {"[1/x] error: a", "[/2] error: a", "c++ error: a", "makes: error: a",
                           "/usr/bin/make -k error: a"}) {
    CHECK(lines_of(line) == std::vector<std::string>{line});
  }
}

TEST_CASE("a line that says what is wrong") {
  for (const char* line :
       {"a.cpp:1:2: error: no", "a.cpp(1): error #20-D: no", "nvcc fatal   : no", "Error: no",
        "sh: c++: Permission denied", "sh: 1: nonsense: not found"}) {
    CHECK(lines_of(std::string("first\n") + line + "\nlast\n") == std::vector<std::string>{line});
    CHECK_FALSE(is_linked(line));
  }
  // No line does: the last ones are shown.
  for (const char* line :
       {"a.cpp: error", "a: note: error: b", "no errors", "error #: a", "fatality"}) {
    CHECK(lines_of(std::string("first\n") + line + "\nlast") ==
          std::vector<std::string>{"first", line, "last"});
  }
}

TEST_CASE("a linker's words") {
  for (const char* line :
       {"a.o: undefined reference to `f'", "ld: cannot find -lfoo", "ld.lld: error: x",
        "ld: fatal: x", "mold: error: x", "nvlink error   : x", "collect2: error: ld returned 1",
        "ld: warning: libf.so, needed by libg.so, not found", "ld: unrecognised emulation x"}) {
    CHECK(is_linked(line));
  }
  for (const char* line : {"fld: error", "ld.LLD: error: x", "lda: error: x", "needed by a"}) {
    CHECK(is_linked(line) == (std::string(line) == "fld: error"));
  }
  CHECK(
      lines_of("a.o: in function `main':\na.o: undefined reference to `f'\n"
               "b.o: undefined reference to `f'\nld: warning: creating DT_TEXTREL, cannot find it\n"
               "collect2: error: ld returned 1 exit status\n") ==
      std::vector<std::string>{"a.o: undefined reference to `f'"});
  CHECK(lines_of("ld.lld: error: undefined symbol: f\n>>> referenced by a.cpp\n>>> and b.cpp\n") ==
        std::vector<std::string>{"ld.lld: error: undefined symbol: f", ">>> referenced by a.cpp"});
  CHECK(lines_of("note\ncollect2: error: ld returned 1 exit status\n2 errors generated.\n") ==
        std::vector<std::string>{"collect2: error: ld returned 1 exit status",
                                 "2 errors generated."});
}

TEST_CASE("how the file came to be included stands in front of the first error") {
  CHECK(lines_of("In file included from d.h:1,\n                 from c.h:1,\n"
                 "                 from b.h:1,\n                 from a.h:1:\ne.h:1: error: x\n"
                 "In file included from z.h:1,\ny.h:1: error: x\n") ==
        std::vector<std::string>{"In file included from d.h:1,", "                 from c.h:1,",
                                 "                 from b.h:1,", "e.h:1: error: x",
                                 "y.h:1: error: x"});
  CHECK(lines_of("In file included from a.h:1:\nIn file included from b.h:1:\n"
                 "In file included from c.h:1:\nIn file included from d.h:1:\ne.h:1: error: x\n") ==
        std::vector<std::string>{"In file included from b.h:1:", "In file included from c.h:1:",
                                 "In file included from d.h:1:", "e.h:1: error: x"});
  // A line that goes on from one ends as it does.
  CHECK(lines_of("a.h:2: note: the type is\n  from here\na.h:3: error: x\n") ==
        std::vector<std::string>{"a.h:3: error: x"});
}

TEST_CASE("what stopped a build that was not to blame") {
  const auto stopped = [](const std::string& log) {
    const build_stop stop = stop_of_build(log);
    return stop.what + " <" + stop.by + ">";
  };
  CHECK(stopped("x\ncc1plus: out of memory allocating 9 bytes \nb") ==
        "the compiler had no memory left <out of memory allocating 9 bytes>");
  CHECK(stopped("as: a.o: File too large\n") ==
        "a limit on the size of files stopped the compiler <File too large>");
  CHECK(stopped("SIGXCPU") == "a limit on processor time stopped the compiler <SIGXCPU>");
  CHECK(stopped("c++: Too many open files") ==
        "a limit on files or processes stopped the compiler <Too many open files>");
  CHECK(stopped("collect2: fatal error: ld terminated with signal 9 [Killed]") ==
        "the compiler was killed <ld terminated with signal 9 [Killed]>");
  CHECK(stopped("sh: line 1:  12 Killed  c++") == "the compiler was killed <Killed  c++>");
  CHECK(stopped("c++: fatal error: Terminated signal terminated program cc1plus") ==
        "the compiler was told to end <Terminated signal terminated program cc1plus>");
  CHECK(stopped("ld terminated with signal 15, x") ==
        "the compiler was told to end <ld terminated with signal 15, x>");
  CHECK(stopped("ld terminated with signal 7\n") ==
        "the compiler ended by a bus error <ld terminated with signal 7>");
  // None of these was stopped.
  for (const char* log : {"", "error: unKilled", "ld terminated with signal 11",
                          "ld terminated with signal 78", " terminated with signal 1"}) {
    CHECK(stopped(log) == " <>");
  }
}

TEST_CASE("a flag that the words name, or that they follow from") {
  const auto remove = [](const std::string& flag) {
    return std::vector<std::string>{"remove " + flag + " from FLAGS, or correct it"};
  };
  CHECK(blamed("-O2 -fnonsense", "unrecognized option '-fnonsense'") == remove("-fnonsense"));
  CHECK(blamed("-include x.h", "x.h: No such file") == remove("-include x.h"));
  CHECK(blamed("'a b' -g", "a b") == remove("a b"));
  CHECK(blamed("-g", "-g").empty());  // too short to be named
  const std::vector<std::pair<std::string, std::string>> known = {
      {"-static", "attempted static link of dynamic object"},
      {"-static", "cannot find -lfoo"},
      {"-m32", "bits/c++config.h"},
      {"-fsanitize=address", "cannot find libclang_rt.asan.a"},
      {"-fsanitize=address", "undefined reference to `__asan_init'"},
      {"-fsanitize=thread", "cannot find -ltsan"},
      {"-fsanitize=x", "argument to '-fsanitize='"},
      {"-nostdlib", "undefined symbol: memcpy"},
      {"-no-pie", "recompile with -fPIC"},
      {"-nostdinc++", "'string' file not found"}};
  for (const auto& [flag, said] : known) {
    CHECK(blamed("-O2 " + flag, said) == remove(flag));
    CHECK(blamed("-O2 " + flag, "an error").empty());
    CHECK(blamed("-O2 -Wall", said).empty());
  }
  CHECK(blamed("-fsanitize=address", "undefined reference to `__as_init'").empty());
}

TEST_CASE("the line that sets the flags without those that are to blame") {
  const auto fixes = [](const std::string& set, const std::string& value = "-O2 -fno -I /a") {
    return fixes_of_flags({{"F", "", value, set}}, {"'-fno'"});
  };
  const std::string correct = "remove -fno from F, or correct it";
  CHECK(fixes("cmake -D 'F=@ @' /b") ==
        std::vector<std::string>{"cmake -D 'F=-O2 -I /a' /b", correct});
  CHECK(fixes("cmake -D 'F=@ @' /b", "-fno") ==
        std::vector<std::string>{"cmake -D F= /b", correct});
  CHECK(fixes("in CMakeLists.txt: set(F @ @)") ==
        std::vector<std::string>{"in CMakeLists.txt: set(F -O2 -I /a)", correct});
  CHECK(fixes("cmake -D 'F=@ @' /b", "-fno -DA=\\\"b\\\"") == std::vector<std::string>{correct});
}
