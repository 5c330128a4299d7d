// SPDX-License-Identifier: BSD-3-Clause
//
// Why a place holds no cuDNN, or no CUDA runtime, that can be taken, of files that a test of the
// find module does not lay.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "configure/file_kinds.h"
#include "configure/import_library.h"
#include "configure/place_reasons.h"
#include "configure/runtime_reasons.h"
#include "fake_system.h"
#include "pe_builder.h"

using cudnn_checked::configure::files_like;
using cudnn_checked::configure::install_names;
using cudnn_checked::configure::missing_half;
using cudnn_checked::configure::module_definition;
using cudnn_checked::configure::place_reason;
using cudnn_checked::configure::reason_of;
using cudnn_checked::configure::why_no_runtime;

namespace {

/// An empty directory of its own that is removed again; another run of this program may be working.
struct scratch_directory {
  std::filesystem::path own, path;

  explicit scratch_directory(const char* name = "place") {
    const std::filesystem::path all = std::filesystem::temp_directory_path();
    int number = 0;
    do own = all / ("cudnn-checked-configure-places-" + std::to_string(number++));
    while (!std::filesystem::create_directory(own));
    path = own / name;
    std::filesystem::create_directories(path / "bin");
  }
  ~scratch_directory() { std::filesystem::remove_all(own); }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path / name, std::ios::binary) << content;
    return (path / name).generic_string();
  }
};

/// The first bytes of a DLL for that Machine of its COFF header.
std::string dll(unsigned char low, unsigned char high) {
  std::string bytes(64, '\0');
  bytes.replace(0, 2, "MZ");
  bytes[60] = 64;
  bytes += std::string("PE\0\0", 4);
  bytes += static_cast<char>(low);
  bytes += static_cast<char>(high);
  return bytes;
}

place_reason reason_of_dll(const scratch_directory& scratch, const char* machine = "x86_64") {
  const std::string prefix = scratch.path.generic_string();
  cudnn_checked::configure::searched_place place;
  place.prefix = prefix;
  place.libraries = {prefix + "/bin"};
  place.headers = {prefix + "/include"};
  return reason_of(place,
                   {{"cudnn64_[0-9]*.dll"}, "cudnn64_@.dll", "cudnn64_*.dll", "bin", machine});
}

}  // namespace

TEST_CASE("a DLL for another machine is named with both") {
  const scratch_directory scratch;
  const std::string file = scratch.write("bin/cudnn64_9.dll", dll(0x64, 0xaa));
  place_reason reason = reason_of_dll(scratch);
  CHECK(reason.missing == missing_half::machine);
  CHECK(reason.file == file);
  CHECK(reason.why == file + " is for aarch64, and this build is for x86_64");
  CHECK(reason_of_dll(scratch, "aarch64").why == file + " without cudnn.h");
  CHECK(reason_of_dll(scratch, "").missing == missing_half::headers);  // not known: not judged

  const scratch_directory named("what is for you");
  const std::string other = named.write("bin/cudnn64_9.dll", dll(0x64, 0xaa));
  CHECK(reason_of_dll(named).file == other);

  scratch.write("bin/cudnn64_9.dll", dll(0x4c, 0x01));
  CHECK(reason_of_dll(scratch).why == file + " is for i386, and this build is for x86_64");
  for (const std::string& content : {dll(0x64, 0x86), dll(0x12, 0x34), std::string("MZ"),
                                     std::string(200, 'M'), std::string()}) {
    scratch.write("bin/cudnn64_9.dll", content);
    CHECK(reason_of_dll(scratch).missing == missing_half::headers);
  }
}

TEST_CASE("two of these tests at a time keep their files") {
  const scratch_directory scratch;
  const std::string file = scratch.write("bin/cudnn64_9.dll", "");
  { const scratch_directory another; }
  CHECK(std::filesystem::exists(file));
}

TEST_CASE("which names are those of a library") {
  const scratch_directory scratch;
  for (const char* name : {"bin/cudnn64_9.dll", "bin/cudnn64_10.dll", "bin/cudnn64_.dll",
                           "bin/cudnn_ops64_9.dll", "bin/cudnn64_9.dll.old"}) {
    scratch.write(name, "");
  }
  const std::string bin = scratch.path.generic_string() + "/bin";
  CHECK(files_like(bin, "cudnn64_[0-9]*.dll") ==
        std::vector<std::string>{bin + "/cudnn64_10.dll", bin + "/cudnn64_9.dll"});
  CHECK(files_like(bin, "cudnn64_9.dll") == std::vector<std::string>{bin + "/cudnn64_9.dll"});
  CHECK(files_like(bin + "/absent", "*").empty());
}

