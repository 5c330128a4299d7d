// SPDX-License-Identifier: BSD-3-Clause
//
// What ld.so(8) leaves open, as glibc 2.36 does it; the same is asked of the real loader in
// tests/real/test_predicted_dlopen.py.
#include <doctest/doctest.h>

#include "loader_machine.h"

using namespace cudnn_checked;

namespace loader_machine {

TEST_CASE("nodefaultlib leaves out the default directories, and what the cache has in them") {
  fake_system os = full_machine();
  os.variables.clear();
  elf_builder b;
  b.soname = "libcudnn.so.9";
  b.no_default_directories = true;
  os.files["/venv/libcudnn.so.9"] = b.build();
  CHECK(find(os).path == "/cached/libcudnn_ops.so.9");
  for (const char* path :
       {"/usr/lib/libcudnn_ops.so.9", "/usr/lib/x86_64-linux-gnu/a/libcudnn_ops.so.9",
        "/lib/x86_64-linux-gnu/libcudnn_ops.so.9"}) {
    CAPTURE(path);
    os.files[path] = library();
    os.cache[name] = path;
    CHECK(find(os).state == file_state::missing);
  }
  os.cache.erase(name);
  CHECK(find(os).state == file_state::missing);
  std::string places;
  for (const auto& place : loader(os).places(name, shim_asks, loader::view::as_is)) {
    places += place.directory + " ";
  }
  CHECK(places == "ld.so.cache ");
}

// glibc, elf/dl-load.c, _dl_dst_substitute and fillin_rpath.
TEST_CASE("in secure execution $ORIGIN is distrusted in the program's own RPATH only") {
  fake_system os = full_machine();
  os.is_secure = true;
  CHECK(find(os).path == "/venv/libcudnn_ops.so.9");
  os.files["/srv/user/lib/libcudnn_ops.so.9"] = library();
  os.files["/srv/user/libcudnn_ops.so.9"] = library();
  const auto by_library = [&os](const char* entries) {
    os.files["/venv/libcudnn.so.9"] = library("", entries);
    const loader_hit by_runpath = find(os);
    os.files["/venv/libcudnn.so.9"] = library(entries);
    CHECK(find(os).path == by_runpath.path);
    return std::string(by_runpath.path);
  };
  CHECK(by_library("${ORIGIN}/../second") == "/venv/../second/libcudnn_ops.so.9");
  CHECK(by_library("lib") == "/srv/user/lib/libcudnn_ops.so.9");
  CHECK(by_library("/none:") == "/srv/user/libcudnn_ops.so.9");
  // It stands at the beginning, alone.
  for (const char* entry :
       {"/$ORIGIN/../venv", "x$ORIGIN", "$ORIGIN$LIB/../../venv", "$ORIGIN/$ORIGIN/../venv"}) {
    CAPTURE(entry);
    CHECK(by_library(entry) == "/cached/libcudnn_ops.so.9");
  }
  CHECK(by_library("$ORIGIN/none:/second") == "/second/libcudnn_ops.so.9");

  os.files["/opt/app/lib/libcudnn_ops.so.9"] = library();
  const auto by_program = [&os](const char* entries) {
    os.files[os.program] = library("", entries);
    return std::string(find(os, {}).path);
  };
  CHECK(by_program("$ORIGIN/../lib") == "/cached/libcudnn_ops.so.9");
  CHECK(by_program("$ORIGIN/../lib:/second") == "/second/libcudnn_ops.so.9");
  CHECK(by_program("/opt/app/lib") == "/opt/app/lib/libcudnn_ops.so.9");
  // A default directory cannot be moved.
  CHECK(by_program("$ORIGIN/.././../../usr//lib") ==
        "/opt/app/bin/.././../../usr//lib/libcudnn_ops.so.9");
  os.files["/usr/library/libcudnn_ops.so.9"] = library();
  CHECK(by_program("$ORIGIN/../../../usr/library") == "/cached/libcudnn_ops.so.9");
  // Nor does a variable that is tried count.
  CHECK(loader(os, "LD_LIBRARY_PATH", "/x").ld_library_path().empty());
  os.is_secure = false;
  os.variables.clear();
  CHECK(by_program("$ORIGIN/../lib") == "/opt/app/bin/../lib/libcudnn_ops.so.9");
  CHECK(loader(os, "LD_LIBRARY_PATH", "/x").ld_library_path() == "/x");
}

// glibc, elf/dl-load.c, open_path: seen with a file, and with a directory, that is such a link.
TEST_CASE("links that go in a circle end the list in which they are found") {
  fake_system os = full_machine();
  os.files.erase("/first/libcudnn_ops.so.9");
  os.links["/first/libcudnn_ops.so.9"] = "libcudnn_ops.so.9";
  CHECK(find(os).path == "/venv/libcudnn_ops.so.9");
  CHECK(find(os).near_miss.path == "/first/libcudnn_ops.so.9");
  CHECK(describe_reason(find(os).near_miss) == "a broken symbolic link");
  os.files["/venv/libcudnn.so.9"] = library("", "/first:/venv");
  CHECK(find(os).path == "/cached/libcudnn_ops.so.9");
  // A directory for this CPU is not the last that is looked into.
  os.hwcaps = {"tls"};
  os.links["/first/tls/libcudnn_ops.so.9"] = "libcudnn_ops.so.9";
  os.files["/first/tls/other"] = "";
  os.links.erase("/first/libcudnn_ops.so.9");
  CHECK(find(os).path == "/second/libcudnn_ops.so.9");
  os.links = {{"/loop", "loop"}};
  os.variables["LD_LIBRARY_PATH"] = "/loop:/second";
  CHECK(why(os) == "LD_LIBRARY_PATH[1]");
}

TEST_CASE("tokens in a NEEDED entry are those of the file that has it") {
  fake_system os;
  elf_builder b;
  b.soname = "libcudnn.so.9";
  b.needed = {"$ORIGIN/../deps/libcudnn_ops.so.9", "libz.so.1", "${LIB}/x.so"};
  os.files["/venv/libcudnn.so.9"] = b.build();
  loader search(os);
  CHECK(search.file("/venv/libcudnn.so.9").needed ==
        std::vector<std::string>{"/venv/../deps/libcudnn_ops.so.9", "libz.so.1",
                                 "lib/x86_64-linux-gnu/x.so"});
}

TEST_CASE("what is preloaded") {
  fake_system os;
  os.variables["LD_PRELOAD"] = "$ORIGIN/../lib/a.so:$LIB.so  b.so";
  os.files["/etc/ld.so.preload"] = "# /no.so\n/c.so\td.so:$ORIGIN/e.so # /f.so\n\ng.so";
  const auto listed = [&os] {
    std::string text;
    for (const preload& p : loader(os).preloads()) {
      text += p.name + " " + to_string(choice(p.chosen_by)) + "\n";
    }
    return text;
  };
  CHECK(listed() ==
        "/opt/app/bin/../lib/a.so LD_PRELOAD\n$LIB.so LD_PRELOAD\nb.so LD_PRELOAD\n"
        "/c.so /etc/ld.so.preload\nd.so /etc/ld.so.preload\n"
        "/opt/app/bin/e.so /etc/ld.so.preload\ng.so /etc/ld.so.preload\n");
  os.is_secure = true;
  CHECK(starts_with(listed(), "/c.so /etc/ld.so.preload\n"));
}

}  // namespace loader_machine
