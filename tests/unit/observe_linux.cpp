// SPDX-License-Identifier: BSD-3-Clause
//
// The real system, as far as a test can know it.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/library/library_file.h"
#include "core/linux/linux_system.h"
#include "core/model/machine.h"
#include "elf_builder.h"

using namespace cudnn_checked;

namespace {

// A folder of its own that goes with the object.
class scratch {
 public:
  scratch() {
    char name[] = "/tmp/cudnn_checked_unit_XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~scratch() {
    for (const arena_string& name : names_) ::unlink((path_ + "/" + name).c_str());
    ::rmdir(path_.c_str());
  }
  const arena_string& path() const { return path_; }
  arena_string add(const arena_string& name) {
    names_.push_back(name);
    return path_ + "/" + name;
  }

 private:
  arena_string path_;
  arena_vector<arena_string> names_;
};

}  // namespace

TEST_CASE("the environment is the one that was given") {
  char first[] = "LD_LIBRARY_PATH=/a:/b";
  char second[] = "LD_LIBRARY_PATH_2=/c";
  char third[] = "EMPTY=";
  char* environment[] = {second, first, third, nullptr};
  arena_string value = "before";
  const linux_system os(environment, execution_mode::ordinary, "/none");
  CHECK(os.variable("LD_LIBRARY_PATH", value));
  CHECK(value == "/a:/b");
  CHECK(os.variable("EMPTY", value));
  CHECK(value.empty());
  CHECK(!os.variable("LD_LIBRARY", value));
  CHECK(!os.secure());
  CHECK(linux_system(environment, execution_mode::secure, "/none").secure());
  CHECK(!linux_system(environment, execution_mode::secure, "/none")
             .variable("LD_LIBRARY_PATH", value));
  CHECK(
      !linux_system(nullptr, execution_mode::ordinary, "/none").variable("LD_LIBRARY_PATH", value));
}

TEST_CASE("what the loader obeys is of the time of start-up") {
  scratch folder;
  const arena_string initial = folder.add("environ");
  const auto start = [&initial](const arena_string& text) {
    std::ofstream(initial, std::ios::trunc | std::ios::binary) << text;
  };
  char path[] = "LD_LIBRARY_PATH=/late";
  char preload[] = "LD_PRELOAD=/late.so";
  char devices[] = "CUDA_VISIBLE_DEVICES=1";
  char* environment[] = {path, preload, devices, nullptr};
  const auto read = [&](const char* name, execution_mode mode = execution_mode::ordinary) {
    arena_string value;
    const linux_system os(environment, mode, initial.c_str());
    const bool first = os.variable(name, value);
    CHECK(os.variable(name, value) == first);
    return first ? value : arena_string("unset");
  };
  using namespace std::string_literals;
  start("A=1\0LD_LIBRARY_PATH=/early:/b\0CUDA_VISIBLE_DEVICES=0\0LD_PRELOAD=\0"s);
  CHECK(read("LD_LIBRARY_PATH") == "/early:/b");
  CHECK(read("LD_PRELOAD").empty());
  CHECK(read("CUDA_VISIBLE_DEVICES") == "1");
  CHECK(read("LD_LIBRARY_PATH", execution_mode::secure) == "unset");
  // Of several the last: glibc, elf/rtld.c, process_envvars.
  start("LD_LIBRARY_PATH=/a\0LD_LIBRARY_PATH=/b\0"s);
  CHECK(read("LD_LIBRARY_PATH") == "/b");
  start("A=1\0"s);
  CHECK(read("LD_LIBRARY_PATH") == "unset");
  CHECK(read("LD_PRELOAD") == "unset");
  start("");
  CHECK(read("LD_LIBRARY_PATH") == "unset");
  // The process has written its title over it.
  start("server: idle\0\0\0\0"s);
  CHECK(read("LD_LIBRARY_PATH") == "/late");
  start("A=1\0LD_LIBRARY_PATH=/early\0   \0"s);
  CHECK(read("LD_LIBRARY_PATH") == "/late");
}