TEST_CASE("a library that the header does not belong to is named") {
  const scratch_directory scratch;
  const std::string file = scratch.write("bin/cudnn64_8.dll", "");
  const std::string prefix = scratch.path.generic_string();
  cudnn_checked::configure::searched_place place;
  place.prefix = prefix;
  place.libraries = {prefix + "/bin"};
  place.header = prefix + "/include/cudnn_version.h";
  place.version = "9.14.0";
  const install_names names = {{"cudnn64_[0-9]*.dll"}, "cudnn64_@.dll", "cudnn", "bin", "x86_64"};
  CHECK(reason_of(place, names).why ==
        "cudnn.h of 9.14.0 without cudnn64_9.dll (there is " + file + ")");
  place.library = file;
  CHECK(reason_of(place, names).why == "cuDNN 9.14.0");
  CHECK(reason_of(place, names).missing == missing_half::none);
}

TEST_CASE("why a place has no CUDA runtime") {
  const scratch_directory scratch;
  const std::string prefix = scratch.path.generic_string();
  const install_names names = {
      {"cudart64_@.dll", "cudart64_@0.dll"}, "cudart64_@.dll", "cudart", "bin", "x86_64"};
  cudnn_checked::configure::searched_place place;
  place.prefix = prefix + "/cuda_runtime";
  place.libraries = {prefix + "/bin"};
  place.headers = {prefix + "/absent", prefix + "/bin"};
  const auto why = [&](const char* wanted = "") { return why_no_runtime(place, names, wanted); };
  CHECK(why() == "no cuda_runtime_api.h");

  const std::string header = scratch.write("bin/cuda_runtime_api.h", "#define CUDART_VERSIONS\n");
  CHECK(why() == "cuda_runtime_api.h defines no CUDART_VERSION");
  const std::string version = "#define CUDART_VERSION  12060\n";
  scratch.write("bin/cuda_runtime_api.h", version + "#include \"crt/host_defines.h\"\n");
  CHECK(why() == "cuda_runtime_api.h without crt/host_defines.h (package nvidia-cuda-nvcc-cu12)");
  std::filesystem::create_directories(scratch.path / "cuda_nvcc/include/crt");
  scratch.write("cuda_nvcc/include/crt/host_defines.h", "");
  CHECK(why() == "headers of CUDA 12.6 without cudart64_12.dll");
  const std::string file = scratch.write("bin/cudart64_120.dll", dll(0x64, 0xaa));
  CHECK(why() == file + " is for aarch64, and this build is for x86_64");

  scratch.write("bin/cudart64_12.dll", dll(0x64, 0x86));
  CHECK(why().empty());
  CHECK(why("12").empty());
  CHECK(why("13") == "CUDA 12.6, and this cuDNN is for CUDA 13");

  std::filesystem::remove(header);
  std::filesystem::create_symlink("gone.h", header);
  CHECK(why() == header + " is a link to gone.h, which is not there");
}

// ---- what a DLL exports

namespace {

test::pe_builder exporting_dll() {
  test::pe_builder b;
  b.name = "built_as.dll";
  b.exports = {"1st", "??0engine@@QEAA@XZ", "_hidden", "cudnnCreate", "cudnnDestroy9"};
  return b;
}

module_definition shim_definition(const std::string& bytes, const char* machine = "x86_64") {
  test::fake_system os;
  os.files["/sdk/bin/cudnn64_9.dll"] = bytes;
  return cudnn_checked::configure::definition_of(os, "/sdk/bin/cudnn64_9.dll", machine);
}

}  // namespace

TEST_CASE("a module definition has the file's own name, and the names of C") {
  const module_definition made = shim_definition(exporting_dll().build());
  CHECK(made.status == module_definition::written);
  CHECK(made.text == "LIBRARY cudnn64_9.dll\nEXPORTS\n_hidden\ncudnnCreate\ncudnnDestroy9\n");
}

TEST_CASE("a DLL for another machine has none") {
  test::pe_builder b = exporting_dll();
  for (const unsigned machine : {0x14cU, 0xaa64U}) {
    b.machine = machine;
    CHECK(shim_definition(b.build()).status == module_definition::another_machine);
  }
  CHECK(shim_definition(b.build(), "aarch64").status == module_definition::written);
  CHECK(shim_definition(b.build(), "").status == module_definition::written);
}

TEST_CASE("a damaged DLL has none") {
  const std::string whole = exporting_dll().build();
  for (const std::string& bytes : {whole.substr(0, whole.size() / 2), whole.substr(0, 100),
                                   std::string(), std::string("MZ")}) {
    CHECK(shim_definition(bytes).status == module_definition::unreadable);
  }
  test::pe_builder without = exporting_dll();
  without.exports.clear();
  CHECK(shim_definition(without.build()).status == module_definition::unreadable);
  test::fake_system os;
  CHECK(cudnn_checked::configure::definition_of(os, "/absent.dll", "x86_64").status ==
        module_definition::unreadable);
}
