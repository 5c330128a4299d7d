// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader does before a program begins, told from outside.
#include <doctest/doctest.h>

#include "core/library/stamp_note.h"
#include "core/library/symbol_versions.h"
#include "core/library/symbols.h"
#include "core/loader/program_start.h"
#include "elf_builder.h"
#include "fake_system.h"

using namespace cudnn_checked;
using test::elf_builder;
using test::fake_system;

namespace {

std::string library(const std::string& soname, std::vector<std::string> needed = {},
                    const std::string& symbol = "") {
  elf_builder b;
  b.soname = soname;
  b.needed = std::move(needed);
  b.word_name = symbol;
  return b.build();
}

std::string program(std::vector<std::string> needed, const std::string& calls = "",
                    const std::string& runpath = "") {
  elf_builder b;
  b.needed = std::move(needed);
  b.word_name = calls;
  b.word_is_defined = false;
  b.runpath = runpath;
  return b.build();
}

program_start started(const fake_system& os) {
  observation observed;
  loader search(os);
  observe_start(search, observed);
  return observed.start;
}

/// "name=path (chosen by)", a line each.
std::string told(const fake_system& os) {
  std::string text;
  const program_start start = started(os);
  for (const start_library& l : start.libraries) {
    text +=
        l.name + "=" + (l.path.empty() ? "none" : l.path) + " (" + to_string(l.chosen_by) + ")\n";
  }
  return text;
}

std::string stamp_note(const std::string& json) {
  std::string note;
  test::put_all(note, {{14, 4}, {json.size() + 1, 4}, {1, 4}});
  note += std::string("cudnn_checked\0\0\0", 16) + json + '\0';
  test::align(note, 4);
  return note;
}

}  // namespace

constexpr auto called = symbol_kind::called;
constexpr auto exported = symbol_kind::exported;

static std::string names_of(const fake_system& os, const char* file, symbol_kind kind,
                            const char* prefix = "cudnn") {
  const auto found = read_symbols(os, file, kind, prefix);
  CHECK(found.readable);
  return found.names.empty() ? "" : found.names.front() + (found.names.size() > 1 ? "..." : "");
}

TEST_CASE("symbols that are called and symbols that are exported") {
  fake_system os;
  for (const bool gnu : {true, false}) {
    elf_builder b;
    b.gnu_hash = gnu;
    b.word_name = "cudnnCreate";
    os.files["/lib/defines.so"] = b.build();
    b.word_is_defined = false;
    os.files["/lib/calls.so"] = b.build();
    CHECK(names_of(os, "/lib/defines.so", exported) == "cudnnCreate");
    CHECK(names_of(os, "/lib/defines.so", called) == "");
    CHECK(names_of(os, "/lib/calls.so", called) == "cudnnCreate");
    CHECK(names_of(os, "/lib/calls.so", exported) == "");
    CHECK(names_of(os, "/lib/calls.so", called, "cuda") == "");
    CHECK(exports_symbol(os, "/lib/defines.so", "cudnnCreate"));
    CHECK_FALSE(exports_symbol(os, "/lib/defines.so", "cudnn"));
    CHECK_FALSE(exports_symbol(os, "/lib/calls.so", "cudnnCreate"));
    b.interpreter = "/lib64/ld-linux-x86-64.so.2";
    os.files["/bin/calls"] = b.build();
    CHECK(names_of(os, "/bin/calls", called) == "cudnnCreate");
    CHECK_FALSE(exports_symbol(os, "/bin/calls", "cudnnCreate"));
  }
}

TEST_CASE("symbols of files that are damaged are not known") {
  fake_system os;
  const std::string whole = library("libcudnn.so.9", {}, "cudnnCreate");
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    os.files["/lib/cut.so"] = whole.substr(0, size);
    CHECK_FALSE(read_symbols(os, "/lib/cut.so", exported, "cudnn").readable);
    CHECK_FALSE(exports_symbol(os, "/lib/cut.so", "cudnnCreate"));
  }
  // Every byte of it may lie; only survival is asked for.
  for (std::size_t at = 0; at < whole.size(); ++at) {
    os.files["/lib/wrong.so"] = whole;
    os.files["/lib/wrong.so"][at] = '\xff';
    for (const auto kind : {called, exported}) {
      read_symbols(os, "/lib/wrong.so", kind, "cudnn");
    }
    exports_symbol(os, "/lib/wrong.so", "cudnnCreate");
    read_stamp_notes(os, "/lib/wrong.so");
  }
  CHECK_FALSE(read_symbols(os, "/lib/absent.so", called, "cudnn").readable);
}

