// SPDX-License-Identifier: BSD-3-Clause
//
// Programs and libraries without a stamp: their cuDNN, what their packages ask for, what is said.
#include <doctest/doctest.h>

#include "cli/program/frozen.cpp"
#include "cli/program/look_into_data.cpp"
#include "cli/program/package_requirement.cpp"
#include "cli/program/unstamped.cpp"
#include "core/judge/advice/advice.h"
#include "site_packages.h"

using namespace cudnn_checked;
using test::site;
using test::venv;
using test::wheel;

namespace {

const std::string not_stamped_tail =
    "  It has no stamp: the driver, the GPUs and the code for them are not checked.\n"
    "  fix: nothing\n   or: build it with cudnn_checked_guard()\n"
    "  [not-stamped]\n";

}  // namespace

TEST_CASE("stock PyTorch: what it takes, in one sentence") {
  venv v;
  v.add_torch();
  v.add_cudnn("9.5.1.17", "12");
  const venv::outcome done = v.look("torch/lib/libtorch_cuda.so");
  CHECK(done.result == verdict::ok);
  CHECK(done.message ==
        "ok: libtorch_cuda.so takes cuDNN 9.5.1 for CUDA 12, whole, from <wheel>\n"
        "  requires:  9.5.1               nvidia-cudnn-cu12==9.5.1.17 of torch 2.7.1\n"
        "  shim:      9.5.1 for CUDA 12   <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9   "
        "chosen by RPATH of <site>/torch/lib/libtorch_cuda.so\n"
        "  needs:     CUDA 12             libcudart.so.12 of <site>/torch/lib/libtorch_cuda.so\n" +
            not_stamped_tail);
}

TEST_CASE("a cuDNN of which some files are not identified is not called fine") {
  venv v;
  v.add_torch();
  v.add_cudnn("9.5.1.17", "12");
  for (const char* name : {"libcudnn_cnn.so.9", "libcudnn_adv.so.9"}) {
    test::elf_builder b;
    b.soname = name;
    b.build_id = std::string(40, '7');
    v.os.files[wheel + "/" + name] = b.build();
  }
  venv::outcome done = v.look("torch/lib/libtorch_cuda.so");
  CHECK(done.result == verdict::warning);  // not-of-release: the catalogue holds 9.5.1 whole
  for (const std::string& role : test::roles_9) {
    test::elf_builder b;
    b.soname = test::soname_of(role, 9);
    b.build_id = std::string(40, '7');
    if (role == "graph") {
      b.word_name = "cudnn_graph_version";
      b.word = 9 << 16 | 19 << 8 | 9;
    }
    b.needed = test::needed_by(role);
    b.runpath = "$ORIGIN";
    v.os.files[wheel + "/" + b.soname] = b.build();
  }
  done = v.look("torch/lib/libtorch_cuda.so");
  CHECK(done.result == verdict::unknown);
  CHECK(done.message ==
        "unknown: libtorch_cuda.so takes cuDNN 9.19.9, whole, from <wheel>\n"
        "  requires:        9.5.1     nvidia-cudnn-cu12==9.5.1.17 of torch 2.7.1\n"
        "  shim:            9.19.9    <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9   "
        "chosen by RPATH of <site>/torch/lib/libtorch_cuda.so\n"
        "  not identified:  7 files   shim, ops, cnn, adv, engines_precompiled, "
        "engines_runtime_compiled, heuristic: no build id of the catalogue, no version word, "
        "no record\n"
        "  needs:           CUDA 12   libcudart.so.12 of <site>/torch/lib/libtorch_cuda.so\n"
        "  It has no stamp: the driver, the GPUs and the code for them are not checked.\n"
        "  fix: nothing, if this cuDNN is newer than this release of CuDNNChecked\n"
        "  [not-stamped]\n");
}

TEST_CASE("the cuDNN under a framework replaced whole by an older one") {
  venv v;
  v.add_torch();
  v.add_cudnn("9.1.0.70", "12");
  const venv::outcome done = v.look("torch/lib/libtorch_cuda.so");
  CHECK(done.result == verdict::refused);
  const std::string expected =
      "refused: libtorch_cuda.so requires cuDNN 9.5.1 and would run on cuDNN 9.1.0\n"
      "  requires:    9.5.1   nvidia-cudnn-cu12==9.5.1.17 of torch 2.7.1\n"
      "  would load:  9.1.0   <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9   chosen "
      "by RUNPATH of <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9\n"
      "  An older minor release of cuDNN may lack functions that the program calls.\n"
      "  fix: python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu12==9.5.1.17\n"
      "  [cudnn-older]\n";
  CHECK(done.message.substr(0, expected.size()) == expected);
  // A newer minor release keeps NVIDIA's promise, and so does any patch.
  v.add_cudnn("9.19.0.56", "12");
  CHECK(v.look("torch/lib/libtorch_cuda.so").result == verdict::ok);
}

