// SPDX-License-Identifier: BSD-3-Clause
#include "spawn/spawn.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

using namespace cudnn_checked;

TEST_CASE("a started program has empty input, the outputs that are named, and its own pipes") {
  int output[2];
  int pipe[2];
  REQUIRE(spawn::make_pipe(output));
  REQUIRE(spawn::make_pipe(pipe));
  ::signal(SIGPIPE, SIG_IGN);
  const std::string code =
      "read x || echo empty; echo lost >&2; echo said >&3; kill -s PIPE $$; echo ignored";
  pid_t process = -1;
  REQUIRE(spawn::start({{"/bin/sh", "-c", code}, output[1], -1, {pipe[1]}}, process) == 0);
  ::signal(SIGPIPE, SIG_DFL);
  CHECK(::getpgid(process) == process);
  spawn::close_file(output[1]);
  spawn::close_file(pipe[1]);
  CHECK(pipe[1] == -1);
  std::string printed;
  std::string said;
  while (spawn::read_part(output[0], printed)) continue;
  while (spawn::read_part(pipe[0], said)) continue;
  spawn::close_file(output[0]);
  spawn::close_file(pipe[0]);
  CHECK(printed == "empty\n");
  CHECK(said == "said\n");
  int status = 0;
  REQUIRE(::waitpid(process, &status, 0) == process);
  REQUIRE(WIFSIGNALED(status));
  CHECK(spawn::signal_name(WTERMSIG(status)) == "SIGPIPE");
}

TEST_CASE("a program that cannot be started is an error number") {
  pid_t process = 1;
  CHECK(spawn::start({{"/nowhere/program"}, -1, -1, {}}, process) == ENOENT);
  CHECK(process == -1);
}

TEST_CASE("how a process ended is its exit status or its signal, and it may still run") {
  spawn::process_id process = -1;
  spawn::process_end end;
  REQUIRE(spawn::start({{"/bin/sh", "-c", "exit 7"}, -1, -1, {}}, process) == 0);
  while (!spawn::has_ended(process, end)) continue;
  CHECK(!end.by_signal);
  CHECK(end.number == 7);
  int output[2];
  REQUIRE(spawn::make_pipe(output));
  // It and what it has started have the pipe.
  REQUIRE(spawn::start({{"/bin/sh", "-c", "sleep 60 & echo; wait"}, output[1], -1, {}}, process) ==
          0);
  spawn::close_file(output[1]);
  std::string printed;
  REQUIRE(spawn::can_be_read(output[0], 60000));
  CHECK(spawn::read_part(output[0], printed));
  CHECK(!spawn::can_be_read(output[0], 1));
  CHECK(!spawn::has_ended(process, end));
  end = spawn::end_all(process);
  CHECK(end.by_signal);
  CHECK(end.number == SIGKILL);
  REQUIRE(spawn::can_be_read(output[0], 60000));
  CHECK(!spawn::read_part(output[0], printed));
  spawn::close_file(output[0]);
  CHECK(printed == "\n");
}

TEST_CASE("a signal without a name is a number") {
  CHECK(spawn::signal_text(SIGSEGV) == "Segmentation fault");
  CHECK(spawn::signal_name(SIGSEGV) == "SIGSEGV");
  CHECK(spawn::signal_name(99) == "signal 99");
}