TEST_CASE("the stamps of a program, in their order") {
  fake_system os;
  elf_builder b;
  b.build_id = "0a0b";
  os.files["/opt/app/bin/app"] = b.build();
  CHECK(read_stamp_notes(os, os.program).empty());
  b.more_notes = stamp_note("{\"schema\":1}") + stamp_note("{\"schema\":12}");
  os.files["/opt/app/bin/app"] = b.build();
  CHECK(read_stamp_notes(os, os.program) ==
        std::vector<std::string>{"{\"schema\":1}", "{\"schema\":12}"});
  // A note that promises more than there is ends the reading.
  b.more_notes = stamp_note("{\"schema\":1}") + stamp_note("{\"schema\":12}").substr(0, 34);
  os.files["/opt/app/bin/app"] = b.build();
  CHECK(read_stamp_notes(os, os.program) == std::vector<std::string>{"{\"schema\":1}"});
  CHECK(read_stamp_notes(os, "/absent").empty());
}

TEST_CASE("NEEDED entries breadth first, each found once") {
  fake_system os;
  os.files[os.program] = program({"liba.so", "libb.so"}, "", "$ORIGIN/../lib");
  os.files["/opt/app/bin/../lib/x"] = "";
  os.files["/opt/app/lib/liba.so"] = library("liba.so", {"libdeep.so", "libb.so"});
  os.files["/opt/app/lib/libb.so"] = library("libb.so", {"libcudart.so.13"});
  os.files["/usr/lib/libdeep.so"] = library("libdeep.so", {"liba.so"});
  os.cache["libcudart.so.13"] = "/cuda/libcudart.so.13";
  os.files["/cuda/libcudart.so.13"] = library("libcudart.so.13");
  CHECK(told(os) ==
        "liba.so=/opt/app/bin/../lib/liba.so (RUNPATH of /opt/app/bin/app)\n"
        "libb.so=/opt/app/bin/../lib/libb.so (RUNPATH of /opt/app/bin/app)\n"
        "libdeep.so=/usr/lib/libdeep.so (default path)\n"
        "libcudart.so.13=/cuda/libcudart.so.13 (ld.so.cache)\n");
  CHECK(started(os).known_loader == answer::yes);
  CHECK(objects_of_start(started(os)).size() == 4);
}

TEST_CASE("a SONAME or a file that is mapped is not searched for again") {
  fake_system os;
  os.files[os.program] = program({"libfirst.so", "libsecond.so"});
  os.files["/usr/lib/libfirst.so"] = library("libcudnn.so.9");
  os.files["/usr/lib/libsecond.so"] = library("libsecond.so", {"libcudnn.so.9", "libthird.so"});
  os.links["/usr/lib/libthird.so"] = "libfirst.so";
  os.files["/lib/x86_64-linux-gnu/libcudnn.so.9"] = library("libcudnn.so.9");
  CHECK(told(os) ==
        "libfirst.so=/usr/lib/libfirst.so (default path)\n"
        "libsecond.so=/usr/lib/libsecond.so (default path)\n");
}

TEST_CASE("what LD_PRELOAD brings comes first, and what it cannot bring is left out") {
  fake_system os;
  os.files[os.program] = program({"libcudnn.so.9"});
  os.variables["LD_PRELOAD"] = "/mine/libcudnn.so.9 /absent.so";
  os.files["/mine/libcudnn.so.9"] = library("libcudnn.so.9");
  os.files["/usr/lib/libcudnn.so.9"] = library("libcudnn.so.9");
  CHECK(told(os) == "/mine/libcudnn.so.9=/mine/libcudnn.so.9 (LD_PRELOAD)\n");
}