TEST_CASE("the cuDNN under a framework replaced whole by one for another CUDA") {
  venv v;
  v.add_torch();
  v.add_cudnn("9.28.0.42", "13");
  const venv::outcome done = v.look("torch/lib/libtorch_cuda.so");
  CHECK(done.result == verdict::refused);
  const std::string expected =
      "refused: this cuDNN is for CUDA 13, and libtorch_cuda.so needs CUDA 12\n"
      "  needs:  CUDA 12              libcudart.so.12 of <site>/torch/lib/libtorch_cuda.so\n"
      "  cuDNN:  9.28.0 for CUDA 13   <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9  "
      " chosen by RUNPATH of <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9\n"
      "  It would bring a second CUDA into the process: its own cuBLAS, NVRTC and runtime.\n"
      "  fix: python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu12==9.5.1.17\n"
      "  [cuda-major]\n";
  const std::size_t at = done.message.find("this cuDNN is for CUDA 13");
  REQUIRE(at != std::string::npos);
  CHECK(done.message.substr(at).find(expected.substr(9)) == 0);
  // Without a package: its own NEEDED entries say it, and the advice is a package for its CUDA.
  v.os.files.erase(site + "/torch-2.7.1.dist-info/METADATA");
  const venv::outcome alone = v.look("torch/lib/libtorch_cuda.so");
  CHECK(alone.message.find("  fix: python3 -m pip install nvidia-cudnn-cu12 && " +
                           prepend_wheel_path("").text +
                           "\n   or: apt-get install libcudnn9-cuda-12\n") != std::string::npos);
}

TEST_CASE("the run path leads to a package that has lost its shim, and another cuDNN is taken") {
  const auto look = [](const char* release, const char* major, bool is_there,
                       const char* asked = "acme/libacme.so") {
    venv v;
    v.add_library("acme/libacme.so", {"libcudnn.so.9"}, "", "$ORIGIN/../nvidia/cudnn/lib");
    v.add_library("acme/app", {"libacme.so"}, "", "$ORIGIN");
    v.add_package("nvidia_cudnn_cu12", "9.5.1.17", {}, "nvidia/cudnn/lib/libcudnn.so.9");
    v.add_cudnn("9.5.1.17", "12");
    if (!is_there) v.os.files.erase(wheel + "/libcudnn.so.9");
    v.add_cudnn(release, major, "/opt/cudnn");
    v.os.cache["libcudnn.so.9"] = "/opt/cudnn/libcudnn.so.9";
    return v.look(asked);
  };
  const venv::outcome done = look("9.19.0.56", "13", false);
  CHECK(done.result == verdict::warning);
  CHECK(
      done.message.find(
          "warning: nvidia-cudnn-cu12 lacks a library that its record lists\n"
          "  listed:         libcudnn.so.9        <site>/nvidia_cudnn_cu12-9.5.1.17.dist-info/"
          "RECORD\n"
          "  found:          no such file         <wheel>\n"
          "  taken instead:  9.19.0 for CUDA 13   /opt/cudnn/libcudnn.so.9   chosen by "
          "ld.so.cache\n"
          "  An interrupted installation, or the removal of another package with the same folder, "
          "causes this; the package manager still lists the files.\n"
          "  fix: with pip or uv, neither of which is here: install nvidia-cudnn-cu12==9.5.1.17 in "
          "<site>\n"
          "  [library-missing]\n") == 0);
  CHECK(look("9.5.1.17", "12", false).result == verdict::ok);
  CHECK(look("9.19.0.56", "13", true).result == verdict::ok);
  // What starts with that library takes what it takes.
  CHECK(look("9.19.0.56", "13", false, "acme/app").result == verdict::warning);
  CHECK(look("9.19.0.56", "13", true, "acme/app").result == verdict::ok);
}

TEST_CASE("two CUDA majors among what is needed say nothing") {
  venv v;
  v.add_library("app.libs/libplugin.so", {"libcudnn.so.9", "libcudart.so.11", "libcublas.so.12"},
                wheel + ":" + site + "/cuda");
  v.add_library("cuda/libcudart.so.11", {});
  v.add_library("cuda/libcublas.so.12", {});
  v.add_cudnn("9.28.0.42", "13");
  const venv::outcome done = v.look("app.libs/libplugin.so");
  CHECK(done.program.cuda_major == 0);
  CHECK(done.message.find("[cuda-major]") == std::string::npos);
}

