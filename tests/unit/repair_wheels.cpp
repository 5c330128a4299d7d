// SPDX-License-Identifier: BSD-3-Clause
//
// What the wheels that a repair installs are taken to have in them.
#include <doctest/doctest.h>

#include <algorithm>

#include "catalogue_builder.h"
#include "core/catalogue/catalogue.h"
#include "core/installers/installers.h"
#include "core/judge/advice/wheel_commands.h"
#include "core/library/library_file.h"
#include "core/library/symbols.h"
#include "core/model/format.h"
#include "core/model/library_name.h"
#include "core/model/library_spelling.h"
#include "core/model/machine.h"
#include "repair/library_image.h"
#include "repair/python_metadata.h"
#include "repair/repaired_system.h"
#include "repair/wheel_contents.h"
#include "site_packages.h"

using namespace cudnn_checked;
using namespace cudnn_checked::repairs;

namespace {

library_file read_image(const std::string& bytes) {
  return read_library(test::memory_source(bytes), own_machine);
}

std::string joined(const arena_vector<arena_string>& words) {
  std::string text;
  for (const arena_string& word : words) text += (text.empty() ? "" : " ") + std::string(word);
  return text;
}

/// The release that it has, "none" where that is not known, and its libraries by name.
std::string libraries_of(const std::string& requirement) {
  const wheel_contents wheel = contents_of_wheel(requirement);
  if (!wheel.known) return "none";
  std::string text = wheel.number;
  for (const wheel_file& file : wheel.files) {
    if (file.path.find("/lib/") != arena_string::npos)
      text += " " + std::string(base_name(file.path));
  }
  return text;
}

std::string number_of(const std::string& requirement) {
  const wheel_contents wheel = contents_of_wheel(requirement);
  return wheel.known ? std::string(to_string(parse_version(wheel.number))) : "none";
}

constexpr answer yes = answer::yes;
constexpr answer no = answer::no;
constexpr answer unknown = answer::unknown;

}  // namespace

TEST_CASE("what the specifiers of PEP 440 allow") {
  const struct {
    const char* specifiers;
    const char* number;
    answer expected;
  } rows[] = {
      {"", "9.14.0.64", yes},
      {"==9.14.0.*", "9.14.0.64", yes},
      {"==9.14.0.*", "9.14.1.64", no},
      {"==9.14.*", "9.140.0.1", no},
      {"==9.*", "9", yes},
      {"==9.0.*", "9", yes},
      {"!=9.14.*", "9.14.0.64", no},
      {"!=9.14.*", "9.15.0.64", yes},
      {"==9.14.0.64", "9.14.0.64", yes},
      {"==9.14", "9.14.0.0", yes},
      {"==9.14", "9.14.0.64", no},
      {"===9.14", "9.14", yes},
      {"===9.14", "9.14.0", no},
      {"!=9.14.0.64", "9.14.0.64", no},
      {">=9.3,<10", "9.14.0.64", yes},
      {">=9.3,<10", "9.2.1.18", no},
      {">=9.3,<10", "10.0.0.1", no},
      {"<10.0,>=9.3.0.75", "9.3.0.75", yes},
      {">9.14", "9.14", no},
      {">9.14", "9.14.0.64", yes},
      {"<=9.14", "9.14.0.64", no},
      {"<9.14", "9.9.0.1", yes},
      {"~=9.0", "9.28.1.2", yes},
      {"~=9.0", "10.0.0.1", no},
      {"~=9.1.0", "9.1.1.17", yes},
      {"~=9.1.0", "9.2.0.1", no},
      {"~=9.5", "9.4.9.1", no},
      {"~=9", "9.14.0.64", unknown},
      {">=9.*", "9.14.0.64", unknown},
      {">=9.3rc1", "9.14.0.64", unknown},
      {">=9.3rc1,<9", "9.14.0.64", no},
      {">=9.3", "9.14.0rc1", unknown},
      {"==9.14+cu13", "9.14.0.64", unknown},
      {">=99999999999999999999", "9.14", unknown},
      {">=9..3", "9.14", unknown},
      {"9.14", "9.14", unknown},
  };
  for (const auto& row : rows) {
    INFO(std::string(row.specifiers), " and ", std::string(row.number));
    CHECK(allows(row.specifiers, row.number) == row.expected);
  }
}

