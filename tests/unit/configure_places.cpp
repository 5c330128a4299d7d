// SPDX-License-Identifier: BSD-3-Clause
//
// Why a place holds no cuDNN, or no CUDA runtime, that can be taken, and what the message about a
// search says, on a machine in memory.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "configure/explain_search.h"
#include "configure/file_kinds.h"
#include "configure/import_library.h"
#include "configure/opened_libraries.h"
#include "configure/place_reasons.h"
#include "configure/runtime_reasons.h"
#include "elf_builder.h"
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

/// A machine in memory, with one place.
struct place_on_machine {
  test::fake_system os;
  std::string prefix;

  explicit place_on_machine(const char* directory = "/place") : prefix(directory) {}

  std::string write(const std::string& name, const std::string& content) {
    os.files[prefix + "/" + name] = content;
    return prefix + "/" + name;
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
  return bytes + std::string(18, '\0');
}

place_reason reason_of_dll(const place_on_machine& m, const char* machine = "x86_64") {
  cudnn_checked::configure::searched_place place;
  place.prefix = m.prefix;
  place.libraries = {m.prefix + "/bin"};
  place.headers = {m.prefix + "/include"};
  return reason_of(m.os, place,
                   {{"cudnn64_[0-9]*.dll"}, "cudnn64_@.dll", "cudnn64_*.dll", "bin", machine});
}

}  // namespace

TEST_CASE("a DLL for another machine is named with both") {
  place_on_machine machine;
  const std::string file = machine.write("bin/cudnn64_9.dll", dll(0x64, 0xaa));
  place_reason reason = reason_of_dll(machine);
  CHECK(reason.missing == missing_half::machine);
  CHECK(reason.file == file);
  CHECK(reason.why == file + " is for aarch64, and this build is for x86_64");
  CHECK(reason_of_dll(machine, "aarch64").why == file + " without cudnn.h");
  CHECK(reason_of_dll(machine, "").missing == missing_half::headers);  // not known: not judged

  place_on_machine named("/what is for you");
  const std::string other = named.write("bin/cudnn64_9.dll", dll(0x64, 0xaa));
  CHECK(reason_of_dll(named).file == other);

  machine.write("bin/cudnn64_9.dll", dll(0x4c, 0x01));
  CHECK(reason_of_dll(machine).why == file + " is for i386, and this build is for x86_64");
  for (const std::string& content : {dll(0x64, 0x86), dll(0x12, 0x34), std::string("MZ"),
                                     std::string(200, 'M'), std::string()}) {
    machine.write("bin/cudnn64_9.dll", content);
    CHECK(reason_of_dll(machine).missing == missing_half::headers);
  }
}

TEST_CASE("which names are those of a library") {
  place_on_machine machine;
  for (const char* name : {"bin/cudnn64_9.dll", "bin/cudnn64_10.dll", "bin/cudnn64_.dll",
                           "bin/cudnn_ops64_9.dll", "bin/cudnn64_9.dll.old"}) {
    machine.write(name, "");
  }
  const std::string bin = machine.prefix + "/bin";
  CHECK(files_like(machine.os, bin, "cudnn64_[0-9]*.dll") ==
        std::vector<std::string>{bin + "/cudnn64_10.dll", bin + "/cudnn64_9.dll"});
  CHECK(files_like(machine.os, bin, "cudnn64_9.dll") ==
        std::vector<std::string>{bin + "/cudnn64_9.dll"});
  CHECK(files_like(machine.os, bin + "/absent", "*").empty());
}

TEST_CASE("a library that the header does not belong to is named") {
  place_on_machine machine;
  const std::string file = machine.write("bin/cudnn64_8.dll", "");
  const std::string prefix = machine.prefix;
  cudnn_checked::configure::searched_place place;
  place.prefix = prefix;
  place.libraries = {prefix + "/bin"};
  place.header = prefix + "/include/cudnn_version.h";
  place.version = "9.14.0";
  const install_names names = {{"cudnn64_[0-9]*.dll"}, "cudnn64_@.dll", "cudnn", "bin", "x86_64"};
  CHECK(reason_of(machine.os, place, names).why ==
        "cudnn.h of 9.14.0 without cudnn64_9.dll (there is " + file + ")");
  place.library = file;
  CHECK(reason_of(machine.os, place, names).why == "cuDNN 9.14.0");
  CHECK(reason_of(machine.os, place, names).missing == missing_half::none);
}