TEST_CASE("a missing library, where it was looked for, and who asked") {
  fake_system os;
  os.files[os.program] = program({"liba.so"});
  os.variables["LD_LIBRARY_PATH"] = "/one:/two";
  elf_builder a;
  a.soname = "liba.so";
  a.needed = {"libcudnn.so.8"};
  a.runpath = "$ORIGIN/deps";
  os.files["/two/liba.so"] = a.build();
  os.files["/usr/lib/libcudnn.so.9"] = library("libcudnn.so.9");
  CHECK(told(os) == "liba.so=/two/liba.so (LD_LIBRARY_PATH[1])\nlibcudnn.so.8=none ()\n");
  const start_library missing = started(os).libraries.back();
  CHECK(missing.asked_by == "/two/liba.so");
  std::string places;
  for (const auto& place : missing.looked_in)
    places += place.directory + " " + to_string(place.chosen_by) + "\n";
  CHECK(places ==
        "/one LD_LIBRARY_PATH[0]\n"
        "/two LD_LIBRARY_PATH[1]\n"
        "/two/deps RUNPATH of /two/liba.so\n"
        "ld.so.cache \n"
        "/lib/x86_64-linux-gnu default path\n"
        "/usr/lib default path\n");
  REQUIRE(started(os).other_majors.size() == 1);
  CHECK(started(os).other_majors.front().path == "/usr/lib/libcudnn.so.9");
}

TEST_CASE("damaged libraries are told from the ones that are passed over") {
  fake_system os;
  os.files[os.program] = program({"libempty.so", "libtext.so", "libforeign.so", "libdenied.so"});
  os.files["/usr/lib/libempty.so"] = "";
  os.files["/usr/lib/libtext.so"] = "not a library at all";
  elf_builder foreign;
  foreign.machine = 183;
  os.files["/usr/lib/libforeign.so"] = foreign.build();
  os.files["/usr/lib/libdenied.so"] = library("libdenied.so");
  os.denied.insert("/usr/lib/libdenied.so");
  REQUIRE(started(os).libraries.size() == 4);
  CHECK(started(os).libraries[0].state == file_state::empty);
  CHECK(started(os).libraries[1].state == file_state::not_elf);
  CHECK(started(os).libraries[2].state == file_state::foreign);
  CHECK(started(os).libraries[3].state == file_state::unreadable);
  CHECK(objects_of_start(started(os)).empty());
}

TEST_CASE("functions of cuDNN that nothing exports") {
  fake_system os;
  os.files[os.program] = program({"libcudnn.so.9"}, "cudnnNew");
  os.files["/usr/lib/libcudnn.so.9"] = library("libcudnn.so.9", {}, "cudnnCreate");
  REQUIRE(started(os).missing_symbols.size() == 1);
  CHECK(started(os).missing_symbols[0].name == "cudnnNew");
  CHECK(started(os).missing_symbols[0].asked_by == os.program);
  CHECK_FALSE(started(os).missing_symbols[0].bind_now);
  os.variables["LD_BIND_NOW"] = "1";
  CHECK(started(os).missing_symbols[0].bind_now);
  SUBCASE("another library of the start brings it") {
    os.files[os.program] = program({"libcudnn.so.9", "libwrapper.so"}, "cudnnNew");
    os.files["/usr/lib/libwrapper.so"] = library("libwrapper.so", {}, "cudnnNew");
    CHECK(started(os).missing_symbols.empty());
  }
  SUBCASE("a cuDNN whose symbols cannot be read proves nothing") {
    os.files["/usr/lib/libcudnn.so.9"].resize(200);
    CHECK(started(os).missing_symbols.empty());
  }
  SUBCASE("a program that does not NEED cuDNN is not asked") {
    os.files[os.program] = program({"liba.so"}, "cudnnNew");
    os.files["/usr/lib/liba.so"] = library("liba.so", {"libcudnn.so.9"});
    CHECK(started(os).missing_symbols.empty());
  }
}

TEST_CASE("a program without a loader, or with another one, is not judged by these rules") {
  fake_system os;
  os.files[os.program] = program({});
  CHECK(told(os).empty());
  CHECK(started(os).known_loader == answer::no);
  const auto loader_of = [&](const char* interpreter, const char* needed) {
    elf_builder b;
    b.interpreter = interpreter;
    b.needed = {needed};
    os.files[os.program] = b.build();
    return started(os).known_loader;
  };
  CHECK(loader_of("/lib64/ld-linux-x86-64.so.2", "libc.so.6") == answer::yes);
  CHECK(loader_of("/lib/ld-musl-x86_64.so.1", "libc.so") == answer::unknown);
  CHECK(loader_of("/nix/store/abc-glibc-2.40/lib/ld-linux-x86-64.so.2", "libc.so.6") ==
        answer::unknown);
  // Libraries ask for none.
  CHECK(loader_of("", "libc.so.6") == answer::yes);
  CHECK(loader_of("", "libc.so") == answer::unknown);
  CHECK(loader_of("", "libc.musl-x86_64.so.1") == answer::unknown);
}