// jax-ml/jax#16138: pip would take the newest major
TEST_CASE("a requirement without an upper bound gets that of the name that the library opens") {
  const auto fix = [](const char* requirement) {
    venv v;
    v.add_library("plugin/plugin.so", {"libcudnn.so.9"}, "$ORIGIN/../nvidia/cudnn/lib");
    v.add_package("plugin", "1.0", {requirement}, "plugin/plugin.so");
    v.add_cudnn("9.5.1.17", "12");
    const std::string text = v.look("plugin/plugin.so").message;
    const std::size_t line = text.find("fix: ");
    const std::size_t end = text.find('\n', line);
    const std::size_t word = text.rfind(' ', end) + 1;
    return text.substr(word, end - word);
  };
  CHECK(fix("nvidia-cudnn-cu12>=9.8") == "'nvidia-cudnn-cu12>=9.8,<10'");
  CHECK(fix("nvidia-cudnn-cu12<9.20,>=9.8") == "'nvidia-cudnn-cu12<9.20,>=9.8'");
  CHECK(fix("nvidia-cudnn-cu12~=9.8") == "'nvidia-cudnn-cu12~=9.8'");
  CHECK(fix("nvidia-cudnn-cu12==9.8.0.87") == "nvidia-cudnn-cu12==9.8.0.87");
}

TEST_CASE("a library that opens cuDNN by name is judged on what it would take") {
  venv v;
  v.add_library("jax_plugins/xla_cuda12/xla_cuda_plugin.so", {},
                "$ORIGIN/../nvidia/cudnn/lib:$ORIGIN/../../nvidia/cudnn/lib");
  v.add_package("jax_cuda12_pjrt", "0.10.2", {}, "jax_plugins/xla_cuda12/xla_cuda_plugin.so");
  v.add_package("jax_cuda12_plugin", "0.10.2",
                {"jax-cuda12-pjrt==0.10.2",
                 "nvidia-cudnn-cu12<10.0,>=9.8; sys_platform == \"linux\" and extra == "
                 "\"with-cuda\""},
                "jax_cuda12_plugin/_rnn.so");
  venv::outcome done = v.look("jax_plugins/xla_cuda12/xla_cuda_plugin.so");
  CHECK(done.result == verdict::unknown);
  CHECK(done.message ==
        "unknown: xla_cuda_plugin.so opens libcudnn.so.9 by name, and the loader finds none for "
        "it\n"
        "  opens it:  libcudnn.so.9   RPATH of <site>/jax_plugins/xla_cuda12/xla_cuda_plugin.so\n"
        "  found:     none            in the directories that the loader searches\n"
        "  It either runs without cuDNN or fails when it opens it; which of the two is not "
        "known.\n"
        "  fix: nothing, if it is not to use cuDNN\n"
        "   or: python3 -m pip install nvidia-cudnn-cu12 && export LD_LIBRARY_PATH=\"$(python3 "
        "-c 'import nvidia.cudnn as c; print(list(c.__path__)[0] + \"/lib\")')\"\n"
        "   or: apt-get install libcudnn9-cuda-12\n"
        "  [not-stamped]\n");
  v.add_cudnn("9.14.0.64", "12");
  done = v.look("jax_plugins/xla_cuda12/xla_cuda_plugin.so");
  CHECK(done.result == verdict::ok);
  CHECK(done.message ==
        "ok: xla_cuda_plugin.so would take, by dlopen(\"libcudnn.so.9\"), cuDNN 9.14.0 for CUDA "
        "12, whole, from <wheel>\n"
        "  requires:  9.8.0                nvidia-cudnn-cu12<10.0,>=9.8 of "
        "jax_cuda12_plugin 0.10.2\n"
        "  shim:      9.14.0 for CUDA 12   "
        "<site>/jax_plugins/xla_cuda12/../../nvidia/cudnn/lib/libcudnn.so.9   chosen by RPATH of "
        "<site>/jax_plugins/xla_cuda12/xla_cuda_plugin.so\n"
        "  opens it:  libcudnn.so.9        RPATH of "
        "<site>/jax_plugins/xla_cuda12/xla_cuda_plugin.so\n" +
            not_stamped_tail);
  v.add_cudnn("9.5.1.17", "12");
  done = v.look("jax_plugins/xla_cuda12/xla_cuda_plugin.so");
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find("xla_cuda_plugin.so requires cuDNN 9.8.0 and would run on cuDNN 9.5.1") !=
        std::string::npos);
  CHECK(done.message.find("  fix: python3 -m pip install --upgrade "
                          "'nvidia-cudnn-cu12<10.0,>=9.8'\n") != std::string::npos);
  CHECK(done.message.find("and: not stamped: what dlopen(\"libcudnn.so.9\") from it would take is "
                          "checked\n") != std::string::npos);
}

