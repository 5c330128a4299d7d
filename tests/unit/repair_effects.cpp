// SPDX-License-Identifier: BSD-3-Clause
//
// What each kind of repair does to a machine in memory.  Commands of pip and uv are compared with
// what they do in tests/fixes/test_effects.py.
#include <doctest/doctest.h>

#include "core/library/library_file.h"
#include "core/model/machine.h"
#include "fake_system.h"
#include "repair/repaired_system.h"

using namespace cudnn_checked;

namespace {

repair repair_of(repair_kind what, const std::string& name, const std::string& value = "") {
  repair step;
  step.what = what;
  step.name = name;
  step.value = value;
  return step;
}

/// "state, first digits of the id, target": of a library.
std::string library_at(const system_interface& os, const std::string& path) {
  const library_file file = read_library(os, path, own_machine);
  if (file.state != file_state::whole) return "not whole";
  const std::string id = file.build_id;
  return std::string(file.soname) + " " + id.substr(0, 10) + " " + std::string(os.real_path(path));
}

const std::string lib = "/usr/lib/x86_64-linux-gnu";
const std::string dpkg = "/var/lib/dpkg/info/";

}  // namespace

TEST_CASE("variables, files and links of a repair") {
  test::fake_system os;
  os.variables["LD_LIBRARY_PATH"] = "/old";
  os.files["/opt/stray/libcudnn.so.9"] = "x";
  os.files["/opt/a.so.1"] = "a";
  repairs::repaired_system view(os);
  CHECK(view.apply(repair_of(repair_kind::variable, "LD_LIBRARY_PATH", "/new:/old")));
  CHECK(view.apply(repair_of(repair_kind::removal, "/opt/stray")));
  CHECK(view.apply(repair_of(repair_kind::link, "/opt/a.so", "/opt/a.so.1")));
  arena_string value;
  CHECK(view.variable("LD_LIBRARY_PATH", value));
  CHECK(value == "/new:/old");
  CHECK(view.real_path("/opt/stray/libcudnn.so.9") == "");
  CHECK(view.real_path("/opt/a.so") == "/opt/a.so.1");
  CHECK(view.apply(repair_of(repair_kind::variable, "LD_LIBRARY_PATH")));
  CHECK_FALSE(view.variable("LD_LIBRARY_PATH", value));
  // The machine is as it was.
  CHECK(os.variables["LD_LIBRARY_PATH"] == "/old");
  CHECK(os.files.count("/opt/stray/libcudnn.so.9") == 1);
}

TEST_CASE("what is not known before it is typed") {
  test::fake_system os;
  repairs::repaired_system view(os);
  CHECK_FALSE(view.apply(repair_of(repair_kind::debian, "libcudnn9-cuda-13")));
  // Whichever Python is active.
  repair active;
  active.what = repair_kind::wheels;
  active.order.requirements = {"nvidia-cudnn-cu13==9.14.0.*"};
  CHECK_FALSE(view.apply(active));
  CHECK_FALSE(view.apply(repair_of(repair_kind::package, dpkg + "none.list", "9.14.0.64-1")));
  os.files[dpkg + "zlib1g.list"] = "/usr/lib/libz.so.1\n";
  CHECK_FALSE(view.apply(repair_of(repair_kind::package, dpkg + "zlib1g.list", "1.3")));
  CHECK_FALSE(view.has_changes());
}

TEST_CASE("a wheel whose metadata has no RECORD can only be written over") {
  test::fake_system os;
  const std::string info = "/v/lib/python3.12/site-packages/nvidia_cudnn_cu13-9.14.0.64.dist-info/";
  os.files[info + "METADATA"] = "Name: nvidia-cudnn-cu13\nVersion: 9.14.0.64\n";
  repair again;
  again.what = repair_kind::wheels;
  again.where.site = "/v/lib/python3.12/site-packages";
  again.order.requirements = {"nvidia-cudnn-cu13==9.14.0.64"};
  again.order.again = true;
  repairs::repaired_system removing(os);
  CHECK_FALSE(removing.apply(again));
  again.order.unrecorded = true;
  repairs::repaired_system over(os);
  CHECK(over.apply(again));
  CHECK(over.real_path(info + "RECORD") != "");
}

TEST_CASE("a package of dpkg again: files with the whole number, and links to them") {
  test::fake_system os;
  os.files[dpkg + "libcudnn9-cuda-13:amd64.list"] =
      "/.\n" + lib + "/libcudnn.so.9\n" + lib + "/libcudnn.so.9.14.0\n" + lib +
      "/libcudnn_graph.so.9\n" + lib + "/libcudnn_graph.so.9.14.0\n/usr/share/doc/x\n";
  os.files[lib + "/libcudnn.so.9.14.0"] = "damaged";
  repairs::repaired_system view(os);
  CHECK(view.apply(
      repair_of(repair_kind::package, dpkg + "libcudnn9-cuda-13:amd64.list", "9.14.0.64-1")));
  for (const std::string stem : {"libcudnn.so.9", "libcudnn_graph.so.9"}) {
    const std::string id = stem == "libcudnn.so.9" ? "c278eb8abf" : "14838e3bbe";
    CHECK(library_at(view, lib + "/" + stem) == stem + " " + id + " " + lib + "/" + stem + ".14.0");
  }
  CHECK(read_library(view, lib + "/libcudnn_graph.so.9", own_machine).runpath == "$ORIGIN");
}