TEST_CASE("a library that is made up is a whole one to whoever reads it") {
  assumed_library library;
  library.soname = "libx.so.1";
  library.run_path = "$ORIGIN:/a";
  library.build_id = "563e348c73f66b6c374ff082af576922b0397648";
  library.needed = {"libz.so.1", "liby.so.2"};
  const std::string bytes = library_image(library);
  const library_file file = read_image(bytes);
  CHECK(file.state == file_state::whole);
  CHECK(file.size == bytes.size());
  CHECK(file.machine == own_machine);
  CHECK(file.dynamic);
  CHECK(file.soname == "libx.so.1");
  CHECK(file.runpath == "$ORIGIN:/a");
  CHECK(file.build_id == library.build_id);
  CHECK(joined(file.needed) == "libz.so.1 liby.so.2");
  CHECK(file.interpreter == "");
  CHECK_FALSE(file.has_rpath);
  library.before_library_path = true;
  CHECK(read_image(library_image(library)).rpath == "$ORIGIN:/a");
  CHECK_FALSE(read_image(library_image(library)).has_runpath);
  // A byte less, and it is not.
  CHECK(read_image(bytes.substr(0, bytes.size() - 1)).state == file_state::truncated);

  library = {};
  library.soname = "libx.so.1";
  const library_file bare = read_image(library_image(library));
  CHECK(bare.state == file_state::whole);
  CHECK(bare.soname == "libx.so.1");
  CHECK(bare.build_id == "");
  CHECK_FALSE(bare.has_runpath);
  CHECK(bare.needed.empty());
}

TEST_CASE("it needs versions of symbols as the file that was there") {
  test::fake_system os;
  assumed_library there;
  there.soname = "libcudnn_graph.so.9";
  there.build_id = build_id_of({{9, 14, 0}, 13}, library_role::graph);
  there.needed = {"libstdc++.so.6", "libz.so.1"};
  there.versions = {{"libstdc++.so.6", "GLIBCXX_3.4.21"}, {"libm.so.6", "GLIBC_2.27"}};
  const arena_string path = test::site + "/nvidia/cudnn/lib/libcudnn_graph.so.9";
  os.files[path] = library_image(there);
  const auto versions_of_image = [&](const version& number) {
    os.files["/image"] = image_of_cudnn({number, 13}, "nvidia/cudnn/lib/libcudnn_graph.so.9",
                                        laid_out::as_wheel, {&os, test::site});
    std::string all;
    for (const needed_version& one : read_versions(os, "/image").needed) {
      all += std::string(one.library) + " " + std::string(one.name) + "\n";
    }
    return all;
  };
  CHECK(versions_of_image({9, 14, 0}) == "libstdc++.so.6 GLIBCXX_3.4.21\nlibm.so.6 GLIBC_2.27\n");
  CHECK(joined(read_image(os.files["/image"]).needed) == "libz.so.1 libstdc++.so.6 libm.so.6");
  // Also where pip takes the folder away first.
  repair again;
  again.what = repair_kind::wheels;
  again.where.installer = &installers::pip_target();
  again.where.site = test::site;
  again.order.requirements = {"nvidia-cudnn-cu13==9.14.0.64"};
  repairs::repaired_system view(os);
  CHECK(view.apply(again));
  CHECK(read_versions(view, path).needed.size() == 2);
  // What another release needs is not known.
  CHECK(versions_of_image({9, 19, 0}) == "");
}

TEST_CASE("it exports nothing, which is not told of it, and calls nothing") {
  test::fake_system os;
  os.files["/image"] = image_of_cudnn({{9, 14, 0}, 13}, "libcudnn.so.9", laid_out::as_wheel);
  for (const symbol_kind kind : {symbol_kind::called, symbol_kind::exported}) {
    CHECK(read_symbols(os, "/image", kind, "cudnn").names.empty());
  }
}

TEST_CASE("the catalogue identifies the libraries of each release") {
  int count = 0;
  for (const int cuda : {11, 12, 13}) {
    for (const version& number : catalogued_releases(cuda, package_set::full)) {
      const wheel_contents wheel =
          contents_of_wheel(format("nvidia-cudnn-cu%d==%s.*", cuda, number));
      CAPTURE(wheel.number);
      REQUIRE(wheel.known);
      std::size_t libraries = 0;
      for (const wheel_file& file : wheel.files) {
        if (file.path.find("/lib/") == arena_string::npos) continue;
        CAPTURE(file.path);
        ++libraries;
        const library_file image = read_image(file.contents);
        CHECK(image.state == file_state::whole);
        CHECK(image.soname == base_name(file.path));
        const file_identity identity = identify_build_id(image.build_id);
        CHECK(identity.role == role_of_name(image.soname));
        CHECK(
            std::any_of(identity.releases.begin(), identity.releases.end(), [&](const release& r) {
              return r.number == number && (r.cuda_major == cuda || r.cuda_major == 0);
            }));
        ++count;
      }
      CHECK(libraries == roles_of({number, cuda}).size());
    }
  }
  CHECK(count > 700);
}