TEST_CASE("versions of symbols that are needed and not there") {
  fake_system os;
  elf_builder app;
  app.needed = {"libc.so.6", "libown.so.1", "libbare.so.1"};
  app.needed_versions = {{"libc.so.6", "GLIBC_2.34"},
                         {"libc.so.6", "GLIBC_2.99"},
                         {"libown.so.1", "OWN_1"},
                         {"libbare.so.1", "BARE_1"},
                         {"libgone.so.1", "GONE_1"}};
  os.files[os.program] = app.build();
  elf_builder c;
  c.soname = "libc.so.6";
  c.defined_versions = {"libc.so.6", "GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.36", "GLIBC_PRIVATE"};
  c.needed_versions = {{"libown.so.1", "OWN_2"}};
  os.files["/usr/lib/libc.so.6"] = c.build();
  elf_builder own;
  own.soname = "libown.so.1";
  own.defined_versions = {"libown.so.1", "OWN_1"};
  os.files["/usr/lib/libown.so.1"] = own.build();
  os.files["/usr/lib/libbare.so.1"] = library("libbare.so.1");
  std::string text;
  const program_start start = started(os);
  for (const auto& v : start.missing_versions) {
    text += v.name + " by " + v.asked_by + ", " + v.library + " has " + v.newest + "\n";
  }
  CHECK(text ==
        "GLIBC_2.99 by /opt/app/bin/app, /usr/lib/libc.so.6 has GLIBC_2.36\n"
        "OWN_2 by /usr/lib/libc.so.6, /usr/lib/libown.so.1 has OWN_1\n");
  // Every byte of it may lie; only survival is asked for.
  const std::string whole = c.build();
  for (std::size_t at = 64; at < whole.size(); ++at) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = value;
      os.files["/usr/lib/libc.so.6"] = damaged;
      read_versions(os, "/usr/lib/libc.so.6");
    }
  }
}

TEST_CASE("a loader that does not exist") {
  fake_system os;
  elf_builder b;
  b.interpreter = "/lib64/ld-linux-x86-64.so.2";
  b.needed = {"libc.so.6"};
  os.files[os.program] = b.build();
  CHECK(started(os).missing_interpreter == "/lib64/ld-linux-x86-64.so.2");
  os.files["/lib64/ld-linux-x86-64.so.2"] = library("ld-linux-x86-64.so.2");
  CHECK(started(os).missing_interpreter.empty());
  os.files[os.program] = program({"libc.so.6"});
  CHECK(started(os).missing_interpreter.empty());
}

TEST_CASE("LD_AUDIT: what the loader answers is not known") {
  fake_system os;
  os.files[os.program] = program({"libcudnn.so.9"});
  os.variables["LD_AUDIT"] = "";
  CHECK(started(os).known_loader == answer::yes);
  os.variables["LD_AUDIT"] = "/x/liba.so";
  CHECK(started(os).known_loader == answer::unknown);
  CHECK(loader(os).other_rules() == "LD_AUDIT=/x/liba.so");
  os.is_secure = true;
  CHECK(started(os).known_loader == answer::yes);
}

TEST_CASE("/etc/ld.so.preload, and a NEEDED entry with a token") {
  fake_system os;
  os.files[os.program] = program({"$ORIGIN/../lib/libfirst.so"});
  os.files["/etc/ld.so.preload"] = "/mine/libcudnn.so.9\n/absent.so\n";
  os.files["/mine/libcudnn.so.9"] = library("libcudnn.so.9");
  os.files["/opt/app/lib/libfirst.so"] = library("libfirst.so", {"libcudnn.so.9"});
  CHECK(told(os) ==
        "/mine/libcudnn.so.9=/mine/libcudnn.so.9 (/etc/ld.so.preload)\n"
        "/opt/app/bin/../lib/libfirst.so=/opt/app/bin/../lib/libfirst.so (its path)\n");
}
