// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "loader_machine.h"

namespace loader_machine {

TEST_CASE("the order of ld.so") {
  fake_system os = full_machine();
  CHECK(taken(os) == "/first/libcudnn_ops.so.9 by LD_LIBRARY_PATH[0]");
  CHECK(!find(os).mapped);

  os.files.erase("/first/libcudnn_ops.so.9");
  CHECK(why(os) == "LD_LIBRARY_PATH[1]");

  os.variables.erase("LD_LIBRARY_PATH");
  CHECK(taken(os) == "/venv/libcudnn_ops.so.9 by RUNPATH of /venv/libcudnn.so.9");

  os.files.erase("/venv/libcudnn_ops.so.9");
  CHECK(taken(os) == "/cached/libcudnn_ops.so.9 by ld.so.cache");

  os.files.erase("/cached/libcudnn_ops.so.9");  // a stale cache
  CHECK(taken(os) == "/usr/lib/libcudnn_ops.so.9 by default path");

  os.files.erase("/usr/lib/libcudnn_ops.so.9");
  CHECK(taken(os) == "nothing");
  CHECK(find(os).state == file_state::missing);
  CHECK(find(os).path.empty());
}

TEST_CASE("RPATH comes before LD_LIBRARY_PATH, but not where there is a RUNPATH") {
  fake_system os = full_machine();
  os.files["/venv/libcudnn.so.9"] = library("/rpath");
  CHECK(taken(os) == "/rpath/libcudnn_ops.so.9 by RPATH of /venv/libcudnn.so.9");

  os.files["/venv/libcudnn.so.9"] = library("/rpath", "/nowhere");
  CHECK(why(os) == "LD_LIBRARY_PATH[0]");
}

TEST_CASE("the RPATH of those who asked for the asker counts too") {
  fake_system os = full_machine();
  os.files["/venv/libcudnn.so.9"] = library();
  os.files[os.program] = library("/rpath");
  CHECK(why(os) == "RPATH of /opt/app/bin/app");

  // graph has neither, the shim has one.
  os.files[os.program] = library();
  os.files["/venv/libcudnn_graph.so.9"] = library();
  os.files["/venv/libcudnn.so.9"] = library("/rpath");
  CHECK(why(os, {"/venv/libcudnn_graph.so.9", "/venv/libcudnn.so.9"}) ==
        "RPATH of /venv/libcudnn.so.9");

  // A RUNPATH of the asker switches all of them off; one of the others only its own RPATH.
  os.files["/venv/libcudnn_graph.so.9"] = library("", "/nowhere");
  CHECK(why(os, {"/venv/libcudnn_graph.so.9", "/venv/libcudnn.so.9"}) == "LD_LIBRARY_PATH[0]");
  os.files["/venv/libcudnn_graph.so.9"] = library();
  os.files["/venv/libcudnn.so.9"] = library("/rpath", "/nowhere");
  CHECK(why(os, {"/venv/libcudnn_graph.so.9", "/venv/libcudnn.so.9"}) == "LD_LIBRARY_PATH[0]");
}

TEST_CASE("the RUNPATH of others does not count") {
  fake_system os = full_machine();
  os.variables.clear();
  os.files["/venv/libcudnn.so.9"] = library();
  os.files[os.program] = library("", "/first");
  CHECK(why(os) == "ld.so.cache");
  // The program's own question.
  CHECK(why(os, {}) == "RUNPATH of /opt/app/bin/app");
}

TEST_CASE("LD_LIBRARY_PATH: separators, empty entries, relative ones, $ORIGIN") {
  fake_system os = full_machine();
  os.variables["LD_LIBRARY_PATH"] = "/none;/second";
  CHECK(why(os) == "LD_LIBRARY_PATH[1]");

  os.files["/srv/user/libcudnn_ops.so.9"] = library();
  os.variables["LD_LIBRARY_PATH"] = "/none::/second";
  CHECK(taken(os) == "/srv/user/libcudnn_ops.so.9 by LD_LIBRARY_PATH[1]");

  os.files["/srv/user/lib/libcudnn_ops.so.9"] = library();
  os.variables["LD_LIBRARY_PATH"] = "lib/";
  CHECK(find(os).path == "/srv/user/lib/libcudnn_ops.so.9");

  os.files["/opt/app/lib/libcudnn_ops.so.9"] = library();
  os.variables["LD_LIBRARY_PATH"] = "/none:${ORIGIN}/../lib";
  CHECK(taken(os) == "/opt/app/bin/../lib/libcudnn_ops.so.9 by LD_LIBRARY_PATH[1]");
  os.variables["LD_LIBRARY_PATH"] = "$ORIGIN/../lib";
  CHECK(why(os) == "LD_LIBRARY_PATH[0]");
  os.files.erase("/srv/user/lib/libcudnn_ops.so.9");
  os.variables["LD_LIBRARY_PATH"] = "$ORIGINAL/../lib";
  CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");

  // Set and empty is as good as not set: the working directory is not searched.
  os.variables["LD_LIBRARY_PATH"] = "";
  CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");
}

TEST_CASE("without LD_LIBRARY_PATH, and with nothing mapped") {
  fake_system os = full_machine();
  os.mapped = {{"/first/libcudnn_ops.so.9", name, ""}};
  CHECK(taken(os) == "/first/libcudnn_ops.so.9 by already loaded");
  CHECK(find(os).mapped);
  CHECK(why(os, shim_asks, loader::view::afresh) == "LD_LIBRARY_PATH[0]");
  CHECK(why(os, shim_asks, loader::view::without_ld_library_path) ==
        "RUNPATH of /venv/libcudnn.so.9");
}

TEST_CASE("$LIB and $PLATFORM are those of the machine's own directories") {
  fake_system os = full_machine();
  os.files["/x/lib/x86_64-linux-gnu/libcudnn_ops.so.9"] = library();
  os.files["/x/lib64/libcudnn_ops.so.9"] = library();
  os.files["/x/x86_64/libcudnn_ops.so.9"] = library();
  for (const char* entry : {"/x/$LIB", "/x/${LIB}/"}) {
    os.variables["LD_LIBRARY_PATH"] = entry;
    os.defaults = {"/lib/x86_64-linux-gnu", "/usr/lib"};
    CHECK(find(os).path == "/x/lib/x86_64-linux-gnu/libcudnn_ops.so.9");
    os.defaults = {"/lib64", "/usr/lib64"};
    CHECK(find(os).path == "/x/lib64/libcudnn_ops.so.9");
  }
  os.variables["LD_LIBRARY_PATH"] = "/x/$PLATFORM";
  CHECK(find(os).path == "/x/x86_64/libcudnn_ops.so.9");
  os.platform = "haswell";
  CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");
  os.files["/x/haswell/libcudnn_ops.so.9"] = library();
  CHECK(find(os).path == "/x/haswell/libcudnn_ops.so.9");
  for (const char* entry : {"/x/$LIBRARY", "/x/${LIB", "/x/$", "/x/$PLATFORMS"}) {
    os.variables["LD_LIBRARY_PATH"] = entry;
    CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");
  }
}

TEST_CASE("$PLATFORM of a CPU that is not known") {
  fake_system os = full_machine();
  os.platform.clear();
  const auto other_rules = [&os](const char* entry) {
    os.variables["LD_LIBRARY_PATH"] = entry;
    loader search(os);
    CHECK(search.other_rules().empty());
    (void)search.find(name, {}, loader::view::as_is);
    return std::string(search.other_rules());
  };
  // None of its words leads to a directory, or all of them to the same.
  CHECK(other_rules("/x/$PLATFORM").empty());
  CHECK(other_rules("/first/$PLATFORMS:/first").empty());
  for (const char* word : {"x86_64", "haswell", "xeon_phi"}) {
    os.files = full_machine().files;
    os.files[std::string("/x/") + word + "/libcudnn_ops.so.9"] = library();
    CHECK(other_rules("/first:/x/${PLATFORM}") ==
          "$PLATFORM in /x/${PLATFORM}: the CPU that will run it decides");
  }
  os.platform = "x86_64";
  CHECK(other_rules("/x/$PLATFORM").empty());
}

TEST_CASE("directories for this CPU come before the one that they are in") {
  fake_system os = full_machine();
  os.files["/first/glibc-hwcaps/x86-64-v2/libcudnn_ops.so.9"] = library();
  os.files["/first/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9"] = library();
  os.files["/first/glibc-hwcaps/x86-64-v4/libcudnn_ops.so.9"] = library();
  CHECK(find(os).path == "/first/libcudnn_ops.so.9");
  os.hwcaps = {"glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"};
  CHECK(find(os).path == "/first/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9");
  CHECK(why(os) == "LD_LIBRARY_PATH[0]");
  os.files.erase("/first/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9");
  CHECK(find(os).path == "/first/glibc-hwcaps/x86-64-v2/libcudnn_ops.so.9");
  os.files["/venv/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9"] = library();
  os.variables.clear();
  CHECK(find(os).path == "/venv/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9");
  // Those of glibc before 2.37.
  os.hwcaps = {"glibc-hwcaps/x86-64-v4", "tls/x86_64", "tls", "x86_64"};
  CHECK(find(os).path == "/venv/libcudnn_ops.so.9");
  for (const char* directory : {"x86_64", "tls", "tls/x86_64"}) {
    const std::string path = std::string("/venv/") + directory + "/libcudnn_ops.so.9";
    os.files[path] = library();
    CHECK(find(os).path == path);
  }
  // A directory that may not be listed still serves files.
  os.denied.insert("/venv");
  CHECK(find(os).path == "/venv/tls/x86_64/libcudnn_ops.so.9");
}

TEST_CASE("directories that are slow to list are not listed to the end") {
  fake_system os = full_machine();
  os.list_milliseconds = 220;
  os.files.erase("/first/libcudnn_ops.so.9");
  os.files.erase("/second/libcudnn_ops.so.9");
  os.variables["LD_LIBRARY_PATH"] = "/first:/second:/third:/fourth:/fifth";
  os.files["/fifth/libcudnn_ops.so.9"] = library();
  CHECK(find(os).path == "/fifth/libcudnn_ops.so.9");
  int listed = 0;
  for (const auto& entry : os.times_listed) listed += entry.second;
  CHECK(listed == 1);
}

TEST_CASE("a name that leads to no file is told, whether another is found or not") {
  fake_system os = full_machine();
  os.variables["LD_LIBRARY_PATH"] = "/links";
  os.links["/links/libcudnn_ops.so.9"] = "libcudnn_ops.so.9.14.0";
  CHECK(find(os).near_miss.path == "/links/libcudnn_ops.so.9");
  CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");
  for (const char* path :
       {"/venv/libcudnn_ops.so.9", "/cached/libcudnn_ops.so.9", "/usr/lib/libcudnn_ops.so.9"}) {
    os.files.erase(path);
  }
  loader_hit hit = find(os);
  CHECK(hit.state == file_state::missing);
  CHECK(hit.near_miss.path == "/links/libcudnn_ops.so.9");
  CHECK(describe_reason(hit.near_miss) == "a broken symbolic link");
  os.links.clear();
  hit = find(os);
  CHECK(hit.near_miss.path == "/cached/libcudnn_ops.so.9");
  CHECK(describe_reason(hit.near_miss) == "listed in ld.so.cache, but it does not exist");
}

TEST_CASE("files of other machines, and those that may not be read, are passed over") {
  fake_system os = full_machine();
  elf_builder foreign;
  foreign.soname = name;
  foreign.machine = 183;
  os.files["/first/libcudnn_ops.so.9"] = foreign.build();
  CHECK(why(os) == "LD_LIBRARY_PATH[1]");
  os.denied.insert("/second/libcudnn_ops.so.9");
  CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");

  // Where nothing else is found they are told.
  for (const char* path :
       {"/venv/libcudnn_ops.so.9", "/cached/libcudnn_ops.so.9", "/usr/lib/libcudnn_ops.so.9"}) {
    os.files.erase(path);
  }
  loader_hit hit = find(os);
  CHECK(hit.state == file_state::foreign);
  CHECK(hit.path == "/first/libcudnn_ops.so.9");
  CHECK(!hit.taken());
  os.files.erase("/first/libcudnn_ops.so.9");
  hit = find(os);
  CHECK(hit.state == file_state::unreadable);
  CHECK(hit.path == "/second/libcudnn_ops.so.9");
  // A directory that may not be entered: nothing shows that it has others for this CPU.
  os.hwcaps = {"glibc-hwcaps/x86-64-v3"};
  os.denied = {"/second", "/second/libcudnn_ops.so.9",
               "/second/glibc-hwcaps/x86-64-v3/libcudnn_ops.so.9"};
  CHECK(find(os).path == "/second/libcudnn_ops.so.9");
}

TEST_CASE("a file that is no library ends the search with an error") {
  fake_system os = full_machine();
  os.files["/first/libcudnn_ops.so.9"] = "";
  loader_hit hit = find(os);
  CHECK(hit.state == file_state::empty);
  CHECK(!hit.taken());
  CHECK(hit.path == "/first/libcudnn_ops.so.9");
  elf_builder big_endian;
  big_endian.byte_order = 2;
  os.files["/first/libcudnn_ops.so.9"] = big_endian.build();
  CHECK(find(os).state == file_state::refused);
  CHECK(!find(os).taken());
  os.files["/first/libcudnn_ops.so.9"] = "INPUT(-lcudnn_ops)";
  CHECK(find(os).state == file_state::not_elf);
  // A cut one is taken: the loader does not see it.
  os.files["/first/libcudnn_ops.so.9"] = library().substr(0, 300);
  hit = find(os);
  CHECK(hit.state == file_state::truncated);
  CHECK(hit.taken());
}

TEST_CASE("an asker that was cut looks beside itself") {
  fake_system os = full_machine();
  os.variables.clear();
  os.files["/venv/libcudnn.so.9"] = library("", "/nowhere").substr(0, 200);
  CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");
  // That is cuDNN's habit, nobody else's.
  os.files["/venv/libother.so.1"] = library("", "/nowhere").substr(0, 200);
  CHECK(why(os, {"/venv/libother.so.1"}) == "ld.so.cache");
}

TEST_CASE("g++'s ASan and TSan: what a library loads itself is not found by its own run paths") {
  for (const char* runtime : {"libasan.so.8", "libtsan.so.2"}) {
    fake_system os = full_machine();
    os.variables.clear();
    os.mapped = {{std::string("/usr/lib/") + runtime, runtime, ""}};
    CHECK(why(os) == "ld.so.cache");
    os.files["/venv/libcudnn.so.9"] = library("/rpath");
    CHECK(why(os) == "ld.so.cache");
    // The runtime asks, and it was loaded for the program, whose RPATH goes for all.
    os.files["/venv/libcudnn.so.9"] = library("", "$ORIGIN");
    os.files[os.program] = library("/rpath");
    CHECK(why(os) == "RPATH of /opt/app/bin/app");
    os.files[os.program] = library("", "/second");
    CHECK(why(os) == "ld.so.cache");
    // What the program and the libraries NEED the loader finds by itself.
    CHECK(why(os, {}) == "RUNPATH of /opt/app/bin/app");
    elf_builder b;
    b.soname = "libcudnn.so.9";
    b.runpath = "$ORIGIN";
    b.needed = {"libc.so.6", name};
    os.files["/venv/libcudnn.so.9"] = b.build();
    CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");
  }
  // UBSan's runtime leaves dlopen alone.
  fake_system os = full_machine();
  os.variables.clear();
  os.mapped = {{"/usr/lib/libubsan.so.1", "libubsan.so.1", ""}};
  CHECK(why(os) == "RUNPATH of /venv/libcudnn.so.9");
}

TEST_CASE("each file is read once and each directory listed once") {
  const fake_system os = full_machine();
  loader search(os);
  for (int i = 0; i < 3; ++i) {
    search.find(name, shim_asks, loader::view::as_is);
    search.find("libcudnn_cnn.so.9", shim_asks, loader::view::as_is);
    search.find(name, shim_asks, loader::view::without_ld_library_path);
  }
  for (const auto& entry : os.times_listed) CHECK(entry.second == 1);
  for (const auto& entry : os.times_opened) {
    CAPTURE(entry.first);
    CHECK(entry.second == 1);
  }
}

}  // namespace loader_machine