TEST_CASE("the file that is mapped at an address") {
  const arena_string maps =
      "7f00-7f10 r--p 00000000 fe:00 12   /usr/lib/ld.so\n"
      "7f10-7f20 r-xp 00000010 fe:00 13   /opt/app/bin/app\n"
      "7f20-7f30 rw-p 00000000 00:00 0 \n";
  CHECK(path_in_maps(maps, 0x7f0f) == "/usr/lib/ld.so");
  CHECK(path_in_maps(maps, 0x7f10) == "/opt/app/bin/app");
  CHECK(path_in_maps(maps, 0x7f25).empty());
  CHECK(path_in_maps(maps, 0x7f30).empty());
  CHECK(path_in_maps("", 1).empty());
}

// Which they are of a CPU: observe_glibc_cpu.cpp; that the loader agrees: tests/real/test_cpus.py.
TEST_CASE("the tunable that takes features from the CPU takes directories of the loader") {
  const auto directories = [](const char* value) {
    std::string variable = std::string("GLIBC_TUNABLES=") + value;
    char* environment[] = {variable.data(), nullptr};
    const linux_system os(environment, execution_mode::ordinary, "/none");
    arena_string text;
    for (const arena_string& directory : os.hwcap_directories()) {
      if (starts_with(directory, "glibc-hwcaps/")) text += directory.substr(13) + " ";
    }
    return text;
  };
  const arena_string all = directories("");
  const auto without = [&all](const char* level) {
    return all.find(level) == arena_string::npos ? all : all.substr(all.find(level));
  };
  CHECK(directories("glibc.cpu.hwcaps=-AVX512F") == without("x86-64-v3"));
  CHECK(directories("glibc.malloc.check=1:glibc.cpu.hwcaps=ERMS,-BMI2:glibc.rtld.nns=2") ==
        without("x86-64-v2"));
  CHECK(directories("glibc.cpu.hwcaps=-AVX,-SSSE3").empty());
  CHECK(directories("glibc.cpu.hwcaps=-AVX2_Usable,AVX2,-F16C,-") == all);
}

TEST_CASE("$PLATFORM is known of the CPU of this machine, and of Arm") {
  char tunables[] = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX512PF,-AVX512F_Usable";
  char* environment[] = {tunables, nullptr};
  char* nothing[] = {nullptr};
  const linux_system plain(nothing, execution_mode::ordinary, "/none");
  const linux_system reduced(environment, execution_mode::ordinary, "/none");
  const linux_system secure(environment, execution_mode::secure, "/none");
  constexpr int x86_64 = 62;
  CHECK(plain.loader_platform(machine_aarch64) == "aarch64");
  CHECK(plain.loader_platform(0) == plain.loader_platform(own_machine));
  CHECK(secure.loader_platform(0) == plain.loader_platform(0));
  CHECK(reduced.loader_platform(x86_64) == (own_machine == x86_64 ? "x86_64" : ""));
  CHECK(plain.loader_platform(20).empty());  // EM_PPC
}

TEST_CASE("a variable that this process has set says nothing about its loader") {
  const char* const given = std::getenv("LD_LIBRARY_PATH");
  const bool was_set = given != nullptr;
  const arena_string before = was_set ? given : "";
  REQUIRE(::setenv("LD_LIBRARY_PATH", "/set/late", 1) == 0);
  arena_string value;
  const linux_system os(environ, execution_mode::ordinary);
  CHECK(os.variable("LD_LIBRARY_PATH", value) == was_set);
  CHECK(value == before);
  if (was_set) {
    ::setenv("LD_LIBRARY_PATH", before.c_str(), 1);
  } else {
    ::unsetenv("LD_LIBRARY_PATH");
  }
}