TEST_CASE("which sub-libraries a sub-library is linked with") {
  const auto needed = [](library_role role, const version& number) {
    return joined(repairs::sublibraries_needed_by(role, {number, 12}));
  };
  const version newest{9, 14, 0};
  const version older{8, 9, 7};
  CHECK(needed(library_role::shim, newest) == "");
  CHECK(needed(library_role::graph, newest) == "");
  CHECK(needed(library_role::ext, newest) == "");
  CHECK(needed(library_role::adv, newest) == "libcudnn_ops.so.9 libcudnn_graph.so.9");
  CHECK(needed(library_role::heuristic, newest) == "libcudnn_graph.so.9");
  CHECK(needed(library_role::named("of_2030"), newest) == "libcudnn_graph.so.9");
  CHECK(needed(library_role::ops_infer, older) == "");
  CHECK(needed(library_role::adv_train, older) ==
        "libcudnn_adv_infer.so.8 libcudnn_ops_train.so.8 libcudnn_ops_infer.so.8");
}

TEST_CASE("the run paths lead to CUDA 13 where those of the wheels do") {
  int count = 0;
  for (const test::catalogue_row& row : test::read_catalogue_rows()) {
    CAPTURE(row.file);
    CAPTURE(row.number);
    CAPTURE(row.cuda_major);
    const std::string image = image_of_cudnn(row.release(), row.file, laid_out::as_wheel);
    CHECK(run_path_cuda_major(read_image(image)) == row.run_path_cuda_major());
    ++count;
  }
  CHECK(count > 1000);
}

TEST_CASE("which release a requirement brings, and its libraries") {
  CHECK(libraries_of("nvidia-cudnn-cu13==9.14.0.64") ==
        "9.14.0.64 libcudnn.so.9 libcudnn_graph.so.9 libcudnn_ops.so.9 libcudnn_cnn.so.9 "
        "libcudnn_adv.so.9 libcudnn_engines_precompiled.so.9 "
        "libcudnn_engines_runtime_compiled.so.9 libcudnn_heuristic.so.9");
  CHECK(libraries_of("nvidia-cudnn-cu12==8.9.7.29") ==
        "8.9.7.29 libcudnn.so.8 libcudnn_ops_infer.so.8 libcudnn_ops_train.so.8 "
        "libcudnn_cnn_infer.so.8 libcudnn_cnn_train.so.8 libcudnn_adv_infer.so.8 "
        "libcudnn_adv_train.so.8");
  CHECK(libraries_of("nvidia-cudnn-jit-cu13==9.14.0.64") ==
        "9.14.0.64 libcudnn.so.9 libcudnn_graph.so.9 libcudnn_engines_runtime_compiled.so.9");
  const std::string newest = to_string(catalogued_releases(13, package_set::full).back());
  const struct {
    const char* requirement;
    std::string number;
  } rows[] = {
      {"nvidia-cudnn-cu13==9.14.0.*", "9.14.0"},
      {"nvidia-cudnn-cu13", newest},
      {"nvidia-cudnn-cu13~=9.0", newest},
      {"nvidia-cudnn-cu13>=9.3,<10", newest},
      {"nvidia-cudnn-cu13>=9.14,<9.15.2", "9.15.1"},
      {"nvidia-cudnn-cu13<=9.15", "9.14.0"},
      {"nvidia-cudnn-cu12==8.*", "8.9.7"},
      {"nvidia-cudnn-cu11<9", "8.9.6"},
      {"nvidia-cudnn-jit-cu13==9.14.*", "9.14.0"},
      // Releases that there are not, or not for that CUDA.
      {"nvidia-cudnn-cu13==9.14.9.*", "none"},
      {"nvidia-cudnn-cu13==9.14.9.1", "none"},
      {"nvidia-cudnn-cu13<9", "none"},
      {"nvidia-cudnn-cu13>=99", "none"},
      {"nvidia-cudnn-cu14", "none"},
      {"nvidia-cudnn-cu13>=9.3rc1", "none"},
      {"torch==2.7.1", "none"},
      {"nvidia-nccl-cu12", "none"},
  };
  for (const auto& row : rows) {
    INFO(std::string(row.requirement));
    CHECK(number_of(row.requirement) == row.number);
  }
}