TEST_CASE("the CUDA of a package: of its name, its number, or what it depends on") {
  const struct {
    const char* record;
    std::string text;
    const char* number;
    const char* library;
    const char* expected;
  } rows[] = {
      {"/var/lib/dpkg/info/libcudnn8.list", "/usr/lib/libcudnn.so.8\n", "8.9.7.29-1+cuda12.2",
       "/usr/lib/libcudnn.so.8", "libcudnn.so.8 7e3e3ea408 /usr/lib/libcudnn.so.8"},
      {"/c/conda-meta/libcudnn-9.14.0.64-h7d33bf5_0.json",
       R"({"depends":["cuda-nvrtc","cuda-version >=13,<14.0a0"],"files":["lib/libcudnn.so.9"]})",
       "9.14.0.64", "/c/lib/libcudnn.so.9", "libcudnn.so.9 c278eb8abf /c/lib/libcudnn.so.9"},
      // Not known: no id, rather than those of two CUDAs in one set.
      {"/c/conda-meta/cudnn-9.14.0.64-0.json", R"({"files":["lib/libcudnn.so.9"]})", "9.14.0.64",
       "/c/lib/libcudnn.so.9", "libcudnn.so.9  /c/lib/libcudnn.so.9"},
  };
  for (const auto& row : rows) {
    INFO(std::string(row.record));
    test::fake_system os;
    os.files[row.record] = row.text;
    repairs::repaired_system view(os);
    CHECK(view.apply(repair_of(repair_kind::package, row.record, row.number)));
    CHECK(library_at(view, row.library) == std::string(row.expected));
  }
}

TEST_CASE("ldconfig writes what the directories of its configuration have") {
  test::fake_system os;
  os.files["/etc/ld.so.conf"] = "# libraries\ninclude /etc/ld.so.conf.d/*.conf\n\r\n  /opt/b # b\n";
  os.files["/etc/ld.so.conf.d/a.conf"] = "/opt/a\n";
  os.files["/etc/ld.so.conf.d/a.conf.old"] = "/opt/old\n";
  os.files["/opt/a/liba.so.1"] = "";
  os.files["/opt/b/liba.so.1"] = "";
  os.files["/opt/b/libb.so.1"] = "";
  os.files["/opt/old/libold.so.1"] = "";
  os.files["/usr/lib/libc.so.6"] = "";
  os.cache = {{"libb.so.1", "/gone/libb.so.1"},
              {"libgone.so.1", "/gone/libgone.so.1"},
              {"libc.so.6", "/usr/lib/libc.so.6"}};
  os.files["/etc/ld.so.cache"] = std::string("n\0/opt/b/libb.so.1\0/gone/libgone.so.1\0", 39);
  repairs::repaired_system view(os);
  CHECK(view.loader_cache("libb.so.1") == "/gone/libb.so.1");
  CHECK(view.apply(repair_of(repair_kind::removal, "/etc/ld.so.conf.d/none.conf")));
  CHECK(view.loader_cache("libb.so.1") == "/gone/libb.so.1");
  CHECK(view.apply(repair_of(repair_kind::cache, "")));
  CHECK(view.loader_cache("liba.so.1") == "/opt/a/liba.so.1");
  CHECK(view.loader_cache("libb.so.1") == "/opt/b/libb.so.1");
  CHECK(view.loader_cache("libgone.so.1") == "");
  CHECK(view.loader_cache("libold.so.1") == "");
  CHECK(view.loader_cache("libc.so.6") == "/usr/lib/libc.so.6");
  // What lists the directories of the cache sees what is still there.
  arena_string text;
  CHECK(view.read_text("/etc/ld.so.cache", text));
  CHECK(std::string(text) == std::string("n\0/opt/b/libb.so.1\0\0gone/libgone.so.1\0", 39));
  // An entry of the configuration goes, and the cache follows when it is written.
  CHECK(view.apply(repair_of(repair_kind::removal, "/etc/ld.so.conf.d/a.conf")));
  CHECK(view.loader_cache("liba.so.1") == "/opt/a/liba.so.1");
  CHECK(view.apply(repair_of(repair_kind::cache, "")));
  CHECK(view.loader_cache("liba.so.1") == "/opt/b/liba.so.1");
}

TEST_CASE("an include is relative to the folder of its file") {
  for (const char* text : {"include ld.so.conf.d/*.conf\n", "include\tld.so.conf.d/*.conf\n"}) {
    test::fake_system os;
    os.files["/etc/ld.so.conf"] = text;
    os.files["/etc/ld.so.conf.d/a.conf"] = "/opt/a\n";
    os.files["/opt/a/liba.so.1"] = "";
    repairs::repaired_system view(os);
    CHECK(view.apply(repair_of(repair_kind::cache, "")));
    CHECK(view.loader_cache("liba.so.1") == "/opt/a/liba.so.1");
  }
}

TEST_CASE("a configuration that includes itself, or nothing") {
  for (const char* text : {"include /etc/ld.so.conf\n", "include /etc/*.conf\n", "include\n",
                           "include relative.conf\n", ""}) {
    test::fake_system os;
    os.files["/etc/ld.so.conf"] = text;
    os.cache["liba.so.1"] = "/opt/liba.so.1";
    os.files["/opt/liba.so.1"] = "";
    repairs::repaired_system view(os);
    CHECK(view.apply(repair_of(repair_kind::cache, "")));
    CHECK(view.loader_cache("liba.so.1") == "/opt/liba.so.1");
  }
}
