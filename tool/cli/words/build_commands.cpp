// SPDX-License-Identifier: BSD-3-Clause
#include "build_commands.h"

#include "command_line.h"

namespace cudnn_checked::cli {

command_entry bundle_entry() {
  return {
      bundle_cudnn,
      "bundle",
      "DIR",
      argument_kind::directory,
      1,
      1,
      "a copy of a cuDNN for a program to bring: whole, with its licenses",
      "Copies one cuDNN into DIR, which is absent or empty: all of its libraries, unchanged, each "
      "by "
      "the name that cuDNN asks for first, and the licenses of their packages. A cuDNN that is "
      "mixed "
      "or damaged is refused. What a program needs beside it is listed, and not copied.\n\n"
      "The libraries of cuDNN obey LD_LIBRARY_PATH before their own run path. So the program "
      "itself "
      "must need each of them, and have a DT_RPATH to DIR: with --for the command is printed that "
      "makes a finished program so. In CMake cudnn_checked_bundle() does all of it.\n\n"
      "LD_PRELOAD goes before everything, and so does LD_LIBRARY_PATH for what a JIT-only cuDNN "
      "asks "
      "for and does not have. A guarded program refuses what does not fit.",
      {{"--from", "DIR", "that cuDNN, as for doctor; else the one that the loader finds",
        &command_line::from, "the directory of a cuDNN"},
       {"--cuda", "", "copy the libraries of CUDA that cuDNN opens, too: cuBLASLt, NVRTC",
        &command_line::cuda},
       {"--for", "APP", "print the command that makes that program use the copy",
        &command_line::program, "a program"}},
      {{"0", "it was copied"},
       {"1", "the cuDNN is not whole, or of several releases"},
       {"2", "wrong usage, or DIR could not be written"},
       {"3", "there is no cuDNN"}},
      "$ cudnn-checked bundle --from ~/venv --for bin/app bin/cudnn\n"
      "$ LD_LIBRARY_PATH=/usr/local/cuda/lib64 cudnn-checked verify bin/app"};
}

command_entry pkg_config_entry() {
  return {
      write_pkg_config,
      "pkg-config",
      "DIR",
      argument_kind::directory,
      1,
      1,
      "DIR/cudnn.pc of one cuDNN: for Meson, make and all that ask pkg-config",
      "Checks one cuDNN with its headers as doctor does, and writes DIR/cudnn.pc: what is compiled "
      "and linked with it takes these headers and this library, by its path, and gets a run path "
      "to "
      "its directory. The release is the version of the file. What doctor calls broken is refused, "
      "and nothing is written.\n\n"
      "cudnn.h includes headers of CUDA. They are those beside the cuDNN, of the packages of its "
      "environment, or of a toolkit of the same major release; --toolkit names another one.\n\n"
      "No convolution is run: probe does that.",
      {{"--from", "DIR", "that cuDNN, as for doctor; else the one that the loader finds",
        &command_line::from, "the directory of a cuDNN"},
       {"--toolkit", "DIR", "the CUDA toolkit whose headers are used", &command_line::toolkit,
        "the directory of a CUDA toolkit"}},
      {{"0", "it was written"},
       {"1", "the cuDNN is broken, or has no headers"},
       {"2", "wrong usage, or DIR could not be written"},
       {"3", "there is no cuDNN"}},
      "$ cudnn-checked pkg-config --from ~/venv build\n"
      "$ PKG_CONFIG_PATH=build meson setup build/meson"};
}

command_entry guard_object_entry() {
  return {
      write_guard_object,
      "guard-object",
      "FILE",
      argument_kind::file,
      1,
      1,
      "the guard of a program as one object to link: for builds without CMake",
      "Checks one cuDNN as doctor does, proves it as probe does, and writes FILE, an object (.o) "
      "that "
      "carries the guard and a stamp of what was proved. The program that is linked with it checks "
      "itself at its start as one with cudnn_checked_guard(): it refuses, with exit status 78, "
      "where "
      "cuDNN, driver or GPUs do not fit. The sources of the guard are those that were installed "
      "with "
      "this program.\n\n"
      "If FILE ends in .cpp, it is the source of that object, which your build compiles with flags "
      "of "
      "its own, as C++17.\n\n"
      "Without a GPU no convolution is run, and the stamp has the level loaded, not ran.",
      {{"--from", "DIR", "that cuDNN, as for doctor; else the one that the loader finds",
        &command_line::from, "the directory of a cuDNN"},
       {"--name", "NAME", "the program, as its messages call it (the name of FILE)",
        &command_line::name, "the name of the program"},
       {"--gpu", "WORD",
        "optional (this): it starts without a driver or GPU; required: it refuses then",
        &command_line::gpu, "required or optional", "required optional"},
       {"--policy", "WORD",
        "which cuDNN it accepts: compatible (this: no older minor release), exact, or major",
        &command_line::policy, "compatible, exact or major", "compatible exact major"},
       {"--manual", "",
        "for a library, or a program that asks by itself with the functions of guard.hpp: nothing "
        "is "
        "checked at the start",
        &command_line::manual},
       {"--compiler", "CXX", "the compiler (CXX, else c++)", &command_line::compiler,
        "a C++ compiler"}},
      {{"0", "it was written"},
       {"1", "the cuDNN is broken, has no headers, or was not loaded"},
       {"2", "wrong usage, it does not compile, or FILE could not be written"},
       {"3", "there is no cuDNN"}},
      "$ cudnn-checked guard-object --from ~/venv --name app app_guard.o\n"
      "$ g++ app.o app_guard.o $(pkg-config --libs cudnn) -ldl -o app"};
}

}  // namespace cudnn_checked::cli