TEST_CASE("files of all kinds are opened without waiting") {
  const linux_system os(nullptr, execution_mode::ordinary);
  scratch folder;
  const arena_string file = folder.add("file");
  const arena_string pipe = folder.add("pipe");
  const arena_string link = folder.add("link");
  const arena_string loop = folder.add("loop");
  std::ofstream(file) << "contents";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  REQUIRE(::symlink("file", link.c_str()) == 0);
  REQUIRE(::symlink("loop", loop.c_str()) == 0);

  CHECK(open_file(os, pipe).result() == open_result::fifo);
  CHECK(open_file(os, folder.path()).result() == open_result::directory);
  CHECK(open_file(os, "/dev/null").result() == open_result::device);
  CHECK(open_file(os, folder.path() + "/none").result() == open_result::missing);
  CHECK(open_file(os, file + "/none").result() == open_result::missing);
  CHECK(open_file(os, loop).result() == open_result::link_loop);

  const open_file opened(os, link);
  REQUIRE(opened.result() == open_result::opened);
  CHECK(opened.source().size() == 8);
  char bytes[9] = {};
  CHECK(opened.source().read(3, bytes, 5));
  CHECK(std::strcmp(bytes, "tents") == 0);
  CHECK(!opened.source().read(4, bytes, 5));
  CHECK(!opened.source().read(100, bytes, 1));

  CHECK(os.real_path(link) == os.real_path(file));
  CHECK(os.real_path(folder.path() + "/none").empty());
  arena_vector<arena_string> names;
  CHECK(os.list(folder.path(), "li", names) == open_result::opened);
  CHECK(names == arena_vector<arena_string>{"link"});
  CHECK(os.list(folder.path() + "/none", "", names) == open_result::missing);
  CHECK(os.may_be_written("/dev/null"));
  CHECK(!os.may_be_written("/dev/none"));
}

TEST_CASE("small texts of the kernel, which have no size") {
  const linux_system os(nullptr, execution_mode::ordinary);
  arena_string text;
  CHECK(os.read_text("/proc/self/stat", text));
  CHECK(!text.empty());
  CHECK(!os.read_text("/proc/self/none", text));
}

TEST_CASE("this program and what is mapped in it") {
  const linux_system os(nullptr, execution_mode::ordinary);
  CHECK(!os.program_path().empty());
  CHECK(os.real_path(os.program_path()) == os.program_path());
  CHECK(read_library(os, os.program_path(), 0).state == file_state::whole);
  bool has_libc = false;
  for (const mapped_object& object : os.mapped_objects()) {
    CAPTURE(object.path);
    CHECK(object.path.find('/') != arena_string::npos);
    if (object.soname != "libc.so.6") continue;
    has_libc = true;
    // What the note in memory says is what the file says.
    CHECK(object.build_id == read_library(os, object.path, 0).build_id);
    CHECK(!object.build_id.empty());
  }
  CHECK(has_libc);
}

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_new(const std::string& path, const std::string& bytes) {
  ::unlink(path.c_str());  // what is mapped stays as it is
  std::ofstream(path, std::ios::binary) << bytes;
}

// Every PT_NOTE points at the program headers, as in cuDNN's wheels of 9.1 to 9.7.
std::string with_stale_notes(std::string bytes) {
  const std::size_t count = static_cast<unsigned char>(bytes[56]);
  for (std::size_t at = 64; at < 64 + count * 56; at += 56) {
    if (bytes.compare(at, 4, std::string("\4\0\0\0", 4)) != 0) continue;
    for (const std::size_t field : {8U, 16U, 24U}) test::put_at(bytes, at + field, 64, 8);
    for (const std::size_t field : {32U, 40U}) test::put_at(bytes, at + field, 36, 8);
  }
  return bytes;
}

