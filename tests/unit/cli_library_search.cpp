// SPDX-License-Identifier: BSD-3-Clause
//
// The search that `explain` shows place by place is the one that the loader of core does.
#include <doctest/doctest.h>

#include "cli/explain/library_search.cpp"
#include "cli/explain/linux/searched_name.cpp"
#include "elf_builder.h"
#include "fake_system.h"

namespace cudnn_checked::cli {

// As check_program.cpp has it, where the kernel names a program by its real path.
arena_string path_for_loader(const system_interface& os, const arena_string& path) {
  const arena_string real = os.real_path(path);
  return real.empty() ? path : real;
}

}  // namespace cudnn_checked::cli

namespace library_search_test {

using cudnn_checked::cli::program_libraries;
using cudnn_checked::cli::search_step;
using test::elf_builder;
using test::fake_system;

constexpr const char* shim = "libcudnn.so.9";
const std::vector<std::string> places = {"/first",  "/second",  "/run",
                                         "/cached", "/default", "/default_too"};

std::string library(unsigned machine = 62) {
  elf_builder b;
  b.soname = shim;
  b.machine = machine;
  return b.build();
}

// A program that NEEDs cuDNN and has a run path.
fake_system machine() {
  fake_system os;
  elf_builder app;
  app.needed = {shim};
  app.runpath = "/run";
  app.interpreter = "/lib64/ld-linux-x86-64.so.2";
  os.files[os.program] = app.build();
  os.files["/first/other"] = "";
  os.variables["LD_LIBRARY_PATH"] = "/first:/second";
  // A link is looked for on the disk of this machine, which may have a cuDNN in the true ones.
  os.defaults = {"/default", "/default_too"};
  os.cache[shim] = "/cached/libcudnn.so.9";
  return os;
}

// "LD_LIBRARY_PATH[0] nothing; ...": what is not reached in brackets, what is taken with a star.
std::string told(const std::vector<search_step>& steps) {
  std::string text;
  for (const search_step& step : steps) {
    const std::string there = std::string(step.place()) + " " + std::string(step.there);
    text += (text.empty() ? "" : "; ") + (step.what == search_step::outcome::taken ? "*" + there
                                          : step.what == search_step::outcome::not_reached
                                              ? "(" + there + ")"
                                              : there);
  }
  return text;
}

std::vector<search_step> steps_of(const fake_system& os) {
  program_libraries libraries(os, os.program);
  const cudnn_checked::arena_vector<search_step> steps = libraries.steps(shim);
  return {steps.begin(), steps.end()};
}

TEST_CASE("the place that is called taken is the one of the loader, for every arrangement") {
  // Nothing, a library, one for another machine, an empty file: in each of six places.  Behind the
  // first library nothing is read, so that a library and nothing are all that there is to tell
  // apart.
  int arrangements = 0;
  for (int which = 0; which < 4096; ++which) {
    bool behind = false;
    bool told_apart = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const int what = which >> (2 * i) & 3;
      told_apart = told_apart && !(behind && what > 1);
      behind = behind || what == 1;
    }
    if (!told_apart) continue;
    fake_system os = machine();
    for (std::size_t i = 0; i < places.size(); ++i) {
      const int what = which >> (2 * i) & 3;
      if (what == 0) continue;
      os.files[places[i] + "/" + shim] = what == 1 ? library() : what == 2 ? library(183) : "";
    }
    program_libraries libraries(os, os.program);
    const cudnn_checked::loader_hit hit =
        libraries.search().find(shim, {}, cudnn_checked::loader::view::afresh);
    const bool ends = hit.taken() || cudnn_checked::ends_search(hit.state);
    std::size_t taken = 0;
    bool reached = true;
    for (const search_step& step : libraries.steps(shim)) {
      if (step.what == search_step::outcome::taken) {
        ++taken;
        CHECK(step.path == hit.path);
        reached = false;
      } else if (reached) {
        CHECK(step.what == search_step::outcome::passed);
        CHECK(step.there != "a library");
      } else {
        CHECK(step.what == search_step::outcome::not_reached);
      }
    }
    CHECK(taken == (ends ? 1U : 0U));
    ++arrangements;
  }
  CHECK(arrangements == 1394);
}

TEST_CASE("what stands at each place, in words") {
  fake_system os = machine();
  os.files["/second/libcudnn.so.9"] = library(183);
  os.files["/default/libcudnn.so.9"] = library();
  os.files["/default_too/libcudnn.so.9"] = library();
  CHECK(told(steps_of(os)) ==
        "LD_LIBRARY_PATH[0] nothing; LD_LIBRARY_PATH[1] a file for aarch64; "
        "RUNPATH of /opt/app/bin/app no such directory; ld.so.cache listed, and does not exist; "
        "*default path a library; (default path a library)");
}

TEST_CASE("a library for this CPU, in a directory of the directory") {
  fake_system os = machine();
  os.hwcaps = {"glibc-hwcaps/x86-64-v3"};
  os.files["/first/glibc-hwcaps/x86-64-v3/libcudnn.so.9"] = library();
  os.files["/first/libcudnn.so.9"] = library();
  const std::vector<search_step> steps = steps_of(os);
  REQUIRE(!steps.empty());
  CHECK(steps[0].what == search_step::outcome::taken);
  CHECK(steps[0].path == "/first/glibc-hwcaps/x86-64-v3/libcudnn.so.9");
}

TEST_CASE("a set-uid program: the environment does not count") {
  fake_system os = machine();
  os.is_secure = true;
  os.files["/first/libcudnn.so.9"] = library();
  os.files["/run/libcudnn.so.9"] = library();
  CHECK(told(steps_of(os)) ==
        "*RUNPATH of /opt/app/bin/app a library; (ld.so.cache listed, and does not exist); "
        "(default path no such directory); (default path no such directory)");
}

TEST_CASE("the run path of the library that asks, and of those that asked for it") {
  fake_system os = machine();
  elf_builder app;
  app.needed = {"libnet.so"};
  app.rpath = "/net";
  app.interpreter = "/lib64/ld-linux-x86-64.so.2";
  os.files[os.program] = app.build();
  elf_builder net;
  net.soname = "libnet.so";
  net.needed = {shim};
  net.rpath = "/rpath";
  os.files["/net/libnet.so"] = net.build();
  os.files["/net/libcudnn.so.9"] = library();
  os.files["/first/libcudnn.so.9"] = library();
  program_libraries libraries(os, os.program);
  CHECK(libraries.asker(shim) == "/net/libnet.so");
  const cudnn_checked::arena_vector<search_step> steps = libraries.steps(shim);
  CHECK(
      told({steps.begin(), steps.end()})
          .find("RPATH of /net/libnet.so no such directory; *RPATH of /opt/app/bin/app a library; "
                "(LD_LIBRARY_PATH[0] a library)") == 0);
  CHECK(libraries.taken(shim).path == "/net/libcudnn.so.9");
}

}  // namespace library_search_test