TEST_CASE("a wheel has a number that its own requirement allows, and names what it requires") {
  const struct {
    const char* requirement;
    const char* requires_these;
  } rows[] = {
      {"nvidia-cudnn-cu13==9.14.0.*", "nvidia-cublas"},
      {"nvidia-cudnn-cu12>=9.3,<10", "nvidia-cublas-cu12"},
      {"nvidia-cudnn-jit-cu13==9.14.0.*", "nvidia-cublas nvidia-cuda-nvrtc"},
      {"nvidia-cudnn-jit-cu12==9.14.0.64", "nvidia-cublas-cu12 nvidia-cuda-nvrtc-cu12"},
      {"nvidia-cublas==13.*", ""},
      {"nvidia-cuda-nvrtc-cu12==12.9.*", ""},
      {"nvidia-cuda-nvrtc==13.1.*", ""},
  };
  for (const auto& row : rows) {
    INFO(std::string(row.requirement));
    const wheel_contents wheel = contents_of_wheel(row.requirement);
    CHECK(wheel.known);
    CHECK(wheel.name == name_of_order(row.requirement));
    CHECK(allows(specifiers_of_order(row.requirement), wheel.number) == yes);
    CHECK(joined(wheel.requirements) == row.requires_these);
  }
}

TEST_CASE("parts of CUDA's toolkit") {
  const auto paths = [](const std::string& requirement) {
    std::string text;
    for (const wheel_file& file : contents_of_wheel(requirement).files) {
      const bool header = base_name(file.path).rfind(".h") != arena_string::npos;
      if (!header) CHECK(read_image(file.contents).soname == base_name(file.path));
      text += (text.empty() ? "" : " ") + std::string(file.path);
    }
    return text;
  };
  CHECK(paths("nvidia-cublas") ==
        "nvidia/cu13/lib/libcublasLt.so.13 nvidia/cu13/lib/libcublas.so.13");
  CHECK(paths("nvidia-cublas==14.*") ==
        "nvidia/cu14/lib/libcublasLt.so.14 nvidia/cu14/lib/libcublas.so.14");
  CHECK(paths("nvidia-cufft==14.*") ==  // a number of its own
        "nvidia/cu13/lib/libcufft.so.12 nvidia/cu13/lib/libcufftw.so.12");
  CHECK(paths("nvidia-cublas-cu12") ==
        "nvidia/cublas/lib/libcublasLt.so.12 nvidia/cublas/lib/libcublas.so.12");
  CHECK(paths("nvidia-cuda-nvrtc==13.1.*") ==
        "nvidia/cu13/lib/libnvrtc.so.13 nvidia/cu13/lib/libnvrtc-builtins.so.13.1");
  CHECK(paths("nvidia-cuda-nvrtc-cu12==12.9.86") ==
        "nvidia/cuda_nvrtc/lib/libnvrtc.so.12 nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9");
  CHECK(paths("nvidia-cuda-runtime-cu12") ==
        "nvidia/cuda_runtime/lib/libcudart.so.12 nvidia/cuda_runtime/include/cuda_runtime_api.h");
  CHECK(paths("nvidia-cuda-crt") == "nvidia/cu13/include/crt/host_defines.h");
  CHECK(paths("nvidia-cuda-nvcc-cu12") == "nvidia/cuda_nvcc/include/crt/host_defines.h");
  CHECK(paths("nvidia-nvjitlink-cu12") == "nvidia/nvjitlink/lib/libnvJitLink.so.12");
}

TEST_CASE("headers name the release") {
  const auto folders = [](const std::string& requirement) {
    std::string text;
    for (const wheel_file& file : contents_of_wheel(requirement).files) {
      if (base_name(file.path) == "cudnn_version.h") text = file.path + "\n" + file.contents;
    }
    return text;
  };
  CHECK(folders("nvidia-cudnn-cu13==9.14.0.*") ==
        "nvidia/cudnn/include/cudnn_version.h\n"
        "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 14\n#define CUDNN_PATCHLEVEL 0\n");
  CHECK(folders("nvidia-cudnn-jit-cu13==9.14.0.*").substr(0, 40) ==
        "nvidia/cudnn_jit/include/cudnn_version.h");
}

TEST_CASE(
    "a framework is content with an image of the cuDNN that it requires, and with no older one") {
  const auto look = [](const std::string& requirement) {
    test::venv v;
    v.add_torch();
    const std::string others[] = {"nvidia-cublas-cu12", "nvidia-cuda-nvrtc-cu12"};
    for (const std::string& wheel : {requirement, others[0], others[1]}) {
      for (const wheel_file& file : contents_of_wheel(wheel).files) {
        v.os.files[test::site + "/" + std::string(file.path)] = file.contents;
      }
    }
    v.os.files["/usr/lib/libz.so.1"] = library_image({"libz.so.1", "", false, "", {}});
    const test::venv::outcome done = v.look("torch/lib/libtorch_cuda.so");
    std::string text = to_string(done.result);
    for (const finding& f : done.findings) text += std::string(" ") + to_string(f.id);
    return text;
  };
  CHECK(look("nvidia-cudnn-cu12==9.5.1.17") == "ok not-stamped");
  CHECK(look("nvidia-cudnn-cu12==9.1.0.*") == "refused cudnn-older not-stamped");
}