TEST_CASE("why a place has no CUDA runtime") {
  place_on_machine machine;
  const std::string prefix = machine.prefix;
  const install_names names = {
      {"cudart64_@.dll", "cudart64_@0.dll"}, "cudart64_@.dll", "cudart", "bin", "x86_64"};
  cudnn_checked::configure::searched_place place;
  place.prefix = prefix + "/cuda_runtime";
  place.libraries = {prefix + "/bin"};
  place.headers = {prefix + "/absent", prefix + "/bin"};
  const auto why = [&](const char* wanted = "") {
    return why_no_runtime(machine.os, place, names, wanted);
  };
  CHECK(why() == "no cuda_runtime_api.h");

  const std::string header = machine.write("bin/cuda_runtime_api.h", "#define CUDART_VERSIONS\n");
  CHECK(why() == "cuda_runtime_api.h defines no CUDART_VERSION");
  const std::string version = "#define CUDART_VERSION  12060\n";
  machine.write("bin/cuda_runtime_api.h", version + "#include \"crt/host_defines.h\"\n");
  CHECK(why() == "cuda_runtime_api.h without crt/host_defines.h (package nvidia-cuda-nvcc-cu12)");
  machine.write("cuda_nvcc/include/crt/host_defines.h", "");
  CHECK(why() == "headers of CUDA 12.6 without cudart64_12.dll");
  const std::string file = machine.write("bin/cudart64_120.dll", dll(0x64, 0xaa));
  CHECK(why() == file + " is for aarch64, and this build is for x86_64");

  machine.write("bin/cudart64_12.dll", dll(0x64, 0x86));
  CHECK(why().empty());
  CHECK(why("12").empty());
  CHECK(why("13") == "CUDA 12.6, and this cuDNN is for CUDA 13");

  machine.os.files.erase(header);
  machine.os.links[header] = "gone.h";
  CHECK(why() == header + " is a link to gone.h, which is not there");
}

TEST_CASE("what keeps a file from being used") {
  place_on_machine machine;
  const std::string header = machine.write("include/cudnn.h", "");
  const std::string version = machine.write("include/cudnn_version.h", "x");
  cudnn_checked::configure::searched_place place;
  place.prefix = machine.prefix;
  place.headers = {machine.prefix + "/include"};
  place.libraries = {machine.prefix + "/lib"};
  const install_names names = {{"libcudnn.so.[0-9]*"}, "libcudnn.so.@", "libcudnn.so.*", "lib", ""};
  const auto why = [&] { return reason_of(machine.os, place, names).why; };
  CHECK(why() == version + " defines no release as three plain numbers");
  machine.os.denied.insert(version);
  CHECK(why() == "no permission to read " + version);
  machine.os.pipes.insert(machine.prefix + "/include/cudnn_ops.h");
  CHECK(why() == "no permission to read " + version + ", " + machine.prefix +
                     "/include/cudnn_ops.h is a FIFO");
  machine.os.files.erase(header);
  machine.os.pipes.clear();
  machine.os.links[header] = "../v9/cudnn.h";
  machine.os.links[machine.prefix + "/v9/cudnn.h"] = "/gone/cudnn.h";
  CHECK(why() == header + " leads to " + machine.prefix + "/v9/cudnn.h, which is a link to " +
                     "/gone/cudnn.h, which is not there, no permission to read " + version);
}