TEST_CASE("no requirement: the number is that of the cuDNN in its run path") {
  venv v;
  v.add_library("paddle/libs/libpaddle.so", {}, wheel);
  CHECK(v.look("paddle/libs/libpaddle.so").program.use == cudnn_use::none);
  v.add_cudnn("9.14.0.64", "12");
  const venv::outcome done = v.look("paddle/libs/libpaddle.so");
  CHECK(done.program.opened == "libcudnn.so.9");
  CHECK(done.result == verdict::ok);
}

TEST_CASE("it needs cuBLAS, and its package requires cuDNN") {
  venv v;
  v.add_library("onnxruntime/capi/libprovider.so", {"libcublas.so.12"}, "$ORIGIN");
  v.add_library("onnxruntime/capi/libcublas.so.12", {});
  CHECK(v.look("onnxruntime/capi/libprovider.so").program.use == cudnn_use::none);
  v.add_package("onnxruntime_gpu", "1.31.1", {"nvidia-cudnn-cu12~=9.0; extra == \"cudnn\""},
                "onnxruntime/capi/libprovider.so");
  const venv::outcome done = v.look("onnxruntime/capi/libprovider.so");
  CHECK(done.program.opened == "libcudnn.so.9");
  CHECK(done.program.told_by == "nvidia-cudnn-cu12~=9.0 of onnxruntime_gpu 1.31.1");
  // A process that has loaded cuBLAS from its wheel has loaded cuDNN from there, too.
  v.os.files.erase(site + "/onnxruntime/capi/libcublas.so.12");
  v.add_library("nvidia/cublas/lib/libcublas.so.12", {});
  v.add_cudnn("9.19.0.56", "13", "/opt");
  v.os.cache["libcudnn.so.9"] = "/opt/libcudnn.so.9";
  v.add_cudnn("9.14.0.64", "12");
  CHECK(v.look("onnxruntime/capi/libprovider.so")
            .message.find("  then takes:  cuDNN 9.14.0 for CUDA 12, whole, from <wheel>\n") !=
        std::string::npos);
}

TEST_CASE("a library that finds what it needs only after others have loaded it") {
  venv v;
  v.add_library("onnxruntime/capi/libprovider.so", {"libcublas.so.12", "libcudnn.so.9"});
  v.add_library("nvidia/cublas/lib/libcublas.so.12", {});
  v.add_package("onnxruntime_gpu", "1.22.0", {"nvidia-cudnn-cu12~=9.0; extra == \"cudnn\""},
                "onnxruntime/capi/libprovider.so");
  v.add_cudnn("9.14.0.64", "12");
  venv::outcome done = v.look("onnxruntime/capi/libprovider.so");
  CHECK(done.result == verdict::unknown);
  CHECK(done.message ==
        "unknown: as it lies, libprovider.so does not find 2 libraries that it needs\n"
        "  needed:      libcublas.so.12   not searched in <site>/nvidia/cublas/lib\n"
        "  needed:      libcudnn.so.9     not searched in <wheel>\n"
        "  then takes:  cuDNN 9.14.0 for CUDA 12, whole, from <wheel>\n"
        "  dlopen() of it fails, unless the process has loaded them before, as the import of a "
        "package can do.\n"
        "  fix: nothing, if it is loaded so\n"
        "   or: export LD_LIBRARY_PATH=<site>/nvidia/cublas/lib:<wheel>\n"
        "  [cudnn-not-found]\n");
  // It lies nowhere.
  v.os.files.erase(site + "/nvidia/cublas/lib/libcublas.so.12");
  done = v.look("onnxruntime/capi/libprovider.so");
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find("  dlopen() of it fails, unless the process has loaded libcublas.so.12 "
                          "before.\n") != std::string::npos);
}

TEST_CASE("nothing is known of its cuDNN") {
  venv v;
  v.add_library("app/libplain.so", {});
  const venv::outcome done = v.look("app/libplain.so");
  CHECK(done.result == verdict::unknown);
  CHECK(done.program.use == cudnn_use::none);
  CHECK(done.message ==
        "unknown: nothing is known of a cuDNN of libplain.so, so none was checked\n"
        "  found:  none   no stamp; no cuDNN in NEEDED, in its run path or required by its "
        "package\n"
        "  It uses none, or opens one later.\n"
        "  fix: nothing\n"
        "   or: verify the library that uses cuDNN, such as libtorch_cuda.so\n"
        "  [not-stamped]\n");
}