const mapped_object* mapped_as(const std::vector<mapped_object>& objects, const std::string& path) {
  for (const mapped_object& object : objects) {
    if (object.path == path) return &object;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the build id in memory where the PT_NOTE is stale") {
  const linux_system os(nullptr, execution_mode::ordinary);
  std::string original;
  for (const mapped_object& object : os.mapped_objects()) {
    if (object.soname == "libgcc_s.so.1") original = object.path;
  }
  REQUIRE(!original.empty());
  const std::string id = read_library(os, original, 0).build_id;
  REQUIRE(id.size() == 40);
  scratch folder;
  const std::string path = folder.add("libcudnn_cnn.so.9");
  const std::string stale = with_stale_notes(bytes_of(original));
  write_new(path, stale);
  CHECK(read_library(os, path, 0).build_id == id);
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  const auto id_in_memory = [&os, &path] {
    const std::vector<mapped_object> objects = os.mapped_objects();
    const mapped_object* const object = mapped_as(objects, path);
    REQUIRE(object != nullptr);
    return object->build_id;
  };
  CHECK(id_in_memory() == id);
  // What lies there now cannot tell where the note is: not known, and never the id of another.
  write_new(path, "another file");
  CHECK(id_in_memory().empty());
  write_new(path, stale.substr(0, stale.size() - 1));
  CHECK(id_in_memory().empty());
  test::elf_builder other;
  other.stale_note = true;
  other.sections = {{".note.gnu.build-id", test::gnu_note(std::string(20, 'x'), 3, 4), true, 7}};
  write_new(path, other.build());
  CHECK(read_library(os, path, 0).build_id.substr(0, 4) == "7878");
  CHECK(id_in_memory().empty());
  ::dlclose(library);
}

TEST_CASE("libraries of cuDNN in /proc/self/maps") {
  // A library in four pieces; one that was unlinked since; a file that somebody reads.
  const std::vector<mapped_place> places = cudnn_in_maps(
      "7f00a0000000-7f00a0001000 r--p 00000000 fe:00 11 /a b/libcudnn.so.9.14.0\n"
      "7f00a0001000-7f00a0002000 r-xp 00001000 fe:00 11 /a b/libcudnn.so.9.14.0\n"
      "7f00a0002000-7f00a0003000 r--p 00002000 fe:00 11 /a b/libcudnn.so.9.14.0\n"
      "7f00a0003000-7f00a0004000 rw-p 00002000 fe:00 11 /a b/libcudnn.so.9.14.0\n"
      "7f00b0000000-7f00b0001000 r--p 00000000 fe:00 12 /b/libcudnn_ops.so.9\n"
      "7f00c0000000-7f00c0001000 r--p 00000000 fe:00 13 /c/libcudnn_cnn.so.9 (deleted)\n"
      "7f00c0001000-7f00c0002000 r-xp 00001000 fe:00 13 /c/libcudnn_cnn.so.9 (deleted)\n"
      "7f00d0000000-7f00d0001000 r--p 00000000 fe:00 14 /usr/lib/libc.so.6\n"
      "7f00d0001000-7f00d0002000 r-xp 00001000 fe:00 14 /usr/lib/libc.so.6\n"
      "7f00e0000000-7f00e0001000 r-xp 00000000 00:00 0\n"
      "7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0 [vdso]\n"
      "7f00f0000000-7f00f0002000 r-xp 00000000 fe:00 15 /f/libcudnn.so.8\n");
  REQUIRE(places.size() == 3);
  CHECK(places[0].base == 0x7f00a0000000);
  CHECK(places[0].path == "/a b/libcudnn.so.9.14.0");
  CHECK(places[1].base == 0x7f00c0000000);
  CHECK(places[1].path == "/c/libcudnn_cnn.so.9");
  CHECK(places[2].base == 0x7f00f0000000);
  CHECK(cudnn_in_maps("").empty());
  CHECK(cudnn_in_maps("nonsense /libcudnn.so.9").empty());
}

TEST_CASE("asking for libraries that are not there") {
  const linux_system os(nullptr, execution_mode::ordinary);
  // Asked by SONAME: what the answer is depends on the machine.
  CHECK(os.cuda_driver_version() >= 0);
  CHECK(os.loader_cache("libcudnn_none.so.9").empty());
  CHECK(!os.default_directories().empty());
  CHECK(os.default_directories() == os.default_directories());
}

TEST_CASE("links are resolved as realpath() resolves them") {
  scratch folder;
  const std::string& at = folder.path();
  std::ofstream(folder.add("file")) << "x";
  const char* const links[][2] = {
      {"file", "link"},      {".", "here"},      {"link", "chain"},           {"loop", "loop"},
      {"nowhere", "broken"}, {"here/../", "up"}, {"/usr//lib/./", "absolute"}};
  for (const auto& [target, name] : links) {
    REQUIRE(::symlink(target, folder.add(name).c_str()) == 0);
  }
  const linux_system os(environ, execution_mode::ordinary);
  const auto check = [&os](const std::string& path) {
    CAPTURE(path);
    char* const expected = ::realpath(path.c_str(), nullptr);
    CHECK(os.real_path(path) == (expected == nullptr ? "" : expected));
    std::free(expected);
  };
  for (const char* path : {"/", "//", "", ".", "..", "/..", at.c_str(), "/usr/lib/..",
                           "/proc/self/exe", "/none/..", "/tmp/./../usr/", "tests"}) {
    check(path);
  }
  for (const char* first : {"file", "link", "here", "chain", "loop", "broken", "up", "absolute"}) {
    for (const char* rest : {"", "/", "/.", "/..", "/file", "/here/link", "/../link"}) {
      check(at + "/" + first + rest);
    }
  }
}