TEST_CASE("a record of a wheel lists libraries that are not there") {
  place_on_machine machine("/site/nvidia/cudnn");
  machine.os.files["/site/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD"] =
      "nvidia/cudnn/lib/libcudnn.so.9,sha256=x,1\nnvidia/cudnn/lib/libcudnn_ops.so.9,,\n"
      "nvidia/cudnn/lib/__init__.py,,\nnvidia/cudnn/include/cudnn.h,,\n";
  cudnn_checked::configure::searched_place place;
  place.prefix = machine.prefix;
  place.headers = {machine.prefix + "/include"};
  place.libraries = {machine.prefix + "/lib"};
  const install_names names = {{"libcudnn.so.[0-9]*"}, "libcudnn.so.@", "libcudnn.so.*", "lib", ""};
  machine.write("lib/libcudnn_ops.so.9", "");
  const place_reason reason = reason_of(machine.os, place, names);
  CHECK(reason.missing == missing_half::library);
  CHECK(reason.package == machine.prefix);
  CHECK(
      reason.why ==
      "/site/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD lists what is not there: libcudnn.so.9");
}

TEST_CASE("the message about a search that has found a library alone, and what to type") {
  test::fake_system os;
  os.files["/venv/bin/python"] = os.files["/venv/pyvenv.cfg"] = "";
  const std::string site = "/venv/lib/python3.12/site-packages";
  os.files[site + "/pip/__main__.py"] = "";
  os.files[site + "/nvidia_cudnn_cu13-9.99.0.1.dist-info/METADATA"] = "";
  os.files[site + "/nvidia/cudnn/lib/libcudnn.so.9"] = "";
  const std::string prefix = site + "/nvidia/cudnn";
  const std::vector<std::string> facts = {"place.0=Python\t" + prefix,
                                          "libraries.0=" + prefix + "/lib",
                                          "headers.0=" + prefix + "/include",
                                          "told.1=looked in|/opt/cudnn|no such directory",
                                          "pattern=libcudnn.so.[0-9]*",
                                          "shim=libcudnn.so.@",
                                          "names=libcudnn.so.*",
                                          "wheel_folder=lib",
                                          "machine=x86_64",
                                          "python=/venv/bin/python",
                                          "imports=" + site,
                                          "shown=lib/libcudnn.so"};
  std::vector<const char*> words;
  for (const std::string& fact : facts) words.push_back(fact.c_str());
  const cudnn_checked::configure::request asked(static_cast<int>(words.size()), words.data());
  CHECK(text_of(cudnn_checked::configure::explain_search(asked, os)) ==
        "cudnn_checked: refused: cuDNN's library was found without its headers\n"
        "  looked in:  " +
            prefix + "   Python: " + prefix +
            "/lib/libcudnn.so.9 without cudnn.h\n"
            "              /opt/cudnn" +
            std::string(prefix.size() - 10, ' ') +
            "   no such directory\n"
            "  Programs that use cuDNN can run here, but cannot be compiled.\n"
            "  try: /venv/bin/python -m pip install --force-reinstall --no-deps "
            "nvidia-cudnn-cu13==9.99.0.1\n"
            "   or: name the directory above include/cudnn.h and lib/libcudnn.so: "
            "-D CuDNNChecked_ROOT=DIRECTORY\n"
            "  [headers-missing]\n");
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

namespace {

const std::string nvidia_of_wheels = "/site/nvidia/";
const std::string cublas_of_wheel = nvidia_of_wheels + "cu13/lib/libcublasLt.so.13";
const std::string nvrtc_of_wheel = nvidia_of_wheels + "cu13/lib/libnvrtc.so.13";
const std::string builtins_of_wheel = nvidia_of_wheels + "cu13/lib/libnvrtc-builtins.so.13.0";

std::string with_run_path(const std::string& runpath, const std::string& rpath = "") {
  test::elf_builder b;
  b.runpath = runpath;
  b.rpath = rpath;
  return b.build();
}

/// A full cuDNN with that run path, and CUDA's libraries of wheels, with an NVRTC that finds its
/// builtins.
struct cuda_wheels {
  test::fake_system os;
  std::vector<std::string> facts = {"library=" + nvidia_of_wheels + "cudnn/lib/libcudnn.so.9",
                                    "file=" + nvrtc_of_wheel, "file=" + cublas_of_wheel};

  explicit cuda_wheels(const std::string& own) {
    for (const char* name : {"graph", "engines_precompiled"})
      os.files[nvidia_of_wheels + "cudnn/lib/libcudnn_" + name + ".so.9"] = own;
    os.files[cublas_of_wheel] = with_run_path("");
    os.files[nvrtc_of_wheel] = with_run_path("$ORIGIN");
    os.files[builtins_of_wheel] = "";
    os.files[builtins_of_wheel + ".88"] = "";
  }

  std::vector<std::string> brought() const {
    std::vector<const char*> arguments;
    for (const std::string& fact : facts) arguments.push_back(fact.c_str());
    const cudnn_checked::configure::request asked(static_cast<int>(arguments.size()),
                                                  arguments.data());
    std::vector<std::string> all;
    for (const cudnn_checked::arena_string& file :
         cudnn_checked::configure::libraries_to_bring(asked, os))
      all.push_back(file);
    return all;
  }
};

}  // namespace

TEST_CASE("what the run path of cuDNN does not lead to") {
  CHECK(cuda_wheels(with_run_path("")).brought() ==
        std::vector<std::string>{nvrtc_of_wheel, cublas_of_wheel});
  CHECK(cuda_wheels(with_run_path("$ORIGIN:$ORIGIN/../../cublas/lib")).brought() ==
        std::vector<std::string>{nvrtc_of_wheel, cublas_of_wheel});
  CHECK(cuda_wheels(with_run_path("$ORIGIN:${ORIGIN}/../../cu13/lib")).brought().empty());
  CHECK(cuda_wheels(with_run_path("", "$ORIGIN::/site/nvidia/cu13/lib")).brought().empty());
  // What cannot be read leads nowhere.
  CHECK(cuda_wheels("no library").brought() ==
        std::vector<std::string>{nvrtc_of_wheel, cublas_of_wheel});
}

TEST_CASE("what does not use cuBLAS, or finds it by what it needs") {
  cuda_wheels jit(with_run_path(""));
  jit.os.files.erase(nvidia_of_wheels + "cudnn/lib/libcudnn_engines_precompiled.so.9");
  CHECK(jit.brought() == std::vector<std::string>{nvrtc_of_wheel});
  cuda_wheels eight(with_run_path(""));
  eight.facts[0] = "library=" + nvidia_of_wheels + "cudnn/lib/libcudnn.so.8";
  eight.os.files[nvidia_of_wheels + "cudnn/lib/libcudnn_ops_infer.so.8"] = with_run_path("");
  CHECK(eight.brought() == std::vector<std::string>{nvrtc_of_wheel});
  eight.os.files[nvidia_of_wheels + "cudnn/lib/libcudnn_ops_infer.so.8"] =
      with_run_path("$ORIGIN/../../cu13/lib");
  CHECK(eight.brought().empty());
}

TEST_CASE("an NVRTC that does not find its builtins") {
  cuda_wheels found(with_run_path("$ORIGIN/../../cu13/lib"));
  found.os.files[nvrtc_of_wheel] = with_run_path("");
  CHECK(found.brought() == std::vector<std::string>{builtins_of_wheel});
  cuda_wheels lost(with_run_path(""));
  lost.os.files[nvrtc_of_wheel] = with_run_path("/elsewhere");
  CHECK(lost.brought() ==
        std::vector<std::string>{nvrtc_of_wheel, builtins_of_wheel, cublas_of_wheel});
}

TEST_CASE("of a toolkit, and no second NVRTC of a wheel with it") {
  const std::string own = "/toolkit/lib/libnvrtc.so.13";
  const std::string its_builtins = "/toolkit/lib/libnvrtc-builtins.so.13.1";
  cuda_wheels found(with_run_path("$ORIGIN/../../cu13/lib"));
  found.facts = {found.facts[0], "file=" + own, "toolkit=yes"};
  found.os.files[own] = with_run_path("");
  found.os.files[its_builtins] = "";
  // That of the wheel finds its builtins.
  CHECK(found.brought().empty());
  found.os.files[nvrtc_of_wheel] = with_run_path("");
  CHECK(found.brought() == std::vector<std::string>{own, its_builtins});
}