namespace {

// ctranslate2 4.6: its shim lies in ctranslate2.libs, under auditwheel's name.
void add_ctranslate2(venv& v) {
  const std::string copy = "libcudnn-74a4c495.so.9.1.0";
  v.add_library("ctranslate2.libs/libctranslate2-c75cca97.so.4", {copy});
  v.add_library("ctranslate2/_ext.so", {"libctranslate2-c75cca97.so.4"},
                "$ORIGIN/../ctranslate2.libs");
  test::elf_builder shim;
  shim.soname = copy;
  shim.build_id = test::id_of("libcudnn.so.9", "9.1.0.70", "12");
  shim.rpath = "$ORIGIN";
  v.os.files[site + "/ctranslate2.libs/" + copy] = shim.build();
}

}  // namespace

TEST_CASE("a renamed copy of the shim, and the cuDNN that it forwards to") {
  venv v;
  add_ctranslate2(v);
  v.add_cudnn("9.14.0.64", "12");
  v.os.variables["LD_LIBRARY_PATH"] = wheel;
  venv::outcome done = v.look("ctranslate2/_ext.so");
  CHECK(done.result == verdict::ok);
  CHECK(done.message.find(
            "_ext.so takes cuDNN 9.14.0 for CUDA 12, whole, from <wheel> and elsewhere\n") !=
        std::string::npos);
  CHECK(done.message.find("[loader-override]") == std::string::npos);
  // One for another CUDA: that is a mix.
  v.add_cudnn("9.14.0.64", "13");
  done = v.look("ctranslate2/_ext.so");
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find("refused: the files of cuDNN are of more than one release\n") == 0);
  // The shim alone: nothing but another install helps.
  v.os.variables.clear();
  done = v.look("ctranslate2/_ext.so");
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find("7 sub-libraries of cuDNN are missing\n") != std::string::npos);
  CHECK(done.message.find(
            "  Its package brings the shim alone: the first call of cuDNN ends the process.\n"
            "  fix: python3 -m pip install nvidia-cudnn-cu12 && " +
            prepend_wheel_path("").text + "\n   or: apt-get install libcudnn9-cuda-12\n") !=
        std::string::npos);
}

TEST_CASE("a renamed copy that is missing is not another major of cuDNN") {
  venv v;
  add_ctranslate2(v);
  v.add_cudnn("9.14.0.64", "12", "/usr/lib");
  v.os.files.erase(site + "/ctranslate2.libs/libcudnn-74a4c495.so.9.1.0");
  const venv::outcome done = v.look("ctranslate2/_ext.so");
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find("refused: a copy of cuDNN is missing that its package renamed: "
                          "libcudnn-74a4c495.so.9.1.0\n") == 0);
  CHECK(
      done.message.find("  fix: reinstall the package of "
                        "<site>/ctranslate2/../ctranslate2.libs/libctranslate2-c75cca97.so.4\n") !=
      std::string::npos);
}

TEST_CASE("a program that NEEDs the driver finds the toolkit's stub") {
  venv v;
  v.add_library("app/libplugin.so", {"libcuda.so.1", "libcudnn.so.9"}, wheel);
  v.add_cudnn("9.14.0.64", "12");
  const std::string stubs = "/usr/local/cuda/lib64/stubs";
  test::elf_builder stub;
  stub.soname = "libcuda.so.1";
  v.os.files[stubs + "/libcuda.so.1"] = stub.build();
  v.os.variables["LD_LIBRARY_PATH"] = stubs;
  const venv::outcome done = v.look("app/libplugin.so");
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find(
            "refused: the loader finds the toolkit's stub instead of the NVIDIA driver\n"
            "  needed:  libcuda.so.1   of the NVIDIA driver\n"
            "  found:   a stub         " +
            stubs +
            "/libcuda.so.1   chosen by LD_LIBRARY_PATH[0]\n"
            "  Every CUDA call would fail: cuDNN computes on a GPU only.\n"
            "  fix: unset LD_LIBRARY_PATH\n"
            "  [driver-missing]\n") == 0);
  v.os.variables.clear();
  CHECK(v.look("app/libplugin.so")
            .message.find("refused: there is no NVIDIA driver on this "
                          "machine\n") == 0);
}
